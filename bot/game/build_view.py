"""Builds the views of `bot.game.views` from a state. No other module shows a state outside the core.

The legal moves of a seat are listed by phase; each kind is judged once, by the same check as in `decide`.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import combinations
from typing import Final

from bot.game import actions as a
from bot.game.cards import third_alikes
from bot.game.checks import check, check_signs
from bot.game.checks.refusals import Code
from bot.game.decide import phase_deadline, take_deadline
from bot.game.effects.dealing import excess_cards
from bot.game.events import CallKind, Phase
from bot.game.rules.rules import SignsTold, ThreeAlike
from bot.game.signs import Sign
from bot.game.state import ShownCards, State
from bot.game.views import GestureInfo, Offers, PlayerView, ResultInfo, SeatInfo, SeatView, TableView


def legal_moves(state: State, seat: int, now: int) -> tuple[a.Action, ...]:
    """Return the legal moves of a seat at `now`, except gestures, guesses and proposals, which cannot be listed."""
    moves: list[a.Action] = []
    match state.phase:
        case Phase.HUNT:
            moves += _exchanges(state, seat)
            if check.sweep(state, seat, now) is None:
                moves.append(a.AskSweep(seat))
            moves += _calls(state, seat, now)
        case Phase.READY if check.opening(state, seat) is None:
            moves.append(a.OpenHunt(seat))
        case Phase.OVER:
            moves.append(a.NextRound(seat))
        case Phase.SWEEP:
            moves += _exchanges(state, seat)
            moves += [
                a.AnswerSweep(seat, agrees)
                for agrees in (True, False)
                if check.answer(state, seat, agrees=agrees) is None
            ]
        case Phase.CHAIN:
            moves += _calls(state, seat, now)
    return (*moves, *special_moves(state, seat))


def special_moves(state: State, seat: int) -> tuple[a.Action, ...]:
    """Return the legal moves that the phase does not imply: those about signs, strategies and cards to show."""
    team = state.teams[seat % len(state.teams)]
    moves: list[a.Action] = []
    if team.proposal is not None and check_signs.acceptance(state, seat, team.proposal.plan) is None:
        moves.append(a.AcceptSign(seat, team.proposal.plan))
    if team.may_change and check_signs.keeping(state, seat) is None:
        moves.append(a.KeepSign(seat))
    if state.strategies:
        accusations = (
            a.AccuseTeam(seat, other, strategy)
            for other in range(len(state.teams))
            for strategy in check_signs.ACCUSABLE
        )
        moves += [action for action in accusations if check_signs.accusation(state, action) is None]
    if state.pending_shows and check.has_to_show(state, seat):
        hand = state.seats[seat].cards
        choices = combinations(hand, state.rules.penalty.show_count)
        moves += [a.ShowCards(seat, cards) for cards in choices if check.is_good_show(state, hand, cards)]
    return tuple(moves)


def legal_until(state: State, seat: int, now: int) -> int | None:
    """Return the next instant after `now` at which another move may become legal without any action; None if never."""
    sweep = check.sweep_from(state)
    duel = None if len(state.seats) > len(state.teams) else check.duel_from(state, seat)
    if duel is not None and duel > now:
        return min(sweep, duel) if sweep > now else duel
    return sweep if sweep > now else None


def offers(state: State, seats: Collection[int]) -> Offers:
    """Return what at least one of the seats may do now or shortly; see `Offers`."""
    match state.phase:
        case Phase.HUNT | Phase.CHAIN:
            return Offers(
                frozenset([kind for kind, judge in _CALLS if _is_open(judge, state, seats)]),
                may_sweep=state.phase is Phase.HUNT and _is_open(check.sweep, state, seats),
            )
        case Phase.SWEEP:
            return Offers(may_answer=any(check.answer(state, seat, agrees=True) is None for seat in seats))
        case Phase.READY:
            return Offers(may_open=any(check.opening(state, seat) is None for seat in seats))
        case _:
            return Offers()


def _is_open(judge: Callable[[State, int, int | None], Code | None], state: State, seats: Collection[int]) -> bool:
    """Return whether one of the seats may do what `judge` judges, now or in a moment."""
    for seat in seats:  # noqa: SIM110  # quicker, with each view
        if judge(state, seat, None) is None:
            return True
    return False


def _counter(state: State, seat: int, now: int | None) -> Code | None:
    code = check.counter_player(state, seat, now)
    return check.counter_team(state, seat, now) if code is Code.NOT_ALLOWED else code


_CALLS: Final = (
    (CallKind.KEMS, check.kems),
    (CallKind.DOUBLE, check.double),
    (CallKind.COUNTER, _counter),
    (CallKind.DOUBLE_COUNTER, check.double_counter),
)


def _exchanges(state: State, seat: int) -> list[a.Action]:
    moves: list[a.Action] = []
    if check.put_down(state, seat) is None:
        moves += [a.PutDown(seat, card) for card in state.seats[seat].cards]
    if check.take(state, seat) is None:
        moves += [a.Take(seat, card) for card in state.pool_cards]
    return moves


def _calls(state: State, seat: int, now: int) -> list[a.Action]:
    teams = len(state.teams)
    own = seat % teams
    moves: list[a.Action] = []
    if check.kems(state, seat, now) is None:
        moves.append(a.CallKems(seat))
    if check.double(state, seat, now) is None:
        moves.append(a.CallDouble(seat))
    if check.counter_player(state, seat, now) is None:
        moves += [a.CounterPlayer(seat, other) for other in range(len(state.seats)) if other % teams != own]
    elif check.counter_team(state, seat, now) is None:
        moves += [a.CounterTeam(seat, team) for team in range(teams) if team != own]
    if check.double_counter(state, seat, now) is None:
        moves += [a.CounterTeam(seat, team, is_double=True) for team in range(teams) if team != own]
    return moves


def table_view(state: State) -> TableView:
    """Return the public table, as players and spectators see it."""
    is_over = state.phase is Phase.OVER or state.phase is Phase.MATCH_OVER
    is_paused = state.pause is not None
    open_moves = Offers() if is_paused else offers(state, range(len(state.seats)))
    return TableView(
        rules=state.rules,
        phase=state.phase,
        round=state.round,
        dealer=state.dealer,
        teams=len(state.teams),
        seats=_seat_infos(state),
        pool=state.pool,
        slots=state.slots,
        exchanges=state.exchanges if state.rules.exchange.takes_seen else (),
        swept_third=state.swept_third,
        stock=len(state.stock),
        discard=len(state.discard),
        scores=state.scores,
        games=state.games,
        phase_at=state.phase_at,
        dealt_at=state.dealt_at,
        ends_at=phase_deadline(state),
        sweep_from=check.sweep_from(state) if open_moves.may_sweep else None,
        sweep_asker=None if state.vote is None else state.vote.asker,
        chain=state.chain,
        duty_ends_at=None if state.duty is None or is_paused else state.duty.ends_at,
        gestures=_gestures(state),
        reports=tuple(replace(report, at=report.at - state.dealt_at) for report in state.reports),
        strategies=state.strategies,
        known_single=tuple(number for number, team in enumerate(state.teams) if team.is_known_single),
        excess=tuple(ShownCards(item.seat, excess_cards(item.cards, state.rules.deal)) for item in state.excess),
        penalties=state.penalties,
        result=_result(state) if is_over else None,
        game_won=state.game_won,
        winner=state.winner,
        offers=open_moves,
        pause=state.pause,
        is_time_called=state.is_time_called,
    )


def seat_view(state: State, seat: int, table: TableView | None = None) -> SeatView:
    """Return what a seat sees: the public table (built if not given), its hand, its secrets, and cards shown to it."""
    is_paused = state.pause is not None
    number = state.team_of(seat)
    own, team = state.seats[seat], state.teams[number]
    minds_third = state.rules.exchange.three_alike is not ThreeAlike.ALLOWED
    return SeatView(
        table=table_view(state) if table is None else table,
        seat=seat,
        team=number,
        partners=state.partners(seat),
        hand=own.hand,
        owes=own.owes if state.round else 0,
        plan=team.plan,
        member_signs=tuple(map(state.signs_of, state.members(number))),
        sign_card=team.card,
        is_half_found=team.is_half_found,
        spent=team.spent,
        lost=team.lost,
        proposal=team.proposal,
        may_change_sign=check_signs.may_change(state, number),
        options=check_signs.options(state, seat),
        may_speak=check_signs.may_speak(state, seat),
        may_guess=not is_paused and check_signs.guessing(state, seat) is None,
        shown=own.shown,
        showed=tuple(
            [
                ShownCards(viewer, item.cards)
                for viewer, other in enumerate(state.seats)
                for item in other.shown
                if item.seat == seat
            ]
        ),
        by_chance=own.by_chance,
        by_chance_at=own.by_chance_at,
        third_alike=third_alikes(state.pool_cards, own.cards) if minds_third else frozenset(),
        offers=Offers() if is_paused else offers(state, (seat,)),
        may_put_down=not is_paused and check.put_down(state, seat) is None,
        may_take=not is_paused and check.take(state, seat) is None,
        may_swap=not is_paused and check.swap(state, seat) is None,
        special_moves=() if is_paused else special_moves(state, seat),
    )


def player_view(state: State, seat: int, now: int, table: TableView | None = None) -> PlayerView:
    """Return what a seat sees, and what it may do at `now` (milliseconds)."""
    legal, until = ((), None) if state.pause else (legal_moves(state, seat, now), legal_until(state, seat, now))
    seen = seat_view(state, seat, table)
    return PlayerView(**vars(seen), legal=legal, legal_until=until)


def _gestures(state: State) -> tuple[GestureInfo, ...]:
    """Return the gestures of the round, with whether each was a sign as soon as that may be known."""
    is_told = _are_explained(state)
    return tuple(
        GestureInfo(g.at - state.dealt_at, g.seat, g.kind, g.text, g.sign is not None if is_told else None)
        for g in state.gestures
    )


def _seat_infos(state: State) -> tuple[SeatInfo, ...]:
    teams, is_dealt = len(state.teams), bool(state.round)
    settled = [state.phase is not Phase.SIGNS or team.plan is not None for team in state.teams]
    agreed = () if state.vote is None else state.vote.agreed
    on_duty = None if state.duty is None else state.duty.seat
    viewers = {item.seat: item.viewer for item in reversed(state.pending_shows)}
    return tuple(
        SeatInfo(
            seat,
            seat % teams,
            own.hand.count(None) if is_dealt else 0,
            own.can_counter,
            settled[seat % teams],
            seat in agreed,
            seat == on_duty,
            viewers.get(seat),
            None if own.owes_since is None else take_deadline(state, seat),
        )
        for seat, own in enumerate(state.seats)
    )


def _result(state: State) -> ResultInfo | None:
    ended, broken = state.result, state.broken
    if ended is None:
        return None
    return ResultInfo(
        outcome=ended.outcome,
        points=ended.points,
        caller=ended.caller,
        target=ended.target,
        team=ended.team,
        at=ended.at - state.dealt_at,
        hands=tuple(seat.hand for seat in state.seats),
        kems_holders=tuple(seat for seat in range(len(state.seats)) if state.seats[seat].holds_kems),
        signs=tuple(_signs_made(state, team) for team in range(len(state.teams))),
        margin=state.margin,
        in_vain=None if broken is None else broken.seat,
        laid_by=ended.laid_by,
        is_of_deal=state.ended_at_deal,
    )


def _signs_made(state: State, team: int) -> tuple[Sign, ...]:
    made = (g.sign for g in state.gestures if g.sign is not None and state.team_of(g.seat) == team)
    return tuple(dict.fromkeys(made)) if _are_explained(state) else ()


def _are_explained(state: State) -> bool:
    """Return whether gestures are explained: after the match, or after the round if the rules say so.

    A vote on strategies keeps them secret until the end of the match: a team's choice among them is not told.
    """
    if state.phase is Phase.OVER:
        return state.rules.signs.signs_told is SignsTold.ROUND and not state.strategies
    return state.phase is Phase.MATCH_OVER
