"""A table before its match: who sits where, by which rules, and the vote."""
