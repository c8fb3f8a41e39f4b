"""A person's stored data, and its deletion."""
