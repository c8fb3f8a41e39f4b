"""Before a night: the host's draft, its length, and the next one of a series."""
