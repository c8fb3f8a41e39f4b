"""Game nights."""
