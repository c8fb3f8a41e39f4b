"""Reconciles the posts of nights with what should be posted.

A due post is posted once, an existing one edited; one that is no longer wanted, or whose key has changed, is deleted.
`Night.posts` has the existing ones, so a restart finds them again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import structlog

from bot.base.times import MINUTE_MS
from bot.base.worker import Workers
from bot.discord.messages.live_message import NOT_NOW, LiveMessage
from bot.discord.messages.notices import Notice
from bot.discord.messages.posted_message import ALL_MENTIONED, LiveContext, MessageAddress, Recipients
from bot.discord.pictures.illustrations import Look
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.text.texts import texts_for
from bot.nights.night import Night
from bot.nights.posts import NightPost
from bot.nights.rounds import Entrant
from bot.nights.steps import remove_members
from bot.tables.nights.live_nights import LiveNights
from bot.ui.night.messages.posts import IN_ONE_POST, POSTS, Post, PostContext
from bot.ui.night.words import mentions

RETRY_MS: Final = 30_000
"""Time after which a refused post is retried."""
TRIED_MS: Final = 10 * MINUTE_MS
"""How long a message of the host is retried."""
_MOST: Final = 2_000
"""Most characters of a message."""
_WIDEST: Final = 23
"""Number of characters of a mention and the space after it."""

_log = structlog.get_logger(__name__)


Calls = list[tuple[Notice, int]]
"""Messages that mention people, and how many each one mentions."""


def outcome_of(calls: Calls) -> int | DiscordRefusal:
    """Return how many people these messages mention, or why not all of them are mentioned."""
    refusals = (message.refusal or NOT_NOW for message, _ in calls if message.address.message_id is None)
    return next(refusals, sum(count for _, count in calls))


@dataclass(eq=False)
class NightPosts:
    """The posts of all nights of this process; each night has a worker.

    - `_gone`: asks Discord which people of a night have left the server.
    """

    _context: LiveContext
    _nights: LiveNights
    _post_context: Callable[[Night], Awaitable[PostContext]]
    _gone: Callable[[Night], Awaitable[Collection[int]]]
    _standing: dict[int, dict[str, Notice]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        clock = self._context.clock
        self._workers = Workers(clock, "night_posts", self._keep, retry_ms=RETRY_MS, label="night")

    def changed(self, night: Night) -> None:
        """Reconcile the posts of a night that has changed."""
        self._workers.wake(night.id)

    async def write(self, calls: Calls) -> None:
        """Post these messages, with retries for at most `TRIED_MS`."""
        until = self._context.clock.now() + TRIED_MS
        while True:
            written = [await is_written(message) for message, _ in calls]
            if all(written) or self._context.clock.now() >= until:
                return
            await asyncio.sleep(RETRY_MS / 1000)

    def calls(self, night: Night, nonce: str, line: str, people: Sequence[Entrant]) -> Calls:
        """Return messages with a line and mentions of these people above it, each with how many it mentions.

        With the same `nonce`, a retry posts none of them twice; other messages have other nonces.
        """
        step, calls = min(IN_ONE_POST, (_MOST - len(line)) // _WIDEST), list[tuple[Notice, int]]()
        for start in range(0, len(people), step):
            called = people[start : start + step]
            sentence, part = f"{mentions(called) or ''}\n{line}", f"n{night.id}.{nonce}.{start}"
            calls.append((self._notice(night, night.plan.channel_id, sentence, part), len(called)))
        return calls

    def forget(self, night_id: int) -> None:
        """Stop writing about a night: another process takes it over."""
        self._workers.drop(night_id)
        for message in self._standing.pop(night_id, {}).values():
            message.stop()

    async def stop(self) -> None:
        """Stop writing. What is posted stays."""
        await self._workers.stop()
        for standing in self._standing.values():
            for message in standing.values():
                message.stop()

    async def _keep(self, night_id: int) -> int | None:
        """Reconcile the posts of a night. Return when to check again (milliseconds); None: after a change."""
        now, times, post_context = self._context.clock.now(), list[int](), None
        for post in POSTS:
            night = self._nights.night(night_id)  # a post before may have changed it
            if night is None:
                self._workers.drop(night_id)
                self._standing.pop(night_id, None)
                return None
            at, standing, key = post.due(night), night.post(post.kind), post.key(night, now)
            is_another = key is not None and standing is not None and str(key) != standing.key
            is_done = True
            if standing is not None and (at is None or is_another) and not post.stays:
                is_done, standing = await self._delete(night, post, standing), None
            if at is not None and at > now:
                times.append(at)
            elif at is not None and is_done:
                post_context = post_context or await self._post_context(night)
                if standing is None:
                    is_done = await self._post(night, post, str(key), post_context, now)
                elif standing.message_ids:
                    self._message(night, post, standing).show(post.look(night, post_context))
            if not is_done:
                times.append(now + RETRY_MS)
        return min(times, default=None)

    async def _post(self, night: Night, post: Post, key: str, post_context: PostContext, now: int) -> bool:
        """Post, edit or delete one post. Return False if that is to be retried."""
        if post.is_for_members and (gone := night.people & frozenset(await self._gone(night))):
            await self._nights.update(night.id, lambda latest: remove_members(latest, gone))
            return False  # another person may have signed up
        entrants = () if post.recipients is None else tuple(post.recipients(night))
        look = post.look(post.then(night, entrants, now), post_context)
        ids = list[int]()
        if look is not None:
            nonce = f"{post.kind}{key}"
            if post.line is not None:
                line = post.line(night, texts_for(night.locale))
                for call, _ in self.calls(night, nonce, line, entrants[IN_ONE_POST:]):
                    if not await is_written(call):
                        return False
                    ids += _ids(call)
            users = [entrant.user_id for entrant in entrants if entrant.user_id is not None]
            recipients = ALL_MENTIONED if post.recipients is None else Recipients(users)
            name = f"n{night.id}.{nonce}"
            message = self._notice(night, post.where(night), look, name, recipients=recipients)
            if not await is_written(message):
                return False
            if own := _ids(message):
                ids += own
                self._standing.setdefault(night.id, {})[post.kind] = message
        posted = NightPost(post.kind, key, tuple(ids))
        await self._nights.update(night.id, lambda latest: post.then(latest, entrants, now).with_post(posted))
        return True

    def _notice(
        self,
        night: Night,
        channel_id: int,
        content: Look | None,
        nonce: str = "",
        *,
        message_id: int | None = None,
        recipients: Recipients = ALL_MENTIONED,
    ) -> Notice:
        """Return the message of a post. It is deleted once it shows nothing."""
        address, texts = MessageAddress(night.guild_id, channel_id, message_id), texts_for(night.locale)
        about = {"night": night.id}
        return Notice(self._context, about, texts, address, say=lambda: content, nonce=nonce, recipients=recipients)

    def _message(self, night: Night, post: Post, standing: NightPost) -> Notice:
        known = self._standing.setdefault(night.id, {})
        if post.kind not in known:  # after a restart
            known[post.kind] = self._notice(night, post.where(night), None, message_id=standing.message_ids[-1])
        return known[post.kind]

    async def _delete(self, night: Night, post: Post, standing: NightPost) -> bool:
        *others, last = standing.message_ids or (None,)
        gone = [self._notice(night, night.plan.channel_id, None, message_id=post_id) for post_id in others]
        if last is not None:
            gone.append(self._message(night, post, standing))
        for message in gone:
            message.say = lambda: None
            if not await is_written(message):
                return False
        self._standing.get(night.id, {}).pop(post.kind, None)
        await self._nights.update(night.id, lambda latest: latest.without_post(post.kind))
        return True


def is_complete(night: Night) -> bool:
    """Return whether all required posts of a night exist."""
    return all(post.due(night) is None or night.post(post.kind) is not None for post in POSTS)


async def is_written(message: LiveMessage) -> bool:
    """Update a message at once. Return False if that may be retried later."""
    return await message.try_write() and (message.is_over or message.address.message_id is not None)


def _ids(message: LiveMessage) -> list[int]:
    return [] if message.address.message_id is None else [message.address.message_id]
