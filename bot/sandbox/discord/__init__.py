"""A light Discord on loopback: its objects, REST routes, gateway, rate limits, and what its members do.

It must not know the game or the bot. It refuses what Discord refuses, and has the source of each such rule beside it.
`serving` starts it; `people` does what its members do.
"""
