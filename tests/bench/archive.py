"""A server farm's worth of finished matches in an SQLite file, made in minutes: rows as the bot writes them, no logs.

Servers, people and seasons are as uneven as in life: few servers play most, few people in a server play most.
Standings and pairs are counted by the bot's own code; ratings alone are made up.
"""

import asyncio
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import accumulate
from pathlib import Path
from random import Random

from bot.base.times import DAY_MS
from bot.game.rules.presets import CLASSIC
from bot.ladder.outcomes import Streak
from bot.ladder.seasons import Schedule, period
from bot.store.engine.database import Database
from bot.store.ladder.count_match import rebuild_totals
from bot.store.migrate import migrate
from bot.store.schema.codec import encode
from bot.store.schema.ladder import ALL_SEASONS

MONTHS = 24
MATCHES_A_PERSON = 20
FRIENDLY = 4
"""One match in so many is."""
MOST_PEOPLE = 20_000
CHANNELS = 8
"""In which a server plays, most of it in the first; in the last one hardly ever."""
LAST = 1_800_000_000_000
"""When the youngest match ended."""
GAP_MS = 60_000
BATCH = 20_000

_PLAYS = """
INSERT INTO plays (table_id, user_id, guild_id, season, ended_at, seat, team, place, outcome, has_left, has_left_early,
  is_ranked, is_void, displayed_rating, mu, sigma, ranked_number, opponents, day_start_rating, rounds, kems, doubles,
  kems_ms, false_calls, counters, false_counters, caught, bluffs, baits, quick, read)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, 0, ?, ?, ?, ?, 4, 1000, 12, ?, 1, 300000, 0, ?, 1, 1, 20, ?, 0, 0)
"""
_RATINGS = """
UPDATE standings SET mu = abs(user_id * 2654435761 + season) % 1500 / 40.0, sigma = 3, rated_at = :at,
  is_provisional = 0, displayed_rating = 640 + abs(user_id * 2654435761 + season) % 1500
"""
IDLE = "UPDATE standings SET fresh_until = rated_at + 14 * 86400000 WHERE is_ranked"
"""Nobody has looked at a board since everybody's rating began to sink."""
_PLAYERS = """
INSERT INTO players (guild_id, user_id, name, mu, sigma, season, rated_at, matches, partners)
SELECT DISTINCT guild_id, user_id, 'player ' || user_id, 25, 3, :season, :at, 50, '[1,2,3]' FROM plays
"""


