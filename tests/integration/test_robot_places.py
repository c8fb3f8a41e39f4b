"""A watcher takes a robot's place, from the next deal on."""

from typing import Any

import pytest
from sqlalchemy import select

from bot.base.errors import StoreError
from bot.game.actions import CallTime, OpenHunt
from bot.store.engine.database import Database
from bot.store.schema.tables import SeatRow
from bot.tables.match.table import Table as Match
from tests.integration.harness import Harness, Seen
from tests.integration.table import Table


def match_of(harness: Harness) -> Match:
    (match,) = (one for one in harness.bot.rooms.directory.tables() if not one.is_over)
    return match


async def playing(harness: Harness, **options: object) -> Table:
    """Léa and Bruno hunt against two robots that do nothing."""
    table = Table(harness, ("Léa", "Bruno"))
    await harness["Léa"].slash("kems start", **{"rules": "classic target=2"} | options)
    table.id = harness.bot.rooms.directory.open_lobbies()[0].id
    await harness["Bruno"].click("Rejoindre")
    await harness["Léa"].click("🤖 Compléter et commencer")
    await table.settle()
    return table


def button(message: Seen) -> str | None:
    found = next((each for each in message.controls if ":claim:" in each.custom_id), None)
    return None if found is None else found.label


async def hunt(table: Table) -> None:
    """All signs are settled and cards are dealt."""
    for name in ("Léa", "Bruno"):
        await table.press(name, "sign_panel")
        for _ in range(20):
            if table.hand(name):
                break
            if offered := table.offered(name, "accept"):
                await table.press(name, f"accept:{offered[0]}")
            elif offered := table.offered(name, "propose"):
                await table.press(name, f"propose:{offered[0]}")
            await table.harness.advance(2)
    await table.settle()


async def shown(table: Table) -> Seen:
    """The table's message, once it shows what has happened."""
    await table.settle()
    return table.message()


async def test_before_the_first_deal_a_watcher_sits_down_at_once(harness: Harness) -> None:
    table = await playing(harness)
    name = next(player.name for player in match_of(harness).lobby.players if player and player.is_robot)
    assert button(table.message()) in (f"🪑 Prendre la place de {name} 🤖", f"🪑 Prendre la place d'{name} 🤖")
    await harness["Chloé"].click(button(table.message()) or "")
    assert match_of(harness).lobby.seat_of(harness["Chloé"].id) is not None
    assert "Votre équipe : vous et" in harness["Chloé"].told


async def says_that_it_is_over(table: Table, name: str, database: Database) -> None:
    """To who has been promised a place."""
    await table.settle()
    assert table.member(name).told == "Cette partie est finie."
    async with database.reading() as session:
        assert (
            await session.scalars(select(SeatRow.reserved_for_id).where(SeatRow.reserved_for_id.is_not(None)))
        ).all() == []


async def test_a_reserved_seat_waits_during_a_round_for_the_next_deal_or_the_end(
    harness: Harness, database: Database
) -> None:
    table = await playing(harness)
    await hunt(table)
    match = match_of(harness)
    robots = {seat: player.name for seat, player in enumerate(match.lobby.players) if player and player.is_robot}
    first = min(robots)
    told = await harness["Chloé"].press(button(table.message()) or "")
    assert told.startswith("Vous prenez la place d")
    assert "Chloé prend la place d" in await table.settle()
    assert robots[first] not in (button(table.message()) or ""), "the other robot's place is offered now"
    assert match.lobby.seat_of(harness["Chloé"].id) is None
    assert "Vous n'êtes pas à cette table" in await harness["Chloé"].press("🂠 Ma main", table.message())
    await harness["Émile"].forge(f"k1:{table.id}:claim:{first}", table.message())
    assert harness["Émile"].told.startswith("Cette place n'est pas à prendre")
    await table.act("Léa", "kems")  # false: the round is over
    await table.settle()
    assert match.lobby.seat_of(harness["Chloé"].id) == first
    promised = [m for m in harness["Chloé"].messages() if m.ephemeral and "Vous prenez la place" in m.text]
    assert promised == [], "the panel has taken the place of the promise"
    await table.press("Léa", "next")
    await table.settle()
    assert len(table.hand("Chloé")) == 4

    await harness["Dora"].click(button(table.message()) or "")
    await harness["Léa"].agree("kems table end")
    await says_that_it_is_over(table, "Dora", database)


