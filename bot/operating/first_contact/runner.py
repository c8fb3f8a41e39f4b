"""`kems doctor --live`: remove what a killed run has left, run the checks in turn and print what each has found.

The page `first-contact.json` has the same for the issue form, without names and tokens.
"""

import asyncio
import json
import re
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord
import typer

from bot.base.env_file import with_values, write, write_atomically
from bot.base.errors import KemsError
from bot.base.log import redact
from bot.base.settings import ENV_FILE, Settings
from bot.discord.api.discord_internals import request
from bot.discord.api.interactions import snowflake_time
from bot.discord.gateway.shard_keeper import GATEWAY, LEAST_STARTS, STARTS
from bot.operating.doctor import GUILDS
from bot.operating.first_contact import bot_token, panels
from bot.operating.first_contact.check import CHECKS, CheckKind, CheckResult
from bot.operating.first_contact.contact import (
    MOST_REFUSALS,
    NAME,
    Bounds,
    Contact,
    EnoughError,
    Person,
)
from bot.operating.first_contact.diary import Diary, RunRecord
from bot.operating.first_contact.listener import Listener
from bot.operating.first_contact.requests import Request, UnclearError
from bot.operating.startup import asking_discord, use_proxy
from bot.store.engine.database import Database

_ADDRESS: Final = re.compile(r"https?://\S+")
_ID: Final = re.compile(r"\b\d{15,}\b")
_VERDICTS: Final = {True: ("ok", "as assumed"), False: ("!!", "otherwise"), None: ("--", "not checked")}


def say(words: str) -> None:
    """Print a line; ignore a terminal that is gone."""
    with suppress(OSError):
        typer.echo(words)


def _public(words: str) -> str:
    """Return a text without tokens, addresses and ids, fit for a public issue."""
    return _ID.sub("(id)", _ADDRESS.sub("(address)", redact(words)))


