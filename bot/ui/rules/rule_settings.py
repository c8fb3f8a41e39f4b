"""The rules of a table as settings: a preset, a set of the server, and each axis with its own description."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.discord.api import components as c
from bot.discord.interactions.setting import ChoiceSetting, Setting, TextSetting
from bot.discord.text.names import clean
from bot.discord.text.texts import Texts, mark
from bot.game.rules import house_rules
from bot.game.rules.axis import MOST
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, PLAYERS, Rules
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.refusals import LobbyRefusal
from bot.tables.servers.settings import RuleSet
from bot.ui.words.rule_names import label, preset_about, preset_name, value_words

PRESET: Final = "preset"
SAVED: Final = "saved"
"""The server's saved sets: a setting, and the page that shows it."""
MAX_DESCRIPTION: Final = 100  # Discord's limit for the second line of an option
_MAX_NUMBER: Final = 12


@dataclass(frozen=True, slots=True)
class RulesState:
    """A lobby whose rules are edited.

    - `sets`: the server's rule sets.
    - `preset`, `read`: methods of the `RuleBook`.
    """

    lobby: Lobby
    sets: Sequence[RuleSet] = ()
    preset: Callable[[str], Rules] = house_rules.preset
    read: Callable[[str], Rules] = house_rules.read_rules


def lobby_change(setting: Setting[Any], state: Any, value: object) -> LobbyChange:
    """Return a change that gives a setting this value in the lobby as it will be then, not as it is in `state`."""

    def change(now: Lobby) -> Lobby | LobbyRefusal:
        changed = setting.with_value(replace(state, lobby=now), value)
        return changed if isinstance(changed, Lobby | LobbyRefusal) else changed.lobby

    return change


def _by_rules(lobby: Lobby, rules: Rules, rule_set: str | None = None) -> Lobby | LobbyRefusal:
    """Return the lobby with other rules and a deck that is large enough; with another deck they lose the set's name."""
    fitting = house_rules.with_room(rules, lobby.size)
    return lobby.play_by(fitting, rule_set if fitting == rules else None)


class _Preset(ChoiceSetting[RulesState]):
    def value(self, state: RulesState) -> str:
        return state.lobby.rules.preset

    def with_value(self, state: RulesState, value: str) -> Lobby | LobbyRefusal:
        return _by_rules(state.lobby, state.preset(value))


class _Saved(ChoiceSetting[RulesState]):
    def value(self, state: RulesState) -> str | None:
        return state.lobby.rule_set

    def with_value(self, state: RulesState, value: str) -> Lobby | LobbyRefusal:
        kept = next(rule_set for rule_set in state.sets if rule_set.name == value)
        return _by_rules(state.lobby, state.read(kept.line), kept.name)


class _OfAxis:
    """The value of an axis, as KGN writes it."""

    name: str

    def value(self, state: RulesState) -> str:
        return present(state.lobby, self.name)

    def with_value(self, state: RulesState, value: str) -> Lobby | LobbyRefusal:
        """Return the lobby with an axis changed, and with it all that has no effect any more.

        Raises:
            RulesError: The rules contradict each other.
        """
        lobby = state.lobby
        if self.name == PLAYERS:
            return lobby.resize(int(value))
        rules = house_rules.without_idle_changes(house_rules.override(lobby.rules, {self.name: value}), keep=self.name)
        return lobby if rules == lobby.rules else lobby.play_by(rules)


class _Choice(_OfAxis, ChoiceSetting[RulesState]):
    pass


class _Number(_OfAxis, TextSetting[RulesState]):
    pass


def present(lobby: Lobby, axis: str) -> str:
    """Return the value of an axis at a table, as KGN writes it; for `PLAYERS`, the number of seats."""
    return str(lobby.size) if axis == PLAYERS else house_rules.text(house_rules.value_of(lobby.rules, axis))


def _of_axis(name: str) -> Setting[RulesState]:
    axis = AXES[name]

    def options(_state: RulesState, texts: Texts) -> Mapping[str, str]:
        return {value: value_words(name, value, texts) for value in axis.values}

    if axis.values:
        return _Choice(name=name, title=axis.label, options=options)
    return _Number(
        name=name,
        title=axis.label,
        label=lambda value, texts: texts.t("Change: {value}…", value=value_words(name, value, texts)),
        question=lambda texts: texts.t("From {least} to {most}", least=axis.least, most=MOST),
        parse=lambda written, _texts: written.strip().replace(",", "."),
        most=_MAX_NUMBER,
        style=c.PRIMARY,
    )


SETTINGS: Final[Mapping[str, Setting[RulesState]]] = {
    PRESET: _Preset(
        name=PRESET,
        title=mark("Preset"),
        options=lambda _, texts: {name: preset_name(name, texts) for name in PRESETS},
        about_each=lambda _, name, texts: preset_about(name, texts),
    ),
    SAVED: _Saved(
        name=SAVED,
        title=mark("Saved rules…"),
        options=lambda state, _: {rule_set.name: clean(rule_set.name, house_rules.MAX_NAME) for rule_set in state.sets},
        about_each=lambda state, value, _: next(
            clean(rule_set.line, MAX_DESCRIPTION) for rule_set in state.sets if rule_set.name == value
        ),
    ),
    **{name: _of_axis(name) for name in AXES},
}
"""The settings by name; each axis is one."""


def taken_back(name: str, before: Lobby, after: Lobby, texts: Texts) -> str | None:
    """Return a sentence on the axes that were reset because a change left them without effect; None if none was."""
    if name not in AXES:
        return None
    gone = house_rules.changes(before.rules).keys() - house_rules.changes(after.rules).keys() - {name}
    names = ", ".join(label(axis, texts) for axis in AXES if axis in gone)
    if not names:
        return None
    return texts.t("These have no effect any more, and are as in the preset again: {rules}.", rules=names)
