"""Decides what follows from an action: events with the state after them, or a refusal. It changes no state itself.

Time is data: a timer only submits a `Tick`, and `decide` looks at the deadlines of the state again.
"""

from collections.abc import Collection
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

from bot.game import actions as a
from bot.game import events as e
from bot.game.cards import Card
from bot.game.checks.check import is_good_show, refusal
from bot.game.checks.check_signs import is_repeat
from bot.game.checks.refusals import Refusal
from bot.game.effects.calls import call_double, call_kems, close_chain, counter, double_counter, judge_score
from bot.game.effects.dealing import carry_out_sweep, deal_round, judge_pool
from bot.game.effects.signing import accuse, guess, settle_by_chance, settle_if_agreed
from bot.game.evolve import Draft, milliseconds
from bot.game.rules.rules import Rules
from bot.game.signs import SignCard, Strategy
from bot.game.state import PendingShow, State

REDEAL: Final = 3.0
"""Seconds after which a round that ended with its deal is followed by the next one, whatever the pace."""


def next_deadline(state: State) -> int | None:
    """Return the instant (milliseconds) at which a `Tick` takes effect; None for never. It may lie in the past."""
    if state.pause is not None:
        return None
    deadline = phase_deadline(state)
    deadlines = [] if deadline is None else [deadline]
    if state.pending_shows:
        deadlines += [show.ends_at for show in possible_shows(state)]
    limit = state.rules.exchange.take_limit
    if limit > 0 and state.phase is e.HUNT:
        deadlines += [own.owes_since + milliseconds(limit) for own in state.seats if own.owes_since is not None]
    return min(deadlines, default=None)


def take_deadline(state: State, seat: int) -> int | None:
    """Return the instant at which a seat that owes cards is given random ones from the pool; None if never.

    It counts from the put-down that left the hand short, so that more swaps gain no time.
    """
    since = state.seats[seat].owes_since
    if since is None or state.phase is not e.HUNT or state.pause is not None:
        return None
    limit = state.rules.exchange.take_limit
    return since + milliseconds(limit) if limit > 0 else None


def phase_deadline(state: State) -> int | None:
    """Return the instant at which the clock ends the phase; None if it does not, as in a pause."""
    if state.pause is not None:
        return None
    rules = state.rules
    match state.phase:
        case e.Phase.HUNT:
            # An exchange under way is finished first; the overdue sweep follows at once.
            return None if state.duty is None or state.is_exchange_pending else state.duty.ends_at
        case e.Phase.READY:
            return _after(state, rules.pace.auto_open)
        case e.Phase.OVER if state.ended_at_deal:
            return _after(state, REDEAL)
        case e.Phase.OVER:
            return _after(state, rules.pace.auto_next)
        case e.Phase.SIGNS if deals_at_once(state):
            return state.phase_at
        case e.Phase.SIGNS:
            return _after(state, rules.signs.sign_deadline)
        case e.Phase.SWEEP:
            return None if state.vote is None else state.vote.ends_at
        case e.Phase.CHAIN:
            return state.phase_at + milliseconds(rules.calls.chain)
        case e.Phase.DEAL | e.Phase.MATCH_OVER:
            return None


def deals_at_once(state: State) -> bool:
    """Return whether the first signs are drawn by chance: a player without partners has nobody to agree with.

    A vote that left a choice of strategies is the exception.
    """
    return len(state.teams) == len(state.seats) and not state.strategies


def possible_shows(state: State) -> tuple[PendingShow, ...]:
    """Return the pending shows whose player has enough cards in hand; the others wait."""
    count = state.rules.penalty.show_count
    return tuple(show for show in state.pending_shows if len(state.seats[show.seat].cards) >= count)


def _after(state: State, seconds: float) -> int | None:
    return state.phase_at + milliseconds(seconds) if seconds > 0 else None


def start_match(
    rules: Rules,
    *,
    seats: int,
    teams: int,
    dealer: int,
    now: int,
    strategies: Collection[Strategy] = (),
    sign_cards: tuple[SignCard, ...] = (),
) -> tuple[e.Event, ...]:
    """Return the first event of a match; the teams then agree on their signs.

    `bot.game.rules.house_rules` checks beforehand whether the table can be played.

    Args:
        rules: The rules of the match.
        seats: How many players there are.
        teams: How many teams they form.
        dealer: The seat that deals first.
        now: The instant of the start (milliseconds).
        strategies: What the players' vote allowed.
        sign_cards: The cards that `draw_sign_cards` gave, by team.
    """
    return (e.MatchStarted(now, rules, seats, teams, dealer, tuple(sorted(strategies)), sign_cards),)


def draw_sign_cards(rules: Rules, teams: int, rng: Random) -> tuple[SignCard, ...]:
    """Return a random sign card for each team; none if the rules play without them (sheet 003, "Préparation")."""
    return tuple(rng.sample(list(SignCard), teams)) if rules.signs.sign_cards else ()


class Decision(NamedTuple):
    """What follows from an action: the events, and the state after them."""

    events: tuple[e.Event, ...]
    state: State


def decide(state: State, action: a.Action, now: int, rng: Random) -> Decision | Refusal:
    """Return what follows from an action at `now` (milliseconds).

    There are no events if no deadline of a `Tick` is due, if the seat made the same gesture a moment ago, or if time
    was called before.
    """
    code = refusal(state, action, now)
    if code is not None:
        return Refusal(code)
    draft = Draft(state, now)
    _act(draft, action, rng)
    return Decision(tuple(draft.events), draft.state)


