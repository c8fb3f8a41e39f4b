"""Partners in a night of pairs, or of two people: requested, found and separated, before and during the night.

Each function returns the night after a change, or raises NightRefusedError.
"""

from dataclasses import replace

from bot.nights.changes import NightCode, NightRefusedError, refuse_if
from bot.nights.night import Night, NightStatus
from bot.nights.people.sign_up import require_entrant, with_news
from bot.nights.rounds import Entrant, News, Presence


def seek(night: Night, user_id: int, *, seeks: bool = True) -> Night:
    """Return the night in which a user looks for a partner, or no longer does."""
    return night.with_entrant(replace(_free_to_pair(night, user_id), seeks_partner=seeks))


def ask(night: Night, user_id: int, other: int) -> Night:
    """Return the night after a user has asked an entrant to be their partner; requests in both directions pair them.

    Raises:
        NightRefusedError: One of them is unknown, has left, or has a partner.
    """
    own = _free_to_pair(night, user_id)
    candidate = night.entrant(other)
    if candidate is None or candidate.presence is Presence.OUT:
        raise NightRefusedError(NightCode.UNKNOWN_ENTRANT)
    refuse_if(candidate.number == own.number, NightCode.ITSELF)
    refuse_if(candidate.partner is not None, NightCode.HAS_PARTNER)
    if candidate.asks == own.number:
        return accept(night, user_id, other)
    return with_news(night, other, News.ASKED).with_entrant(replace(own, asks=other))


def accept(night: Night, user_id: int, other: int) -> Night:
    """Return the night after a user has accepted the partner request of an entrant.

    Raises:
        NightRefusedError: The request was withdrawn.
    """
    own = _free_to_pair(night, user_id)
    asking = night.entrant(other)
    if asking is None or asking.asks != own.number:
        raise NightRefusedError(NightCode.NOT_ASKED)
    return with_news(night.pair(own.number, other), other, News.ACCEPTED)


def decline(night: Night, user_id: int, other: int) -> Night:
    """Return the night after a user has declined a request by `other`; their own number withdraws their own request.

    Raises:
        NightRefusedError: There is no such request.
    """
    own = night.entrant_of(user_id)
    asking = night.entrant(other)
    if own is None or asking is None or asking.asks is None or own.number not in (asking.asks, asking.number):
        raise NightRefusedError(NightCode.NOT_ASKED)
    free = night.with_entrant(replace(asking, asks=None))
    return free if asking == own else with_news(free, other, News.REFUSED)


def take_robot(night: Night, user_id: int) -> Night:
    """Return the night in which a user plays with a robot rather than sit out."""
    return night.with_entrant(replace(_free_to_pair(night, user_id), takes_robot=True))


def part(night: Night, user_id: int, partner: int) -> Night:
    """Return the night after a user has left their partner."""
    own = require_entrant(night, user_id)
    refuse_if(night.status is not NightStatus.PLANNED, NightCode.HAS_BEGUN)
    refuse_if(own.partner is None, NightCode.NO_PARTNER)
    refuse_if(own.partner != partner, NightCode.CHANGED_MEANWHILE)
    return night.unpair(own.number)


def _free_to_pair(night: Night, user_id: int) -> Entrant:
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    refuse_if(not night.chooses_partners, NightCode.NO_PAIRS)
    own = require_entrant(night, user_id)
    refuse_if(own.partner is not None, NightCode.HAS_PARTNER)
    return own
