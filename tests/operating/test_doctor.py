"""`kems doctor` against a Discord of a few answers on this machine: every finding, good and bad."""

import json
import os
import re
import sqlite3
from collections import namedtuple
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path

import discord
import pytest
from aiohttp import web

from bot.base.settings import Settings
from bot.discord.pictures.custom_emojis import every_face
from bot.operating import doctor
from bot.operating.doctor import examine
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from tests.databases import migrated
from tests.store.conftest import execute, opened
from tests.store.matches import a_match, lobby

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"
ME = {"id": "42", "username": "kems", "discriminator": "0", "avatar": None, "bot": True}
APP = {"id": "42", "name": "kems", "description": "", "icon": None, "verify_key": ""}
APP |= {"bot_public": True, "bot_require_code_grant": False}
ALL = str((1 << 10) | (1 << 11) | (1 << 15) | (1 << 16) | (1 << 35) | (1 << 38))
CONTENT = 1 << 18
LACKING = "Send Messages, Create Public Threads, Send Messages in Threads, Attach Files, Read Message History"
LINK = "oauth2/authorize?client_id=42&scope=bot+applications.commands&permissions=377957223424&integration_type=0"
Usage = namedtuple("Usage", "total used free")


def _added(scope: str, permissions: str = "377957223424") -> dict[str, object]:
    return {"oauth2_install_params": {"scopes": [scope], "permissions": permissions}}


class Answers:
    """What this Discord says; `permissions` are those of the bot on all its servers."""

    def __init__(self) -> None:
        self.status = 200
        self.flags = 0
        self.added: dict[str, object] = {}  # by *Add App*
        self.permissions = ALL
        self.names = ["Game night"]
        self.servers, self.user_flags = 1, 0
        self.ahead = 0  # seconds by which this Discord's clock is
        self.timed_out_until: str | None = None
        self.emojis: list[str] = []
        self.asked: list[str] = []

    async def answer(self, request: web.Request) -> web.Response:
        if self.status != 200:
            return _json({"message": "no", "code": 0}, self.status)
        self.asked.append(request.path.removeprefix("/api/v10"))
        after = int(request.query.get("after", 0))
        numbered = list(enumerate(self.names, 1))[after:]
        guilds = [{"id": str(number), "name": name, "permissions": self.permissions} for number, name in numbered]
        emojis = [{"id": str(number), "name": name} for number, name in enumerate(self.emojis, 100)]
        said: dict[str, object] = {
            "/users/@me": {**ME, "public_flags": self.user_flags},
            "/oauth2/applications/@me": {
                **APP,
                "flags": self.flags,
                "approximate_guild_count": self.servers,
                "owner": {**ME, "id": "1"},
                "integration_types_config": {"0": self.added},
            },
            "/users/@me/guilds": guilds[: int(request.query.get("limit", 200))],
            "/applications/42/emojis": {"items": emojis},
        }
        path = request.path.removeprefix("/api/v10")
        if path.startswith("/guilds/"):
            said[path] = {"communication_disabled_until": self.timed_out_until if "/guilds/1/" in path else None}
        answer = _json(said[path])
        answer.headers["Date"] = format_datetime(datetime.now(UTC) + timedelta(seconds=self.ahead), usegmt=True)
        return answer


def _json(body: object, status: int = 200) -> web.Response:
    return web.Response(body=json.dumps(body).encode(), status=status, content_type="application/json")


@pytest.fixture
async def answers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Answers]:
    """Everything is as it should be; cards are drawn in no time."""
    said = Answers()
    monkeypatch.setattr(doctor, "card_file", lambda theme, card, rank: f"{theme} {card.code} {rank}".encode())
    digests = {name: sha256(doctor.card_file(*face)).hexdigest() for name, *face in every_face()}
    said.emojis = [*(f"{name}_{digest[:8]}" for name, digest in digests.items()), "party_parrot"]
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", said.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address, port = runner.addresses[0][:2]
    monkeypatch.setattr(discord.http.Route, "BASE", f"http://{address}:{port}/api/v10")
    yield said
    await runner.cleanup()


def settings(folder: Path, **changes: object) -> Settings:
    values: dict[str, object] = {"database_url": f"sqlite:///{folder}/kems.db", "discord_token": TOKEN, **changes}
    return Settings(_env_file=None, **values)  # type: ignore[arg-type]  # pydantic checks them


async def said(chosen: Settings) -> str:
    return "\n".join([finding.sentence async for finding in examine(chosen)])


async def problems(chosen: Settings) -> str:
    return "\n".join([finding.sentence async for finding in examine(chosen) if not finding.is_good])


async def test_doctor_has_no_problem_when_all_is_well(tmp_path: Path, answers: Answers) -> None:
    migrated(tmp_path)
    assert await problems(settings(tmp_path)) == ""
    told = await said(settings(tmp_path))
    for words in (
        "pictures of all cards (232)",
        "settings",
        "has the tables of this version",
        "All open tables can be continued (0)",
        "MiB are free",
        "belongs to kems",
        "permissions it needs, servers looked at: 1 (all of them)",
        "clock agrees with Discord's",
    ):
        assert words in told
    assert TOKEN not in told


