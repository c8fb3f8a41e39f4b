"""The colours of messages."""

from typing import Final

GREEN: Final = 0x2F8F5B
GREY: Final = 0x6B6F76
