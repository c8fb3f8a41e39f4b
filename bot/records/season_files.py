"""A whole season as files: one JSON document, or tables as CSV.

A player who opted out of the boards is on no board and in no sum, and has no name in a match, like an erased player.
CSV is for spreadsheets: UTF-8 with a byte order mark, and no cell begins like a formula (owasp.org, "CSV Injection").
User ids are too long for a spreadsheet's numbers, so they are written as Discord writes a mention.
"""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from typing import Any, Final, Protocol

from bot.ladder.columns import COLUMNS, Board, SeatTally
from bot.ladder.seasons import Season
from bot.nights.night import Night
from bot.nights.results.history import turnout
from bot.records.file_batches import Batches, Progress, batches, json_document
from bot.records.history import MATCH_COLUMNS, BoardLine, MatchRecord


@dataclass(frozen=True, slots=True)
class PersonSums:
    """The sums of a player's ranked or friendly matches of the season."""

    user_id: int
    name: str
    is_ranked: bool
    matches: int
    wins: int
    draws: int
    rounds: int
    tally: SeatTally


@dataclass(frozen=True, slots=True)
class MatchPart:
    """A player's part in a match; without a user id, a robot (`is_robot`) or a player who is not named.

    - `outcome`: 1 won, 0 level, -1 lost, None for a robot.
    - `has_left`: another player followed on the same seat.
    """

    seat: int
    team: int
    user_id: int | None
    name: str
    is_robot: bool
    outcome: int | None
    has_left: bool


@dataclass(frozen=True, slots=True)
class SeasonMatch:
    """A finished match, whose record has no people.

    If it was broken off and nobody has won, its `parts` are those of the losers alone.
    """

    record: MatchRecord
    parts: tuple[MatchPart, ...]


@dataclass(frozen=True, slots=True)
class SeasonRecord:
    """A season: all lines of the `boards`, best first; `matches` in the order of their ends.

    The files name nobody of the `nights`.
    """

    guild_id: int
    season: Season
    boards: Mapping[Board, tuple[BoardLine, ...]]
    sums: tuple[PersonSums, ...]
    matches: tuple[SeasonMatch, ...]
    nights: tuple[Night, ...] = ()


class SeasonRecords(Protocol):
    """Reads whole seasons."""

    async def read(self, guild_id: int, season: Season, at: int, progress: Progress | None = None) -> SeasonRecord:
        """Return a season as it is at the instant `at`.

        One season is read at a time; `progress` is kept up to date.

        Raises:
            StoreError: The store fails.
        """


_FORMULA: Final = re.compile(r"[=+\-@\t\r]")
_OUTCOMES: Final = {1: "won", 0: "level", -1: "lost"}

Cell = str | int | None
RowsOf = Callable[[Any], Iterator[Sequence[Cell]]]

_SUMS: Final = ("ranked", "matches", "wins", "draws", "rounds", *(column.name for column in COLUMNS))
_NIGHT: Final = ("night", "title", "starts_at", "status", "format", "signed_up", "came", "missing", "rounds", "tables")
_MATCH: Final = tuple(column.name for column in MATCH_COLUMNS)


def as_json(record: SeasonRecord) -> Batches:
    """Return a season as one JSON document in UTF-8. User ids are strings, since they exceed JavaScript's numbers."""
    about = {"number": record.season.number, "name": record.season.name, "starts_at": _iso(record.season.starts_at)}
    about["ends_at"] = None if record.season.ends_at is None else _iso(record.season.ends_at)
    return json_document((
        ("server_id", str, record.guild_id),
        ("season", dict, about),
        ("boards", _boards, record.boards),
        ("people", _sums, record.sums),
        ("nights", _night, record.nights),
        ("matches", _match, record.matches),
    ))  # fmt: skip


def as_csv(record: SeasonRecord, delimiter: str) -> dict[str, Batches]:
    """Return the CSV files `boards`, `people`, `nights` and `matches`, which has a row for each player of a match."""
    part = ("team", "score", "games", "name", "person", "robot", "outcome", "left")
    boards = [(board, line) for board, lines in record.boards.items() for line in lines]
    people = ("name", "person", *_SUMS)
    return {
        "boards": _table(("board", "place", "name", "person", "value"), _board_rows, boards, delimiter),
        "people": _table(people, _person_rows, record.sums, delimiter),
        "nights": _table([_heading(key) for key in _NIGHT], _night_rows, record.nights, delimiter),
        "matches": _table((*map(_heading, _MATCH), *part), _match_rows, record.matches, delimiter),
    }


