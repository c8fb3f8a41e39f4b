"""The public message of a table: the board of a round, its result, the log, the end of a match."""
