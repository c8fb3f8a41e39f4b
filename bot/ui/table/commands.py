"""The commands about a table's people and its clock, from any channel of its server.

`/kems leave` and `substitute` are everybody's; `kick`, `absent`, `pause`, `resume` and `end` are for the host and for
moderators. Each answers with one private line; what happened is seen on the table's message.
"""

from collections.abc import Callable
from dataclasses import replace

import discord
from discord.app_commands import Choice

from bot.tables.absence import Absence
from bot.tables.directory import TableDirectory
from bot.tables.lobby import Lobby, LobbyCode, LobbyRefusal
from bot.tables.match_people import open_seat, open_seats
from bot.tables.table import Table
from bot.tables.table_actions import Answer, Pause, Refused, Resume
from bot.tables.table_store import Damaged
from bot.ui.admission.time_limit import in_time, or_later
from bot.ui.feature import CommandSet, command
from bot.ui.kit.interactions import reader, say
from bot.ui.kit.names import called
from bot.ui.kit.texts import Texts, mark
from bot.ui.messages.presenter import Presenter
from bot.ui.table.people_buttons import ABSENCES
from bot.ui.table.people_presses import may_not_resume, step_in
from bot.ui.table.which_table import find_damaged, find_table, may_decide, offer_tables, offer_tables_to_close
from bot.ui.words.refusals import lobby_refusal_text, refusal_text

_NOT_YOURS = LobbyRefusal(LobbyCode.NOT_HOST)
_NUMBER = (mark("table"), mark("Which table (the one here)"))


