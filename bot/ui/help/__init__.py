"""What a reader can do here and now, in two pages."""
