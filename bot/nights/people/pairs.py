"""Who plays with whom: partners asked for, found and parted before and during a night of pairs.

Each function returns the night after a change, or raises NightRefusedError.
"""

from dataclasses import replace

from bot.nights.changes import NightCode, NightRefusedError, refuse_if
from bot.nights.night import Night, NightStatus
from bot.nights.people.sign_up import taking_part, with_news
from bot.nights.rounds import Entrant, News, Presence


def seek(night: Night, user_id: int, *, seeks: bool = True) -> Night:
    return night.with_entrant(replace(_free_to_pair(night, user_id), seeks_partner=seeks))


def ask(night: Night, user_id: int, other: int) -> Night:
    """Ask the entrant `other` to be one's partner; who is asked by them already accepts with it."""
    own = _free_to_pair(night, user_id)
    asked = night.entrant(other)
    if asked is None or asked.presence is Presence.OUT:
        raise NightRefusedError(NightCode.UNKNOWN_ENTRANT)
    refuse_if(asked.number == own.number, NightCode.ITSELF)
    refuse_if(asked.partner is not None, NightCode.HAS_PARTNER)
    if asked.asks == own.number:
        return accept(night, user_id, other)
    return with_news(night, other, News.ASKED).with_entrant(replace(own, asks=other))


def accept(night: Night, user_id: int, other: int) -> Night:
    own = _free_to_pair(night, user_id)
    asking = night.entrant(other)
    if asking is None or asking.asks != own.number:
        raise NightRefusedError(NightCode.NOT_ASKED)
    return with_news(night.paired(own.number, other), other, News.ACCEPTED)


def decline(night: Night, user_id: int, other: int) -> Night:
    """Decline the entrant `other`, who has asked; with oneself as `other`: take one's own question back."""
    own = night.entrant_of(user_id)
    asking = night.entrant(other)
    if own is None or asking is None or asking.asks is None or own.number not in (asking.asks, asking.number):
        raise NightRefusedError(NightCode.NOT_ASKED)
    free = night.with_entrant(replace(asking, asks=None))
    return free if asking == own else with_news(free, other, News.REFUSED)


def take_robot(night: Night, user_id: int) -> Night:
    """Play with a robot rather than rest."""
    return night.with_entrant(replace(_free_to_pair(night, user_id), takes_robot=True))


def part(night: Night, user_id: int, partner: int) -> Night:
    """Part from the entrant `partner`, and from nobody else."""
    own = taking_part(night, user_id)
    refuse_if(night.status is not NightStatus.PLANNED, NightCode.HAS_BEGUN)
    refuse_if(own.partner is None, NightCode.NO_PARTNER)
    refuse_if(own.partner != partner, NightCode.CHANGED_MEANWHILE)
    return night.parted(own.number)


def _free_to_pair(night: Night, user_id: int) -> Entrant:
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    refuse_if(not night.plan.format.has_pairs, NightCode.NO_PAIRS)
    own = taking_part(night, user_id)
    refuse_if(own.partner is not None, NightCode.HAS_PARTNER)
    return own
