"""Discord's rate limits, as far as a bot of this kind meets them: what a call costs, its headers, and the refusal.

What nobody here knows of the real Discord is a switch of `Assumptions`: `STRICT` is as Discord would be if every fear
came true.

Sources: https://discord.com/developers/docs/topics/rate-limits says that 50 requests a second are for all that
carries a bot's token, that "interaction endpoints are not bound to the bot's Global Rate Limit", and what the headers
say. https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages says that webhooks of
interactions "share the same rate limit properties as normal webhooks", which carry no bot's token.

Numbers for single routes are left out on purpose (https://github.com/discord/discord-api-docs/issues/4413): those of
`BUCKETS` are what the headers have told bots, as https://javacord.org/wiki/advanced-topics/ratelimits.html lists.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from hashlib import blake2s
from typing import Final

from tests.rig.assumptions import PLAIN, Assumptions, Window

STRICT: Final = Assumptions(
    of_address=50,
    counts_answers=True,
    of_channel=(30, 60.0),
    of_threads=(10, 220.0),
    limits_old_tokens=True,
    refuses_emojis=0.04,
    refuses_kept_files=True,
    asks_for_members=True,
    blocks_buttons=True,
    hides_nonces=True,
    disorder_s=0.2,
)


def feared() -> dict[str, Assumptions]:
    """Each fear by itself, by its name."""
    return {one.name: replace(PLAIN, **{one.name: getattr(STRICT, one.name)}) for one in fields(Assumptions)}


OVERALL: Final = (50, 1.0)
INVALID: Final = (10_000, 600.0)
BUCKETS: Final[dict[str, Window]] = {
    "channel": (5, 5.0),  # posts and edits of a channel share a bucket
    "deletion": (5, 1.0),
    "token": (5, 2.0),  # all uses of an interaction's token
    "thread": (50, 300.0),
    "role": (10, 10.0),
    "emoji": (50, 3_600.0),
}
"""So many requests in so many seconds, by kind; each channel, token, guild or application has a bucket of its own.

Uploads of emojis: https://github.com/discord/discord-api-docs/issues/2250 tells of the hour, and
https://github.com/remoji-bot/remoji-bot/issues/9 of the number, both of a guild's. An application's are not known.
"""
OLD_EDITS: Final = (3, 6.0)
"""Edits of messages that are older than an hour, per channel; a sub-limit of the bucket, so its headers do not show it.

Sources: 30046 in https://discord.com/developers/docs/topics/opcodes-and-status-codes#json, and
https://github.com/discord-userdoccers/discord-userdoccers/pull/551.
"""
OLD_MS: Final = 3_600_000

_ROUTES: Final = (
    (("POST", "PATCH"), re.compile(r"/channels/(\d+)/messages(?:/\d+)?"), "channel"),
    (("DELETE",), re.compile(r"/channels/(\d+)/messages/\d+"), "deletion"),
    (("POST",), re.compile(r"/channels/(\d+)/(?:messages/\d+/)?threads"), "thread"),
    (("PUT", "DELETE"), re.compile(r"/guilds/(\d+)/members/\d+/roles/\d+"), "role"),
    (("POST",), re.compile(r"/applications/(\d+)/emojis"), "emoji"),
)
_WEBHOOK: Final = re.compile(r"/webhooks/\d+/([^/]+)(/.*)?")
_CALLBACK: Final = "/interactions/"


@dataclass(slots=True)
class Bucket:
    """So many requests in a window that opens with the first of them."""

    limit: int
    seconds: float
    opened: float = float("-inf")
    used: int = 0

    def spend(self, now: float) -> bool:
        """Whether the request is within the limit; a refused one costs nothing."""
        if now - self.opened >= self.seconds:
            self.opened, self.used = now, 0
        if self.used >= self.limit:
            return False
        self.used += 1
        return True

    def reset_after(self, now: float) -> float:
        return max(0.0, self.opened + self.seconds - now)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the limits say to one request: headers for its answer, and, if it is refused, how long to wait."""

    headers: dict[str, str]
    retry_after: float | None = None
    is_global: bool = False
    is_page: bool = False
    """Discord's shield answers with a page, and without headers of limits."""


