"""Leaving a table, closing it, removing a player: each is confirmed once, then done if nothing has changed."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import discord

from bot.discord.api import components as c
from bot.discord.api.components import confirmation, danger
from bot.discord.api.custom_ids import Press, make_id, read_number
from bot.discord.api.interactions import guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import reply_outdated, reply_panel
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.interactions.admission.press_notes import record_refusal
from bot.discord.interactions.admission.rights import may_decide, may_kick, moderates
from bot.discord.places.members import Members, Membership
from bot.discord.text.names import disambiguate_players, display_name
from bot.discord.text.texts import Texts, mark
from bot.game.value import stamp
from bot.tables.directory import TableDirectory
from bot.tables.hub import ModerationDone
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.seating import Agreed, is_changed, leave
from bot.tables.table_store import DamagedTable
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.verbs import DepartureVerb
from bot.ui.table.which_table import check_may_decide, find_damaged
from bot.ui.words.refusals import lobby_refusal, unwrap


class LeavingPenalty(StrEnum):
    """What leaving, removing or closing costs. A question names it; the answer holds only while it is the same."""

    SEAT = "seat"  # a seat of a lobby, which may be taken again
    TABLE = "table"  # a lobby, which is closed
    ROBOT = "robot"  # a seat of a match, which a robot takes
    LOSS = "loss"  # the same, and the ranked match is lost
    FRIENDLY = "friendly"  # the same, and the ranked match counts for nobody
    MATCH = "match"  # a match, which ends without a result
    MATCH_LOSS = "match_loss"  # the same, and the ranked match is lost for one player
    MATCH_RANKED = "match_ranked"  # the same, and the ranked match counts for nobody
    DAMAGED = "damaged"  # a table that cannot be read


CHARGED: Final = frozenset({LeavingPenalty.LOSS, LeavingPenalty.MATCH_LOSS})
"""The penalties of a player who loses the ranked match by leaving."""
_LEAVING: Final = {
    LeavingPenalty.SEAT: mark("Your seat becomes free. You can join again."),
    LeavingPenalty.TABLE: mark("You are the last one here: the table closes."),
    LeavingPenalty.ROBOT: mark("A robot plays for you; *Step in* brings you back."),
    LeavingPenalty.LOSS: mark("The match is ranked: **you lose it**, whatever its result. A robot takes your seat."),
    LeavingPenalty.MATCH: mark("The match ends without a result."),
    LeavingPenalty.MATCH_LOSS: mark(
        "The match is ranked and ends here: **you lose it**. If your team is behind, the leaders win."
    ),
}
_ENDING: Final = {
    LeavingPenalty.TABLE: mark("The table closes for everybody."),
    LeavingPenalty.MATCH: mark("The match ends without a result, for everybody."),
    LeavingPenalty.MATCH_LOSS: mark(
        "The match is ranked and you play in it: **you lose it**. If your team is behind, the leaders win."
    ),
    LeavingPenalty.MATCH_RANKED: mark("The match is ranked: it ends here and counts for nobody."),
    LeavingPenalty.DAMAGED: mark("The table is damaged: it closes for good."),
}
_REMOVING: Final = {
    LeavingPenalty.SEAT: mark("{name}'s seat becomes free. {name} can join again."),
    LeavingPenalty.TABLE: mark("{name} is the last one there: the table closes."),
    LeavingPenalty.ROBOT: mark("A robot takes {name}'s seat. {name} cannot come back to this match."),
    LeavingPenalty.LOSS: mark(
        "The match is ranked: **{name} loses it**. A robot takes the seat; {name} cannot come back."
    ),
    LeavingPenalty.MATCH: mark("The match ends without a result."),
    LeavingPenalty.FRIENDLY: mark("The match counts for nobody. A robot takes {name}'s seat; {name} cannot come back."),
    LeavingPenalty.MATCH_LOSS: mark(
        "The match is ranked and ends here: **{name} loses it**. If that team is behind, the leaders win."
    ),
    LeavingPenalty.MATCH_RANKED: mark("The match is ranked: it ends here and counts for nobody."),
}


def cost_of_leaving(lobby: Lobby, user_id: int) -> LeavingPenalty | LobbyRefusal:
    """Return the penalty if a player leaves a table or is removed, or why that is not possible."""
    if lobby.status is Status.OPEN:
        left = lobby.leave(user_id)
        is_over = isinstance(left, Lobby) and left.status is not Status.OPEN
        return left if isinstance(left, LobbyRefusal) else LeavingPenalty.TABLE if is_over else LeavingPenalty.SEAT
    if lobby.status is not Status.PLAYING:
        return LobbyRefusal(LobbyCode.MATCH_OVER)
    left = leave(lobby, user_id, robot="")
    if isinstance(left, LobbyRefusal):
        return left
    if left.status is not Status.PLAYING:
        return LeavingPenalty.MATCH_LOSS if lobby.is_ranked else LeavingPenalty.MATCH
    return LeavingPenalty.LOSS if lobby.is_ranked else LeavingPenalty.ROBOT


def costs_of_removing(lobby: Lobby, user_id: int) -> tuple[LeavingPenalty, ...] | LobbyRefusal:
    """Return the possible penalties of removing a player: a ranked match counts for nobody, or that player loses it."""
    cost = cost_of_leaving(lobby, user_id)
    if isinstance(cost, LobbyRefusal):
        return cost
    if cost not in CHARGED:
        return (cost,)
    return (LeavingPenalty.FRIENDLY if cost is LeavingPenalty.LOSS else LeavingPenalty.MATCH_RANKED, cost)


def cost_of_ending(lobby: Lobby, *, has_played: bool) -> LeavingPenalty | LobbyRefusal:
    """Return the penalty for closing a table; `has_played`: the presser has played there."""
    if lobby.status is Status.OPEN:
        return LeavingPenalty.TABLE
    if lobby.status is not Status.PLAYING:
        return LobbyRefusal(LobbyCode.MATCH_OVER)
    if not lobby.is_ranked:
        return LeavingPenalty.MATCH
    return LeavingPenalty.MATCH_LOSS if has_played else LeavingPenalty.MATCH_RANKED


def _question(table_id: int, title: str, costs: Sequence[str], yes: Sequence[c.Button], texts: Texts) -> c.Layout:
    """Return the confirmation of a step that cannot be undone, with a button to go back."""
    stay = c.button(texts.t("No, go back"), make_id(table_id, DepartureVerb.STAY))
    return confirmation(title, costs, *yes, no=stay)


def _answer(line: str) -> c.Layout:
    return c.layout(c.text(line), colour=c.GREY)


def _news(agreed: LeavingPenalty | None, texts: Texts) -> list[str]:
    """Return a line if the table has changed since the presser agreed."""
    if agreed is None:
        return []
    record_refusal("changed")
    return [texts.t("The table has changed in the meantime.")]


def _seat_taken(lobby: Lobby, user_id: int) -> str:
    """Return the stamp of a person's seat; it changes once they have stood up and sat down again."""
    return stamp((user_id, lobby.left.count(user_id)))


