"""A match by every preset, and tables of every size, through Discord: presses, commands and reactions.

Where the same exchanges would come again, four alike come together at once.
"""

import pytest

from tests.integration.gathering import gather_at_once
from tests.integration.harness import EVERYBODY, LEA, Harness
from tests.integration.table import Table, begun
from tests.rules.test_lines import SHEETS


@pytest.mark.kems(seed=9)
async def test_expert_counters_a_team_and_its_double(harness: Harness) -> None:
    table = await begun(harness, rules="expert", target=2)
    await table.agree_on_what_is_offered()
    await table.open_hunt()
    await table.gather("Léa")
    await table.press("Bruno", "counter")
    assert "Bruno contre l'Équipe 1. Léa avait le carré" in await table.act("Bruno", "counter_team:0")
    assert table.score() == (0, 1)

    await table.next_round("Léa")
    await table.gather("Léa", "Chloé")
    await table.press("Dora", "counter")
    await table.act("Dora", "counter2:0")
    assert table.score() == (0, 3)
    assert table.message().control("🔁 Revanche") is not None, "two points ahead"


async def test_escale_pays_two_points_and_a_wrong_accuser_shows_cards(harness: Harness) -> None:
    table = await begun(harness, rules="escale", target=4)
    await table.agree_on_what_is_offered()
    await table.open_hunt()
    await table.after(table.counter("Bruno", "Léa"))
    assert table.score() == (0, 0)
    await table.after(table.show("Bruno"))
    assert [name for name in table.people if table.member(name).reads("montrées par Bruno")] == ["Léa"]
    await gather_at_once(table, "Léa")
    await table.press("Léa", "kems")  # anyone of the team may say it
    await table.settle()
    assert table.score() == (2, 0)

    await table.next_round("Dora")
    await table.gather("Bruno", "Dora")
    await table.act("Bruno", "double")
    assert table.score() == (2, 4)


@pytest.mark.long
async def test_linternaute_needs_two_callers_for_a_double_and_exchanges_one_card_at_a_time(harness: Harness) -> None:
    table = await begun(harness, rules="linternaute", target=2)
    await table.agree_on_what_is_offered()
    await table.open_hunt()
    first, second, *_ = table.hand("Léa")
    await table.press("Léa", f"put:{first}")
    assert not table.can_press("Léa", f"put:{second}"), "one card at a time"
    await table.press("Léa", f"take:{first}")
    await table.gather("Léa", "Chloé")
    assert "La même équipe peut encore en faire un double" in await table.act("Léa", "kems")
    await table.act("Chloé", "double")
    assert table.score() == (2, 0)
    assert table.message().control("🔁 Revanche") is not None


async def test_in_yokai_a_guess_scores_and_the_hunt_goes_on(harness: Harness) -> None:
    table = await begun(harness, rules="yokai", target=4)
    signs = await table.agree_on_what_is_offered()
    await table.open_hunt()
    await table.press("Bruno", "sign_panel")
    form = await table.member("Bruno").click(f"k1:{table.id}:guess:0")
    await table.after(table.member("Bruno").submit(form, signs[0]))
    assert table.score() == (0, 2)
    assert "La chasse est ouverte" in table.board()
    for name in table.people:
        await table.press(name, "hand")
    await gather_at_once(table, "Dora")
    await table.act("Bruno", "kems")
    assert table.score() == (0, 3)

    await table.next_round("Léa")
    await table.after(table.counter("Chloé", "Dora"))
    assert table.score() == (0, 5), "a false counter pays the accused team two"


@pytest.mark.long
@pytest.mark.kems(seed=3)
async def test_bell_has_jokers_and_lasts_its_rounds(harness: Harness) -> None:
    table = await begun(harness, rules="bell")
    await table.agree_on_what_is_offered()
    await table.open_hunt()
    assert "Manche 1 sur 8" in table.board()
    await _a_kems_with_a_joker(table)
    assert table.score() == (1, 0)
    await table.next_round("Bruno")
    assert "Manche 2 sur 8" in table.board()
    await table.gather("Léa", "Chloé")
    await table.act("Chloé", "double")
    assert table.score() == (3, 0)


