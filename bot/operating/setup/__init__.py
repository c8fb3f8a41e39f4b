"""`kems setup`: from a token to a bot that runs."""
