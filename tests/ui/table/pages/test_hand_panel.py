"""The private panel: what may be pressed, decoys beside the sign, and the fullest one."""

from dataclasses import replace

import pytest

from bot.discord.pictures.card_faces import Faces, picture_name
from bot.discord.text.text_width import width
from bot.discord.text.texts import Texts
from bot.game import actions as a
from bot.game.build_view import player_view
from bot.game.rules.presets import PRESETS
from bot.game.signs import GestureKind, Sign, SignCard, emoji_sign, family, spoken_sign
from bot.game.state import ShownCards
from bot.records.pictures import Theme
from bot.records.player import Player
from bot.robots.reasons import Motive, MoveReason
from bot.ui.rules.panels import help_panel
from bot.ui.table.pages.hand_panel import palette, with_shown_bluff
from bot.ui.table.verbs import TableVerb, card_of
from bot.ui.words.panel_text import SMALL_LINE
from bot.ui.words.rules_text import explain
from bot.ui.words.table_text import countdown
from tests.rules.table import Table, cards
from tests.together import together
from tests.ui.table.pages.shown import board, counters, hand, seen, signs
from tests.ui.walk import BOTH, EVERY, FR, buttons, faces_in, faces_of, people, wander, words

DEADLINE = 1_796_500_800_000


def test_the_own_sign_is_one_of_four_buttons_in_a_stable_order() -> None:
    own = emoji_sign("🍀")
    orders = set()
    for seed in range(40):
        shown = palette((own,), None, seed, size=4)
        assert shown == palette((own,), None, seed, size=4)
        assert len(set(shown)) == 4
        orders.add(shown.index(own))
    assert orders == {0, 1, 2, 3}
    assert len({frozenset(palette((own,), None, seed, size=4)) for seed in range(40)}) > 10


def test_the_bluff_that_a_coach_names_is_among_the_buttons() -> None:
    view, why = seen(Table()), MoveReason(Motive.BLUFFS)
    for seed in range(40):
        away = next(text for text in family(None) if emoji_sign(text) not in palette(view.signs, None, seed, size=4))
        advice = with_shown_bluff((a.MakeGesture(0, GestureKind.REACT, away), why), view, seed)
        assert advice is not None
        assert isinstance(advice[0], a.MakeGesture)
        offered = [item.press.arg for item in buttons(hand(view, order_seed=seed)) if item.press.verb == "gesture"]
        assert advice[0].text in set(offered) - {view.signs[0].text}
    waits = (None, MoveReason(Motive.WAITS))
    assert with_shown_bluff(waits, view, 1) is waits


def test_no_sign_that_chance_draws_looks_like_another_button_of_the_hand() -> None:
    shown = (item for is_open in (True, False) for item in buttons(hand(seen(Table(opened=is_open)), FR)))
    controls = {item.label.split()[0] for item in shown if item.press.verb != "gesture"}
    assert {"✋", "📣", "🤫"} <= controls
    for card in (None, *SignCard):
        assert controls.isdisjoint(family(card))


def test_a_sign_no_button_can_carry_is_left_out() -> None:
    long, spoken = Sign("🍀" * 70), spoken_sign("belle marquise")
    assert len(palette((long, spoken), None, 3, size=4)) == 4
    assert not {long, spoken} & set(palette((long, spoken), None, 3, size=4))


def test_a_card_that_chance_took_is_shown_even_after_a_penalty() -> None:
    table = Table(hands={"A": "7S 8S 9S TS"}, take_limit=4)
    table.do("A put 7S")
    table.wait(3)
    table.do("C counter B")
    assert "False counter" in words(hand(seen(table), Texts("en"), now=table.now))
    table.wait(1)
    assert "Too slow" in words(hand(seen(table), Texts("en"), now=table.now))


