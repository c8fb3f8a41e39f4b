"""The settings of a server's ladder."""

from dataclasses import dataclass, field

from bot.ladder.eligibility import Gates
from bot.ladder.seasons import Schedule


@dataclass(frozen=True, slots=True)
class Setup:
    gates: Gates = field(default_factory=Gates)
    schedule: Schedule = field(default_factory=Schedule)
