"""Reads what the pages of a server show. Names that may not be published are replaced before any page is made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from bot.base.errors import KemsError
from bot.base.settings import Settings
from bot.discord.text.texts import Texts, texts_for
from bot.ladder.columns import MATCH_BOARDS, Board
from bot.ladder.formula import Formula, formula_with
from bot.ladder.seasons import Season
from bot.nights.night import Night, NightStatus
from bot.records.history import BoardLine, BoardPage, MatchRecord, SeatRecord
from bot.records.league import league, page_of
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.nights import SqlNightRecords
from bot.store.records.published import SqlPublished
from bot.store.tables.servers import SqlServerStore
from bot.tables.servers.settings import NO_LEAGUE

MOST_LINES = 100
"""Lines of a board."""


@dataclass(frozen=True, slots=True)
class SeasonBoards:
    """A season with its boards."""

    season: Season
    boards: Mapping[Board, BoardPage]
    unnumbered: tuple[BoardLine, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """All that the pages show, except the moves of matches, which are read page by page.

    The latest comes first; of `planned`, the next one.
    """

    title: str
    texts: Texts
    zone: str
    at: int
    formula: Formula
    seasons: tuple[SeasonBoards, ...]
    nights: tuple[Night, ...]
    planned: tuple[Night, ...]
    matches: tuple[MatchRecord, ...]


async def read_site(
    database: Database, settings: Settings, server: int | None, title: str, language: str | None, most: int, at: int
) -> Site:
    """Return the site of a server.

    Args:
        database: Where it is read.
        settings: Of the bot.
        server: Its id; None for the only one of the database.
        title: Of the site.
        language: Of the pages.
        most: How many matches and nights.
        at: The instant of the figures.

    Raises:
        KemsError: There is no such server, or several without an id.
        StoreError: It cannot be read.
    """
    published = SqlPublished(database)
    guild_id = _chosen(await published.servers(), server)
    chosen = await SqlServerStore(database).read(guild_id)
    spoken = language or chosen.language or settings.default_locale
    texts, formula = texts_for(spoken), formula_with(settings.sure_matches, settings.sure_partners)
    boards, store = SqlBoards(database, MOST_LINES, formula=formula), SqlSeasonStore(database)

    async def is_open(night: Night) -> bool:
        """Return whether everybody can read the channels of a night."""
        ids = {table.table_id for table in night.all_tables if table.table_id is not None}
        return bool(ids) and await published.are_open(ids)

    nameless, records = await boards.hidden(guild_id), SqlNightRecords(database)
    seasons = list[SeasonBoards]()
    for season in await store.list_all(guild_id):
        ranked = {board: await boards.board(guild_id, season, board, at) for board in MATCH_BOARDS}
        evenings = await records.between(guild_id, season.starts_at, season.ends_at or at)
        counted = [night for night in evenings if chosen.league_best != NO_LEAGUE and await is_open(night)]
        lines = league(counted, chosen.league_scale, chosen.league_best, nameless)
        ranked[Board.LEAGUE] = page_of(lines, size=MOST_LINES)
        seasons.append(SeasonBoards(season, ranked, await boards.unnumbered(guild_id, season, at)))

    def named(name: str, user_id: int | None) -> str:
        return texts.t("player") if not name or user_id in nameless else name

    nights = [
        replace(night, entrants=tuple(replace(row, name=named(row.name, row.user_id)) for row in night.entrants))
        for night in await records.past(guild_id, most)
        if night.status is NightStatus.OVER and await is_open(night)
    ]
    anonymous_seats = await published.open_channels(guild_id)
    planned = [
        night
        for night in await records.planned(guild_id)
        if anonymous_seats.issuperset((night.plan.channel_id, night.plan.post_channel))
    ]
    matches = [_with_names(match, named) for match in await published.matches(guild_id, most)]
    zone = (await store.setup(guild_id)).schedule.zone
    return Site(
        *(title, texts, zone, at, formula, tuple(seasons)),
        *(tuple(nights), tuple(planned), tuple(matches)),
    )


def _chosen(servers: tuple[int, ...], wanted: int | None) -> int:
    if wanted is not None and wanted not in servers:
        raise KemsError(f"No match has ended on server {wanted}: look at the id again.")
    if wanted is None and len(servers) != 1:
        ids = ", ".join(map(str, servers[:20]))
        raise KemsError(f"Name one server with --server: {ids}." if servers else "No match has ended yet.")
    return servers[0] if wanted is None else wanted


def _with_names(match: MatchRecord, named: Callable[[str, int | None], str]) -> MatchRecord:
    def anonymous_seats(seats: tuple[SeatRecord, ...]) -> tuple[SeatRecord, ...]:
        """Return the seats without user ids and names of people; robots keep their names."""
        return tuple(
            seat
            if seat.user_id is None and seat.name
            else replace(seat, name=named(seat.name, seat.user_id), user_id=0)
            for seat in seats
        )

    return replace(match, seats=anonymous_seats(match.seats), losers=anonymous_seats(match.losers))
