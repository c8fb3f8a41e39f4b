"""The rules that people of a server may name: presets, the sets it keeps, and any rules written as one line.

It knows the house rules that every table here has anyway, and leaves them out of what it writes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from bot.game.house_rules import check_rules, override, preset
from bot.game.presets import PRESETS
from bot.game.rules import Rules
from bot.game.rules_line import name_key, read_name, read_rules, write_rules

MAX_SETS: Final = 25
"""So many sets a server may keep: what Discord shows in one menu."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules that a server keeps under a name; `bot.game.rules_line` reads the line."""

    name: str
    line: str


class RuleSetStore(Protocol):
    """What servers keep, each for itself; names are the same in any case. Every method may raise StoreError."""

    async def save(self, guild_id: int, rule_set: RuleSet, *, most: int) -> bool:
        """Keep a set, in place of the one of its name; False where the server keeps `most` others already."""

    async def delete(self, guild_id: int, name: str) -> bool:
        """Forget a set; False where there is none of that name."""

    async def all(self, guild_id: int) -> tuple[RuleSet, ...]:
        """The server's sets in the order of their names."""


class RuleBook:
    """Reads and writes rules for one bot; the sets belong to servers."""

    def __init__(self, sets: RuleSetStore, defaults: Mapping[str, str]) -> None:
        """`defaults` are house rules by axis, for every table that does not say otherwise."""
        self._sets = sets
        self._defaults = dict(defaults)

    def preset(self, name: str) -> Rules:
        """A preset as it is played here. Raises RulesError when there is none of that name."""
        return override(preset(name), self._defaults)

    def read(self, line: str) -> Rules:
        """The rules of a line. Raises RulesError as `read_rules` does."""
        return read_rules(line, self._defaults)

    def write(self, rules: Rules) -> str:
        """The line that is read as these rules here."""
        return write_rules(rules, self._defaults)

    async def find(self, guild_id: int, written: str) -> tuple[Rules, str | None]:
        """The rules that somebody named: a preset, a set of the server, or a line; with the name of the set.

        Raises:
            RulesError: they are none of these, or make no sense.
            StoreError: the sets could not be read.
        """
        wanted = name_key(written)
        if wanted not in PRESETS and "=" not in wanted:
            for kept in await self._sets.all(guild_id):
                if name_key(kept.name) == wanted:
                    return self.read(kept.line), kept.name
        return self.read(written), None

    async def sets(self, guild_id: int) -> tuple[RuleSet, ...]:
        """What the server keeps. Raises StoreError when it could not be read."""
        return await self._sets.all(guild_id)

    async def save(self, guild_id: int, written: str, rules: Rules) -> RuleSet | None:
        """Keep rules under a name, in place of those it named before; None where the server keeps too many.

        Raises:
            RulesError: that is no name for rules, or these make no sense.
            StoreError: they were not saved.
        """
        check_rules(rules)
        rule_set = RuleSet(read_name(written), self.write(rules))
        return rule_set if await self._sets.save(guild_id, rule_set, most=MAX_SETS) else None

    async def delete(self, guild_id: int, name: str) -> bool:
        """Forget a set; False where there is none. Raises StoreError when that was not saved."""
        return await self._sets.delete(guild_id, name)
