"""The commands that work on a bot or its database, a function each. A returned sentence says what was done.

Each function may raise a KemsError, whose sentence says what is wrong and what to do.

If UPDATE_CHECK names the feed of the project's releases, a running bot looks there once a day and logs a newer version.
It sends nothing but the request.
"""

import asyncio
import gc
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final

import aiohttp
import msgspec
import structlog
from packaging.version import InvalidVersion, Version

from bot.base.clock import WallClock
from bot.base.errors import KemsError
from bot.base.settings import Settings
from bot.compose import build_client
from bot.discord.api.discord_internals import client_at
from bot.discord.gateway.client import KemsClient
from bot.discord.pictures.custom_emojis import PAUSE, sync
from bot.discord.rate_limits.panel_requests import OwnLoad
from bot.discord.rate_limits.responses import LongWaits
from bot.discord.text.texts import LANGUAGES, texts_for
from bot.ladder.formula import formula_with
from bot.operating import startup
from bot.operating.press_report import instants, report
from bot.store.backup import add_backup, copy_database, keep_before_update, require_file
from bot.store.backup import back_up as copy_to_file
from bot.store.backup import restore as put_back
from bot.store.engine.database import COMMAND_S, LONG_COMMAND_S, Database
from bot.store.ladder.recount import SqlRecount
from bot.store.migrate import keep_nothing, lock_and_migrate, needs_migration, open_for_bot
from bot.store.records.history import SqlArchive
from bot.store.records.press_notes import SqlPressNoteStore
from bot.tables.match.table import TableChanged
from bot.ui.lobby.lobby_board import welcome_board

_VIEWERS: Final = ("Léa", "Bruno", "Chloé", "Dora", "Emil", "Farah", "Gaël", "Hana", "Ivo", "Jade", "Karim", "Lina")
_HANDOVER_S: Final = 20.0
"""How long a start waits for another process to release the SQLite file."""
_BEFORE_A_COLLECTION: Final = 10_000
"""New container objects after which the garbage collector looks at them (Python's default is 700)."""


async def run_bot(settings: Settings, *, paces_starts: bool = False) -> None:
    """Play on Discord until cancelled. If the database or Discord cannot be reached yet, wait for it.

    Args:
        settings: They have a token.
        paces_starts: Wait first if several starts in a row have failed (`startup.spaced_starts`).

    Raises:
        KemsError: The token or an intent was refused, the connection cannot be kept, or another process uses the SQLite
            file.
    """
    token = settings.require_token()
    startup.use_proxy(settings)
    async with _database(settings.database_url, COMMAND_S, settings.address_name) as database:
        await startup.until_reached(lambda: open_for_bot(database, _HANDOVER_S, keep_before_update))
        client = build_client(settings, database=database, load=OwnLoad())
        folder = Path.cwd() if database.file is None else database.file.parent
        async with (
            client,
            startup.spaced_starts(folder, lambda: bool(client.keeper.latencies)) if paces_starts else nullcontext(),
            _status(settings, client, database),
            watched(settings.update_check),
        ):
            await startup.until_reached(startup.reach_discord)
            async with startup.waiting_while_shut_out():
                with startup.asking_discord():
                    await _play(client, token)


def _status(settings: Settings, client: KemsClient, database: Database) -> AbstractAsyncContextManager[int | None]:
    if settings.status_address is None:
        return nullcontext()
    from bot.operating.status import problem_of, serving, state_of  # noqa: PLC0415 - tests/test_late_imports.py

    read, problems = partial(state_of, client), partial(problem_of, client, database)
    return serving(settings.status_address, read, problems, lambda: _remark(client))


def _remark(client: KemsClient) -> str | None:
    """Return what the operator should know of a bot that is ready; None if there is nothing."""
    return " ".join(filter(None, (client.keeper.remark, client.rooms.rivals.notice))) or None


async def _play(client: KemsClient, token: str) -> None:
    """Log in and play until cancelled.

    The garbage collector runs rarely and skips all that the login has loaded: that is never freed, and a press leaves
    no reference cycles.
    """
    await client.login(token)
    if client.intents.message_content and not startup.grants_content((await client.application_info()).flags):
        client.keeper.go_on_without_content()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_BEFORE_A_COLLECTION)
    await client.connect()


