"""Channels, threads, members, roles and events: what the bot may do there, and why Discord refuses something."""
