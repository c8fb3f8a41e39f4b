"""Sign-up, check-in and withdrawal. Each function returns the night after a change, or raises NightRefusedError.

Also here: what is new for an entrant, and whom a post notifies of it. `bot.nights.people.pairs` has the partners.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.conditions import UNKNOWN, Candidate
from bot.nights.changes import NightCode, NightRefusedError, refuse_if
from bot.nights.night import Night, NightStatus
from bot.nights.results.history import has_played_every_round
from bot.nights.rounds import Entrant, News, Presence


def require_entrant(night: Night, user_id: int) -> Entrant:
    """Return the entrant of a user.

    Raises:
        NightRefusedError: They have not signed up, or have left.
    """
    known = night.entrant_of(user_id)
    if known is None or known.presence is Presence.OUT:
        raise NightRefusedError(NightCode.NOT_IN)
    return known


def join(
    night: Night,
    user_id: int,
    name: str,
    now: int,
    strength: float = 0.0,
    candidate: Candidate = UNKNOWN,
    *,
    by_host: bool = False,
) -> Night:
    """Return the night after a person has signed up or come back; in a full night they are on the waiting list.

    In a running night, the next round seats them. A person who has left a closed night, or was absent, may only come
    back if they have missed none of its rounds.

    Args:
        candidate: What is known of the person, for the entry rules. An absent entrant need not meet them, nor an
            entrant whom the host has signed up before.
        by_host: The host signs them up: entry rules do not apply, nor does the end of the sign-up.

    Raises:
        NightRefusedError: They may not join.
    """
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    known = night.entrant_of(user_id)
    refuse_if(night.is_in(user_id), NightCode.ALREADY_IN)
    refuse_if(known is not None and known.is_removed and not by_host, NightCode.REMOVED)
    if known is None or not known.joined_at:
        is_late = now >= night.plan.sign_up_until and not by_host
        refuse_if(is_late or night.is_closed, NightCode.SIGN_UP_OVER)
    else:
        refuse_if(has_missed(night, known), NightCode.MISSED_ROUND)
    is_free = by_host or (known is not None and (known.is_let_in or known.presence is Presence.ABSENT))
    refuse_if(not is_free and bool(night.plan.entry.shortfalls(candidate)), NightCode.NOT_TAKEN)
    presence = Presence.IN if night.has_space else Presence.WAITING
    if known is not None:
        back = replace(known, name=name, presence=presence, joined_at=now, strength=strength or known.strength,
                       is_silent=False, is_removed=False, declines=False, is_let_in=by_host or known.is_let_in,
                       lacks_role=False, knew_former_plan=False)  # fmt: skip
        return night.with_entrant(back)
    entrant = Entrant(len(night.entrants), user_id, name, now, presence, strength=strength, is_let_in=by_host)
    return replace(night, entrants=(*night.entrants, entrant))


def joining_obstacle(night: Night, user_id: int, now: int) -> NightCode | None:
    """Return why a person may not join, apart from entry rules; None if they may, or are signed up."""
    try:
        join(night, user_id, "", now)
    except NightRefusedError as refusal:
        return None if refusal.code in (NightCode.ALREADY_IN, NightCode.NOT_TAKEN) else refusal.code
    return None


def has_missed(night: Night, own: Entrant) -> bool:
    """Return whether a closed night went on for a round without an entrant."""
    return bool(own.joined_at) and night.is_closed and not has_played_every_round(night, own.number)


def leave(night: Night, user_id: int) -> Night:
    """Return the night without a person: their partner is free, and the waiting list moves up."""
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    return night.remove(require_entrant(night, user_id).number)


def decline(night: Night, user_id: int, name: str) -> Night:
    """Return the night after a person has said that they will not come; before its start, even without a sign-up."""
    if night.status is not NightStatus.PLANNED:
        return leave(night, user_id)
    known = night.entrant_of(user_id)
    if known is None:
        stranger = Entrant(len(night.entrants), user_id, name, 0, Presence.OUT, declines=True)
        return replace(night, entrants=(*night.entrants, stranger))
    left = night if known.presence is Presence.OUT else night.remove(known.number)
    return left.with_entrant(replace(left.entrants[known.number], declines=True))


def comes_weekly(night: Night, user_id: int, *, comes: bool) -> Night:
    """Return the night after a person has signed up for all following nights of the series, or no longer does."""
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    return night.with_entrant(replace(require_entrant(night, user_id), comes_weekly=comes))


def ready(night: Night, user_id: int, candidate: Candidate | None = None) -> Night:
    """Return the night after a person has confirmed that they will come.

    A person who has lost the required role keeps the place, and the host sees it. Without a `candidate`, the role is
    not checked.
    """
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    own = require_entrant(night, user_id)
    if candidate is not None:
        has_lost = any(condition.can_be_lost for condition in night.plan.entry.shortfalls(candidate))
        own = replace(own, lacks_role=has_lost and not own.is_let_in)
    return night.with_entrant(replace(own, is_silent=False))


def without_role(night: Night) -> Night:
    """Return the night open to everybody, since its required role was deleted."""
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    plan = replace(night.plan, entry=replace(night.plan.entry, role_id=None))
    people = tuple(replace(entrant, lacks_role=False) for entrant in night.entrants)
    return replace(night, plan=plan, entrants=people, has_lost_role=True)


def unread(night: Night) -> tuple[Entrant, ...]:
    """Return the entrants that have not seen their news."""
    requested_numbers = {entrant.asks for entrant in night.entrants}
    with_any = (each for each in night.signed_up if each.news is not None and not night.is_finished)
    return tuple(each for each in with_any if each.news is not News.ASKED or each.number in requested_numbers)


def unnotified_entrants(night: Night) -> tuple[Entrant, ...]:
    """Return the entrants who have unread news, and whom no post has mentioned since."""
    return tuple(entrant for entrant in unread(night) if not entrant.is_notified)


def with_news(night: Night, number: int, news: News) -> Night:
    """Return the night with news for an entrant."""
    own = night.entrants[number]
    return night.with_entrant(replace(own, news=news, is_notified=own.is_notified and own in unread(night)))


def mark_read(night: Night, user_id: int, seen_news: News) -> Night:
    """Return the night after a person has seen this news in their own panel; newer news stays."""
    own = night.entrant_of(user_id)
    return (
        night
        if own is None or own.news is not seen_news
        else night.with_entrant(replace(own, news=None, is_notified=False))
    )


def mark_notified(night: Night, people: Sequence[Entrant], again_at: int) -> Night:
    """Return the night after a post has notified these people; the next one comes at `again_at` at the earliest."""
    called = {entrant.number for entrant in people}
    known = (
        entrant.news is not None and (entrant.is_notified or entrant.number in called) for entrant in night.entrants
    )
    entrants = tuple(
        replace(entrant, is_notified=is_notified) for entrant, is_notified in zip(night.entrants, known, strict=True)
    )
    return replace(night, entrants=entrants, news_from=again_at)
