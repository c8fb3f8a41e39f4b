"""What a host does with the bot: starts it, watches it, copies its database, and finds out what is wrong."""
