"""The choices that a command offers while somebody types."""

from typing import Final

MAX_CHOICES: Final = 25  # Discord's limits for choices
MAX_CHOICE: Final = 100
