"""Errors whose text is the sentence with which the press or command is answered."""


class SentenceError(Exception):
    """What was asked for cannot be done; `str()` is a sentence in the reader's language that says why."""
