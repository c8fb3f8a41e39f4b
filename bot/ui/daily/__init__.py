"""The deal of the day: played in a private panel, alone; its board, its post, and the day's message of a server."""
