"""The Discord bot for Kem's, the French partner card game."""
