"""The matches in tests/golden hold, and every line of them that expects something is able to fail."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.game.notation.replay import replay_match, replay_text
from bot.game.notation.writer import write_match
from bot.operating.cli import app
from tests.game.matches import what_happened, where_all_lies

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.kgn"))
# What no golden file can truly expect, by the kind of expectation.
NEVER = {
    "refused": "nothing_like_it",
    "phase": "nowhere",
    "hand": "X1 X1",
    "pool": "X1 X1",
    "stock": "99",
    "discard": "99",
    "score": "99 99",
    "games": "9 9",
    "round": "nothing_like_it",
    "match": "#99",
    "shown": "X1 X1",
    "owes": "9",
}
NAMES_A_SEAT = ("hand", "shown", "owes")


def _expectations(text: str) -> list[tuple[int, str, str]]:
    """Line number, kind, and the whole line falsified, for each line that expects something."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("="):
            what, *rest = line[1:].split()
            whose = f"{rest[0]} " if what in NAMES_A_SEAT else ""
            found.append((number, what, f"= {what} {whose}{NEVER[what]}"))
    return found


def test_the_golden_matches_use_every_kind_of_expectation() -> None:
    assert {what for path in GOLDEN for _, what, _ in _expectations(path.read_text("utf-8"))} == set(NEVER)


def test_every_golden_match_replays_as_written() -> None:
    assert [failure for path in GOLDEN for failure in replay_text(path.name, path.read_text("utf-8"))] == []


@pytest.mark.parametrize("paths", [GOLDEN[::4], pytest.param(GOLDEN, marks=pytest.mark.long)], ids=["few", "all"])
def test_every_expectation_can_fail(paths: Sequence[Path]) -> None:
    for path in paths:
        _check_expectations(path)


def _check_expectations(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = text.splitlines()
    assert _expectations(text)
    for number, what, falsified in _expectations(text):
        broken = [*lines[: number - 1], falsified, *lines[number:]]
        failures = replay_text(path.name, "\n".join(broken))
        assert len(failures) == 1, failures
        said, got = failures[0].split(", got ")
        assert said == f"{path.name}:{number}: expected {falsified.removeprefix('= ')}"
        assert got.startswith(f"{what} ")


def test_an_unexpected_refusal_fails_the_match() -> None:
    for path in GOLDEN:
        lines = path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            if line.startswith("= refused"):
                broken = [*lines[: number - 1], "", *lines[number:]]
                code = line.split()[2]
                wanted = f"{path.name}:{number - 1}: expected the move to be taken, got refused {code}"
                assert replay_text(path.name, "\n".join(broken)) == [wanted]


def test_a_golden_match_is_the_same_when_it_is_written_again() -> None:
    """Times, chance and moves survive; refused moves and comments are not part of a match."""
    for path in GOLDEN:
        played, log = replay_match(path.read_text("utf-8"))
        again, log_again = replay_match(write_match(log, played.head.names))
        assert what_happened(log_again) == what_happened(log), path.name
        assert where_all_lies(again.state) == where_all_lies(played.state), path.name


def test_kems_replay_passes_every_golden_match_and_fails_a_broken_one(tmp_path: Path) -> None:
    outcome = CliRunner().invoke(app, ["replay", *map(str, GOLDEN)])
    assert (outcome.exit_code, outcome.output.splitlines()) == (0, [f"ok {path}" for path in GOLDEN])

    text = next(path for path in GOLDEN if path.stem == "classic-kems").read_text("utf-8")
    line = 1 + text.splitlines().index("= discard 4")
    bad = tmp_path / "bad.kgn"
    bad.write_text(text.replace("= discard 4", "= discard 5"), "utf-8")
    outcome = CliRunner().invoke(app, ["replay", str(bad), str(GOLDEN[0])])
    expected = [f"{bad}:{line}: expected discard 5, got discard 4", f"ok {GOLDEN[0]}"]
    assert (outcome.exit_code, outcome.output.splitlines()) == (1, expected)
