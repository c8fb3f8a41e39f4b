"""Screens of a running match: the table, the end of a round and of the match, and a player's panel."""