@pytest.mark.parametrize("crash", [pytest.param(False, marks=pytest.mark.long), True])
async def test_a_restart_keeps_the_place_of_a_watcher(crash: bool, harness: Harness) -> None:
    table = await playing(harness, rules="classic target=9")
    await hunt(table)
    await harness["Chloé"].click(button(table.message()) or "")
    await harness["Dora"].click(button(await shown(table)) or "")
    await table.after(harness.restart(crash=crash))
    assert "Chloé prend la place d" in table.board()
    assert button(table.message()) is None, "both robots' places are promised"
    assert await harness["Dora"].press("Rester spectateur") == "Vous restez spectateur."
    await table.act("Léa", "kems")
    await table.settle()
    sitting = match_of(harness).lobby
    assert sitting.seat_of(harness["Chloé"].id) is not None
    assert sitting.seat_of(harness["Dora"].id) is None
    assert "Chloé prend la place d" not in table.board()


async def test_a_reserved_seat_names_its_watcher(harness: Harness) -> None:
    table = await playing(harness)
    await harness.advance(30)
    people, told = iter(("Chloé", "Dora")), ""
    while (label := button(table.message())) is not None:
        told += await harness[next(people)].press(label)
        await table.settle()
    assert "a été proposé à votre place." in told
    assert "Vous proposez" not in told


async def test_a_reservation_that_was_not_saved_takes_effect_after_the_next_round(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    table = await playing(harness, rules="classic target=9")
    await hunt(table)
    match = match_of(harness)
    await harness["Chloé"].click(button(table.message()) or "")
    store = harness.bot.rooms.directory.seating._store
    reseat = store.reseat

    async def fails(*_: Any) -> None:
        raise StoreError("full")

    monkeypatch.setattr(store, "reseat", fails)
    await table.act("Léa", "kems")
    await table.settle()
    assert match.lobby.seat_of(harness["Chloé"].id) is None
    monkeypatch.setattr(store, "reseat", reseat)
    await table.press("Léa", "next")
    await table.settle()
    await table.act("Léa", "kems")
    await table.settle()
    assert match.lobby.seat_of(harness["Chloé"].id) is not None

    await table.press("Léa", "next")
    await table.settle()
    await harness["Dora"].click(button(table.message()) or "")
    await match.submit(OpenHunt(match.table_view().dealer))
    await match.submit(CallTime())
    await table.act("Léa", "kems")
    await says_that_it_is_over(table, "Dora", database)


async def test_a_banned_or_erased_person_takes_no_reserved_seat(harness: Harness) -> None:
    table = await playing(harness)
    await hunt(table)
    match = match_of(harness)
    for name in ("Chloé", "Dora"):
        await harness[name].click(button(table.message()) or "")
        await table.settle()
    assert button(table.message()) is None
    await harness["Léa"].slash("kems-admin ban", member=harness["Chloé"])
    await harness["Dora"].slash("kems privacy delete")
    await harness["Dora"].click("k1:0:forget")
    await harness["Émile"].forge(f"k1:{table.id}:claim:0", table.message())
    await table.act("Léa", "kems")
    await table.settle()
    assert {*match.lobby.people} == {harness["Léa"].id, harness["Bruno"].id}


async def test_a_player_who_left_plays_in_no_other_team(harness: Harness) -> None:
    table = await playing(harness)
    await harness["Bruno"].agree("kems leave")
    await table.settle()
    match = match_of(harness)
    seat = next(seat for seat, player in enumerate(match.lobby.players) if player and player.is_open)
    others = [
        at
        for at, player in enumerate(match.lobby.players)
        if player and player.is_robot and not player.is_open and (at - seat) % 2
    ]
    for at in others:
        await harness["Bruno"].forge(f"k1:{table.id}:claim:{at}", table.message())
        assert "vous connaissez son signe" in harness["Bruno"].told


async def test_a_learner_keeps_the_robots_of_the_lesson(harness: Harness) -> None:
    await harness["Léa"].slash("kems tutorial")
    match = match_of(harness)
    (harness.channel,) = harness.channel.threads
    await harness.settle()
    message = harness.posted(harness.channel.id)[-1]
    assert button(message) is None
    await harness["Léa"].forge(f"k1:{match.id}:claim:1", message)
    assert match.lobby.robots_stay


async def test_a_late_player_takes_the_seat_of_a_robot(harness: Harness) -> None:
    await harness["Léa"].slash("kems play")
    message = harness.posted(harness.channel.id)[-1]
    await harness["Léa"].click("Sans attendre")
    match = match_of(harness)
    await harness["Bruno"].forge(f"k1:{match.id}:join", message)
    assert match.lobby.seat_of(harness["Bruno"].id) is not None
    assert "Votre équipe : vous et" in harness["Bruno"].told
