"""Plants faults in a room, one at a time, and lists those that its tests do not find: `make mutants ROOM=ui/night`.

A fault is another operator or constant, a condition, a statement or an argument left out, `min` for `max`, the last for
the first. Each fault gets a process of its own, which stops at the first test that fails: the tests that import the
file, the own tests of its folder, then those of the room (`tests/rooms.py`). Faults that change nothing stand in
`tests/equivalent_mutants.txt` and are not planted.
"""

import argparse
import ast
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import SourceFileLoader
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.rooms import PROJECT, own_tests

EQUIVALENT: Final = Path(__file__).with_name("equivalent_mutants.txt")
SWAPPED: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
CONDITIONS: Final = ("where", "and_", "or_", "min", "max")
"""Calls of which any argument may be left out; of others the last one, or one that is named."""
OPPOSITES: Final = {"min": "max", "max": "min"}
FIRST_OR_LAST: Final = {"0": -1, "-1": 0}
CHECKS: Final = ("strict",)
"""Arguments that only let a mistake of ours fail sooner."""
UNTESTED: Final = ("_log.", "TYPE_CHECKING", "super().__init__")
"""Beginnings of statements that are not left out."""
MOST_CHARACTERS: Final = 160
"""How much of a statement is shown."""


def faults(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=others) if type(op) in SWAPPED:
            yield ast.Compare(left, [SWAPPED[type(op)]()], others)  # type: ignore[list-item]
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(SWAPPED[type(op)](), values)  # type: ignore[arg-type]
            yield from (ast.BoolOp(op, [*values[:i], *values[i + 1 :]]) for i in range(len(values)) if len(values) > 2)
            yield from values if len(values) == 2 else ()
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
            yield from (left, right)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield ast.BinOp(left, SWAPPED[type(op)](), right)  # type: ignore[arg-type]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Call() if not ast.unparse(node).startswith(UNTESTED):
            yield from other_calls(node)
        case ast.Subscript(value=value, slice=place, ctx=ast.Load()) if ast.unparse(place) in FIRST_OR_LAST:
            yield ast.Subscript(value, ast.Constant(FIRST_OR_LAST[ast.unparse(place)]), ast.Load())
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await() as done) if not ast.unparse(done).startswith(UNTESTED):
            yield ast.Pass()
        case ast.If(test=test, orelse=[]) if not ast.unparse(test).startswith(UNTESTED):
            yield ast.Pass()
        case ast.AugAssign() | ast.Delete() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()


def other_calls(call: ast.Call) -> Iterator[ast.Call]:
    """The call with an argument less, or of the opposite function."""
    func, args, named = call.func, call.args, call.keywords
    name = ast.unparse(func).rpartition(".")[2]
    if isinstance(func, ast.Name) and name in OPPOSITES:
        yield ast.Call(ast.Name(OPPOSITES[name], ast.Load()), args, named)
    if len(args) > 1:
        left_out = range(len(args)) if name in CONDITIONS else [len(args) - 1]
        yield from (ast.Call(func, [*args[:i], *args[i + 1 :]], named) for i in left_out)
    for i, left_out in enumerate(named):
        if left_out.arg not in CHECKS:
            yield ast.Call(func, args, [*named[:i], *named[i + 1 :]])


def points(tree: ast.AST, where: str = "") -> Iterator[tuple[str, ast.AST, str, int | None]]:
    """The function, the parent and its field of each node that runs; with its place, where that field is a list."""
    skipped = {"annotation", "returns", "decorator_list", "type_params"}
    for name, value in ast.iter_fields(tree):
        for place, node in enumerate(value if isinstance(value, list) else [value]):
            is_check = isinstance(node, ast.keyword) and node.arg in CHECKS
            if isinstance(node, ast.AST) and name not in skipped and not is_check:
                inner = f"{where}.{node.name}" if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else where
                yield inner.strip("."), tree, name, place if isinstance(value, list) else None
                yield from points(node, inner)


