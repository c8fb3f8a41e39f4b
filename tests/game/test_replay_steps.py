"""Replays: every golden match, which ends as the match did, loses no card and keeps nothing hidden open."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.game import events as e
from bot.game.cards import DECKS, Card
from bot.game.events import Phase
from bot.game.notation.replay import replay_match
from bot.game.replay_steps import RoundReplay, public_round, replay_round
from bot.game.rules.house_rules import override
from bot.game.signs import Sign, emoji_sign

GOLDEN = Path(__file__).parents[1] / "golden"
PUBLIC = {
    *(e.HuntOpened, e.CardPutDown, e.CardTaken, e.GestureMade, e.SweepAsked, e.SweepAgreed, e.SweepRefused),
    *(e.PoolSwept, e.ChainOpened, e.ChainBroken, e.CounterHadNoEffect, e.CounterFailed, e.RoundEnded),
}
SILENT = (e.MatchStarted, e.SignProposed, e.SignAccepted, e.SignSettled, e.SignKept, e.PoolTurnedUp, e.StockRebuilt)


def log_of(name: str) -> list[e.Event]:
    return list(replay_match((GOLDEN / f"{name}.kgn").read_text())[1])


def seen(replay: RoundReplay) -> list[e.Event]:
    return [frame.event for frame in replay.steps]


def open_cards(replay: RoundReplay, step: int) -> list[Card]:
    frame = replay.steps[step]
    return [card for slots in (*frame.hands, frame.table.pool) for card in slots if card is not None]


def test_every_round_of_a_golden_match_can_be_replayed() -> None:
    logs = {path.stem: log_of(path.stem) for path in sorted(GOLDEN.glob("*.kgn"))}
    finished = [name for name, log in logs.items() if isinstance(log[-1], e.MatchEnded)]
    assert len(finished) > 10
    for name in finished:
        _check_films(name)


def _check_films(name: str) -> None:
    log = log_of(name)
    state = replay_match((GOLDEN / f"{name}.kgn").read_text())[0].state
    rounds = sum(isinstance(event, e.CardsDealt) for event in log)
    for number in range(1, rounds + 1):
        replay = replay_round(log, number)
        assert (replay.number, replay.rounds) == (number, rounds), name
        assert isinstance(replay.steps[0].event, e.CardsDealt)
        assert all(frame.table.round == number for frame in replay.steps)
        assert [frame.at for frame in replay.steps] == sorted(frame.at for frame in replay.steps)
        assert not any(isinstance(event, SILENT) for event in seen(replay))
        assert all(g.is_sign is not None for frame in replay.steps for g in frame.table.gestures)
        assert replay.steps[-1].table.phase in (Phase.OVER, Phase.MATCH_OVER)
        for step in range(len(replay.steps)):
            cards = open_cards(replay, step)
            assert len(cards) == len(set(cards))
            hidden = replay.steps[step].table.stock + replay.steps[step].table.discard
            assert len(cards) + hidden == len(DECKS[replay.steps[step].table.rules.deal.deck])
    last = replay_round(log, rounds).steps[-1].table
    assert (last.phase, last.scores, last.winner) == (Phase.MATCH_OVER, state.scores, state.winner)


def test_an_event_that_is_no_step_is_seen_in_the_step_before() -> None:
    replay = replay_round(log_of("classic-match"), 1)
    assert replay.steps[0].table.phase is Phase.READY, "the pool lies open after the deal"
    assert len([card for card in replay.steps[0].table.pool if card]) == 4
    swept = [frame for frame in replay.steps if isinstance(frame.event, e.PoolSwept)]
    opened = [frame for frame in replay.steps if isinstance(frame.event, e.HuntOpened)]
    assert len(opened) == 1, "after a sweep the hunt goes on by itself"
    for frame in swept:
        assert frame.table.phase is Phase.HUNT
        assert frame.table.pool.count(None) < len(frame.table.pool)


def test_a_round_number_out_of_range_shows_the_first_or_the_last_round() -> None:
    log = log_of("classic-match")
    last = replay_round(log, 9999)
    assert last.number == last.rounds > 1
    assert replay_round(log, 0) == replay_round(log, 1)


def test_later_events_do_not_change_the_last_frame_of_a_round() -> None:
    log = log_of("classic-match")
    end = next(index for index, event in enumerate(log) if isinstance(event, e.RoundEnded))
    late = e.GestureMade(log[end].at, 0, e.GestureKind.REACT, "👋")
    assert replay_round([*log[: end + 1], late, *log[end + 1 :]], 1) == replay_round(log, 1)


def test_gestures_of_a_voted_strategy_are_explained_in_a_replay() -> None:
    log = log_of("signs-spoken")
    gestures = replay_round(log, 1).steps[-1].table.gestures
    assert [item.is_sign for item in gestures] == [False, True]


def test_a_match_that_is_not_over_has_no_film() -> None:
    log = log_of("classic-match")
    for part in ([], log[:1], log[:-1]):
        with pytest.raises(ValueError, match="played to its end"):
            replay_round(part, 1)


def other(signs: tuple[Sign, ...]) -> tuple[Sign, ...]:
    return tuple(emoji_sign(f"🛸{sign.text}{sign.words}") for sign in signs)


def twin(event: e.Event) -> e.Event:
    """The same event with what onlookers do not see of it: other signs, other cards that were shown in private."""
    match event:
        case e.SignSettled(plan=plan):
            return replace(event, plan=replace(plan, signs=other(plan.signs)))
        case e.SignGuessed(signs=signs):
            return replace(event, signs=other(signs))
        case e.CardsShown(cards=cards):
            return replace(event, cards=cards[::-1])
    return event


def test_onlookers_see_no_hands_no_private_shows_and_no_signs() -> None:
    for path in sorted(GOLDEN.glob("*.kgn")):
        _check_public_films(path.stem)


def _check_public_films(name: str) -> None:
    log = log_of(name)
    ends = [at for at, event in enumerate(log, 1) if isinstance(event, e.RoundEnded)]
    for number, end in enumerate(ends, 1):
        film = public_round(log[:end], number)
        assert film is not None
        assert public_round(log[: end - 1], number) is None, "the round goes on"
        assert film == public_round([*map(twin, log[:end])], number)
        assert set(map(type, seen(film))) <= PUBLIC
        assert not any(hand for frame in film.steps for hand in frame.hands)
        assert not any(frame.table.reports for frame in film.steps)
        assert all(made.is_sign is None for frame in film.steps for made in frame.table.gestures)


def test_onlookers_do_not_see_takers_when_the_rules_hide_them() -> None:
    log = log_of("classic-kems")
    hidden = [replace(log[0], rules=override(log[0].rules, {"takes_seen": "no"})), *log[1:]]
    end = next(at for at, event in enumerate(log, 1) if isinstance(event, e.RoundEnded))
    kinds = [set(map(type, seen(film))) for made in (log, hidden) if (film := public_round(made[:end], 1)) is not None]
    assert kinds[0] - kinds[1] == {e.CardPutDown, e.CardTaken}
