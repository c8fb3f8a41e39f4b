"""The posts of a night in its channel, beside its own message.

`bot.ui.night.messages.night_posts` posts them.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.base.times import HOUR_MS, MINUTE_MS
from bot.discord.api import components as c
from bot.discord.pictures.illustrations import Illustrated, Look
from bot.discord.text.picture_words import rows_words
from bot.discord.text.texts import Texts
from bot.nights.changes import Duty
from bot.nights.formats import format_of
from bot.nights.night import Night, NightStatus
from bot.nights.people.sign_up import mark_notified, unnotified_entrants, unread
from bot.nights.planning.length import byes_per_round, ways_to_reduce_byes
from bot.nights.results.standings import standings, winners
from bot.nights.rounds import Entrant
from bot.ui.night import words as w
from bot.ui.night.board import go_on_screen, still_screen, unplaced_screen
from bot.ui.night.messages.recap import end_picture, films, recap, row_screen
from bot.ui.night.sign_up import (
    WAITING,
    changed_screen,
    check_in_screen,
    lost_role_screen,
    news_screen,
    rests_screen,
    waiting_screen,
)

REMIND_MS: Final = 15 * MINUTE_MS
"""Time before the start at which registered people are asked whether they come."""
CALL_ROLE_MS: Final = HOUR_MS
"""Time before the start at which the players' role is mentioned."""
NEWS_MS: Final = 2 * MINUTE_MS
"""How long news are collected for the next post that mentions people."""
DESERTED: Final = 2
"""Number of nights in a row without a player after which the host is asked whether the series goes on."""
IN_ONE_POST: Final = 80
"""Most people mentioned in one message."""

NEWS, ROLE, CHECK_IN, CHANGED, RESTS, LOST_ROLE = "news", "role", "check_in", "changed", "rests", "lost_role"
ASK_ON, UNPLACED, STILL, END, CANCELLED, RECAP = "ask_on", "unplaced", "still", "end", "cancelled", "recap"


@dataclass(frozen=True, slots=True)
class PostContext:
    """What a post shows that its night does not know.

    - `zone`: the server's time zone.
    - `role_id`: the server's role for players; None without one.
    - `next_at`: the start of the next planned night (milliseconds).
    - `host`: mentions the host of the night, or the people who may host it.
    - `row`: how many people came to the last nights of its format, this one at the end, if its recap shows that.
    - `league`: the standings of the night's league, once the night is over.
    """

    texts: Texts
    zone: str
    role_id: int | None = None
    next_at: int | None = None
    host: str | None = None
    row: Sequence[int] = ()
    league: str | None = None


@dataclass(frozen=True, kw_only=True)
class Post:
    """One kind of post.

    - `due`: returns from when on it is wanted (milliseconds); None: not, or no longer.
    - `look`: returns what it shows; None if there is nothing to say.
    - `where`: returns the channel's id.
    - `recipients`: returns whom it notifies. The look names the first of them; the others are mentioned in further
      messages, each with the `line`. Without `recipients` it notifies everybody whom the look names.
    - `key`: another key makes another post; None keeps the existing one. It may depend on the instant (milliseconds).
    - `then`: returns the night after the post has mentioned these people.
    - `stays`: it is not deleted once it is no longer wanted.
    - `is_for_members`: people who have left the server leave the night before it is posted.
    """

    kind: str
    due: Callable[[Night], int | None]
    look: Callable[[Night, PostContext], Look | None]
    where: Callable[[Night], int] = lambda night: night.plan.channel_id
    recipients: Callable[[Night], Sequence[Entrant]] | None = None
    line: Callable[[Night, Texts], str] | None = None
    key: Callable[[Night, int], Hashable] = lambda _night, _now: 0
    then: Callable[[Night, Sequence[Entrant], int], Night] = lambda night, _entrants, _now: night
    stays: bool = False
    is_for_members: bool = False


def _while_planned(night: Night, at: int | None) -> int | None:
    return at if night.status is NightStatus.PLANNED else None


def _role_due(night: Night) -> int | None:
    return _while_planned(night, night.plan.starts_at - CALL_ROLE_MS if night.plan.calls_role else None)


def _role_look(night: Night, context: PostContext) -> str | None:
    if context.role_id is None:
        return None
    link = c.link_to(night.guild_id, night.plan.post_channel, night.message_id)
    return f"<@&{context.role_id}>\n{w.begins_line(night.plan, context.texts)} {link}"


def _check_in_due(night: Night) -> int | None:
    at = night.plan.starts_at - REMIND_MS
    is_wanted = night.post(CHECK_IN) is not None or any(entrant.joined_at < at for entrant in night.present)
    return _while_planned(night, at if is_wanted else None)


def _waiting_due(night: Night) -> int | None:
    """Return the planned start while too few people have come."""
    is_wanted = format_of(night).opens_at(night) is None
    return _while_planned(night, night.plan.starts_at if is_wanted else None)


def _rests_due(night: Night) -> int | None:
    """Return 0 from the check-in on while it is possible to have fewer byes; else None."""
    people = len(night.present)
    is_wanted = night.post(CHECK_IN) is not None and any(ways_to_reduce_byes(night.plan, people))
    return _while_planned(night, 0 if is_wanted else None)


def _changed_due(night: Night) -> int | None:
    """Return when a change is announced; the check-in announces it, too."""
    check_in = night.post(CHECK_IN)
    is_notified = check_in is not None and check_in.key == str(night.changed)
    return _while_planned(night, None if night.changed is None or is_notified or not night.unconfirmed else 0)


