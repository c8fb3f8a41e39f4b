"""What follows from a move, one subject a file; `bot.game.decide` asks for it."""