@pytest.mark.parametrize(("count", "size"), [(1, 4), (3, 4), (3, 8), (6, 8)])
def test_the_own_signs_stand_among_decoys_of_the_same_kind(count: int, size: int) -> None:
    own = tuple(map(emoji_sign, ("👄", "👅", "🦷", "😛", "😮", "🤐")))[:count]
    for seed in range(20):
        shown = palette(own, SignCard.MOUTH, seed, size=size)
        assert len(set(shown)) == len(shown) == size
        assert set(own) < set(shown)
        assert {sign.text for sign in shown} <= set(family(SignCard.MOUTH)), "decoys are of the same kind"


def test_six_signs_leave_less_room_for_the_middle() -> None:
    table = Table(players=12, deck="52", strategies="intermediate", plans={"#1": "👄 👅 🦷 😛 😮 🤐"})
    own = seen(table)
    view = hand(replace(own, table=replace(own.table, pool=tuple(table.all_cards())[:20])))
    verbs = [item.press.verb for item in buttons(view)]
    assert (verbs.count(TableVerb.GESTURE), verbs.count(TableVerb.TAKE)) == (8, 8)


def test_exactly_the_cards_that_the_core_accepts_are_enabled() -> None:
    table = Table(opened=False, three_alike="allowed")
    for step, state in enumerate(wander(table, seed=4, steps=120)):
        number = step % len(state.seats)
        view = player_view(state, number, table.now)
        on = {item.press for item in buttons(hand(view)) if item.is_enabled}
        puts = {(press.verb, card_of(press.arg)) for press in on if press.verb in (TableVerb.PUT, TableVerb.TAKE)}
        legal = {(TableVerb.PUT, act.card) for act in view.legal if isinstance(act, a.PutDown)}
        takes = {(TableVerb.TAKE, act.card) for act in view.legal if isinstance(act, a.Take)}
        if view.may_swap:  # a card of the middle may be chosen first
            takes |= {(TableVerb.TAKE, card) for card in state.pool_cards}
        assert puts <= legal | takes
        assert puts == legal | takes or len(state.pool_cards) > 8
        within_reach = sum(verb == TableVerb.TAKE for verb, _ in puts)
        assert within_reach >= min(8, len(takes)), "none may be out of reach for ever"


def test_a_pool_wider_than_the_panel_names_cards_beyond_it() -> None:
    table = Table(players=12, deck="52", hands={"A": "7S 7H 9D TC"})
    lying = tuple(card for card in table.all_cards() if card not in cards("7S 7H 9D TC"))
    own = seen(table)
    view = hand(replace(own, table=replace(own.table, pool=lying[:14])))
    taken = [card_of(item.press.arg) for item in buttons(view) if item.press.verb == TableVerb.TAKE]
    assert taken == list(lying[:12])
    assert faces_in(view) == faces_of([*lying[:14], *cards("7S 7H 9D TC")], FR)


@together("theme", Theme)
@BOTH
@together("name", PRESETS)
def test_one_message_holds_six_signs_a_full_middle_and_cards_to_show(name: str, texts: Texts, theme: Theme) -> None:
    phrases = " ".join(f"<:sign{number}:{10**18 + number}>🧑‍🚀🧑‍🚒🏴‍☠️" for number in range(6))
    table = Table(
        players=12, deck="52", counter_names="player", strategies="intermediate presign",
        plans={"#1": f"presign {phrases}"},
    )  # fmt: skip
    table.do("B counter A")
    own, lying = seen(table), tuple(card for card in table.all_cards() if card not in table.state.seats[0].cards)
    view = replace(
        own,
        table=replace(own.table, rules=PRESETS[name], pool=(None, *lying)),
        owes=0,
        shown=tuple(ShownCards(1 + number % 11, lying[number : number + 2]) for number in range(30)),
    )
    pictures = {picture_name(card, theme, texts.locale): 10**18 for card in table.all_cards()}
    crowd = tuple(Player("*_~`|<@1>" * 9, 1000 + number) for number in range(12))
    faces = Faces(texts, theme, pictures)
    fullest = hand(view, faces, "x" * 200, seated=crowd)
    assert {item.press.verb for item in buttons(fullest)} >= {"put", "take", "gesture", "kems", "showing", "sign_panel"}
    later = hand(view, faces, seated=crowd, now=table.now + 60_000)
    assert Faces(texts, theme).label(view.shown[-1].cards[1]) in words(later), "the latest that was shown"
    assert counters(view, faces, crowd)
    assert signs(view, faces, seated=crowd)


