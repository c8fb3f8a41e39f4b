"""Keeps the messages of a running match up to date on Discord: the table's message, and each player's panel."""
