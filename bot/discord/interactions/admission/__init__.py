"""What a press passes first: not too late, not too fast, allowed, answered in time."""
