"""The rules that members of a server may name: presets, the server's rule sets, and rules written as one line.

It knows the house rules of the bot's settings, which hold at every table, and leaves them out of the lines it writes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from bot.game.rules.house_rules import check_rules, name_key, override, preset, read_name, read_rules, write_rules
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import Rules

MAX_SETS: Final = 25
"""How many rule sets a server may keep: as many as Discord shows in one menu."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules that a server keeps under a name, as a line of `bot.game.rules.house_rules`."""

    name: str
    line: str


class RuleSetStore(Protocol):
    """The rule sets of each server. Upper and lower case make no other name. Every method may raise StoreError."""

    async def save(self, guild_id: int, rule_set: RuleSet, *, most: int) -> bool:
        """Save a set, in place of one of the same name; False if the server has `most` others already."""

    async def delete(self, guild_id: int, name: str) -> bool:
        """Delete a set; False if there is no set of that name."""

    async def all(self, guild_id: int) -> tuple[RuleSet, ...]:
        """The server's sets by name."""


class RuleBook:
    """Reads and writes rules for one bot; the sets belong to servers. Saving and finding may raise StoreError."""

    def __init__(self, sets: RuleSetStore, defaults: Mapping[str, str]) -> None:
        """`defaults`: house rules by axis, which hold unless a table says otherwise."""
        self._sets = sets
        self._defaults = dict(defaults)
        self.sets: Final = sets.all
        self.delete: Final = sets.delete

    def preset(self, name: str) -> Rules:
        """A preset with the default house rules. Raises RulesError when there is no preset of that name."""
        return override(preset(name), self._defaults)

    def read(self, line: str) -> Rules:
        """The rules of a line. Raises RulesError as `read_rules` does."""
        return read_rules(line, self._defaults)

    def write(self, rules: Rules) -> str:
        """The line that `read` reads as these rules."""
        return write_rules(rules, self._defaults)

    async def find(self, guild_id: int, written: str) -> tuple[Rules, str | None]:
        """The rules that a user has written: a preset, a set of the server, or a line; with the name of the set.

        Raises RulesError when the text is not one of these, or the rules contradict each other.
        """
        wanted = name_key(written)
        if wanted not in PRESETS and "=" not in wanted:
            for kept in await self.sets(guild_id):
                if name_key(kept.name) == wanted:
                    return self.read(kept.line), kept.name
        return self.read(written), None

    async def save(self, guild_id: int, written: str, rules: Rules) -> RuleSet | None:
        """Save rules under a name, in place of its former rules; None if the server has too many sets.

        Raises RulesError when the name cannot be used, or the rules contradict each other.
        """
        check_rules(rules)
        rule_set = RuleSet(read_name(written), self.write(rules))
        return rule_set if await self._sets.save(guild_id, rule_set, most=MAX_SETS) else None
