"""Leaderboards, ratings, seasons, podiums."""