class TableCommands(CommandSet):
    """`/kems pause`, `resume`, `leave`, `kick`, `substitute`, `absent` and `end`."""

    def __init__(self, directory: TableDirectory, presenter: Presenter) -> None:
        super().__init__()
        self._directory = directory
        self._presenter = presenter

    @command(mark("pause"), mark("Stop the clock of a match"), options={"number": _NUMBER})
    async def pause(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """Nothing can be done at the table until it is resumed."""
        texts = reader(interaction)
        table = await self._match(interaction, number, texts)
        if table is not None:
            outcome = await in_time(table.submit(Pause(), press_id=interaction.id))
            await _say_done(interaction, outcome, texts.t("The match is paused: `/kems resume` goes on."), texts)

    @command(mark("resume"), mark("Go on with a paused match"), options={"number": _NUMBER})
    async def resume(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """The clock runs again."""
        texts = reader(interaction)
        lobby = find_table(self._directory, interaction, number, texts)
        table = self._directory.table(lobby.id)
        if table is None:
            await self._match(interaction, lobby.id, texts)
            return
        told = may_not_resume(interaction, table, texts) or await self._presenter.still_unseen(table, texts)
        if told is not None:
            await say(interaction, told)
            return
        outcome = await in_time(table.submit(Resume(), press_id=interaction.id))
        await _say_done(interaction, outcome, texts.t("The match goes on."), texts)

    @command(mark("leave"), mark("Leave a table"), options={"number": _NUMBER})
    async def leave(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """Stand up; in a running match a robot plays on, and the match counts as lost for the player who left."""
        texts = reader(interaction)
        lobby = find_table(self._directory, interaction, number, texts)
        left = await self._stand_up(lobby.id, lambda _present: interaction.user.id, by=interaction.user.id)
        await _say_outcome(interaction, left, texts.t("You have left the table."), texts)

    @command(
        mark("kick"),
        mark("Send somebody away from a table"),
        options={"member": (mark("member"), mark("Who shall stand up")), "number": _NUMBER},
    )
    async def kick(self, interaction: discord.Interaction, member: discord.User, number: int | None = None) -> None:
        """Free somebody's seat in a lobby, where they may join again; in a running match a robot takes it."""
        texts, name = reader(interaction), called(member.display_name)
        lobby = find_table(self._directory, interaction, number, texts)
        left = await self._stand_up(
            lobby.id, lambda present: member.id if may_decide(interaction, present) else None, by=interaction.user.id
        )
        if isinstance(left, LobbyRefusal) and left.code is LobbyCode.NOT_SEATED:
            await say(interaction, texts.t("{name} does not sit at this table.", name=name))
        else:
            await _say_outcome(interaction, left, texts.t("{name} has left the table.", name=name), texts)

    @command(
        mark("substitute"),
        mark("Step in at a match, or let somebody do so"),
        options={"member": (mark("member"), mark("Whose seat is opened (none: you step in)")), "number": _NUMBER},
    )
    async def substitute(
        self, interaction: discord.Interaction, member: discord.User | None = None, number: int | None = None
    ) -> None:
        """Take an open seat; or, as the host, open the seat of a missed player."""
        texts = reader(interaction)
        lobby = find_table(self._directory, interaction, number, texts)
        table = self._directory.table(lobby.id)
        if table is None:
            await say(interaction, lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_BEGUN), texts))
        elif member is None:
            await step_in(interaction, table, open_seat(lobby), self._presenter)
        else:
            await self._open_seat(interaction, table, member, texts)

    @command(
        mark("absent"),
        mark("What happens when a player does not come"),
        choices={"choice": ABSENCES},
        options={"choice": (mark("then"), mark("What happens then")), "number": _NUMBER},
    )
    async def absent(self, interaction: discord.Interaction, choice: str, number: int | None = None) -> None:
        """Choose for a table, before or during its match."""
        texts = reader(interaction)
        lobby = find_table(self._directory, interaction, number, texts)

        def chosen(present: Lobby) -> Lobby | LobbyRefusal:
            if not may_decide(interaction, present):
                return _NOT_YOURS
            return replace(present, absence=Absence(choice))

        table = self._directory.table(lobby.id)
        if table is None:
            outcome = await or_later(self._directory.update(lobby.id, chosen), late=self._presenter.caught_up)
        else:
            outcome = await or_later(self._directory.seating.change(table, chosen))
        await _say_outcome(interaction, outcome, texts.t("Noted for this table."), texts)

    @command(mark("end"), mark("Close a table"), options={"number": _NUMBER})
    async def end(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """Cancel a lobby or break off a match."""
        await self._end(interaction, number)

    @leave.autocomplete("number")
    @kick.autocomplete("number")
    @substitute.autocomplete("number")
    @absent.autocomplete("number")
    @pause.autocomplete("number")
    @resume.autocomplete("number")
    async def offer(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """The tables that somebody may mean."""
        return offer_tables(self._directory, interaction, current)

    @end.autocomplete("number")
    async def offer_to_close(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Those, and the damaged ones."""
        return offer_tables_to_close(self._directory, interaction, current, reader(interaction))

    async def _stand_up(self, table_id: int, who: Callable[[Lobby], int | None], *, by: int) -> Lobby | LobbyRefusal:
        """Somebody stands up in a lobby or leaves a match; nobody, where the presser may not decide that."""
        table = self._directory.table(table_id)
        if table is not None:
            user_id = who(table.lobby)
            if user_id is None:
                return _NOT_YOURS
            return await or_later(self._directory.seating.leave(table, user_id, is_sent_away=user_id != by))

        def leave(present: Lobby) -> Lobby | LobbyRefusal:
            user_id = who(present)
            return _NOT_YOURS if user_id is None else present.leave(user_id)

        left = await or_later(self._directory.update(table_id, leave), late=self._presenter.caught_up)
        if isinstance(left, Lobby):
            self._presenter.closed(left)
            self._presenter.board(left).ask()
        return left

    async def _open_seat(
        self, interaction: discord.Interaction, table: Table, member: discord.User, texts: Texts
    ) -> None:
        name = called(member.display_name)

        def opened(present: Lobby) -> Lobby | LobbyRefusal:
            seat = present.seat_of(member.id)
            if not may_decide(interaction, present):
                return _NOT_YOURS
            return LobbyRefusal(LobbyCode.NOT_SEATED) if seat is None else open_seats(present, [seat])

        outcome = await or_later(self._directory.seating.change(table, opened))
        if isinstance(outcome, LobbyRefusal) and outcome.code is LobbyCode.NOT_SEATED:
            await say(interaction, texts.t("{name} does not sit at this table.", name=name))
        else:
            line = texts.t("{name}'s seat is open: press “Step in” on the table to take it.", name=name)
            await _say_outcome(interaction, outcome, line, texts)

    async def _end(self, interaction: discord.Interaction, number: int | None) -> None:
        texts = reader(interaction)
        damaged = find_damaged(self._directory, interaction, number)
        lobby = damaged or find_table(self._directory, interaction, number, texts)
        if not may_decide(interaction, lobby):
            await say(interaction, _not_yours(texts))
            return
        if damaged is not None:
            await or_later(self._give_up(damaged))
            await say(interaction, texts.t("The table is closed."))
            return
        table = self._directory.table(lobby.id)
        if table is not None:
            has_left = await or_later(self._directory.seating.end(table, interaction.user.id))
            await say(interaction, _ended_text(table.lobby, has_left, texts))
        else:
            closed = await or_later(
                self._directory.update(lobby.id, lambda present: present.cancel(present.host_id)),
                late=self._presenter.caught_up,
            )
            if isinstance(closed, Lobby):
                self._presenter.closed(closed)
            await _say_outcome(interaction, closed, texts.t("The table is closed."), texts)

    async def _give_up(self, damaged: Damaged) -> None:
        await self._directory.close_damaged(damaged.id)
        self._presenter.gave_up(damaged)

    async def _match(self, interaction: discord.Interaction, number: int | None, texts: Texts) -> Table | None:
        """The match that a command is about, if the presser may decide about it; else that is the answer.

        Raises:
            NoTableError: there is no such table, or there are several.
        """
        lobby = find_table(self._directory, interaction, number, texts)
        table = self._directory.table(lobby.id)
        if not may_decide(interaction, lobby):
            await say(interaction, _not_yours(texts))
        elif table is None:
            await say(interaction, lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_BEGUN), texts))
        else:
            return table
        return None


async def _say_done(interaction: discord.Interaction, outcome: Answer, line: str, texts: Texts) -> None:
    await say(interaction, refusal_text(outcome.code, texts) if isinstance(outcome, Refused) else line)


async def _say_outcome(
    interaction: discord.Interaction, outcome: Lobby | LobbyRefusal, line: str, texts: Texts
) -> None:
    if not isinstance(outcome, LobbyRefusal):
        await say(interaction, line)
    elif outcome.code is LobbyCode.NOT_HOST:
        await say(interaction, _not_yours(texts))
    else:
        await say(interaction, lobby_refusal_text(outcome, texts))


def _ended_text(lobby: Lobby, has_left: bool, texts: Texts) -> str:
    if not lobby.is_ranked:
        return texts.t("The table is closed.")
    if has_left:
        return texts.t("The table is closed. The match was ranked, and you played in it: it is lost for you.")
    return texts.t("The table is closed. The match was ranked: it counts for nobody.")


def _not_yours(texts: Texts) -> str:
    return texts.t("Only the host, or a member who may manage messages, can do that.")
