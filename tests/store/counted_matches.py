"""Finished matches for the ladder's tests, counted without a log, and all that came of them."""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, func, insert, select, text
from sqlalchemy.orm import Session

from bot.ladder.columns import SeatTally
from bot.ladder.formula import FORMULA, Formula, formula_with
from bot.ladder.outcomes import outcome, places
from bot.store.engine.database import Database
from bot.store.ladder.count_match import count_match
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_store import saved_season
from bot.store.schema import Base
from bot.store.schema.codec import encode
from bot.store.schema.ladder import PairRow, Play, PlayerRow, PlayRow, SeasonRow, StandingRow, StreakRow
from bot.store.schema.tables import ResultRow, SeatRow, TableRow
from bot.tables.lobby.lobby import Status
from tests.store.matches import rules

Made = TypeVar("Made")

GUILD = 2**62 + 7
NOW = 1_800_000_000_000  # 15 January 2027, 08:00 UTC
DAY = 24 * 60 * 60 * 1000
RULES = encode(rules())
NEW_TABLE, NEW_SEATS = insert(TableRow.__table__).returning(TableRow.id), insert(SeatRow.__table__)
SURE = formula_with(0, 0)
"""Every rating is settled, so that those who have won are on the board of ratings."""


@dataclass(frozen=True)
class Match:
    """Users by seat; seat i is in team i mod `teams`. `left` are seats whose user left, early unless it `is_late`, and
    whom nobody followed.

    A ranked match with `lost_by` was broken off, and these seats alone have lost it.
    """

    users: tuple[int, ...]
    scores: tuple[int, ...] = (10, 4)
    at: int = NOW
    ranked: bool = True
    left: frozenset[int] = frozenset()
    is_late: bool = False
    tallies: tuple[SeatTally, ...] = ()
    guild: int = GUILD
    channel: int = 5
    names: tuple[str, ...] = ()
    lost_by: frozenset[int] = frozenset()

    def name(self, seat: int) -> str:
        return self.names[seat] if self.names else f"player {self.users[seat]}"


async def play(database: Database, match: Match, table_id: int | None = None, formula: Formula = FORMULA) -> int:
    """Record a match as the event store does when it ends; its table's id."""
    return await database.change(lambda session: play_in(session, match, table_id, formula))


def play_in(session: Session, match: Match, table_id: int | None = None, formula: Formula = FORMULA) -> int:
    teams = len(match.scores)
    best = max(match.scores)
    has_winner = match.scores.count(best) == 1 and not match.lost_by
    winner = match.scores.index(best) if has_winner else None
    placed = places(winner, (0,) * teams, match.scores)
    status = Status.CANCELLED if match.lost_by else Status.OVER
    table = {
        **({} if table_id is None else {"id": table_id}),
        "guild_id": match.guild,
        "channel_id": match.channel,
        "host_id": match.users[0],
        "status": status.value,
        "locale": "fr",
        "rules": RULES,
        "size": len(match.users),
        "has_random_teams": True,
        "is_ranked": match.ranked,
        "opened_at": match.at - 1000,
        "started_at": match.at - 900,
    }
    table_id = session.scalar(NEW_TABLE, table)
    assert table_id is not None
    seats = [
        {"table_id": table_id, "seat": seat, "team": seat % teams, "user_id": user, "name": match.name(seat)}
        for seat, user in enumerate(match.users)
    ]
    session.execute(NEW_SEATS, seats)
    season = saved_season(session, match.guild, match.at)
    number = select(func.coalesce(func.max(ResultRow.number), 0) + 1).where(ResultRow.guild_id == match.guild)
    told = {"season": season, "winner": winner, "scores": encode(match.scores), "games": encode((0,) * teams)}
    key = {"table_id": table_id, "guild_id": match.guild, "number": number.scalar_subquery()}
    recorded = insert(ResultRow).values(**key, **told, rounds=3, ended_at=match.at).returning(ResultRow)
    result = session.scalars(recorded).one()
    plays = _losses(match, placed) if match.lost_by else _plays(match, placed, is_ranked=match.ranked and season > 0)
    count_match(session, result, plays, formula, is_broken_off=bool(match.lost_by))
    return table_id


