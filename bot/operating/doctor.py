"""`kems doctor`: check everything that the bot needs and say what to do about what is missing. It changes nothing."""

import base64
import binascii
import shutil
import sqlite3
import stat
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord

from bot.art.cards import card_file
from bot.base.errors import KemsError
from bot.base.settings import ENV_FILE, Settings, unknown_names
from bot.discord.api.discord_internals import request
from bot.discord.interactions.admission.discord_clock import server_time
from bot.discord.messages.rivals import RIVAL, RIVAL_MS
from bot.discord.pictures.custom_emojis import SyncResult, due
from bot.discord.places.members import MEMBER
from bot.discord.places.permissions import (
    HISTORY,
    IN_CHANNEL,
    IN_THREAD,
    INVITED,
    PICTURES,
    missing_permissions,
    permission_names,
)
from bot.discord.text.texts import texts_for
from bot.game.evolve import evolve_all
from bot.operating.startup import INTENT_REFUSED, grants_content, logged_in
from bot.store.engine.database import SAFE_SQLITE, Database
from bot.store.engine.database_file import obstacle
from bot.store.migrate import needs_migration
from bot.store.tables.nonce_tags import SqlNonceTagStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.directory import REPAIR
from bot.tables.table_store import SavedTable

_ROOM: Final = 256 * 1024 * 1024
GUILDS: Final = "/users/@me/guilds"
"""The path at which Discord lists the servers that the bot is in."""
_PAGE: Final = 200  # servers that Discord lists at once
_LOOKED_AT: Final = 200  # servers of which Discord is asked whether the bot is in a timeout there
_NAMED: Final = 20  # servers with a fault that have a line of their own
_CLOCK_S: Final = 5
_VERIFY_FROM: Final = 75
_OTHERS: Final = stat.S_IRGRP | stat.S_IROTH


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check; `sentence` says what was found and, if that is not good, what to do."""

    is_good: bool
    sentence: str

    def __str__(self) -> str:
        return ("ok  " if self.is_good else "!!  ") + self.sentence


async def examine(settings: Settings) -> AsyncIterator[Finding]:
    """Yield the findings of all checks in turn; a check that fails does not stop the next."""
    for finding in _settings():
        yield finding
    file: Path | None = None
    try:
        database = Database(settings.database_url)
    except KemsError as error:
        yield Finding(False, str(error))
    else:
        file = database.file
        async for finding in _database(database):
            yield finding
        await database.close()
    for finding in _readable_by_others(file):
        yield finding
    yield _disk(Path.cwd() if file is None else file.parent)
    async for finding in _on_discord(settings):
        yield finding


def _settings() -> Iterator[Finding]:
    file = ENV_FILE.absolute()
    if file.exists():
        yield Finding(True, f"The settings of the environment and of {file} can be used.")
    else:
        yield Finding(True, f"The settings of the environment can be used. There is no {file}.")
    for name, nearest in unknown_names():
        if nearest is None:
            yield Finding(True, f"{file} has {name}, which is no setting of the bot.")
        else:
            yield Finding(False, f"{file} has {name}, which is no setting of the bot: is {nearest} meant?")


async def _database(database: Database) -> AsyncIterator[Finding]:
    if database.file is not None and (problem := obstacle(database.file, database.where)) is not None:
        yield Finding(False, problem)
        return
    if database.is_sqlite and sqlite3.sqlite_version_info < SAFE_SQLITE:
        advice = "another program that writes the same file can damage it: leave it to the bot"
        yield Finding(True, f"This machine has SQLite {sqlite3.sqlite_version}. Before 3.51.3, {advice}.")
    if database.file is not None and not database.file.exists():
        yield Finding(True, f"There is no database {database.where} yet: the bot makes it when it starts.")
        return
    try:
        if await needs_migration(database):
            yield Finding(False, f"The database {database.where} lacks tables of this version: run `kems migrate`.")
            return
        yield Finding(True, f"The database {database.where} has the tables of this version.")
        async for finding in _tables(database):
            yield finding
        if (await SqlNonceTagStore(database).rival_seen_at() or 0) >= round(time.time() * 1000) - RIVAL_MS:
            yield Finding(True, RIVAL)
    except KemsError as error:
        yield Finding(False, str(error))


async def _tables(database: Database) -> AsyncIterator[Finding]:
    problems = [
        (saved.lobby.id, _problem(saved)) if isinstance(saved, SavedTable) else (saved.id, str(saved.problem))
        async for saved in SqlTableStore(database).load_live()
    ]
    damaged = [(number, problem) for number, problem in problems if problem is not None]
    for number, problem in damaged:
        yield Finding(False, f"{problem} To repair it, {REPAIR.format(table=number)}.")
    if not damaged:
        yield Finding(True, f"All open tables can be continued ({len(problems)}).")


def _problem(saved: SavedTable) -> str | None:
    try:
        evolve_all(None, (entry.event for entry in saved.entries)) if saved.entries else None
    except (ValueError, TypeError, LookupError) as error:
        return f"Table {saved.lobby.id} cannot be continued: its log does not replay ({error})."
    return None


def _readable_by_others(database: Path | None) -> Iterator[Finding]:
    secret = [(ENV_FILE, "the bot's token"), *([] if database is None else [(database, "hands, signs and names")])]
    for file, content in secret:
        if file.is_file() and file.stat().st_mode & _OTHERS:
            yield Finding(False, f"Others on this machine may read {file}, which holds {content}: `chmod 600 {file}`.")


def _disk(folder: Path) -> Finding:
    """Check the free space in a folder, or in its nearest parent that exists."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    finding = f"{free / 1024**2:,.0f} MiB are free in {folder}"
    if free < _ROOM:
        return Finding(False, f"Only {finding}: make room, or the bot will have to stop when the disk is full.")
    return Finding(True, f"{finding}.")