class Page:
    """Print each check, and write it to a file beside those of earlier runs of this version."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.checks: dict[str, dict[str, Any]] = {}
        with suppress(OSError, ValueError):
            former = json.loads(file.read_text(encoding="utf-8"))
            self.checks = former["checks"] if former["version"] == version("kems-bot") else {}

    def begins(self, name: str) -> None:
        """Print what a check is about to examine."""
        say(f"\n{name}: {CHECKS[name].assumed}")

    def ends(self, name: str, found: CheckResult, limits: Mapping[str, Mapping[str, str]]) -> None:
        """Print and write what a check has found; `limits` are headers about rate limits by kind of request."""
        mark, verdict = _VERDICTS[found.is_assumed]
        say(f"{mark}  {found.says}")
        if found.is_assumed is False:
            say(f"    The bot assumes it in {CHECKS[name].code}.")
        self.checks[name] = {
            "assumed": CHECKS[name].assumed,
            "code": CHECKS[name].code,
            "verdict": verdict,
            "found": _public(found.says),
            "settings": dict(found.settings),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "limits": limits,
        }
        whole = {"version": version("kems-bot"), "checks": self.checks}
        write_atomically(self.file, json.dumps(whole, indent=2, ensure_ascii=False) + "\n")

    @property
    def settings(self) -> dict[str, str]:
        """Values of settings that fit what was found better than the current ones."""
        return {name: value for check in self.checks.values() for name, value in check["settings"].items()}


LISTED: Final = (bot_token, panels)
"""The modules that have checks; their import lists them."""
_DIARY: Final = "first-contact.left.json"
_READY_S: Final = 60.0
_TIMEOUT: Final = aiohttp.ClientTimeout(total=30)


def chosen(only: Collection[str], *, is_long: bool) -> Sequence[str]:
    """Return the names of checks in the order in which they run.

    Args:
        only: Names of checks; if it is empty, all checks run.
        is_long: Whether all checks include those that wait for up to an hour.

    Raises:
        KemsError: `only` has a name that no check has.
    """
    if unknown := sorted({*only} - CHECKS.keys()):
        raise KemsError(f"There is no check {unknown[0]}: choose of {', '.join(CHECKS)}.")
    names = only or [name for name, check in CHECKS.items() if is_long or check.kind is not CheckKind.LONG]
    return sorted(names, key=lambda name: (CHECKS[name].kind, [*CHECKS].index(name)))


async def run_checks(
    settings: Settings,
    channel_id: int,
    names: Sequence[str],
    person: Person | None,
    page: Page,
    *,
    bounds: Bounds = Bounds(),  # noqa: B008 - it is frozen
    wait: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> int:
    """Run checks in a channel, remove what they made, and return how many things could not be removed.

    Args:
        settings: They have a token.
        channel_id: A text channel, preferably of a test server.
        names: The checks, in order (`chosen`).
        person: None if nobody is at the terminal.
        page: Where the results go.
        bounds: How long to wait and how many requests to make.
        wait: Sleep for so many seconds; tests let the time pass at once.

    Raises:
        KemsError: A bot uses the database, Discord refuses the bot or the channel, or the person says no.
    """
    token = settings.require_token()
    use_proxy(settings)
    async with (
        _alone(settings),
        aiohttp.ClientSession(timeout=_TIMEOUT) as session,
        _connected(token, person, bounds) as client,
    ):
        channel = client.get_channel(channel_id)
        if not isinstance(channel, discord.TextChannel) or channel.is_news():
            raise KemsError(f"The bot sees no text channel {channel_id}: name one of a test server by its id.")
        diary = Diary(page.file.with_name(_DIARY), channel_id)
        contact = Contact(settings, client, session, channel_id, person, bounds, wait, diary, say)
        await clean_former(contact)
        try:
            await _run(contact, names, page)
        except BaseException:
            await contact.clean()
            await clean(contact, diary.present)
            diary.done()
            raise
        return await contact.clean()


async def _run(contact: Contact, names: Sequence[str], page: Page) -> None:
    if any(CHECKS[name].kind is CheckKind.LONG for name in names):
        with suppress(UnclearError, EnoughError):
            await contact.start()
    is_over = False
    for name in names:
        page.begins(name)
        contact.begins_check()
        try:
            found = CheckResult(None, "The run has ended before.") if is_over else await CHECKS[name].run(contact)
        except (UnclearError, discord.HTTPException) as error:
            found = CheckResult(None, str(error))
        except TimeoutError:
            found = CheckResult(None, "Nothing has come.")
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            found = CheckResult(None, f"What Discord says cannot be read: {error!r}.")
        except EnoughError:
            is_over, found = True, CheckResult(False, f"Discord has refused {MOST_REFUSALS} requests: the run ends.")
        if found.is_assumed is not True and contact.lacks:
            found = CheckResult(None, f"The bot lacks a right here: {contact.lacks}. Give it, and repeat the check.")
        page.ends(name, found, contact.limits)


@asynccontextmanager
async def _alone(settings: Settings) -> AsyncIterator[None]:
    """Lock every bot out of the database while the context is open.

    Raises:
        KemsError: A bot uses it.
    """
    database = Database(settings.database_url)
    try:
        if database.is_sqlite or not await database.is_empty():
            await database.lock()
        yield
    finally:
        await database.close()


@asynccontextmanager
async def _connected(token: str, person: Person | None, bounds: Bounds) -> AsyncIterator[Listener]:
    """Yield a client that is connected to Discord's gateway.

    Raises:
        KemsError: Discord cannot be reached, or refuses the bot or another connection; or the bot is in several servers
            and the person does not agree.
    """  # noqa: DOC501 - `asking_discord` turns the TimeoutError into a KemsError
    async with Listener(bounds.quiet_s) as client:
        with asking_discord():
            await client.login(token)
            starts = (await request(client, "GET", GATEWAY))[STARTS]
            servers = await request(client, "GET", GUILDS, query={"limit": 2})
        if starts["remaining"] < LEAST_STARTS:
            raise KemsError(f"Connections that Discord still allows today: {starts['remaining']}. Try again tomorrow.")
        question = "This bot is in more than one server, which the load may slow down. Go on all the same?"
        if len(servers) > 1 and not (person is not None and await person.agrees(question)):
            raise KemsError("The bot is in more than one server: use a bot that is in your test server alone.")
        running = asyncio.create_task(client.connect())
        ready = asyncio.create_task(client.wait_until_ready())
        try:
            with asking_discord():
                await asyncio.wait({running, ready}, timeout=_READY_S, return_when=asyncio.FIRST_COMPLETED)
                if running.done():
                    running.result()
                if not ready.done():
                    raise TimeoutError
            yield client
        finally:
            for task in (ready, running):
                task.cancel()
            await client.close()
            await asyncio.gather(ready, running, return_exceptions=True)


async def clean_former(contact: Contact) -> None:
    """Remove what an earlier run that was killed has left, according to the diary."""
    former = contact.diary.former
    if former is not None:
        contact.tell_that("removing what a former run has left ...")
        await clean(contact, former)


async def clean(contact: Contact, run: RunRecord) -> None:
    """Remove what a run has made: what its diary lists, and what is recognised by name or time in the channel."""
    for undo in [*run.undo[::-1], *[stray async for stray in _strays(contact, run)]]:
        with suppress(EnoughError, UnclearError):
            await contact.tried(*undo)
    contact.refusals = 0


async def _strays(contact: Contact, run: RunRecord) -> AsyncIterator[Request]:
    """Yield requests that delete what a run has made and its diary may lack, as between a request and its answer."""
    assert contact.client.user is not None, "it is logged in"
    me, channel = str(contact.client.user.id), f"/channels/{run.channel_id}"
    for message in await _listed(contact, f"{channel}/messages?limit=100"):
        if message["author"]["id"] == me and run.began_ms <= snowflake_time(int(message["id"])) <= run.until_ms:
            yield "DELETE", f"{channel}/messages/{message['id']}", None
    guild = f"/guilds/{contact.guild.id}"
    for thread in await _listed(contact, f"{guild}/threads/active", "threads"):
        if thread["name"].startswith(NAME) and thread["owner_id"] == me:
            yield "DELETE", f"/channels/{thread['id']}", None
    for event in await _listed(contact, f"{guild}/scheduled-events"):
        if event["name"].startswith(NAME):
            yield "DELETE", f"{guild}/scheduled-events/{event['id']}", None
    for emoji in await _listed(contact, f"{contact.app}/emojis", "items"):
        if emoji["name"].startswith(NAME.replace(" ", "_")):
            yield "DELETE", f"{contact.app}/emojis/{emoji['id']}", None


async def _listed(contact: Contact, path: str, field: str = "") -> Any:
    """Return a list of Discord's, or what is under a field of its answer; an empty list if Discord refuses it."""
    try:
        listed = await contact.done("GET", path)
    except UnclearError:
        return []
    return listed[field] if field else listed


_ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FILE: Final = Path("first-contact.json")


class Terminal:
    """The person at the terminal, by standard input and output."""

    async def instruct(self, words: str, _control: str = "", _times: int = 1) -> None:
        """Print what the person shall do."""
        typer.echo(f">>  {words}")

    async def agrees(self, question: str) -> bool:
        """Return whether the person's answer begins with y."""
        return (await self._answer(f"{question} [y/n]")).lower().startswith("y")

    async def counts(self, question: str) -> int:
        """Repeat a question until the answer is a number, and return it."""
        while not (answer := await self._answer(f"{question} [a number]")).isdecimal():
            pass
        return int(answer)

    async def _answer(self, question: str) -> str:
        """Read a line; unlike a read in a thread, this can be cancelled."""
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
    """Run the checks, print their results, and return whether none contradicts what the bot assumes.

    Args:
        settings: They have a token.
        channel_id: A text channel of a test server.
        only: Names of checks; if it is empty, all checks run.
        is_long: Whether all checks include those that wait for up to an hour.
        applies: Offer to write better settings into `.env`.

    Raises:
        KemsError: The checks cannot be run, or a signal has ended them.
    """
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
    """Wait for a run. Ctrl-C, SIGTERM and a terminal that closes cancel it once, and it removes what it has made.

    Raises:
        KemsError: A signal has ended it.
        asyncio.CancelledError: Something else has cancelled it.
    """
    task, loop, signal_names = asyncio.ensure_future(run), asyncio.get_running_loop(), list[str]()

    def leave(name: str) -> None:
        if not signal_names:  # a second signal does not interrupt the cleaning
            signal_names.append(name)
            task.cancel()

    for ending in _ENDINGS:
        loop.add_signal_handler(ending, leave, ending.name)
    try:
        return await task
    except asyncio.CancelledError:
        if not signal_names:
            raise
        raise KemsError(
            f"{signal_names[0]} has ended the run. What it made is removed, as far as the server lets."
        ) from None
    finally:
        for ending in _ENDINGS:
            loop.remove_signal_handler(ending)


def apply(settings: Mapping[str, str], file: Path) -> None:
    """Print which lines of a settings file would change, and write it if the person agrees."""
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    after = with_values(before, settings)
    if before == after:
        typer.echo(f"{file} needs no change.")
        return
    for line in after.splitlines():
        if line not in before.splitlines():
            typer.echo(f"{file}: {line}")
    if typer.confirm("Write this?"):
        write(file, settings)
