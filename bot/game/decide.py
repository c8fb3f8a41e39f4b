"""Action + state -> events, or a refusal. The only place where a match is judged; it changes nothing itself."""

from itertools import combinations
from random import Random

from bot.game import actions as a
from bot.game.calls import call_double, call_kems, close_chain, counter, double_counter
from bot.game.cards import Card
from bot.game.check import is_good_show, refusal
from bot.game.deadlines import next_deadline, possible_shows
from bot.game.dealing import carry_out_sweep, deal_round, judge_pool
from bot.game.draft import Draft
from bot.game.events import (
    CardPutDown,
    CardsShown,
    CardTaken,
    Event,
    GestureMade,
    HuntOpened,
    MatchStarted,
    SignAccepted,
    SignGuessed,
    SignKept,
    SignProposed,
    SignSettled,
    SweepAgreed,
    SweepAsked,
    SweepRefused,
)
from bot.game.phase import Phase
from bot.game.refusals import Refusal
from bot.game.rules import Guess, Rules
from bot.game.scoring import judge_score, no_points, points_to
from bot.game.signs import HOUSE_SIGNS, emoji_sign
from bot.game.state import State


def start_match(rules: Rules, *, seats: int, teams: int, dealer: int, now: int) -> tuple[Event, ...]:
    """The first event of a match; the teams then settle their signs. `bot.game.house` says which tables may start."""
    return (MatchStarted(now, rules, seats, teams, dealer),)


def decide(state: State, action: a.Action, now: int, rng: Random) -> tuple[Event, ...] | Refusal:
    """What follows from an action at `now` (milliseconds); a `Tick` with nothing due gives no events."""
    code = refusal(state, action, now)
    if code is not None:
        return Refusal(code)
    draft = Draft(state, now)
    _act(draft, action, rng)
    return draft.events


def _act(draft: Draft, action: a.Action, rng: Random) -> None:
    now = draft.now
    match action:
        case a.ProposeSign(seat=seat, sign=sign):
            draft.add(SignProposed(now, seat, sign))
            _settle_if_agreed(draft, draft.state.team_of(seat), rng)
        case a.AcceptSign(seat=seat):
            draft.add(SignAccepted(now, seat))
            _settle_if_agreed(draft, draft.state.team_of(seat), rng)
        case a.KeepSign(seat=seat):
            draft.add(SignKept(now, draft.state.team_of(seat)))
        case a.OpenHunt():
            draft.add(HuntOpened(now))
        case a.PutDown(seat=seat, card=card):
            draft.add(CardPutDown(now, seat, card))
            judge_pool(draft, rng, is_complete=False)
        case a.Take(seat=seat, card=card):
            draft.add(CardTaken(now, seat, card))
            if not draft.state.is_exchange_pending:
                judge_pool(draft, rng, is_complete=True)
        case a.AskSweep(seat=seat):
            draft.add(SweepAsked(now, seat))
        case a.AnswerSweep(seat=seat, agrees=True):
            draft.add(SweepAgreed(now, seat))
            _sweep_if_agreed(draft, rng)
        case a.AnswerSweep(seat=seat):
            draft.add(SweepRefused(now, seat))
        case a.MakeGesture(seat=seat, kind=kind, text=text):
            draft.add(GestureMade(now, seat, kind, text))
        case a.CallKems():
            call_kems(draft, action)
        case a.CallDouble():
            call_double(draft, action)
        case a.CounterTeam(is_double=True):
            double_counter(draft, action)
        case a.CounterPlayer() | a.CounterTeam():
            counter(draft, action)
        case a.ShowCards(seat=seat, cards=cards):
            viewer = next(item.viewer for item in draft.state.pending_shows if item.seat == seat)
            draft.add(CardsShown(now, seat, viewer, cards))
        case a.GuessSign():
            _guess(draft, action)
        case a.NextRound():
            deal_round(draft, (draft.state.dealer + 1) % len(draft.state.seats), rng)
        case a.Tick():  # pragma: no branch  # mypy proves the match complete
            _tick(draft, rng)


def _settle_if_agreed(draft: Draft, team: int, rng: Random) -> None:
    proposal = draft.state.teams[team].proposal
    if proposal is not None and set(proposal.accepted) >= set(draft.state.members(team)):
        draft.add(SignSettled(draft.now, team, (proposal.sign,)))
        _deal_if_settled(draft, rng)


def _deal_if_settled(draft: Draft, rng: Random) -> None:
    if draft.state.phase is Phase.SIGNS and all(team.signs for team in draft.state.teams):
        deal_round(draft, draft.state.dealer, rng)


def _sweep_if_agreed(draft: Draft, rng: Random) -> None:
    vote = draft.state.vote
    if vote is not None and len(vote.agreed) == len(draft.state.seats):
        carry_out_sweep(draft, vote.asker, rng)


def _guess(draft: Draft, action: a.GuessSign) -> None:
    state = draft.state
    signs = state.rules.signs
    is_right = action.sign in state.teams[action.team].signs
    points = no_points(state)
    if signs.guess is Guess.POINTS:
        own = state.team_of(action.seat)
        points = (
            points_to(state, own, signs.guess_right) if is_right else points_to(state, action.team, signs.guess_wrong)
        )
    draft.add(SignGuessed(draft.now, action.seat, action.team, action.sign, is_right, points))
    judge_score(draft)


def _tick(draft: Draft, rng: Random) -> None:
    """Let the one deadline that is due take effect."""
    state = draft.state
    due = next_deadline(state)
    if due is None or due > draft.now:
        return
    overdue_show = next((item for item in possible_shows(state) if item.ends_at == due), None)
    if overdue_show is not None:
        cards = _cards_by_chance(state, overdue_show.seat, rng)
        draft.add(CardsShown(draft.now, overdue_show.seat, overdue_show.viewer, cards))
        return
    match state.phase:
        case Phase.SIGNS:
            for team, settled in enumerate(state.teams):
                if not settled.signs:
                    sign = emoji_sign(rng.choice(HOUSE_SIGNS))
                    draft.add(SignSettled(draft.now, team, (sign,), by_chance=True))
            _deal_if_settled(draft, rng)
        case Phase.READY:
            draft.add(HuntOpened(draft.now))
        case Phase.SWEEP if state.vote is not None:
            for seat in range(len(state.seats)):
                if seat not in state.vote.agreed:
                    draft.add(SweepAgreed(draft.now, seat, silent=True))
            _sweep_if_agreed(draft, rng)
        case Phase.HUNT:
            carry_out_sweep(draft, None, rng)
        case Phase.CHAIN:
            close_chain(draft)
        case Phase.OVER:  # pragma: no branch  # the other phases have no deadline
            deal_round(draft, (state.dealer + 1) % len(state.seats), rng)


def _cards_by_chance(state: State, seat: int, rng: Random) -> tuple[Card, ...]:
    hand = state.seats[seat].cards
    count = state.rules.penalty.show_count
    return rng.choice([cards for cards in combinations(hand, count) if is_good_show(state, hand, cards)])
