"""The base of errors whose sentence a reader may see."""


class SentenceError(Exception):
    """What was asked for cannot be done; the message is a sentence in the reader's language."""
