"""Sheet 000, "Signes" and "Raffinements": what a vote may allow beyond one sign per team, and how it is found out."""

import pytest

from bot.game import actions as a
from bot.game.build_view import player_view, seat_view, table_view
from bot.game.signs import PlanKind, SignCard, SignPlan, Strategy, emoji_sign, family, fits_card, spoken_sign
from tests.rules.table import Table, swap

FOUR_KINGS = "KS KH KD KC"
DOUBLE = {"#1": "A 👀 C 🎲"}
SEVERAL = {"#1": "👀 🎲 ☕"}
TOTAL = {"#1": "total"}


def signs_of(table: Table, team: int) -> set[str]:
    plan = table.state.teams[team].plan
    return set() if plan is None else {sign.text for sign in plan.signs}


def settle(table: Table, plan: str) -> None:
    table.do(f"A sign {plan}", f"C accept {plan}")


def presigning(pool: str = "KC 8S 9S TS", sign: str = "presign 👀", **rules: str) -> Table:
    """A has three kings, and the fourth lies open."""
    return Table(
        strategies="presign", plans={"#1": sign}, hands={"A": "KS KH KD 7S"}, pool=pool, sign_required=True, **rules
    )


@pytest.mark.parametrize("plan", ["A 👀 C 🎲", "👀 🎲 ☕", "total", "presign 👀", "say:what_weather"])
def test_000_101_without_a_vote_a_team_has_one_sign(plan: str) -> None:
    table = Table.starting()
    table.refuses("sign_forbidden", f"A sign {plan}")


@pytest.mark.parametrize(
    ("strategy", "plan"),
    [
        ("double", "A 👀 C 🎲"),
        ("intermediate", "👀 🎲 ☕"),
        ("intermediate", "👀 🎲 ☕ 🎩 🦊 🎈"),
        ("total", "total"),
        ("presign", "presign 👀"),
        ("spoken", "say:what_weather"),
    ],
)
def test_000_102_each_strategy_needs_its_own_vote(strategy: str, plan: str) -> None:
    others = " ".join(other for other in Strategy if other != strategy)
    Table.starting(strategies=others).refuses("sign_forbidden", f"A sign {plan}")
    table = Table.starting(strategies=strategy)
    settle(table, plan)
    assert table.state.teams[0].plan is not None


def test_000_103_a_vote_obliges_nobody_and_reveals_no_teams_choice() -> None:
    views = []
    for plan in ("🎲", "A 👀 C 🎲", "total", "presign 👀"):
        table = Table.starting(strategies="double total presign")
        settle(table, plan)
        views.append(seat_view(table.state, 1))
    assert views[1:] == views[:-1]
    assert views[0].table.strategies == {Strategy.DOUBLE, Strategy.TOTAL, Strategy.PRESIGN}


def test_000_104_no_gesture_is_explained_before_the_end_when_strategies_were_voted() -> None:
    table = Table(strategies="double", hands={"A": FOUR_KINGS}, target=2, signs_told="round")
    table.do("A react 👀", "A react 🎩", "C kems")
    assert [gesture.is_sign for gesture in table_view(table.state).gestures] == [None, None]
    assert table_view(table.state).result.signs == ((), ())
    table = Table(strategies="double", hands={"A": FOUR_KINGS}, target=1)
    table.do("A react 👀", "A react 🎩", "C kems")
    assert [gesture.is_sign for gesture in table_view(table.state).gestures] == [True, False]
    assert table_view(table.state).result.signs == ((emoji_sign("👀"),), ())


def test_000_105_with_a_double_sign_each_player_has_one_of_their_own() -> None:
    table = Table(strategies="double", plans=DOUBLE, hands={"A": FOUR_KINGS}, sign_required=True)
    table.do("A react 🎲")
    assert table.state.seats[0].signed_at is None, "that is the partner's"
    table.do("A react 👀", "C kems")
    assert table.outcome == "kems"
    assert seat_view(table.state, 0).signs_of(2) == (emoji_sign("🎲"),)


def test_000_106_a_double_sign_has_two_different_signs() -> None:
    table = Table.starting(strategies="double")
    table.refuses("sign_taken", "A sign A 👀 C 👀")


