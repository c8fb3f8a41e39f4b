"""The ephemeral panels of an open lobby and their presses: the host's settings, each player's ballot."""

from functools import partial
from random import Random

import discord

from bot.discord.api import components as c
from bot.discord.api.components import GREEN
from bot.discord.api.custom_ids import Press, make_id
from bot.discord.api.interactions import RefusedError, chosen_values, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import reply_outdated, reply_panel
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.interactions.admission.rights import may_decide
from bot.discord.interactions.setting import controls, custom_ids_for
from bot.discord.places.members import Members
from bot.discord.text.names import disambiguate_players, label_name
from bot.discord.text.texts import Texts
from bot.game.signs import Strategy
from bot.game.value import stamp
from bot.records.player import Player
from bot.tables.directory import TableDirectory
from bot.tables.lobbies import LobbyChange
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.ui.lobby.lobby_board import closed_panel
from bot.ui.lobby.settings import ON_BALLOT, ON_PANEL, TEAMS, LobbyState, change_of
from bot.ui.lobby.verbs import LobbyVerb, SettingsVerb
from bot.ui.rules.panels import rules_panel
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.departures import replace_absent_host
from bot.ui.table.verbs import DepartureVerb
from bot.ui.table.which_table import find_lobby
from bot.ui.words.refusals import lobby_refusal, lobby_refusal_text
from bot.ui.words.rule_names import lobby_line
from bot.ui.words.signs import outcome_text, strategy_explained, strategy_names
from bot.ui.words.table_text import team_mark


class SettingsPresses:
    """Answers the button that opens the settings, and every press in them except those on the rules."""

    verbs = frozenset[Verb](SettingsVerb)

    def __init__(self, directory: TableDirectory, members: Members, rng: Random) -> None:
        self._directory = directory
        self._members = members
        self._rng = rng

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Change a setting and show the settings again; people without the right to change them see only the rules.

        Raises:
            RefusedError: The presser may not decide about this table.
        """  # noqa: DOC501 - `refused` makes one
        texts = texts_of(interaction)
        await replace_absent_host(interaction, self._directory, self._members, press.table_id)
        lobby = find_lobby(self._directory, press.table_id, texts)
        if not may_decide(interaction, lobby):
            if press.verb != SettingsVerb.SETTINGS:
                raise lobby_refusal(LobbyCode.NOT_HOST, texts)
            notice = texts.t("Only the host changes these settings. The rules of this table:")
            await reply_panel(interaction, rules_panel(lobby.rules, texts, lobby.rule_set, notice))
            return
        if lobby.status is not Status.OPEN or press.verb == SettingsVerb.SETTINGS:
            await reply_panel(interaction, settings_panel(lobby, interaction.user.id, texts))
            return
        try:
            change = self._change(interaction, press, lobby)
        except RefusedError as refusal:
            await reply_panel(interaction, settings_panel(lobby, interaction.user.id, texts, str(refusal)))
            return
        if change is None:
            await reply_outdated(interaction)
            return
        update = self._directory.lobbies.update(
            lobby.id, lambda now: change(now) if may_decide(interaction, now) else LobbyRefusal(LobbyCode.NOT_HOST)
        )
        changed = await continue_when_slow(update)
        why = lobby_refusal_text(changed, texts) if isinstance(changed, LobbyRefusal) else None
        lobby = self._directory.lobby(lobby.id) or lobby
        await reply_panel(interaction, settings_panel(lobby, interaction.user.id, texts, why))

    def _change(self, interaction: discord.Interaction, press: Press, lobby: Lobby) -> LobbyChange | None:
        """Return the change of a press; None for one that the current messages do not carry.

        Raises:
            RefusedError: The setting does not take the value.
        """
        match press.verb, *chosen_values(interaction):
            case SettingsVerb.SET, *_:
                return change_of((TEAMS, *ON_PANEL), interaction, press.arg, lobby)
            case (SettingsVerb.ADD_ROBOT,):
                return lambda lobby: lobby.join(Player(lobby.robot_name(self._rng)))
            case (SettingsVerb.REMOVE_ROBOT,):
                return Lobby.remove_robot
            case SettingsVerb.SWAP, str(first), str(other):
                return lambda lobby: _swapped(lobby, first, other)
            case _:
                return None


def settings_panel(lobby: Lobby, user_id: int, texts: Texts, notice: str | None = None) -> c.Layout:
    """Return the settings of a lobby, for its host or a moderator (`user_id`); of a closed one, why it is closed.

    `notice` says why the last press changed nothing. A press that is not possible now is answered with the reason.
    """
    if lobby.status is not Status.OPEN:
        return closed_panel(lobby, texts)
    t, ids, state = texts.t, partial(make_id, lobby.id), LobbyState(lobby, user_id)
    set_ids = custom_ids_for(lobby.id, SettingsVerb.SET)
    cancel = c.button(t("Cancel the table…"), ids(DepartureVerb.ASK_END), style=c.DANGER)
    return c.layout(
        c.text(notice, "**⚙️ " + t("Settings of the table") + "**", "-# " + lobby_line(lobby, texts)),
        c.row(
            c.button(t("Rules…"), ids(RulesVerb.RULES), style=c.PRIMARY),
            c.button(t("🤖 Add"), ids(SettingsVerb.ADD_ROBOT)),
            c.button(t("🤖 Remove"), ids(SettingsVerb.REMOVE_ROBOT)),
        ),
        *controls((TEAMS,), state, set_ids, texts),
        c.menu(ids(SettingsVerb.SWAP), t("Exchange two seats…"), _seats(lobby, texts), least=2, most=2),
        *controls(ON_PANEL, state, set_ids, texts, cancel),
        colour=GREEN,
    )


def _seats(lobby: Lobby, texts: Texts) -> list[c.Option]:
    names = [
        texts.t("(free)") if player is None else label_name(player) for player in disambiguate_players(lobby.players)
    ]
    seats = zip(_seat_values(lobby), names, strict=True)
    return [c.option(f"{team_mark(at % lobby.teams)} {name}", value) for at, (value, name) in enumerate(seats)]


def _seat_values(lobby: Lobby) -> list[str]:
    """Return each seat with the stamp of its player."""
    return [f"{seat}.{stamp(player and (player.user_id, player.name))}" for seat, player in enumerate(lobby.players)]


def _swapped(lobby: Lobby, first: str, other: str) -> Lobby | LobbyRefusal:
    """Return the lobby with two of its `_seat_values` swapped, unless their players have changed."""
    seats = _seat_values(lobby)
    if not {first, other} <= {*seats}:
        return LobbyRefusal(LobbyCode.CHANGED_MEANWHILE)
    return lobby.swap(seats.index(first), seats.index(other))


class VotePresses:
    """Answers with the presser's own ballot, which the press may have filled in."""

    verbs = frozenset[Verb]({LobbyVerb.VOTE, LobbyVerb.BALLOT})

    def __init__(self, directory: TableDirectory) -> None:
        self._directory = directory

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Save the presser's votes, and show their ballot or the outcome."""
        texts, user_id, notice = texts_of(interaction), interaction.user.id, None
        lobby = find_lobby(self._directory, press.table_id, texts, seated=user_id)
        if press.verb == LobbyVerb.BALLOT:
            try:
                change = change_of(ON_BALLOT, interaction, press.arg, lobby)
            except RefusedError as refusal:
                change, notice = None, str(refusal)
            if change is not None:
                cast = await continue_when_slow(self._directory.lobbies.update(lobby.id, change))
                notice = lobby_refusal_text(cast, texts) if isinstance(cast, LobbyRefusal) else None
                lobby = self._directory.lobby(lobby.id) or lobby
        await reply_panel(interaction, vote_panel(lobby, user_id, texts, notice))


