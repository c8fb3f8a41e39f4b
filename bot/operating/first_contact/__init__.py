"""`kems doctor --live`: compare what the bot assumes of Discord with what Discord does."""
