"""The commands about a table as a whole: `/kems pause`, `resume`, `kick`, `end`. From any channel of its server.

Hosts and moderators use them. Each answers with one private line; what happened is seen on the table's message.
"""

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.live.house import House
from bot.live.lobby import Lobby, LobbyCode, LobbyRefusal
from bot.live.moves import Answer, Pause, Refused, Resume
from bot.live.table import Table
from bot.ui.answers import answered, reader, say
from bot.ui.names import defuse
from bot.ui.patience import in_time, or_later
from bot.ui.people_presses import may_resume
from bot.ui.presenter import Presenter
from bot.ui.sentences import lobby_refusal_text, refusal_text
from bot.ui.texts import Texts, mark
from bot.ui.which_table import find_table, may_decide, offer_tables

_TABLE = locale_str(mark("table"))
_WHICH = locale_str(mark("Which table (the one here)"))


class TableCommands(app_commands.Group):
    """A source of commands for the group `/kems`: it is never registered itself."""

    def __init__(self, house: House, presenter: Presenter) -> None:
        super().__init__(name="table", description="-")
        self._house = house
        self._presenter = presenter

    def add_to(self, group: app_commands.Group) -> None:
        """Put them under another group."""
        for command in self.commands:
            group.add_command(command)

    @app_commands.command(name=locale_str(mark("pause")), description=locale_str(mark("Stop the clock of a match")))
    @app_commands.rename(number=_TABLE)
    @app_commands.describe(number=_WHICH)
    async def pause(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """Nothing can be done at the table until it is resumed."""
        async with answered(interaction):
            texts = reader(interaction)
            table = await self._match(interaction, number, texts)
            if table is not None:
                outcome = await in_time(table.submit(Pause(), press_id=interaction.id))
                await _say_done(interaction, outcome, texts.t("The match is paused: /kems resume goes on."), texts)

    @app_commands.command(name=locale_str(mark("resume")), description=locale_str(mark("Go on with a paused match")))
    @app_commands.rename(number=_TABLE)
    @app_commands.describe(number=_WHICH)
    async def resume(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """The clock runs again."""
        async with answered(interaction):
            texts = reader(interaction)
            lobby = find_table(self._house, interaction, number, texts)
            table = self._house.table(lobby.id)
            if table is not None and may_resume(interaction, table):
                outcome = await in_time(table.submit(Resume(), press_id=interaction.id))
                await _say_done(interaction, outcome, texts.t("The match goes on."), texts)
            else:
                await self._match(interaction, lobby.id, texts)

    @app_commands.command(
        name=locale_str(mark("kick")), description=locale_str(mark("Send somebody away from a table"))
    )
    @app_commands.rename(member=locale_str(mark("member")), number=_TABLE)
    @app_commands.describe(member=locale_str(mark("Who shall stand up")), number=_WHICH)
    async def kick(self, interaction: discord.Interaction, member: discord.User, number: int | None = None) -> None:
        """Free somebody's seat in a lobby; they may join again."""
        async with answered(interaction):
            await self._kick(interaction, member, number)

    @app_commands.command(name=locale_str(mark("end")), description=locale_str(mark("Close a table")))
    @app_commands.rename(number=_TABLE)
    @app_commands.describe(number=_WHICH)
    async def end(self, interaction: discord.Interaction, number: int | None = None) -> None:
        """Cancel a lobby or break off a match."""
        async with answered(interaction):
            await self._end(interaction, number)

    @pause.autocomplete("number")
    @resume.autocomplete("number")
    @kick.autocomplete("number")
    @end.autocomplete("number")
    async def offer(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[int]]:
        """The tables that somebody may mean."""
        return offer_tables(self._house, interaction, current)

    async def _kick(self, interaction: discord.Interaction, member: discord.User, number: int | None) -> None:
        texts, name = reader(interaction), defuse(member.display_name)
        lobby = find_table(self._house, interaction, number, texts)

        def leave(present: Lobby) -> Lobby | LobbyRefusal:
            return present.leave(member.id) if may_decide(interaction, present) else LobbyRefusal(LobbyCode.NOT_HOST)

        left = await or_later(self._house.update(lobby.id, leave), late=self._presenter.caught_up)
        if not isinstance(left, LobbyRefusal):
            self._presenter.closed(left)
            self._presenter.board(left).ask()
            line = texts.t("{name} has left the table.", name=name)
        elif left.code is LobbyCode.NOT_HOST:
            line = _not_yours(texts)
        elif left.code is LobbyCode.NOT_SEATED:
            line = texts.t("{name} does not sit at this table.", name=name)
        else:
            line = lobby_refusal_text(left, texts)
        await say(interaction, line)

    async def _end(self, interaction: discord.Interaction, number: int | None) -> None:
        texts = reader(interaction)
        lobby = find_table(self._house, interaction, number, texts)
        if not may_decide(interaction, lobby):
            await say(interaction, _not_yours(texts))
            return
        table = self._house.table(lobby.id)
        if table is not None:
            await or_later(self._house.finish(table.id))
            closed: Lobby | LobbyRefusal = table.lobby
        else:
            closed = await or_later(
                self._house.update(lobby.id, lambda present: present.cancel(present.host_id)),
                late=self._presenter.caught_up,
            )
        if isinstance(closed, LobbyRefusal):
            await say(interaction, lobby_refusal_text(closed, texts))
            return
        self._presenter.closed(closed)
        await say(interaction, texts.t("The table is closed."))

    async def _match(self, interaction: discord.Interaction, number: int | None, texts: Texts) -> Table | None:
        """The match that a command is about, if the presser may decide about it; else that is the answer.

        Raises:
            NoTableError: there is no such table, or there are several.
        """
        lobby = find_table(self._house, interaction, number, texts)
        table = self._house.table(lobby.id)
        if not may_decide(interaction, lobby):
            await say(interaction, _not_yours(texts))
        elif table is None:
            await say(interaction, texts.t("That match has not begun yet."))
        else:
            return table
        return None


async def _say_done(interaction: discord.Interaction, outcome: Answer, line: str, texts: Texts) -> None:
    await say(interaction, refusal_text(outcome.code, texts) if isinstance(outcome, Refused) else line)


def _not_yours(texts: Texts) -> str:
    return texts.t("Only the host, or somebody who may manage messages, can do that.")
