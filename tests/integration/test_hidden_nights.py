"""A night is unknown to members who can see neither where it is announced nor where it is played.

The role for hosts lets its holder lead and plan where they may write themselves.
"""

import ast
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from bot.base.times import DAY_MS, HOUR_MS
from bot.discord.text.texts import texts_for
from bot.store.engine.database import Database
from bot.store.nights import SqlNightStore
from bot.tables.hub import NightChanged
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.night.verbs import HostVerb, PlanVerb, PlayerVerb
from tests.integration.evening import MINUTE, Evening, part_id
from tests.integration.fuzzing import STRANGER
from tests.integration.harness import BRUNO, COMPONENT, EVERYBODY, LEA, Harness
from tests.integration.mishaps import deny, hide
from tests.integration.test_config import choose, opened, panel, pick
from tests.integration.test_other_server import Elsewhere
from tests.integration.test_server_event import events

EMILE = EVERYBODY[4]
LOOKS = (PlayerVerb.MINE, PlayerVerb.CALENDAR, PlayerVerb.JOIN, PlayerVerb.READY, PlayerVerb.LEAVE)
PAGES = (PlayerVerb.TABLES, PlayerVerb.STANDINGS, PlayerVerb.REPLAYS)
TITLE = "Soirée d'essai"
NO_NIGHT = "Cette soirée n'existe plus"
SECRET: Final = "Conspiration"
MANAGERS: Final = "those who manage the server read of all its nights"
OWN: Final = "it changes each night where that stands"
OPEN: Final = "tests/site: pages show open channels alone"
MET: Final = "test_a_hidden_night_appears_in_no_answer_and_no_suggestion"
READERS: Final[Mapping[str, str]] = {
    "site/reader.py:read_site": OPEN,
    "ui/ladder/ladder_reader.py:_honours": "kems records stats",
    "ui/ladder/ladder_reader.py:_league": "kems leaderboard",
    "ui/ladder/feature.py:export": MANAGERS,
    "ui/night/messages/night_messages.py:_coming": "the posts of a public night",
    "ui/night/messages/night_messages.py:_row": "the posts of a public night",
    "ui/night/messages/night_messages.py:access_changed": OWN,
    "ui/night/messages/night_messages.py:rights_changed": OWN,
    "ui/night/messages/night_messages.py:servers_reached": OWN,
    "ui/night/messages/night_messages.py:problems": MANAGERS,
    "ui/night/night_reader.py:_seen": MET,
    "ui/night/night_reader.py:find": MET,
    "ui/night/night_reader.py:templates": MET,
    "ui/night/plan/plan_presses.py:_save": OWN,
    "ui/server/feature.py:read": MANAGERS,
    "ui/server/feature.py:report": MANAGERS,
}
"""All that reads nights of a server, and what keeps a stranger from those of hidden channels, or tries it."""
BOT: Final = Path(__file__).parents[2] / "bot"


async def give_hosts_role(harness: Harness, database: Database) -> None:
    """Émile has the server's role for hosts."""
    role = harness.guild.create_role("Animateurs")
    await choose(database, harness, hosts_role=role.id)
    harness.env.backend.add_member_role(harness.guild.id, harness[EMILE].id, role.id)


@pytest.mark.parametrize("sees", [False, pytest.param(True, marks=pytest.mark.long)])
async def test_a_hidden_night_appears_in_no_answer_and_no_suggestion(
    evening: Evening, database: Database, sees: bool
) -> None:
    harness, everywhere, emile = evening.harness, evening.harness.channel, evening.harness[EMILE]
    await give_hosts_role(harness, database)
    harness.enter("coin", EMILE, view_channel=sees)
    await evening.published()
    harness.channel = everywhere
    here = Elsewhere(harness, harness.guild, everywhere)

    async def reads(verb: str, *more: str) -> Any:
        data = {"custom_id": ":".join(("k1:0", verb, "1", *more)), "component_type": 2}
        return str((await here.send(EMILE, COMPONENT, data))[0])

    for verb, more in [*((verb, ()) for verb in LOOKS), *((verb, ("0",)) for verb in PAGES)]:
        assert (NO_NIGHT in await reads(verb, *more)) is not sees, verb
    for verb in (*HostVerb, PlanVerb.EDIT):
        assert (NO_NIGHT in await reads(verb)) is not sees, verb
    assert bool(await emile.suggestions("kems night", "night")) is sees
    assert (TITLE in await emile.ask("kems night")) is sees
    assert (NO_NIGHT in await emile.ask("kems night", night=1)) is not sees
    await emile.slash("kems night")
    await emile.click("Prévoir…")
    await emile.click("Plus…")
    assert (":template" in str(emile.last(ephemeral=True).controls)) is sees, "a night to plan one like"


