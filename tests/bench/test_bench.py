"""The benchmarks in their shortest form: every part measures, and the report says what. No time is judged."""

import sys
from itertools import islice
from math import isfinite
from pathlib import Path

import pytest

from bot.game.actions import MakeGesture, PutDown, Take
from bot.game.rules.presets import PRESETS
from tests.bench import __main__ as command
from tests.bench import busy, history, memory, press_cost, press_path
from tests.bench.__main__ import main
from tests.bench.core import COUNTED, actions, moves
from tests.bench.figures import Figure, Part, Target, Verdict, at_least, at_most, told
from tests.bench.page import ANSWERS, FIGURES, PAGE, write_page
from tests.bench.parts import PARTS
from tests.bench.report import Conditions, Measured, as_text

TOO_LONG = {"put_down", "busy", "busy_postgres", "night", "quick_players"}
"""Teams take ten seconds to settle their signs; `tests/rig/test_load.py` opens tables so, a night's too."""
GATE = {"core", "limits", "duels"}
"""One that needs another package, one in virtual time, and one that reads a file."""
ANSWERED = {
    "memory": {"How long does a start take?", "How much memory does it need?"},
    "history": {"Does a question about the past hold up play?"},
}
MEASURED = [pytest.param(name, marks=[pytest.mark.long] * (name not in GATE)) for name in PARTS if name not in TOO_LONG]


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize("name", MEASURED)
def test_each_part_returns_a_measurement(name: str) -> None:
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
    told = as_text(part)
    assert all(each in told for each in (*(figure.name for figure in part.figures), *part.answers.values()))
    assert set(part.answers) == ANSWERED.get(name, set())


@pytest.mark.parametrize("preset", PRESETS)
def test_no_gestures_are_made_while_a_match_is_measured(preset: str) -> None:
    made = list(islice(actions(preset, 1), 800))
    assert not any(isinstance(action, MakeGesture) for action in made)
    assert {PutDown, Take} <= {type(action) for action in made if type(action) in COUNTED}
    assert MakeGesture not in COUNTED
    assert 0 < sum(type(action) in COUNTED for action in made) < len(made)
    assert sum(islice(moves(preset, 1), 300)) == 300


def test_the_part_that_needs_python_chess_is_named_when_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], logging_restored: None
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    monkeypatch.setattr(command, "steps_a_second", lambda: 1e7)  # it takes more than a second to find out
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


def test_the_page_shows_no_figures_of_a_short_run(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["core", "--short", "--page"], ["nothing"]):
        with pytest.raises(SystemExit):
            main(arguments)
    assert "there is no part nothing" in capsys.readouterr().err


def measured(part: Part, commit: str, load: float = 0.0) -> Measured:
    return Measured(part, Conditions("2026-11-23", commit, load=load))


def test_the_page_shows_each_part_as_it_was_measured_last(tmp_path: Path) -> None:
    def of(title: str, *values: float) -> Part:
        beside = ("ms, the bare bot", (2.0,) * len(values))
        shown = Figure("a put-down", "ms", values, *beside, Target(most=1.1, if_missed="nobody feels it"))
        unshown = Figure("a panel", "ms", values)
        return Part(title, "It is measured.", [shown, unshown], answers={f"{title}?": f"{told(shown.value)} ms."})

    page = tmp_path / "performance.md"
    page.write_text(f"# Performance\n\n{ANSWERS}\n## Figures\n\n{FIGURES}\n## Limits\n\nLess?\n", encoding="utf-8")
    write_page({"put_down": measured(of("A press", 1.0), "1111111"), "core": measured(of("A start", 3.0), "1")}, page)
    write_page({"put_down": measured(of("A press", 1.0, 2.0, 3.0), "2222222", load=3.0)}, page)
    commit, other = "2222222, 2026-11-23, busy", "1, 2026-11-23"
    answers = f"| A press? | 2.00 ms. | {commit} |\n| A start? | 3.00 ms. | {other} |\n"
    press = f"2.00 ms | 2.00 ms, the bare bot | 1.00 x (0.5 to 1.50) | 1.1 x or less | met | {commit}"
    start = f"3.00 ms | 2.00 ms, the bare bot | 1.50 x | 1.1 x or less | missed: nobody feels it | {other}"
    figures = f"| A press | a put-down | {press} |\n| A start | a put-down | {start} |\n"
    text = page.read_text(encoding="utf-8")
    assert text == f"# Performance\n\n{ANSWERS}{answers}\n## Figures\n\n{FIGURES}{figures}\n## Limits\n\nLess?\n"
    page.write_text(f"# Performance\n\n{FIGURES}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"has no table that begins with this line: \| question \| answer"):
        write_page({"put_down": measured(of("A press", 1.0), "1111111")}, page)


def test_five_sentences_say_what_the_figures_mean() -> None:
    press = Figure("a press", "ms", (3.52,), "ms, the bare bot", (3.2,))
    assert press_cost.answer(press).startswith("3.52 ms of a core with all the edits that it causes, 1.10 times what")
    assert "(1.05 to 1.30 times from run to run)" in press_cost.answer(press)
    dear = Figure("a press", "ms", (4.8,), "ms, the bare bot", (3.2,))
    assert "(1.05 to 1.50 times from run to run)" in press_cost.answer(dear)
    assert busy.answer(Figure("tables", "tables", (40,), target=at_least(80))).startswith("40 busy ones, 160 people")
    empty, table = Figure("empty", "MiB", (99.2,)), Figure("a table", "KiB", (64.0,))
    restoring, start = Figure("restoring", "s", (1.5,)), Figure("start", "s", (0.7,))
    starts, needs = memory.answers(1_000, empty, table, restoring, start).values()
    assert starts.startswith("0.7 s until the bot is connected, and 1.50 s more with 1,000 running tables:")
    assert needs.startswith("99.2 MiB without a table and 64.0 KiB for each live one")
    assert "62.5 MiB for 1,000:" in needs
    beside = Figure("a press", "ms", (21.3,), "no question", (2.0,), at_most(50))
    assert "(void of a match) 99 of 100 presses are saved within 21.3 ms, beside none within 2.00 ms: no player" in (
        history.answer(100_000, "void of a match", beside)
    )
    late = Figure("a press", "ms", (60.0,), "no question", (2.0,), at_most(50))
    assert history.answer(100_000, "void of a match", late).endswith("players notice it.")


def test_the_page_begins_with_five_answers_and_explains_each_miss() -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(ANSWERS)
    assert "## " not in before, "they stand first"
    assert [row.split(" | ")[0].lstrip("| ") for row in rest.partition("\n\n")[0].splitlines()] == [
        *("What does a press cost?", "How many tables does a core carry?", "How long does a start take?"),
        *("How much memory does it need?", "Does a question about the past hold up play?"),
    ]
    rows = page.partition(FIGURES)[2].partition("\n\n")[0].splitlines()
    verdicts = [row.split(" | ")[6] for row in rows]
    assert {"met", "missed"} >= {verdict.partition(": ")[0] for verdict in verdicts}
    assert "missed" not in verdicts, "a miss that stays has its sentence in `if_missed`"
