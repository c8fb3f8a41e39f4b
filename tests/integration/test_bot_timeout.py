"""A moderator gives the bot a timeout: that is told with its end, and what failed meanwhile comes back by itself."""

from datetime import timedelta

import discord
import pytest

from tests.integration.evening import MINUTE
from tests.integration.harness import DORA, LEA, Harness
from tests.integration.mishaps import demote, time_bot_out
from tests.integration.table import Table, hunting

WORDS = "Un modérateur m'a exclu temporairement"
BY_ITSELF = "Elle revient d'elle-même ensuite ; une partie en pause continue dès que quelqu'un appuie sur ▶ Reprendre"


@pytest.fixture(autouse=True)
def clock(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py compares the end of a timeout with the machine's own clock."""
    monkeypatch.setattr(discord.utils, "utcnow", harness.now)


async def unseen(harness: Harness) -> Table:
    """A table whose message is deleted while the bot has a timeout of five minutes."""
    await demote(harness)
    table = await hunting(harness)
    await vanish(harness, table)
    return table


async def vanish(harness: Harness, table: Table) -> None:
    await time_bot_out(harness, timedelta(minutes=5))
    await table.delete(table.message())
    await harness.advance(10)
    assert table.board() == ""


async def test_a_table_comes_back_once_the_timeout_is_over(harness: Harness) -> None:
    table = await unseen(harness)
    told = await harness[LEA].ask("kems table resume")
    assert WORDS in told
    assert BY_ITSELF in told
    assert f"<t:{harness.now().timestamp() + 290:.0f}:f>" in told, "with its end"
    await harness.advance(5 * MINUTE)
    assert "plus personne ne pouvait jouer ici" in table.board(), "and nobody was played against meanwhile"
    await table.after(harness[DORA].click("▶ Reprendre", table.message()))
    assert "chasse est ouverte" in table.board()


async def test_a_table_comes_back_when_the_timeout_is_lifted_and_its_end_is_known_after_a_restart(
    harness: Harness,
) -> None:
    table = await unseen(harness)
    await time_bot_out(harness, None)
    await harness.advance(60)
    assert "Chloé" in table.board()
    await vanish(harness, table)
    await harness.restart()
    await harness.advance(5 * MINUTE)
    assert "Chloé" in table.board()


async def test_people_who_want_a_table_or_open_the_settings_read_when_the_timeout_ends(harness: Harness) -> None:
    await demote(harness)
    await time_bot_out(harness, timedelta(days=2))
    until = f"<t:{harness.now().timestamp() + 2 * 86_400:.0f}:f>"
    for command in ("kems start", "kems practice", "kems-admin config"):
        told = await harness[LEA].ask(command)
        assert WORDS in told
        assert until in told
    await time_bot_out(harness, None)
    assert WORDS not in await harness[LEA].ask("kems-admin config")
