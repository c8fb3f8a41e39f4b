"""What is kept: tables, seats, the log of every match, rounds and results, in SQLite or PostgreSQL.

Knows SQLAlchemy and the ports of `bot.tables`; knows neither Discord nor the rules of the game.
"""
