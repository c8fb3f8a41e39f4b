"""Reads what stood out in the matches of a night."""

import asyncio

from bot.ladder.highlights import Feat, highlights
from bot.nights.honours import Honour
from bot.nights.night import Night
from bot.nights.recap import SeatFeat, TableFeats, honours
from bot.records.archive import Archive


async def read_honours(archive: Archive, night: Night) -> tuple[Honour, ...]:
    """What stood out: the matches are played again, one after the other, beside the event loop. Raises StoreError."""
    found = list[TableFeats]()
    for each in night.rounds:
        for table in each.tables:
            match = None if table.table_id is None else await archive.read(table.table_id)
            if match is not None and match.events:
                best = await asyncio.to_thread(highlights, match.events)
                found.append(TableFeats(each.number, table.number, _feat(best.bluff), _feat(best.quickest)))
    return honours(night, found)


def _feat(feat: Feat | None) -> SeatFeat | None:
    return None if feat is None else SeatFeat(feat.seat, feat.milliseconds)
