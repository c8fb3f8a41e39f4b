"""The host's panel of a night, and the steps taken with it."""