@asynccontextmanager
async def _own_database(settings: Settings) -> AsyncIterator[Database]:
    """Yield the settings' database, migrated to this version and locked against every other bot."""
    async with _database(settings.database_url) as database:
        await lock_and_migrate(database, keep_before_update)
        yield database


async def sync_emojis(settings: Settings, *, pause: float = PAUSE) -> str:
    """Upload the card pictures that the application lacks, and delete outdated ones.

    After a failure, a second call goes on where the first one stopped.

    Args:
        settings: They have a token.
        pause: Seconds between two uploads.

    Raises:
        KemsError: The token was refused, Discord cannot be reached, it refuses a picture or asks to wait long.
    """
    from rich.progress import Progress  # noqa: PLC0415 - no other command needs it

    from bot.art.cards import card_file  # noqa: PLC0415 - tests/test_late_imports.py

    waits = LongWaits()
    with Progress(disable=not sys.stdout.isatty(), transient=True) as bar:
        task = bar.add_task("Pictures", total=None)

        def progress(done: int, total: int) -> None:
            if total and not done:
                minutes = max(1, round(total * PAUSE / 60))
                bar.print(f"Pictures to upload or to remove: {total}, about {minutes} min.", highlight=False)
            bar.update(task, completed=done, total=total)

        async with startup.logged_in(settings, waits.on_answer) as client:
            done = await sync(client, card_file, pause=pause, progress=progress, waits=waits)
    return f"Pictures uploaded: {done.uploaded}, old ones removed: {done.removed}, there already: {done.kept}." + (
        " A running bot shows them from its next start." if done.uploaded else ""
    )


async def play_sandbox(settings: Settings, *, port: int, viewers: int, locale: str | None) -> None:
    """Play in the browser on a simulated Discord, with a temporary database, until cancelled.

    It prints the addresses of the pages.

    Args:
        settings: Those of a database and a development server are not used.
        port: 0 for any free port.
        viewers: Number of people with a page of their own, at most 12.
        locale: The language of public messages; None for that of the first browser.

    Raises:
        KemsError: The port is taken, or the database cannot be opened.
    """
    import typer  # noqa: PLC0415 - tests/test_late_imports.py

    from bot.sandbox.server import SandboxError, SandboxInfo, Setting, serve  # noqa: PLC0415 - no other command needs it

    with tempfile.TemporaryDirectory(prefix="kems-") as folder:
        url = f"sqlite:///{Path(folder, 'sandbox.db')}"
        chosen = settings.model_copy(update={"database_url": url, "dev_guild_id": None})
        await migrate(chosen)
        client = build_client(chosen)
        welcome = {offered.discord: welcome_board(texts_for(code)) for code, offered in LANGUAGES.items()}
        own = None if locale is None else LANGUAGES[locale].discord
        setting = Setting(viewers=_VIEWERS[:viewers], locale=own, locales=tuple(welcome), welcome=welcome)

        async def announce(info: SandboxInfo) -> None:
            typer.echo("A Discord on this machine alone, which starts empty each time. Ctrl-C ends it.")
            typer.echo("Open an address in a browser, one tab for each player:")
            for name, address in info.addresses.items():
                typer.echo(f"  {name}: {address}")
            if info.beside is not None:
                typer.echo(f"Two players side by side: {info.beside}")
            drawing.append(asyncio.create_task(_show_pictures(client)))

        drawing: list[asyncio.Task[None]] = []
        try:
            await serve(lambda: client, client_at, port=port, setting=setting, on_ready=announce)
        except SandboxError as error:
            raise KemsError(
                f"The sandbox cannot run: {error} (`kems play --port 0`, or `SANDBOX_PORT=0 make play`)."
            ) from error
        finally:
            for task in drawing:
                task.cancel()


async def _show_pictures(client: KemsClient) -> None:
    try:
        from bot.art.cards import card_file  # noqa: PLC0415 - tests/test_late_imports.py

        await sync(client, card_file, pause=0)
    except KemsError as error:
        sys.stderr.write(f"{error}\n")
    else:
        await client.rooms.emojis.load()
        for table in client.rooms.directory.tables():
            client.rooms.hub.publish(TableChanged(table, ()))


