"""The settings before a match, each an object: on the lobby's message, on the host's panel, on a ballot."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.discord.api import components as c
from bot.discord.interactions.setting import ButtonSetting, ChoiceSetting, MakeCustomId, Setting, Switch, find_setting
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import disambiguate_players, label_name
from bot.discord.text.texts import Texts, mark
from bot.game.cards import Card
from bot.game.rules.house_rules import RulesError, override, preset, value_of, without_idle_changes
from bot.game.rules.rules import AXES, PLAYERS, EndsAt, Rules
from bot.game.signs import Strategy
from bot.records.pictures import Theme
from bot.robots.level import RobotLevel
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.lobby import Absence, Lobby
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.strategy_vote import NO_VOTE
from bot.ui.rules.rule_settings import lobby_change
from bot.ui.words.rule_names import LEVEL_MANNERS, LEVEL_NAMES, length_words
from bot.ui.words.signs import strategy_name

_SAMPLES: Final = (Card(12, 0), Card(11, 1), Card(10, 2), Card(9, 3))
_SHORT: Final = "target=5"
_LENGTHS: Final = (_SHORT, "target=10", "rounds=8")
_RANDOM: Final = "random"
_CHOSEN: Final = "chosen"


@dataclass(frozen=True, slots=True)
class LobbyState:
    """A lobby that the person `user_id` sets up, or votes in."""

    lobby: Lobby
    user_id: int = 0


class _Players(ChoiceSetting[LobbyState]):
    def with_value(self, state: LobbyState, value: int) -> Lobby | LobbyRefusal:
        return state.lobby.resize(value)


def _sizes(state: LobbyState, texts: Texts) -> Mapping[int, str]:
    """Return the numbers of players that can form teams."""
    sizes = {}
    for count in AXES[PLAYERS].choices:
        with suppress(RulesError):
            state.lobby.resize(count)
            sizes[count] = texts.t("Players: {count}", count=count)
    return sizes


class _Length(ChoiceSetting[LobbyState]):
    """The length of a match, such as `target=5`."""

    def value(self, state: LobbyState) -> str:
        return length_of(state.lobby.rules)

    def with_value(self, state: LobbyState, value: str) -> Lobby | LobbyRefusal:
        ends_at, _, count = value.partition("=")
        rules = without_idle_changes(override(state.lobby.rules, {"ends_at": ends_at, ends_at: count}))
        return state.lobby if rules == state.lobby.rules else state.lobby.play_by(rules)


def length_of(rules: Rules) -> str:
    """Return the length of a match as the value of its setting, such as `target=5`."""
    return f"{rules.end.ends_at}={value_of(rules, rules.end.ends_at)}"


def _lengths(state: LobbyState, texts: Texts) -> Mapping[str, str]:
    """Return a few lengths, that of the preset, and the current one."""
    rules = state.lobby.rules
    return {
        length: _length_words(length, texts)
        for length in (*_LENGTHS, length_of(preset(rules.preset)), length_of(rules))
    }


def _length_words(length: str, texts: Texts) -> str:
    ends_at, _, count = length.partition("=")
    words = length_words(EndsAt(ends_at), int(count), texts)
    if length == _SHORT:
        return texts.t("Length: short, {length}", length=words)
    return texts.t("Length: {length}", length=words)


class _RobotLevel(ChoiceSetting[LobbyState]):
    def with_value(self, state: LobbyState, value: RobotLevel) -> Lobby:
        return state.lobby.set_robot_level(value)


class _Teams(ChoiceSetting[LobbyState]):
    """Whether teams are drawn or stay as seated; a seat number makes its player the presser's partner."""

    def value(self, state: LobbyState) -> str:
        return _RANDOM if state.lobby.has_random_teams else _CHOSEN

    def with_value(self, state: LobbyState, value: str) -> Lobby | LobbyRefusal:
        if value in (_RANDOM, _CHOSEN):
            return replace(state.lobby, has_random_teams=value == _RANDOM)
        own = state.lobby.seat_of(state.user_id)
        if own is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        return state.lobby.sit_beside(own, int(value))


