"""A light Discord on loopback: its objects, REST routes, gateway, rate limits, and what its members do.

It must not know the game or the bot. It answers as Discord does where a simulation is kinder; the source of each such
answer stands beside it. `serving` starts it; `people` are the hands of its members.
"""
