"""What is due in a night, and when: the clock's side of it, as data. Instants in milliseconds."""

from collections.abc import Iterator
from typing import Final

from bot.nights.course import PATIENCE_MS, enough, fills_at, is_complete
from bot.nights.duties import Duty
from bot.nights.night import Night, NightStatus
from bot.nights.plan import Format
from bot.nights.rounds import NightRound

REMIND_MS: Final = 15 * 60_000
"""How long before the beginning those are reminded who have signed up by then."""


def due(night: Night, now: int) -> Duty | None:
    """Returns what is to be done now, one thing after the other; None: nothing.

    Once it is done the night says so, and the next call returns what follows.
    """
    return next((duty for duty, at in _agenda(night) if at <= now), None)


def next_at(night: Night) -> int | None:
    """Returns when `due` has something next; None while nothing is in sight but what people do."""
    return min((at for _, at in _agenda(night)), default=None)


def next_round_at(night: Night) -> int | None:
    """Returns when the next round begins during a break; None without one, and in a pause."""
    return next((at for duty, at in _agenda(night) if duty is Duty.BEGIN_ROUND and night.rounds), None)


def _agenda(night: Night) -> Iterator[tuple[Duty, int]]:
    """What comes, by urgency, with the instant from which on each is due."""
    match night.status:
        case NightStatus.PLANNED:
            yield from _before(night)
        case NightStatus.RUNNING if night.paused_at is None and night.round is not None:
            yield from (
                _lounge(night, night.round) if night.plan.format is Format.LOUNGE else _during(night, night.round)
            )
        case NightStatus.OVER | NightStatus.CANCELLED:
            yield from _after(night)


def _before(night: Night) -> Iterator[tuple[Duty, int]]:
    starts_at = night.plan.starts_at
    opens_at = starts_at if len(night.present) >= enough(night) else None
    gives_up_at = starts_at + PATIENCE_MS
    if night.plan.format is Format.LOUNGE:
        opens_at = fills_at(night)
        gives_up_at = starts_at + (night.plan.rounds * night.plan.round_minutes * 60_000 or PATIENCE_MS)
    if opens_at is None:
        yield Duty.CANCEL, gives_up_at
    else:
        yield Duty.BEGIN_ROUND, opens_at
    reminds_at = starts_at - REMIND_MS
    if Duty.REMIND not in night.done and any(entrant.joined_at < reminds_at for entrant in night.present):
        yield Duty.REMIND, reminds_at


def _during(night: Night, last: NightRound) -> Iterator[tuple[Duty, int]]:
    if not last.is_over:
        if last.ends_at is not None and last.called_at is None:
            yield Duty.CALL_TIME, last.ends_at
        return
    if is_complete(night):
        yield Duty.END_NIGHT, _over_at(last)
        return
    begins_at = _over_at(last) if night.next_at is None else night.next_at
    if len(night.present) >= enough(night) or night.plan.format is Format.KNOCKOUT:
        yield Duty.BEGIN_ROUND, begins_at
    else:
        yield Duty.END_NIGHT, begins_at + PATIENCE_MS


def _lounge(night: Night, last: NightRound) -> Iterator[tuple[Duty, int]]:
    if last.ends_at is not None and last.called_at is None:
        yield Duty.CALL_TIME, last.ends_at
    if is_complete(night):
        if last.is_over:
            yield Duty.END_NIGHT, max(_over_at(last), last.called_at or 0)
        return
    fills = fills_at(night)
    if fills is not None:
        yield Duty.BEGIN_ROUND, fills


def _after(night: Night) -> Iterator[tuple[Duty, int]]:
    ended_at = night.ended_at or night.plan.starts_at
    recap_at = max(ended_at, night.plan.recap_at or 0)
    if night.status is NightStatus.OVER and Duty.RECAP not in night.done:
        yield Duty.RECAP, recap_at
    if night.plan.is_weekly and Duty.PLAN_NEXT not in night.done:
        yield Duty.PLAN_NEXT, max(recap_at, night.plan.starts_at)


def _over_at(last: NightRound) -> int:
    return max((table.ended_at or 0 for table in last.tables), default=last.began_at)
