"""Judges calls and counters; gives points; ends rounds, games and matches. Part of `decide`."""

from collections.abc import Mapping, Sequence

from bot.game.actions import CallDouble, CallKems, CounterPlayer, CounterTeam
from bot.game.events import (
    ChainBroken,
    ChainOpened,
    CounterFailed,
    CounterHadNoEffect,
    GameWon,
    MatchEnded,
    Outcome,
    RoundEnded,
)
from bot.game.evolve import Draft
from bot.game.rules.rules import CounterTwo, DoubleCall, EndsAt, Holder, Rules, plays_four_kems
from bot.game.state import CallChain, State


def points_by_team(state: State, points: Mapping[int, int], others: int = 0) -> tuple[int, ...]:
    """Return the points by team: those listed, and `others` for every other team."""
    return tuple(points.get(team, others) for team in range(len(state.teams)))


def end_round(
    draft: Draft,
    outcome: Outcome,
    points: tuple[int, ...] | None = None,
    *,
    caller: int | None = None,
    target: int | None = None,
    team: int | None = None,
    laid_by: int | None = None,
) -> None:
    """End the round, and with it the game or the match if the score says so. `points` are by team."""
    given = points_by_team(draft.state, {}) if points is None else points
    draft.add(RoundEnded(draft.now, outcome, given, caller, target, team, laid_by))
    judge_score(draft)


def judge_score(draft: Draft) -> None:
    """End the game or the match if the score or the time says so; a guess may do this in mid-round."""
    state = draft.state
    end = state.rules.end
    if end.ends_at is EndsAt.ROUNDS:
        if state.result is not None and state.round >= end.rounds:
            draft.add(MatchEnded(draft.now, _leader(state.scores, 1)))
            return
    else:
        winner = game_winner(state.rules, state.scores)
        if winner is not None and not state.game_won:  # one won in mid-round, by a guess, is not won again in it
            draft.add(GameWon(draft.now, winner))
            if draft.state.games[winner] > end.best_of // 2:
                draft.add(MatchEnded(draft.now, winner))
                return
    if state.is_time_called and (state.result is not None or not state.round):
        ended = draft.state
        draft.add(MatchEnded(draft.now, timed_winner(ended.games, ended.scores, game_won=ended.game_won)))


def timed_winner(games: Sequence[int], scores: Sequence[int], *, game_won: bool) -> int | None:
    """Return the winner of a match whose time is called, between two rounds: the leading team; None if level.

    Args:
        games: Games won, by team; they count first.
        scores: Points by team in the game that is not decided yet.
        game_won: The last game is decided, so that points do not count.
    """
    standings = [(won, 0 if game_won else points) for won, points in zip(games, scores, strict=True)]
    best = max(standings)
    return standings.index(best) if standings.count(best) == 1 else None


def game_winner(rules: Rules, scores: tuple[int, ...]) -> int | None:
    """Return the team that has reached the target with the lead that the rules require, or None."""
    return _leader(scores, rules.end.win_by) if max(scores) >= rules.end.target else None


def _leader(scores: tuple[int, ...], lead: int) -> int | None:
    first, second = sorted(scores, reverse=True)[:2]
    return scores.index(first) if first - second >= max(1, lead) else None


def counting_holders(state: State, caller: int) -> tuple[int, ...]:
    """Return the seats whose four alike make a Kem's of this caller true."""
    members = state.members(state.team_of(caller))
    if len(members) == 1:
        # A duellist calls for their own hand; `check` has seen that the sign was open long enough to be countered.
        return (caller,) if state.seats[caller].holds_kems else ()
    candidates = members if state.rules.calls.holder is Holder.TEAM else state.partners(caller)
    return tuple(seat for seat in candidates if _counts(state, seat))


def call_kems(draft: Draft, action: CallKems) -> None:
    """Judge a Kem's."""
    state = draft.state
    if counting_holders(state, action.seat):
        _stand(draft, CallChain(action.seat, Outcome.KEMS))
        return
    scoring = state.rules.scoring
    points = points_by_team(state, {state.team_of(action.seat): scoring.false_kems_own}, scoring.false_kems)
    end_round(draft, Outcome.FALSE_KEMS, points, caller=action.seat)


def call_double(draft: Draft, action: CallDouble) -> None:
    """Judge a call of "double Kem's", or the word that a second player adds to a Kem's or to a double counter."""
    state, chain = draft.state, draft.state.chain
    scoring = state.rules.scoring
    is_true = _is_double(state, action.seat)
    cost = points_by_team(state, {state.team_of(action.seat): scoring.false_double_own}, scoring.false_double)
    if chain is not None and chain.outcome is Outcome.DOUBLE_COUNTER:
        _add(draft, chain, action.seat, chain.team, is_true=is_true)
    elif is_true:
        _stand(draft, CallChain(action.seat, Outcome.DOUBLE))
    elif chain is not None:
        draft.add(ChainBroken(draft.now, action.seat))
        close_chain(draft, chain, cost)
    else:
        end_round(draft, Outcome.FALSE_DOUBLE, cost, caller=action.seat)


