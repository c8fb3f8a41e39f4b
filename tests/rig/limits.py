"""Discord's rate limits, as far as the bot meets them: what a call costs, its headers, and the refusal.

The values are those that the face of the bot is planned for: 5 posts and edits in 5 s for a channel, 5 requests in
2 s for the token of an interaction, 50 requests a second in all. Answers to interactions are free.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

OVERALL: Final = (50, 1.0)
CHANNEL: Final = (5, 5.0)
TOKEN: Final = (5, 2.0)

_MESSAGES: Final = re.compile(r"/channels/(\d+)/messages(/\d+)?")
_WEBHOOK: Final = re.compile(r"/webhooks/\d+/([^/]+)(/.*)?")
_CALLBACK: Final = re.compile(r"/interactions/\d+/[^/]+/callback")


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
        """Seconds until the window closes."""
        return max(0.0, self.opened + self.seconds - now)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the limits say to one request: headers for its answer, and, if it is refused, how long to wait."""

    headers: dict[str, str]
    retry_after: float | None = None
    is_global: bool = False


class RateLimits:
    """All buckets of one bot."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._overall = Bucket(*OVERALL)
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def spend(self, method: str, path: str) -> Verdict:
        """Count one request. ``path`` is Discord's, without the version."""
        if _CALLBACK.fullmatch(path):
            return Verdict({})
        now = self._now()
        key = _bucket(method, path)
        bucket = None if key is None else self._buckets.setdefault(key, Bucket(*(CHANNEL, TOKEN)[key[0] == "token"]))
        if not self._overall.spend(now):
            wait = self._overall.reset_after(now)
            return refusal(wait, is_global=True)
        if key is None or bucket is None:
            return Verdict({})
        is_within = bucket.spend(now)
        wait = bucket.reset_after(now)
        headers = {
            "X-RateLimit-Limit": str(bucket.limit),
            "X-RateLimit-Remaining": str(bucket.limit - bucket.used),
            "X-RateLimit-Reset": f"{time.time() + wait:.3f}",
            "X-RateLimit-Reset-After": f"{wait:.3f}",
            "X-RateLimit-Bucket": key[0],
        }
        return Verdict(headers) if is_within else Verdict({**headers, **refusal(wait).headers}, wait)


def _bucket(method: str, path: str) -> tuple[str, str] | None:
    """Posting and editing in one channel share a bucket, as do all uses of an interaction's token."""
    if method in ("POST", "PATCH") and (found := _MESSAGES.fullmatch(path)):
        return "channel", found[1]
    if found := _WEBHOOK.fullmatch(path):
        return "token", found[1]
    return None


def refusal(wait: float, *, is_global: bool = False) -> Verdict:
    """A 429 that tells to wait for so many seconds."""
    headers = {"Retry-After": f"{wait:.3f}", "X-RateLimit-Scope": "global" if is_global else "user", "Via": "1.1 rig"}
    return Verdict({**headers, **({"X-RateLimit-Global": "true"} if is_global else {})}, wait, is_global)