async def test_doctor_asks_the_configured_proxy(
    tmp_path: Path, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = discord.http.Route.BASE.removesuffix("/api/v10")
    proxied = settings(tmp_path, discord_api=base)
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1")
    assert "belongs to kems" in await said(proxied)


async def test_doctor_does_not_create_a_missing_database(tmp_path: Path, answers: Answers) -> None:
    assert "the bot makes it when it starts" in await said(settings(tmp_path))
    assert list(tmp_path.iterdir()) == []


async def test_missing_newer_or_damaged_tables_are_reported(tmp_path: Path, answers: Answers) -> None:
    file = tmp_path / "kems.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        connection.commit()
        assert "lacks tables of this version: run `kems migrate`" in await problems(settings(tmp_path))
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
        connection.commit()
    assert "which this version of the bot does not know" in await problems(settings(tmp_path))
    file.write_text("no database\n" * 500)
    assert "is not a database file" in await problems(settings(tmp_path))


async def test_a_database_locked_by_another_program_is_reported(tmp_path: Path, answers: Answers) -> None:
    address = migrated(tmp_path)
    with closing(sqlite3.connect(tmp_path / "kems.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        found = await problems(settings(tmp_path))
    assert f"The database {address} is in use by another program: stop that one, or try again." in found


async def test_tables_that_cannot_be_continued_are_reported(tmp_path: Path, answers: Answers) -> None:
    async with opened(migrated(tmp_path)) as database:
        tables, log = SqlTableStore(database), SqlJournal(database)
        events, _ = a_match(target=2)
        for _ in range(3):
            playing = replace(lobby(Status.PLAYING), id=await tables.create(lobby()))
            await tables.record_start(playing, events[:1])
            await log.append(playing.id, 2, events[1:5], None)
        await execute(
            database,
            "DELETE FROM events WHERE table_id = 2 AND seq = 4",
            "DELETE FROM events WHERE table_id = 3 AND seq = 1",
            "UPDATE events SET seq = seq + 100 WHERE table_id = 3",
            "UPDATE events SET seq = seq - 101 WHERE table_id = 3",  # the second event is the first one now
        )
    assert (await problems(settings(tmp_path))).splitlines() == [
        "The log of table 2 has a gap: its event 4 is missing."
        " To repair it, restore the last backup, or close the table with /kems table end (2).",
        "Table 3 cannot be continued: its log does not replay"
        " (a match begins with the event MatchStarted, not with SignSettled)."
        " To repair it, restore the last backup, or close the table with /kems table end (3).",
    ]


async def test_files_that_others_may_read_are_reported(
    tmp_path: Path, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file, mode in ((tmp_path / ".env", 0o604), (tmp_path / "kems.db", 0o640)):
        file.touch()
        file.chmod(mode)
    told = await problems(settings(tmp_path))
    assert "Others on this machine may read .env, which holds the bot's token: `chmod 600 .env`." in told
    assert "kems.db, which holds hands, signs and names: `chmod 600 " in told
    for file in (tmp_path / ".env", tmp_path / "kems.db"):
        file.chmod(0o600)
    assert "Others" not in await problems(settings(tmp_path))


async def test_a_wal_without_its_database_is_reported(tmp_path: Path, answers: Answers) -> None:
    (tmp_path / "kems.db-wal").write_bytes(b"changes")
    assert "-wal holds changes of it: put the file back" in await problems(settings(tmp_path))


async def test_too_little_disk_space_is_reported(
    tmp_path: Path, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _folder: Usage(10**9, 10**9 - 10**6, 10**6))
    assert "make room" in await problems(settings(tmp_path))


@pytest.mark.parametrize(
    ("changes", "here", "problem"),
    [
        ({"discord_token": None}, {}, "DISCORD_TOKEN is missing"),
        ({"discord_token": TOKEN[5:]}, {}, "DISCORD_TOKEN does not begin with a bot's id"),
        ({}, {"status": 401}, "Discord refused DISCORD_TOKEN"),
        ({}, {"status": 403}, "Discord answers with 403 (code 0): "),
        ({"message_content": True}, {}, "did not grant the message content intent: switch it on"),
        ({"message_content": True}, {"flags": CONTENT}, ""),
        ({}, {"names": []}, "The bot is on no server yet"),
        ({}, {"servers": 74}, ""),
        ({}, {"servers": 75}, "The bot is on 75 servers, and nobody can add an unverified bot to more than 100: begin"),
        ({}, {"servers": 99, "user_flags": 1 << 16}, ""),
        ({}, {"added": _added("bot")}, ""),
        ({}, {"added": _added("applications.commands")}, LINK),
        ({}, {"added": _added("bot", "1024")}, LINK),
        ({}, {"permissions": str(1 << 3)}, ""),  # an administrator lacks nothing
        (
            {},
            {"permissions": str(1 << 10)},
            f"In Game night the bot may not: {LACKING}. Give its role these permissions.",
        ),
    ],
)
async def test_problems_of_the_token_the_intent_and_the_servers_are_reported(
    tmp_path: Path, answers: Answers, changes: dict[str, object], here: dict[str, object], problem: str
) -> None:
    vars(answers).update(here)
    told = await problems(settings(tmp_path, **changes))
    assert problem in told
    assert bool(told) is bool(problem)


async def test_every_server_is_checked(tmp_path: Path, answers: Answers) -> None:
    answers.names = [f"Server {number}" for number in range(1, 451)]
    assert "The bot has the permissions it needs, servers looked at: 450 (all" in await said(settings(tmp_path))
    assert answers.asked.count("/users/@me/guilds") == 3
    answers.permissions = "0"
    faults = (await problems(settings(tmp_path))).splitlines()
    assert faults[0].startswith("In Server 1 the bot may not: View Channel, ")
    assert faults[20:] == ["The bot lacks permissions in more servers: 430."]


async def test_a_timeout_of_the_bot_is_reported_with_its_end(tmp_path: Path, answers: Answers) -> None:
    answers.names = ["Game night", "Elsewhere"]
    until = datetime.now(UTC) + timedelta(hours=1)
    answers.timed_out_until = until.isoformat()
    said = f"a moderator gave the bot a timeout until {until:%Y-%m-%d %H:%M} UTC"
    assert (await problems(settings(tmp_path))).startswith(f"In Game night {said}")
    answers.timed_out_until = (until - timedelta(hours=2)).isoformat()
    assert await problems(settings(tmp_path)) == ""


@pytest.mark.parametrize(("ahead", "said"), [(90, "90 s behind Discord's"), (-90, "90 s ahead of Discord's")])
async def test_a_wrong_clock_is_reported(tmp_path: Path, answers: Answers, ahead: int, said: str) -> None:
    answers.ahead = ahead
    assert re.sub(r"(89|91) s", "90 s", await problems(settings(tmp_path))) == (
        f"This machine's clock is {said}: set it, or the log has wrong times. The game follows Discord's clock."
    )


async def test_the_path_of_the_settings_and_unknown_names_are_shown(
    tmp_path: Path, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / ".env"
    assert f"The settings of the environment can be used. There is no {file}." in await said(settings(tmp_path))
    file.write_text("AUTO_OPEN=5\nDISCORD_TOKN=x\n# NOTHING=1\nexport auto_nxt = 3\nPOSTGRES_PASSWORD=x\n")
    file.chmod(0o600)
    assert f"{file} can be used." in await said(settings(tmp_path))
    assert (await problems(settings(tmp_path))).splitlines() == [
        f"{file} has DISCORD_TOKN, which is no setting of the bot: is DISCORD_TOKEN meant?",
        f"{file} has AUTO_NXT, which is no setting of the bot: is AUTO_NEXT meant?",
    ]
    assert f"{file} has POSTGRES_PASSWORD, which is no setting of the bot." in await said(settings(tmp_path))


async def test_a_path_where_no_database_can_be_created_is_reported(
    tmp_path: Path, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kems.db").mkdir()
    assert await problems(settings(tmp_path)) == (
        f"{tmp_path}/kems.db is a folder: name a file in DATABASE_URL, such as {tmp_path}/kems.db/kems.db."
    )
    missing = tmp_path / "missing"
    assert await problems(settings(missing)) == (
        f"The folder {missing} for the database is missing: make it, or change DATABASE_URL."
    )
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != missing and may(path, mode))  # root may all
    missing.mkdir()
    assert f"The bot may not write in {missing}" in await problems(settings(missing))


@pytest.mark.parametrize(("version", "is_told"), [((3, 40, 1), True), ((3, 51, 3), False)])
async def test_an_old_sqlite_is_mentioned_without_failing(
    tmp_path: Path, answers: Answers, monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], is_told: bool
) -> None:
    monkeypatch.setattr(doctor.sqlite3, "sqlite_version_info", version)
    assert ("leave it to the bot" in await said(settings(tmp_path))) is is_told
    assert await problems(settings(tmp_path)) == ""


async def test_no_library_prints_anything(tmp_path: Path, answers: Answers, caplog: pytest.LogCaptureFixture) -> None:
    await said(settings(tmp_path))
    assert [record.getMessage() for record in caplog.records] == []


async def test_missing_and_old_card_pictures_are_reported(tmp_path: Path, answers: Answers) -> None:
    everything = answers.emojis
    answers.emojis = ["party_parrot"]
    assert "Discord has no pictures of the cards: run `kems emojis sync`" in await problems(settings(tmp_path))
    answers.emojis = everything[3:]
    assert "Pictures of cards are missing or have changed since (3): run" in await problems(settings(tmp_path))
    answers.emojis = [name[:-8] + "00000000" for name in everything[:-1]]
    assert "Pictures of cards are missing or have changed since (232)" in await problems(settings(tmp_path))
