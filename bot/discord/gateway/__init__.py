"""The connection to Discord: the client, its shards, its events, the registered commands."""
