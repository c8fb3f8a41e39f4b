"""The verbs about personal data."""

from enum import StrEnum


class PrivacyVerb(StrEnum):
    """What a press about personal data asks for, on table 0."""

    FORGET = "forget"  # everything on the presser
