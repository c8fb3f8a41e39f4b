"""The coach's review: planted mistakes are named, each goes away when it is mended, and are shown in order."""

from dataclasses import replace

import pytest

from bot.game.events import GestureMade, MatchEnded
from bot.game.replay_steps import replay_round
from bot.game.signs import GestureKind
from bot.records.archive import PastMatch
from bot.records.pictures import Theme
from bot.records.player import Player
from bot.records.review import Lapse, Moment, moments, review
from tests.rules.table import Table

CHLOE = 2
SEVENS, EIGHTS, NINES = "7S 7H 7C", "8S 8H 8C", "9S 9H 9D 9C"
REST = "TS JH QD KC", "AS TH JD QC"
POOL = "7D 8D QH AD"
POOL_APART = "7H 8D QH AD"
PLANTED = (Lapse.WANTED, Lapse.SIGN, Lapse.COUNTER, Lapse.DOUBLE, Lapse.BURNT)


def planted(
    mended: Lapse | None = None, *, betrayed_at: str = "5", is_third_awaited: bool = False, is_fed_early: bool = False
) -> PastMatch:
    """Eight rounds in which C makes each mistake of `PLANTED`, except for a mended one. A and C play B and D.

    In the fifth round B makes the known sign at `betrayed_at`, in seconds. In the third D calls too soon for C to
    counter, unless `is_third_awaited`. C puts the wanted card down when B has taken three alike; `is_fed_early`: two.
    """
    three = {"A": f"{SEVENS} KS", "B": f"{EIGHTS} KD", "C": REST[0], "D": REST[1]}
    both = three | {"C": NINES}
    apart = {"A": REST[0], "B": "QS TD JC QH", "C": "8D 9C JS KH", "D": "AS TH JD 8C"}
    sevens, eights = "1 A put KS", "1.5 B put KD"
    took = ("2 A take 7D", "2.5 B take 8D")
    renewed, signed = ([], "5 A react 👀") if mended is not Lapse.BURNT else (["7 A sign 🎩"], "5 A react 🎩")
    answered = ["6 C kems"] if mended is Lapse.SIGN else ["6 B react 🍀", "12 D kems"]
    countered = "9 C counter B" if mended is Lapse.COUNTER else "10 D kems"
    doubled = "6 C double" if mended is Lapse.DOUBLE else "6 C kems"
    fed = ["5 C put 8D", "6 C take QS", "7 B put QH", "8 B take 8D", "9 B react 🍀", "10 D kems"]
    if mended is Lapse.WANTED:
        fed = ["5 C put JS", "6 C take QS", "7 B put QH", "8 B take JS", "9 D kems"]
    third = ["4.1 D put 8C", "4.2 D take TD", "4.3 B put QS", "4.4 B take 8C"]
    last = [*third, *fed]
    if is_fed_early:
        last = ["3 C put 8D", "3.1 C take KD", "3.2 B put QH", "3.3 B take 8D", *third, *fed[-2:]]
    rounds = (
        (apart, "8S 8H KD AC", ["1 B put TD", "2 B take 8S", "2.5 B put JC", "2.9 B take 8H", *last]),
        (three, POOL, [sevens, eights, *took, "5 A react 👀", *answered]),
        (three, POOL, [eights, took[1], "5 B react 🍀", "10 D kems" if is_third_awaited else "6 D kems"]),
        (three, POOL, [eights, took[1], "5 B react 🍀", "6 D kems"]),
        (three, POOL, [*sorted((eights, took[1], f"{betrayed_at} B react 🍀"), key=_seconds), countered]),
        (both, POOL, [sevens, took[0], "5 A react 👀", doubled]),
        (three, POOL, [sevens, took[0], "5 A react 👀", "6 B counter A", *renewed]),
        (three, POOL, [sevens, took[0], signed, "6 B counter A"]),
    )
    table = Table("classic", hands=rounds[0][0], pool=rounds[0][1], target=20, excess="keep")
    table.play(*rounds[0][2])
    for hands, pool, moves in rounds[1:]:
        table.next_round(hands, pool)
        table.play(*moves)
    return past(12, table, MatchEnded(table.now, None))


