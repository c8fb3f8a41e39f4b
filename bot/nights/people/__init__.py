"""Who comes to a night and with whom, and what is new for them."""