async def _on_discord(settings: Settings) -> AsyncIterator[Finding]:
    try:
        token = settings.require_token()
    except KemsError as error:
        yield Finding(False, str(error))
        return
    if not _begins_with_an_id(token):
        yield Finding(False, "DISCORD_TOKEN does not begin with a bot's id: copy the whole token from the portal.")
    ahead: list[float] = []  # seconds by which this machine's clock was ahead at each answer

    def hear(answer: aiohttp.ClientResponse) -> None:
        if (at := server_time(answer)) is not None:
            ahead.append(time.time() - at / 1000)

    try:
        async with logged_in(settings, hear) as client:
            async for finding in application(settings, client):
                yield finding
            yield _card_pictures(await due(client, card_file))
            async for finding in servers(client):
                yield finding
    except KemsError as error:
        yield Finding(False, str(error))
    if ahead:
        yield _clock(ahead[-1])


def _begins_with_an_id(token: str) -> bool:
    """Return whether the first part of a token is an encoded id.

    Source: https://discord.com/developers/docs/reference#authentication
    """
    first = token.partition(".")[0]
    try:
        return base64.urlsafe_b64decode(first + "=" * (-len(first) % 4)).isdigit()
    except binascii.Error:
        return False


def _clock(ahead: float) -> Finding:
    if abs(ahead) <= _CLOCK_S:
        return Finding(True, "This machine's clock agrees with Discord's.")
    direction = "ahead of" if ahead > 0 else "behind"
    return Finding(
        False,
        f"This machine's clock is {abs(ahead):,.0f} s {direction} Discord's: set it, or the log has wrong times."
        " The game follows Discord's clock.",
    )


async def application(settings: Settings, client: discord.Client) -> AsyncIterator[Finding]:
    """Yield findings about the bot's account and its settings in the developer portal."""
    yield Finding(True, f"Discord knows the token: it belongs to {client.user}.")
    info = await client.application_info()
    yield message_content(settings, info.flags)
    yield endpoint(info)
    yield _two_factor(client)
    if (finding := _verification(client, info.approximate_guild_count)) is not None:
        yield finding
    yield invitation(info)


def message_content(settings: Settings, flags: discord.ApplicationFlags) -> Finding:
    """Check that Discord grants the message content intent, if the settings ask for it."""
    is_granted = grants_content(flags)
    if not settings.message_content:
        return Finding(True, "No privileged intent is needed (MESSAGE_CONTENT is 0).")
    return Finding(True, "The message content intent is granted.") if is_granted else Finding(False, INTENT_REFUSED)


def endpoint(info: discord.AppInfo) -> Finding:
    """Check that interactions arrive over the gateway, not at an HTTP endpoint."""
    if info.interactions_endpoint_url:
        advice = "empty *Interactions Endpoint URL* in the developer portal, under General Information."
        return Finding(False, f"The portal has an interactions endpoint, where all presses go: {advice}")
    return Finding(True, "Presses come over the bot's own connection.")


