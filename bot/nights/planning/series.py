"""The next night of a weekly series, and who is signed up for it."""

from collections.abc import Iterable
from dataclasses import replace

from bot.nights.changes import Duty
from bot.nights.clocks import next_week
from bot.nights.night import Night, NightStatus
from bot.nights.results.history import turnout
from bot.nights.rounds import Entrant, Presence


def next_start(night: Night, now: int) -> int:
    """Return when a series continues after `now` (milliseconds), by the clocks of its zone."""
    return next_week(night.series_at, night.plan.zone, max(now, night.series_at))


def next_of_series(night: Night, now: int, *, seed: int) -> Night:
    """Return the series' next night after `now`, with the entrants that come every week."""
    plan = night.plan.series_plan.moved_to(night.series_at)
    plan = plan if night.plan.series_at is None else replace(plan, minute_of_day=None)
    plan = plan.on_day(next_start(night, now))
    regulars, deserted = _regulars(night, now), _deserted(night)
    following = Night(0, night.guild_id, 0, night.host_id, night.locale, plan, seed, entrants=regulars)
    return replace(following, deserted=deserted, has_lost_role=night.has_lost_role)


def exclude_members(night: Night, user_ids: Iterable[int]) -> Night:
    """Return the night without these people, who are not in later nights either; a finished night keeps them."""
    for known in [entrant for entrant in map(night.entrant_of, user_ids) if entrant is not None]:
        if night.is_finished or known.presence is Presence.OUT:
            night = night.with_entrant(replace(known, comes_weekly=False))
        else:
            night = night.remove(known.number)
    return night


def promoted_user_ids(before: Night, after: Night) -> frozenset[int]:
    """Return the users that were on the waiting list before a change and have a place after it."""
    waited = {entrant.user_id for entrant in before.waiting}
    return frozenset(
        entrant.user_id for entrant in after.present if entrant.user_id is not None and entrant.user_id in waited
    )


def _deserted(night: Night) -> int:
    """Return how many nights in a row nobody came to, up to this one; nights that the host cancelled do not count."""
    if night.status is NightStatus.CANCELLED:
        return night.deserted + (Duty.CANCEL in night.done)
    came, _ = turnout(night)
    return 0 if came else night.deserted + 1


def _regulars(night: Night, now: int) -> tuple[Entrant, ...]:
    """Return the entrants who come every week, pairs together; whoever was absent or has left has to sign up again."""
    staying = [
        entrant
        for entrant in night.entrants
        if entrant.comes_weekly and entrant.presence in (Presence.IN, Presence.WAITING)
    ]
    numbers: dict[int | None, int] = {entrant.number: number for number, entrant in enumerate(staying)}
    most = len(staying) if night.plan.most is None else night.plan.most
    return tuple(
        Entrant(
            number,
            entrant.user_id,
            entrant.name,
            now,
            Presence.IN if number < most else Presence.WAITING,
            partner=numbers.get(entrant.partner) if night.plan.format.has_pairs else None,
            strength=entrant.strength,
            comes_weekly=True,
            is_let_in=entrant.is_let_in,
        )
        for number, entrant in enumerate(staying)
    )
