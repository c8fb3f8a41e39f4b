"""The bot stops in the middle of things, by a clean stop or a crash, and goes on where it was."""

from pathlib import Path

import pytest

from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, hunting, kems


@pytest.mark.parametrize("crash", [False, True])
async def test_a_round_goes_on_after_a_restart(crash: bool, harness: Harness) -> None:
    table = await hunting(harness)
    await table.exchange_anything("Bruno")
    await table.press("Chloé", f"put:{table.hand('Chloé')[0]}")
    await table.settle()
    hands = {name: table.hand(name) for name in PEOPLE}
    pool, message = table.pool(), table.message()
    assert len(pool) == 5

    await harness.restart(crash=crash)
    await table.settle()

    assert (table.pool(), table.message().id) == (pool, message.id)
    # The panels from before are alive: an old button finishes the exchange.
    await table.press("Chloé", f"take:{pool[0]}")
    await table.settle()
    assert pool[0] in table.hand("Chloé")
    assert pool[0] not in table.pool()
    # The public message is alive, and everybody still holds what they held.
    for name in PEOPLE:
        await table.member(name).click("🂠 Ma main", table.message())
    assert {name: table.hand(name) for name in PEOPLE if name != "Chloé"} == {
        name: cards for name, cards in hands.items() if name != "Chloé"
    }
    await table.gather("Dora")
    await table.press("Bruno", "kems")
    await table.settle()
    assert table.score() == (0, 1)


async def test_no_deadline_falls_due_while_the_bot_is_away(tmp_path: Path) -> None:
    async with kems(tmp_path, sign_deadline=30) as harness:
        table = Table(harness)
        await table.open()
        await harness.bot.close()
        await harness.advance(60)
        await harness.restart(crash=True)  # it is closed already
        await harness.advance(27)
        assert "Manche 1" not in table.board()
        await harness.advance(5)
        assert "Manche 1" in table.board()
