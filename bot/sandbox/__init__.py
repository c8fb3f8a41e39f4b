"""A Discord on loopback with a live page, for `kems play` and for load tests.

It must not know the game. `serve` runs any discord.py client against a simulated guild; each viewer sees at an
address of their own what that member would see.
"""

from bot.sandbox.server import SandboxError, SandboxInfo, Setting, serve

__all__ = ["SandboxError", "SandboxInfo", "Setting", "serve"]
