"""Servers that the bot, when it connects, is in no longer, or that Discord cannot serve: their matches wait."""

import pytest

from tests.integration.harness import Harness
from tests.integration.mishaps import connect_anew, cut_off, missing, outage, posted, read_event, requests
from tests.integration.table import Table, begun

PAUSED = "plus personne ne pouvait jouer ici"
SIGNS = "Chaque équipe convient de son signe"
REMOVED = "J'ai été retiré de ce serveur"
SECRET = "bG9vcGJhY2s.tests.the-token-of-a-bot"


async def signing(harness: Harness) -> Table:
    """A match whose signs are drawn by lot in half a minute, and a panel of Bruno's."""
    table = await begun(harness)
    await table.act("Bruno", "sign_panel")
    return table


async def goes_on(harness: Harness, table: Table) -> None:
    """Nobody has lost more than the seconds that the match was really on."""
    assert SIGNS in await table.later(22), "nobody could act, so no clock ran"
    assert "Les cartes sont distribuées" in await table.later(8), "the clock goes on"


@pytest.mark.parametrize("is_removed", [False, True])
@pytest.mark.kems(sign_deadline=30, discord_token=SECRET)
async def test_a_match_waits_when_its_server_is_missing_at_the_start(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, is_removed: bool
) -> None:
    table = await signing(harness)
    former = table.message()
    await harness.bot.close()
    await harness.advance(120)
    asked = requests(harness, harness.channel.id)
    with missing(harness, monkeypatch, is_removed=is_removed):
        await harness.restart(crash=True)  # it is closed already
        await harness.advance(60)
        assert requests(harness, harness.channel.id) == asked, "nothing is asked of a server that cannot answer"
        assert (REMOVED in table.panel("Bruno").text) == is_removed
    await table.settle()
    assert posted(harness, harness.channel.id)[-1].id == former.id
    assert (PAUSED in table.board()) == is_removed
    assert REMOVED not in table.panel("Bruno").text
    if is_removed:
        await harness.advance(60)
        await harness["Dora"].click("▶ Reprendre", table.message())
    await goes_on(harness, table)


@pytest.mark.kems(sign_deadline=30)
async def test_a_match_waits_when_its_server_is_missing_after_a_reconnection(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await signing(harness)
    with missing(harness, monkeypatch, is_removed=True):
        await cut_off(harness, 60)
        await connect_anew(harness)
        await harness.advance(60)
    assert PAUSED in await table.settle()
    await harness["Dora"].click("▶ Reprendre", table.message())
    await goes_on(harness, table)


@pytest.mark.kems(sign_deadline=30)
async def test_a_match_waits_when_its_server_is_out_of_reach_after_an_outage(harness: Harness) -> None:
    table = await signing(harness)
    with outage(harness):
        await cut_off(harness, 60)
        read_event(harness, "RESUMED", {})
        await harness.advance(60)
    await table.settle()
    await goes_on(harness, table)


@pytest.mark.kems(sign_deadline=30)
async def test_a_match_whose_channel_was_deleted_while_the_bot_was_away_loses_no_time(harness: Harness) -> None:
    table = await signing(harness)
    await harness.bot.close()
    await harness.advance(60)
    harness.env.backend.delete_channel(harness.channel.id)
    await harness.restart(crash=True)  # it is closed already
    harness.enter("ailleurs")
    await table.after(harness["Léa"].slash("kems table move"))
    await harness["Dora"].click("▶ Reprendre", table.message())
    await goes_on(harness, table)
