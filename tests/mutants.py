"""Plants faults in a room, one at a time, and lists those that its tests do not find: `make mutants ROOM=ladder`.

Each fault gets a process of its own, which stops at the first test that fails. Faults that change nothing stand in
`tests/equivalent_mutants.txt` and are not planted.
"""

import argparse
import ast
import os
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

PROJECT: Final = Path(__file__).parents[1]
EQUIVALENT: Final = Path(__file__).with_name("equivalent_mutants.txt")
TESTS: Final = {"game": ("tests/game", "tests/rules")}
"""Rooms whose tests are in other folders, too."""
SWAPPED: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
CONDITIONS: Final = ("where", "and_", "or_", "min", "max")
"""Calls of which one argument may be left out."""


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
        case ast.Call(func=func, args=args) if len(args) > 1 and ast.unparse(func).split(".")[-1] in CONDITIONS:
            yield from (ast.Call(func, [*args[:i], *args[i + 1 :]], node.keywords) for i in range(len(args)))
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))


def points(tree: ast.AST, where: str = "") -> Iterator[tuple[str, ast.AST, str, int | None]]:
    """The function, the parent and its field of each node that runs; with its place, where that field is a list."""
    skipped = {"annotation", "returns", "decorator_list", "type_params"}
    for name, value in ast.iter_fields(tree):
        for place, node in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(node, ast.AST) and name not in skipped:
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
            there[key] = ast.copy_location(fault, node)
            old, new = (" ".join(ast.unparse(one).split()) for one in (node, fault))
            yield f"{file.relative_to(PROJECT)} {where}: {old} -> {new}", tree
            there[key] = node


def run(room: str, file: Path, tree: ast.Module) -> int:
    """Runs the room's tests with a fault in this process; pytest's exit status."""
    get_code, code = SourceFileLoader.get_code, compile(ast.unparse(tree), str(file), "exec")
    SourceFileLoader.get_code = lambda self, name: code if Path(self.path) == file else get_code(self, name)  # type: ignore[method-assign]
    return pytest.main(["-x", "-q", "-n0", "-p", "no:cacheprovider", *TESTS.get(room, (f"tests/{room}",))])


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
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=300, help="for the tests of one fault")
    parser.add_argument("--only", default="", help="a part of the names of the files")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.one:
        name, number = told.one.split(":")
        sys.exit(run(told.room, Path(name), next(islice(planted(Path(name)), int(number), None))[1]))
    equivalent = {line.partition("  # ")[0] for line in EQUIVALENT.read_text(encoding="utf-8").splitlines()}
    files = [file for file in sorted((PROJECT / "bot" / told.room).rglob("*.py")) if told.only in str(file)]
    every = [(file, number, line) for file in files for number, (line, _) in enumerate(planted(file))]
    chosen = [one for one in every if one[2] not in equivalent]
    chosen = Random(told.seed).sample(chosen, min(told.sample, len(chosen)))
    with ThreadPoolExecutor(told.processes) as pool:
        found = pool.map(lambda one: is_found(told.room, one[0], one[1], told.seconds), chosen)
        survivors = [line for (_, _, line), is_dead in zip(chosen, found, strict=True) if not is_dead]
    print(*sorted(survivors), sep="\n")
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} faults were found; {len(every)} can be planted.")


if __name__ == "__main__":
    main()