class RateLimits:
    """All buckets of one bot. ``now`` gives seconds, ``channel_of`` the channel of a token.

    After ``most_invalid`` refusals in ten minutes everything is refused.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        assumptions: Assumptions = PLAIN,
        channel_of: Callable[[str], int | None] = lambda _token: None,
        *,
        most_invalid: int = INVALID[0],
    ) -> None:
        self._now = now
        self._assumptions = assumptions
        self._channel_of = channel_of
        self._invalid = Bucket(most_invalid, INVALID[1])
        self._overall = Bucket(*OVERALL)
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._old: dict[int, Bucket] = {}

    def spend(self, method: str, path: str) -> Verdict:
        """Count one request. ``path`` is Discord's, without the version."""
        now, assumed, is_answer = self._now(), self._assumptions, path.startswith(_CALLBACK)
        if self.has_shut_out:
            return Verdict({}, self._invalid.reset_after(now), is_page=True)
        kind, owner = _bucket(method, path) or ("", "")
        if is_answer:
            return (self._refused_for_address(now) if assumed.counts_answers else None) or Verdict({})
        if kind != "token" and not self._overall.spend(now):
            return refusal(self._overall.reset_after(now), is_global=True)
        if not kind:
            return Verdict({})
        silent = {"token": assumed.of_channel, "thread": assumed.of_threads}.get(kind)
        if silent is not None:
            hidden = self._bucket(f"all of {kind}", str(self._channel_of(owner)) if kind == "token" else owner, silent)
            if not hidden.spend(now):
                return refusal(hidden.reset_after(now), scope="shared")
        bucket = self._bucket(kind, owner, BUCKETS[kind])
        is_within = bucket.spend(now)
        if is_within and kind == "token" and (refused := self._refused_for_address(now)) is not None:
            return refused
        wait = bucket.reset_after(now)
        headers = {
            "X-RateLimit-Limit": str(bucket.limit),
            "X-RateLimit-Remaining": str(bucket.limit - bucket.used),
            "X-RateLimit-Reset": f"{time.time() + wait:.3f}",
            "X-RateLimit-Reset-After": f"{wait:.3f}",
            "X-RateLimit-Bucket": _HASHES[kind],
        }
        return Verdict(headers) if is_within else Verdict({**headers, **refusal(wait).headers}, wait)

    def _refused_for_address(self, now: float) -> Verdict | None:
        """What an address may do without a token of a bot is counted last: what its bucket refuses counts nowhere."""
        if not (most := self._assumptions.of_address):
            return None
        of_address = self._bucket("address", "", (most, 1.0))
        return None if of_address.spend(now) else refusal(of_address.reset_after(now), is_global=True)

    def _bucket(self, kind: str, owner: str, window: Window) -> Bucket:
        bucket = self._buckets.get((kind, owner))
        if bucket is None:
            bucket = self._buckets[kind, owner] = Bucket(*window)
        return bucket

    def shut_out(self) -> None:
        """As after ``most_invalid`` refusals, which another program of the same address may have had."""
        self._invalid.opened, self._invalid.used = self._now(), self._invalid.limit

    def let_in(self) -> None:
        self._invalid.used = 0

    @property
    def has_shut_out(self) -> bool:
        return self._invalid.used >= self._invalid.limit and self._invalid.reset_after(self._now()) > 0

    def answered(self, status: int, scope: str | None) -> None:
        """Count an answer that Discord calls invalid."""
        if status in (401, 403) or (status == 429 and scope != "shared"):
            self._invalid.spend(self._now())

    def spend_old_edit(self, channel_id: int) -> float | None:
        """Count the edit of a message that is older than an hour; how many seconds to wait if it is refused."""
        now, bucket = self._now(), self._old.setdefault(channel_id, Bucket(*OLD_EDITS))
        return None if bucket.spend(now) else bucket.reset_after(now)


def refusal(wait: float, *, is_global: bool = False, scope: str = "user") -> Verdict:
    """A 429 that tells to wait for so many seconds. discord.py takes one without ``Via`` for a ban by Cloudflare."""
    told = "global" if is_global else scope
    headers = {"Retry-After": f"{wait:.3f}", "X-RateLimit-Scope": told, "Via": "1.1 rig"}
    return Verdict({**headers, **({"X-RateLimit-Global": "true"} if is_global else {})}, wait, is_global)


def _bucket(method: str, path: str) -> tuple[str, str] | None:
    if path.startswith("/webhooks/"):
        found = _WEBHOOK.fullmatch(path)
        return None if found is None else ("token", found[1])
    for methods, shape, kind in _ROUTES:
        if method in methods and (found := shape.fullmatch(path)):
            return kind, found[1]
    return None


_HASHES: Final = {kind: blake2s(kind.encode(), digest_size=16).hexdigest() for kind in BUCKETS}
