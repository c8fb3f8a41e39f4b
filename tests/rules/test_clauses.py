"""Every clause of the rule sheets has its case: a test, or a line of one, that begins with the sheet and the number."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

from tests.rules.clauses import CLAUSES
from tests.rules.test_alike import ALIKE
from tests.rules.test_lines import LINES

HERE = Path(__file__).parent
ABOUT_ALL_SHEETS = {"test_clauses.py", "test_presets.py", "test_lines.py", "test_alike.py"}
SHAPE = re.compile(r"test_([a-z0-9]+)_([0-9]+)_[a-z0-9_]+")


def cases() -> list[str]:
    """The names of all tests of single clauses, of `test_lines` and `test_alike`."""
    files = [path for path in sorted(HERE.glob("test_*.py")) if path.name not in ABOUT_ALL_SHEETS]
    nodes = [node for path in files for node in ast.parse(path.read_text("utf-8")).body]
    named = [node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    listed = [line.clause for line in LINES] + [clause for presets in ALIKE.values() for clause in presets]
    return [*named, *(f"test_{clause}_of_a_list" for clause in listed)]


def clause_of(case: str) -> tuple[str, int] | None:
    found = SHAPE.fullmatch(case)
    return None if found is None else (found[1], int(found[2]))


def without_a_case(names: Iterable[str]) -> list[str]:
    """The clauses that none of these tests is about."""
    tested = {clause_of(name) for name in names}
    return [
        f"{sheet}_{number:02} {words}"
        for sheet, clauses in CLAUSES.items()
        for number, words in clauses.items()
        if (sheet, number) not in tested
    ]


def of_no_clause(names: Iterable[str]) -> list[str]:
    """The tests that name no clause, or one that is not listed."""
    known = {(sheet, number) for sheet, clauses in CLAUSES.items() for number in clauses}
    return [name for name in names if clause_of(name) not in known]


def test_every_clause_has_a_case() -> None:
    lacking = without_a_case(cases())
    assert lacking == [], "add a line to tests/rules/test_lines.py for each, or a test with its sheet and number"


def test_every_case_names_a_clause() -> None:
    assert of_no_clause(cases()) == [], "add these clauses to tests/rules/clauses.py"


def test_no_clause_is_listed_twice() -> None:
    for clauses in CLAUSES.values():
        assert len(set(clauses.values())) == len(clauses)
        assert list(clauses) == sorted(clauses), "list them in tests/rules/clauses.py by their numbers"