def _two_factor(client: discord.Client) -> Finding:
    """Report whether the bot's owner has two-factor authentication; some servers require it for giving roles."""
    if client.user is not None and client.user.mfa_enabled:
        return Finding(True, "The bot's owner has two-factor authentication.")
    effect = "on servers that require it, the bot cannot give roles to champions and winners"
    return Finding(True, f"The bot's owner has no two-factor authentication: {effect}.")


def _verification(client: discord.Client, servers: int) -> Finding | None:
    """Return a finding if the bot is on so many servers that Discord will ask for its verification.

    Source: https://support-dev.discord.com/hc/en-us/articles/23926564536471-How-Do-I-Get-My-App-Verified
    """
    is_verified = client.user is not None and client.user.public_flags.verified_bot
    if servers < _VERIFY_FROM or is_verified:
        return None
    limit = "nobody can add an unverified bot to more than 100"
    advice = "begin its verification in the developer portal, which takes days"
    return Finding(False, f"The bot is on {servers} servers, and {limit}: {advice}.")


def invitation(info: discord.AppInfo) -> Finding:
    """Check that *Add App* installs the bot with its permissions, not only its commands (scope `bot` missing)."""
    needed = discord.Permissions(**dict.fromkeys(INVITED, True))
    to_servers = "&integration_type=0"  # without it Discord may offer to add the commands to the person alone
    link = discord.utils.oauth_url(info.id, permissions=needed, scopes=("bot", "applications.commands")) + to_servers
    config = info.guild_integration_config
    added = None if config is None else config.oauth2_install_params
    if added is None or ("bot" in added.scopes and needed <= added.permissions):
        return Finding(True, f"This link invites the bot: {link}")
    advice = "choose *None* as Install Link in the developer portal, under Installation, and invite the bot by"
    return Finding(False, f"*Add App* adds the commands without the bot, or without its permissions: {advice} {link}")


def _card_pictures(work: SyncResult) -> Finding:
    advice = "run `kems emojis sync`, and restart the bot. Until then such cards are text."
    if not work.uploaded:
        return Finding(True, f"Discord has the pictures of all cards ({work.kept}).")
    if not work.kept and not work.removed:
        return Finding(False, f"Discord has no pictures of the cards: {advice}")
    return Finding(False, f"Pictures of cards are missing or have changed since ({work.uploaded}): {advice}")


async def _timeout(client: discord.Client, guild: Mapping[str, Any]) -> Finding | None:
    assert client.user is not None, "it is logged in"
    try:
        member = await request(client, "GET", MEMBER, guild_id=int(guild["id"]), user_id=client.user.id)
    except discord.HTTPException:  # such as of a server that has just removed the bot
        return None
    until = discord.utils.parse_time(member.get("communication_disabled_until"))
    if until is None or until <= discord.utils.utcnow():
        return None
    advice = "until then it cannot write there, and comes back by itself"
    finding = f"In {guild['name']} a moderator gave the bot a timeout until {until:%Y-%m-%d %H:%M} UTC"
    return Finding(False, f"{finding}: {advice}.")


async def servers(client: discord.Client) -> AsyncIterator[Finding]:
    """Yield the bot's timeouts and missing permissions in its servers, or that nothing is missing."""
    query: dict[str, object] = {"limit": _PAGE}
    count = faulty = 0
    while page := await request(client, "GET", GUILDS, query=query):
        count, query = count + len(page), query | {"after": page[-1]["id"]}
        for guild in page:
            if count <= _LOOKED_AT and (finding := await _timeout(client, guild)) is not None:
                yield finding
            permissions = discord.Permissions(int(guild.get("permissions", 0)))
            lacking = missing_permissions(permissions, (*IN_CHANNEL, *IN_THREAD, *PICTURES, *HISTORY))
            if not lacking or permissions.administrator:
                continue
            faulty += 1
            if faulty <= _NAMED:
                names = permission_names(lacking, texts_for("en"))
                yield Finding(False, f"In {guild['name']} the bot may not: {names}. Give its role these permissions.")
        if len(page) < _PAGE:
            break
    if faulty > _NAMED:
        yield Finding(False, f"The bot lacks permissions in more servers: {faulty - _NAMED}.")
    if not count:
        yield Finding(False, "The bot is on no server yet: open the link above.")
    elif not faulty:
        yield Finding(True, f"The bot has the permissions it needs, servers looked at: {count} (all of them).")
