"""Exceptions whose message a person reads. This module knows no other part of the project."""

from typing import ClassVar


class KemsError(Exception):
    """A failure outside of the program. `str()` says what happened and what to do; it holds no secrets.

    The command line prints it and exits with `status`; after 78 (EX_CONFIG) no supervisor restarts the bot. Any other
    exception is a bug.
    """

    status: ClassVar[int] = 1


class StoreError(KemsError):
    """The store neither saved nor read anything. The message says whether to try again or what to repair."""
