"""One story per table: one message, posted again at a deal only where it is out of sight; one is left at the end."""

import pytest

from tests.integration.gathering import gather_at_once
from tests.integration.harness import PEOPLE, Harness, Seen
from tests.integration.mishaps import breaking
from tests.integration.table import Table, dealt, hunting

EMOJIS = "😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰"


async def begun(harness: Harness, **options: object) -> Table:
    """The hunt of the first round, with everybody's hand open."""
    table = await hunting(harness, rules="classic", players=4, **options)
    await table.settle()
    return table


async def end_round(table: Table, name: str = "Léa") -> None:
    """A false Kem's: the other team gets a point."""
    await table.act(name, "kems")


def posted(table: Table) -> list[Seen]:
    """The bot's public messages, the oldest first."""
    assert table.harness.bot.user is not None
    seen = table.harness["Léa"].messages()
    return [m for m in seen if m.author_id == table.harness.bot.user.id and not m.ephemeral]


async def test_a_table_uses_one_message_and_open_hands_are_dealt_automatically(harness: Harness) -> None:
    table = await begun(harness)
    await end_round(table)
    (only,) = posted(table)
    assert "## Faux Kem's" in only.text
    panels = {name: table.panel(name).id for name in PEOPLE}
    await table.act("Bruno", "next")
    (shown,) = posted(table)
    assert shown.id == only.id
    assert "Manche 2" in shown.text
    assert "-# Manches : 1 faux Kem's ② +1" in shown.text
    assert {name: table.panel(name).id for name in PEOPLE} == panels, "nobody had to open a hand again"
    dealer = next(name for name in PEOPLE if f"{name} distribue" in shown.text)
    await table.act(dealer, "open")
    before = table.hand("Chloé")
    await table.swap("Chloé", before[0], table.pool()[0])
    assert before[0] not in table.hand("Chloé"), "two taps, and none before them"

    # A reaction stays over rounds, and taking it off is no gesture.
    await harness["Dora"].react("🍩", table.message())
    await end_round(table)
    await table.next_round("Bruno")
    assert "Dora 🍩" not in table.board()
    assert "Dora 🍩" not in await table.after(harness["Dora"].unreact("🍩", table.message()))
    assert "Dora 🍩" in await table.after(harness["Dora"].react("🍩", table.message()))
    assert "Bruno 🎲 · Chloé — · Dora 🍩" in await table.after(harness["Bruno"].react("🎲", table.message()))


async def test_the_next_deal_is_posted_again_when_people_have_written_below(harness: Harness) -> None:
    table = await begun(harness, target=2)
    (first,) = posted(table)
    await harness["Dora"].say("Bien joué !")
    await end_round(table)
    assert [m.id for m in posted(table)] == [first.id], "only a deal moves the table"
    await table.act("Bruno", "next")
    log, second = posted(table)
    assert log.id == first.id
    assert log.controls == ()
    assert "Manches : 1 faux Kem's ② +1" in log.text
    assert "Manche 2" in second.text
    own = table.panel("Bruno")
    assert own.id > second.id, "the panel of who pressed stands below the table"
    assert [m for m in harness["Bruno"].messages() if m.ephemeral and m.controls] == [own]
    for name in PEOPLE:
        (shown,) = (message for message in hands(table, name) if ":put:" in str(message))
        assert shown.id > second.id, f"the hand of {name} follows the table, and the former one is deleted"
    await table.after(harness.restart())
    assert all(table.panel(name).id > second.id for name in PEOPLE)
    card = table.spare("Léa")
    await table.open_hunt()
    await table.act("Léa", f"put:{card}")
    assert card in table.offered("Chloé", "take"), "panels are refreshed where they stand now"
    await table.act("Léa", f"take:{card}")
    await end_round(table)
    await harness.advance(10)
    (left,) = posted(table)
    assert left.id == second.id, "a match leaves one message: its result"
    assert "gagne la partie" in left.text


async def test_the_button_of_the_result_opens_a_hand_that_is_not_open(harness: Harness) -> None:
    table = await dealt(harness, rules="classic", players=4)
    dealer = next(name for name in PEOPLE if f"{name} distribue" in table.board())
    await table.press(dealer, "hand")
    await table.act(dealer, "open")
    other = next(name for name in PEOPLE if name != dealer)
    await end_round(table, dealer)
    message = table.message()
    await harness[other].click("Manche suivante", message)
    assert len(table.hand(other)) == 4
    await table.settle()
    assert [m.id for m in posted(table)] == [message.id]


async def chat(harness: Harness, count: int = 2) -> int:
    """So many messages of others; the id of the newest."""
    for number in range(count):
        await harness["Dora"].say(f"Alors ? {number}")
    return harness["Dora"].last(ephemeral=False).id


