"""A table before its match: the seats, the rules, and the vote."""
