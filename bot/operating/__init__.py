"""What an operator does with the bot: start it, watch it, copy its database, find out what is wrong."""
