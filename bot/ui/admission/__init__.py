"""What a press passes first: not too late, not too fast, answered in time."""
