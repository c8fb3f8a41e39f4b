"""Game nights as data: the plan, the entrants, the pairings, the standings. Pure functions and values."""
