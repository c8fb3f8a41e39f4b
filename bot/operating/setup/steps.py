"""The steps of `kems setup`. Each tries what is there first, so that a second run asks only for what is missing."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from typing import Final

import discord
import typer

from bot.base.env_file import write
from bot.base.errors import KemsError
from bot.base.settings import ENV_FILE, Settings, SettingsError, load
from bot.operating import operations
from bot.operating.doctor import Finding, application, servers
from bot.operating.setup import service
from bot.operating.startup import logged_in

_LOOK_AGAIN_S: Final = 2.0
_AGAIN: Final = "Enter tries again, s goes on without it"
_WANTED: Final = "The bot's token (it is not shown)"
_DATABASE: Final = (
    "Where matches are kept: Enter for a file in this folder, or postgresql://USER:PASSWORD@HOST/DATABASE"
)


def set_up() -> None:
    """Raises KemsError: what is missing, where no terminal is; where one is, what the person has put off."""
    put_off: list[str] = []

    def do(what: str, step: Callable[[], None]) -> None:
        if not _is_done(step):
            put_off.append(what)

    try:
        _know_token()
        do("the settings in the developer portal", lambda: asyncio.run(_look(load(), application)))
        do("the bot on a server", lambda: asyncio.run(_look(load(), _joined)))
        way = service.found() or _way()
        if way == service.COMPOSE:
            service.keep_password()
        else:
            _try_database()
        do("the pictures of the cards", lambda: _say(asyncio.run(operations.sync_emojis(load()))))
        do("the start of the bot", lambda: _say(service.start(way)))
    except (KeyboardInterrupt, typer.Abort):
        raise KemsError("\nWhat is done stays done: `kems setup` goes on from here.") from None
    if put_off:
        raise KemsError(f"Not done yet: {', '.join(put_off)}. Run `kems setup` again for that.")
    typer.echo("Type `/kems start` in your server.")


def _say(sentence: str) -> None:
    typer.echo(Finding(True, sentence))


def _mend(problem: KemsError, question: str, *, default: str | None = None, is_secret: bool = False) -> str:
    """What the person at the terminal answers to a problem. Raises the problem where no terminal is."""
    if not sys.stdin.isatty():
        raise problem
    typer.echo(Finding(False, str(problem)))
    return _ask(question, default=default, is_secret=is_secret)


def _ask(question: str, *, default: str | None = None, is_secret: bool = False) -> str:
    answer: str = typer.prompt(f"??  {question}", default=default, show_default=False, hide_input=is_secret)
    return answer.strip()


def _is_done(step: Callable[[], None]) -> bool:
    """Takes a step until it succeeds; False where the person goes on without it."""
    while True:
        try:
            step()
        except KemsError as problem:
            if _mend(problem, _AGAIN, default="").lower().startswith("s"):
                return False
        else:
            return True


def _keep(**given: str) -> None:
    """Writes settings that are proved good. Raises KemsError: they cannot be written, or others come first."""
    write(ENV_FILE, {name.upper(): value for name, value in given.items()})
    for name in given:
        if getattr(load(), name) != getattr(load(**given), name):
            raise KemsError(
                f"The environment has another {name.upper()}: remove it there, then run `kems setup` again."
            )
        _say(f"{ENV_FILE.absolute()} has {name.upper()} and can be read by you alone.")


def _know_token() -> None:
    given: dict[str, str] = {}
    while True:
        try:
            asyncio.run(_look(load(**given)))
            break
        except SettingsError as problem:
            given = {"discord_token": _mend(problem, _WANTED, is_secret=True)}
        except KemsError as problem:
            _mend(problem, "Enter tries again", default="")
    if given:
        _keep(**given)


def _try_database() -> None:
    given: dict[str, str] = {}
    if "database_url" not in load().model_fields_set and sys.stdin.isatty():
        given["database_url"] = _ask(_DATABASE, default=Settings.model_fields["database_url"].default)
    while True:
        try:
            _say(asyncio.run(operations.migrate(load(**given))))
            break
        except KemsError as problem:
            if address := _mend(problem, "Enter tries again, or another address", default=""):
                given["database_url"] = address
    if given:
        _keep(**given)


def _way() -> str:
    ways = service.ways()
    if len(ways) == 1 or not sys.stdin.isatty():
        return service.HAND
    for name, what in ways.items():
        typer.echo(f"    {name}: {what}")
    while (
        chosen := _ask("How the bot is to run: Enter for the first, or another word", default=next(iter(ways)))
    ) not in ways:
        typer.echo(Finding(False, f"Choose one of {', '.join(ways)}."))
    return chosen


async def _look(settings: Settings, *looks: Callable[[Settings, discord.Client], AsyncIterator[Finding]]) -> None:
    """Logs in and tells the findings. Raises KemsError: some are not good, or Discord does not answer."""
    faults = []
    async with logged_in(settings, lambda _: None) as client:
        for look in looks:
            async for finding in look(settings, client):
                if finding.is_good:
                    typer.echo(finding)
                else:
                    faults.append(finding.sentence)
    if faults:
        raise KemsError("\n!!  ".join(faults))


async def _joined(_: Settings, client: discord.Client) -> AsyncIterator[Finding]:
    """Waits until the bot is on a server, if somebody is there to invite it."""
    is_told = False
    while sys.stdin.isatty() and not await client.http.get_guilds(1, with_counts=False):
        if not is_told:
            typer.echo("..  Open the link and choose your server: this goes on as soon as the bot is there.")
            is_told = True
        await asyncio.sleep(_LOOK_AGAIN_S)
    async for finding in servers(client):
        yield finding
