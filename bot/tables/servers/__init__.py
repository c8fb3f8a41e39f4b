"""Servers: their settings and their bans."""