def test_000_107_a_found_sign_of_two_is_secretly_replaced_and_the_other_kept() -> None:
    table = Table(strategies="double", plans=DOUBLE, hands={"A": FOUR_KINGS})
    table.do("B guess #1 👀")
    assert seat_view(table.state, 0).is_half_found
    table.do("A react 👀")
    assert table.state.seats[0].signed_at is None, "a found sign is none any more"
    table.refuses("sign_forbidden", "A sign A ☕ C 🎩", "A sign 🎩", "A sign A 👀 C ☕")
    settle(table, "A ☕ C 🎲")
    assert signs_of(table, 0) == {"☕", "🎲"}
    assert table_view(table.state).known_single == ()
    table.do("A react ☕")
    assert table.state.seats[0].signed_at == 0


def test_000_108_a_single_sign_that_is_found_and_changed_looks_the_same_to_the_finder() -> None:
    single, double = (Table(strategies="double", plans=plans) for plans in ({"#1": "👀"}, DOUBLE))
    for table, plan in ((single, "☕"), (double, "A ☕ C 🎲")):
        table.do("B guess #1 👀")
        settle(table, plan)
    assert player_view(single.state, 1, 0) == player_view(double.state, 1, 0)


def test_000_109_a_team_may_openly_continue_with_only_the_other_sign() -> None:
    table = Table(strategies="double", plans=DOUBLE)
    table.do("B guess #1 👀", "C keep")
    assert signs_of(table, 0) == {"🎲"}
    assert table_view(table.state).known_single == (0,)
    table.do("B kems")
    table.refuses("sign_forbidden", "A sign A ☕ C 🎩", "A sign 👀")
    settle(table, "🎩")


def test_000_110_a_found_sign_never_comes_back() -> None:
    table = Table(strategies="double", plans=DOUBLE)
    table.do("B guess #1 👀")
    settle(table, "A ☕ C 🎲")
    table.do("B kems")
    table.refuses("sign_forbidden", "A sign A 👀 C 🎲", "A sign 👀")


@pytest.mark.parametrize("at_once", [True, False])
def test_000_111_naming_both_signs_ends_the_double_sign_for_good(at_once: bool) -> None:
    table = Table(strategies="double total", plans=DOUBLE)
    table.do(*(["B guess #1 🎲 👀"] if at_once else ["B guess #1 👀", "D guess #1 🎲"]))
    assert signs_of(table, 0) == set()
    assert table_view(table.state).known_single == (0,)
    table.refuses("not_pending", "A keep")
    table.refuses("sign_forbidden", "A sign A ☕ C 🎩", "A sign total", "A sign 🎲")
    settle(table, "☕")
    assert table.state.teams[0].plan.kind is PlanKind.SINGLE


def test_000_112_naming_two_signs_is_right_only_if_both_are() -> None:
    table = Table(strategies="double", plans=DOUBLE)
    table.do("B guess #1 👀 🎩")
    assert [report.is_right for report in table_view(table.state).reports] == [False]
    assert signs_of(table, 0) == {"👀", "🎲"}
    table.refuses("sign_forbidden", "B guess #1 👀 🎲 ☕", "B guess #1 👀 👀", "B guess #1")


def test_000_113_an_agreement_under_way_is_void_once_its_sign_was_found() -> None:
    table = Table(strategies="double", plans=DOUBLE)
    table.do("B guess #1 👀", "A sign A ☕ C 🎲", "B guess #1 🎲")
    table.refuses("not_pending", "C accept A ☕ C 🎲")


def test_000_114_a_team_that_does_not_decide_gets_a_successor_by_chance_at_the_next_deal() -> None:
    table = Table(strategies="double", plans=DOUBLE)
    table.do("B guess #1 👀", "D kems", "- next")
    plan = table.state.teams[0].plan
    assert (plan.kind, plan.signs[1]) == (PlanKind.DOUBLE, emoji_sign("🎲"))
    assert plan.signs[0] not in (emoji_sign("👀"), emoji_sign("🎲"))


