"""What stood out in a night, and the picture of how it ended."""
