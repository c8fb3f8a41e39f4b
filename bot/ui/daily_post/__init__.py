"""The deal of the day in a channel, once a day."""
