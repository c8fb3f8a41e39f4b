"""What may be sent when: Discord's limits, read from its responses, and the queues that keep to them."""
