"""What is set before a match, each in one private message: the host's settings, and the secret vote on sign strategies.

A ballot is its reader's alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final

import discord

from bot.game.cards import Card
from bot.game.rules.rules import AXES, PLAYERS
from bot.game.signs import Strategy
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots.level import RobotLevel
from bot.tables.directory import TableDirectory
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.lobby import Absence, Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.lobby.strategy_vote import NO_VOTE
from bot.ui.admission.budgets import Verb
from bot.ui.admission.patience import or_later
from bot.ui.admission.rights import may_decide
from bot.ui.kit import components as c
from bot.ui.kit.components import GREEN
from bot.ui.kit.custom_ids import Press, make_id
from bot.ui.kit.interactions import SentenceError, chosen, reader, say_outdated, show
from bot.ui.kit.names import label_name, people_apart
from bot.ui.kit.setting import OneOf, Setting, controls
from bot.ui.kit.texts import Texts, mark
from bot.ui.live.members import Members
from bot.ui.lobby.lobby_board import closed_panel
from bot.ui.lobby.verbs import LobbyVerb, SettingsVerb
from bot.ui.rules.panels import rules_panel
from bot.ui.rules.rule_settings import lobby_change
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.absent_host import replace_absent_host
from bot.ui.table.verbs import DepartureVerb
from bot.ui.table.which_table import find_lobby
from bot.ui.words.card_faces import Faces
from bot.ui.words.refusals import lobby_refusal_text, refused
from bot.ui.words.rule_names import LEVEL_MANNERS, LEVEL_NAMES, lobby_line
from bot.ui.words.signs import outcome_text, strategy_explained, strategy_name, strategy_names
from bot.ui.words.table_text import team_mark

_SAMPLES: Final = (Card(12, 0), Card(11, 1), Card(10, 2), Card(9, 3))
_SEATS: Final = frozenset(map(str, range(max(AXES[PLAYERS].choices))))
_RANDOM: Final = "random"
_CHOSEN: Final = "chosen"


@dataclass(frozen=True, slots=True)
class Arranged:
    """A lobby that the person `user_id` arranges."""

    lobby: Lobby
    user_id: int


class _RobotLevel(OneOf[Arranged]):
    def changed(self, state: Arranged, value: RobotLevel) -> Arranged:
        return replace(state, lobby=state.lobby.set_robot_level(value))


class _Teams(OneOf[Arranged]):
    """By chance, as people sit, or with whom the presser sits together: that person's seat."""

    def value(self, state: Arranged) -> str:
        return _RANDOM if state.lobby.random_teams else _CHOSEN

    def changed(self, state: Arranged, value: str) -> Arranged | LobbyRefusal:
        if value in (_RANDOM, _CHOSEN):
            return replace(state, lobby=replace(state.lobby, random_teams=value == _RANDOM))
        own = state.lobby.seat_of(state.user_id)
        if own is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        changed = state.lobby.sit_beside(own, int(value))
        return changed if isinstance(changed, LobbyRefusal) else replace(state, lobby=changed)


def _teams(state: Arranged, texts: Texts) -> Mapping[str, str]:
    t, lobby, own = texts.t, state.lobby, state.lobby.seat_of(state.user_id)
    ways = {_RANDOM: t("🎲 Teams: at random"), _CHOSEN: t("🪑 Teams: by seats")}
    if own is not None and lobby.teams < lobby.size:
        people = enumerate(people_apart(lobby.players))
        others = ((seat, player) for seat, player in people if player is not None and seat != own)
        ways |= {str(seat): t("🤝 Next to me: {name}", name=label_name(player)) for seat, player in others}
    return ways