def hands(table: Table, name: str) -> list[Seen]:
    return [message for message in table.member(name).messages() if message.ephemeral and message.controls]


async def test_a_buried_hand_is_posted_again_between_exchanges(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await begun(harness)
    first, newest = table.panel("Bruno"), await chat(harness)
    card, other = table.pool()[:2]
    held = table.spare("Bruno")
    for what in (f"gesture:{table.offered('Bruno', 'gesture')[0]}", "sign_panel"):
        await table.press("Bruno", what)
        assert table.panel("Bruno").id == first.id, what
    await table.press("Bruno", "hand")
    moved = table.panel("Bruno")
    assert moved.id > newest
    assert hands(table, "Bruno") == [moved], "the former one is deleted"

    newest = await chat(harness)
    for what in (f"take:{other}", f"take:{card}", f"gesture:{table.offered('Bruno', 'gesture')[0]}"):
        await table.press("Bruno", what)
        assert table.panel("Bruno").id == moved.id, "a card is chosen"
    await harness.advance(12)
    await table.press("Bruno", f"put:{held}")
    assert table.panel("Bruno").id == moved.id, "a card is owed"
    await table.press("Bruno", f"take:{card}")
    (shown,) = hands(table, "Bruno")
    assert shown.id > newest
    assert card in table.hand("Bruno")
    given = table.spare("Léa")
    await table.act("Léa", f"put:{given}")
    assert given in table.offered("Bruno", "take"), "it follows what others do"

    # A former hand that cannot be deleted does no harm.
    await chat(harness)
    card, held = table.pool()[0], table.spare("Bruno")
    with breaking(monkeypatch, "DELETE", "/webhooks/"):
        await table.press("Bruno", f"put:{held}")
        await table.press("Bruno", f"take:{card}")
    former, shown = hands(table, "Bruno")
    assert card in table.hand("Bruno")
    again = table.spare("Bruno")
    await table.act("Bruno", f"put:{again}")
    assert again in table.pool()
    assert [message.id for message in hands(table, "Bruno")] == [former.id, shown.id]


async def test_the_first_press_after_a_deal_posts_a_buried_hand_again(harness: Harness) -> None:
    table = await dealt(harness, rules="classic", players=4)
    for count in (1, 2):
        dealer = next(name for name in PEOPLE if f"{name} distribue" in table.board())
        await table.press(dealer, "hand")
        first, newest = table.panel(dealer).id, await chat(harness, count)
        await table.press(dealer, "open")
        assert (table.panel(dealer).id == first, table.panel(dealer).id > newest) == ((count < 2), (count >= 2))
        await end_round(table, dealer)
        await table.act(dealer, "next")


async def test_a_table_leaves_a_message_that_is_full_of_reactions(harness: Harness) -> None:
    table = await begun(harness)
    for emoji in EMOJIS[:14]:
        await harness["Dora"].react(emoji, table.message())
    await end_round(table)
    await table.next_round("Bruno")
    assert len(posted(table)) == 1
    await harness["Dora"].react(EMOJIS[14], table.message())
    await end_round(table)
    await table.act("Bruno", "next")
    assert len(posted(table)) == 2


async def test_a_table_that_continues_after_a_long_time_gets_a_new_message(harness: Harness) -> None:
    table = await begun(harness)
    for minutes, messages in ((44, 1), (2, 2)):
        await harness.advance(60 * minutes)
        await table.press("Léa", "hand")
        await end_round(table)
        await table.next_round("Bruno")
        assert len(posted(table)) == messages


async def test_after_a_restart_the_table_is_posted_again_as_people_may_have_written(harness: Harness) -> None:
    table = await begun(harness, target=2)
    await end_round(table)
    await table.after(harness.restart())
    assert len(posted(table)) == 1
    await table.act("Bruno", "next")
    first, second = posted(table)
    assert "Manches : 1 faux Kem's ② +1" in first.text
    await table.after(harness.restart())
    await table.open_hunt()
    await end_round(table)
    await harness.advance(10)
    assert [m.id for m in posted(table)] == [second.id], "the log of before the restart is deleted"


@pytest.mark.parametrize("is_taken_away", [pytest.param(False, marks=pytest.mark.long), True])
async def test_a_reaction_removed_by_somebody_else_is_no_gesture(harness: Harness, is_taken_away: bool) -> None:
    """Chloé reacts before she has four alike, and never again."""
    table = Table(harness)
    await table.open(rules="classic sign_required=yes")
    await table.agree()
    await table.open_hunt()
    board = table.message()
    await harness["Chloé"].react("👀", board)
    await table.settle()
    await gather_at_once(table, "Chloé")
    if is_taken_away:
        harness.env.backend.remove_reaction(board.channel_id, board.id, "👀", harness["Chloé"].id)
        await harness.settle()
    await table.act("Léa", "kems")
    assert "Faux Kem's" in table.board()
