"""Reads what stood out in the matches of a night."""

import asyncio

from bot.ladder.highlights import Feat, highlights
from bot.nights.night import Night
from bot.nights.recap import SeatFeat, TableFeats, honours
from bot.nights.standings import standings
from bot.records.archive import Archive
from bot.ui.kit.texts import Texts
from bot.ui.messages.illustrations import Illustrated
from bot.ui.night.recap_screen import recap_picture, recap_screen, recap_words


class RecapReader:
    """Plays the matches of a night again, one after the other, beside the event loop."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def read(self, night: Night, next_at: int | None, zone: str, texts: Texts) -> Illustrated | None:
        """The recap, with when the next night begins (milliseconds); None where nobody has played.

        Raises StoreError when a match cannot be read.
        """
        lines = standings(night)
        if not any(line.tables for line in lines):
            return None
        found = honours(night, await self.feats(night))
        layout = recap_screen(night, lines, found, next_at, texts)
        picture = recap_picture(night, found, zone, texts)
        return Illustrated(layout) if picture is None else Illustrated(layout, picture, recap_words(picture))

    async def feats(self, night: Night) -> list[TableFeats]:
        """What stood out at each table that was played. Raises StoreError."""
        found = list[TableFeats]()
        for each in night.rounds:
            for table in each.tables:
                match = None if table.table_id is None else await self._archive.read(table.table_id)
                if match is not None and match.events:
                    best = await asyncio.to_thread(highlights, match.events)
                    feats = TableFeats(each.number, table.number, _feat(best.bluff), _feat(best.quickest))
                    found.append(feats)
        return found


def _feat(feat: Feat | None) -> SeatFeat | None:
    return None if feat is None else SeatFeat(feat.seat, feat.milliseconds)
