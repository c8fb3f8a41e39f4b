"""Presses on the settings of a table. The host and members who may manage messages set it up; all others read."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

import discord

from bot.records.card_theme import Theme
from bot.robots.level import RobotLevel
from bot.robots.names import free_name
from bot.tables.directory import TableDirectory
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.absence import Absence
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.ui.admission.rights import may_decide
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press, number_of
from bot.ui.kit.interactions import field_of, reader, say_outdated, show
from bot.ui.lobby.settings_panel import settings_panel
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.messages.presenter import Presenter
from bot.ui.rules.panels import rules_panel
from bot.ui.words.refusals import RefusedError, accepted, lobby_refusal_text, not_yours_text

T = TypeVar("T", Theme, Absence, RobotLevel)

_NOT_OPEN = LobbyRefusal(LobbyCode.NOT_OPEN)


class SettingsPresses:
    """Answers the button that opens the settings, and every press on them but those on the rules."""

    verbs = frozenset[str](
        {
            LobbyVerb.SETTINGS,
            LobbyVerb.TEAMS,
            LobbyVerb.SWAP,
            LobbyVerb.ADD_ROBOT,
            LobbyVerb.REMOVE_ROBOT,
            LobbyVerb.ROBOTS,
            LobbyVerb.FACES,
            LobbyVerb.PROPOSE_VOTE,
            LobbyVerb.NO_VOTE,
            LobbyVerb.ABSENCE,
        }
    )

    def __init__(self, directory: TableDirectory, presenter: Presenter, rng: Random) -> None:
        self._directory = directory
        self._presenter = presenter
        self._rng = rng

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when the change was not saved."""
        texts = reader(interaction)
        lobby = accepted(self._directory.lobby(press.table_id) or LobbyRefusal(LobbyCode.UNKNOWN_TABLE), texts)
        if not may_decide(interaction, lobby):
            if press.verb != LobbyVerb.SETTINGS:
                raise RefusedError(not_yours_text(texts))
            notice = texts.t("Only the host changes these settings. The rules of this table:")
            await show(interaction, rules_panel(lobby.rules, texts, lobby.rule_set, notice))
            return
        if lobby.status is not Status.OPEN:
            raise RefusedError(lobby_refusal_text(_NOT_OPEN, texts))
        if press.verb == LobbyVerb.SETTINGS:
            await show(interaction, settings_panel(lobby, texts))
            return
        change = self._change(press, field_of(interaction, "values"))
        if change is None:
            await say_outdated(interaction)
            return
        update = self._directory.update(
            lobby.id, lambda now: change(now) if may_decide(interaction, now) else LobbyRefusal(LobbyCode.NOT_HOST)
        )
        changed = await or_later(update, late=self._presenter.caught_up)
        if isinstance(changed, LobbyRefusal):
            present = self._directory.lobby(lobby.id) or lobby
            await show(interaction, settings_panel(present, texts, lobby_refusal_text(changed, texts)))
            return
        self._presenter.board(changed).ask()
        await show(interaction, settings_panel(changed, texts))

    def _change(self, press: Press, chosen: object) -> LobbyChange | None:
        """What a press asks for, None for one that the present messages do not carry. `chosen` are a menu's values."""
        values = chosen if isinstance(chosen, list) else []
        match press.verb:
            case LobbyVerb.ADD_ROBOT:
                return self._with_robot
            case LobbyVerb.REMOVE_ROBOT:
                return Lobby.remove_robot
            case LobbyVerb.TEAMS if press.arg in ("random", "chosen"):
                return lambda lobby: lobby.set_random(press.arg == "random")
            case LobbyVerb.SWAP:
                return _swap(values)
            case LobbyVerb.ROBOTS if (level := _one_of(RobotLevel, values)) is not None:
                return lambda lobby: lobby.set_robot_level(level)
            case LobbyVerb.FACES if (theme := _one_of(Theme, values)) is not None:
                return lambda lobby: lobby.set_theme(theme)
            case LobbyVerb.ABSENCE if (absence := _one_of(Absence, values)) is not None:
                return lambda lobby: replace(lobby, absence=absence) if lobby.status is Status.OPEN else _NOT_OPEN
            case LobbyVerb.PROPOSE_VOTE:
                return Lobby.propose_vote
            case LobbyVerb.NO_VOTE:
                return Lobby.withdraw_vote
            case _:
                return None

    def _with_robot(self, lobby: Lobby) -> Lobby | LobbyRefusal:
        taken = [player.name for player in lobby.players if player is not None]
        return lobby.add_robot(free_name(taken, self._rng))


def _swap(values: Sequence[object]) -> LobbyChange | None:
    seats = [number_of(value) for value in values if isinstance(value, str)]
    match seats:
        case [int(one), int(other)]:
            return lambda lobby: lobby.swap(one, other)
        case _:
            return None


def _one_of(kind: type[T], values: Sequence[object]) -> T | None:
    return next((each for each in kind if values == [each.value]), None)
