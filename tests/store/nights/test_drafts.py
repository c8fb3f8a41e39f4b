"""A draft is read as it was kept, whatever is in it; it goes after a day, and with its person."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.conditions import EntryRules
from bot.game.rules.presets import PRESETS
from bot.nights.formats import FORMATS
from bot.nights.planning.draft import NightDraft
from bot.store.engine.database import Database
from bot.store.nights import SqlNightDraftStore
from bot.store.privacy import SqlPersonalData
from bot.store.records.retention import SqlRetention
from bot.tables.nights.live_nights import KEPT_MS
from tests.examples import examples
from tests.store.conftest import scalars
from tests.store.counted_matches import GUILD, NOW
from tests.tables.nights.evening import planned

pytestmark = pytest.mark.both_databases

LEA, BRUNO = 700_900_900, 700_100_100
INSTANTS = st.none() | st.integers(1_600_000_000_000, 4_000_000_000_000)
SNOWFLAKES = st.none() | st.integers(1, 2**63 - 1)
PLANS = st.fixed_dictionaries({
    "title": st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60),
    "format": st.sampled_from(list(FORMATS.values())),
    "rules": st.sampled_from(list(PRESETS.values())),
    "most": st.none() | st.integers(4, 999),
    "announce_id": SNOWFLAKES,
    "is_weekly": st.booleans(),
    "series_at": INSTANTS,
    "entry": st.builds(EntryRules, SNOWFLAKES, st.integers(0, 100)),
})  # fmt: skip


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=PLANS, until=INSTANTS, night_id=SNOWFLAKES)
async def test_a_saved_draft_is_read_again(
    database: Database, plan: dict[str, Any], until: int | None, night_id: int | None
) -> None:
    store = SqlNightDraftStore(database)
    draft = NightDraft("Europe/Paris", replace(planned(), **plan), until, night_id, id=9)
    await store.save(GUILD, LEA, draft, NOW)
    assert await store.read(GUILD, LEA) == draft
    begun = replace(draft.with_changes(title="Le bal"), former=draft.with_changes(title="La soirée").plan)
    await store.save(GUILD, LEA, begun, NOW)
    assert await store.read(GUILD, LEA) == begun


async def test_the_latest_draft_of_a_person_in_a_server_replaces_others(database: Database) -> None:
    store = SqlNightDraftStore(database)
    first, second = NightDraft("UTC", planned(), id=1), NightDraft("UTC", planned(), id=2)
    await store.save(GUILD, LEA, first, NOW)
    await store.save(GUILD + 1, LEA, first, NOW)
    await store.save(GUILD, LEA, second, NOW)
    assert await store.read(GUILD, LEA) == second
    assert await store.read(GUILD + 1, LEA) == first
    assert await store.read(GUILD, BRUNO) is None


async def test_a_draft_is_deleted_when_nobody_changes_it(database: Database) -> None:
    store, retention = SqlNightDraftStore(database), SqlRetention(database)
    await store.save(GUILD, LEA, NightDraft("UTC", planned()), NOW)
    await retention.purge(NOW + KEPT_MS, 1)
    assert await store.read(GUILD, LEA) is not None
    await retention.purge(NOW + KEPT_MS + 1, 1)
    assert await store.read(GUILD, LEA) is None


async def test_a_draft_is_deleted_with_its_person_and_names_no_erased_one(database: Database) -> None:
    store, data = SqlNightDraftStore(database), SqlPersonalData(database)
    plan = planned(title=f"Pour <@{LEA}>")
    for person in (LEA, BRUNO):
        await store.save(GUILD, person, NightDraft("UTC", plan, former=plan), NOW)
    (told,) = (await data.export(LEA))["night_drafts"]
    assert told["title"] == f"Pour <@{LEA}>\nPour <@{LEA}>"
    assert str(LEA) not in "".join(await scalars(database, "SELECT body FROM night_drafts"))
    assert await data.erase(LEA)
    assert await store.read(GUILD, LEA) is None
    kept = await store.read(GUILD, BRUNO)
    assert kept is not None
    assert kept.plan.title == "Pour …"
