"""The accents of messages, each for what the message is about."""

from typing import Final

GREEN: Final = 0x2F8F5B  # a table, its rules, the server's settings
GREY: Final = 0x6B6F76  # a table that is closed
BLUE: Final = 0x3C6EB4  # a hand; what was played
PURPLE: Final = 0x7A5AA6  # a sign; a secret vote
GOLD: Final = 0xC9A227  # a result; a leaderboard
TEAL: Final = 0x2A8C82  # what a person achieved
SLATE: Final = 0x4E5D94  # a replay
RED: Final = 0xB23A48  # what cannot be undone
