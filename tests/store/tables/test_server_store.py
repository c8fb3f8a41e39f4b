"""What servers have chosen, one change at a time, and their sets of rules."""

import asyncio
from dataclasses import replace

import pytest

from bot.store.engine.database import Database
from bot.store.tables.servers import SqlRuleSetStore, SqlServerStore
from bot.tables.lobby.lobby import Absence
from bot.tables.servers.settings import RuleSet, ServerSettings
from tests.store.conftest import opened
from tests.store.matches import BIG

CHOSEN = ServerSettings(
    "en", (BIG + 1, BIG + 2), BIG + 3, BIG + 4, Absence.WAIT, 0, 90, 1_800_000_000_000, 8, 1_800_000_000_001
)


async def test_a_server_has_the_defaults_until_it_chooses(address: str) -> None:
    async with opened(address) as database:
        servers = SqlServerStore(database)
        assert await servers.read(BIG) == ServerSettings()
        assert await servers.change(BIG, lambda _: CHOSEN) == CHOSEN
        assert await servers.change(BIG, lambda before: replace(before, language=None)) == replace(
            CHOSEN, language=None
        )
    async with opened(address) as database:
        assert await SqlServerStore(database).read(BIG) == replace(CHOSEN, language=None)
        assert await SqlServerStore(database).read(BIG + 1) == ServerSettings()


@pytest.mark.both_databases
async def test_changes_at_the_same_time_are_all_kept(database: Database) -> None:
    servers = SqlServerStore(database)
    await asyncio.gather(
        servers.change(1, lambda before: replace(before, language="fr")),
        servers.change(1, lambda before: replace(before, podium_channel=7)),
        servers.change(1, lambda before: replace(before, champion_role=8)),
        servers.change(2, lambda before: replace(before, absence=Absence.END)),
    )
    assert await servers.read(1) == ServerSettings(language="fr", podium_channel=7, champion_role=8)
    assert await servers.read(2) == ServerSettings(absence=Absence.END)


JEUDI = RuleSet("Soirée du jeudi 🍀", "classic target=12")


async def test_rule_sets_are_listed_by_name_only_in_their_own_server(address: str) -> None:
    async with opened(address) as database:
        sets = SqlRuleSetStore(database)
        for name in ("été", "Zèbre", "etoile", "abeille"):
            assert await sets.save(BIG, RuleSet(name, "yokai"), most=25)
        assert await sets.save(BIG + 1, JEUDI, most=25)
    async with opened(address) as database:
        sets = SqlRuleSetStore(database)
        assert [kept.name for kept in await sets.all(BIG)] == ["abeille", "été", "etoile", "Zèbre"]
        assert await sets.all(BIG + 1) == (JEUDI,)
        assert await sets.all(BIG + 2) == ()


async def test_the_same_name_in_another_case_is_the_same_set(database: Database) -> None:
    sets = SqlRuleSetStore(database)
    assert await sets.save(1, JEUDI, most=1)
    other = RuleSet("SOIRÉE  du Jeudi 🍀", "expert")
    assert await sets.save(1, other, most=1), "it takes the place of the other one, so that it is not one too many"
    assert await sets.all(1) == (other,)
    assert await sets.save(1, RuleSet("soire\u0301e du jeudi 🍀", "bell"), most=1)
    assert len(await sets.all(1)) == 1


async def test_a_rule_set_is_deleted_once(database: Database) -> None:
    sets = SqlRuleSetStore(database)
    await sets.save(1, JEUDI, most=25)
    assert not await sets.delete(2, JEUDI)
    assert not await sets.delete(1, RuleSet("Jeudi", JEUDI.line))
    assert not await sets.delete(1, RuleSet(JEUDI.name, "bell")), "other rules have that name"
    assert await sets.delete(1, RuleSet(JEUDI.name.upper(), JEUDI.line))
    assert not await sets.delete(1, JEUDI)
    assert await sets.all(1) == ()


@pytest.mark.both_databases
async def test_a_server_cannot_save_too_many_rule_sets(database: Database) -> None:
    sets = SqlRuleSetStore(database)
    saved = await asyncio.gather(*(sets.save(1, RuleSet(f"set {number}", "bell"), most=3) for number in range(6)))
    assert sorted(saved) == [False] * 3 + [True] * 3
    assert len(await sets.all(1)) == 3
    assert await sets.save(2, JEUDI, most=3), "each server has its own"