TEAMS: Final = _Teams(name="teams", title=mark("Teams"), options=_teams)
_SETTINGS: Final[Sequence[Setting[Arranged]]] = (
    _RobotLevel(
        name="robots",
        path="lobby.robot_level",
        title=mark("How well robots play"),
        options=lambda _, texts: {
            one: texts.t("Robots: {level}", level=texts.t(name)) for one, name in LEVEL_NAMES.items()
        },
        about_each=lambda _, level, texts: texts.t(LEVEL_MANNERS[level]),
    ),
    OneOf(
        name="faces",
        path="lobby.theme",
        title=mark("Cards"),
        options=lambda _, texts: {one: texts.t(one.words) for one in Theme},
        about_each=lambda _, theme, texts: Faces(texts, theme).labels(_SAMPLES),
    ),
    OneOf(
        name="absence",
        path="lobby.absence",
        title=mark("When a player is absent"),
        options=lambda _, texts: {one: texts.t("Absent: {what}", what=texts.t(one.words)) for one in Absence},
    ),
)
SETTINGS: Final[Mapping[str, Setting[Arranged]]] = {one.name: one for one in (TEAMS, *_SETTINGS)}
"""What the host sets of the table itself, by name; robots, seats and the vote have presses of their own."""


class SettingsPresses:
    """Answers the button that opens the settings, and every press on them but those on the rules."""

    verbs = frozenset[Verb](SettingsVerb)

    def __init__(self, directory: TableDirectory, members: Members, rng: Random) -> None:
        self._directory = directory
        self._members = members
        self._rng = rng

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        texts = reader(interaction)
        await replace_absent_host(interaction, self._directory, self._members, press.table_id)
        lobby = find_lobby(self._directory, press.table_id, texts)
        if not may_decide(interaction, lobby):
            if press.verb != SettingsVerb.SETTINGS:
                raise refused(LobbyCode.NOT_HOST, texts)
            notice = texts.t("Only the host changes these settings. The rules of this table:")
            await show(interaction, rules_panel(lobby.rules, texts, lobby.rule_set, notice))
            return
        if lobby.status is not Status.OPEN:
            await show(interaction, closed_panel(lobby, texts))
            return
        if press.verb == SettingsVerb.SETTINGS:
            await show(interaction, settings_panel(lobby, interaction.user.id, texts))
            return
        try:
            change = self._change(interaction, press, lobby)
        except SentenceError as refusal:
            await show(interaction, settings_panel(lobby, interaction.user.id, texts, str(refusal)))
            return
        if change is None:
            await say_outdated(interaction)
            return
        update = self._directory.lobbies.update(
            lobby.id, lambda now: change(now) if may_decide(interaction, now) else LobbyRefusal(LobbyCode.NOT_HOST)
        )
        changed = await or_later(update)
        why = lobby_refusal_text(changed, texts) if isinstance(changed, LobbyRefusal) else None
        lobby = self._directory.lobby(lobby.id) or lobby
        is_open = lobby.status is Status.OPEN
        user_id = interaction.user.id
        await show(interaction, settings_panel(lobby, user_id, texts, why) if is_open else closed_panel(lobby, texts))

    def _change(self, interaction: discord.Interaction, press: Press, lobby: Lobby) -> LobbyChange | None:
        """What a press asks for, None for one that the present messages do not carry.

        Raises SentenceError for a value that its setting does not take.
        """
        match press.verb, *chosen(interaction):
            case SettingsVerb.SET, *_ if press.arg in SETTINGS:
                setting, state = SETTINGS[press.arg], Arranged(lobby, interaction.user.id)
                return lobby_change(setting, state, setting.read(interaction, state))
            case (SettingsVerb.ADD_ROBOT,):
                return lambda lobby: lobby.join(Player(lobby.robot_name(self._rng)))
            case (SettingsVerb.REMOVE_ROBOT,):
                return Lobby.remove_robot
            case SettingsVerb.SWAP, str(one), str(other) if one in _SEATS and other in _SEATS:
                return lambda lobby: lobby.swap(int(one), int(other))
            case (SettingsVerb.PROPOSE_VOTE,):
                return Lobby.propose_vote
            case (SettingsVerb.NO_VOTE,):
                return Lobby.withdraw_vote
            case _:
                return None


