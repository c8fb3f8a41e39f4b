"""The formats of game nights: one object and one file each."""

from typing import Final

from bot.nights.formats.format import NightFormat
from bot.nights.formats.knockout import KNOCKOUT
from bot.nights.formats.lounge import LOUNGE
from bot.nights.formats.rotation import EXPRESS, ROTATION
from bot.nights.formats.round_robin import ROUND_ROBIN
from bot.nights.formats.swiss import SWISS
from bot.nights.night import Night

__all__ = ["EXPRESS", "FORMATS", "KNOCKOUT", "LOUNGE", "ROTATION", "ROUND_ROBIN", "SWISS", "NightFormat", "format_of"]

FORMATS: Final[dict[str, NightFormat]] = {
    each.name: each for each in (LOUNGE, ROTATION, EXPRESS, SWISS, KNOCKOUT, ROUND_ROBIN)
}
"""Formats by the name by which each is stored, in the order in which they are offered."""


def format_of(night: Night) -> NightFormat:
    """Return the format of a night."""
    return FORMATS[night.plan.format.name]
