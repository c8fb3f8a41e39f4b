"""Builds the views of `bot.game.views` from a state. No other module shows a state outside the core."""

from dataclasses import fields, replace

from bot.game.cards import is_third_alike
from bot.game.checks import check, check_signs
from bot.game.decide import phase_deadline, take_deadline
from bot.game.effects.dealing import excess_cards
from bot.game.events import Phase
from bot.game.legal import legal_moves, legal_until, offers, special_moves
from bot.game.rules.rules import Guess, SignChange, ThreeAlike
from bot.game.signs import Sign
from bot.game.state import ShownCards, State
from bot.game.views import GestureInfo, Offers, PlayerView, ResultInfo, SeatInfo, SeatView, TableView


def table_view(state: State) -> TableView:
    """Returns the public table, as players and spectators see it."""
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
    """Returns what a seat sees: the public table, built here unless given, its hand, secrets and cards shown to it."""
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
        may_speak=check_signs.says(state, seat),
        shown=own.shown,
        showed=tuple(
            ShownCards(viewer, item.cards)
            for viewer, other in enumerate(state.seats)
            for item in other.shown
            if item.seat == seat
        ),
        by_chance=own.by_chance,
        third_alike=frozenset([card for card in own.cards if minds_third and is_third_alike(state.pool, card)]),
        offers=Offers() if is_paused else offers(state, (seat,)),
        may_put_down=not is_paused and check.put_down(state, seat) is None,
        may_take=not is_paused and check.take(state, seat) is None,
        may_swap=not is_paused and check.swap(state, seat) is None,
        special_moves=() if is_paused else special_moves(state, seat),
    )


def player_view(state: State, seat: int, now: int, table: TableView | None = None) -> PlayerView:
    """Returns what one seat sees, and what it may do at `now` (milliseconds)."""
    seen = seat_view(state, seat, table)
    legal, until = ((), None) if state.pause else (legal_moves(state, seat, now), legal_until(state, seat, now))
    shown = {field.name: getattr(seen, field.name) for field in fields(seen)}
    return PlayerView(**shown, legal=legal, legal_until=until)


def _gestures(state: State) -> tuple[GestureInfo, ...]:
    """Returns the gestures of the round, with whether each was a sign as soon as that may be known."""
    is_told = state.phase in (Phase.OVER, Phase.MATCH_OVER) and _are_explained(state)
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
    """Returns whether gestures are explained: after the match, or after the round where that gives nothing away."""
    signs = state.rules.signs
    is_kept = bool(state.strategies) or signs.guess is Guess.POINTS or signs.sign_change is SignChange.NEVER
    return not is_kept or state.phase is Phase.MATCH_OVER
