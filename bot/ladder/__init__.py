"""Ratings, seasons, which matches are rated, and each seat's figures from a match's log.

Pure values and functions over the game's events. It knows no player's name, no Discord and no database.
"""
