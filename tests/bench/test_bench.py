"""The benchmarks in their shortest form: every part measures, and the report says what. No time is judged."""

import sys
from itertools import islice
from math import isfinite
from pathlib import Path

import pytest

from bot.game.actions import MakeGesture, PutDown, Take
from bot.game.rules.presets import PRESETS
from tests.bench import press_path
from tests.bench.__main__ import main
from tests.bench.core import COUNTED, actions, moves
from tests.bench.figures import Figure, Part, Target, Verdict
from tests.bench.page import HEAD, write_page
from tests.bench.parts import PARTS
from tests.bench.report import Conditions, Measured, as_text

TOO_LONG = {"put_down", "busy", "busy_postgres", "night", "quick_players"}
"""Teams take ten seconds to settle their signs; `tests/rig/test_load.py` opens tables so, a night's too."""
LONG = {"history_postgres", "memory"}
"""One is another on PostgreSQL; the other starts bots in processes of their own."""
MEASURED = [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in PARTS if name not in TOO_LONG]


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize("name", MEASURED)
def test_each_part_measures(name: str) -> None:
    if name == "core":
        pytest.importorskip("chess", reason="python-chess is not installed: run make bench")
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


@pytest.mark.parametrize("preset", PRESETS)
def test_gestures_are_neither_made_nor_counted(preset: str) -> None:
    made = list(islice(actions(preset, 1), 800))
    assert not any(isinstance(action, MakeGesture) for action in made)
    assert {PutDown, Take} <= {type(action) for action in made if type(action) in COUNTED}
    assert MakeGesture not in COUNTED
    assert 0 < sum(type(action) in COUNTED for action in made) < len(made)
    assert sum(islice(moves(preset, 1), 300)) == 300


def test_without_python_chess_the_part_that_needs_it_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], logging_restored: None
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    assert main(["core", "panel", "--short"]) == 1
    out = capsys.readouterr().out
    assert "core: not measured. python-chess is not installed" in out
    assert "a panel alone, state to JSON" in out


@pytest.mark.usefixtures("logging_restored")
async def test_the_path_of_a_press_is_followed_to_its_end() -> None:
    traced = await press_path.trace()
    assert traced.is_complete
    short, durable, whole = (set(span.files) for span in (traced.to_append, traced.to_commit, traced.all))
    assert short < durable < whole
    assert "bot/store/tables/journal.py" in short
    assert "bot/ui/table/pages/board.py" in whole


def test_a_page_shows_no_short_run(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["core", "--short", "--page"], ["nothing"]):
        with pytest.raises(SystemExit):
            main(arguments)
    assert "there is no part nothing" in capsys.readouterr().err


def test_the_page_shows_each_part_as_it_was_measured_last(tmp_path: Path) -> None:
    def measured(title: str, commit: str, load: float = 0.0) -> Measured:
        figure = Figure("a put-down", "ms", (1.0, 2.0, 3.0), "ms, the bare bot", (2.0, 2.0, 2.0), Target(most=1.1))
        return Measured(Part(title, "It is measured.", [figure]), Conditions("2026-11-23", commit, load=load))

    page = tmp_path / "performance.md"
    page.write_text(f"# Performance\n\n{HEAD}\n\n## Limits\n\nLess is hardly possible.\n", encoding="utf-8")
    write_page({"put_down": measured("A press", "1111111"), "core": measured("The core", "1111111")}, page)
    write_page({"put_down": measured("A press", "2222222", load=3.0)}, page)
    shown = "a put-down | 2.00 ms | 2.00 ms, the bare bot | 1.00 x (0.5 to 1.50) | 1.1 x or less | met"
    rows = f"| A press | {shown} | 2222222, 2026-11-23, busy |\n| The core | {shown} | 1111111, 2026-11-23 |\n"
    text = page.read_text(encoding="utf-8")
    assert text == f"# Performance\n\n{HEAD}{rows}\n## Limits\n\nLess is hardly possible.\n"
    page.write_text("# Performance\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has no table"):
        write_page({}, page)
