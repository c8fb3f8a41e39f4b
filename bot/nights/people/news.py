"""What is new for the people of a night, and which of them a post calls to their own panel."""

from collections.abc import Sequence
from dataclasses import replace

from bot.nights.night import Night
from bot.nights.rounds import Entrant, News


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
