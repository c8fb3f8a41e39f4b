"""A player who did all there is to do is erased: no row, no log line and no export holds their id or name any more.

The whole database is searched, whatever tables it has, and on SQLite the bytes of its files.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import discord
import pytest
from sqlalchemy import MetaData, make_url, select
from structlog.testing import capture_logs

from bot.game.signs import Strategy
from bot.nights.changes import DoneStep, HostStep, StepKind
from bot.nights.night import Night, NightStatus
from bot.nights.people import sign_up
from bot.nights.rounds import Entrant
from bot.store.backup import copy_database
from bot.store.engine.database import Database
from bot.store.ladder.season_store import SqlChampionStore
from bot.store.nights import SqlNightStore
from bot.store.privacy import SqlPersonalData
from bot.store.schema import Base
from bot.store.schema.ladder import ChampionRow
from bot.store.tables.bans import SqlBanStore
from bot.tables.servers.bans import Ban
from tests.databases import migrated
from tests.integration.harness import EVERYBODY, Harness, Seen
from tests.integration.sqlite_in_loop import answer_in_loop
from tests.integration.table import Table, kems, void
from tests.store.conftest import opened, sync
from tests.store.counted_matches import DAY, Match, play_all
from tests.tables.nights.evening import planned

LEA, BRUNO, CHLOE, DORA, EMILE = PEOPLE = EVERYBODY[:5]
"""Bruno manages the server, and will be forgotten."""

SECRET = "bG9vcGJhY2s.tests.the-token-of-a-bot"
PEOPLE_COLUMNS = ("user_id", "host_id", "by_id", "low_id", "high_id", "partners")


@dataclass(frozen=True)
class Traces:
    """What must not be found."""

    user_id: int

    def in_text(self, text: str) -> bool:
        return str(self.user_id) in text or BRUNO.casefold() in text.casefold()

    def in_bytes(self, data: bytes) -> bool:
        words = (str(self.user_id).encode(), self.user_id.to_bytes(8, "big"), BRUNO.encode(), BRUNO.lower().encode())
        return any(word in data for word in words)


async def found(database: Database, traces: Traces) -> list[str]:
    """`table.column` wherever a value tells of the person; of every column of every table there is."""

    def search(connection: object) -> Iterator[str]:
        metadata = MetaData()
        metadata.reflect(connection)  # type: ignore[arg-type]  # run_sync gives a connection
        for table in metadata.sorted_tables:
            for row in connection.execute(select(table)).mappings():  # type: ignore[attr-defined]
                yield from (f"{table.name}.{name}" for name, value in row.items() if traces.in_text(str(value)))

    return sorted(set(await sync(database, lambda connection: list(search(connection)))))


async def lead(harness: Harness) -> None:
    """Make the bot the leader of its processes, which registers commands: simcord runs no `ShardKeeper`."""
    bot = harness.bot
    await bot.rooms.store.cluster.lead()
    await bot.keeper.lead()
    for _ in range(50):
        if not bot.registration.is_done:
            await harness.advance(0.1)
    assert bot.registration.is_done


async def a_full_life(harness: Harness, database: Database) -> tuple[Table, Seen]:
    """Every table of the database knows Bruno afterwards; he has just left a match that goes on. The end of another."""
    bruno, now = harness[BRUNO], int(harness.now().timestamp() * 1000)
    manager = harness.guild.create_role("Gestion", permissions=discord.Permissions(manage_guild=True))
    harness.env.backend.add_member_role(harness.guild.id, bruno.id, manager.id)
    users = tuple(harness[name].id for name in PEOPLE[:4])
    place = {"guild": harness.guild.id, "channel": harness.channel.id}
    past = [Match(users, at=now - day * DAY, names=PEOPLE, **place) for day in (3, 2, 1)]
    ids = await play_all(database, past)
    await bruno.slash("kems-admin rules save", name="Jeudi", text="classic target=1")
    await bruno.slash("kems-admin season rename", name="Été")
    await void(bruno, ids[0], f"{bruno.id} <@{bruno.id}> <@!{bruno.id}> triche")
    async with database.transaction() as session:
        session.add(ChampionRow(guild_id=harness.guild.id, user_id=bruno.id, role_id=5, is_of_night=False))

    bans = SqlBanStore(database, SECRET)  # of another server: here he plays
    await bans.put(7, bruno.id, Ban(bruno.id, now + DAY, harness[LEA].id, f"{BRUNO} triche"))
    await bans.put(7, harness[LEA].id, Ban(harness[LEA].id, now + DAY, bruno.id, f"insulte <@{bruno.id}>"))
    night = Night(0, harness.guild.id, 0, bruno.id, "fr", planned(title=f"Soirée de {bruno.id}"), seed=7)
    night = await SqlNightStore(database).create(night)
    part = {
        "entrants": (Entrant(0, bruno.id, BRUNO, now),),
        "steps": (DoneStep(HostStep(StepKind.PAUSE_ALL), bruno.id, now),),
        "version": 1,
    }
    await SqlNightStore(database).save(
        replace(night, **part, status=NightStatus.CANCELLED, reason=f"Sans <@{bruno.id}>")
    )
    live = harness.bot.rooms.nights  # one that is still to come, which the bot has in memory
    plan = planned(title=f"Fête de <@{bruno.id}>", starts_at=now + DAY)
    coming = await live.plan(guild_id=night.guild_id, host_id=bruno.id, locale="fr", plan=plan)
    assert isinstance(await live.update(coming.id, lambda night: sign_up.join(night, bruno.id, BRUNO, now)), Night)

    await bruno.slash("kems-admin night create")
    await bruno.slash("kems daily")
    await bruno.click("▶ Scène 1")
    here, harness.channel = harness.channel, harness.guild.create_text_channel("plus-tard")
    await harness[EMILE].slash("kems start")
    await harness[EMILE].click("Inviter…")
    invites = next(c.custom_id for c in harness[EMILE].last().controls if "invite_people" in c.custom_id)
    await harness[EMILE].choose(invites, bruno.actor)
    harness.channel = here
    await bruno.slash("kems start")
    await harness[EMILE].click("Rejoindre", bruno.last(ephemeral=False))
    await bruno.agree("kems table kick", member=harness[EMILE].actor)
    await bruno.agree("kems table end")
    played = Table(harness, (BRUNO, LEA, CHLOE, DORA))
    await played.open(target=1, vote=(Strategy.SPOKEN,))
    await played.agree_on_what_is_offered()
    await played.open_hunt()
    await bruno.react("🎲", played.message())
    await played.press(LEA, "kems")
    await played.settle()
    over = played.message()
    assert "🏆" in over.text
    for verb in ("moment_again", "challenge"):
        await bruno.forge(f"k1:0:{verb}:{played.id}.1.0", over)

    running = Table(harness, (LEA, BRUNO, CHLOE, DORA))
    await running.open(target=1)
    await running.agree()
    await running.open_hunt()
    await harness.advance(2)
    assert set(await found(database, Traces(bruno.id))) >= {
        f"{table.name}.{column.name}"
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if column.name in PEOPLE_COLUMNS or f"{table.name}.{column.name}" in ("seats.name", "voids.reason")
    } - {"departures.user_id", "erasures.user_id", "pending_erasures.user_id"}, "a table with people is missing here"
    for _ in range(2):  # before the second is remembered, he is gone
        await running.press(BRUNO, "hand")
    await bruno.agree("kems leave")
    await harness[EMILE].click("🪑 Remplacer", running.message())
    running.people = (LEA, EMILE, CHLOE, DORA)
    assert set(await found(database, Traces(bruno.id))) >= {"departures.user_id", "departures.name"}
    return running, over


async def life_goes_on(harness: Harness, running: Table, over: Seen) -> str:
    """The match he left ends, one he hosted is played again, and everything is read; all that is seen."""
    lea, seen = harness[LEA], []
    await running.press(LEA, "kems")
    await running.settle()
    assert "🏆" in running.board()
    await lea.click("🔁 Revanche", over)
    await running.settle()
    seen.append(running.board())
    assert "Dora" in seen[-1]
    for command, options in (
        ("kems records history", {}),
        *(("kems records match", {"number": number}) for number in (1, 2, 3, running.id - 1, running.id)),
        ("kems records stats", {}),
        *(("kems leaderboard", {"board": board}) for board in ("rating", "wins", "kems", "duos")),
        ("kems ladder about", {}),
        ("kems records export", {"number": running.id - 1}),
        ("kems records export", {"number": running.id}),
        ("kems records replay", {"number": running.id - 1}),
        ("kems privacy export", {}),
        ("kems-admin season export", {"format": "csv"}),
        ("kems-admin season export", {"format": "json"}),
    ):
        answer = (await lea.slash(command, **options)).response
        seen += [lea.last().text, *lea.last().pictures]
        seen += [(await file.read()).decode(errors="replace") for file in answer.attachments]
    return "\n".join(seen)


@pytest.mark.slow
async def test_no_row_identifies_an_erased_person(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_in_loop(monkeypatch)
    address = migrated(tmp_path)
    caplog.set_level(logging.INFO)
    with capture_logs() as logged:
        async with (
            kems(tmp_path, database_url=address, discord_token=SECRET, sure_partners=1) as harness,
            opened(address) as database,
        ):
            await lead(harness)
            bruno = harness[BRUNO]
            traces = Traces(bruno.id)
            running, over = await a_full_life(harness, database)
            await bruno.slash("kems privacy delete")
            await bruno.click("k1:0:forget")
            assert "sont effacées" in bruno.last(ephemeral=True).text
            assert await found(database, traces) == []
            files = list(Path(str(make_url(address).database)).parent.glob("kems.db*"))
            assert not [file.name for file in files if traces.in_bytes(file.read_bytes())]
            await harness.advance(5)
            live = harness.bot.rooms.nights
            for night in live.nights_in(harness.guild.id):
                await live.update(night.id, lambda one: sign_up.join(one, harness[LEA].id, LEA, one.plan.starts_at - 1))
            assert await found(database, traces) == [], "nothing that is written afterwards brings it back"
            told = await life_goes_on(harness, running, over)
            assert not traces.in_text(told), [line for line in told.splitlines() if traces.in_text(line)]
            for _ in range(4):
                await harness.advance(5 * 60)
            assert await found(database, traces) == []
            await harness.restart()
            await harness.advance(5)
            assert await found(database, traces) == []
    assert not [line for line in (*map(str, logged), *caplog.messages) if traces.in_text(line)]


@pytest.mark.slow
@pytest.mark.parametrize("backend", [pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.long])])
async def test_no_row_identifies_an_erased_person_on_postgresql(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The life is lived on SQLite and copied: simcord does not know when asyncpg is done."""
    answer_in_loop(monkeypatch)
    address = migrated(tmp_path)
    async with (
        kems(tmp_path, database_url=address, discord_token=SECRET, sure_partners=1) as harness,
        opened(address) as lived,
    ):
        await lead(harness)
        await a_full_life(harness, lived)
        traces = Traces(harness[BRUNO].id)
    async with opened(address) as lived:
        await copy_database(lived, database)
    assert await found(database, traces)
    assert await SqlPersonalData(database).erase(traces.user_id)
    champions = SqlChampionStore(database)
    for champion in await champions.of_erased():  # as the bot does once their role is taken back
        await champions.remove(champion)
    assert await found(database, traces) == []
