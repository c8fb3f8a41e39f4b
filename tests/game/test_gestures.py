"""Equal gestures count once in a second, the log of a round has a bound, and no sign is lost or betrayed by either."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.game import actions as a
from bot.game.build_view import table_view
from bot.game.checks.check_signs import AGAIN_MS, MOST_ALIKE, MOST_DIFFERENT
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide
from bot.game.events import MatchPaused, MatchResumed
from bot.game.evolve import evolve
from bot.game.signs import emoji_sign
from bot.game.views import TableView
from tests.examples import examples
from tests.rules.table import Table, swap

THREE_KINGS, FOURTH = "KS KH KD 7C", "KC 8S 9H TD"
DECOYS = [chr(0x1F600 + number) for number in range(60)]


def scene(**changes: object) -> Table:
    """A holds three kings and the fourth lies open; the sign of A and C is 👀."""
    return Table(hands={"A": THREE_KINGS}, pool=FOURTH, **changes)


def flood(table: Table, texts: Iterable[str], *, every: float = 1) -> list[bool]:
    """Which of these gestures of A were taken, made at an even pace."""
    taken = []
    for text in texts:
        table.wait(every)
        answer = decide(table.state, table.read(f"A react {text}"), table.now, table.rng)
        taken.append(not isinstance(answer, Refusal))
        if not isinstance(answer, Refusal):
            table.state = answer.state
    return taken


def made(table: Table) -> list[str]:
    return [gesture.text for gesture in table.state.gestures]


# ---------------------------------------------------------------- equal ones within a second


@pytest.mark.parametrize("again", ["A react 👍", "A react 👍🏿", "A post 👍"])
def test_equal_gestures_within_a_second_count_once(again: str) -> None:
    table = scene()
    table.do("A react 👍")
    table.now += AGAIN_MS - 1
    table.do(again)
    assert made(table) == ["👍"]
    table.now += 1
    table.do(again)
    assert len(made(table)) == 2


def test_a_pause_does_not_count_into_the_second_between_equal_gestures() -> None:
    table = scene()
    table.do("A react 👍")
    for event in (MatchPaused(table.now + 1), MatchResumed(table.now + 60_000)):
        table.state, table.now = evolve(table.state, event), event.at
    table.do("A react 👍")
    assert made(table) == ["👍"]
    table.now += AGAIN_MS
    table.do("A react 👍")
    assert len(made(table)) == 2


def test_spoken_gestures_are_compared_as_words() -> None:
    table = scene(strategies="spoken")
    table.do('A say "Well, well"', 'A say "well,  WELL"', 'A say "well, no"')
    assert made(table) == ["Well, well", "well, no"]


def test_other_gestures_and_other_players_are_not_limited_by_a_repeated_one() -> None:
    table = scene()
    table.do("A react 👍", "A react 👎", "B react 👍", "C react 👍")
    assert len(made(table)) == 4


def test_a_stream_of_equal_gestures_counts_once_a_second() -> None:
    table = scene()
    flood(table, ["👍"] * 50, every=0.1)
    assert len(made(table)) == 5


def test_a_bluff_just_before_a_kems_does_not_hide_the_sign() -> None:
    table = scene(sign_required=True)
    table.do("A react 👀", *swap("A", "7C", "KC"), "A react 👀")
    assert len(made(table)) == 2
    table.do("C kems")
    assert table.outcome == "kems"


def test_a_hand_counts_as_new_after_its_cards_were_put_down_and_taken_again() -> None:
    table = scene(sign_required=True)
    table.do(*swap("A", "7C", "KC"), "A react 👀", *swap("A", "KC", "8S"), *swap("A", "8S", "KC"))
    assert table.state.seats[0].signed_at is None
    table.do("A react 👀", "C kems")
    assert table.outcome == "kems"


def test_a_pre_sign_counts_at_three_alike_in_the_middle_of_an_exchange() -> None:
    table = Table(hands={"A": "KS KH 7C 8D"}, pool="KD KC 9H TD", strategies="presign", plans={"#1": "presign 👀"})
    table.do("A react 👀", "A put 7C", "A put 8D", "A take KD", "A react 👀")
    assert table.state.seats[0].signed_at == 0


def test_a_gesture_may_be_repeated_when_it_has_just_become_the_sign() -> None:
    table = Table(hands={"A": "KS KH KD KC"}, guess="report", sign_required=True)
    table.do("B guess #1 👀", "A react 🎲", "A sign 🎲", "C accept 🎲", "A react 🎲", "C kems")
    assert table.outcome == "kems"


# ---------------------------------------------------------------- the bound of a round


def test_the_log_of_two_thousand_reactions_of_one_person_is_bounded() -> None:
    table = scene()
    taken = flood(table, ["👍", "👎"] * 1000)
    assert taken == [True] * MOST_ALIKE + [False] * (2000 - MOST_ALIKE)
    table.refuses("already_answered", "A react 👍", "A post 👎")
    table.do("B react 👍", "C react 👎")


def test_different_gestures_are_accepted_after_a_flood_up_to_a_bound() -> None:
    table = scene()
    flood(table, ["👍"] * MOST_ALIKE)
    assert sum(flood(table, DECOYS * 10)) == MOST_DIFFERENT - 1, "👍 was the first of them"
    table.do("A put 7C", "A take 7C")
    assert sum(flood(table, DECOYS * 10)) == MOST_DIFFERENT


@pytest.mark.parametrize("sign", ["👀", "presign 👀", "👀 🎲 🍀"])
def test_the_sign_of_a_new_kems_is_taken_after_any_flood(sign: str) -> None:
    table = scene(sign_required=True, strategies="presign intermediate", plans={"#1": sign})
    flood(table, ["👀", *DECOYS] * 20)
    table.do(*swap("A", "7C", "KC"))
    table.do("A react 👀")
    latest = table.state.gestures[-1]
    assert (latest.at, latest.sign) == (table.now, emoji_sign("👀"))
    table.do("C kems")
    assert table.outcome == "kems"


def test_the_count_of_gestures_starts_again_in_the_next_round() -> None:
    table = scene()
    flood(table, ["👍"] * (MOST_ALIKE + 10))
    table.do(*swap("A", "7C", "KC"), "C kems", a.NextRound())
    assert flood(table, ["👍"] * 3) == [True] * 3


# ---------------------------------------------------------------- nothing betrays the sign

TEXTS = ("👀", "🍀", "🎲", "👍")
_steps: st.SearchStrategy[list[tuple[float, Callable[[], tuple[str, ...]]]]] = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.4, 1.0]),
        st.one_of(
            st.builds(lambda text: lambda: (f"A react {text}",) * 30, st.sampled_from(TEXTS)),
            st.builds(lambda text: lambda: (f"A post {text}",), st.sampled_from(TEXTS)),
            st.just(lambda: tuple(f"A react {text}" for text in DECOYS)),
            st.just(lambda: swap("A", "7C", "KC")),
            st.just(lambda: swap("A", "KC", "7C")),
        ),
    ),
    max_size=30,
)


@settings(max_examples=examples(40))
@given(_steps, st.integers(0, 3))
def test_two_matches_that_differ_only_in_the_sign_look_the_same(
    steps: list[tuple[float, Callable[[], tuple[str, ...]]]], other: int
) -> None:
    assert seen("👀", steps) == seen(("🍀", "🎲", "👍", "total")[other], steps)


def seen(sign: str, steps: list[tuple[float, Callable[[], tuple[str, ...]]]]) -> list[TableView | str]:
    """All that the others see of what A does, and what A is answered."""
    table = scene(strategies="total", plans={"#1": sign})
    flood(table, ["👍"] * MOST_ALIKE)
    views: list[TableView | str] = []
    for pause, actions in steps:
        table.now += round(pause * 1000)
        for action in actions():
            answer = decide(table.state, table.read(action), table.now, table.rng)
            if isinstance(answer, Refusal):
                views.append(answer.code)
            else:
                table.state = answer.state
        views.append(table_view(table.state))
    return views