def _plays(match: Match, placed: Sequence[int], *, is_ranked: bool) -> tuple[Play, ...]:
    teams = len(match.scores)
    return tuple(
        Play(
            user,
            match.name(seat),
            seat,
            seat % teams,
            placed[seat % teams],
            outcome(placed, seat % teams, has_left=seat in match.left),
            seat in match.left,
            is_ranked,
            match.tallies[seat] if match.tallies else SeatTally(kems=seat),
            has_left_early=seat in match.left and not match.is_late,
        )
        for seat, user in enumerate(match.users)
    )


def _losses(match: Match, placed: Sequence[int]) -> tuple[Play, ...]:
    """As `bot.store.tables.journal` has them: nobody else has a part in a match that was broken off."""
    teams = len(match.scores)
    return tuple(
        Play(match.users[seat], match.name(seat), seat, seat % teams, placed[seat % teams], -1, True, True, SeatTally())
        for seat in sorted(match.lost_by)
    )


async def play_all(
    database: Database, matches: Iterable[Match], ids: Sequence[int] | None = None, formula: Formula = FORMULA
) -> list[int]:
    pairs = [*zip_longest(matches, ids or ())]
    return await database.change(lambda session: [play_in(session, *each, formula) for each in pairs])


DELETIONS = [f"DELETE FROM {table.name}" for table in reversed(Base.metadata.sorted_tables)]  # noqa: S608 - our own
SELECTIONS = {table: select(table) for table in Base.metadata.sorted_tables}
Rows = Mapping[Table, Sequence[Mapping[str, Any]]]
_made: dict[Hashable, tuple[Any, Rows]] = {}


async def once(database: Database, key: Hashable, make: Callable[[Database], Awaitable[Made]]) -> Made:
    """What `make` returns, and writes into a database without rows.

    It is called once in a process for each key. Afterwards the rows that it has left are written again, which is
    thirty times faster than to count matches.
    """
    if key not in _made:
        made = await make(database)
        _made[key] = made, await database.run(_read)
        return made
    made, kept = _made[key]
    await database.run(partial(_write, kept))
    return made


def _read(connection: Connection) -> Rows:
    return {table: [dict(row) for row in connection.execute(query).mappings()] for table, query in SELECTIONS.items()}


def _write(kept: Rows, connection: Connection) -> None:
    for table, rows in kept.items():
        if not rows:
            continue
        connection.execute(insert(table), rows)
        if table.autoincrement_column is not None and connection.dialect.name == "postgresql":
            following = f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608
            connection.execute(text(following))


async def emptied(database: Database) -> None:
    await database.run(lambda connection: [connection.exec_driver_sql(deletion) for deletion in DELETIONS])


async def standing(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All that is derived from the matches that count; names and void matches are not."""
    return await database.run(_standing)


def _standing(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    found = {}
    for row in (StandingRow, StreakRow, PairRow, PlayerRow, PlayRow):
        table = row.__table__
        rows = [tuple(each) for each in connection.execute(SELECTIONS[table])]
        names = [column.name for column in table.columns]
        if row is PlayerRow:
            rows = [each for each in rows if each[names.index("mu")] is not None]
        if row is PlayRow:
            rows = [each for each in rows if not each[names.index("is_void")]]
        found[table.name] = sorted(rows, key=repr)
    return found


async def assert_rebuilt_is_equal(database: Database) -> None:
    kept = await standing(database)
    await SqlRecount(database).rebuild()
    assert await standing(database) == kept


async def saved_seasons(database: Database, *numbers: tuple[int, int | None]) -> None:
    """Seasons of the server by start and end, numbered from 1."""
    async with database.transaction() as session:
        for number, (starts_at, ends_at) in enumerate(numbers, 1):
            session.add(SeasonRow(guild_id=GUILD, number=number, starts_at=starts_at, ends_at=ends_at))
