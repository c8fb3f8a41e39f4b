"""Keeps the messages of a running match on Discord up to date: the table's, and each player's panel."""
