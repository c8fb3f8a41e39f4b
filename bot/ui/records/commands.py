"""`/kems export | replay | history | match`: what was played. All answers are the reader's alone."""

from functools import partial
from typing import Final

import discord
from discord.app_commands import Range

from bot.records.history import Nth
from bot.ui.admission.time_limit import or_later
from bot.ui.feature import CommandSet, command
from bot.ui.kit.interactions import guild_of, reader, say
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts, mark
from bot.ui.messages.illustrations import Illustrated, Illustrator
from bot.ui.records.history_reader import HistoryReader
from bot.ui.records.past_matches import PastMatches
from bot.ui.records.visibility import may_look, visible

_MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_MOST_ROUNDS: Final = 9999  # what a custom id can say
_MOST_PAGES: Final = 1000


class HistoryCommands(CommandSet):
    """`/kems export`, `replay`, `history` and `match`."""

    def __init__(self, past: PastMatches, history: HistoryReader, illustrator: Illustrator) -> None:
        super().__init__()
        self._past = past
        self._reader = history
        self._illustrator = illustrator

    @command(
        mark("export"),
        mark("Get a finished match as a file"),
        options={"number": (mark("table"), mark("The number of a table (the last one finished)"))},
    )
    async def export(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES] | None = None) -> None:
        """Give a finished match of this server as KGN."""
        await self._past.export(interaction, number)

    @command(
        mark("replay"),
        mark("Watch a finished match step by step"),
        options={
            "number": (mark("table"), mark("The number of a table (the last one finished)")),
            "wanted": (mark("round"), mark("Which round (the first)")),
        },
    )
    async def replay(
        self,
        interaction: discord.Interaction,
        number: Range[int, 1, _MOST_TABLES] | None = None,
        wanted: Range[int, 1, _MOST_ROUNDS] = 1,
    ) -> None:
        """Show a round of a finished match of this server, all hands open, with buttons to go on and back."""
        await self._past.replay(interaction, number, wanted)

    @command(
        mark("history"),
        mark("See what was played here"),
        options={
            "member": (mark("member"), mark("Whose matches (everybody's)")),
            "page": (mark("page"), mark("Which page (the newest)")),
        },
    )
    async def history(
        self, interaction: discord.Interaction, member: discord.User | None = None, page: Range[int, 1, _MOST_PAGES] = 1
    ) -> None:
        """List finished matches, youngest first."""
        user_id = None if member is None else member.id
        look, texts = partial(visible, interaction), reader(interaction)
        panel = await or_later(self._reader.history(guild_of(interaction), user_id, Nth(page), texts, look))
        await interaction.response.send_message(view=PreparedView(panel), ephemeral=True)

    @command(
        mark("match"),
        mark("See how a match went"),
        options={"number": (mark("table"), mark("Its number, as in the history"))},
    )
    async def match(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES]) -> None:
        """Tell a finished match round by round."""
        texts = reader(interaction)
        is_open, page = await or_later(self._told(interaction, number, texts))
        if page is not None:
            await self._illustrator.answer(interaction, page)
        elif is_open:
            await say(interaction, texts.t("There is no finished match of that number here: see `/kems history`."))
        else:
            await say(interaction, texts.t("That match was played in a channel that you cannot see."))

    async def _told(
        self, interaction: discord.Interaction, number: int, texts: Texts
    ) -> tuple[bool, Illustrated | None]:
        """A finished match, for those who may look at it; and whether the reader is one of them, if there is one."""
        place = await self._reader.place(guild_of(interaction), number)
        if place is not None and not await may_look(interaction, place):
            return False, None
        return True, await self._reader.match(guild_of(interaction), number, texts)
