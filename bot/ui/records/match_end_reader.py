"""Reads what the message of a finished match shows beyond its last round: what stood out, ratings, the picture."""

import asyncio

import structlog

from bot.errors import StoreError
from bot.ladder.ended_rounds import rounds_of
from bot.ladder.highlights import Highlights, highlights
from bot.records.archive import Archive, PastMatch
from bot.records.history import History, MatchRecord
from bot.records.pictures import MatchPicture, PictureFile, Pictures
from bot.records.seasons import SeasonStore
from bot.tables.match.table import Table
from bot.ui.kit.texts import texts_for
from bot.ui.records.match_picture import match_picture, match_words
from bot.ui.table.public.match_end import NOTHING_KNOWN, MatchEnd

DRAWN_WITHIN_S = 10.0
"""The longest wait for the picture; the words are shown meanwhile."""

_log = structlog.get_logger(__name__)


class MatchEndReader:
    """What cannot be read or drawn is left out, and the log says why."""

    def __init__(self, archive: Archive, history: History, seasons: SeasonStore, pictures: Pictures) -> None:
        self._archive = archive
        self._history = history
        self._seasons = seasons
        self._pictures = pictures

    async def read(self, table: Table) -> MatchEnd:
        """What is known of a match that is over, for its public message."""
        try:
            return await self._read(table)
        except StoreError as error:
            _log.warning("match_end.not_read", table=table.id, problem=str(error))
        except Exception:  # noqa: BLE001 - the result is shown without it, the log keeps the error
            _log.exception("match_end.not_read", table=table.id)
        return NOTHING_KNOWN

    async def _read(self, table: Table) -> MatchEnd:
        played, match = await self._archive.read(table.id), await self._history.match(table.id)
        if played is None or match is None or match.result is None or not played.events:
            return NOTHING_KNOWN
        ratings = await self._history.rating_changes(table.id)
        zone = (await self._seasons.setup(table.lobby.place.guild_id)).schedule.zone
        # A long match takes a while to play again.
        found, picture, alt = await asyncio.to_thread(_looked_through, match, played, zone, table.lobby.locale)
        return MatchEnd(found, ratings, await self._drawn(table.id, picture), alt)

    async def _drawn(self, table_id: int, picture: MatchPicture) -> PictureFile | None:
        try:
            async with asyncio.timeout(DRAWN_WITHIN_S):
                return await self._pictures.draw(picture)
        except Exception:  # noqa: BLE001 - the words are shown, the log keeps the error
            _log.exception("picture.not_drawn", table=table_id)
            return None


def _looked_through(
    match: MatchRecord, played: PastMatch, zone: str, locale: str
) -> tuple[Highlights, MatchPicture, str]:
    texts = texts_for(locale)
    picture = match_picture(match, rounds_of(played.events), zone, texts)
    return highlights(played.events), picture, match_words(picture, texts)
