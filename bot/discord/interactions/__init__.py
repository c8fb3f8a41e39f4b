"""The way of a press or a command: it is admitted, then routed to the feature that answers it."""