def past(number: int, table: Table, *end: MatchEnded) -> PastMatch:
    people = tuple(Player(name, seat + 1) for seat, name in enumerate(table.names))
    return PastMatch(number, Theme.FRENCH, people, (*table.opening, *table.log, *end))


def _seconds(move: str) -> float:
    return float(move.split(maxsplit=1)[0])


def test_every_planted_mistake_is_named_with_its_round() -> None:
    found = [(one.lapse, one.round, one.since) for one in moments(planted().events, CHLOE)]
    assert found == [
        (Lapse.WANTED, 1, 0),
        (Lapse.SIGN, 2, 0),
        (Lapse.COUNTER, 5, 1),
        (Lapse.DOUBLE, 6, 0),
        (Lapse.BURNT, 8, 7),
    ]


@pytest.mark.parametrize("mended", PLANTED)
def test_a_mistake_that_was_not_made_is_not_named(mended: Lapse) -> None:
    assert {one.lapse for one in moments(planted(mended).events, CHLOE)} == set(PLANTED) - {mended}


def test_a_gesture_made_with_an_incomplete_hand_betrays_nothing() -> None:
    found = moments(planted(betrayed_at="2").events, CHLOE)
    assert Lapse.COUNTER not in {one.lapse for one in found}


@pytest.mark.parametrize(("kind", "text", "found"), [("post", "🍀", True), ("say", "pineapple", False)])
def test_an_emoji_can_betray_a_sign_and_chat_cannot(kind: str, text: str, found: bool) -> None:
    events = [
        replace(event, kind=GestureKind(kind), text=text) if isinstance(event, GestureMade) and event.seat else event
        for event in planted().events
    ]
    assert (Lapse.COUNTER in {one.lapse for one in moments(events, CHLOE)}) is found


def test_a_gesture_counts_as_betrayed_after_two_rounds() -> None:
    found = moments(planted(is_third_awaited=True).events, CHLOE)
    assert [one.round for one in found if one.lapse is Lapse.COUNTER] == [3, 5]


def test_putting_down_a_card_of_which_two_were_taken_is_no_mistake_yet() -> None:
    assert Lapse.WANTED not in {one.lapse for one in moments(planted(is_fed_early=True).events, CHLOE)}


@pytest.mark.parametrize(("seconds", "missed"), [(1, []), (4, [Lapse.SIGN])])
def test_the_time_to_answer_a_sign_ends_with_the_first_call(seconds: int, missed: list[Lapse]) -> None:
    table = Table("linternaute", hands={"A": "7S 7H 7D 7C", "B": "8S 8H 8D 8C"})
    table.do("A react 👀")
    table.wait(seconds)
    table.do("D kems")
    table.wait(10)
    assert [one.lapse for one in moments((*table.opening, *table.log), CHLOE)] == missed


@pytest.mark.parametrize("answers", [["C no"], ["A yes", "C yes", "D yes"]])
@pytest.mark.parametrize(("seconds", "missed"), [(0.3, []), (3, [Lapse.SIGN])])
def test_while_a_sweep_is_voted_on_nobody_can_answer_a_sign(
    seconds: float, missed: list[Lapse], answers: list[str]
) -> None:
    table = Table("classic", hands={"A": "7S 7H 7D 7C", "B": "8S 8H 8D 9C"})
    table.wait(30)
    table.do("A react 👀", "B sweep")
    table.wait(5)
    table.refuses("call_closed", "C kems")
    table.do(*answers)
    table.wait(seconds)
    table.do("B counter A")
    assert [one.lapse for one in moments((*table.opening, *table.log), CHLOE)] == missed


def test_the_most_costly_mistakes_come_first_with_their_replay_steps() -> None:
    match = planted()
    shown = review(match, CHLOE)
    assert [one.lapse for one in shown] == [Lapse.SIGN, Lapse.COUNTER, Lapse.BURNT, Lapse.WANTED, Lapse.DOUBLE]
    for one in shown:
        assert replay_round(match.events, one.round).steps[one.step].event is one.event


