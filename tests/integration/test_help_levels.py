"""Levels of help at a table: one press chooses, the table says it, it is kept; a ranked match has one for all."""

import re

from bot.tables.lobby.refusals import LobbyCode
from bot.ui.table.verbs import TableVerb
from tests.integration.harness import BRUNO, CHLOE, DORA, LEA, Harness, Seen
from tests.integration.table import Table, begun, hunting
from tests.ui.walk import FR

FRIENDLY = "classic down=2"


def is_lit(panel: Seen) -> bool:
    """Whether Kem's is green."""
    (kems,) = (control for control in panel.controls if control.plain_id.endswith(f":{TableVerb.KEMS}"))
    return kems.is_green


async def gestured(table: Table, name: str) -> Seen:
    """A player's hand after their partner has made their sign."""
    await table.press(name, "hand")
    await table.act(CHLOE if name == LEA else DORA, f"gesture:{'👀' if name == LEA else '🍀'}")
    return table.panel(name)


async def test_one_press_chooses_a_level_and_the_table_shows_it_before_the_deal(harness: Harness) -> None:
    table = await begun(harness, rules=FRIENDLY)
    assert "Guidé" not in table.board(), "all of them are newcomers"
    await table.press(LEA, "sign_panel")
    told = await table.press(LEA, "level:bare")
    assert "Rien n'est marqué" in told
    await table.press(BRUNO, "sign_panel")
    await table.press(BRUNO, "level:normal")
    assert "🧭 Guidé : Chloé, Dora · 👁️ Œil nu : Léa\n" in f"{await table.later(3)}\n"
    board = table.board()
    await table.forge(LEA, f"k1:{table.id}:level:blind")
    assert await table.settle() == board, "no button names that level"
    await table.agree_at_once()
    assert "Œil nu" not in table.board(), "cards are what counts now"


async def test_the_panel_marks_cards_by_the_chosen_level_even_after_a_restart(harness: Harness) -> None:
    table = await hunting(harness, rules=FRIENDLY)
    panel = await gestured(table, LEA)
    assert is_lit(panel)
    assert "**Chloé 👀** ◀" in panel.text
    await table.press(LEA, "sign_panel")
    await table.press(LEA, "level:normal")
    await table.press(LEA, "hand")
    assert not is_lit(table.panel(LEA))
    assert "**Chloé 👀** ◀" in table.panel(LEA).text
    await table.press(LEA, "sign_panel")
    await table.press(LEA, "level:bare")
    await table.press(LEA, "hand")
    assert "Chloé 👀" in table.panel(LEA).text
    assert not re.search("[◀•]", table.panel(LEA).text)
    assert is_lit(await gestured(table, BRUNO)), "each player chooses alone"

    await table.after(harness.restart(crash=True))
    await table.member(LEA).click("🂠 Ma main", table.message())
    assert not is_lit(await gestured(table, LEA))
    assert "◀" not in table.panel(LEA).text
    await harness[LEA].slash("kems table end", number=table.id)
    await harness[LEA].click("Fermer la table")
    again = await begun(harness, rules=FRIENDLY)
    assert "👁️ Œil nu : Léa" in again.board(), "it is there at the next table"


async def test_a_ranked_match_is_normal_for_all_and_offers_no_level(harness: Harness) -> None:
    table = await begun(harness)
    assert "Guidé" not in table.board()
    await table.press(LEA, "sign_panel")
    assert table.panel(LEA).control(f"k1:{table.id}:level") is None
    refused = await table.forge(LEA, f"k1:{table.id}:level:guided")
    assert FR.t(LobbyCode.ONE_LEVEL) in refused
    await table.agree_at_once()
    await table.open_hunt()
    panel = await gestured(table, LEA)
    assert not is_lit(panel)
    assert "**Chloé 👀** ◀" in panel.text
