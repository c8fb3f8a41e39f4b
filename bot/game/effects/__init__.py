"""What follows from a move, one subject a file; called by `bot.game.decide`."""
