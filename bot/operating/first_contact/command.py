"""`kems doctor --live` at a terminal."""

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import Collection, Coroutine, Mapping
from pathlib import Path
from typing import Any, Final

import typer

from bot.base.env_file import changed, write
from bot.base.errors import KemsError
from bot.base.settings import ENV_FILE, Settings
from bot.operating.first_contact.page import Page
from bot.operating.first_contact.runner import chosen, run_checks

_ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FILE: Final = Path("first-contact.json")


class Terminal:
    async def tell(self, words: str, _control: str = "", _times: int = 1) -> None:
        typer.echo(f">>  {words}")

    async def agrees(self, question: str) -> bool:
        return (await self._answer(f"{question} [y/n]")).lower().startswith("y")

    async def counts(self, question: str) -> int:
        while not (answer := await self._answer(f"{question} [a number]")).isdecimal():
            pass
        return int(answer)

    async def _answer(self, question: str) -> str:
        """Read an answer; unlike a thread that reads, this can be cancelled."""
        typer.echo(f"??  {question} ", nl=False)
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[None] = loop.create_future()
        loop.add_reader(sys.stdin, answered.set_result, None)
        try:
            await answered
            return sys.stdin.readline().strip()
        finally:
            loop.remove_reader(sys.stdin)


def meet(settings: Settings, channel_id: int, only: Collection[str], *, is_long: bool, applies: bool) -> bool:
    """Runs the checks and prints the page. Returns whether all is as assumed. Raises KemsError."""
    names, page = chosen(only, is_long=is_long), Page(FILE)
    person = Terminal() if sys.stdin.isatty() else None
    left = asyncio.run(_until_told(run_checks(settings, channel_id, names, person, page)))
    verdicts = Counter(page.checks[name]["verdict"] for name in names)
    typer.echo("\n" + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()) + ".")
    if left:
        typer.echo(f"Things that the bot could not remove from the server: {left}. They are called first contact.")
    typer.echo(f"{FILE} holds all of it, without names: please send it with the issue form First contact.")
    if applies:
        apply(page.settings, ENV_FILE)
    return "otherwise" not in verdicts


async def _until_told(run: Coroutine[Any, Any, int]) -> int:
    """Waits for a run, which Ctrl-C, SIGTERM and the end of the terminal end: it cleans up first.

    Raises KemsError: it was ended.
    """
    task, loop, told = asyncio.ensure_future(run), asyncio.get_running_loop(), list[str]()

    def leave(name: str) -> None:
        if not told:  # a second one does not break the cleaning off
            told.append(name)
            task.cancel()

    for one in _ENDINGS:
        loop.add_signal_handler(one, leave, one.name)
    try:
        return await task
    except asyncio.CancelledError:
        if not told:
            raise
        raise KemsError(f"{told[0]} has ended the run. What it made is removed, as far as the server lets.") from None
    finally:
        for one in _ENDINGS:
            loop.remove_signal_handler(one)


def apply(settings: Mapping[str, str], file: Path) -> None:
    """Shows what would change in a file of settings, and writes it after a yes."""
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    after = changed(before, settings)
    if before == after:
        typer.echo(f"{file} needs no change.")
        return
    for line in after.splitlines():
        if line not in before.splitlines():
            typer.echo(f"{file}: {line}")
    if typer.confirm("Write this?"):
        write(file, settings)
