"""What everybody sees of a night: its message before, while it runs and afterwards, and what is behind its buttons."""