def test_000_115_an_intermediate_team_keeps_a_single_sign_once_any_sign_is_found() -> None:
    table = Table(strategies="intermediate", plans=SEVERAL, hands={"A": FOUR_KINGS})
    for sign in ("☕", "👀"):
        assert table.state.teams[0].plan.sign_made(0, "react", sign) is not None
    table.do("B guess #1 ☕")
    assert signs_of(table, 0) == set()
    assert table_view(table.state).known_single == (), "it may deny that it had several"
    table.refuses("sign_forbidden", "A sign 👀 🎩 🦊", "A sign ☕")
    settle(table, "👀")


def test_000_116_a_team_without_a_new_sign_gets_a_random_one_at_the_next_deal() -> None:
    table = Table(strategies="intermediate", plans=SEVERAL)
    table.do("B guess #1 ☕", "B kems", "- next")
    plan = table.state.teams[0].plan
    assert (plan.kind, len(plan.signs)) == (PlanKind.SINGLE, 1)
    assert plan.signs[0] != emoji_sign("☕")


@pytest.mark.parametrize("count", [2, 7])
def test_000_117_two_signs_or_seven_are_no_intermediate(count: int) -> None:
    signs = tuple(emoji_sign(text) for text in family(None)[:count])
    plan = SignPlan(PlanKind.INTERMEDIATE, signs)
    Table.starting(strategies="intermediate").refuses("sign_forbidden", a.ProposeSign(0, plan))


def test_000_118_a_total_team_has_no_sign_that_could_be_found() -> None:
    table = Table(strategies="total", plans=TOTAL, hands={"A": FOUR_KINGS}, sign_required=True)
    table.do("A react 🎩", "B guess #1 🎩")
    assert [report.is_right for report in table_view(table.state).reports] == [False]
    table.do("C kems")
    assert table.outcome == "kems"


def test_000_119_only_declaring_total_ends_it() -> None:
    table = Table(strategies="total", plans=TOTAL)
    table.do("B accuse #1 total")
    assert (signs_of(table, 0), table_view(table.state).known_single) == (set(), (0,))
    table.refuses("sign_forbidden", "A sign total")
    table.refuses("already_answered", "D accuse #1 total")
    settle(table, "🎩")


def test_000_121_a_pre_sign_is_given_at_three_alike() -> None:
    table = presigning()
    table.do("A react 👀", *swap("A", "7S", "KC"), "C kems")
    assert table.outcome == "kems"


def test_000_122_without_pre_sign_a_sign_at_three_alike_is_a_bluff() -> None:
    table = presigning(sign="👀")
    table.do("A react 👀", *swap("A", "7S", "KC"), "C kems")
    assert table.outcome == "false_kems"


def test_000_123_a_pre_sign_ends_with_its_three_alike() -> None:
    table = presigning("AS AH AD 9S", three_alike="allowed")
    table.do("A react 👀", *swap("A", "KS KH 7S", "AS AH AD"))
    assert table.state.seats[0].signed_at is None
    table.do("A react 👀", "A put KD")
    assert table.state.seats[0].signed_at == 0, "three aces now"


def test_000_124_opponents_may_ask_to_stop_pre_sign_and_the_sign_stays() -> None:
    table = presigning()
    table.do("A react 👀", "B accuse #1 presign")
    assert signs_of(table, 0) == {"👀"}
    assert not table.state.teams[0].plan.presign
    table.refuses("already_answered", "D accuse #1 presign")
    table.do(*swap("A", "7S", "KC"), "C kems")
    assert table.outcome == "false_kems"
    table.refuses("sign_forbidden", "A sign presign 🎩")


def test_000_124_what_was_signed_at_three_alike_counts_until_then() -> None:
    for is_stopped in (False, True):
        table = presigning()
        table.do("A react 👀", *swap("A", "7S", "KC"), *["B accuse #1 presign"] * is_stopped, "C kems")
        assert table.outcome == ("false_kems" if is_stopped else "kems")


def test_000_126_combinations_follow_both_rules() -> None:
    table = Table(strategies="double presign", plans={"#1": "A 👀 C 🎲"})
    table.do("B kems")
    settle(table, "presign A 👀 C 🎲")
    table.do("- next", "A open")
    table.do("B accuse #1 presign", "B guess #1 👀")
    plan = table.state.teams[0].plan
    assert (plan.kind, plan.presign, table.state.teams[0].is_half_found) == (PlanKind.DOUBLE, False, True)
    table.do("B guess #1 🎲")
    settle(table, "☕")


