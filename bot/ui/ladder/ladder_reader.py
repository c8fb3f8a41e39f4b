"""Reads the boards, figures and seasons of a server's ladder, as panels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.ladder.eligibility import Setup
from bot.ladder.formula import Formula
from bot.ladder.season_duties import FRESH_MS
from bot.ladder.seasons import Board, Season
from bot.nights.recap import attendance, badges, entry_of
from bot.records.archive import NightRecords
from bot.records.history import FIRST, BoardPage, Boards, History, Spot, VoidRecord
from bot.records.seasons import SeasonStore
from bot.tables.clock import Clock
from bot.tables.season_ends import SeasonDutyStore
from bot.ui.kit.picture_words import rows_words
from bot.ui.kit.texts import Texts
from bot.ui.ladder.leaderboard import board_picture, is_over, leaderboard_panel, over_line
from bot.ui.ladder.stats_panel import stats_panel, stats_picture, stats_words
from bot.ui.live.illustrations import Illustrated
from bot.ui.words.badge_words import attendance_line, badges_line

VOIDS_TOLD: Final = 8
NIGHTS_COUNTED: Final = 100
"""The latest nights of a server and of a person that count for badges."""


@dataclass(frozen=True, eq=False)
class LadderReader:
    """Every method raises StoreError when the ladder cannot be read."""

    _clock: Clock
    formula: Formula
    _history: History
    _boards: Boards
    _seasons: SeasonStore
    _duties: SeasonDutyStore
    _nights: NightRecords

    async def stats(self, guild_id: int, user_id: int, season: Season | None, texts: Texts) -> Illustrated | None:
        """What a player's matches of a season, or of all, add up to; None for a player without a match."""
        stats = await self._history.stats(guild_id, user_id, self._clock.now(), season)
        if stats is None:
            return None
        nights = await self._nights_of(guild_id, user_id, texts) if season is None else []
        picture = stats_picture(stats, season, await self.zone(guild_id), texts)
        return Illustrated(stats_panel(picture, nights), picture, stats_words(picture, texts), replaces=1)

    async def board(
        self, guild_id: int, season: Season, board: Board, reader_id: int, texts: Texts, spot: Spot = FIRST
    ) -> Illustrated:
        at = self._clock.now()
        page = await self._boards.board(guild_id, season, board, at, spot)
        own = await self._boards.line(guild_id, season, board, at, reader_id)
        news = None if is_over(season, at) else await self.news(guild_id, texts)
        zone = await self.zone(guild_id)
        below = await self._boards.unnumbered(guild_id, season, at) if board is Board.RATING else ()
        layout = leaderboard_panel(
            page, board, season, texts, self.formula, at=at, zone=zone, own=own, unnumbered=below, news=news
        )
        picture = board_picture(page, board, season, texts)
        return Illustrated(layout, picture, rows_words(picture), replaces=1)

    async def about(self, guild_id: int) -> tuple[Setup, Season | None, Sequence[VoidRecord]]:
        """How the ladder of a server is set up, the running season, and the latest void matches."""
        setup, season = await self._seasons.setup(guild_id), await self._seasons.running(guild_id, self._clock.now())
        return setup, season, await self._history.voids(guild_id, VOIDS_TOLD)

    async def news(self, guild_id: int, texts: Texts) -> str | None:
        """Announces the season that ended in the last days, and where its podium is."""
        at = self._clock.now()
        listed = await self._seasons.listed(guild_id)
        season = next((season for season in listed if season.ends_at is not None and season.ends_at <= at), None)
        if season is None or season.ends_at is None or at - season.ends_at > FRESH_MS:
            return None
        return over_line(season, guild_id, await self._duties.podium(guild_id, season.number), texts)

    async def zone(self, guild_id: int) -> str:
        """The time zone of a server, in which its messages and pictures show the same dates."""
        return (await self._seasons.setup(guild_id)).schedule.zone

    async def _nights_of(self, guild_id: int, user_id: int, texts: Texts) -> list[str]:
        played = await self._nights.of_person(guild_id, user_id, NIGHTS_COUNTED)
        found = [entry for night in played if (entry := entry_of(night, user_id)) is not None]
        if not found:
            return []
        held = [night.number for night in await self._nights.past(guild_id, NIGHTS_COUNTED) if night.rounds]
        running, longest = attendance({entry.night for entry in found}, held)
        lines = (attendance_line(len(found), running, longest, texts), badges_line(badges(found, held), texts))
        return [line for line in lines if line is not None]

    async def strength(self, guild_id: int, user_id: int) -> float:
        """The rating of a player, 0 for one without a ranked match."""
        stats = await self._history.stats(guild_id, user_id, self._clock.now(), None)
        return 0.0 if stats is None or stats.rating is None else float(stats.rating.value)

    async def tops(self, guild_id: int, season: Season) -> dict[Board, BoardPage]:
        at = self._clock.now()
        return {board: await self._boards.board(guild_id, season, board, at) for board in Board}

    async def season(self, guild_id: int, number: int | None) -> Season | None:
        """The season of that number; without a number the running season, or else the last."""
        running = await self._seasons.running(guild_id, self._clock.now())
        if running is not None and number in (None, running.number):
            return running
        listed = await self._seasons.listed(guild_id)
        return next((season for season in listed if number in (None, season.number)), None)

    async def seasons(self, guild_id: int) -> tuple[Season | None, tuple[Season, ...]]:
        """The running season, which is not listed before its first match, and all that are listed."""
        return await self._seasons.running(guild_id, self._clock.now()), await self._seasons.listed(guild_id)
