"""The table in `docs/performance.md`: a row for each figure with a target, of the newest run of its part."""

from pathlib import Path
from typing import Final

from tests.bench.figures import Figure, told
from tests.bench.report import Measured, Run, ratio, usual

PAGE: Final = Path(__file__).parents[2] / "docs" / "performance.md"
_COLUMNS: Final = ("part", "figure", "measured", "reference", "ratio", "target", "verdict", "commit")
HEAD: Final = "".join(f"| {' | '.join(cells)} |\n" for cells in (_COLUMNS, ["---"] * len(_COLUMNS)))


def write_page(run: Run, page: Path = PAGE) -> None:
    """Put the figures of these parts into the table of the page, which keeps the rows of the other parts.

    Raises ValueError where the page has no table.
    """
    before, head, rest = page.read_text(encoding="utf-8").partition(HEAD)
    if not head:
        raise ValueError(f"{page} has no table that begins with these columns: {', '.join(_COLUMNS)}.")
    rows, _, after = rest.partition("\n\n")
    kept = rows.splitlines()
    for measured in run.values():
        title = f"| {measured.part.title} |"
        at = next((number for number, row in enumerate(kept) if row.startswith(title)), len(kept))
        kept = [row for row in kept if not row.startswith(title)]
        kept[at:at] = [_row(measured, figure) for figure in measured.part.figures if str(figure.target)]
    page.write_text(before + head + "\n".join(kept) + "\n\n" + after.lstrip("\n"), encoding="utf-8")


def _row(measured: Measured, figure: Figure) -> str:
    busy = ", busy" if measured.conditions.is_busy else ""
    cells = (
        *(measured.part.title, figure.name, f"{told(figure.value)} {figure.unit}", usual(figure), ratio(figure)),
        *(str(figure.target), figure.verdict, f"{measured.conditions.commit}, {measured.conditions.began}{busy}"),
    )
    return f"| {' | '.join(cells)} |"
