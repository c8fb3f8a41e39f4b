"""Running tables: lobbies and seats, one writer per match, deadlines, robots, restore.

Knows neither Discord nor the database: each Protocol stands beside the code that needs it.
"""