def planted(file: Path) -> Iterator[tuple[str, ast.Module]]:
    """Each fault of a file: what it is in one line, and the file with it, until the next is asked for."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for where, parent, name, place in list(points(tree)):
        there = vars(parent) if place is None else getattr(parent, name)
        key = name if place is None else place
        node = there[key]
        for fault in faults(node):
            there[key] = ast.fix_missing_locations(ast.copy_location(fault, node))
            old, new = (" ".join(ast.unparse(code).split())[:MOST_CHARACTERS] for code in (node, fault))
            yield f"{file.relative_to(PROJECT)} {where}: {old} -> {new}", tree
            there[key] = node


def tests_for(room: str, file: Path) -> list[str]:
    """The own tests of the file's folder and of the room, the nearest first."""
    folder = file.relative_to(PROJECT / "bot").parent
    rooms = [part.as_posix() for part in (folder, *folder.parents) if part.is_relative_to(room)]
    names = [name for inner in (*rooms, room) for name in own_tests(inner)]
    found = [PROJECT / name for name in names]
    files = [test for path in found for test in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path])]
    module = re.compile(rf"bot\.{folder.as_posix().replace('/', '.')}(?:\.| import .*?\b){file.stem}\b")
    return sorted(dict.fromkeys(map(str, files)), key=lambda name: module.search(Path(name).read_text("utf-8")) is None)


def equivalent() -> set[str]:
    """Return the faults that change nothing, as `planted` tells them."""
    return {line.partition("  # ")[0] for line in EQUIVALENT.read_text(encoding="utf-8").splitlines()}


def run(room: str, file: Path, tree: ast.Module) -> int:
    """Runs the room's tests with a fault in this process; pytest's exit status."""
    get_code, code = SourceFileLoader.get_code, compile(ast.unparse(tree), str(file), "exec")
    SourceFileLoader.get_code = lambda self, name: code if Path(self.path) == file else get_code(self, name)  # type: ignore[method-assign]
    return pytest.main(["-x", "-q", "-n0", "-p", "no:cacheprovider", *tests_for(room, file)])


def is_found(room: str, file: Path, number: int, seconds: int) -> bool:
    """A fault that makes the tests run for too long is found as well."""
    command = [sys.executable, "-m", "tests.mutants", room, "--one", f"{file}:{number}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=PROJECT, start_new_session=True, **quiet)  # type: ignore[call-overload]
    try:
        return bool(process.wait(seconds))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room")
    parser.add_argument("--sample", type=int, default=100, help="how many faults are planted (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which of them (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=300, help="for the tests of one fault")
    parser.add_argument("--only", default="", help="a part of the names of the files")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.one:
        name, number = told.one.split(":")
        sys.exit(run(told.room, Path(name), next(islice(planted(Path(name)), int(number), None))[1]))
    try:
        own_tests(told.room)
    except ValueError as error:
        sys.exit(str(error))
    files = [file for file in sorted((PROJECT / "bot" / told.room).rglob("*.py")) if told.only in str(file)]
    every = [(file, number, line) for file in files for number, (line, _) in enumerate(planted(file))]
    known = equivalent()
    chosen = [fault for fault in every if fault[2] not in known]
    chosen = Random(told.seed).sample(chosen, min(told.sample, len(chosen)))
    survivors = 0
    with ThreadPoolExecutor(told.processes) as pool:
        found = pool.map(lambda fault: is_found(told.room, fault[0], fault[1], told.seconds), chosen)
        for (_, _, line), is_dead in zip(chosen, found, strict=True):
            if not is_dead:
                survivors += 1
                print(line, flush=True)
    print(
        f"{len(chosen) - survivors} of {len(chosen)} faults were found with seed {told.seed}; "
        f"{len(every)} can be planted in {told.room}."
    )


if __name__ == "__main__":
    main()
