"""Discord's rate limits, read from its responses, and the queues that keep to them."""
