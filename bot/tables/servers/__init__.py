"""Servers: their settings, and who is banned from playing there."""
