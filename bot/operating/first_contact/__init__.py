"""`kems doctor --live`: compares what the bot assumes of Discord with what Discord does."""