async def migrate(settings: Settings, *, keeps_copy: bool = True) -> str:
    """Migrate the database to this version; with `keeps_copy`, copy it before.

    A database that is up to date is not locked, so a bot may be running.
    """
    async with _database(settings.database_url) as database:
        if await needs_migration(database):
            await lock_and_migrate(database, keep_before_update if keeps_copy else keep_nothing)
        return f"The database {database.where} has the tables of this version."


async def rebuild_standings(settings: Settings) -> str:
    """Recompute all standings from the logs of finished matches."""
    async with _own_database(settings) as database:
        formula = formula_with(settings.sure_matches, settings.sure_partners)
        count = await SqlRecount(database, formula=formula).rebuild()
    return f"The standings in {database.where} were counted again. Finished matches: {count}."


async def back_up(settings: Settings, target: Path, keep: int | None = None) -> str:
    """Copy the database into the new file `target`.

    With `keep`, `target` is a folder instead: the copy gets a name by the time, and all but the `keep` newest copies
    are deleted.

    Raises:
        StoreError: The database cannot be read, or the target cannot be written; then nothing is deleted.
    """
    async with _database(settings.database_url) as database:
        if keep is None:
            file, size, deleted = target, await copy_to_file(database, target), 0
        else:
            file, size, deleted = await add_backup(database, target, keep)
    gone = f" Older copies that were deleted: {deleted}." if deleted else ""
    return f"{file} holds the database {database.where} ({size / 1024:,.0f} KiB).{gone}"


async def explain_presses(settings: Settings, user_id: int, at: str, minutes: int) -> str:
    """Return a report on a person's presses from `minutes` before a time until `minutes` after it.

    Args:
        settings: They name the database.
        user_id: The person's id on Discord.
        at: A time of this machine's time zone, such as "21:03" (`press_report.instants`).
        minutes: At least 1.

    Raises:
        KemsError: `at` names no time whose presses are kept, or the database cannot be read.
    """
    now = datetime.now().astimezone()
    times = instants(at, now)
    async with _database(settings.database_url) as database:
        database.check_exists("look into")
        await _require_tables(database, database.where)
        reports = [await report(SqlPressNoteStore(database), user_id, each, minutes, now) for each in times]
    return "\n\n".join(reports)


async def copy_db(source: str, target: str) -> str:
    """Copy a database into an empty one, between SQLite and PostgreSQL too, and compare every row."""
    async with _database(source) as first, _database(target) as second:
        count = await copy_database(first, second)
    return (
        f"{second.where} holds all that {first.where} holds, and each row was compared ({count:,})."
        " Set DATABASE_URL to it, then start the bot."
    )


async def write_site(
    settings: Settings, folder: Path, *, server: int | None, title: str, language: str | None, most: int
) -> str:
    """Write the web pages of one server's records into a folder, and delete stale pages of an earlier call.

    Args:
        settings: They name the database.
        folder: A new or an empty folder, or one that an earlier call wrote.
        server: The server's id; None if the database has a single server.
        title: What the pages are called.
        language: A catalogue's code; None for the language that the server chose, or the default.
        most: How many of the latest matches, and of the latest nights, have a page.

    Raises:
        KemsError: `server` is missing, the folder holds other files, or something cannot be read or written.
    """
    from bot.site.folder import SiteFolder  # noqa: PLC0415 - no other command needs them
    from bot.site.pages import pages  # noqa: PLC0415
    from bot.site.reader import read_site  # noqa: PLC0415

    target = SiteFolder(folder)
    async with _beside_a_bot(settings) as database:
        site = await read_site(database, settings, server, title, language, most, WallClock().now())
        async for name, text in pages(site, SqlArchive(database)):
            target.write(name, text)
    target.delete_stale_pages()
    return (
        f"{folder / 'index.html'} begins the pages. Seasons: {len(site.seasons)}, nights: {len(site.nights)},"
        f" matches: {len(site.matches)}."
    )