def _end_look(night: Night, context: PostContext) -> Illustrated:
    """Return the podium, below all tables, with links to the board, and to the films of a night without a host."""
    texts, lines, won = context.texts, standings(night), winners(night)
    sentence = texts.t("🌙 The night is over.")
    if won:
        first = (line.entrants for line in lines if set(line.entrants) <= set(won))
        names = " · ".join(w.names_of(night, entrants) for entrants in first)
        sentence = texts.n("🏆 **{names}** wins the night!", "🏆 **{names}** win the night!", len(won), names=names)
    link = c.link_to(night.guild_id, night.plan.post_channel, night.message_id)
    picture = end_picture(night, lines, context.zone, texts)
    film_parts = films(night, texts) if Duty.HONOUR in night.done else []
    podium_text = c.text(f"{sentence} {link}", context.league)
    return Illustrated(c.layout(podium_text, *film_parts, colour=c.GOLD), picture, rows_words(picture))


def _cancelled_line(night: Night, texts: Texts) -> str:
    sentence = texts.t("The night “{title}” is cancelled.", title=w.title_of(night.plan))
    return "\n".join(filter(None, (sentence, w.reason_of(night))))


def _cancelled_look(night: Night, context: PostContext) -> Illustrated | None:
    if not night.signed_up:
        return None
    people = w.mentions(night.signed_up[:IN_ONE_POST])
    return Illustrated(c.layout(c.text(people, _cancelled_line(night, context.texts)), colour=c.GREY))


def _recap_look(night: Night, context: PostContext) -> Illustrated | None:
    if Duty.HONOUR in night.done:
        return Illustrated(row_screen(night, context.row, context.next_at, context.texts)) if context.row else None
    return recap(night, night.honours, context.next_at, context.zone, context.texts, context.league)


POSTS: Final = (
    Post(
        kind=NEWS,
        due=lambda night: night.news_from if unnotified_entrants(night) else 0 if unread(night) else None,
        look=lambda night, context: Illustrated(news_screen(
            night, sorted(unread(night), key=lambda entrant: entrant.is_notified)[:IN_ONE_POST], context.texts
        )),
        where=lambda night: night.plan.post_channel,
        recipients=lambda night: unnotified_entrants(night)[:IN_ONE_POST],
        key=lambda night, now: night.version if unnotified_entrants(night) and night.news_from <= now else None,
        then=lambda night, entrants, now: mark_notified(night, entrants, now + NEWS_MS),
    ),
    Post(kind=ROLE, due=_role_due, look=_role_look, key=lambda night, _now: night.plan.starts_at // MINUTE_MS),
    Post(
        kind=CHECK_IN,
        due=_check_in_due,
        look=lambda night, context: Illustrated(check_in_screen(night, context.texts, IN_ONE_POST)),
        recipients=lambda night: night.signed_up,
        line=lambda night, texts: w.begins_line(night.plan, texts),
        key=lambda night, _now: night.changed,
        then=lambda night, _entrants, _now: night.open_check_in(),
        is_for_members=True,
    ),
    Post(
        kind=WAITING,
        due=_waiting_due,
        look=lambda night, context: Illustrated(waiting_screen(night, context.texts)),
    ),
    Post(
        kind=RESTS,
        due=_rests_due,
        look=lambda night, context: Illustrated(rests_screen(night, context.texts, context.host)),
        key=lambda night, _now: byes_per_round(night.plan, len(night.present)),
    ),
    Post(
        kind=CHANGED,
        due=_changed_due,
        look=lambda night, context: Illustrated(changed_screen(night, context.texts, IN_ONE_POST)),
        recipients=lambda night: night.unconfirmed,
        line=lambda night, texts: w.changed_line(night.plan, texts),
        key=lambda night, _now: night.changed,
    ),
    Post(
        kind=ASK_ON,
        due=lambda night: _while_planned(night, 0 if night.deserted >= DESERTED else None),
        look=lambda night, context: Illustrated(go_on_screen(night, context.texts, context.host)),
    ),
    Post(
        kind=LOST_ROLE,
        due=lambda night: _while_planned(night, 0 if night.has_lost_role else None),
        look=lambda night, context: Illustrated(lost_role_screen(night, context.texts, context.host)),
    ),
    Post(
        kind=UNPLACED,
        due=lambda night: 0 if night.is_unplaced else None,
        look=lambda night, context: Illustrated(unplaced_screen(night, context.texts, context.host)),
        where=lambda night: night.plan.post_channel,
    ),
    Post(
        kind=STILL,
        due=lambda night: 0 if night.tables_awaiting_host else None,
        look=lambda night, context: Illustrated(still_screen(night, context.texts, context.host)),
        key=lambda night, _now: None if night.post(STILL) else night.version,
    ),
    Post(
        kind=END,
        due=lambda night: 0 if night.status is NightStatus.OVER else None,
        look=_end_look,
        stays=True,
    ),
    Post(
        kind=CANCELLED,
        due=lambda night: 0 if night.status is NightStatus.CANCELLED else None,
        look=_cancelled_look,
        recipients=lambda night: night.signed_up,
        line=_cancelled_line,
        stays=True,
    ),
    Post(
        kind=RECAP,
        due=lambda night: 0 if night.status is NightStatus.OVER and Duty.RECAP in night.done else None,
        look=_recap_look,
        stays=True,
    ),
)  # fmt: skip
"""Their order matters: what one post announces may be no news for the next."""