def opening(reader: int, texts: Texts, dealer: str) -> str:
    """The panel of a seat before the hunt, which a person of that name in the last seat has to open in time."""
    own = seen(Table(opened=False), reader)
    seated = (*people(robots=0)[:3], Player(dealer, 1003))
    return words(hand(replace(own, table=replace(own.table, ends_at=DEADLINE)), texts, seated=seated))


@EVERY
@pytest.mark.parametrize("name", ["Léa", "Clémence", "Alexandrine"])
def test_the_deadline_of_the_opening_is_never_truncated(texts: Texts, name: str) -> None:
    assert countdown(DEADLINE) in opening(0, texts, name)


@EVERY
@pytest.mark.parametrize("name", ["Alexandrine", "Maximilian der Große", "Wolfgang M. 2"])
def test_a_long_name_is_truncated_before_the_words_behind_it(texts: Texts, name: str) -> None:
    table = Table(quiet=0)
    table.do("D sweep")
    seated = (*people(robots=0)[:3], Player(name, 1003))
    lines = (words(hand(seen(table), texts, seated=seated)), opening(0, texts, name))
    for line, said in zip(lines, ("{name} asks", "{when} at most · {name} opens"), strict=True):
        shown = line.splitlines()[3]
        assert shown.endswith(texts.t(said).split("{name}")[1]), shown
        assert width(shown) <= SMALL_LINE


@EVERY
def test_the_deadline_is_never_truncated_for_the_dealer(texts: Texts) -> None:
    assert countdown(DEADLINE) in opening(3, texts, "Alexandrine")


@pytest.mark.parametrize("preset", ["american", "expert", "classic"])
def test_each_button_of_a_counter_bears_other_words_when_three_teams_play(preset: str) -> None:
    shown = buttons(hand(seen(Table(preset, players=6)), FR))
    labels = [item.label for item in shown if item.press.verb.startswith("counter")]
    assert labels
    assert len(labels) == len(set(labels))


def test_a_player_reads_that_they_countered_when_their_counter_was_right() -> None:
    table = Table(hands={"B": "7S 7H 7D 7C"})
    table.do("A counter B")
    assert "Vous annoncez" not in words(hand(seen(table), FR))


def test_a_player_reads_that_they_were_countered_when_the_others_score_for_their_four() -> None:
    table = Table(hands={"B": "7S 7H 7D 7C"})
    table.do("A counter B")
    assert "ontr" in words(hand(seen(table, 1), FR)).split("\n")[0]


@pytest.mark.parametrize("preset", PRESETS)
def test_no_button_or_sentence_mentions_counters_when_none_is_played(preset: str) -> None:
    table = Table(preset, counters="no")
    shown = [hand(seen(table)), counters(seen(table)), board(table), help_panel(table.rules, FR)]
    pressed = {item.press.verb for part in shown for item in buttons(part) if item.press is not None}
    assert not pressed & {TableVerb.COUNTER, TableVerb.COUNTER_AT, TableVerb.COUNTER_TEAM, TableVerb.COUNTER_TWO}
    lines = [*(line for part in shown for line in words(part).splitlines()), *explain(table.rules, FR)]
    assert not [line for line in lines if "contre" in line.casefold() and "règles maison" not in line]
    assert "contre" in "\n".join(explain(PRESETS[preset], FR)).casefold()
