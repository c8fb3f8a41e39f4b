"""Decks with faces through Discord: chosen at the table, seen by all, kept over a restart and for the rematch."""

from functools import partial

import pytest

from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table

SUITS = set("♠♥♦♣")


def everything(harness: Harness) -> str:
    """All cards that anybody may read on a message of the match."""
    seen = [message for name in PEOPLE for message in harness[name].messages()]
    return " ".join(f"{m.text} {' '.join(control.label for control in m.controls)}" for m in seen)


async def seat(table: Table, *, starts: bool = True) -> None:
    """Everybody joins the lobby that was just opened, in teams that are chosen, and the match starts."""
    table.id = int(table.message().controls[0].custom_id.split(":")[1])
    await table.press("Léa", "settings")
    await table.harness["Léa"].choose(f"k1:{table.id}:set:teams", "chosen")
    for name in PEOPLE[1:]:
        await table.press(name, "join")
    if starts:
        await table.press("Léa", "start")


async def hands(table: Table) -> None:
    """Everybody looks at their hand."""
    for name in PEOPLE:
        await table.press(name, "hand")


def labels(table: Table, name: str) -> list[str]:
    """The buttons of a member's hand."""
    return [control.label for control in table.panel(name).controls if f"k1:{table.id}:put:" in control.plain_id]


@pytest.mark.parametrize("locale", ["fr", pytest.param("en-US", marks=pytest.mark.long)])
async def test_a_table_with_yokai_cards_shows_no_suit_and_keeps_them_over_a_restart(
    harness: Harness, locale: str
) -> None:
    table = Table(harness)
    await harness["Léa"].slash("kems start", faces="yokai")
    await seat(table)
    await table.agree_on_what_is_offered()
    await hands(table)
    before = {name: labels(table, name) for name in PEOPLE}
    await table.after(harness.restart())
    await hands(table)
    assert {name: labels(table, name) for name in PEOPLE} == before
    assert all(label[-1] in "🏮🍃🔥🌙" for shown in before.values() for label in shown)
    assert len({label for shown in before.values() for label in shown}) == 16
    assert not SUITS & set(everything(harness).replace("♠ ", "")), "but for the heading of the lobby"


async def test_faces_are_chosen_in_the_lobby_and_kept_for_the_rematch(harness: Harness) -> None:
    table = Table(harness)
    await harness["Léa"].slash("kems start", target=1)
    menu = harness["Léa"].last().controls[-1].custom_id.rsplit(":", 1)[0] + ":set:faces"
    told = await harness["Bruno"].forge(menu, harness["Bruno"].last(), component_type=3, values=["rugby"])
    assert "Réservé à l'hôte" in told
    await harness["Léa"].click("Réglages…")
    await harness["Léa"].choose(menu, "rugby")
    await seat(table)
    await table.agree()
    await table.open_hunt()
    card = table.pool()[0]
    await table.press("Bruno", f"put:{table.hand('Bruno')[1]}")
    await table.press("Dora", f"put:{table.hand('Dora')[1]}")
    await harness.together(*(partial(table.press, name, f"take:{card}") for name in ("Bruno", "Dora")))
    late = " ".join(harness["Dora"].told.split("\n-# "))
    assert "Trop tard : Bruno vient de prendre " in late
    assert any(thing in late for thing in "🏉👟🏆🚩")
    await table.act("Chloé", "kems")
    over = table.message()
    assert not SUITS & set(over.text)
    for name in PEOPLE:
        await harness[name].click("🔁 Revanche", over)
    await table.settle()
    table.id += 1
    await table.agree()
    await hands(table)
    kept = [label for name in PEOPLE for label in labels(table, name)]
    assert len(kept) == 16
    assert all(label.rstrip("\u200b")[-1] in "🏉👟🏆🚩" for label in kept)


async def test_a_forged_choice_of_faces_changes_nothing(harness: Harness) -> None:
    table = Table(harness)
    await harness["Léa"].slash("kems start", faces="family")
    await seat(table, starts=False)
    for values in (["tarot"], [], [["yokai"]], "yokai", {"yokai": 1}):
        said = await table.forge("Léa", f"k1:{table.id}:set:faces", component_type=3, values=values)
        assert "Ce choix n'est plus possible" in said
    await harness["Léa"].click("Réglages…")
    control = harness["Léa"].last(ephemeral=True).control(f"k1:{table.id}:set:faces")
    assert control is not None
    assert control.chosen == ("family",)
