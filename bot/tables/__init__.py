"""Running tables: lobbies, seats, matches, nights. Knows neither Discord nor the database."""
