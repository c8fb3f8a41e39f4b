"""Whatever ends a run of `kems doctor --live`: nothing of it is left in the server after the next run."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bot.base.errors import KemsError
from bot.operating.first_contact import diary, runner
from bot.operating.first_contact.check import CHECKS, CheckKind
from bot.operating.first_contact.contact import Contact
from bot.operating.first_contact.listener import Listener
from bot.operating.first_contact.requests import ApiAnswer
from bot.operating.first_contact.runner import chosen
from tests.operating.first_contact.place import Place, messages_of, place
from tests.waiting import until

MAKES = [name for name in CHECKS if name not in ("application", "install", "sessions", "resume")]
FEW = ("nonce", "emoji", "event", "role", "public_thread")


class KilledError(BaseException):
    """The process has ended."""


def left(stage: Place) -> list[object]:
    """What stands in the server that the bot has made, beside what was there before."""
    world = stage.world
    return [
        *(one.components for one in messages_of(world) if one.author_id == world.bot.id and not one.is_ephemeral),
        *(one.name for one in world.channels.values() if one.is_thread and not one.is_archived),
        *(one.name for one in world.application_emojis.values() if one.name != "card"),
        *stage.remote.discord.guilds[0].events.values(),
        *(command for commands in world.commands.values() for command in commands),
    ]


def roles(stage: Place) -> set[int]:
    return set(stage.remote.discord.guilds[0].members[stage.world.bot.id].roles)


async def killed(stage: Place, name: str, request: int, patch: pytest.MonkeyPatch) -> None:
    """A run that ends between a request that changes something and its answer, and that removes nothing."""
    usual, made = Contact.ask, 0

    async def ask(self: Contact, method: str, path: str, *more: Any, **options: Any) -> ApiAnswer:
        nonlocal made
        answer = await usual(self, method, path, *more, **options)
        made += method != "GET" and answer.is_good
        if made == request:
            raise KilledError
        return answer

    async def clean(_: Contact) -> int:
        return 0

    async def clean_nothing(*_: object) -> None: ...

    with patch.context() as here:
        here.setattr(Contact, "ask", ask)
        here.setattr(Contact, "clean", clean)
        here.setattr(runner, "clean", clean_nothing)
        here.setattr(diary.Diary, "done", lambda _: None)
        with suppress(KilledError):
            await stage.run(name)


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        pytest.param(name, number, marks=() if name in FEW and number == 1 else pytest.mark.long)
        for name in MAKES
        for number in (1, 2, 4)
    ],
)
async def test_a_killed_run_is_cleaned_up_by_the_next(
    name: str, request_: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Listener, "before_identify_hook", _at_once)
    async with place(tmp_path) as stage:
        before, had = left(stage), roles(stage)
        await killed(stage, name, request_, monkeypatch)
        await stage.run("sessions")
        assert left(stage) == before
        assert roles(stage) == had
        assert not (tmp_path / "first-contact.left.json").exists()


async def _at_once(*_: object, **__: object) -> None:
    """Identifies are not spaced."""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_ends_a_run_which_cleans_up_once(sent: signal.Signals) -> None:
    cleaned = []

    async def run() -> int:
        try:
            os.kill(os.getpid(), sent)
            await asyncio.sleep(60)
        finally:
            os.kill(os.getpid(), sent)  # somebody is impatient
            await asyncio.sleep(0.01)
            cleaned.append(True)
        return 0

    with pytest.raises(KemsError, match=f"^{sent.name} has ended the run"):
        await runner._until_told(run())
    assert cleaned == [True]


async def test_a_run_that_is_cancelled_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Listener, "before_identify_hook", _at_once)
    async with place(tmp_path) as stage:
        before = left(stage)
        running = asyncio.create_task(stage.run(*[name for name in chosen((), is_long=False) if _is_quick(name)]))
        await until(lambda: len(left(stage)) >= len(before) + 3)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert left(stage) == before


def _is_quick(name: str) -> bool:
    return CHECKS[name].kind is CheckKind.AUTOMATIC


async def test_the_results_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Listener, "before_identify_hook", _at_once)
    async with place(tmp_path) as stage:
        await stage.run("sessions")
        whole = stage.page.file.read_text(encoding="utf-8")
        monkeypatch.setattr("bot.base.env_file.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            await stage.run("commands")
        assert stage.page.file.read_text(encoding="utf-8") == whole