@asynccontextmanager
async def _beside_a_bot(settings: Settings) -> AsyncIterator[Database]:
    """Yield a database to read while a bot may be running: PostgreSQL itself, a temporary copy of an SQLite file."""
    async with _database(settings.database_url) as database:
        if not database.is_sqlite:
            await _require_tables(database, database.where)
            yield database
            return
        with tempfile.TemporaryDirectory(prefix="kems-") as folder:
            file = Path(folder, "kems.db")
            await copy_to_file(database, file)
            async with _database(f"sqlite:///{file}") as copy:
                await _require_tables(copy, database.where)
                yield copy


async def _require_tables(database: Database, where: str) -> None:
    """Check that the database at `where` has the tables of this version.

    Raises:
        KemsError: It has those of an older one.
    """
    if await needs_migration(database, where):
        raise KemsError(f"The database {where} has tables of an older version: run `kems migrate` first.")


@asynccontextmanager
async def _database(address: str, command_s: float = LONG_COMMAND_S, sends_from: str = "") -> AsyncIterator[Database]:
    database = Database(address, command_s=command_s, sends_from=sends_from)
    try:
        yield database
    finally:
        await database.close()


def question_of_restore(settings: Settings, file: Path) -> str:
    """Return the question to confirm that a backup replaces the database.

    Raises:
        StoreError: There is no such file.
    """
    require_file(file)
    return f"Does what {file} holds replace everything in the database {Database(settings.database_url).where}?"


async def restore(settings: Settings, file: Path, *, keeps_copy: bool = True) -> str:
    """Replace the database with a backup; with `keeps_copy`, copy what it held before.

    Raises:
        StoreError: The backup cannot be used, or the database is in use or cannot be written; nothing has changed.
    """
    async with _database(settings.database_url) as database:
        kept = await put_back(database, file, keeps_copy=keeps_copy)
    where = "" if kept is None else f" What it held before is in {kept}."
    return f"The database {database.where} holds what {file} holds.{where} Run `kems doctor`, then start the bot."


_DAY_S: Final = 86_400
_PATIENCE: Final = aiohttp.ClientTimeout(total=30)
_LONGEST: Final = 2**20
"""The most bytes of an answer; a longer one is no feed of releases."""

_log = structlog.get_logger(__name__)


class _Release(msgspec.Struct):
    """The part of the feed that may go to the log: a version and an address, of restricted forms."""

    tag_name: Annotated[str, msgspec.Meta(pattern=r"^v?\d{1,6}(\.\d{1,6})*[\w.+-]{0,32}\Z")]
    html_url: Annotated[str, msgspec.Meta(pattern=r"^https?://[!-~]{1,500}\Z")]


@asynccontextmanager
async def watched(feed: str | None) -> AsyncIterator[None]:
    """Read the feed of releases, at once and then daily, while the context is open; without a feed do nothing."""
    task = None if feed is None else asyncio.create_task(_watch(feed))
    try:
        yield
    finally:
        if task is not None:
            task.cancel()


async def _watch(feed: str) -> None:
    while True:
        await _look(feed)
        await asyncio.sleep(_DAY_S)


async def _look(feed: str) -> None:
    """Log the version that the feed names and its page of changes, if it is newer than the installed one.

    The feed is JSON with `tag_name` and `html_url`, as GitHub, Gitea and Forgejo serve for the latest release.
    """
    try:
        async with (
            aiohttp.ClientSession(timeout=_PATIENCE, raise_for_status=True) as session,
            session.get(feed) as answer,
        ):
            latest = msgspec.json.decode(await _text(answer), type=_Release)
    except (aiohttp.ClientError, OSError, msgspec.MsgspecError, ValueError, RecursionError) as error:
        _log.info("update.not_known", problem=type(error).__name__)
        return
    installed = version("kems-bot")
    if _is_newer(latest.tag_name, installed):
        _log.info("update.available", version=latest.tag_name, installed=installed, changes=latest.html_url)


async def _text(answer: aiohttp.ClientResponse) -> bytes:
    """Return the body of an answer.

    Raises:
        ValueError: It is longer than a feed.
    """
    try:
        await answer.content.readexactly(_LONGEST)
    except asyncio.IncompleteReadError as end:
        return end.partial
    raise ValueError("This is no feed.")


def _is_newer(tag: str, installed: str) -> bool:
    """Return whether a tag is newer than a version; False for a tag that is none. Candidates precede their release."""
    try:
        return Version(tag) > Version(installed)
    except InvalidVersion:
        return False