def build(path: Path, matches: int, seed: int = 1, *, servers: int | None = None, months: int = MONTHS) -> None:
    """Make the archive; without a number of `servers` they are as many as such a record would have."""
    asyncio.run(_migrate(path))
    dice = Random(seed)
    seasons = list(_seasons(months))
    weights = _weights(max(1, min(500, matches // 500)) if servers is None else servers)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("synchronous=OFF", "journal_mode=OFF", "cache_size=-200000"):
            connection.execute(f"PRAGMA {pragma}")
        indexes = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql > ''").fetchall()
        for name, _ in indexes:  # they are made faster afterwards, in one go
            connection.execute(f"DROP INDEX {name}")
        connection.execute("BEGIN")
        rated: Counter[int] = Counter()
        for first in range(0, matches, BATCH):
            _insert(connection, dice, range(first, min(first + BATCH, matches)), matches, weights, seasons, rated)
        guilds = [row[0] for row in connection.execute("SELECT DISTINCT guild_id FROM results")]
        rows = [(guild, number, *stretch) for guild in guilds for number, stretch in enumerate(seasons, 1)]
        connection.executemany("INSERT INTO seasons (guild_id, number, starts_at, ends_at) VALUES (?, ?, ?, ?)", rows)
        connection.execute(_PLAYERS, {"season": len(seasons), "at": LAST})
        connection.executemany("INSERT INTO streaks VALUES (?, ?, ?, ?, ?)", _streaks(connection))
        connection.execute("COMMIT")
        for _, index in indexes:
            connection.execute(index)
    asyncio.run(_count(path, guilds))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(_RATINGS, {"at": LAST - 20 * DAY_MS})
        connection.execute(IDLE)
        connection.commit()
    with path.open("rb") as file:
        os.fsync(file.fileno())  # else the first checkpoint by its user writes all of it


def _streaks(connection: sqlite3.Connection) -> Iterator[tuple[int, int, int, int, int]]:
    """Server, person, season, running and best streak."""
    found: dict[tuple[int, int, int], Streak] = {}
    for guild, user, season, outcome in connection.execute(
        "SELECT guild_id, user_id, season, outcome FROM plays ORDER BY table_id"
    ):
        for number in (season, ALL_SEASONS):
            key = (guild, user, number)
            found[key] = found.get(key, Streak()).after(outcome)
    return ((*key, *streak) for key, streak in found.items())


def _weights(servers: int) -> list[float]:
    """How much each server plays, summed up."""
    return list(accumulate(1 / rank for rank in range(1, servers + 1)))


def _seasons(months: int) -> Iterator[tuple[int, int]]:
    """Months, oldest first, the last of which holds `LAST`."""
    stretches = []
    at = LAST
    for _ in range(months):
        stretch = period(Schedule(), at)
        stretches.append(stretch)
        at = stretch[0] - 1
    return reversed(stretches)


def _insert(
    connection: sqlite3.Connection,
    dice: Random,
    numbers: range,
    matches: int,
    weights: list[float],
    seasons: list[tuple[int, int]],
    rated: Counter[int],
) -> None:
    """`rated` counts the ranked matches of each person."""
    rules = encode(CLASSIC)
    span = LAST - seasons[0][0]
    tables, seats, results, plays = [], [], [], []
    drawn = dice.choices(range(1, len(weights) + 1), cum_weights=weights, k=len(numbers))
    for table_id, guild in enumerate(drawn, numbers.start + 1):
        at = seasons[0][0] + span * table_id // matches
        season = next(number for number, (_, ends_at) in enumerate(seasons, 1) if at < ends_at)
        share = matches / guild / weights[-1]
        users = _people(dice, guild, max(20, min(MOST_PEOPLE, round(share / MATCHES_A_PERSON))))
        is_ranked, at_start = table_id % FRIENDLY > 0, at - GAP_MS
        winner, channel = dice.randrange(2), min(CHANNELS, 1 + int(dice.expovariate(1)))
        tables.append((table_id, guild, channel, users[0], "over", "fr", rules, 4, 1, at_start, at_start, is_ranked))
        results.append((table_id, guild, table_id, season, winner, "[10,6]", "[1,0]", 12, at))
        for seat, user in enumerate(users):
            won = seat % 2 == winner
            rated[user] += is_ranked
            seats.append((table_id, seat, seat % 2, user, f"player {user}"))
            plays.append(
                (
                    *(table_id, user, guild, season, at, seat, seat % 2, int(not won), 1 if won else -1),
                    *((1, 1000, 25.0, 3.0, rated[user]) if is_ranked else (0, None, None, None, None)),
                    *(dice.randrange(6), dice.randrange(3), dice.randrange(2)),
                )
            )
    connection.executemany(
        "INSERT INTO tables (id, guild_id, channel_id, host_id, status, locale, rules, size, has_random_teams,"
        " opened_at, started_at, is_ranked, is_message_final) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, TRUE)",
        tables,
    )
    connection.executemany("INSERT INTO seats (table_id, seat, team, user_id, name) VALUES (?, ?, ?, ?, ?)", seats)
    connection.executemany(
        "INSERT INTO results (table_id, guild_id, number, season, winner, scores, games, rounds, ended_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        results,
    )
    connection.executemany(_PLAYS, plays)


def _people(dice: Random, guild: int, members: int) -> list[int]:
    """Four different members; the square of chance makes the first of them play most."""
    found: dict[int, None] = {}
    while len(found) < 4:
        found[guild * 10**9 + int(members * dice.random() ** 2) + 1] = None
    return list(found)


async def _migrate(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    try:
        await migrate(database)
    finally:
        await database.close()


async def _count(path: Path, guilds: list[int]) -> None:
    database = Database(f"sqlite:///{path}")
    try:
        for guild in guilds:
            await database.change(partial(rebuild_totals, guild_id=guild))
    finally:
        await database.close()
