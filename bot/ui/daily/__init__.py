"""The deal of the day: played alone in an ephemeral panel; its board, its post, and the server's message of the day."""