async def test_participants_still_see_a_night_when_its_channel_becomes_hidden(evening: Evening) -> None:
    harness, emile = evening.harness, evening.harness[EMILE]
    everywhere = harness.channel
    harness.enter("coin")
    await evening.published()
    await evening.join(EMILE)
    deny(harness, harness[EMILE].id, "view_channel")
    harness.channel = everywhere
    assert TITLE in await emile.ask("kems night")
    evening.host = emile
    assert "inscrit" in await emile.forge("k1:0:night_leave:1", emile.last())
    assert TITLE not in await emile.ask("kems night")


async def test_the_role_for_hosts_does_not_count_when_its_holder_may_not_write(
    evening: Evening, database: Database
) -> None:
    harness, emile = evening.harness, evening.harness[EMILE]
    await give_hosts_role(harness, database)
    harness.enter("annonces", EMILE, send_messages=False)
    await evening.published()
    for verb in (*HostVerb, PlanVerb.EDIT):
        assert (await emile.forge(f"k1:0:{verb}:1", evening.message())).startswith("Réservé à l'hôte, à <@&"), verb
    evening.host = emile
    await emile.slash("kems night")
    panel = await evening.press("night_plan", emile.last(ephemeral=True), EMILE)
    said = await evening.press("night_publish", panel, EMILE)
    assert said.text.startswith("Vous ne pouvez pas écrire dans <#")
    assert evening.night().host_id == harness["Léa"].id, "there is no other night"


async def test_the_bot_posts_no_message_of_a_host_who_may_no_longer_write(evening: Evening, database: Database) -> None:
    harness, emile = evening.harness, evening.harness[EMILE]
    await give_hosts_role(harness, database)
    evening.host = emile
    await emile.slash("kems night")
    panel = await evening.press("night_plan", emile.last(ephemeral=True), EMILE)
    await evening.press("night_publish", panel, EMILE)
    await harness.advance(3)
    deny(harness, harness[EMILE].id, "send_messages")
    for verb, more in ((HostVerb.WRITE, "Venez !"), (HostVerb.CANCEL, "Non.")):
        panel = await evening.press("night_host", evening.message(), EMILE)
        shown = await emile.click(part_id(panel, verb), panel)
        if shown.modal is None:
            shown = await emile.click(part_id(evening.panel(), f"{verb}:1:date"), evening.panel())
        await emile.submit(shown, more)
        assert evening.panel().text.startswith("Vous ne pouvez pas écrire dans <#"), verb
    assert evening.night().status == "planned"


async def config(harness: Harness, *, on: bool) -> str:
    """What a manager reads who has turned *Count hidden nights* on or off."""
    await harness[LEA].click("k1:0:config_more", await opened(harness))
    await pick(harness, "hidden", str(on))
    await harness.settle()
    return panel(harness).text


async def test_a_night_has_an_event_while_it_is_public(evening: Evening) -> None:
    harness = evening.harness
    harness.enter("coulisses")
    hide(harness, harness.channel.id)
    plan = await evening.opened(event="on")
    assert "Salon caché : ni événement ni championnat (*Compter les soirées cachées* dans" in plan.text
    assert "à tout le serveur" not in plan.text
    await evening.press("night_publish", plan)
    await harness.advance(5)
    assert not events(evening)
    shown = await evening.press("night_host", evening.message())
    assert "événement" not in shown.text
    assert "L'événement est en place" not in await evening.host.forge("k1:0:night_event:1", shown)
    assert "Salon caché" in evening.host.told

    assert "⚠️ désormais publiques" in await config(harness, on=True)
    await harness.advance(5)
    assert [event.name for event in events(evening).values()] == [TITLE]
    assert "Salon caché" not in (await evening.opened(event="on")).text
    assert "publiques" not in await config(harness, on=False)
    await harness.advance(5)
    assert not events(evening)

    hide(harness, harness.channel.id, is_hidden=False)
    await harness.advance(5)
    assert len(events(evening)) == 1
    hide(harness, harness.channel.id)
    await harness.advance(5)
    assert not events(evening)
    assert evening.night().event_id is None


