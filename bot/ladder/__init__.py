"""The ladder: who may be rated, how strong they are, seasons, and what a match's log tells of each seat.

Pure values and functions over the game's events; knows neither people's names, Discord nor the database.
"""
