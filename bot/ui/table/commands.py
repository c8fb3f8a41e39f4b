"""The commands for tables, usable in any channel of the server.

`/kems table kick`, `absent`, `pause`, `resume` and `end` are for the host and for moderators; all others for players.
"""

from dataclasses import dataclass, replace

import discord
from discord.app_commands import Choice, Range, locale_str

from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.api.patience import cancel_when_slow, continue_when_slow
from bot.discord.api.responses import reply
from bot.discord.interactions.admission.allowances import FREE
from bot.discord.interactions.admission.press_notes import record_refusal
from bot.discord.interactions.admission.rights import may_decide, moderates
from bot.discord.interactions.feature import CommandSet, command
from bot.discord.text.names import escaped_name
from bot.discord.text.texts import Texts, mark
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Absence, Lobby
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.match.table_actions import Pause, Refused, Resume
from bot.tables.seating import open_seat
from bot.ui.table import which_table
from bot.ui.table.departures import Departures
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.pages.panel_state import PanelPage
from bot.ui.table.presses import check_may_resume, step_in
from bot.ui.words.refusals import lobby_refusal_text, refusal_text, sign_refusal, unwrap
from bot.ui.words.signs import read_gesture, shown_gesture

_NOT_YOURS = LobbyRefusal(LobbyCode.NOT_HOST)
_NUMBER = (mark("number"), mark("Which table (the one here)"))
ABSENCES = [Choice(name=locale_str(each.words), value=each.value) for each in Absence]
"""The options for a player who does not come, as a command offers them."""