async def _a_kems_with_a_joker(table: Table) -> None:
    """Léa gets a joker, from wherever it lies, and three alike."""
    for _ in range(9):
        joker = next((card for card in (*table.pool(), *_hands(table)) if card.startswith("X")), None)
        if joker is not None:
            break
        await table.sweep()
    else:
        raise AssertionError("no joker turned up in the whole stock")
    if joker not in table.hand("Léa"):
        giver = next((name for name in table.people if joker in table.hand(name)), None)
        if giver is not None:
            await table.act(giver, f"put:{joker}")
        await table.after(table.swap("Léa", table.hand("Léa")[0], joker))
        if giver is not None:
            await table.act(giver, f"take:{table.pool()[0]}")
    await table.gather("Léa", jokers=1)
    await table.act("Chloé", "kems")


def _hands(table: Table) -> list[str]:
    return [card for name in table.people for card in table.hand(name)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "teams", "deck"),
    [
        (6, 3, "32"),
        (9, 3, "52"),
        (12, 6, "52"),
    ],
)
async def test_more_than_two_teams_play_a_match(harness: Harness, players: int, teams: int, deck: str) -> None:
    table = Table(harness, EVERYBODY[:players], teams)
    await table.open(rules="classic", players=players, deck=deck, target=2)
    await table.agree_on_what_is_offered()
    await table.open_hunt()
    await table.gather("Léa")
    await table.after(table.counter("Bruno", "Léa"))
    assert table.score() == (0, 1, *(0,) * (teams - 2))
    await table.next_round("Léa")
    await table.act(table.teams[0][1], "kems")
    assert table.score() == (0, 2, *(1,) * (teams - 2)), "a false Kem's pays every opposing team"


async def test_two_players_each_play_for_themselves(harness: Harness) -> None:
    table = Table(harness, EVERYBODY[:2])
    await table.open(rules="classic", players=2, target=1)
    await table.open_hunt()
    sign = table.panel("Léa").text.split()[1]
    await gather_at_once(table, "Léa")
    await table.press("Léa", "kems")
    assert "Trop tôt" in table.panel("Léa").text
    await table.member("Léa").react(sign, table.message())
    await harness.advance(3)
    await table.act("Léa", "kems")
    assert table.score() == (1, 0)
    assert table.message().control("🔁 Revanche") is not None


async def test_kings_is_set_up_in_one_line(harness: Harness) -> None:
    await harness[LEA].slash("kems start", rules=SHEETS["kings"])
    assert "Changement de signe : entre les manches, et après un contre" in harness[LEA].last(ephemeral=False).text


async def test_kent_is_set_up_in_one_line_and_has_no_button_that_counters(harness: Harness) -> None:
    table = await begun(harness, rules=SHEETS["kent"])
    signs = await table.agree_on_what_is_offered()
    await table.open_hunt()
    assert table.message().control("✋ Contre…") is None
    assert not [part for part in table.panel("Bruno").controls if "✋" in (part.label or "")]
    await table.press("Bruno", "sign_panel")
    form = await table.member("Bruno").click(f"k1:{table.id}:guess:0")
    await table.after(table.member("Bruno").submit(form, signs[0]))
    assert table.score() == (0, 1)


@pytest.mark.parametrize(
    ("rules", "untrue"),
    [
        ("expert win_by=1", "deux points d'avance"),
        ("american false_kems_own=0 false_kems=1 false_counter_own=0 false_double_own=0", "coûte un point"),
        ("escale", "quatre manches"),
    ],
)
async def test_a_lobby_does_not_describe_its_preset_by_rules_that_were_changed(
    harness: Harness, rules: str, untrue: str
) -> None:
    """*L'escale* counts to ten points here, not four rounds."""
    await harness[LEA].slash("kems start", rules=rules)
    assert untrue not in harness[LEA].last(ephemeral=False).text
