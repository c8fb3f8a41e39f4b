"""The connection to Discord: the client, its shards and events, the registered commands."""
