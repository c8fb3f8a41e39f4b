"""The two tables of `docs/performance.md`: what operators ask, and each figure with a target."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.bench.figures import Figure, told
from tests.bench.report import Run, ratio, usual

PAGE: Final = Path(__file__).parents[2] / "docs" / "performance.md"
_COLUMNS: Final = ("part", "figure", "measured", "reference", "ratio", "target", "verdict", "commit")
_QUESTIONS: Final = ("question", "answer", "commit")


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _head(columns: Sequence[str]) -> str:
    return f"{_row(*columns)}\n{_row(*['---'] * len(columns))}\n"


ANSWERS: Final = _head(_QUESTIONS)
FIGURES: Final = _head(_COLUMNS)


def write_page(run: Run, page: Path = PAGE) -> None:
    """Put the figures of these parts into the tables of the page, which keep the rows of the other parts.

    Raises ValueError where the page has not both tables.
    """
    text = page.read_text(encoding="utf-8")
    for measured in run.values():
        part, conditions = measured.part, measured.conditions
        commit = f"{conditions.commit}, {conditions.began}{', busy' if conditions.is_busy else ''}"
        for question, answer in part.answers.items():
            text = _renewed(text, ANSWERS, question, [_row(question, answer, commit)])
        shown = [_shown(part.title, figure, commit) for figure in part.figures if str(figure.target)]
        text = _renewed(text, FIGURES, part.title, shown)
    page.write_text(text, encoding="utf-8")


def _renewed(text: str, head: str, first: str, rows: list[str]) -> str:
    """The page with these rows instead of those that begin with this cell; at the end of its table if there are none.

    Raises ValueError.
    """
    before, found, rest = text.partition(head)
    if not found:
        raise ValueError(f"{PAGE.name} has no table that begins with this line: {head.splitlines()[0]}")
    table, _, after = f"\n{rest}".partition("\n\n")
    kept, start = table.strip().splitlines(), f"| {first} |"
    at = next((number for number, row in enumerate(kept) if row.startswith(start)), len(kept))
    kept = [row for row in kept if not row.startswith(start)]
    kept[at:at] = rows
    return before + head + "\n".join(kept) + "\n\n" + after.lstrip("\n")


def _shown(title: str, figure: Figure, commit: str) -> str:
    value = f"{told(figure.value)} {figure.unit}"
    return _row(
        title, figure.name, value, usual(figure), ratio(figure), str(figure.target), figure.told_verdict, commit
    )