FOUR = {"B": "8S 8H 8D 8C"}
FALSE = {
    "kem's": ("classic", {}, ["C kems"], (Lapse.FALSE_KEMS, 1)),
    "kem's that costs the own team": ("american", {}, ["C kems"], (Lapse.FALSE_KEMS, 1)),
    "double": ("classic", {}, ["C double"], (Lapse.FALSE_DOUBLE, 1)),
    "double of a true Kem's": ("classic", {"A": "7S 7H 7D 7C"}, ["A react 👀", "C double"], (Lapse.FALSE_DOUBLE, 1)),
    "counter of the wrong player": ("classic", FOUR, ["C counter D", "D kems"], (Lapse.FALSE_COUNTER, 0)),
    "counter that costs a point": ("classic", {}, ["C counter B", "D kems"], (Lapse.FALSE_COUNTER, 1)),
    "counter that costs the right alone": ("escale", {}, ["C counter B", "D kems"], (Lapse.FALSE_COUNTER, 0)),
    "counter that ends the round": ("yokai", {}, ["C counter B"], (Lapse.FALSE_COUNTER, 2)),
    "counter of a team": ("bell", {}, ["C counter #2"], (Lapse.FALSE_COUNTER, 1)),
    "somebody else's": ("classic", {}, ["B kems"], None),
    "kem's on a sign of a hand as it was dealt": ("classic", {}, ["A react 👀", "C kems"], (Lapse.FALSE_KEMS, 1)),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_call_is_named_with_what_it_cost(name: str) -> None:
    preset, hands, moves, expected = FALSE[name]
    table = Table(preset, hands=hands, **({"excess": "keep"} if hands else {}))
    table.do(*moves)
    found = [(one.lapse, one.cost) for one in moments((*table.opening, *table.log), CHLOE)]
    assert found == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("moves", "lapse"),
    [
        (["A put 7S", "A take JS", "A react 👀"], Lapse.MISLED),
        (["A put 7S", "A take JS", "A react 🐙"], Lapse.FALSE_KEMS),
        (["A react 👀", "A put 7S", "A take JS"], Lapse.FALSE_KEMS),
    ],
)
def test_the_partners_sign_misleads_until_their_next_exchange(moves: list[str], lapse: Lapse) -> None:
    table = Table("classic", hands={"A": "7S 8H 9D TC"}, pool="JS QH KD AC")
    table.do(*moves, "C kems")
    (found,) = moments((*table.opening, *table.log), CHLOE)
    assert (found.lapse, found.cost) == (lapse, 1)
    assert (found.gesture is None) == (lapse is Lapse.FALSE_KEMS)


@pytest.mark.parametrize(
    ("moves", "seconds", "found"),
    [
        ([], 5, [(Lapse.UNSIGNED, 2, 5000)]),
        ([], 2, []),
        (["C react 👀"], 5, []),
        (["C react 🐙"], 5, [(Lapse.UNSIGNED, 2, 5000)]),
        (["C put 9S", "C take 9S"], 5, [(Lapse.UNSIGNED, 2, 5000)]),
        (["C react 👀", "C put 9S", "C take 9S"], 5, [(Lapse.UNSIGNED, 2, 5000)]),
    ],
)
def test_a_kems_that_the_player_never_signed_is_named(
    moves: list[str], seconds: int, found: list[tuple[Lapse, int, int]]
) -> None:
    table = Table("classic", hands={"C": "9S 9H 9D 9C", **FOUR}, excess="keep")
    table.do(*moves)
    table.wait(seconds)
    table.do("D kems")
    shown = moments((*table.opening, *table.log), CHLOE)
    assert [(one.lapse, one.cost, one.held_ms) for one in shown] == found


