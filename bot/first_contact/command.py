"""`kems doctor --live` at a terminal."""

import asyncio
import sys
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import typer

from bot.env_file import changed, write
from bot.first_contact.page import Page
from bot.first_contact.runner import chosen, run_checks
from bot.settings import ENV_FILE, Settings

FILE: Final = Path("first-contact.json")


class Terminal:
    async def tell(self, words: str, _control: str = "", _times: int = 1) -> None:
        typer.echo(f">>  {words}")

    async def agrees(self, question: str) -> bool:
        """Read an answer; unlike a thread that reads, this can be cancelled."""
        typer.echo(f"??  {question} [y/n] ", nl=False)
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[None] = loop.create_future()
        loop.add_reader(sys.stdin, answered.set_result, None)
        try:
            await answered
            return sys.stdin.readline().strip().lower().startswith("y")
        finally:
            loop.remove_reader(sys.stdin)


def meet(settings: Settings, channel_id: int, only: Collection[str], *, is_long: bool, applies: bool) -> bool:
    """Runs the checks and prints the page. Returns whether all is as assumed. Raises KemsError."""
    names, page = chosen(only, is_long=is_long), Page(FILE)
    person = Terminal() if sys.stdin.isatty() else None
    left = asyncio.run(run_checks(settings, channel_id, names, person, page))
    verdicts = Counter(page.checks[name]["verdict"] for name in names)
    typer.echo("\n" + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()) + ".")
    if left:
        typer.echo(f"Things that the bot could not remove from the server: {left}. They are called first contact.")
    typer.echo(f"{FILE} holds all of it, without names: please send it with the issue form First contact.")
    if applies:
        apply(page.settings, ENV_FILE)
    return "otherwise" not in verdicts


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
