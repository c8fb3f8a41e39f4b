"""Running tables: their log, lobbies, panels, rule sets and server settings."""
