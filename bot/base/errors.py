"""The exceptions whose sentence a person reads. This module knows no other part of the project."""

from typing import ClassVar


class KemsError(Exception):
    """Something went wrong outside of the program. `str()` says in sentences what happened and what to do; no secrets.

    The command line prints it and exits with `status`; after 78 (EX_CONFIG) no supervisor starts the bot again.
    Any other exception is a bug.
    """

    status: ClassVar[int] = 1


class StoreError(KemsError):
    """Nothing was saved or read, so nothing has happened. The sentence says whether to try again or what to repair."""
