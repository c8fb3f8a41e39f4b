"""A running match: the table, the hand panel, the sign, calls and results."""
