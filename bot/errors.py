"""The one family of errors that a person may read. It knows nothing of the rest of the project."""

from __future__ import annotations


class KemsError(Exception):
    """Something went wrong outside the program: `str()` says in clear sentences what, and what to do, without secrets.

    The command line prints it and exits with status 1. Any other exception that gets there is a bug.
    """


class StoreError(KemsError):
    """Nothing was saved or read, so nothing has happened: try again, or read the sentence for what to repair."""
