"""Moves a state in time; part of `evolve`."""

from dataclasses import replace

from bot.game.state import State


def shifted(state: State, by: int) -> State:
    """Returns the state with all its instants `by` milliseconds later, as after a pause."""
    vote, duty, result = state.vote, state.duty, state.result
    return replace(
        state,
        seats=tuple(
            replace(seat, signed_at=_later(seat.signed_at, by), owes_since=_later(seat.owes_since, by))
            for seat in state.seats
        ),
        phase_at=state.phase_at + by,
        dealt_at=state.dealt_at + by,
        last_exchange=state.last_exchange + by,
        vote=None if vote is None else replace(vote, ends_at=vote.ends_at + by),
        duty=None if duty is None else replace(duty, ends_at=duty.ends_at + by),
        pending_shows=tuple(replace(show, ends_at=show.ends_at + by) for show in state.pending_shows),
        gestures=tuple(replace(gesture, at=gesture.at + by) for gesture in state.gestures),
        reports=tuple(replace(report, at=report.at + by) for report in state.reports),
        result=None if result is None else replace(result, at=result.at + by),
    )


def _later(at: int | None, by: int) -> int | None:
    return None if at is None else at + by
