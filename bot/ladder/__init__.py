"""The ladder: which matches are rated, ratings, seasons, and counts of each seat from a match's log.

Pure values and functions over the game's events; it knows no names of players, no Discord and no database.
"""
