"""Names follow the field's terms: those that were given up do not come back, and no class name stands twice."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1] / "bot"
TREES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(ROOT.rglob("*.py"))
    if path.relative_to(ROOT).parts[0] != "sandbox"
}
RETIRED = {
    "accompany": "attach_to",
    "at_rest": "with_verbs_enabled",
    "attempted": "attempt",
    "Claims": "SeatReservations",
    "Damaged": "DamagedTable",
    "defuse": "escape_markdown",
    "give_back": "release, refund",
    "give_up": "release",
    "have_room": "acquire",
    "heirs": "reserved_for",
    "inert": "neutralise",
    "keep_open": "save_open_channels",
    "let_go": "leave_tables",
    "LiveCode": "TableRefusalCode",
    "LiveRefusal": "TableRefusal",
    "Moderated": "ModerationDone",
    "noting": "log_failures",
    "OfShard": "ShardResource",
    "or_later": "continue_when_slow",
    "people_apart": "disambiguate_players",
    "publish_in_turn": "publish_and_wait",
    "request_in_turn": "acquire_and_record",
    "saying_so": "with_progress",
    "Sight": "ChannelAccess",
    "told_apart": "disambiguate",
    "troubles": "problems",
    "turning_row": "page_buttons",
    "undone_if_refused": "undo_if_refused",
}
"""What is said instead of a name, as a whole identifier; words within longer names are free."""
TWICE = {"End"}
"""The end of a match is a part of the rules, that of a practice round its result."""


def identifiers(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def test_no_retired_name_comes_back() -> None:
    found = {
        f"{path}: {name}, say {RETIRED[name]}"
        for path, tree in TREES.items()
        for name in identifiers(tree)
        if name in RETIRED
    }
    assert sorted(found) == []


def test_no_class_name_stands_twice() -> None:
    counts = Counter(node.name for tree in TREES.values() for node in tree.body if isinstance(node, ast.ClassDef))
    assert {name for name, count in counts.items() if count > 1} <= TWICE
