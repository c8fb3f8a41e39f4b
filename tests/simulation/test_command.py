"""`kems simulate` from the command line: its table, its JSON, and what it refuses."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.base.errors import KemsError
from bot.operating.cli import app


def _simulate(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["simulate", "--jobs", "1", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_a_house_rule_stands_beside_its_preset(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    told = _simulate("classic", "target=2", "--levels", "random", "--matches", "3", "--json", str(file))
    for word in ("classic", "target=2", "won by team 1", "minutes a match", "ends by", "matches a second"):
        assert word in told
    data = json.loads(file.read_text())
    assert [item["played"] for item in data["figures"]] == ["classic", "classic target=2"]
    assert data["figures"][0]["matches"] == 3
    assert data["figures"][0]["rounds_a_match"]["mean"] > data["figures"][1]["rounds_a_match"]["mean"]


def test_robots_of_two_levels_are_listed_apart() -> None:
    told = _simulate("escale", "target=2", "--levels", "strong,beginner", "--matches", "2")
    assert "won by strong (team 1)" in told
    assert "won by beginner (team 2)" in told


def test_a_number_of_players_that_the_sheet_does_not_know_is_played() -> None:
    assert "team 6" in _simulate("yokai", "--players", "12", "--levels", "random", "--matches", "1")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("clasic",), "There are no rules named “clasic”"),
        (("classic", "targett=2"), "There is no rule named “targett”"),
        (("--levels", "champion"), "There is no level champion: name any of beginner"),
        (("--levels", "strong,strong,strong"), "one for each of the 2 teams"),
        (("--players", "7"), "players"),
        (("--levels", "random", "--matches", "1", "--json", "nowhere/figures.json"), "cannot be written"),
    ],
)
def test_rules_that_cannot_be_played_and_files_that_cannot_be_written_are_refused(
    arguments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(KemsError, match=sentence):
        _simulate(*arguments)
