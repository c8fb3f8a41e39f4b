"""What a bot may ask of Discord: one function for each route, by what it is about."""
