"""Pictures and emojis in messages: drawn, uploaded once, kept."""