def vote_panel(lobby: Lobby, user_id: int, texts: Texts, notice: str | None = None) -> c.Layout:
    """Return the ballot of a person (`user_id`), or the outcome once the vote is over, or why the lobby is closed.

    `notice` says why the last press changed nothing.
    """
    if lobby.status is not Status.OPEN:
        return closed_panel(lobby, texts)
    t, vote = texts.t, lobby.vote
    return c.layout(
        c.text(
            notice,
            "**" + t("Advanced signs") + "**",
            t("A secret vote before the teams are formed: only what everybody says yes to is allowed."),
            t("Nobody learns who said what. Robots say yes to everything."),
        ),
        c.text(*(strategy_explained(each, texts) for each in lobby.votable)),
        c.text(_standing(vote.ballot_of(user_id), vote.outcome, texts)),
        *controls(ON_BALLOT, LobbyState(lobby, user_id), custom_ids_for(lobby.id, LobbyVerb.BALLOT), texts),
        colour=c.PURPLE,
    )


def _standing(ballot: frozenset[Strategy] | None, outcome: frozenset[Strategy] | None, texts: Texts) -> str:
    t = texts.t
    if outcome is not None:
        return "**" + outcome_text(outcome, texts) + "**"
    if ballot is None:
        return t("You have not voted yet: choose what you say yes to.")
    names = strategy_names(ballot, texts)
    yours = t("You said yes to: {strategies}.", strategies=names) if names else t("You said no to all.")
    return yours + " " + t("You may change that until everybody has voted.")
