"""Running tables: who sits where, one writer per match, deadlines, robots, restore.

Knows neither Discord nor the database; both come through `bot.tables.ports`.
"""
