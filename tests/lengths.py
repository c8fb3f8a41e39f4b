"""How long the project's files are. A long one is named at the end of the tests and fails none of them."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
MANY_LINES = 500


def long_files(lines: int = MANY_LINES) -> dict[str, int]:
    """The Python files of more than so many lines, the longest first, each with its number of lines; no revisions."""
    files = (file for room in ("bot", "tests") for file in (ROOT / room).rglob("*.py"))
    lengths = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8").count("\n") for file in files}
    return dict(sorted(((n, c) for n, c in lengths.items() if c > lines), key=lambda each: -each[1]))
