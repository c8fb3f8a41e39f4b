"""A Discord on loopback with a live page, for `kems play` and for load tests.

It must not know the game. `serve` runs any discord.py client against a simulated guild; each viewer sees at an
address of their own what that member would see.
"""