def test_the_sign_at_three_alike_is_enough_with_a_pre_sign() -> None:
    table = Table(
        "classic",
        hands={"C": "9S 9H 9D TC", **FOUR},
        pool="9C QH KD AC",
        excess="keep",
        strategies="presign",
        plans={"#1": "presign 👀"},
    )
    table.do("C react 👀", "C put TC", "C take 9C")
    table.wait(5)
    table.do("D kems")
    assert [one.lapse for one in moments((*table.opening, *table.log), CHLOE)] == []


def disaster(held: str = "8S 8H TD JC") -> PastMatch:
    """C calls a false Kem's in each of five rounds, and in the third a false counter of B before it."""
    hands = {"A": "7S 9H 9D TC", "B": held, "C": "9S TH JD QC", "D": "TS JH QD KC"}
    table = Table("classic", hands=hands, pool=POOL_APART, target=5, excess="keep")
    for number in range(5):
        if number:
            table.next_round(hands, POOL_APART)
        table.play(*(["1 C counter B"] if number == 2 else []), "2 C kems")
    return past(13, table)


def test_a_player_with_five_false_calls_gets_no_praise() -> None:
    match = disaster()
    first, second = review(match, CHLOE)
    assert (first.lapse, first.round, first.also, first.cost) == (Lapse.FALSE_KEMS, 1, (2, 3, 4, 5), 5)
    assert (second.lapse, second.round, second.also, second.cost) == (Lapse.FALSE_COUNTER, 3, (), 1)
    for one in (first, second):
        assert replay_round(match.events, one.round).steps[one.step].event is one.event
    assert review(match, 0) == ()


def test_moves_of_a_substitute_robot_are_not_reviewed() -> None:
    match = planted()
    rounds = [event.at for event in match.events if type(event).__name__ == "CardsDealt"]
    people = tuple(replace(one, handover_times=(0, rounds[7])) for one in match.people)
    assert [one.lapse for one in review(replace(match, people=people), CHLOE)] == [Lapse.BURNT]


def test_false_calls_come_first_then_costly_mistakes_then_early_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    at = {Lapse.SIGN: (1, 5), Lapse.DOUBLE: (2, 5), Lapse.COUNTER: (3, 9), Lapse.FALSE_KEMS: (4, 1)}
    made = [Moment(lapse, MatchEnded(when, None), 1, when, CHLOE, cost) for lapse, (when, cost) in at.items()]
    monkeypatch.setattr("bot.records.review.moments", lambda _events, _seat: [*made[::-1], made[1]])
    monkeypatch.setattr("bot.records.review._step", lambda _events, _moment: 7)
    found = review(planted(), CHLOE)
    assert [one.lapse for one in found] == [Lapse.FALSE_KEMS, Lapse.DOUBLE, Lapse.COUNTER, Lapse.SIGN]
    assert [(one.cost, one.step) for one in found] == [(1, 7), (10, 7), (9, 7), (5, 7)]


@pytest.mark.parametrize(("end", "found"), [("6 B counter A", [2]), ("6 C kems", [])])
def test_a_known_sign_that_was_not_countered_again_is_no_mistake(end: str, found: list[int]) -> None:
    hands = {"A": f"{SEVENS} KS", "B": f"{EIGHTS} KD", "C": REST[0], "D": REST[1]}
    signs = ["1 A put KS", "2 A take 7D", "5 A react 👀"]
    table = Table("classic", hands=hands, pool=POOL, target=20, excess="keep")
    table.play(*signs, "6 B counter A")
    table.next_round(hands, POOL)
    table.play(*signs, end)
    made = moments(past(12, table).events, CHLOE)
    assert [one.round for one in made if one.lapse is Lapse.BURNT] == found


def test_a_false_counter_among_three_teams_costs_what_the_accused_gain() -> None:
    table = Table("classic", players=6, deck="52", false_counter=3, false_counter_own=-2)
    table.do("C counter A", "B kems")
    found = moments((*table.opening, *table.log), CHLOE)
    assert [(one.lapse, one.cost) for one in found] == [(Lapse.FALSE_COUNTER, 5)]
