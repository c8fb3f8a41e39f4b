"""Builds the views of `bot.game.views` from a state. No other module shows a state outside the core."""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from bot.game import check_signs
from bot.game.cards import ALIKE, Card
from bot.game.check import sweep_from
from bot.game.deadlines import phase_deadline, take_deadline
from bot.game.dealing import excess_cards
from bot.game.legal import legal_moves, legal_until, offers
from bot.game.phase import Phase
from bot.game.rules.parts import Guess, SignChange, ThreeAlike
from bot.game.signs.sign import Sign
from bot.game.state import ShownCards, Slots, State
from bot.game.views import GestureInfo, Offers, ResultInfo, SeatInfo, SeatView, TableView


def table_view(state: State) -> TableView:
    """Returns the public table, as players and spectators see it."""
    is_over = state.phase in (Phase.OVER, Phase.MATCH_OVER)
    is_explained = is_over and _are_explained(state)
    open_moves = Offers() if state.pause is not None else offers(state, range(len(state.seats)))
    return TableView(
        rules=state.rules,
        phase=state.phase,
        round=state.round,
        dealer=state.dealer,
        teams=len(state.teams),
        seats=_seat_infos(state),
        pool=state.pool,
        slots=state.slots,
        swept_third=state.swept_third,
        stock=len(state.stock),
        discard=len(state.discard),
        scores=state.scores,
        games=state.games,
        phase_at=state.phase_at,
        dealt_at=state.dealt_at,
        ends_at=phase_deadline(state),
        sweep_from=sweep_from(state) if open_moves.may_sweep else None,
        sweep_asker=None if state.vote is None else state.vote.asker,
        chain=state.chain,
        duty_ends_at=None if state.duty is None or state.pause is not None else state.duty.ends_at,
        gestures=tuple(
            GestureInfo(g.at - state.dealt_at, g.seat, g.kind, g.text, g.sign is not None if is_explained else None)
            for g in state.gestures
        ),
        reports=tuple(replace(report, at=report.at - state.dealt_at) for report in state.reports),
        strategies=state.strategies,
        known_single=tuple(number for number, team in enumerate(state.teams) if team.is_known_single),
        excess=tuple(ShownCards(item.seat, _shown_excess(state, item.cards)) for item in state.excess),
        penalties=state.penalties,
        result=_result(state) if is_over else None,
        game_won=state.game_won,
        winner=state.winner,
        offers=open_moves,
        pause=state.pause,
        is_time_called=state.is_time_called,
    )


def seat_view(state: State, seat: int, now: int, table: TableView | None = None) -> SeatView:
    """Returns what one seat sees at `now`: the public table, its hand, its team's secrets, cards that were shown to it.

    `table` is the `table_view` of the state where it was built already.
    """
    is_paused = state.pause is not None
    own = state.seats[seat]
    team = state.teams[state.team_of(seat)]
    return SeatView(
        table=table_view(state) if table is None else table,
        seat=seat,
        team=state.team_of(seat),
        partners=state.partners(seat),
        hand=own.hand,
        owes=own.owes if state.round else 0,
        plan=team.plan,
        member_signs=tuple(state.signs_of(member) for member in state.members(state.team_of(seat))),
        sign_card=team.card,
        is_half_found=team.is_half_found,
        spent=team.spent,
        lost=team.lost,
        proposal=team.proposal,
        may_change_sign=check_signs.may_change(state, state.team_of(seat)),
        options=check_signs.options(state, seat),
        may_speak=check_signs.says(state, seat),
        shown=own.shown,
        showed=_showed(state, seat),
        by_chance=own.by_chance,
        third_alike=_third_alike(state, own.hand),
        offers=Offers() if is_paused else offers(state, (seat,)),
        legal=() if is_paused else legal_moves(state, seat, now),
        legal_until=None if is_paused else legal_until(state, seat, now),
    )


def _showed(state: State, seat: int) -> tuple[ShownCards, ...]:
    """Returns what a seat had to show, by the seat that saw it."""
    return tuple([
        ShownCards(viewer, item.cards)
        for viewer, other in enumerate(state.seats)
        for item in other.shown
        if item.seat == seat
    ])  # fmt: skip


def _third_alike(state: State, hand: Slots) -> frozenset[Card]:
    if state.rules.exchange.three_alike is ThreeAlike.ALLOWED:
        return frozenset()
    groups = [card.group for card in state.pool_cards if not card.is_joker]
    return frozenset([card for card in hand if card is not None and groups.count(card.group) >= ALIKE - 1])


def _seat_infos(state: State) -> tuple[SeatInfo, ...]:
    teams, is_settled = len(state.teams), state.phase is not Phase.SIGNS
    agreed = () if state.vote is None else state.vote.agreed
    on_duty = None if state.duty is None else state.duty.seat
    viewers = {item.seat: item.viewer for item in reversed(state.pending_shows)}
    return tuple([
        _seat_info(
            seat,
            seat % teams,
            own.owes if state.round else 0,
            own.can_counter,
            is_settled or state.teams[seat % teams].plan is not None,
            seat in agreed,
            seat == on_duty,
            viewers.get(seat),
            take_deadline(state, seat),
        )
        for seat, own in enumerate(state.seats)
    ])  # fmt: skip


_seat_info: Final = lru_cache(maxsize=4096)(SeatInfo)  # most seats are as they were in the view before


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
    )


def _shown_excess(state: State, redrawn: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns the alike cards: of a whole hand that was redrawn the others stay unseen."""
    return excess_cards(redrawn, jokers=state.rules.deal.excess_jokers)


def _signs_made(state: State, team: int) -> tuple[Sign, ...]:
    made = (g.sign for g in state.gestures if g.sign is not None and state.team_of(g.seat) == team)
    return tuple(dict.fromkeys(made)) if _are_explained(state) else ()


def _are_explained(state: State) -> bool:
    """Returns whether gestures are explained: after the match, or after the round where that gives nothing away."""
    signs = state.rules.signs
    is_kept = bool(state.strategies) or signs.guess is Guess.POINTS or signs.sign_change is SignChange.NEVER
    return not is_kept or state.phase is Phase.MATCH_OVER
