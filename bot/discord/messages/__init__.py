"""Messages that show how things are now, and are brought up to date."""
