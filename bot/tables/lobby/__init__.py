"""Tables as values: who sits where, by which rules, and where the table is shown."""
