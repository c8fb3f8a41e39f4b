"""Before a night: its host's draft, how long it lasts, and the one that follows in a series."""