def _teams(state: LobbyState, texts: Texts) -> Mapping[str, str]:
    t, lobby, own = texts.t, state.lobby, state.lobby.seat_of(state.user_id)
    ways = {_RANDOM: t("🎲 Teams: at random"), _CHOSEN: t("🪑 Teams: by seats")}
    if own is not None and lobby.teams < lobby.size:
        people = enumerate(disambiguate_players(lobby.players))
        others = ((seat, player) for seat, player in people if player is not None and seat != own)
        ways |= {str(seat): t("🤝 With me: {name}", name=label_name(player)) for seat, player in others}
    return ways


class _Vote(Switch[LobbyState]):
    """Whether the players vote in secret on advanced signs."""

    def value(self, state: LobbyState) -> bool:
        return state.lobby.vote != NO_VOTE

    def with_value(self, state: LobbyState, value: bool) -> Lobby | LobbyRefusal:
        return state.lobby.propose_vote() if value else state.lobby.withdraw_vote()


def _is_running(state: LobbyState) -> bool:
    return state.lobby.vote.outcome is None


class _Ballot(ChoiceSetting[LobbyState]):
    """The strategies that the presser votes for."""

    def value(self, state: LobbyState) -> frozenset[Strategy]:
        return state.lobby.vote.ballot_of(state.user_id) or frozenset()

    def with_value(self, state: LobbyState, value: Sequence[Strategy]) -> Lobby | LobbyRefusal:
        return state.lobby.cast(state.user_id, value)


class _NoToAll(ButtonSetting[LobbyState]):
    """An empty ballot, which Discord's menu cannot send before something was chosen in it."""

    def button(self, state: LobbyState, ids: MakeCustomId, texts: Texts) -> c.Button:
        return c.button(texts.t(self.title), ids(self.name))

    def with_value(self, state: LobbyState, value: Sequence[Strategy]) -> Lobby | LobbyRefusal:
        return BALLOT.with_value(state, value)

    def read(self, interaction: discord.Interaction, state: LobbyState, argument: str = "") -> Sequence[Strategy]:
        return ()


ON_BOARD: Final[Sequence[Setting[LobbyState]]] = (
    _Players(name="players", path="lobby.size", title=mark("Number of players"), options=_sizes),
    _Length(name="length", title=mark("Length"), options=_lengths),
)
"""The host's settings on the lobby's message."""
TEAMS: Final = _Teams(name="teams", title=mark("Teams"), options=_teams)
ON_PANEL: Final[Sequence[Setting[LobbyState]]] = (
    _RobotLevel(
        name="robots",
        path="lobby.robot_level",
        title=mark("How well robots play"),
        options=lambda _, texts: {
            robot_level: texts.t("Robots: {level}", level=texts.t(name)) for robot_level, name in LEVEL_NAMES.items()
        },
        about_each=lambda _, level, texts: texts.t(LEVEL_MANNERS[level]),
    ),
    ChoiceSetting(
        name="faces",
        path="lobby.theme",
        title=mark("Cards"),
        options=lambda _, texts: {theme: texts.t(theme.words) for theme in Theme},
        about_each=lambda _, theme, texts: Faces(texts, theme).labels(_SAMPLES),
    ),
    ChoiceSetting(
        name="absence",
        path="lobby.absence",
        title=mark("When a player is absent"),
        options=lambda _, texts: {
            absence: texts.t("Absent: {what}", what=texts.t(absence.words)) for absence in Absence
        },
    ),
    _Vote(name="vote", on=mark("🗳️ No advanced signs"), off=mark("🗳️ Advanced signs: put to the vote")),
)
"""The host's settings on their own panel, below the seats; robots and seats have presses of their own."""
BALLOT: Final = _Ballot(
    name="yes",
    title=mark("I say yes to…"),
    options=lambda state, texts: {strategy: strategy_name(strategy, texts) for strategy in state.lobby.votable},
    is_many=True,
    is_offered=_is_running,
)
ON_BALLOT: Final[Sequence[Setting[LobbyState]]] = (
    BALLOT,
    _NoToAll(name="no", title=mark("No to all"), is_offered=_is_running),
)


def change_of(
    settings: Sequence[Setting[LobbyState]], interaction: discord.Interaction, arg: str, lobby: Lobby
) -> LobbyChange | None:
    """Return the change that a press with the argument `arg` makes; None if it is about none of these settings.

    Raises:
        RefusedError: The setting does not take the value.
    """
    setting, argument = find_setting(settings, arg)
    state = LobbyState(lobby, interaction.user.id)
    return None if setting is None else lobby_change(setting, state, setting.read(interaction, state, argument))
