"""What a team may propose, as its view tells it: the same as what the core then takes. And several found at once."""

from itertools import product

import pytest

from bot.game import actions as a
from bot.game.build_view import seat_view
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide
from bot.game.signs import PlanKind, Sign, SignCard, SignPlan, Strategy, emoji_sign, family, one_sign, spoken_sign
from bot.robots.beliefs import Memory
from bot.robots.signals import choose_plan
from tests.rules.table import Table
from tests.together import together

ALL = " ".join(Strategy)
STRATEGIES = ["", ALL, *Strategy]


def plan(kind: PlanKind, members: int, card: SignCard | None, *, spoken: bool, presign: bool) -> SignPlan:
    """A plan of the kind that fits a card; where spoken, its first sign is."""
    count = {PlanKind.SINGLE: 1, PlanKind.DOUBLE: members, PlanKind.INTERMEDIATE: 3, PlanKind.TOTAL: 0}[kind]
    signs: list[Sign] = [emoji_sign(text) for text in family(card)[8 : 8 + count]]
    return SignPlan(kind, (spoken_sign("what weather"), *signs[1:]) if spoken else tuple(signs), presign)


def agrees(table: Table, seat: int) -> None:
    """Whatever a plan is made of, the core takes it if the view offers it, and refuses it else."""
    view = seat_view(table.state, seat)
    members = len(view.member_signs)
    assert view.may_change_sign
    for kind, spoken, presign in product(PlanKind, (False, True), (False, True)):
        if (spoken and kind is PlanKind.TOTAL) or (kind is PlanKind.DOUBLE and members == 1):
            continue
        wish = plan(kind, members, view.sign_card, spoken=spoken, presign=presign)
        offered = view.options
        is_offered = kind in offered.kinds and (offered.presign or not presign) and (offered.spoken or not spoken)
        taken = decide(table.state, a.ProposeSign(seat, wish), table.now, table.rng)
        assert isinstance(taken, Refusal) is not is_offered, (wish, offered)


@together("strategies", STRATEGIES)
@together("players", [2, 4, 6])
def test_the_core_accepts_exactly_the_listed_signs_before_the_deal(strategies: str, players: int) -> None:
    agrees(Table.starting(players=players, strategies=strategies), 0)


@together("strategies", ["", ALL])
@together("card", SignCard)
def test_the_core_accepts_exactly_the_listed_signs_with_a_sign_card(card: SignCard, strategies: str) -> None:
    other = SignCard.HAND if card is not SignCard.HAND else SignCard.EYES
    agrees(Table.starting("bell", strategies=strategies, sign_cards=f"{card} {other}"), 0)


def test_the_options_shrink_when_signs_are_found_out() -> None:
    table = Table(strategies=ALL, plans={"#1": "presign A 🎩 C 🦊", "#2": "presign ☕ 🌶 🔑"})
    table.do("A accuse #2 presign", "A guess #2 ☕")
    agrees(table, 1)
    assert seat_view(table.state, 1).options.kinds == (PlanKind.SINGLE,)
    table.do("B guess #1 🎩")
    assert seat_view(table.state, 0).options.kinds == (PlanKind.DOUBLE,)
    assert seat_view(table.state, 0).options.presign


def test_a_proposal_is_dropped_when_its_team_is_caught_with_a_pre_sign() -> None:
    table = Table(strategies=ALL, plans={"#1": "presign 🎩", "#2": "🍀"})
    table.do("C kems", "A propose presign 🦊")
    assert seat_view(table.state, 2).proposal is not None
    table.do("B accuse #1 presign")
    assert seat_view(table.state, 2).proposal is None


def test_words_may_be_a_gesture_when_they_were_voted_for_or_drawn() -> None:
    for table, heard in (
        (Table.starting(), (False, False)),
        (Table.starting(strategies="spoken"), (True, True)),
        (Table.starting("bell", sign_cards="word eyes"), (True, False)),
    ):
        assert tuple(seat_view(table.state, seat).may_speak for seat in (0, 1)) == heard


def two_of_three_found(seed: int = 0) -> Table:
    table = Table(players=6, team_size=3, strategies="double", seed=seed, plans={"#1": "A 👀 C 🍀 E 🎲", "#2": "🎩"})
    table.do("B guess #1 👀 🎲")
    return table


@together("seed", range(30))
def test_chance_draws_different_successors_for_two_signs_of_three(seed: int) -> None:
    table = two_of_three_found(seed)
    table.do(a.CallKems(1), "- next")
    found = table.state.teams[0].plan
    assert len(set(found.signs)) == 3
    assert found.signs[1] == emoji_sign("🍀")


@together("seed", range(30))
def test_a_robot_replaces_two_signs_of_three_by_different_ones(seed: int) -> None:
    table = two_of_three_found(seed)
    view = seat_view(table.state, 0)
    table.rng.seed(seed)
    chosen = choose_plan(view, Memory(table.rng, (0, 0), 6), table.rng)
    assert len(set(chosen.signs)) == 3
    table.do(a.ProposeSign(0, chosen))


def test_a_total_team_keeps_its_plan_after_a_kems() -> None:
    kings = {"A": "KS KH KD KC"}
    table = Table(hands=kings, strategies="total", sign_change="once", plans={"#1": "total"})
    table.do("C kems")
    assert table.state.teams[0].plan == SignPlan(PlanKind.TOTAL, (), presign=False)
    single = Table(hands=kings, sign_change="once")
    single.do("C kems")
    assert single.state.teams[0].plan is None


def test_a_plan_needs_one_successor_for_each_found_sign() -> None:
    double = SignPlan(PlanKind.DOUBLE, tuple(map(emoji_sign, "👀🍀🎲")))
    found = {emoji_sign("👀"), emoji_sign("🎲"), emoji_sign("🎩")}
    assert double.with_successors(found, map(emoji_sign, "🦊🎈")).signs == tuple(map(emoji_sign, "🦊🍀🎈"))
    with pytest.raises(ValueError, match="zip"):
        double.with_successors(found, [emoji_sign("🦊")])


def test_proposing_the_partners_proposal_accepts_it() -> None:
    table = Table.starting(players=6, team_size=3, deck="52")
    table.do("A sign 👀", "C accept 👀")
    table.refuses("already_answered", "A sign 👀", "C sign 👀")
    table.do("E sign 👀")
    assert table.state.teams[0].plan == one_sign(emoji_sign("👀"))


def test_a_changed_proposal_has_to_be_accepted_again() -> None:
    table = Table.starting(players=6, team_size=3, deck="52")
    table.do("A sign 👀", "C accept 👀", "E sign 🍀")
    assert table.state.teams[0].proposal.accepted == (4,)
    table.refuses("not_pending", "A accept 👀")
