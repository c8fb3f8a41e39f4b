"""The benchmarks in their shortest form: every part measures, and the report says what. No time is judged."""

from __future__ import annotations

from itertools import islice
from math import isfinite
from pathlib import Path

import pytest

from bot.game.actions import MakeGesture, PutDown, Take
from bot.game.rules.presets import PRESETS
from tests.bench import press_path, race
from tests.bench.__main__ import main
from tests.bench.core import COUNTED, actions, moves
from tests.bench.figures import Figure, Part, Target, Verdict
from tests.bench.page import write_page
from tests.bench.parts import PARTS
from tests.bench.report import Conditions, Measured, as_json, as_text, read

TOO_LONG = {"put_down", "throughput", "busy", "busy_postgres", "night"}
"""Teams take ten seconds to settle their signs; `tests/rig/test_load.py` opens tables so, a night's too."""
SLOW = {"memory"}
"""It starts bots in processes of their own."""
NEEDS_ENGINES = {"core", "playouts"}
MEASURED = [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in PARTS if name not in TOO_LONG]


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize("name", MEASURED)
def test_each_part_measures(name: str, tmp_path: Path) -> None:
    if name in NEEDS_ENGINES and not race.PYTHON.exists():
        pytest.skip("the engines of other games are not installed: run make bench")
    part = PARTS[name].run(**PARTS[name].short)
    assert part.title
    assert part.method
    assert part.figures
    for figure in part.figures:
        assert figure.name
        assert figure.unit
        assert figure.rounds
        assert all(isfinite(value) for value in (*figure.rounds, *figure.references))
        assert len(figure.references) in (0, len(figure.rounds))
        assert bool(figure.references) == bool(figure.reference)
        assert all(reference > 0 for reference in figure.references)
        if figure.target != Target():
            assert figure.verdict is not Verdict.SHOWN
    assert any(figure.target != Target() for figure in part.figures)
    told = as_text(part)
    assert all(figure.name in told for figure in part.figures)
    file = tmp_path / "run.json"
    run = {name: Measured(part, Conditions())}
    file.write_bytes(as_json(run))
    assert read(file) == run


@pytest.mark.parametrize("preset", PRESETS)
def test_gestures_are_neither_made_nor_counted(preset: str) -> None:
    made = list(islice(actions(preset, 1), 3000))
    assert not any(isinstance(action, MakeGesture) for action in made)
    assert {PutDown, Take} <= {type(action) for action in made if type(action) in COUNTED}
    assert MakeGesture not in COUNTED
    assert 0 < sum(type(action) in COUNTED for action in made) < len(made)
    assert sum(islice(moves(preset, 1), 3000)) == 3000


def test_without_the_engines_what_needs_them_is_said_to_be_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], logging_restored: None
) -> None:
    monkeypatch.setattr(race, "PYTHON", Path("nowhere/bin/python"))
    assert main(["core", "panel", "--short"]) == 1
    out = capsys.readouterr().out
    assert "core: not measured. The engines of other games are not installed" in out
    assert "a panel alone, state to JSON" in out


@pytest.mark.usefixtures("logging_restored")
async def test_the_path_of_a_press_is_followed_to_its_end() -> None:
    traced = await press_path.trace()
    assert traced.is_complete
    short, durable, whole = (set(span.files) for span in (traced.to_append, traced.to_commit, traced.all))
    assert short < durable < whole
    assert "bot/store/tables/journal.py" in short
    assert "bot/ui/table/public/board.py" in whole


def test_a_page_shows_no_short_run(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["core", "--short", "--page"], ["nothing"]):
        with pytest.raises(SystemExit):
            main(arguments)
    assert "there is no part nothing" in capsys.readouterr().err


def test_the_page_shows_both_runs_and_the_profile(tmp_path: Path) -> None:
    figure = Figure("a put-down", "ms", (1.0, 2.0, 3.0), "ms, the bare bot", (2.0, 2.0, 2.0), Target(most=1.0))
    run = {"put_down": Measured(Part("One press", "It is pressed.", [figure], ["a note"]), Conditions(pace=12.34))}
    before = {"put_down": Measured(Part("One press", "It was slow."), Conditions(commit="abc1234"))}
    stored = tmp_path / "performance"
    stored.mkdir()
    stored.joinpath("before.json").write_bytes(as_json(before))
    stored.joinpath("limits.md").write_text("Less is hardly possible.\n", encoding="utf-8")
    stored.joinpath("profile.txt").write_text("half of it is JSON\n", encoding="utf-8")
    text = write_page(run, tmp_path).read_text(encoding="utf-8")
    shown = ["a put-down", "a note", "Less is hardly possible.", "half of it is JSON"]
    order = ["# Performance", "## Method", "## This version", *shown, "## Before"]
    assert [*sorted(order, key=text.index)] == order
    assert "12.3 million steps of a loop a second" in text
    assert "commit abc1234" in text
    assert read(stored / "after.json") == run


def test_the_page_keeps_the_parts_that_are_not_measured_again(tmp_path: Path) -> None:
    def measured(title: str, commit: str, load: float = 0.0) -> Measured:
        return Measured(Part(title, "It is measured."), Conditions(commit=commit, load=load))

    write_page({"core": measured("The core", "1111111"), "put_down": measured("A press", "1111111")}, tmp_path)
    text = write_page({"core": measured("The core", "2222222", load=3.0)}, tmp_path).read_text(encoding="utf-8")
    press, core = text.split("### A press")[1].split("### The core")
    assert "commit 1111111" in press
    assert "BUSY" not in press
    assert "commit 2222222" in core
    assert "BUSY" in core