def _boards(boards: Mapping[Board, Sequence[BoardLine]]) -> dict[str, Any]:
    return {board.value: [_line(line) for line in lines] for board, lines in boards.items()}


def _line(line: BoardLine) -> dict[str, Any]:
    people = [_person(*who) for who in zip(line.user_ids, line.names, strict=True)]
    return {"place": line.place, "value": line.value, "people": people}


def _night(night: Night) -> dict[str, Any]:
    came, missing = turnout(night)
    return {
        "night": night.number,
        "title": night.plan.title,
        "starts_at": _iso(night.plan.starts_at),
        "status": night.status.value,
        "format": night.plan.format.name,
        "signed_up": sum(sums.joined_at > 0 for sums in night.entrants),
        "came": len(came),
        "missing": len(missing),
        "rounds": len(night.rounds),
        "tables": len(night.all_tables),
    }


def _person(user_id: int | None, name: str) -> dict[str, Any]:
    return {"user_id": None if user_id is None else str(user_id), "name": name or None}


def _sums(person: PersonSums) -> dict[str, Any]:
    sums = _person(person.user_id, person.name) | {
        "ranked": person.is_ranked,
        "matches": person.matches,
        "wins": person.wins,
        "draws": person.draws,
        "rounds": person.rounds,
    }
    return {**sums, **{column.name: column.value(person.tally) for column in COLUMNS}}


def _match(match: SeasonMatch) -> dict[str, Any]:
    result = match.record.result
    values = {column.name: column.value(match.record) for column in MATCH_COLUMNS}
    return {
        **{name: _iso(value) if name.endswith("_at") else value for name, value in values.items()},
        "winner": None if result.winner is None else result.winner + 1,
        "scores": result.scores,
        "games": result.games,
        "people": [
            {
                **_person(part.user_id, part.name),
                "seat": part.seat + 1,
                "team": part.team + 1,
                "robot": part.is_robot,
                "outcome": None if part.outcome is None else _OUTCOMES[part.outcome],
                "left": part.has_left,
            }
            for part in match.parts
        ],
    }


def _board_rows(placed: tuple[Board, BoardLine]) -> Iterator[Sequence[Cell]]:
    board, line = placed[0].value, _line(placed[1])
    for person in line["people"]:
        yield board, line["place"], person["name"], _mention(person), line["value"]


def _person_rows(person: PersonSums) -> Iterator[Sequence[Cell]]:
    sums = _sums(person)
    yield sums["name"], _mention(sums), *(sums[key] for key in _SUMS)


def _night_rows(night: Night) -> Iterator[Sequence[Cell]]:
    values = _night(night)
    yield [_cell(key, values[key]) for key in _NIGHT]


def _match_rows(played: SeasonMatch) -> Iterator[Sequence[Cell]]:
    match = _match(played)
    for part in match["people"]:
        team = part["team"] - 1
        yield (
            *(_cell(key, match[key]) for key in _MATCH),
            *(part["team"], match["scores"][team], match["games"][team]),
            *(part["name"], _mention(part), part["robot"], part["outcome"], part["left"]),
        )


def _heading(key: str) -> str:
    return f"{key}_utc" if key.endswith("_at") else key


def _cell(key: str, value: Any) -> Cell:
    """Return an instant as spreadsheets read it, anything else as in the document."""
    cell: Cell = value.replace("T", " ").removesuffix("Z") if key.endswith("_at") else value
    return cell


def _table(heading: Sequence[str], rows_of: RowsOf, items: Sequence[Any], delimiter: str) -> Batches:
    yield partial(_rows, "utf-8-sig", delimiter, _row, (heading,))
    for some in batches(items):
        yield partial(_rows, "utf-8", delimiter, rows_of, some)


def _rows(encoding: str, delimiter: str, rows_of: RowsOf, items: Sequence[Any]) -> bytes:
    written = StringIO()
    writer = csv.writer(written, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([_harmless(cell) for cell in row] for item in items for row in rows_of(item))
    return written.getvalue().encode(encoding)


def _row(cells: Sequence[Cell]) -> Iterator[Sequence[Cell]]:
    yield cells


def _harmless(cell: Cell) -> Cell:
    """Return a text that no spreadsheet takes for a formula; 1 or 0 for yes or no; numbers unchanged."""
    if isinstance(cell, bool):
        return int(cell)
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _mention(person: Mapping[str, Any]) -> str:
    return "" if person["user_id"] is None else f"<@{person['user_id']}>"


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).isoformat().replace("+00:00", "Z")
