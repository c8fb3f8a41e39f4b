"""What a night shows and leaves on Discord: its posts and messages, its event, its threads, its winners' role."""
