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
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.edits import PreparedView
from bot.ui.kit.interactions import guild_of, reader, say
from bot.ui.kit.names import MAX_NAME
from bot.ui.kit.texts import mark
from bot.ui.live.custom_emojis import CustomEmojis
from bot.ui.records.history_commands import MOST_TABLES, may_look
from bot.ui.records.history_panels import purged_words
from bot.ui.records.replay_panel import RecordsVerb, replay_panel, step_of
from bot.ui.records.round_sharing import RoundSharing
from bot.ui.table.verbs import TableVerb

_MOST_ROUNDS: Final = 9999  # what a custom id can say
_NUMBER: Final = (mark("table"), mark("Its number, as in the history (the last one)"))


class ReplayCommands(CommandSet):
    """`/kems export`, `/kems replay`, and the buttons of replays."""

    verbs = frozenset[str]({RecordsVerb.REPLAY, RecordsVerb.SHARE, TableVerb.WATCH, TableVerb.SHARE})

    def __init__(self, archive: Archive, history: History, emojis: CustomEmojis, sharing: RoundSharing) -> None:
        super().__init__()
        self._archive = archive
        self._history = history
        self._emojis = emojis
        self._sharing = sharing

    @command(mark("export"), mark("Get a finished match as a file"), options={"number": _NUMBER})
    async def export(self, interaction: discord.Interaction, number: Range[int, 1, MOST_TABLES] | None = None) -> None:
        match = await self._find(interaction, number)
        if match is None:
            return
        file = await asyncio.to_thread(match_file, match)  # a long match takes a while to write
        line = reader(interaction).t(
            "Match {number}, move by move. On a computer `kems replay` checks it.", number=match.table_id
        )
        await interaction.response.send_message(line, file=file, ephemeral=True)

    @command(
        mark("replay"),
        mark("Watch a finished match step by step"),
        options={"number": _NUMBER, "wanted": (mark("round"), mark("Which round (the first)"))},
    )
    async def replay(
        self,
        interaction: discord.Interaction,
        number: Range[int, 1, MOST_TABLES] | None = None,
        wanted: Range[int, 1, _MOST_ROUNDS] = 1,
    ) -> None:
        match = await self._find(interaction, number)
        if match is not None:
            await self._show(interaction, match, wanted, 0, is_new=True)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Turn to the step that a button names, show the match from its beginning, or share the round."""
        match = await self._find(interaction, press.table_id)
        if match is None:
            return
        if press.verb in (RecordsVerb.SHARE, TableVerb.SHARE):
            await self._sharing.share(interaction, match, press.round or 1)
        elif press.verb == TableVerb.WATCH:
            await self._show(interaction, match, 1, 0, is_new=True)
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

    async def _find(self, interaction: discord.Interaction, number: int | None) -> PastMatch | None:
        """The match of that number, or the last one here that the presser may see; without one, that is the answer."""
        found = await or_later(self._archive.finished(guild_of(interaction), interaction.channel_id, number))
        is_hidden = False
        for place in found:
            if not await may_look(interaction, place):
                is_hidden = True
                continue
            match = await or_later(self._archive.read(place.table_id))
            if match is not None and match.events:
                return match
            if match is not None:
                await say(interaction, purged_words(place.table_id, reader(interaction)))
                return None
        t = reader(interaction).t
        broken_off = None if number is None or found else await or_later(self._history.match(number))
        if is_hidden:
            line = t("That match was played in a channel that you cannot see.")
        elif broken_off and broken_off.is_broken_off and broken_off.guild_id == guild_of(interaction):
            line = t("Match {number} was broken off, so it cannot be replayed: see `/kems match`.", number=number)
        else:
            line = t("No finished match here: a match can be replayed once it is over.")
        await say(interaction, line)
        return None


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