@pytest.mark.parametrize("is_deleted", [False, True])
async def test_a_night_whose_channel_was_hidden_while_no_bot_ran_loses_its_event(
    evening: Evening, is_deleted: bool
) -> None:
    harness = evening.harness
    await evening.published(event="on")
    await harness.advance(5)
    (number,) = events(evening)
    await harness.bot.close()
    hide(harness, harness.channel.id)
    if is_deleted:
        harness.env.backend.delete_scheduled_event(harness.guild.id, number)
    await harness.restart(crash=True)
    await harness.advance(5)
    assert not events(evening)
    assert evening.night().event_id is None


def readers() -> set[str]:
    """The functions outside the machinery of nights that ask for nights of a server."""
    asked, found = {"nights_in", "past", "between", "of_person", "planned"}, set[str]()
    for file in (*(BOT / "ui").rglob("*.py"), *(BOT / "site").rglob("*.py"), *(BOT / "operating").rglob("*.py")):
        for function in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                    owner = ast.unparse(call.func.value).rpartition(".")[2]
                    if owner == "night_records" or (
                        owner in ("_nights", "live", "records") and call.func.attr in asked
                    ):
                        found.add(f"{file.relative_to(BOT)}:{function.name}")
    return found


async def test_no_page_or_panel_shows_strangers_nights_in_hidden_channels(evening: Evening, database: Database) -> None:
    assert readers() == READERS.keys()
    harness, stranger = evening.harness, evening.harness[STRANGER]
    await evening.begun(rounds="1")
    await evening.enter(1, "10-4")
    await evening.enter(2, "3 à 10")
    await harness.advance(5 * MINUTE)
    night = evening.night()

    async def reads() -> list[str]:
        """What a stranger is told, and what the posts of the public night say once they are written again."""
        told = [await stranger.ask("kems leaderboard", board="league")]
        of_bruno: Any = SimpleNamespace(user_id=harness[BRUNO].id, deeds=())  # who has finished no match
        told.append(str(await LadderReader(harness.bot.rooms)._honours(night.guild_id, of_bruno, texts_for("fr"))))
        told += [await stranger.ask("kems night"), str(await stranger.suggestions("kems night", "night"))]
        harness.bot.rooms.hub.publish(NightChanged(harness.bot.rooms.nights.night(night.id) or night))
        await harness.advance(5)
        return [*told, *(seen.text for seen in stranger.messages(harness.channel.id) if not seen.ephemeral)]

    before = await reads()
    hidden = harness.guild.create_text_channel("coulisses")
    hide(harness, hidden.id)
    plan = replace(night.plan, title=SECRET, channel_id=hidden.id)
    earlier, later = (replace(plan, starts_at=plan.starts_at + hours * HOUR_MS) for hours in (-1, 24))
    await SqlNightStore(database).create(replace(night, plan=earlier, is_wound_up=True, posts=()))
    await harness.bot.rooms.nights.plan(guild_id=night.guild_id, host_id=night.host_id, locale="fr", plan=later)
    await harness.advance(5)
    assert await reads() == before
    await choose(database, harness, counts_hidden_nights=True)
    league, figures, *_ = await reads()
    assert " + " in league
    assert figures != before[1]


@pytest.mark.parametrize("counts", [False, True])
async def test_the_recap_of_a_public_night_does_not_name_a_hidden_next_night(
    evening: Evening, database: Database, counts: bool
) -> None:
    harness = evening.harness
    await choose(database, harness, counts_hidden_nights=counts)
    await evening.begun(rounds="1")
    night, here = evening.night(), harness.channel.id
    hidden = harness.guild.create_text_channel("coulisses")
    hide(harness, hidden.id)
    later = replace(night.plan, title=SECRET, channel_id=hidden.id, starts_at=night.plan.starts_at + 14 * DAY_MS)
    for table in (1, 2):
        await evening.enter(table, "10-4")
    await harness.bot.rooms.nights.plan(guild_id=night.guild_id, host_id=night.host_id, locale="fr", plan=later)
    await harness.advance(DAY_MS / 1000)
    (review,) = (seen.text for seen in evening.host.messages(here) if "La soirée en bref" in seen.text)
    assert ("La prochaine soirée" in review) is counts
