"""A season as files: what programs read is whole, what spreadsheets read is harmless."""

import csv
import io
import json
from dataclasses import replace

import pytest

from bot.game.rules.presets import CLASSIC
from bot.ladder.columns import Board, SeatTally
from bot.ladder.seasons import Season
from bot.nights.rounds import TableResult
from bot.records.file_batches import Batches
from bot.records.history import BoardLine, MatchRecord, ResultRecord
from bot.records.season_files import MatchPart, PersonSums, SeasonMatch, SeasonRecord, as_csv, as_json
from tests.nights.evenings import begun, planned

BIG = 2**62 + 1
AT = 1_800_000_000_000  # 15 January 2027, 08:00 UTC

RESULT = ResultRecord(0, (10, -4), (0, 0), 14, AT + 500, 3)
RECORD = SeasonRecord(
    guild_id=BIG,
    season=Season(3, AT, None, "Été"),
    boards={
        Board.RATING: (BoardLine(1, 1512, (BIG + 1,), ("Léa",), 12, 9),),
        Board.DUOS: (BoardLine(1, 4, (BIG + 1, BIG + 2), ("Léa", "=HYPERLINK(1)"), 5, 4),),
    },
    sums=(PersonSums(BIG + 1, "Léa", True, 12, 9, 1, 60, SeatTally(kems=3, kems_ms=61_000, baits=2)),),
    matches=(
        SeasonMatch(
            MatchRecord(7, 1, 2, CLASSIC, False, (), RESULT, None, is_broken_off=True),
            parts=(
                MatchPart(0, 0, BIG + 1, "Léa", False, 1, False),
                MatchPart(1, 1, None, "", False, -1, True),
                MatchPart(1, 1, None, "Zoé", True, None, False),
            ),
        ),
    ),
)


def computed(portions: Batches) -> bytes:
    return b"".join(part() for part in portions)


def cells(data: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    assert data.startswith(b"\xef\xbb\xbf"), "a spreadsheet takes it for UTF-8"
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))


def test_the_json_file_contains_all_data_of_the_season() -> None:
    told = json.loads(computed(as_json(RECORD)))
    assert told["server_id"] == str(BIG)
    assert told["season"] == {"number": 3, "name": "Été", "starts_at": "2027-01-15T08:00:00Z", "ends_at": None}
    assert [one["name"] for one in told["boards"]["duos"][0]["people"]] == ["Léa", "=HYPERLINK(1)"]
    assert told["boards"]["rating"][0]["value"] == 1512
    (lea,) = told["people"]
    assert (lea["user_id"], lea["wins"], lea["seconds_to_kems"], lea["baits"]) == (str(BIG + 1), 9, 20, 2)
    (match,) = told["matches"]
    assert (match["match"], match["ended_at"], match["winner"]) == (7, "2027-01-15T08:00:00Z", 1)
    assert (match["void"], match["broken_off"]) == (False, True)
    assert match["people"][0] == {
        "user_id": str(BIG + 1),
        "name": "Léa",
        "seat": 1,
        "team": 1,
        "robot": False,
        "outcome": "won",
        "left": False,
    }
    assert (match["people"][1]["user_id"], match["people"][1]["name"]) == (None, None)


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_the_csv_files_have_a_line_for_each_item(delimiter: str) -> None:
    tables = {name: cells(computed(table), delimiter) for name, table in as_csv(RECORD, delimiter).items()}
    assert [(row["board"], row["name"], row["value"]) for row in tables["boards"]] == [
        ("rating", "Léa", "1512"),
        ("duos", "Léa", "4"),
        ("duos", "'=HYPERLINK(1)", "4"),
    ]
    (lea,) = tables["people"]
    assert (lea["person"], lea["ranked"], lea["seconds_to_kems"]) == (f"<@{BIG + 1}>", "1", "20")
    assert [(row["ended_at_utc"], row["score"], row["name"], row["robot"]) for row in tables["matches"]] == [
        ("2027-01-15 08:00:00", "10", "Léa", "0"),
        ("2027-01-15 08:00:00", "-4", "", "0"),
        ("2027-01-15 08:00:00", "-4", "Zoé", "1"),
    ]
    assert {(row["void"], row["broken_off"], row["rounds"]) for row in tables["matches"]} == {("0", "1", "14")}
    assert [row["outcome"] for row in tables["matches"]] == ["won", "lost", ""]


def test_nights_are_counted_without_naming_anybody() -> None:
    night = begun(planned(5, starts_at=AT, title="=Soirée"))
    seats = night.rounds[0].tables[0].seats
    night = night.record_result(1, TableResult((3, 1)), AT).mark_absent(seats[0] or 0)
    record = replace(RECORD, nights=(night.end(AT),))
    (row,) = cells(computed(as_csv(record, ",")["nights"]))
    assert list(row.values()) == ["3", "'=Soirée", "2027-01-15 08:00:00", "over", "rotation", "5", "3", "1", "1", "1"]
    assert json.loads(computed(as_json(record)))["nights"][0]["title"] == "=Soirée"
    assert b"P0" not in b"".join(map(computed, as_csv(record, ",").values()))


@pytest.mark.parametrize("name", ["=1+1", "+33", "-1", "@SUM(A1)", "\t=1", "\r=1", 'a"b;c,d\ne'])
def test_no_name_becomes_a_formula_or_a_line_break(name: str) -> None:
    sums = PersonSums(1, name, False, 1, 0, 0, 1, SeatTally())
    record = SeasonRecord(1, RECORD.season, {}, (sums,), ())
    (row,) = cells(computed(as_csv(record, ";")["people"]), ";")
    assert row["name"] == (f"'{name}" if name[0] in "=+-@\t\r" else name)
    assert json.loads(computed(as_json(record)))["people"][0]["name"] == name
