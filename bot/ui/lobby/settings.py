"""What the host sets before the match: one private message, and the presses on it. Everybody else reads the rules."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final, TypeVar

import discord

from bot.game.cards import Card
from bot.records.card_theme import Theme
from bot.robots.level import RobotLevel
from bot.robots.names import free_name
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.lobby.options import Absence
from bot.tables.lobby.strategy_vote import NO_VOTE
from bot.ui.admission.admission import or_later
from bot.ui.admission.rights import may_decide
from bot.ui.kit import components as c
from bot.ui.kit.components import GREEN
from bot.ui.kit.custom_ids import Press, make_id, number_of
from bot.ui.kit.interactions import field_of, reader, say_outdated, show
from bot.ui.kit.names import label_name
from bot.ui.kit.texts import Texts
from bot.ui.live.presenter import Presenter
from bot.ui.lobby.verbs import SettingsVerb
from bot.ui.rules.panels import rules_panel
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.verbs import DepartureVerb
from bot.ui.table.which_table import find_lobby
from bot.ui.words.card_faces import THEME_NAMES, Faces
from bot.ui.words.refusals import lobby_refusal_text, refused
from bot.ui.words.rule_names import ABSENCE_NAMES, LEVEL_MANNERS, LEVEL_NAMES, lobby_line
from bot.ui.words.table_text import team_mark

T = TypeVar("T", Theme, Absence, RobotLevel)

_SAMPLES: Final = (Card(12, 0), Card(11, 1), Card(10, 2), Card(9, 3))
_NOT_OPEN = LobbyRefusal(LobbyCode.NOT_OPEN)


class SettingsPresses:
    """Answers the button that opens the settings, and every press on them but those on the rules."""

    verbs = frozenset[str](SettingsVerb)

    def __init__(self, presenter: Presenter, rng: Random) -> None:
        self._directory = presenter.directory
        self._presenter = presenter
        self._rng = rng

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        texts = reader(interaction)
        lobby = find_lobby(self._directory, press.table_id, texts)
        if not may_decide(interaction, lobby):
            if press.verb != SettingsVerb.SETTINGS:
                raise refused(LobbyCode.NOT_HOST, texts)
            notice = texts.t("Only the host changes these settings. The rules of this table:")
            await show(interaction, rules_panel(lobby.rules, texts, lobby.rule_set, notice))
            return
        if lobby.status is not Status.OPEN:
            raise refused(LobbyCode.NOT_OPEN, texts)
        if press.verb == SettingsVerb.SETTINGS:
            await show(interaction, settings_panel(lobby, texts))
            return
        change = self._change(press, field_of(interaction, "values"))
        if change is None:
            await say_outdated(interaction)
            return
        update = self._directory.lobbies.update(
            lobby.id, lambda now: change(now) if may_decide(interaction, now) else LobbyRefusal(LobbyCode.NOT_HOST)
        )
        changed = await or_later(update)
        why = lobby_refusal_text(changed, texts) if isinstance(changed, LobbyRefusal) else None
        await show(interaction, settings_panel(self._directory.lobby(lobby.id) or lobby, texts, why))

    def _change(self, press: Press, chosen: object) -> LobbyChange | None:
        """What a press asks for, None for one that the present messages do not carry. `chosen` are a menu's values."""
        values = chosen if isinstance(chosen, list) else []
        match press.verb:
            case SettingsVerb.ADD_ROBOT:
                return self._with_robot
            case SettingsVerb.REMOVE_ROBOT:
                return Lobby.remove_robot
            case SettingsVerb.TEAMS if press.arg in ("random", "chosen"):
                return lambda lobby: lobby.set_random(press.arg == "random")
            case SettingsVerb.SWAP:
                return _swap(values)
            case SettingsVerb.ROBOTS if (level := _one_of(RobotLevel, values)) is not None:
                return lambda lobby: lobby.set_robot_level(level)
            case SettingsVerb.FACES if (theme := _one_of(Theme, values)) is not None:
                return lambda lobby: lobby.set_theme(theme)
            case SettingsVerb.ABSENCE if (absence := _one_of(Absence, values)) is not None:
                return lambda lobby: replace(lobby, absence=absence) if lobby.status is Status.OPEN else _NOT_OPEN
            case SettingsVerb.PROPOSE_VOTE:
                return Lobby.propose_vote
            case SettingsVerb.NO_VOTE:
                return Lobby.withdraw_vote
            case _:
                return None

    def _with_robot(self, lobby: Lobby) -> Lobby | LobbyRefusal:
        return lobby.add_robot(free_name([player.name for player in lobby.players if player is not None], self._rng))


