"""Names follow the field's terms: those that were given up do not come back, and no class name stands twice."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1] / "bot"
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
WORDS = {
    "among": "ranked_by, the set itself",
    "around": "context",
    "asked": "requirements, requested, question",
    "begin": "start",
    "beside": "run_in_worker_process, sibling",
    "finish": "stop, wait, close",
    "held": "owned, decisive_cards",
    "here": "the place itself",
    "is_restored": "may_already_be_posted",
    "met": "opponents",
    "one": "what the loop runs over: row, seat, night, attempt",
    "said": "sentence, metadata, report",
    "settle": "confirm, agree, decide",
    "shown": "visible_cards, displayed_rating",
    "taken": "used",
    "tell": "notify",
    "thing": "what it is",
    "told": "notified_user_ids, values, lines",
    "way": "what it is",
    "Among": "RankedBy",
    "Around": "PostContext",
    "Beside": "WorkerProcess",
    "Cost": "LeavingPenalty",
    "Every": "SeasonLength",
    "Excess": "OnExcess",
    "Gates": "RankedRules",
    "Goal": "TargetHand",
    "Here": "ReaderRights",
    "Shows": "ShownTo",
    "Spot": "MessageAddress, PageKey, Placement",
}
"""Words that nothing is called; names of libraries and what they overload are not ours."""
EXEMPT = {("game", "shown"), ("game", "taken")}
"""By the rules cards are shown and taken."""


@cache
def trees() -> dict[str, ast.Module]:
    paths = {path.relative_to(ROOT): path for path in sorted(ROOT.rglob("*.py"))}
    return {
        name.as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for name, path in paths.items()
        if name.parts[0] != "sandbox"
    }


def identifiers(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name


def bound(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(asname=str() as name) | ast.MatchAs(name=str() as name):
                yield name


def test_no_name_consists_of_a_meaningless_word() -> None:
    found = {
        f"{path}: {name}, say {WORDS[name]}"
        for path, tree in trees().items()
        for name in bound(tree)
        if name in WORDS and (path.split("/")[0], name) not in EXEMPT
    }
    assert sorted(found) == []


def test_no_retired_name_comes_back() -> None:
    found = {
        f"{path}: {name}, say {RETIRED[name]}"
        for path, tree in trees().items()
        for name in identifiers(tree)
        if name in RETIRED
    }
    assert sorted(found) == []


def test_no_class_name_is_used_twice() -> None:
    counts = Counter(node.name for tree in trees().values() for node in tree.body if isinstance(node, ast.ClassDef))
    assert {name for name, count in counts.items() if count > 1} == set()