def close_chain(draft: Draft, chain: CallChain, cost: tuple[int, ...] | None = None) -> None:
    """End the round by the first call alone. `cost`: additional points, by team, for a false second word."""
    state = draft.state
    scoring = state.rules.scoring
    worth = {
        Outcome.KEMS: (scoring.kems, scoring.kems_others),
        Outcome.DOUBLE: (scoring.double_kems, scoring.double_kems_others),
        Outcome.DOUBLE_COUNTER: (scoring.double_counter, 0),
    }
    own, others = worth[chain.outcome]
    points = points_by_team(state, {state.team_of(chain.caller): own}, others)
    if cost is not None:
        points = tuple(a + b for a, b in zip(points, cost, strict=True))
    end_round(draft, chain.outcome, points, caller=chain.caller, team=chain.team)


def counter(draft: Draft, action: CounterPlayer | CounterTeam) -> None:
    """Judge a counter."""
    state = draft.state
    accused = action.target if isinstance(action, CounterPlayer) else None
    team = action.team if isinstance(action, CounterTeam) else state.team_of(action.target)
    holders = _countered(state, team)
    is_true = bool(holders) if accused is None else accused in holders
    scoring = state.rules.scoring
    own = state.team_of(action.seat)
    is_of_two = len(holders) > 1
    if is_true and is_of_two and state.rules.calls.counter_two is CounterTwo.NO_EFFECT:
        draft.add(CounterHadNoEffect(draft.now, action.seat, team, accused))
    elif is_true:
        worth = scoring.counter_of_two if is_of_two else scoring.counter
        points = points_by_team(state, {own: worth, team: scoring.counter_accused})
        end_round(draft, Outcome.COUNTER, points, caller=action.seat, target=accused, team=team)
    else:
        to_all = scoring.false_counter_all
        costs_own = 0 if holders else scoring.false_counter_own  # another of the team has the Kem's
        cost = points_by_team(state, {own: costs_own, team: to_all + scoring.false_counter}, to_all)
        if state.rules.calls.false_counter_ends:
            end_round(draft, Outcome.FALSE_COUNTER, cost, caller=action.seat, target=accused, team=team)
        else:
            draft.add(CounterFailed(draft.now, action.seat, team, accused, cost))
            judge_score(draft)


def _countered(state: State, team: int) -> tuple[int, ...]:
    """Return the seats of a team whose four alike a counter finds."""
    needs_sign = state.rules.signs.counter_needs_sign
    return tuple(seat for seat in state.kems_holders(team) if not needs_sign or state.seats[seat].signed_at is not None)


def double_counter(draft: Draft, action: CounterTeam) -> None:
    """Judge a double counter, which is true if the team holds two Kem's. After a double it is the added second word."""
    state, chain = draft.state, draft.state.chain
    is_true = len(_countered(state, action.team)) > 1
    scoring = state.rules.scoring
    own = state.team_of(action.seat)
    points = points_by_team(state, {own: scoring.false_double_counter_own, action.team: scoring.false_double_counter})
    if chain is not None:
        _add(draft, chain, action.seat, action.team, is_true=is_true)
    elif is_true:
        _stand(draft, CallChain(action.seat, Outcome.DOUBLE_COUNTER, action.team))
    elif state.rules.calls.false_counter_ends:
        end_round(draft, Outcome.FALSE_DOUBLE_COUNTER, points, caller=action.seat, team=action.team)
    else:
        draft.add(CounterFailed(draft.now, action.seat, action.team, None, points, is_double=True))
        judge_score(draft)


def _stand(draft: Draft, call: CallChain) -> None:
    """End the round by a true call; if its team may add a word, after a while, so that the wait reveals no hand."""
    rules = draft.state.rules
    if call.outcome is Outcome.KEMS:
        may_grow = rules.calls.double is DoubleCall.TWO_VOICES and bool(draft.state.partners(call.caller))
    else:
        may_grow = plays_four_kems(rules)
    if may_grow:
        draft.add(ChainOpened(draft.now, call.caller, call.outcome, call.team))
    else:
        close_chain(draft, call)


def _add(draft: Draft, chain: CallChain, seat: int, team: int | None, *, is_true: bool) -> None:
    """Add the other word of "double Kem's" and "double counter". A false one leaves the first call alone."""
    if is_true:
        points = points_by_team(draft.state, {draft.state.team_of(seat): draft.state.rules.scoring.four_kems})
        end_round(draft, Outcome.FOUR_KEMS, points, caller=seat, team=team)
    else:
        draft.add(ChainBroken(draft.now, seat, team))
        close_chain(draft, chain)


def _is_double(state: State, caller: int) -> bool:
    """Return whether the team holds two Kem's and one counts; called at once, the caller holds the other."""
    if state.rules.calls.double is DoubleCall.AT_ONCE:
        return state.seats[caller].holds_kems and any(_counts(state, seat) for seat in state.partners(caller))
    holders = state.kems_holders(state.team_of(caller))
    return len(holders) > 1 and any(_counts(state, seat) for seat in holders)


def _counts(state: State, seat: int) -> bool:
    seat_state = state.seats[seat]
    return seat_state.holds_kems and (seat_state.signed_at is not None or not state.rules.signs.sign_required)