def settings_panel(lobby: Lobby, texts: Texts, notice: str | None = None) -> c.Layout:
    """The settings of an open lobby; `notice` says why the press before changed nothing."""
    t, ids = texts.t, partial(make_id, lobby.id)
    is_drawn, has_vote = lobby.random_teams, lobby.vote != NO_VOTE
    return c.layout(
        c.text(notice, "**⚙️ " + t("Settings of the table") + "**", "-# " + lobby_line(lobby, texts)),
        c.row(
            c.button(t("Rules…"), ids(RulesVerb.RULES), style=c.PRIMARY),
            c.button(t("🤖 Add"), ids(SettingsVerb.ADD_ROBOT), is_enabled=not lobby.is_full),
            c.button(t("🤖 Remove"), ids(SettingsVerb.REMOVE_ROBOT), is_enabled=bool(lobby.robot_seats())),
        ),
        c.row(
            c.button(t("🎲 Teams at random"), ids(SettingsVerb.TEAMS, "random"), is_enabled=not is_drawn),
            c.button(t("🪑 Teams as seated"), ids(SettingsVerb.TEAMS, "chosen"), is_enabled=is_drawn),
        ),
        c.menu(ids(SettingsVerb.SWAP), t("Exchange two seats…"), _seats(lobby, texts), least=2, most=2),
        c.menu(ids(SettingsVerb.ROBOTS), t("How well robots play"), _levels(lobby, texts)),
        c.menu(ids(SettingsVerb.FACES), t("Cards"), _faces(lobby, texts)),
        c.menu(ids(SettingsVerb.ABSENCE), t("When a player is absent"), _absences(lobby, texts)),
        c.row(
            c.button(t("Advanced signs: no"), ids(SettingsVerb.NO_VOTE), is_enabled=has_vote),
            c.button(t("Put them to the vote"), ids(SettingsVerb.PROPOSE_VOTE), is_enabled=not has_vote),
        ),
        c.row(c.button(t("Cancel the table…"), ids(DepartureVerb.ASK_END), style=c.DANGER)),
        colour=GREEN,
    )


def _seats(lobby: Lobby, texts: Texts) -> list[c.Option]:
    names = [texts.t("(free)") if player is None else label_name(player) for player in lobby.players]
    return [c.option(f"{team_mark(seat % lobby.teams)} {name}", str(seat)) for seat, name in enumerate(names)]


def _levels(lobby: Lobby, texts: Texts) -> list[c.Option]:
    t, chosen = texts.t, lobby.robot_level
    named = ((level, t("Robots: {level}", level=t(name))) for level, name in LEVEL_NAMES.items())
    return [c.option(words, it.value, description=t(LEVEL_MANNERS[it]), is_default=it is chosen) for it, words in named]


def _faces(lobby: Lobby, texts: Texts) -> list[c.Option]:
    named = ((theme, texts.t(name), Faces(texts, theme).labels(_SAMPLES)) for theme, name in THEME_NAMES.items())
    return [c.option(name, it.value, description=cards, is_default=it is lobby.theme) for it, name, cards in named]


def _absences(lobby: Lobby, texts: Texts) -> list[c.Option]:
    named = ((it, texts.t("Absent: {what}", what=texts.t(name))) for it, name in ABSENCE_NAMES.items())
    return [c.option(words, it.value, is_default=it is lobby.absence) for it, words in named]


def _swap(values: Sequence[object]) -> LobbyChange | None:
    match [number_of(value) for value in values if isinstance(value, str)]:
        case [int(one), int(other)]:
            return lambda lobby: lobby.swap(one, other)
        case _:
            return None


def _one_of(kind: type[T], values: Sequence[object]) -> T | None:
    return next((each for each in kind if values == [each.value]), None)
