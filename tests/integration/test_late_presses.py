"""Presses that are late, or belong to a round or table of the past, are answered with one line and change nothing."""

from datetime import timedelta

import pytest

from tests.integration.harness import Harness
from tests.integration.table import Table, begun
from tests.integration.test_calls import slow_line


async def test_a_late_press_and_a_press_at_a_removed_table_do_nothing(harness: Harness, table: Table) -> None:
    """Discord has told the members that the bot did not respond: what they pressed must not happen after all."""
    hand = table.hand("Bruno")
    with slow_line(harness) as under_way:
        await table.press("Bruno", f"put:{hand[0]}")
        await harness["Léa"].agree("kems table end")
    await harness.advance(3.2)
    for event in under_way:
        harness.env.backend.emit(*event)
    await table.settle()
    await table.press("Bruno", "hand")
    assert table.hand("Bruno") == hand
    assert "chasse est ouverte" in table.board()
    message = table.message()
    await harness["Léa"].agree("kems table end")
    for verb in ("kems", "hand", "next", "counter_at:1"):
        assert "</kems start:" in await table.forge("Bruno", f"k1:{table.id}.1:{verb}")
    await table.settle()
    assert table.message().id == message.id


async def test_a_clock_that_jumps_is_noticed_at_the_first_press(
    monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    """Discord takes the answer to what seemed late: so it was not."""
    table = await begun(harness)
    right = harness.now
    monkeypatch.setattr(harness, "now", lambda: right() + timedelta(seconds=3.5))
    assert "trop tard" in await table.press("Bruno", "sign_panel")
    assert "trop tard" not in await table.press("Bruno", "sign_panel")
    await harness["Léa"].agree("kems table end")
    assert "trop tard" not in harness["Léa"].told


async def test_a_button_of_an_earlier_round_does_nothing(table: Table) -> None:
    await table.act("Chloé", "kems")
    assert table.score() == (0, 1)
    await table.next_round("Bruno")
    await table.act("Bruno", "kems")
    assert table.score() == (1, 1)
    for verb in ("next", "kems", "open", "sweep", "propose:🎲", "counter_at:1"):
        assert "La manche a changé" in await table.forge("Léa", f"k1:{table.id}.1:{verb}"), verb
    assert "## Faux Kem's" in await table.settle(), "the result is still there to be read"
    assert table.score() == (1, 1)
    await table.next_round("Bruno")
    card = table.hand("Léa")[0]
    assert "La manche a changé" in await table.forge("Léa", f"k1:{table.id}.2:put:{card}")
    assert card in table.hand("Léa")
    # What only shows something does so, whatever message it was pressed on.
    await table.forge("Léa", f"k1:{table.id}.1:hand")
    assert card in table.hand("Léa")


async def test_pressing_an_outdated_panel_shows_the_current_round(harness: Harness, table: Table) -> None:
    await harness.advance(7)  # what is told at a deal has lapsed
    stale = table.panel("Dora")
    await harness.advance(15 * 60)  # the bot cannot refresh the panel any more
    await table.act("Chloé", "kems")
    await table.act("Bruno", "next")
    assert table.panel("Dora") == stale
    await harness["Dora"].click("🔔 Kem's !", stale)
    assert "La manche a changé" in table.panel("Dora").text
    assert table.panel("Dora").control("🔔 Kem's !") is not None
    await table.settle()
    assert table.score() == (0, 1)
