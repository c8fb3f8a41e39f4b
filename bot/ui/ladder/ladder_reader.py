"""Reads the boards, statistics and seasons of a server's ladder, as panels.

A player's statistics and rating history are shown by a picture, and in the same words. A summary of the player's game
nights stands below. Each badge has a shape of its own; players who are on no boards show none.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from bot.discord.api.components import TEAL, Layout, layout, text
from bot.discord.interactions.admission.rights import is_public
from bot.discord.interactions.rooms import Rooms
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.text.names import clean, escape_markdown, escaped_name
from bot.discord.text.picture_words import alt, day, plain, rows_words
from bot.discord.text.texts import Texts, mark
from bot.ladder.columns import COLUMNS, MATCH_BOARDS, Board, Column, RankedBy, SeatTally
from bot.ladder.seasons import FRESH_MS, LadderSetup, Season
from bot.ladder.tally import Deed
from bot.nights.night import Night
from bot.nights.results.recap import Badge, attendance, badges, entry_of
from bot.records.history import (
    FIRST,
    BoardLine,
    BoardPage,
    Mate,
    PageKey,
    PlayerStats,
    PointSources,
    VoidRecord,
)
from bot.records.league import counted_nights, league, page_of
from bot.records.pictures import BoardPicture, BoardRow, Curve
from bot.tables.servers.settings import NO_LEAGUE, ServerSettings
from bot.ui.ladder.leaderboard import board_picture, is_over, leaderboard_panel, league_line, over_line, season_name
from bot.ui.ladder.point_sources import MOST_WATCHED, own_sources
from bot.ui.words.rule_names import league_words
from bot.ui.words.table_text import clock

_BADGES: Final[Mapping[StrEnum, tuple[str, str]]] = {
    Deed.READER: ("🔎", mark("new sign countered")),
    Deed.QUICK: ("⏱️", mark("Kem's in a second")),
    Deed.BAIT: ("🪤", mark("bluff countered")),
    Deed.PARTNERS: ("👥", mark("ten partners")),
    Deed.BARE: ("👁️", mark("ten wins with the naked eye")),
    Badge.NEWCOMER: ("🌱", mark("first night")),
    Badge.REGULAR: ("🎟️", mark("five nights")),
    Badge.PILLAR: ("🏛️", mark("twenty nights")),
    Badge.STREAK: ("🔥", mark("five in a row")),
    Badge.WINNER: ("🏆", mark("night won")),
    Badge.CHAMPION: ("👑", mark("three nights won")),
    Badge.PODIUM: ("🎖️", mark("on the podium")),
    Badge.BLUFFER: ("🎭", mark("longest bluff")),
    Badge.LIGHTNING: ("⚡", mark("quickest Kem's")),
    Badge.CLIMBER: ("📈", mark("biggest climb")),
}

_MAX_FIGURE = 80  # characters of a figure's name, with a player's in it

VOIDS_TOLD: Final = 8
NIGHTS_COUNTED: Final = 100
"""Number of latest nights, of a server and of a person, that count for badges."""


def badges_line(earned: Iterable[tuple[StrEnum, int]], texts: Texts) -> str | None:
    """Return `**Badges** 🏆 night won ×2 · ⚡ quickest Kem's`; None without a badge.

    `earned`: badges, each with how often the player has it.
    """
    lines = []
    for badge, times in earned:
        shape, name = _BADGES[badge]
        lines.append(f"{shape} {texts.t(name)}" + (f" ×{times}" if times > 1 else ""))
    return texts.t("**Badges** {told}", told=" · ".join(lines)) if lines else None


def attendance_line(nights: int, running: int, longest: int, texts: Texts) -> str | None:
    """Return `**Nights** 7 attended · 3 in a row · at best 5 in a row`; None if the person has attended none."""
    if not nights:
        return None
    lines = [texts.n("{count} attended", "{count} attended", nights)]
    if running > 1:
        lines.append(texts.t("{count} in a row", count=running))
    if longest > max(running, 1):
        lines.append(texts.t("at best {count} in a row", count=longest))
    return texts.t("**Nights** {told}", told=" · ".join(lines))


def stats_panel(picture: BoardPicture, honours: Sequence[str] = ()) -> Layout:
    """Return the statistics as a message; `honours` are its lines about game nights and badges."""
    figures = (
        f"{row.sign} **{escape_markdown(row.name, _MAX_FIGURE)}** {row.value}{f' · {row.note}' if row.note else ''}"
        for row in picture.rows
    )
    heading = text(f"## 📊 {escaped_name(picture.title)}", f"-# {escape_markdown(picture.subtitle, _MAX_FIGURE)}")
    return layout(heading, text(*figures), *([text(*honours)] if honours else []), colour=TEAL)


def stats_picture(stats: PlayerStats, season: Season | None, zone: str, texts: Texts) -> BoardPicture:
    """Return a player's statistics as a picture.

    From the second ranked match on, it has the rating history. `zone` is the time zone of its dates.
    """
    when = texts.t("All seasons") if season is None else plain(season_name(season, texts))
    return BoardPicture(clean(stats.name) or "?", when, _figures(stats, texts), curve=_curve(stats, zone, texts))


def stats_words(picture: BoardPicture, texts: Texts) -> str:
    """Return the content of the picture for people who do not see it."""
    if picture.curve is None:
        return rows_words(picture)
    values = picture.curve.values
    ends = {"first": values[0], "since": picture.curve.first, "last": values[-1], "until": picture.curve.last}
    extremes = {"highest": max(values), "lowest": min(values)}
    course = texts.t(
        "From {first} ({since}) to {last} ({until}); highest {highest}, lowest {lowest}.", **ends, **extremes
    )
    return alt(f"{rows_words(picture)}. {course}")


def _curve(stats: PlayerStats, zone: str, texts: Texts) -> Curve | None:
    if len(stats.rating_history) < 2 or stats.ranked < 2:
        return None
    first, last = (day(stats.rating_history[end].at, zone, texts) for end in (0, -1))
    return Curve(tuple(point.value for point in stats.rating_history), first, last)


def _figures(stats: PlayerStats, texts: Texts) -> tuple[BoardRow, ...]:
    t, n, tally = texts.t, texts.n, stats.tally
    rating, streak = stats.rating, stats.streak
    if rating is None:
        rated = _figure("📈", t("Rating"), "—", [t("no ranked match")])
    else:
        rated = _figure("📈", t("Rating"), str(rating.value), [t("provisional")] if rating.is_provisional else [])
    matches = [
        n("{count} ranked", "{count} ranked", stats.ranked),
        t("{percent} % won", percent=round(100 * stats.wins / stats.matches)),
    ]
    if stats.draws:
        matches.append(t("{count} level", count=stats.draws))
    figures = [rated, _figure("🎴", t("Matches"), str(stats.matches), matches)]
    if streak or stats.best_streak:
        best = [n("record: {count} win", "record: {count} wins", stats.best_streak)] if stats.best_streak else []
        running = n("defeat", "defeats", -streak) if streak < 0 else n("win", "wins", streak)
        figures.append(_figure("🔥", t("Streak"), str(abs(streak)), [*([running] if streak else []), *best]))
    figures += _calls(tally, texts)
    if stats.partner is not None:
        partner = stats.partner
        won = n("won {count} of {matches}", "won {count} of {matches}", partner.count, matches=partner.matches)
        figures.append(_mate("🤝", t("Best partner: {name}", name=_name(stats.partner)), stats.partner, won))
    if stats.opponent is not None:
        opponent = stats.opponent
        lost = n("lost {count} of {matches}", "lost {count} of {matches}", opponent.count, matches=opponent.matches)
        figures.append(_mate("⚔️", t("Fiercest opponent: {name}", name=_name(stats.opponent)), stats.opponent, lost))
    return tuple(figures)


def _mate(sign: str, name: str, mate: Mate, note: str) -> BoardRow:
    return _figure(sign, name, f"{round(100 * mate.count / mate.matches)} %", [note])


def _name(mate: Mate) -> str:
    return clean(mate.name) or "?"


def _calls(tally: SeatTally, texts: Texts) -> list[BoardRow]:
    notes: dict[str, list[str]] = {}
    for column in COLUMNS:
        if column.parent and (value := column.value(tally)) is not None and (value or column.shown_when_zero):
            notes.setdefault(column.parent, []).append(_note(column, value, texts))
    lines = (column for column in COLUMNS if column.sign)
    return [
        _figure(badge.sign, texts.t(badge.words[0]), str(badge.value(tally)), notes.get(badge.key, ()))
        for badge in lines
    ]


def _note(column: Column, value: int, texts: Texts) -> str:
    if column.mean:
        return texts.t(column.words[0], time=clock(value * 1000))
    return texts.n(column.words[0], column.words[1], value)


def _figure(sign: str, name: str, value: str, notes: Sequence[str]) -> BoardRow:
    return BoardRow(0, name, value, " · ".join(notes), sign=sign)


class LadderReader:
    """Reads ladders. Every coroutine raises StoreError if the ladder cannot be read.

    Only public nights (`rights.is_public`) are shown.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._store, self._clock = rooms, rooms.store, rooms.clock
        self.formula = rooms.store.formula

    async def stats(
        self, guild_id: int, user_id: int, reader_id: int, season: Season | None, texts: Texts
    ) -> Illustrated | None:
        """Return a player's statistics of one season, or of all; None for a player without a match.

        Only the player themselves (`reader_id`) sees where their points come from, in this season or the running one.
        """
        stats = await self._store.history.stats(guild_id, user_id, self._clock.now(), season)
        if stats is None:
            return None
        honours = await self._honours(guild_id, stats, texts) if season is None and not stats.is_hidden else []
        rated_in = await self.season(guild_id, None) if season is None else season
        if user_id == reader_id and rated_in is not None:
            found = await self._store.history.point_sources(guild_id, [user_id], rated_in)
            honours += [line for sources in found.values() for line in own_sources(rated_in, sources, texts)]
        picture = stats_picture(stats, season, await self.zone(guild_id), texts)
        return Illustrated(stats_panel(picture, honours), picture, stats_words(picture, texts), replaces=1)

    async def first_sources(self, guild_id: int, season: Season) -> tuple[tuple[BoardLine, PointSources], ...]:
        """Return the first lines of the board of ratings, provisional ones last, with where their points come from."""
        at = self._clock.now()
        page = await self._store.boards.board(guild_id, season, Board.RATING, at)
        lines = (*page.lines, *await self._store.boards.unnumbered(guild_id, season, at))[:MOST_WATCHED]
        found = await self._store.history.point_sources(guild_id, [line.user_ids[0] for line in lines], season)
        return tuple((line, found[line.user_ids[0]]) for line in lines if line.user_ids[0] in found)

    async def opening(self, guild_id: int, season: Season, boards: Iterable[Board]) -> Board:
        """Return the first of these boards that lists anybody; the very first if none does."""
        at, wanted = self._clock.now(), tuple(boards)
        for board in wanted:
            page, _ = await self._page(guild_id, season, board, at)
            if page.lines or (board is Board.RATING and await self._store.boards.unnumbered(guild_id, season, at)):
                return board
        return wanted[0]

    async def board(
        self, guild_id: int, season: Season, board: Board, reader_id: int, texts: Texts, page_key: PageKey = FIRST
    ) -> Illustrated:
        """Return a page of a board, with the reader's own line."""
        at = self._clock.now()
        page, own = await self._page(guild_id, season, board, at, page_key, reader_id)
        news = None if is_over(season, at) else await self.news(guild_id, texts)
        zone = await self.zone(guild_id)
        below = await self._store.boards.unnumbered(guild_id, season, at) if board is Board.RATING else ()
        layout = leaderboard_panel(
            page, board, season, texts, self.formula, at=at, zone=zone, own=own, unnumbered=below, news=news,
            how=league_words(await self._rooms.defaults.read(guild_id), texts),
        )  # fmt: skip
        picture = board_picture(page, board, season, texts)
        return Illustrated(layout, picture, rows_words(picture), replaces=1)

    async def _page(
        self, guild_id: int, season: Season, board: Board, at: int, page_key: PageKey = FIRST, reader_id: int = 0
    ) -> tuple[BoardPage, BoardLine | None]:
        """Return a page of a board, and the reader's own line."""
        if board is Board.LEAGUE:
            _, lines = await self._league(guild_id, season)
            return page_of(lines, page_key), next((line for line in lines if reader_id in line.user_ids), None)
        own = await self._store.boards.line(guild_id, season, board, at, reader_id) if reader_id else None
        return await self._store.boards.board(guild_id, season, board, at, page_key), own

    async def _league(self, guild_id: int, season: Season) -> tuple[int, tuple[BoardLine, ...]]:
        """Return how many nights of a season count for its league, and the league's lines; none without a league."""
        settings, until = await self._rooms.defaults.read(guild_id), season.ends_at or self._clock.now()
        if settings.league_best == NO_LEAGUE:
            return 0, ()
        nights = self._public(await self._store.night_records.between(guild_id, season.starts_at, until), settings)
        hidden = await self._store.boards.hidden(guild_id)

        def reckoned() -> tuple[int, tuple[BoardLine, ...]]:  # nights of many people take a moment
            return len(counted_nights(nights)), league(nights, settings.league_scale, settings.league_best, hidden)

        return await asyncio.to_thread(reckoned)

    async def league_line(self, night: Night, texts: Texts) -> str | None:
        """Return the standings of the league to which a night belongs; None before the league's second night."""
        if not self._public((night,), await self._rooms.defaults.read(night.guild_id)):
            return None
        running, listed = await self.seasons(night.guild_id)
        known = (season for season in (running, *listed) if season is not None)
        season = next((season for season in known if season.contains(night.plan.starts_at)), None)
        if season is None:
            return None
        nights, lines = await self._league(night.guild_id, season)
        return league_line(lines, nights, texts)

    def _public(self, nights: Iterable[Night], settings: ServerSettings) -> list[Night]:
        return [
            night for night in nights if is_public(self._rooms.client.get_guild(night.guild_id), night.plan, settings)
        ]

    async def about(self, guild_id: int) -> tuple[LadderSetup, Season | None, Sequence[VoidRecord]]:
        """Return the setup of a server's ladder, the running season, and the latest void matches."""
        setup = await self._store.seasons.setup(guild_id)
        season = await self._store.seasons.running(guild_id, self._clock.now())
        return setup, season, await self._store.history.voids(guild_id, VOIDS_TOLD)

    async def news(self, guild_id: int, texts: Texts) -> str | None:
        """Return the announcement of a season that ended in the last few days, with a link to its podium; else None."""
        at = self._clock.now()
        ended = await self._store.seasons.last_ended(guild_id, at)
        if ended is None or at - (ended.season.ends_at or 0) > FRESH_MS:
            return None
        return over_line(ended, texts)

    async def zone(self, guild_id: int) -> str:
        """Return a server's time zone, for the dates of its messages and pictures."""
        return (await self._store.seasons.setup(guild_id)).schedule.zone

    async def _honours(self, guild_id: int, stats: PlayerStats, texts: Texts) -> list[str]:
        settings = await self._rooms.defaults.read(guild_id)
        played = self._public(
            await self._store.night_records.of_person(guild_id, stats.user_id, NIGHTS_COUNTED), settings
        )
        found = [entry for night in played if (entry := entry_of(night, stats.user_id)) is not None]
        past = self._public(await self._store.night_records.past(guild_id, NIGHTS_COUNTED), settings) if found else ()
        played_nights = [night.number for night in past if night.rounds]
        running, longest = attendance({entry.night for entry in found}, played_nights)
        earned = [*((deed, 1) for deed in stats.deeds), *badges(found, played_nights).items()]
        lines = (attendance_line(len(found), running, longest, texts), badges_line(earned, texts))
        return [line for line in lines if line is not None]

    async def strengths(self, guild_id: int, user_ids: Collection[int]) -> Mapping[int, float]:
        """Return the ratings of these players; players without a ranked match are left out."""
        ratings = await self._store.history.ratings(guild_id, user_ids, self._clock.now())
        return {user_id: float(rating.value) for user_id, rating in ratings.items()}

    async def tops(self, guild_id: int, season: Season) -> dict[Board, BoardPage]:
        """Return the first pages of the boards of ranked matches."""
        at = self._clock.now()
        return {
            board: await self._store.boards.board(guild_id, season, board, at)
            for board in MATCH_BOARDS
            if board.ranked_by is not RankedBy.FRIENDLY
        }

    async def season(self, guild_id: int, number: int | None) -> Season | None:
        """Return the season with this number; without a number, the running season, or else the last one."""
        running = await self._store.seasons.running(guild_id, self._clock.now())
        if running is not None and number in (None, running.number):
            return running
        listed = await self._store.seasons.list_all(guild_id)
        return next((season for season in listed if number in (None, season.number)), None)

    async def seasons(self, guild_id: int) -> tuple[Season | None, tuple[Season, ...]]:
        """Return the running season and all listed ones; the running one is not listed before its first match."""
        return await self._store.seasons.running(guild_id, self._clock.now()), await self._store.seasons.list_all(
            guild_id
        )