def settings_panel(lobby: Lobby, user_id: int, texts: Texts, notice: str | None = None) -> c.Layout:
    """The settings of an open lobby, for its host or a moderator; `notice` says why the press before changed nothing.

    A press that cannot be done now is answered with the reason.
    """
    t, ids, state = texts.t, partial(make_id, lobby.id), Arranged(lobby, user_id)

    def shown(*settings: Setting[Arranged]) -> list[c.Part]:
        return controls(settings, state, partial(ids, SettingsVerb.SET), texts)

    if lobby.vote == NO_VOTE:
        vote = c.button(t("🗳️ Advanced signs: put to the vote"), ids(SettingsVerb.PROPOSE_VOTE))
    else:
        vote = c.button(t("🗳️ No advanced signs"), ids(SettingsVerb.NO_VOTE))
    return c.layout(
        c.text(notice, "**⚙️ " + t("Settings of the table") + "**", "-# " + lobby_line(lobby, texts)),
        c.row(
            c.button(t("Rules…"), ids(RulesVerb.RULES), style=c.PRIMARY),
            c.button(t("🤖 Add"), ids(SettingsVerb.ADD_ROBOT)),
            c.button(t("🤖 Remove"), ids(SettingsVerb.REMOVE_ROBOT)),
        ),
        *shown(TEAMS),
        c.menu(ids(SettingsVerb.SWAP), t("Exchange two seats…"), _seats(lobby, texts), least=2, most=2),
        *shown(*_SETTINGS),
        c.row(vote, c.button(t("Cancel the table…"), ids(DepartureVerb.ASK_END), style=c.DANGER)),
        colour=GREEN,
    )


def _seats(lobby: Lobby, texts: Texts) -> list[c.Option]:
    names = [texts.t("(free)") if player is None else label_name(player) for player in people_apart(lobby.players)]
    return [c.option(f"{team_mark(seat % lobby.teams)} {name}", str(seat)) for seat, name in enumerate(names)]


class VotePresses:
    """Answers with the presser's own ballot, which the press may have filled in."""

    verbs = frozenset[Verb]({LobbyVerb.VOTE, LobbyVerb.BALLOT, LobbyVerb.BALLOT_NO})

    def __init__(self, directory: TableDirectory) -> None:
        self._directory = directory

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        texts, user_id, notice = reader(interaction), interaction.user.id, None
        if press.verb != LobbyVerb.VOTE:
            names = chosen(interaction)
            if not set(Strategy).issuperset(names):
                await say_outdated(interaction)
                return
            yes = [] if press.verb == LobbyVerb.BALLOT_NO else [*map(Strategy, names)]
            cast = await or_later(self._directory.lobbies.update(press.table_id, lambda now: now.cast(user_id, yes)))
            if isinstance(cast, LobbyRefusal):
                notice = lobby_refusal_text(cast, texts)
        lobby = find_lobby(self._directory, press.table_id, texts, seated=user_id)
        is_open = lobby.status is Status.OPEN
        await show(interaction, vote_panel(lobby, user_id, texts, notice) if is_open else closed_panel(lobby, texts))


def vote_panel(lobby: Lobby, user_id: int, texts: Texts, notice: str | None = None) -> c.Layout:
    """The ballot of one person at the table; once the outcome is known, that instead."""
    t, ids = texts.t, partial(make_id, lobby.id)
    title = "**" + t("Advanced signs") + "**"
    ballot, outcome = lobby.vote.ballot_of(user_id), lobby.vote.outcome
    is_open, yes = outcome is None, ballot or frozenset()
    options = [c.option(strategy_name(each, texts), each.value, is_default=each in yes) for each in lobby.votable]
    return c.layout(
        c.text(
            notice,
            title,
            t("A secret vote before the teams are formed: only what everybody says yes to is allowed."),
            t("Nobody learns who said what. Robots say yes to everything."),
        ),
        c.text(*(strategy_explained(each, texts) for each in lobby.votable)),
        c.text(_standing(ballot, outcome, texts)),
        c.menu(ids(LobbyVerb.BALLOT), t("I say yes to…"), options, least=0, most=len(options), is_enabled=is_open),
        c.row(c.button(t("No to all"), ids(LobbyVerb.BALLOT_NO), is_enabled=is_open)),
        colour=c.PURPLE,
    )


def _standing(ballot: frozenset[Strategy] | None, outcome: frozenset[Strategy] | None, texts: Texts) -> str:
    t = texts.t
    if outcome is not None:
        return "**" + outcome_text(outcome, texts) + "**"
    if ballot is None:
        return t("You have not voted yet: choose what you say yes to.")
    said = strategy_names(ballot, texts)
    yours = t("You said yes to: {strategies}.", strategies=said) if said else t("You said no to all.")
    return yours + " " + t("You may change that until everybody has voted.")