@dataclass(eq=False, repr=False)
class TableCommands(CommandSet):
    """`/kems sign`, `hand`, `leave`, and `/kems table` except `move`."""

    _directory: TableDirectory
    _messages: TableMessages
    _departures: Departures

    @command(
        "sign",
        mark("Make a gesture in the open"),
        allowance=FREE,
        options={"text": (mark("gesture"), mark("Emojis, or words where signs may be spoken"))},
    )
    async def sign(self, interaction: discord.Interaction, text: Range[str, 1, 120]) -> None:
        """Make a gesture at the presser's table, visible to all.

        Raises:
            SignTextError: The text is no gesture.
            RefusedError: The presser plays no match, or the gesture is not possible now.
        """
        texts = texts_of(interaction)
        table, seat = await self._own_seat(interaction, texts)
        gesture = read_gesture(text, table.seat_view(seat), texts, table.lobby.players)
        outcome = await cancel_when_slow(table.submit(gesture, press_id=interaction.id))
        if isinstance(outcome, Refused):
            record_refusal(outcome.code)
            sentence = sign_refusal(outcome.code, gesture, table.seat_view(seat), texts)
            raise RefusedError(
                sentence or self._messages.outage_line(table.id, texts) or refusal_text(outcome.code, texts)
            )
        gesture_text = shown_gesture(gesture.kind, gesture.text)
        await reply(interaction, texts.t("{gesture} — everybody at the table can see it.", gesture=gesture_text))

    @command("hand", mark("Open your hand again"), allowance=FREE)
    async def hand(self, interaction: discord.Interaction) -> None:
        """Open the presser's hand panel."""
        texts = texts_of(interaction)
        table, seat = await self._own_seat(interaction, texts)
        await self._messages.panels.answer(interaction, table, seat, texts, PanelPage.HAND)

    @command("pause", mark("Pause a match"), allowance=FREE, options={"number": _NUMBER})
    async def pause(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """Pause a match.

        Raises:
            RefusedError: The presser may not decide about it, or it cannot be paused now.
        """
        texts = texts_of(interaction)
        lobby = which_table.find_table(self._directory, interaction, number)
        which_table.check_may_decide(interaction, lobby)
        table = self._match(lobby, texts)
        pause = Pause(at_any_time=lobby.seat_of(interaction.user.id) is None)
        outcome = await cancel_when_slow(table.submit(pause, press_id=interaction.id))
        if isinstance(outcome, Refused):
            raise RefusedError(refusal_text(outcome.code, texts, next_pause_at=table.next_pause_at))
        await reply(interaction, texts.t("The match is paused: {/resume} goes on."))

    @command("resume", mark("Go on with a paused match"), allowance=FREE, options={"number": _NUMBER})
    async def resume(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """Resume a paused match.

        Raises:
            RefusedError: The presser may not resume it, or Discord cannot show it.
        """
        texts = texts_of(interaction)
        lobby = which_table.find_table(self._directory, interaction, number)
        if self._directory.table(lobby.id) is None:
            which_table.check_may_decide(interaction, lobby)
        table = self._match(lobby, texts)
        await check_may_resume(interaction, table, self._messages)
        outcome = await cancel_when_slow(table.submit(Resume(), press_id=interaction.id))
        if isinstance(outcome, Refused):
            raise RefusedError(refusal_text(outcome.code, texts))
        await reply(interaction, texts.t("The match goes on."))

    @command("leave", mark("Leave a table"), allowance=FREE, options={"number": _NUMBER})
    async def leave(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """Ask the presser to confirm that they leave a table."""
        lobby = which_table.find_table(self._directory, interaction, number)
        await self._departures.leave(interaction, lobby.id)

    @command(
        "kick",
        mark("Remove a player from a table"),
        allowance=FREE,
        options={"member": (mark("member"), mark("Player to remove")), "number": _NUMBER},
    )
    async def kick(self, interaction: discord.Interaction, member: discord.User, number: int | None = None) -> None:
        """Ask the presser to confirm that a player is removed.

        Raises:
            RefusedError: The player is not at that table, or the presser may not remove them.
        """
        texts = texts_of(interaction)
        lobby = which_table.find_table(self._directory, interaction, number)
        if lobby.seat_of(member.id) is None:
            raise RefusedError(texts.t("{name} is not at this table.", name=escaped_name(member.display_name)))
        await self._departures.kick(interaction, lobby.id, member.id)

    @command(
        "substitute",
        mark("Step in for somebody in a match, or let somebody step in"),
        allowance=FREE,
        options={"member": (mark("member"), mark("Whose seat to open (none: you step in)")), "number": _NUMBER},
    )
    async def substitute(
        self, interaction: discord.Interaction, member: discord.User | None = None, number: int | None = None
    ) -> None:
        """Take an open seat; or, as the host, open the seat of a missing player."""
        texts = texts_of(interaction)
        lobby = which_table.find_table(self._directory, interaction, number)
        table = self._match(lobby, texts)
        if member is None:
            await step_in(interaction, table, open_seat(lobby), self._directory.seating, self._messages.panels)
            return
        which_table.check_may_decide(interaction, lobby)
        opening = self._directory.seating.open_seat_of(
            table, member.id, by_id=interaction.user.id, is_moderator=moderates(interaction, lobby)
        )
        outcome, name = await continue_when_slow(opening), escaped_name(member.display_name)
        line = texts.t("{name}'s seat is open: press “Step in” on the table to take it.", name=name)
        await _say_outcome(interaction, outcome, line, texts, name)

    @command(
        "absent",
        mark("What happens when a player does not come"),
        allowance=FREE,
        choices={"choice": ABSENCES},
        options={"choice": (mark("then"), mark("What happens then")), "number": _NUMBER},
    )
    async def absent(self, interaction: discord.Interaction, choice: str, number: int | None = None) -> None:
        """Choose what happens at a table when a player does not come."""
        texts = texts_of(interaction)
        lobby = which_table.find_table(self._directory, interaction, number)

        def chosen(present: Lobby) -> Lobby | LobbyRefusal:
            return replace(present, absence=Absence(choice)) if may_decide(interaction, present) else _NOT_YOURS

        table = self._directory.table(lobby.id)
        if table is None:
            outcome = await continue_when_slow(self._directory.lobbies.update(lobby.id, chosen))
        else:
            outcome = await continue_when_slow(self._directory.seating.change(table, chosen))
        await _say_outcome(interaction, outcome, texts.t("Noted for this table."), texts)

    @command("end", mark("Close a table"), allowance=FREE, options={"number": _NUMBER})
    async def end(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """Cancel a lobby, break off a match, or close a damaged table."""
        damaged = which_table.find_damaged(self._directory, interaction, number)
        lobby = damaged or which_table.find_table(self._directory, interaction, number)
        await self._departures.end(interaction, lobby.id)

    @leave.autocomplete("number")
    @kick.autocomplete("number")
    @substitute.autocomplete("number")
    @absent.autocomplete("number")
    @pause.autocomplete("number")
    @resume.autocomplete("number")
    async def offer(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Suggest the tables at which the presser sits or decides."""
        return which_table.offer_tables(self._directory, interaction, current)

    @end.autocomplete("number")
    async def offer_to_close(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Suggest the same tables, and damaged ones."""
        return which_table.offer_tables_to_close(self._directory, interaction, current)

    async def _own_seat(self, interaction: discord.Interaction, texts: Texts) -> tuple[Table, int]:
        """Return the presser's match and seat: in this channel, or else in this server.

        Raises:
            RefusedError: The presser plays no match.
        """
        user, guild, channel = interaction.user.id, interaction.guild_id, interaction.channel_id
        table = which_table.table_of(self._directory, user, guild, channel) or which_table.table_of(
            self._directory, user, guild
        )
        seat = None if table is None else table.lobby.seat_of(user)
        if table is None or seat is None:
            raise RefusedError(texts.t("You are not at a table that is being played: open one with {/start}."))
        await continue_when_slow(self._directory.seating.seen(table, user))
        return table, seat

    def _match(self, lobby: Lobby, texts: Texts) -> Table:
        """Return the match of a table.

        Raises:
            RefusedError: It has not begun.
        """
        return unwrap(self._directory.table(lobby.id) or LobbyRefusal(LobbyCode.NOT_BEGUN), texts)


async def _say_outcome(
    interaction: discord.Interaction, outcome: Lobby | LobbyRefusal, line: str, texts: Texts, name: str | None = None
) -> None:
    """Reply with `line`, or with the reason for the refusal; `name` is the member whom the command is about."""
    if isinstance(outcome, LobbyRefusal):
        is_missing = outcome.code is LobbyCode.NOT_SEATED and name is not None
        missing = texts.t("{name} is not at this table.", name=name)
        line = missing if is_missing else lobby_refusal_text(outcome, texts)
    await reply(interaction, line)
