"""Matches between robots in virtual time, and what many of them tell of the rules and of the robots."""
