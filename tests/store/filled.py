"""Rows for every table of a schema of any age, as the bot writes them; what is not known here gets made-up values.

The schema is read from the database itself, not from the models: those know the youngest schema alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Connection, Float, Integer, MetaData, inspect, text

from bot.game.presets import CLASSIC
from bot.game.signs import Strategy
from bot.store.tables.codec import Codec, encode_rules, encode_strategies
from bot.store.tables.entries import event_rows
from tests.store.matches import BIG, PLACE, a_match

Rows = list[dict[str, Any]]

OPEN, PLAYING, OVER, VOID, CANCELLED = 11, 12, 13, 14, 15
"""The tables, by how they stand."""
AT = 1_800_000_000_000
GUILD = PLACE.guild_id
ANA, BRUNO, CHLOE, DORA = (BIG + number for number in range(10, 14))
MADE_UP = 3


def fill(connection: Connection) -> None:
    """Rows in every table; all of them are empty."""
    metadata = MetaData()
    metadata.reflect(connection)
    known = _known()
    for table in metadata.sorted_tables:
        if table.name == "alembic_version":
            continue
        rows = known.get(table.name) or [{} for _ in range(MADE_UP)]
        values = [{c.name: row.get(c.name, _made_up(c, n)) for c in table.columns} for n, row in enumerate(rows)]
        connection.execute(table.insert(), values)


def dump(connection: Connection) -> dict[str, Rows]:
    """All rows of all tables but Alembic's own."""
    names = sorted({*inspect(connection).get_table_names()} - {"alembic_version"})
    return {
        name: [dict(row._mapping) for row in connection.execute(text(f"SELECT * FROM {name}"))]  # noqa: S608 - our own
        for name in names
    }


def lost(before: dict[str, Rows], after: dict[str, Rows]) -> list[tuple[str, dict[str, Any]]]:
    """The rows that are no longer there with the values they had; columns that have come since are left out."""
    return [
        (name, row)
        for name, rows in before.items()
        for row in rows
        if not any(row.items() <= other.items() for other in after.get(name, ()))
    ]


def _made_up(column: Column[Any], n: int) -> Any:
    if column.nullable and not column.primary_key and n % 3 == 2:
        return None
    if column.foreign_keys:
        return OPEN + n
    if isinstance(column.type, Boolean):
        return n % 2 == 0
    if isinstance(column.type, BigInteger):
        return AT + n
    if isinstance(column.type, Integer):
        return 3 + n
    if isinstance(column.type, Float):
        return 25.5 + n
    return f"{n} {column.name}"[: getattr(column.type, "length", None) or 100]


@cache
def _known() -> dict[str, Rows]:
    events, _ = a_match()
    logs = [event_rows(Codec(), table, 1, log, AT + table) for table, log in ((PLAYING, events[:1]), (OVER, events))]
    matches = (OVER, VOID)
    everybody = (ANA, BRUNO, CHLOE, DORA)
    return {
        "tables": list(_tables()),
        "seats": [
            *_seats((OPEN, PLAYING, CANCELLED), ("Ana", ANA), ("Zoé", None), ("Chloé 🍀", CHLOE), ("Dora", DORA)),
            *_seats(matches, ("Ana", ANA), ("Bruno", BRUNO), ("", None), ("Dora", DORA)),
        ],
        "events": [row for log in logs for row in log],
        "rounds": [
            {"table_id": table, "round": number, "points": "[1,0]", "outcome": "kems", "rival_call": "counter"}
            for table in matches
            for number in (1, 2)
        ],
        "rule_sets": [{"guild_id": GUILD, "key": "jeudi", "name": "Jeudi", "line": "preset=classic"}],
        "results": [
            {"table_id": table, "guild_id": GUILD, "number": number, "season": 1, "winner": 0, "scores": "[10,4]",
             "games": "[0,0]", "rounds": 2, "ended_at": AT + number}
            for number, table in enumerate(matches, 5)  # older matches were deleted
        ],
        "ladders": [
            {"guild_id": GUILD, "ranked_presets": '["classic","yokai"]', "season_every": "hand", "zone": "Asia/Tokyo"}
        ],
        "seasons": [{"guild_id": GUILD, "number": 1, "name": "Été", "starts_at": AT - 1, "ends_at": None}],
        "departures": [{"table_id": PLAYING, "user_id": BRUNO, "seat": 1, "name": "Bruno"}],
        "voids": [{"table_id": VOID, "guild_id": GUILD, "by_id": ANA, "reason": "triche"}],
        "players": [
            {"guild_id": GUILD, "user_id": user, "name": f"player {user}", "season": 1, "partners": f"[{ANA}]",
             "is_hidden": user == DORA, "mu": 25.25, "sigma": 8.1, "rated_at": AT, "matches": 1}
            for user in everybody
        ],
        "plays": [
            {"table_id": table, "user_id": user, "guild_id": GUILD, "season": 1, "ended_at": AT, "seat": seat,
             "team": seat % 2, "outcome": 1, "is_ranked": True, "is_void": table == VOID}
            for table in matches
            for seat, user in enumerate((ANA, BRUNO, -77, DORA))
        ],
        "standings": [
            {"guild_id": GUILD, "user_id": user, "season": 1, "is_ranked": is_ranked}
            for user in everybody
            for is_ranked in (True, False)
        ],
        "pairs": [{"guild_id": GUILD, "low_id": ANA, "high_id": DORA, "season": 1, "is_ranked": True}],
        "servers": [{"guild_id": GUILD, "table_channels": "[5,6]", "absence": "robot", "language": "fr"}],
        "season_duties": [
            {"guild_id": GUILD, "season": season, "duty": duty, "progress": "due", "problem": "no_role"}
            for season, duty in ((1, "podium"), (2, "champion"))
        ],
    }  # fmt: skip


def _tables() -> Iterator[dict[str, Any]]:
    states = {OPEN: "open", PLAYING: "playing", OVER: "over", VOID: "over", CANCELLED: "cancelled"}
    for table_id, status in states.items():
        yield {
            "id": table_id,
            "guild_id": GUILD,
            "status": status,
            "locale": "fr",
            "rules": encode_rules(CLASSIC),
            "size": 4,
            "rematch_of": OVER if table_id == CANCELLED else None,
            "rule_set": "Jeudi",
            "theme": "yokai",
            "strategies": encode_strategies({Strategy.DOUBLE}) if status == "over" else None,
            "absence": "substitute",
            "message_round": 2,
            "message_final": status in ("over", "cancelled"),
            "ended_at": AT + table_id if status == "over" else None,
        }


def _seats(tables: tuple[int, ...], *people: tuple[str, int | None]) -> Iterator[dict[str, Any]]:
    for table_id in tables:
        for seat, (name, user_id) in enumerate(people):
            ballot = encode_strategies({Strategy.SPOKEN} if seat % 2 else set())
            yield {"table_id": table_id, "seat": seat, "team": seat % 2, "user_id": user_id, "name": name,
                   "ballot": ballot, "is_away": seat == 3, "is_open": seat == 3}  # fmt: skip
