"""The container's health check, `python -m bot.base.health`: exits with status 1 if the bot does not answer.

It runs every few seconds, so it loads nothing of the bot and reads its settings from the environment alone.
"""

import os
import sys
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

DEFAULT: Final = "127.0.0.1:9464"
_EVERY: Final = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "[::]": "[::1]", "::": "[::1]"}  # noqa: S104
_PATIENCE_S: Final = 4.0


def address() -> str:
    """Return the URL at which a bot with this environment answers."""
    host, _, port = (os.environ.get("STATUS_ADDRESS") or DEFAULT).rpartition(":")
    return f"http://{_EVERY.get(host, host)}:{port}/healthz"


if __name__ == "__main__":
    try:
        urlopen(address(), timeout=_PATIENCE_S).close()  # noqa: S310 - it begins with http
    except (URLError, OSError, ValueError) as problem:
        sys.exit(f"The bot does not answer at {address()}: {problem}")
