"""The verbs of what was played."""

from enum import StrEnum


class RecordsVerb(StrEnum):
    """What a press on a history or a replay asks for; a comment names its argument."""

    REPLAY = "replay"  # a step and a letter that keeps ids apart; its round stands before the verb
    SHARE = "share"  # posts the round that stands before the verb as a moving picture
    HISTORY = "history"  # a user id (0 for everybody) and a spot: "1000:a1800000000000.17"
