"""Long computations go on beside the bot: what they return, how they fail, and what they cost the bot itself."""

import asyncio
import os
import pickle
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

import pytest

from bot.base.worker_process import (
    CpuTimeExceededError,
    Priority,
    WorkerProcess,
    WorkerProcessError,
    run_in_worker_process,
    run_prepared,
    serve,
)
from bot.game.notation.writer import write_match
from bot.nights.formats import FORMATS
from bot.records.archive import PastMatch
from bot.records.pictures import Theme
from bot.records.player import Player
from bot.records.review import review
from bot.records.season_files import as_json
from bot.tables.nights.night_runner import next_round, pair_off
from bot.ui.ladder.feature import FileFormat, season_files
from tests.records.test_season_files import RECORD, computed
from tests.store.matches import a_match
from tests.ui.night.samples import running
from tests.waiting import until

NAMES = ("Ana", "Bruno", "Chloé", "Dora")


async def test_a_worker_makes_the_same_review_and_file_without_blocking_the_bot() -> None:
    events, _ = a_match(target=12)
    match = PastMatch(1, Theme.FRENCH, tuple(Player(name, seat) for seat, name in enumerate(NAMES, 1)), events)
    began = time.process_time()
    wanted = review(match, 0), write_match(events, NAMES)
    costs = time.process_time() - began
    await run_in_worker_process(Priority.BATCH, write_match, events, NAMES)
    began = time.process_time()
    found = (
        await run_in_worker_process(Priority.ANSWER, review, match, 0),
        await run_in_worker_process(Priority.BATCH, write_match, events, NAMES),
    )
    assert time.process_time() - began < costs / 4
    assert found == wanted


async def test_the_worker_process_gets_no_secret_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings are read whatever the case of their names is."""
    for name in ("DISCORD_TOKEN", "DATABASE_URL", "discord_token", "LC_KEMS"):
        monkeypatch.setenv(name, "a-value")
    worker = WorkerProcess()
    try:
        found = worker.call("tests.base.test_worker_process:environment")
    finally:
        worker.close()
    assert found["LC_KEMS"] == "a-value"
    assert not {"DISCORD_TOKEN", "DATABASE_URL"} & {name.upper() for name in found}


def environment() -> dict[str, str]:
    return dict(os.environ)


async def test_the_next_call_is_made_when_one_fails_with_its_reason() -> None:
    with pytest.raises(WorkerProcessError, match="ValueError: "):
        await run_in_worker_process(Priority.ANSWER, int, "seven")
    assert await run_in_worker_process(Priority.ANSWER, int, "7") == 7


def busy(seconds: float) -> float:
    """Computes for so long, whatever goes wrong in between."""
    began = time.process_time()
    while time.process_time() - began < seconds:
        with suppress(Exception):
            sum(range(1000))
    return seconds


def test_a_process_answers_its_calls_in_turn_and_ends_when_idle() -> None:
    (calls, to_call), (to_read, results) = os.pipe(), os.pipe()

    def main() -> None:
        sys.stdin, sys.stdout = os.fdopen(calls), os.fdopen(results, "w")
        serve(0.2)

    child = get_context("fork").Process(target=main)
    child.start()
    os.close(calls)
    os.close(results)
    found = []
    with os.fdopen(to_call, "wb", 0) as pipe, os.fdopen(to_read, "rb") as answers:
        for function, given in (
            ("operator:add", (1, 2)),
            ("operator:truediv", (1, 0)),
            (f"{__name__}:busy", (60.0,)),
            ("operator:add", (3, 4)),
        ):
            pickle.dump((function, given, 0.1), pipe)
            found.append(pickle.load(answers))  # noqa: S301 - our own process writes it
        child.join(10)
    wrong = ("failed", "ZeroDivisionError: division by zero"), ("ended", "busy took more than 0.1 s of CPU time.")
    assert found == [("done", 3), *wrong, ("done", 7)]
    assert child.exitcode == 0


def test_a_process_that_is_closed_does_not_finish_its_call() -> None:
    worker = WorkerProcess()
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(worker._ask, "time:sleep", (8.0,), 0.0)
        while worker._process is None:
            time.sleep(0.01)
        time.sleep(0.1)  # until the call is sent
        began = time.monotonic()
        worker.close()
        assert time.monotonic() - began < 6
        assert asked.exception() is not None


async def test_pairings_run_before_answers_and_answers_before_batches() -> None:
    order: list[str] = []

    async def ask(priority: Priority, name: str) -> None:
        await run_prepared(priority, partial(prepare, name))

    def prepare(name: str) -> partial[float]:
        order.append(name)
        return partial(busy, 0.3)

    first = asyncio.create_task(ask(Priority.BATCH, "file"))
    await until(lambda: order)
    waiting = [ask(Priority.BATCH, "file"), *(ask(Priority.ANSWER, "review") for _ in range(3))]
    waiting.append(ask(Priority.ROUND, "round"))
    await asyncio.gather(first, *waiting)
    assert order == ["file", "round", "review", "review", "review", "file"]


async def test_the_next_call_is_made_when_one_has_taken_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.base.worker_process.ANSWER_CPU_S", 0.2)
    with pytest.raises(CpuTimeExceededError, match="busy took more than"):
        await run_in_worker_process(Priority.ANSWER, busy, 60.0)
    assert await run_in_worker_process(Priority.ANSWER, busy, 0.1) == 0.1
    assert await run_in_worker_process(Priority.ROUND, busy, 0.3) == 0.3
    assert await run_in_worker_process(Priority.BATCH, busy, 0.3) == 0.3


async def test_a_call_is_skipped_once_nobody_waits_for_it() -> None:
    prepared: list[str] = []

    def prepare(name: str) -> partial[float]:
        prepared.append(name)
        return partial(busy, 0.3)

    first, gone, last = (
        asyncio.create_task(run_prepared(Priority.ANSWER, partial(prepare, name))) for name in ("first", "gone", "last")
    )
    await until(lambda: prepared)
    assert prepared == ["first"]
    gone.cancel()
    assert await last == await first
    assert prepared == ["first", "last"]


async def test_a_large_season_is_handed_over_a_few_milliseconds_at_a_time() -> None:
    record = replace(RECORD, matches=tuple(replace(RECORD.matches[0]) for _ in range(10_000)))
    longest = 0.0
    for portion in as_json(record):
        began = time.thread_time()
        pickle.dumps(portion.args)
        longest = max(longest, time.thread_time() - began)
    assert longest < 0.03
    (file,) = await season_files(record, FileFormat.JSON, "fr", 2**30)
    assert file.fp.read() == computed(as_json(record))


@pytest.mark.parametrize("name", FORMATS)
async def test_a_worker_pairs_a_night_as_the_bot_would(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For 200 people it takes a second of a core."""
    night = running(24, FORMATS[name])
    wanted = next_round(night)
    monkeypatch.setattr(FORMATS[name].__class__, "pair", None)  # here, not there
    assert await pair_off(night) == wanted
