"""Seasons, standings and ratings."""
