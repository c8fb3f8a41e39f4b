"""Leaving a table, closing it, removing a player: asked about once, and done only if nothing has changed since."""

import discord

from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.match.table import Table
from bot.tables.table_store import Damaged
from bot.ui.admission.rights import may_kick, moderates
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press, read_number
from bot.ui.kit.interactions import reader, say_outdated, show
from bot.ui.kit.names import display_name
from bot.ui.kit.texts import Texts
from bot.ui.messages.presenter import Presenter
from bot.ui.table.departure_costs import (
    CHARGED,
    Cost,
    answer_panel,
    cost_of_ending,
    cost_of_leaving,
    costs_of_removing,
    end_question,
    kick_question,
    leave_question,
)
from bot.ui.table.verbs import DepartureVerb
from bot.ui.table.which_table import check_may_decide, find_damaged
from bot.ui.words.refusals import RefusedError, accepted, lobby_refusal_text, not_yours_text


class Departures:
    """Asks, and answers the presses on its questions. An `agreed` cost is the one that the presser has read."""

    verbs = frozenset[str](DepartureVerb)

    def __init__(self, directory: TableDirectory, presenter: Presenter) -> None:
        self._directory = directory
        self._presenter = presenter

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when the change was not saved."""
        user_id, _, kicked_for = press.arg.partition(".")
        match press.verb:
            case DepartureVerb.ASK_END:
                await self.end(interaction, press.table_id)
            case DepartureVerb.LEAVE_NOW if press.arg in set(Cost):
                await self.leave(interaction, press.table_id, Cost(press.arg))
            case DepartureVerb.END_NOW if press.arg in set(Cost):
                await self.end(interaction, press.table_id, Cost(press.arg))
            case DepartureVerb.KICK_NOW if kicked_for in set(Cost) and (kicked := read_number(user_id)) is not None:
                await self.kick(interaction, press.table_id, kicked, Cost(kicked_for))
            case DepartureVerb.STAY:
                await show(interaction, answer_panel(reader(interaction).t("Nothing has changed.")))
            case _:
                await say_outdated(interaction)

    async def leave(self, interaction: discord.Interaction, table_id: int, agreed: Cost | None = None) -> None:
        """The presser leaves a table: a lobby, or a match in which a robot plays on."""
        texts, user_id = reader(interaction), interaction.user.id
        cost = accepted(cost_of_leaving(self._lobby(table_id, texts), user_id), texts)
        if cost is not agreed:
            await show(interaction, leave_question(table_id, cost, texts, is_again=agreed is not None))
            return
        accepted(await self._stand_up(table_id, user_id), texts)
        await show(interaction, answer_panel(texts.t("You have left the table.")))

    async def kick(
        self, interaction: discord.Interaction, table_id: int, user_id: int, agreed: Cost | None = None
    ) -> None:
        """A player is removed: they may join a lobby again, but not a match. A ranked match can be theirs to lose."""
        texts = reader(interaction)
        lobby = self._lobby(table_id, texts)
        await self._check_may_kick(interaction, lobby, texts)
        costs = accepted(costs_of_removing(lobby, user_id), texts)
        seat = lobby.seat_of(user_id)
        player = None if seat is None else lobby.players[seat]
        assert player is not None, "they could leave"
        name = display_name(player)
        if agreed not in costs:
            await show(interaction, kick_question(table_id, user_id, name, costs, texts, is_again=agreed is not None))
            return
        table = self._directory.table(table_id)
        if table is None or user_id == interaction.user.id:
            removed = await self._stand_up(table_id, user_id)
        else:
            kicking = self._directory.seating.kick(
                table,
                user_id,
                by_id=interaction.user.id,
                is_moderator=moderates(interaction, lobby),
                is_charged=agreed in CHARGED,
            )
            removed = await or_later(kicking)
        accepted(removed, texts)
        await show(interaction, answer_panel(texts.t("{name} has been removed from the table.", name=name)))

    async def end(self, interaction: discord.Interaction, table_id: int, agreed: Cost | None = None) -> None:
        """A lobby is cancelled, a match broken off, a damaged table closed."""
        texts = reader(interaction)
        damaged = find_damaged(self._directory, interaction, table_id)
        lobby = damaged or self._lobby(table_id, texts)
        check_may_decide(interaction, lobby, texts)
        cost = Cost.DAMAGED if isinstance(lobby, Damaged) else await self._cost_of_ending(lobby, interaction, texts)
        if cost is not agreed:
            await show(interaction, end_question(table_id, cost, texts, is_again=agreed is not None))
            return
        table = self._directory.table(table_id)
        if damaged is not None:
            await or_later(self._give_up(damaged))
        elif table is not None:
            await or_later(self._directory.seating.end(table, interaction.user.id))
            if table.is_over:  # by a move that nobody knew to be saved
                raise RefusedError(lobby_refusal_text(LobbyRefusal(LobbyCode.MATCH_OVER), texts))
        else:
            cancel = self._directory.update(table_id, lambda present: present.cancel())
            self._presenter.closed(accepted(await or_later(cancel, late=self._presenter.caught_up), texts))
        await show(interaction, answer_panel(texts.t("The table is closed.")))

    async def _cost_of_ending(self, lobby: Lobby, interaction: discord.Interaction, texts: Texts) -> Cost:
        has_played = await self._has_played(self._directory.table(lobby.id), interaction.user.id)
        return accepted(cost_of_ending(lobby, has_played=has_played), texts)

    async def _check_may_kick(self, interaction: discord.Interaction, lobby: Lobby, texts: Texts) -> None:
        is_player = lobby.is_ranked and await self._has_played(self._directory.table(lobby.id), interaction.user.id)
        if not is_player and may_kick(interaction, lobby):
            return
        if lobby.is_ranked:
            raise RefusedError(lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_NEUTRAL), texts))
        raise RefusedError(not_yours_text(texts))

    async def _has_played(self, table: Table | None, user_id: int) -> bool:
        return table is not None and await or_later(self._directory.seating.has_played(table, user_id))

    async def _stand_up(self, table_id: int, user_id: int) -> Lobby | LobbyRefusal:
        table = self._directory.table(table_id)
        if table is not None:
            return await or_later(self._directory.seating.leave(table, user_id))
        leave = self._directory.update(table_id, lambda lobby: lobby.leave(user_id))
        left = await or_later(leave, late=self._presenter.caught_up)
        if isinstance(left, Lobby):
            self._presenter.caught_up(left)
        return left

    async def _give_up(self, damaged: Damaged) -> None:
        await self._directory.close_damaged(damaged.id)
        self._presenter.gave_up(damaged)

    def _lobby(self, table_id: int, texts: Texts) -> Lobby:
        lobby = accepted(self._directory.lobby(table_id) or LobbyRefusal(LobbyCode.UNKNOWN_TABLE), texts)
        if lobby.status is Status.OVER:
            raise RefusedError(lobby_refusal_text(LobbyRefusal(LobbyCode.MATCH_OVER), texts))
        return lobby
