"""The settings of a server's ladder: which tables are ranked, and why a table is not."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.game.cards import DeckKind
from bot.game.rules.house_rules import beside_pace, options_taken
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import Rules
from bot.ladder.seasons import Schedule

# What a table may change and still play its preset, by axis, None for any value: the sheets offer both plain decks, the
# deadline is only a clock, and `sign_required` has a gate of its own.
_FREE: Final[dict[str, tuple[str, ...] | None]] = {
    "deck": (DeckKind.D32.value, DeckKind.D52.value),
    "sign_deadline": None,
    "sign_required": None,
}


@dataclass(frozen=True, slots=True)
class Gates:
    """What a server asks of a ranked table: one of these presets, and whether a call needs a sign."""

    presets: tuple[str, ...] = tuple(PRESETS)
    sign_required: bool = False


class Eligibility(StrEnum):
    """Whether a table is ranked, or the first reason why it is friendly; the sentences live in the catalogues."""

    RANKED = "ranked"
    NO_SEASON = "no_season"
    PRESET = "preset"
    HOUSE_RULES = "house_rules"
    OPTIONS = "options"
    SIGN_NOT_REQUIRED = "sign_not_required"
    SIGN_REQUIRED = "sign_required"
    NO_PARTNERS = "no_partners"
    ROBOTS = "robots"


def eligibility(gates: Gates | None, rules: Rules, *, size: int, robots: int) -> Eligibility:
    """Judges a table of `size` seats, of which robots have taken `robots`. Without gates no season is running."""
    if gates is None:
        return Eligibility.NO_SEASON
    if rules.preset not in gates.presets:
        return Eligibility.PRESET
    if departures := _departures(rules):
        return Eligibility.OPTIONS if departures <= options_taken(rules).keys() else Eligibility.HOUSE_RULES
    if rules.signs.sign_required != gates.sign_required:
        return Eligibility.SIGN_NOT_REQUIRED if gates.sign_required else Eligibility.SIGN_REQUIRED
    if size == 2:  # two players are two teams of one, without a partner to sign to
        return Eligibility.NO_PARTNERS
    return Eligibility.ROBOTS if robots else Eligibility.RANKED


def _departures(rules: Rules) -> set[str]:
    changed = beside_pace(rules)
    return {axis for axis, value in changed.items() if (free := _FREE.get(axis, ())) is not None and value not in free}


@dataclass(frozen=True, slots=True)
class Setup:
    gates: Gates = field(default_factory=Gates)
    schedule: Schedule = field(default_factory=Schedule)
