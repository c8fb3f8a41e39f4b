"""A card of the middle chosen first: it waits for one of the hand, for five seconds."""

import re

from tests.integration.harness import Harness
from tests.integration.table import Table, hunting


def chosen(table: Table, name: str) -> list[str]:
    """The cards of the middle that a member's panel shows as chosen."""
    return [one.plain_id[-2:] for one in table.panel(name).controls if ":take:" in one.plain_id and "✓" in one.label]


async def choose(table: Table, name: str) -> tuple[str, str]:
    """Chooses the first card of the middle; that card, and one of the hand that may go down for it."""
    card = table.pool()[0]
    await table.press(name, f"take:{card}")
    assert chosen(table, name) == [card]
    ranks = [other[0] for other in table.pool()]
    return card, next(held for held in table.hand(name) if ranks.count(held[0]) < 2)


async def test_choosing_a_card_of_the_pool_first_makes_one_exchange_unless_it_lapses(harness: Harness) -> None:
    table = await hunting(harness)
    card, held = await choose(table, "Bruno")
    assert not any(chosen(table, name) for name in table.people if name != "Bruno")
    await table.press("Bruno", f"put:{held}")
    assert card in table.hand("Bruno")
    assert held in table.pool()
    assert chosen(table, "Bruno") == []
    await table.settle()
    assert re.search(r"^-# Bruno \S+ → \S+$", table.panel("Léa").text, re.MULTILINE)
    # A second press takes the choice back.
    card, held = await choose(table, "Bruno")
    await table.press("Bruno", f"take:{card}")
    assert chosen(table, "Bruno") == []
    await table.press("Bruno", f"put:{held}")
    assert held not in table.hand("Bruno")
    await table.press("Bruno", f"take:{card}")
    assert card in table.hand("Bruno"), "while a card is owed, a press on the middle takes"
    # A choice lapses.
    _, held = await choose(table, "Bruno")
    await harness.advance(5.5)
    assert chosen(table, "Bruno") == [], "without a press"
    told = await table.press("Bruno", f"put:{held}")
    assert "n'est plus choisi." in told
    assert held in table.hand("Bruno")
    await harness.advance(8.5)
    assert "n'est plus choisi" not in table.panel("Bruno").text, "an answer goes by itself"
    await table.press("Bruno", f"put:{held}")
    assert held not in table.hand("Bruno")
    await table.act("Bruno", f"take:{table.pool()[0]}")

    # Somebody was faster, and nothing happens.
    card, held = await choose(table, "Bruno")
    hand = table.hand("Bruno")
    await table.swap("Dora", table.spare("Dora"), card)
    await table.settle()
    told = await table.press("Bruno", f"put:{held}")
    assert "Trop tard : Dora vient de prendre" in told.replace("\n-# ", " ")
    assert table.hand("Bruno") == hand
    await table.press("Bruno", f"put:{held}")
    assert held not in table.hand("Bruno"), "the next press means the hand again"


async def test_a_house_rule_hides_who_was_faster(harness: Harness) -> None:
    table = await hunting(harness, rules="classic takes_seen=no")
    card, held = await choose(table, "Bruno")
    await table.swap("Dora", table.hand("Dora")[0], card)
    told = await table.press("Bruno", f"put:{held}")
    assert "n'est plus au milieu" in told.replace("\n-# ", " ")
    assert "Dora vient" not in told
    assert "→" not in told