def _act(draft: Draft, action: a.Action, rng: Random) -> None:
    now = draft.now
    match action:  # the frequent ones first: the cases are tried in turn
        case a.PutDown():
            _put_down(draft, action.seat, action.card)
            judge_pool(draft, rng, is_complete=False, laid_by=action.seat)
        case a.Take():
            draft.add(e.CardTaken(now, action.seat, action.card))
            _judge_if_complete(draft, rng)
        case a.Swap():
            _put_down(draft, action.seat, action.put)
            draft.add(e.CardTaken(now, action.seat, action.taken))
            _judge_if_complete(draft, rng)
        case a.NextRound():
            _deal_next(draft, rng)
        case a.OpenHunt():
            draft.add(e.HuntOpened(now))
        case a.CallKems():
            call_kems(draft, action)
        case a.CallDouble():
            call_double(draft, action)
        case a.CounterTeam() if action.is_double:
            double_counter(draft, action)
        case a.CounterPlayer() | a.CounterTeam():
            counter(draft, action)
        case a.ShowCards():
            viewer = next(item.viewer for item in draft.state.pending_shows if item.seat == action.seat)
            draft.add(e.CardsShown(now, action.seat, viewer, action.cards))
        case a.ProposeSign() | a.AcceptSign():
            team = draft.state.team_of(action.seat)
            pending = draft.state.teams[team].proposal
            is_known = pending is not None and pending.plan == action.plan  # two who have the same idea agree on it
            draft.add(e.SignAccepted(now, action.seat) if is_known else e.SignProposed(now, action.seat, action.plan))
            settle_if_agreed(draft, team)
            _deal_if_settled(draft, rng)
        case a.KeepSign():
            draft.add(e.SignKept(now, draft.state.team_of(action.seat)))
        case a.AskSweep():
            draft.add(e.SweepAsked(now, action.seat))
        case a.AnswerSweep(agrees=True):
            draft.add(e.SweepAgreed(now, action.seat))
            _sweep_if_agreed(draft, rng)
        case a.AnswerSweep():
            draft.add(e.SweepRefused(now, action.seat))
        case a.MakeGesture():
            if not is_repeat(draft.state, action, now):
                draft.add(e.GestureMade(now, action.seat, action.kind, action.text))
        case a.GuessSign():
            guess(draft, action)
        case a.AccuseTeam():
            accuse(draft, action)
        case a.CallTime():
            if not draft.state.is_time_called:
                draft.add(e.TimeCalled(now))
                judge_score(draft)
        case a.Tick():  # pragma: no branch  # mypy proves the match complete
            _tick(draft, rng)


def _put_down(draft: Draft, seat: int, card: Card) -> None:
    if draft.state.phase is e.Phase.SWEEP:  # it stops the dealer's count
        draft.add(e.SweepRefused(draft.now, seat))
    draft.add(e.CardPutDown(draft.now, seat, card))


def _judge_if_complete(draft: Draft, rng: Random) -> None:
    if not draft.state.is_exchange_pending:
        judge_pool(draft, rng, is_complete=True)


def _deal_if_settled(draft: Draft, rng: Random) -> None:
    if draft.state.phase is e.Phase.SIGNS and all(team.plan is not None for team in draft.state.teams):
        deal_round(draft, draft.state.dealer, rng)


def _sweep_if_agreed(draft: Draft, rng: Random) -> None:
    vote = draft.state.vote
    if vote is not None and len(vote.agreed) == len(draft.state.seats):
        carry_out_sweep(draft, vote.asker, rng)


def _deal_next(draft: Draft, rng: Random) -> None:
    """Deal the next round by the next player. A team that has not replaced a found sign gets one by chance."""
    settle_by_chance(draft, rng)
    deal_round(draft, (draft.state.dealer + 1) % len(draft.state.seats), rng)


def _tick(draft: Draft, rng: Random) -> None:
    """Let the one deadline that is due take effect."""
    state = draft.state
    due = next_deadline(state)
    if due is None or due > draft.now:
        return
    overdue_show = next((item for item in possible_shows(state) if item.ends_at == due), None)
    if overdue_show is not None:
        cards = _cards_by_chance(state, overdue_show.seat, rng)
        draft.add(e.CardsShown(draft.now, overdue_show.seat, overdue_show.viewer, cards))
        return
    owing = next((seat for seat in range(len(state.seats)) if take_deadline(state, seat) == due), None)
    if owing is not None:
        for _ in range(state.seats[owing].owes):
            draft.add(e.CardTaken(draft.now, owing, rng.choice(draft.state.pool_cards), by_chance=True))
        _judge_if_complete(draft, rng)
        return
    match state.phase:
        case e.Phase.SIGNS:
            settle_by_chance(draft, rng)
            _deal_if_settled(draft, rng)
        case e.Phase.READY:
            draft.add(e.HuntOpened(draft.now))
        case e.Phase.SWEEP if state.vote is not None:
            for seat in range(len(state.seats)):
                if seat not in state.vote.agreed:
                    draft.add(e.SweepAgreed(draft.now, seat, silent=True))
            _sweep_if_agreed(draft, rng)
        case e.Phase.HUNT:
            carry_out_sweep(draft, None, rng)
        case e.Phase.CHAIN if state.chain is not None:
            close_chain(draft, state.chain)
        case e.Phase.OVER:  # pragma: no branch  # the other phases have no deadline
            _deal_next(draft, rng)


def _cards_by_chance(state: State, seat: int, rng: Random) -> tuple[Card, ...]:
    hand = state.seats[seat].cards
    count = state.rules.penalty.show_count
    return rng.choice([cards for cards in combinations(hand, count) if is_good_show(state, hand, cards)])
