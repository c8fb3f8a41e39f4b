"""What is due in a night, and when. Instants in milliseconds."""

from collections.abc import Iterator

from bot.nights.changes import Duty
from bot.nights.clocks import MONDAY, next_morning
from bot.nights.formats import format_of
from bot.nights.night import Night, NightStatus


def due(night: Night, now: int) -> Duty | None:
    """Return the duty that is due now; None if none is.

    Once the duty is done, the night records it, and the next call returns the next duty.
    """
    return next((duty for duty, at in _agenda(night) if at <= now), None)


def next_at(night: Night) -> int | None:
    """Return when the next duty is due; None while the night waits for people."""
    return min((at for _, at in _agenda(night)), default=None)


def _agenda(night: Night) -> Iterator[tuple[Duty, int]]:
    """Yield the coming duties by urgency, with the instant from which each is due."""
    match night.status:
        case NightStatus.PLANNED:
            yield from _before(night)
        case NightStatus.RUNNING if night.paused_at is None and night.round is not None:
            yield from format_of(night).agenda(night, night.round)
        case NightStatus.OVER | NightStatus.CANCELLED:
            yield from _after(night)


def _before(night: Night) -> Iterator[tuple[Duty, int]]:
    form = format_of(night)
    opens_at = form.opens_at(night)
    if opens_at is None:
        yield Duty.CANCEL, night.plan.starts_at + form.patience_ms(night)
    else:
        yield Duty.START_ROUND, opens_at


def _after(night: Night) -> Iterator[tuple[Duty, int]]:
    ended_at = night.ended_at or night.plan.starts_at
    runs_alone = night.plan.format.runs_alone
    review_at = next_morning(max(ended_at, night.plan.starts_at), night.plan.zone, MONDAY if runs_alone else None)
    if night.status is NightStatus.OVER and runs_alone and Duty.HONOUR not in night.done:
        yield Duty.HONOUR, ended_at
    if night.status is NightStatus.OVER and Duty.RECAP not in night.done:
        yield Duty.RECAP, review_at
    if night.plan.is_weekly and Duty.PLAN_NEXT not in night.done:
        yield Duty.PLAN_NEXT, review_at
    if night.status is NightStatus.OVER and Duty.HAND_OVER not in night.done:
        yield Duty.HAND_OVER, ended_at
