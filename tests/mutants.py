"""Plants faults in a room, one at a time, and lists those that its tests do not find: `make mutants ROOM=ui/night`.

A fault is another operator or constant, a condition, a statement or an argument left out, `min` for `max`, the last for
the first. The room's tests (`tests/rooms.py`) are collected once. Each fault gets a process of its own, which stops at
the first test that fails: those that import the file, those of its folder, then the others. A fault in what an import
runs has the room imported and its tests collected again. Faults that change nothing stand in
`tests/equivalent_mutants.txt` and are not planted.
"""

import argparse
import ast
import gc
import os
import re
import resource
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from inspect import CO_OPTIMIZED
from itertools import islice
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Final

import pytest
from _pytest.main import pytest_runtestloop as session_loop

from tests.rooms import PROJECT, own_tests

FORK: Final = get_context("fork")
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
TYPE: Final = re.compile(r"None|[a-z]+|([A-Z][a-z]+)+|\w+\[.*\]")
"""The last part of a name for several types."""
UNTESTED: Final = ("_log.", "TYPE_CHECKING", "super().__init__")
"""Beginnings of statements that are not left out."""
QUIET: Final = ("-qq", "-n0", "-p", "no:cacheprovider")
MOST_BYTES: Final = 4_000_000_000
"""Memory of a process: a fault may fill a list for ever."""
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
        if not where and isinstance(node, ast.BinOp) and TYPE.fullmatch(ast.unparse(node.right)):
            continue
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


def codes(code: CodeType) -> Iterator[CodeType]:
    """What a module runs by itself, then the code in it, at any depth."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def alone(code: CodeType) -> CodeType:
    """The code without that of inner functions."""
    return code.replace(co_consts=tuple(constant for constant in code.co_consts if not isinstance(constant, CodeType)))


def is_put_in(file: Path, tree: ast.Module, ran: set[CodeType], functions: list[FunctionType]) -> bool:
    """Gives the fault to functions that are loaded; False if what ran before the tests has it, so that is too late."""
    old, new = (list(codes(compile(source, str(file), "exec"))) for source in (file.read_bytes(), tree))
    changed = [one for one, other in zip(old, new, strict=False) if alone(one) != alone(other)]
    if len(old) != len(new) or any(code in ran or not code.co_flags & CO_OPTIMIZED for code in changed):
        return False
    if [code.co_freevars for code in old] != [code.co_freevars for code in new]:
        return False
    pairs = {one: other for one, other in zip(old, new, strict=True) if one != other}
    own = [each for each in functions if each.__code__.co_filename == str(file) and each.__code__ in pairs]
    for function in own:
        function.__code__ = pairs[function.__code__]
    return bool(own)


class Planter:
    """A plugin of pytest that runs the tests it has collected once for each fault, in a process of its own."""

    def __init__(self, room: str, chosen: list[tuple[Path, int, str]], processes: int, seconds: int) -> None:
        self.room = room
        self.chosen = chosen
        self.processes = processes
        self.seconds = seconds
        self.survivors = 0
        self.ran: set[CodeType] = set()
        """What ran before the tests."""
        self.functions: list[FunctionType] = []
        sys.setprofile(lambda frame, event, argument: self.ran.add(frame.f_code))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        sys.setprofile(None)
        gc.unfreeze()
        self.functions = [each for each in gc.get_objects() if type(each) is FunctionType]
        gc.freeze()
        whole = FORK.Process(target=self.run, args=(session,))
        whole.start()
        whole.join()
        if whole.exitcode:
            pytest.exit("these tests fail without a fault", 1)
        waiting = self.chosen[::-1]
        running: dict[int, tuple[BaseProcess, str]] = {}
        while waiting or running:
            while waiting and len(running) < self.processes:
                file, number, line = waiting.pop()
                process = FORK.Process(target=self.run, args=(session, file, number))
                process.start()
                running[process.sentinel] = process, line
            for sentinel in connection.wait(running):
                ended, line = running.pop(sentinel)  # type: ignore[arg-type]
                ended.join()
                if not ended.exitcode:
                    self.survivors += 1
                    print(line, flush=True)
        return True

    def run(self, session: pytest.Session, file: Path | None = None, number: int = 0) -> None:
        """Ends this process with a status if a test fails or takes too long, with a fault if there is a file."""
        resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds))
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        session.config.option.maxfail = 1
        nearest, tree = list[str](), None
        if file is not None:
            nearest, tree = tests_for(self.room, file), next(islice(planted(file), number, None))[1]
            session.items.sort(key=lambda item: nearest.index(str(item.path)))
        if file is None or tree is None or is_put_in(file, tree, self.ran, self.functions):
            try:
                session_loop(session)
            except pytest.Session.Failed:
                os._exit(1)
            os._exit(session.testsfailed)
        for name in [name for name in sys.modules if name.split(".")[0] in {"bot", "tests", "conftest"}]:
            del sys.modules[name]
        get_code, code = SourceFileLoader.get_code, compile(tree, str(file), "exec")
        SourceFileLoader.get_code = lambda self, name: code if Path(self.path) == file else get_code(self, name)  # type: ignore[method-assign]
        os._exit(pytest.main([*QUIET, "-x", *nearest]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room")
    parser.add_argument("--sample", type=int, default=100, help="how many faults are planted (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which of them (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=120, help="CPU time for the tests of one fault")
    parser.add_argument("--only", default="", help="a part of the names of the files")
    told = parser.parse_args()
    try:
        own_tests(told.room)
    except ValueError as error:
        sys.exit(str(error))
    files = [file for file in sorted((PROJECT / "bot" / told.room).rglob("*.py")) if told.only in str(file)]
    every = [(file, number, line) for file in files for number, (line, _) in enumerate(planted(file))]
    known = equivalent()
    chosen = [fault for fault in every if fault[2] not in known]
    chosen = Random(told.seed).sample(chosen, min(told.sample, len(chosen)))
    planter = Planter(told.room, chosen, told.processes, told.seconds)
    status = pytest.main(
        [*QUIET, "-s", *map(str, tests_for(told.room, PROJECT / "bot" / told.room / "__init__.py"))], [planter]
    )
    if status:
        sys.exit(status)
    print(
        f"{len(chosen) - planter.survivors} of {len(chosen)} faults were found with seed {told.seed}; "
        f"{len(every)} can be planted in {told.room}."
    )


if __name__ == "__main__":
    main()
