"""What becomes of a press or a command: routed to the feature that owns it, if it may pass."""