def test_000_127_a_pre_sign_continues_with_the_remaining_half() -> None:
    table = Table(strategies="double presign", plans={"#1": "presign A 👀 C 🎲"})
    table.do("B guess #1 👀", "A keep")
    assert (signs_of(table, 0), table.state.teams[0].plan.presign) == ({"🎲"}, True)
    table.do("B accuse #1 presign")
    assert {Strategy.DOUBLE, Strategy.PRESIGN} <= table.state.teams[0].lost, "neither comes back"


def test_000_128_a_spoken_sign_is_heard_in_an_ordinary_message() -> None:
    table = Table(strategies="spoken", plans={"#1": "say:what_weather"}, hands={"A": FOUR_KINGS}, sign_required=True)
    table.do('A say "Oh, What  weather!"', "C kems")
    assert table.outcome == "kems"
    Table().refuses("not_allowed", 'A say "what weather"')


def test_000_130_the_name_of_the_game_is_no_sign() -> None:
    table = Table.starting(strategies="spoken")
    table.refuses("sign_forbidden", "A sign say:dit_kem's", "A sign say:j'ai_kems")


def test_000_131_oral_signs_and_total_never_go_together() -> None:
    table = Table(strategies="spoken total", plans=TOTAL, hands={"A": FOUR_KINGS}, sign_required=True)
    table.do('A say "what weather"', "C kems")
    assert table.outcome == "false_kems"


def test_000_132_a_team_of_three_has_three_signs_in_a_double() -> None:
    table = Table.starting(players=9, deck="52", strategies="double")
    two = SignPlan(PlanKind.DOUBLE, (emoji_sign("👀"), emoji_sign("🎲")))
    table.refuses("sign_forbidden", a.ProposeSign(0, two))
    table.do("A sign A 👀 D 🎲 G ☕")


def test_000_133_a_duellist_has_no_double_sign() -> None:
    table = Table.starting(players=2, strategies="double")
    table.refuses("sign_forbidden", a.ProposeSign(0, SignPlan(PlanKind.DOUBLE, (emoji_sign("👀"),))))


@pytest.mark.parametrize(("preset", "scores"), [("yokai", (0, 2)), ("classic", (0, 0))])
def test_004_31_a_double_sign_is_found_whether_or_not_a_guess_gives_points(
    preset: str, scores: tuple[int, int]
) -> None:
    table = Table(preset, strategies="double", plans=DOUBLE)
    table.do("B guess #1 👀")
    assert table.state.teams[0].is_half_found
    assert table.scores == scores


def test_003_31_each_team_draws_a_card_and_its_sign_must_fit_it() -> None:
    table = Table.starting("bell", sign_cards="eyes mouth")
    assert seat_view(table.state, 0).sign_card is SignCard.EYES
    table.refuses("sign_forbidden", "A sign 👄", "A sign 🎲", "A sign 👀🎲")
    table.do("A sign 👀😉", "B sign 👄")


def test_003_32_the_idea_card_allows_any_sign_and_the_word_card_words() -> None:
    table = Table.starting("bell", sign_cards="idea word")
    table.refuses("sign_forbidden", "A sign say:what_weather", "B sign 🎲")
    table.do("A sign 🎲", "C accept 🎲", "B sign say:what_weather", "D accept say:what_weather")
    table.do('B say "what weather"')
    assert table.state.gestures[0].sign == spoken_sign("what weather")
    table.refuses("not_allowed", 'A say "what weather"')


def test_003_33_chance_draws_a_sign_that_fits_the_card() -> None:
    table = Table.starting("bell", sign_cards="hand posture")
    table.wait(90)
    for team, card in enumerate((SignCard.HAND, SignCard.POSTURE)):
        assert fits_card(table.state.teams[team].plan.signs[0], card)


def test_003_34_total_needs_a_free_card() -> None:
    table = Table.starting("bell", sign_cards="hand idea", guess="report", strategies="total")
    table.refuses("sign_forbidden", "A sign total")
    table.do("B sign total")
