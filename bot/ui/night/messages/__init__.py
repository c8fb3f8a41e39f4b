"""What a night posts on Discord: its messages, its server event, its threads, its winners' role."""
