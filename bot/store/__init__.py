"""Tables, matches, records and the ladder in SQLite or PostgreSQL.

Each `Sql` class implements the Protocol of the same name in `bot.tables`, `bot.records` or `bot.daily`, which has the
docstrings. Knows SQLAlchemy; knows neither Discord nor the rules of the game.
"""
