"""Application and server emojis: which exist, which Discord refuses, and the text instead."""
