"""Discord's API as this bot uses it: components as data, custom ids, and the requests of an interaction's token."""
