"""Who comes to a night: sign-up, the check-in, and who stands down. Each function returns the night after a change.

Raises NightRefusedError. Who plays with whom is in `bot.nights.people.pairs`. What is new for them is here,
and which of them a post calls to their own panel.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.conditions import UNKNOWN, Candidate
from bot.nights.changes import NightCode, NightRefusedError, refuse_if
from bot.nights.night import Night, NightStatus
from bot.nights.results.history import keeps_up
from bot.nights.rounds import Entrant, News, Presence


def taking_part(night: Night, user_id: int) -> Entrant:
    """A person who has signed up and not left."""
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
    """Sign up, also during a running night: the next round seats those who are there. Somebody who left, or was
    absent, comes back, to a closed night only while they keep up with its rounds; in a full night they wait. The host
    signs people up after the end of the sign-up, too, and whatever the night asks for; it asks nothing of somebody who
    is absent, or whom the host signed up before.
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


def shut_out(night: Night, user_id: int, now: int) -> NightCode | None:
    """Why a person cannot sign up or come back, apart from what the night asks of people; None where they can, or are
    signed up.
    """
    try:
        join(night, user_id, "", now)
    except NightRefusedError as refusal:
        return None if refusal.code in (NightCode.ALREADY_IN, NightCode.NOT_TAKEN) else refusal.code
    return None


def has_missed(night: Night, own: Entrant) -> bool:
    """Whether the rounds of a closed night went on without somebody who had signed up."""
    return bool(own.joined_at) and night.is_closed and not keeps_up(night, own.number)


def leave(night: Night, user_id: int) -> Night:
    """Stand down. A partner is free again, and the first of the waiting list comes in."""
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    return night.without(taking_part(night, user_id).number)


def decline(night: Night, user_id: int, name: str) -> Night:
    """Say that one does not come, before the night also without having signed up; who has gives up their place."""
    if night.status is not NightStatus.PLANNED:
        return leave(night, user_id)
    known = night.entrant_of(user_id)
    if known is None:
        stranger = Entrant(len(night.entrants), user_id, name, 0, Presence.OUT, declines=True)
        return replace(night, entrants=(*night.entrants, stranger))
    left = night if known.presence is Presence.OUT else night.without(known.number)
    return left.with_entrant(replace(left.entrants[known.number], declines=True))


def comes_weekly(night: Night, user_id: int, *, comes: bool) -> Night:
    """Sign up for the following nights of a series, too, or no longer."""
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    return night.with_entrant(replace(taking_part(night, user_id), comes_weekly=comes))


def ready(night: Night, user_id: int, candidate: Candidate | None = None) -> Night:
    """Answer the check-in: I am coming. Who has lost the role that the night asks for keeps the place: the host sees
    it. Without a `candidate` nothing is known of it.
    """
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    own = taking_part(night, user_id)
    if candidate is not None:
        has_lost = any(one.can_be_lost for one in night.plan.entry.shortfalls(candidate))
        own = replace(own, lacks_role=has_lost and not own.is_let_in)
    return night.with_entrant(replace(own, is_silent=False))


def without_role(night: Night) -> Night:
    """The night after the role was deleted that it asks for: nobody could have it any more, so everybody may come."""
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    plan = replace(night.plan, entry=replace(night.plan.entry, role_id=None))
    people = tuple(replace(one, lacks_role=False) for one in night.entrants)
    return replace(night, plan=plan, entrants=people, has_lost_role=True)


def unread(night: Night) -> tuple[Entrant, ...]:
    """Returns those who have not seen what is new for them."""
    asked = {entrant.asks for entrant in night.entrants}
    news = (one for one in night.signed_up if one.news is not None and not night.is_finished)
    return tuple(one for one in news if one.news is not News.ASKED or one.number in asked)


def uncalled(night: Night) -> tuple[Entrant, ...]:
    """Returns those of `unread` whom no post calls yet."""
    return tuple(one for one in unread(night) if not one.is_told)


def with_news(night: Night, number: int, news: News) -> Night:
    """The night with something new for an entrant."""
    own = night.entrants[number]
    return night.with_entrant(replace(own, news=news, is_told=own.is_told and own in unread(night)))


def read(night: Night, user_id: int, shown: News) -> Night:
    """The night after a person has looked at their own panel, which showed this; what is newer stays."""
    own = night.entrant_of(user_id)
    return night if own is None or own.news is not shown else night.with_entrant(replace(own, news=None, is_told=False))


def told(night: Night, people: Sequence[Entrant], again_at: int) -> Night:
    """The night in which a post calls these people. The next one comes at `again_at` (milliseconds) at the earliest."""
    called = {one.number for one in people}
    known = (one.news is not None and (one.is_told or one.number in called) for one in night.entrants)
    entrants = tuple(replace(one, is_told=is_told) for one, is_told in zip(night.entrants, known, strict=True))
    return replace(night, entrants=entrants, news_from=again_at)
