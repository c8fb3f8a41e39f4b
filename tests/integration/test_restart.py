"""The bot stops in the middle of things, by a clean stop or a crash, and goes on where it was."""

import threading
from dataclasses import replace

import pytest

from bot.tables.cluster import Shard
from bot.tables.hub import NightChanged, ServersReached
from tests.integration.evening import Evening
from tests.integration.gathering import gather_at_once
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, begun, messages_of

SHARD = Shard(0, 1)


@pytest.mark.parametrize("crash", [pytest.param(False, marks=pytest.mark.long), True])
async def test_a_round_goes_on_after_a_restart(crash: bool, harness: Harness, table: Table) -> None:
    await table.exchange_anything("Bruno")
    await table.act("Chloé", f"put:{table.hand('Chloé')[0]}")
    hands = {name: table.hand(name) for name in PEOPLE}
    pool, message = table.pool(), table.message()
    assert len(pool) == 5

    await table.after(harness.restart(crash=crash))

    assert (table.pool(), table.message().id) == (pool, message.id)
    # The panels from before are alive: an old button finishes the exchange.
    await table.act("Chloé", f"take:{pool[0]}")
    assert pool[0] in table.hand("Chloé")
    assert pool[0] not in table.pool()
    # The public message is alive, and everybody still holds what they held.
    for name in PEOPLE:
        await table.member(name).click("🂠 Ma main", table.message())
    assert {name: table.hand(name) for name in PEOPLE if name != "Chloé"} == {
        name: cards for name, cards in hands.items() if name != "Chloé"
    }
    await gather_at_once(table, "Dora")
    await table.act("Bruno", "kems")
    assert table.score() == (0, 1)


async def test_a_press_that_ends_late_does_not_restore_an_older_message(harness: Harness, table: Table) -> None:
    """The table was given up, another process has posted its next message, and this one takes the table up again."""
    bot, rooms, message = harness.bot, harness.bot.rooms, table.message()
    running = rooms.directory.table(table.id)
    assert running is not None
    await bot.keeper.release(SHARD)
    former = replace(running.lobby.place, message_id=message.id - 1)
    messages_of(bot).message(replace(running.lobby, place=former))
    await bot.keeper.restore(SHARD)
    await rooms.hub.publish_and_wait(ServersReached({harness.guild.id}))
    await table.exchange_anything("Bruno")
    await harness.advance(3)
    assert table.message().id == message.id
    assert "Bruno" in table.message().text


async def test_a_change_that_ends_late_does_not_restore_an_older_message_of_a_night(harness: Harness) -> None:
    """As with a table."""
    evening, keeper, hub = Evening(harness), harness.bot.keeper, harness.bot.rooms.hub
    message, night = await evening.published(), evening.night()
    with harness.env._bot_scope():  # what begins here goes by the bot's clock
        await keeper.release(SHARD)
        hub.publish(NightChanged(replace(night, message_id=message.id - 1)))
        await keeper.restore(SHARD)
        await hub.publish_and_wait(ServersReached({harness.guild.id}))
    await evening.press("night_join", message, "Bruno")
    await harness.advance(5)
    assert evening.night().message_id == message.id
    assert "Bruno" in evening.again(message).text


async def test_every_thread_that_the_store_awaits_is_known_to_the_harness(harness: Harness) -> None:
    before = {*threading.enumerate()}
    await harness.restart()
    await harness["Léa"].slash("kems records review")
    begun = {thread.name for thread in {*threading.enumerate()} - before}
    assert not any("connection_worker" in name for name in begun), begun


@pytest.mark.kems(sign_deadline=30)
async def test_no_deadline_falls_due_while_the_bot_is_away(harness: Harness) -> None:
    table = await begun(harness)
    await harness.bot.close()
    await harness.advance(60)
    await harness.restart(crash=True)  # it is closed already
    assert "Les cartes sont distribuées" not in await table.later(27)
    assert "Les cartes sont distribuées" in await table.later(5)
