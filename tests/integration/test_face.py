"""What members see and when: panels that follow, few edits, languages, quick start."""

from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, hunting


async def test_a_player_has_one_panel_which_is_updated_when_others_act(harness: Harness, table: Table) -> None:
    for _ in range(3):
        await harness["Dora"].slash("kems hand")
    await harness["Dora"].click("✋ Contre…", table.message())
    assert len([m for m in harness["Dora"].messages() if m.ephemeral and m.controls]) == 1
    await harness["Dora"].click("🂠 Ma main", table.panel("Dora"))
    assert len(table.hand("Dora")) == 4
    await table.settle()
    card, taken = table.hand("Bruno")[0], table.pool()[0]
    await table.press("Bruno", f"put:{card}")
    await table.act("Bruno", f"take:{taken}")
    for name in PEOPLE:
        offered = [c.plain_id for c in table.panel(name).controls]
        assert f"k1:{table.id}:take:{card}" in offered
        assert f"k1:{table.id}:take:{taken}" not in offered
    assert card in table.pool()


async def test_a_busy_table_is_edited_at_a_limited_rate(harness: Harness, table: Table) -> None:
    await harness.advance(3)
    harness.env.http_requests.clear()
    for _ in range(10):
        card = table.hand("Bruno")[0]
        await table.press("Bruno", f"put:{card}")
        await table.press("Bruno", f"take:{card}")
        await harness.advance(0.1)
    await harness.advance(3)
    edits = [request.path for request in harness.env.http_requests if request.method == "PATCH"]
    public = [path for path in edits if path.startswith("/channels/")]
    private = [path for path in edits if path.startswith("/webhooks/")]
    assert 1 <= len(public) <= 3
    assert len(private) <= 3 * 3  # those of the three who do not act


async def test_a_panel_outlives_its_token(harness: Harness, table: Table) -> None:
    await harness.advance(7)  # what is told at a deal has lapsed
    before = table.panel("Dora").text
    await harness.advance(15 * 60)
    await table.act("Bruno", f"put:{table.hand('Bruno')[1]}")
    assert table.panel("Dora").text == before  # nobody may edit it any more, but its owner's press
    await table.press("Dora", f"put:{table.hand('Dora')[1]}")
    assert len(table.hand("Dora")) == 3
    await table.act("Chloé", f"put:{table.hand('Chloé')[1]}")
    assert len([c for c in table.panel("Dora").controls if ":take:" in c.custom_id]) == 7


async def test_public_messages_follow_the_server_and_private_ones_the_reader(harness: Harness) -> None:
    harness["Dora"].locale = "en-US"
    table = await hunting(harness)
    assert "La chasse est ouverte" in table.board()
    assert "**Us 0 · Them 0**" in table.panel("Dora").text
    assert "**Nous 0 · Eux 0**" in table.panel("Chloé").text
    harness["Dora"].locale = "fr"
