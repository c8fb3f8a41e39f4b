"""Bans hold until they end, also for people whose data was erased: of them a digest and the end stay."""

from sqlalchemy import func, select

from bot.base.times import DAY_MS
from bot.store.engine.database import Database
from bot.store.privacy import SqlPersonalData
from bot.store.records.retention import SqlRetention
from bot.store.schema.tables import BanRow
from bot.store.tables.bans import SqlBanStore
from bot.tables.servers.bans import Ban

GUILD, ANA, BRUNO, MANAGER = 1, 11, 12, 13
NOW = 1_800_000_000_000
FIRST = Ban(ANA, NOW + DAY_MS, MANAGER, "Bruno le dit")
SECOND = Ban(BRUNO, NOW + 2 * DAY_MS, ANA)


async def banned(database: Database) -> SqlBanStore:
    bans = SqlBanStore(database, "secret")
    await bans.put(GUILD, ANA, Ban(ANA, NOW + 9 * DAY_MS, None, "former"))
    for ban in (FIRST, SECOND):
        assert ban.user_id is not None
        await bans.put(GUILD, ban.user_id, ban)
    return bans


async def test_a_ban_holds_in_its_server_until_it_ends_or_is_lifted(database: Database) -> None:
    bans = await banned(database)
    assert await bans.all(GUILD, NOW) == (FIRST, SECOND), "the newest of a person replaces the former one"
    assert await bans.find(GUILD, {ANA, BRUNO, MANAGER}, NOW) == {ANA: FIRST, BRUNO: SECOND}
    assert await bans.find(GUILD, {ANA, BRUNO}, FIRST.until) == {BRUNO: SECOND}
    assert await bans.all(GUILD, FIRST.until) == (SECOND,)
    assert await bans.find(GUILD + 1, {ANA, BRUNO}, NOW) == {}
    assert await SqlBanStore(database, "another").find(GUILD, {BRUNO}, NOW) == {BRUNO: SECOND}
    assert await bans.lift(GUILD, BRUNO)
    assert not await bans.lift(GUILD, BRUNO)
    assert await bans.all(GUILD, NOW) == (FIRST,)


async def test_a_ban_of_an_erased_person_is_kept_as_a_digest_until_it_ends(database: Database) -> None:
    bans, erased = await banned(database), Ban(None, FIRST.until)
    data = SqlPersonalData(database)
    exported = await data.export(ANA)
    assert exported["bans"] == [{"guild_id": GUILD, "until": FIRST.until, "reason": FIRST.reason}]
    assert exported["bans_given"] == [{"guild_id": GUILD, "until": SECOND.until, "reason": ""}]
    assert await data.erase(ANA)
    assert await bans.all(GUILD, NOW) == (erased, Ban(BRUNO, SECOND.until))
    assert await bans.find(GUILD, {ANA, BRUNO}, NOW) == {ANA: erased, BRUNO: Ban(BRUNO, SECOND.until)}
    assert await SqlBanStore(database, "another").find(GUILD, {ANA}, NOW) == {}, "nobody finds them without the key"
    await SqlRetention(database).purge(FIRST.until, 1)
    async with database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(BanRow)) == 1
    await bans.put(GUILD, ANA, FIRST)
    assert await data.erase(ANA)
    assert await bans.lift(GUILD, ANA)
