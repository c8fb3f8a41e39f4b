"""Where playouts start and how they end: deals, states, views with guesses, policies, copies."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from bot.game.build_view import player_view
from bot.game.cards import JOKER_GROUP, Card, is_kems, most_alike, parse_card
from bot.game.decks import DECKS, DeckKind
from bot.game.events import MatchPaused, Outcome
from bot.game.phase import Phase
from bot.game.rules.house_rules import RulesError, override
from bot.game.rules.presets import PRESETS
from bot.game.seeded import SeededRandom
from bot.game.state import State, SweepVote
from bot.robots.playouts import (
    WAIT,
    Hidden,
    Position,
    action_of,
    apply,
    at_random,
    bits,
    cards_of,
    from_state,
    from_view,
    guess_hidden,
    legal,
    mask_of,
    new_match,
    not_played,
    play_match,
    play_round,
)
from bot.robots.playouts.masks import KEMS_HANDS, has_three_alike, number_of, three_alike
from bot.robots.playouts.moves import KEMS, MOVES, NEXT, SIGN, TAKE
from tests.game.matches import moments_at_random
from tests.robots.scenes import NOW, cards, gesture, scene

CLASSIC = PRESETS["classic"]


def test_masks_know_kems_and_three_alike_as_cards_do() -> None:
    groups = [*range(4), JOKER_GROUP]
    deck = [Card(group, member) for group in groups for member in range(2 if group == JOKER_GROUP else 4)]
    for size in range(1, 6):
        for hand in combinations(deck, size):
            mask = mask_of(hand)
            assert (mask in KEMS_HANDS) == is_kems(hand)
            alike = most_alike(hand)
            assert has_three_alike(mask) == (len(alike) > 2)
            assert three_alike(mask) == (mask_of(alike) if len(alike) > 2 else 0)
    assert len(KEMS_HANDS) == 13 + 13 * 4 * 2 + 13 * 6


def test_a_mask_gives_its_cards_back() -> None:
    deck = DECKS[DeckKind.D54]
    assert cards_of(mask_of(deck)) == sorted(deck)


def test_a_given_deal_is_dealt() -> None:
    order = list(DECKS[DeckKind.D32])
    Random(4).shuffle(order)
    position = new_match(override(CLASSIC, {"excess": "keep"}), 4, SeededRandom(1), dealer=1, order=order)
    assert [cards_of(hand) for hand in position.hands] == [sorted(order[place:16:4]) for place in (2, 3, 0, 1)]
    assert cards_of(position.pool) == sorted(order[16:20])
    assert (position.dealer, position.round) == (1, 1)


def test_a_deal_needs_the_whole_deck_and_a_table_that_can_be_played() -> None:
    with pytest.raises(ValueError, match="each of the 32 cards"):
        new_match(CLASSIC, 4, SeededRandom(1), order=DECKS[DeckKind.D32][1:])
    with pytest.raises(RulesError):
        new_match(CLASSIC, 8, SeededRandom(1))


def test_the_same_seed_gives_the_same_match() -> None:
    first, second, other = (play_match(new_match(CLASSIC, 4, SeededRandom(seed))) for seed in (5, 5, 6))
    assert first == second != other
    assert first.winner is not None
    assert first.outcome is not None


@pytest.mark.parametrize("preset", PRESETS)
def test_matches_end_and_rounds_add_up(preset: str) -> None:
    position = new_match(override(PRESETS[preset], {"ends_at": "rounds", "rounds": "3"}), 4, SeededRandom(2))
    rounds = []
    while position.phase is not Phase.MATCH_OVER:
        rounds.append(play_round(position))
        if position.phase is Phase.OVER:
            apply(position, 0, NEXT)
    assert len(rounds) == 3
    assert all(played.outcome is not None and played.rounds == 1 for played in rounds)
    assert [sum(points) for points in zip(*(played.points for played in rounds), strict=True)] == position.scores
    assert play_match(position).moves == play_match(position).rounds == 0


def test_the_clock_deals_no_round_within_a_playout_of_one() -> None:
    rules = override(PRESETS["linternaute"], {"auto_next": "0.001"})
    state = scene(rules, "7S 7H 7D 7C/8S 8H 9S 9H/JS QS KS AS/JH QH KH AH", "TS TH 8D 9D")
    position = from_state(state, SeededRandom(1), NOW)
    apply(position, 2, KEMS)
    assert position.phase is Phase.CHAIN
    played = play_round(position, lambda *_: WAIT, pace=3_600_000)
    assert (played.outcome, played.rounds, position.round) == (Outcome.KEMS, 1, 1)
    assert position.now == NOW + 3000


def test_a_playout_stops_after_so_many_deals() -> None:
    rules = PRESETS["american"]
    played = play_match(new_match(override(rules, {"target": "99"}), 4, SeededRandom(1)), deals=4)
    assert (played.rounds, played.winner) == (5, None)


def test_a_playout_stops_after_so_many_chances() -> None:
    played = play_match(new_match(CLASSIC, 4, SeededRandom(1)), lambda *_: WAIT, most=500)
    assert (played.outcome, played.rounds, played.moves) == (None, 0, 0)


def test_the_random_policy_takes_every_move_alike() -> None:
    position = new_match(CLASSIC, 4, SeededRandom(1))
    moves = 1 << 3 | 1 << 70 | 1 << KEMS
    drawn = Counter(at_random(position, 0, moves) for _ in range(3000))
    assert set(drawn) == {3, 70, KEMS}
    assert min(drawn.values()) > 800


def test_dice_shuffle_fairly() -> None:
    dice = SeededRandom(1)
    firsts: Counter[tuple[int, ...]] = Counter()
    for _ in range(2400):
        order = [0, 1, 2, 3]
        dice.shuffle(order)
        firsts[tuple(order)] += 1
    assert len(firsts) == 24
    assert 50 < min(firsts.values()) <= max(firsts.values()) < 160


def test_a_policy_decides_who_wins() -> None:
    def calls_for_partner(position: Position, seat: int, moves: int) -> int:
        """The first team calls what its partner holds, and the other one never moves."""
        if seat % 2 == 0 and position.hands[seat ^ 2] in KEMS_HANDS and moves >> KEMS & 1:
            return KEMS
        return WAIT

    state = scene(CLASSIC, "7S 7H 7D 7C/8S 8H 9S 9H/JS QS KS AS/JH QH KH AH", "TS TH 8D 9D")
    played = play_round(from_state(state, SeededRandom(3), NOW), calls_for_partner)
    assert (played.outcome, played.points) == (Outcome.KEMS, (1, 0))


def test_a_copy_is_played_alone() -> None:
    position = new_match(CLASSIC, 4, SeededRandom(1))
    before = {name: getattr(position, name) for name in Position.__slots__}
    before = {name: value.copy() if isinstance(value, list) else value for name, value in before.items()}
    play_match(position.copy(SeededRandom(2)))
    assert {name: getattr(position, name) for name in Position.__slots__} == before
    assert play_match(position.copy(SeededRandom(3))) == play_match(position.copy(SeededRandom(3)))


def test_a_call_is_judged_by_the_points_of_its_position() -> None:
    state = scene(CLASSIC, "7S 7H 7D 9C/8S 8H 9S 9H/JS QS KS AS/JH QH KH AH", "TS TH 8D 9D")
    position = from_state(state, SeededRandom(1), NOW)
    apply(position, 2, KEMS)
    assert play_round(position).points == (0, 0)  # the round was over already
    assert position.points == [0, 1]


def test_a_paused_match_goes_on_where_it_stopped() -> None:
    state = scene(CLASSIC, "7S 7H 9D 7C/8S 8H 9S 9H/JS QS KS AS/JH QH KH AH", "TS TH 8D 9C", pause=MatchPaused(NOW))
    assert from_state(state, SeededRandom(1), NOW + 999_999).now == NOW


def test_nothing_starts_before_the_deal() -> None:
    for state, now, _ in moments_at_random(CLASSIC, 4, 1, moves=1):
        with pytest.raises(ValueError, match="have not settled their signs"):
            from_state(state, SeededRandom(1), now)
        break


@pytest.mark.parametrize("preset", PRESETS)
def test_a_right_guess_gives_the_position_of_the_state(preset: str) -> None:
    rules = PRESETS[preset]
    for state, now, _ in moments_at_random(rules, 4, 7, moves=150):
        if state.phase in (Phase.SIGNS, Phase.DEAL):
            continue
        view = player_view(state, 1, now)
        hands = tuple(frozenset(seat.cards) for seat in state.seats)
        position = from_view(view, Hidden(hands, state.stock, state.discard), SeededRandom(1), now)
        real = from_state(state, SeededRandom(1), now)
        unknown = {"rng", "before", "sweeps", "last_exchange", "owes_since", "signed_at", "first_sign_at", "points"}
        if not state.vote:
            unknown |= {"vote_ends_at"}
        if not state.duty:
            unknown |= {"duty_ends_at"}
        for name in set(Position.__slots__) - unknown:
            assert getattr(position, name) == getattr(real, name), name
        assert {action_of(1, move) for move in bits(legal(position, 1)) if move != SIGN} <= set(view.legal)


def not_in_play(state: State) -> tuple[Card, ...]:
    in_play = {*state.pool, *(card for seat in state.seats for card in seat.cards)}
    return tuple(card for card in DECKS[DeckKind.D32] if card not in in_play)


def just_dealt() -> State:
    moments = moments_at_random(CLASSIC, 4, 1, moves=40)
    return next(state for state, _, _ in moments if state.phase is Phase.READY)


def test_chance_guesses_within_what_is_known() -> None:
    state = scene(CLASSIC, "7S 7H _ 7C/8S 8H 9S 9H/JS QS KS AS/JH QH KH AH", "TS TH 8D 9D 9C")
    rest = [
        card for card in DECKS[DeckKind.D32] if card not in {*state.pool, *(c for s in state.seats for c in s.cards)}
    ]
    state = replace(state, stock=tuple(rest[:8]), discard=tuple(rest[8:]))
    view = player_view(state, 0, NOW)
    held, gone = {2: [parse_card("JS")]}, [parse_card("QD"), parse_card("KD")]
    guesses = [guess_hidden(view, SeededRandom(seed), held=held, gone=gone) for seed in range(20)]
    for guess in guesses:
        assert guess.hands[0] == set(cards("7S 7H 7C"))
        assert parse_card("JS") in guess.hands[2]
        assert set(gone) <= set(guess.discard)
        assert [len(hand) for hand in guess.hands] == [3, 4, 4, 4]
        assert play_round(from_view(view, guess, SeededRandom(1), NOW)).rounds == 1
    assert len({guess.hands[1] for guess in guesses}) > 10


@pytest.mark.parametrize(
    ("held", "gone", "said"),
    [
        ({1: "JS JH QS QH KS"}, "", "seat 1 cannot hold"),
        ({1: "7S"}, "", "each card of the deck once"),
        ({}, "TS", "each card of the deck once"),
    ],
)
def test_a_guess_that_cannot_be_is_refused(held: dict[int, str], gone: str, said: str) -> None:
    view = player_view(
        next(s for s, _, _ in moments_at_random(CLASSIC, 4, 1, moves=40) if s.phase is Phase.READY), 0, NOW
    )
    view = replace(view, hand=cards("7S 7H 7D 8S"), table=replace(view.table, pool=cards("TS TH 8D 9D")))
    with pytest.raises(ValueError, match=said):
        guess_hidden(view, SeededRandom(1), held={seat: cards(text) for seat, text in held.items()}, gone=cards(gone))


def test_a_guess_keeps_hand_and_sizes() -> None:
    view = player_view(
        next(s for s, _, _ in moments_at_random(CLASSIC, 4, 1, moves=40) if s.phase is Phase.READY), 0, NOW
    )
    guess = guess_hidden(view, SeededRandom(1))
    one, *others = guess.stock
    with pytest.raises(ValueError, match="its own hand"):
        from_view(view, replace(guess, hands=guess.hands[::-1]), SeededRandom(1), NOW)
    with pytest.raises(ValueError, match="their size"):
        from_view(view, replace(guess, stock=tuple(others), discard=(one,)), SeededRandom(1), NOW)
    with pytest.raises(ValueError, match="each card of the deck once"):
        from_view(view, replace(guess, stock=tuple(others)), SeededRandom(1), NOW)


def test_a_vote_outlasts_a_pause() -> None:
    state = scene(CLASSIC, "7S 7H 7D 9C/8S 8H 9S 9H/JS QS KS AS/JH QH KH AH", "TS TH 8D 9D", phase=Phase.SWEEP)
    state = replace(state, stock=not_in_play(state), vote=SweepVote(1, (1,), NOW + 500))
    paused = replace(state, pause=MatchPaused(NOW))
    hidden = Hidden(tuple(frozenset(seat.cards) for seat in state.seats), state.stock, ())
    votes = [from_view(player_view(at, 0, NOW), hidden, SeededRandom(1), NOW) for at in (state, paused)]
    assert [(vote.agreed, vote.vote_ends_at - NOW) for vote in votes] == [(0b10, 500), (0b10, 15_000)]


def test_a_sign_that_is_assumed_makes_a_call_true() -> None:
    rules = override(CLASSIC, {"sign_required": "yes", "excess": "keep"})
    state = scene(rules, "7S 7H 7D 7C/8S 8H 9S 9H/JS QS KS AS/JH QH KH AH", "TS TH 8D 9D")
    rest = [
        card for card in DECKS[DeckKind.D32] if card not in {*state.pool, *(c for s in state.seats for c in s.cards)}
    ]
    state = gesture(replace(state, stock=tuple(rest)), 0, "👀", at=NOW - 100)
    view = player_view(state, 2, NOW)
    hands = tuple(frozenset(seat.cards) for seat in state.seats)
    outcomes = []
    for signed in (frozenset[int](), frozenset({0})):
        position = from_view(view, Hidden(hands, state.stock, (), signed), SeededRandom(1), NOW)
        apply(position, 2, KEMS)
        outcomes.append(position.outcome)
    assert outcomes == [Outcome.FALSE_KEMS, Outcome.KEMS]


@pytest.mark.parametrize(("between", "outcome"), [("", Outcome.KEMS), ("7C 8D 8D 7C", Outcome.FALSE_KEMS)])
def test_a_sign_ends_with_an_exchange(between: str, outcome: Outcome) -> None:
    rules = override(CLASSIC, {"sign_required": "yes"})
    state = scene(rules, "7S 7H 7D 7C/8S 8H 9S 9H/JS QS KS AS/JH QH KH AH", "TS TH 8D 9D")
    position = from_state(state, SeededRandom(1), NOW)
    apply(position, 0, SIGN)
    for step, card in enumerate(cards(between)):
        apply(position, 0, number_of(card) + TAKE * (step % 2))
    apply(position, 2, KEMS)
    assert position.outcome is outcome


def test_every_move_but_the_sign_is_an_action() -> None:
    for move in (SIGN, MOVES, -1):
        with pytest.raises(ValueError, match="is no action"):
            action_of(0, move)


def test_what_is_not_played_is_said() -> None:
    assert {preset: list(not_played(rules)) for preset, rules in PRESETS.items()} == {
        "classic": ["shows"],
        "expert": [],
        "escale": ["shows"],
        "linternaute": ["shows"],
        "bell": [],
        "yokai": ["guess"],
        "american": [],
    }
