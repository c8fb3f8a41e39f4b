"""The night that follows on one of a weekly series, and who comes to neither."""

from collections.abc import Iterable
from dataclasses import replace

from bot.nights.changes import Duty
from bot.nights.clocks import next_week
from bot.nights.night import Night, NightStatus
from bot.nights.results.history import turnout
from bot.nights.rounds import Entrant, Presence


def follows_at(night: Night, now: int) -> int:
    """Returns when a weekly series goes on after `now`, by the clocks of the plan's time zone. In milliseconds."""
    return next_week(night.series_at, night.plan.zone, max(now, night.series_at))


def next_of_series(night: Night, now: int, *, seed: int) -> Night:
    """The same night on its next day after `now`, with those who are signed up for every week."""
    plan = night.plan.of_series.moved(night.series_at)
    plan = plan if night.plan.series_at is None else replace(plan, minute_of_day=None)
    plan = plan.on_day(follows_at(night, now))
    regulars, deserted = _regulars(night, now), _deserted(night)
    following = Night(0, night.guild_id, 0, night.host_id, night.locale, plan, seed, entrants=regulars)
    return replace(following, deserted=deserted, has_lost_role=night.has_lost_role)


def kept_out(night: Night, user_ids: Iterable[int]) -> Night:
    """The night without these people, who come to no night that follows on it either; one that is over stays."""
    for known in [entrant for entrant in map(night.entrant_of, user_ids) if entrant is not None]:
        if night.is_finished or known.presence is Presence.OUT:
            night = night.with_entrant(replace(known, comes_weekly=False))
        else:
            night = night.without(known.number)
    return night


def moved_up(before: Night, after: Night) -> frozenset[int]:
    """The people who have a place after a change, and were on the waiting list before it."""
    waited = {one.user_id for one in before.waiting}
    return frozenset(one.user_id for one in after.present if one.user_id is not None and one.user_id in waited)


def _deserted(night: Night) -> int:
    """How many nights in a row nobody came to, up to this one; one that the host cancelled tells nothing."""
    if night.status is NightStatus.CANCELLED:
        return night.deserted + (Duty.CANCEL in night.done)
    came, _ = turnout(night)
    return 0 if came else night.deserted + 1


def _regulars(night: Night, now: int) -> tuple[Entrant, ...]:
    """Those who come every week, pairs together; who was absent or has left signs up again."""
    staying = [one for one in night.entrants if one.comes_weekly and one.presence in (Presence.IN, Presence.WAITING)]
    numbers: dict[int | None, int] = {one.number: number for number, one in enumerate(staying)}
    most = len(staying) if night.plan.most is None else night.plan.most
    return tuple(
        Entrant(
            number,
            one.user_id,
            one.name,
            now,
            Presence.IN if number < most else Presence.WAITING,
            partner=numbers.get(one.partner) if night.plan.format.has_pairs else None,
            strength=one.strength,
            comes_weekly=True,
            is_let_in=one.is_let_in,
        )
        for number, one in enumerate(staying)
    )
