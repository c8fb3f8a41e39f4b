"""`/kems export` and `replay`, and the presses on replays: finished matches as files, and step by step.

Each press asks again whether its presser can see the channel of the match: custom ids are no proof.
"""

import asyncio
import unicodedata
from collections.abc import Sequence
from io import BytesIO
from typing import Final

import discord
from discord.app_commands import Range

from bot.game.notation.writer import write_match
from bot.game.replay_steps import replay_round
from bot.records.archive import Archive, PastMatch
from bot.records.history import History
from bot.ui.admission.admission import or_later
from bot.ui.feature import CommandSet, command
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import Press, read_number
from bot.ui.kit.edits import PreparedView
from bot.ui.kit.interactions import first_chosen, reader
from bot.ui.kit.names import MAX_NAME
from bot.ui.kit.texts import mark
from bot.ui.live.custom_emojis import CustomEmojis
from bot.ui.records.history_commands import MOST_TABLES, NUMBER, find_match
from bot.ui.records.history_panels import purged_words
from bot.ui.records.replay_panel import RecordsVerb, replay_panel, step_of
from bot.ui.records.round_sharing import RoundSharing
from bot.ui.table.verbs import TableVerb
from bot.ui.words.refusals import RefusedError

_MOST_ROUNDS: Final = 9999  # what a custom id can say


class ReplayCommands(CommandSet):
    """`/kems export`, `/kems replay`, and the buttons of replays."""

    verbs = frozenset[str]({RecordsVerb.REPLAY, RecordsVerb.SHARE, TableVerb.WATCH, TableVerb.SHARE})

    def __init__(self, archive: Archive, history: History, emojis: CustomEmojis, sharing: RoundSharing) -> None:
        super().__init__()
        self._archive = archive
        self._history = history
        self._emojis = emojis
        self._sharing = sharing

    @command(mark("export"), mark("Get a finished match as a file"), options={"number": NUMBER})
    async def export(self, interaction: discord.Interaction, number: Range[int, 1, MOST_TABLES] | None = None) -> None:
        match = await self._find(interaction, number)
        file = await asyncio.to_thread(match_file, match)  # a long match takes a while to write
        line = reader(interaction).t(
            "Match {number}, move by move. On a computer `kems replay` checks it.", number=match.table_id
        )
        await interaction.response.send_message(line, file=file, ephemeral=True)

    @command(
        mark("replay"),
        mark("Watch a finished match step by step"),
        options={"number": NUMBER, "wanted": (mark("round"), mark("Which round (the first)"))},
    )
    async def replay(
        self,
        interaction: discord.Interaction,
        number: Range[int, 1, MOST_TABLES] | None = None,
        wanted: Range[int, 1, _MOST_ROUNDS] = 1,
    ) -> None:
        await self._show(interaction, await self._find(interaction, number), wanted, 0, is_new=True)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Turn to the step that a button names, show the match from its beginning, or share the round."""
        match = await self._find(interaction, press.table_id)
        if press.verb in (RecordsVerb.SHARE, TableVerb.SHARE):
            await self._sharing.share(interaction, match, press.round or 1)
        elif press.verb == TableVerb.WATCH:
            await self._show(interaction, match, read_number(first_chosen(interaction)) or 1, 0, is_new=True)
        else:
            await self._show(interaction, match, press.round or 1, step_of(press.arg) or 0, is_new=False)

    async def _show(
        self, interaction: discord.Interaction, match: PastMatch, wanted: int, step: int, *, is_new: bool
    ) -> None:
        replay = await asyncio.to_thread(replay_round, match.events, wanted)
        texts = reader(interaction)

        def panel() -> Layout:
            return replay_panel(match, replay, step, self._emojis.faces(texts, match.theme))

        async def send(layout: Layout) -> None:
            if is_new:
                await interaction.response.send_message(view=PreparedView(layout), ephemeral=True)
            else:
                await interaction.response.edit_message(view=PreparedView(layout))

        await self._emojis.deliver(panel(), send, panel)

    async def _find(self, interaction: discord.Interaction, number: int | None) -> PastMatch:
        """The match of that number, or the last one. Raises RefusedError for one that cannot be replayed."""
        t, found = reader(interaction).t, await find_match(self._history, interaction, number, is_replayed=True)
        match = await or_later(self._archive.read(found.id))
        if match is None:
            line = t("Match {number} was broken off, so it cannot be replayed: see `/kems match`.", number=found.id)
            raise RefusedError(line)
        if not match.events:
            raise RefusedError(purged_words(found.id, reader(interaction)))
        return match


def match_file(match: PastMatch) -> discord.File:
    """The match in KGN, as `kems-<id>.kgn`."""
    kgn = write_match(match.events, seat_words([player.name for player in match.people]))
    return discord.File(BytesIO(kgn.encode()), filename=f"kems-{match.table_id}.kgn")


def seat_words(names: Sequence[str]) -> tuple[str, ...]:
    """The names by seat as words of letters and digits, no two alike; `P<seat>` where a name has none of these."""
    words: list[str] = []
    for seat, name in enumerate(names, 1):
        word = base = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name)))[:MAX_NAME] or f"P{seat}"
        taken = {other.casefold() for other in words}
        number = 2
        while word.casefold() in taken:
            word, number = f"{base}{number}", number + 1
        words.append(word)
    return tuple(words)
