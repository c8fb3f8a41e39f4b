"""Finished matches of a server as panels, for its members. It reads, and changes nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable

from bot.ladder.ended_rounds import counters_in_vain, rounds_of
from bot.records.archive import Archive, PastPlace
from bot.records.history import History, MatchRecord, Spot
from bot.records.seasons import SeasonStore
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.messages.illustrations import Illustrated
from bot.ui.records.history_panels import history_panel, match_panel
from bot.ui.records.match_picture import match_picture, match_words

Look = Callable[[Iterable[PastPlace]], Awaitable[Collection[int]]]
"""Tells which of some tables the reader may look at."""


class HistoryReader:
    """What was played in a server, as its members read it. Every method raises StoreError when it cannot be read."""

    def __init__(self, history: History, archive: Archive, seasons: SeasonStore) -> None:
        self._history = history
        self._archive = archive
        self._seasons = seasons

    async def history(self, guild_id: int, user_id: int | None, spot: Spot, texts: Texts, look: Look) -> Layout:
        """A page of finished matches, of one person or of all; those the reader may not look at keep silent."""
        page = await self._history.history(guild_id, user_id, spot)
        open_ids = await look(PastPlace(match.id, match.channel_id, match.user_ids) for match in page.matches)
        told = [match for match in page.matches if match.id in open_ids]
        name = None if user_id is None else _name(told, user_id)
        return history_panel(page, open_ids, texts, user_id=user_id, name=name)

    async def place(self, guild_id: int, table_id: int) -> PastPlace | None:
        """Where a finished match of the server was played; None where there is none of that number."""
        return next(iter(await self._archive.finished(guild_id, None, table_id)), None)

    async def match(self, guild_id: int, table_id: int, texts: Texts) -> Illustrated | None:
        """One finished match of the server; None where there is none of that number."""
        if await self.place(guild_id, table_id) is None:
            return None
        played = await self._archive.read(table_id)
        match = await self._history.match(table_id)
        if played is None or match is None:
            return None
        if not played.events:
            return Illustrated(match_panel(match, None, texts))
        rounds = await asyncio.to_thread(rounds_of, played.events)  # a long match takes a while to play again
        picture = match_picture(match, rounds, await self._zone(guild_id), texts)
        panel = match_panel(match, rounds, texts, counters_in_vain(played.events))
        return Illustrated(panel, picture, match_words(picture, texts))

    async def _zone(self, guild_id: int) -> str:
        """Where days on pictures begin: they cannot show everybody their own time, as messages do."""
        return (await self._seasons.setup(guild_id)).schedule.zone


def _name(matches: Iterable[MatchRecord], user_id: int) -> str:
    """The name somebody played under in the first of them; "" in none."""
    seats = (seat for match in matches for seat in match.seats)
    return next((seat.name for seat in seats if seat.user_id == user_id), "")
