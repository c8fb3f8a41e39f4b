"""The routes of Discord's API, a function for each."""