def _kick_question(
    lobby: Lobby, user_id: int, name: str, costs: Sequence[LeavingPenalty], news: Sequence[str], texts: Texts
) -> c.Layout:
    """Return the confirmation before a player is removed, with a button for each of the `costs`."""
    t, seat = texts.t, _seat_taken(lobby, user_id)
    labels = [t("Remove")] if len(costs) == 1 else [t("Remove, no loss"), t("Remove, with the loss")]
    lines = [t(_REMOVING[cost], name=name) for cost in costs]
    yes = [
        danger(label, make_id(lobby.id, DepartureVerb.KICK_NOW, f"{user_id}.{cost}.{seat}"))
        for label, cost in zip(labels, costs, strict=True)
    ]
    if len(costs) > 1:
        lines = [f"- **{label}** · {line}" for label, line in zip(labels, lines, strict=True)]
    return _question(lobby.id, t("Remove {name}?", name=name), [*news, *lines], yes, texts)


class Departures:
    """Asks for confirmation, and answers the presses on it. An `agreed` cost is the one that the presser has read."""

    verbs = frozenset[Verb](DepartureVerb)

    def __init__(self, directory: TableDirectory, messages: TableMessages) -> None:
        self._directory = directory
        self._messages = messages

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press.

        Raises:
            StoreError: The change was not saved.
        """
        user_id, kicked_for, seat, *_ = *press.arg.split("."), "", ""
        match press.verb:
            case DepartureVerb.ASK_END:
                await self.end(interaction, press.table_id)
            case DepartureVerb.LEAVE_NOW if press.arg in set(LeavingPenalty):
                await self.leave(interaction, press.table_id, LeavingPenalty(press.arg))
            case DepartureVerb.END_NOW if press.arg in set(LeavingPenalty):
                await self.end(interaction, press.table_id, LeavingPenalty(press.arg))
            case DepartureVerb.KICK_NOW if (
                kicked_for in set(LeavingPenalty) and (kicked := read_number(user_id)) is not None
            ):
                await self.kick(interaction, press.table_id, kicked, LeavingPenalty(kicked_for), seat)
            case DepartureVerb.STAY:
                await reply_panel(interaction, _answer(texts_of(interaction).t("Nothing has changed.")))
            case _:
                await reply_outdated(interaction)

    async def leave(
        self, interaction: discord.Interaction, table_id: int, agreed: LeavingPenalty | None = None
    ) -> None:
        """Let the presser leave a table: a lobby, or a match in which a robot takes over.

        `agreed`: the penalty that the presser has confirmed; for any other, confirmation is asked first.

        Raises:
            RefusedError: The presser does not sit there, or the match is over.
            StoreError: The change was not saved.
        """
        texts, user_id = texts_of(interaction), interaction.user.id
        cost = unwrap(cost_of_leaving(self._lobby(table_id, texts), user_id), texts)
        if cost is not agreed:
            yes = danger(texts.t("Leave"), make_id(table_id, DepartureVerb.LEAVE_NOW, cost))
            costs = [*_news(agreed, texts), texts.t(_LEAVING[cost])]
            await reply_panel(interaction, _question(table_id, texts.t("Leave the table?"), costs, [yes], texts))
            return
        left = await self._stand_up(table_id, user_id, lambda lobby: cost_of_leaving(lobby, user_id) is cost)
        if is_changed(left):
            await self.leave(interaction, table_id, agreed)
            return
        unwrap(left, texts)
        await reply_panel(interaction, _answer(texts.t("You have left the table.")))

    async def kick(
        self,
        interaction: discord.Interaction,
        table_id: int,
        user_id: int,
        agreed: LeavingPenalty | None = None,
        seat: str = "",
    ) -> None:
        """Remove a player from a seat. They may join a lobby again, but not a match.

        Args:
            interaction: The command or the press.
            table_id: The table.
            user_id: The player.
            agreed: The penalty that the presser has confirmed; for any other, confirmation is asked first.
            seat: The stamp of the seat from which the presser wants to remove the player.

        Raises:
            RefusedError: The presser may not remove them, or the player does not sit there.
            StoreError: The change was not saved.
        """  # noqa: DOC501 - `refused` makes one
        texts = texts_of(interaction)
        lobby = self._lobby(table_id, texts)
        table = self._directory.table(table_id)
        is_player = lobby.is_ranked and await self._has_played(table, interaction.user.id)
        if is_player or not may_kick(interaction, lobby):
            raise lobby_refusal(LobbyCode.NOT_NEUTRAL if lobby.is_ranked else LobbyCode.NOT_HOST, texts)
        costs = unwrap(costs_of_removing(lobby, user_id), texts)
        people = disambiguate_players(lobby.players)
        name = next(display_name(player) for player in people if player and player.user_id == user_id)
        if agreed not in costs or seat != _seat_taken(lobby, user_id):
            news = _news(agreed, texts)
            await reply_panel(interaction, _kick_question(lobby, user_id, name, costs, news, texts))
            return

        def is_agreed(lobby: Lobby) -> bool:
            now = costs_of_removing(lobby, user_id)
            return not isinstance(now, LobbyRefusal) and agreed in now and seat == _seat_taken(lobby, user_id)

        if table is None or user_id == interaction.user.id:
            removed = await self._stand_up(table_id, user_id, is_agreed)
        else:
            kicking = self._directory.seating.kick(
                table,
                user_id,
                by_id=interaction.user.id,
                is_moderator=moderates(interaction, lobby),
                is_charged=agreed in CHARGED,
                agreed=is_agreed,
            )
            removed = await continue_when_slow(kicking)
        if is_changed(removed):
            await self.kick(interaction, table_id, user_id, agreed, seat)
            return
        unwrap(removed, texts)
        if user_id != interaction.user.id:
            who = {"by": f"<@{interaction.user.id}>", "name": f"<@{user_id}>", "number": table_id}
            event = ModerationDone(
                guild_id_of(interaction), lambda t: t.t("🚪 {by} removed {name} from table {number}", **who)
            )
            self._directory.publish(event)
        await reply_panel(interaction, _answer(texts.t("{name} has been removed from the table.", name=name)))

    async def end(self, interaction: discord.Interaction, table_id: int, agreed: LeavingPenalty | None = None) -> None:
        """Cancel a lobby, break off a match, or close a damaged table.

        `agreed`: the penalty that the presser has confirmed; for any other, confirmation is asked first.

        Raises:
            RefusedError: The presser may not decide about the table, or the match is over.
            StoreError: The change was not saved.
        """  # noqa: DOC501 - `refused` makes one
        texts = texts_of(interaction)
        damaged = find_damaged(self._directory, interaction, table_id)
        await replace_absent_host(interaction, self._directory, self._messages.members, table_id)
        lobby = damaged or self._lobby(table_id, texts)
        check_may_decide(interaction, lobby)
        table = self._directory.table(table_id)
        if isinstance(lobby, DamagedTable):
            cost = LeavingPenalty.DAMAGED
        else:
            has_played = await self._has_played(table, interaction.user.id)
            cost = unwrap(cost_of_ending(lobby, has_played=has_played), texts)
        if cost is not agreed:
            yes = danger(texts.t("Close the table"), make_id(table_id, DepartureVerb.END_NOW, cost))
            costs = [*_news(agreed, texts), texts.t(_ENDING[cost])]
            await reply_panel(interaction, _question(table_id, texts.t("Close the table?"), costs, [yes], texts))
            return
        if damaged is not None:
            await continue_when_slow(self._give_up(damaged))
        elif table is not None:
            await continue_when_slow(self._directory.seating.end(table, interaction.user.id))
            if table.is_over:  # by a move that nobody knew to be saved
                raise lobby_refusal(LobbyCode.MATCH_OVER, texts)
        else:
            cancel = self._directory.lobbies.update(table_id, lambda now: now.closed(Status.CANCELLED))
            unwrap(await continue_when_slow(cancel), texts)
        await reply_panel(interaction, _answer(texts.t("The table is closed.")))

    async def _has_played(self, table: Table | None, user_id: int) -> bool:
        return table is not None and await continue_when_slow(self._directory.seating.has_played(table, user_id))

    async def _stand_up(self, table_id: int, user_id: int, agreed: Agreed) -> Lobby | LobbyRefusal:
        table = self._directory.table(table_id)
        if table is not None:
            return await continue_when_slow(self._directory.seating.leave(table, user_id, agreed))
        leave = self._directory.lobbies.update(table_id, lambda lobby: lobby.leave(user_id), agreed)
        return await continue_when_slow(leave)

    async def _give_up(self, damaged: DamagedTable) -> None:
        await self._directory.close_damaged(damaged.id)
        self._messages.message(damaged).close(damaged)

    def _lobby(self, table_id: int, texts: Texts) -> Lobby:
        lobby = unwrap(self._directory.lobby(table_id) or LobbyRefusal(LobbyCode.UNKNOWN_TABLE), texts)
        if lobby.status is Status.OVER:
            raise lobby_refusal(LobbyCode.MATCH_OVER, texts)
        return lobby


async def replace_absent_host(
    interaction: discord.Interaction, directory: TableDirectory, members: Members, table_id: int
) -> None:
    """Make the presser the host of their lobby if its host has left the server, is banned or in a timeout.

    A host who has left also loses the seat.

    Raises:
        StoreError: The change was not saved.
    """
    lobby, user_id, guild = directory.lobby(table_id), interaction.user.id, interaction.guild
    if lobby is None or guild is None or lobby.status is not Status.OPEN or lobby.seat_of(user_id) is None:
        return
    host_id = lobby.host_id
    if may_decide(interaction, lobby):
        return
    standing = (await members.look_up(guild.id, (host_id,))).get(host_id, Membership.HERE)
    if standing is not Membership.HERE:
        has_left = standing is Membership.GONE
        hosted = directory.lobbies.update(table_id, lambda now: now.hosted_by(user_id, host_id, has_left=has_left))
        await continue_when_slow(hosted)
