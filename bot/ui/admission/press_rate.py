"""How fast one person may act: a token bucket for each, filled by Discord's clock."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

BURST: Final = 20
"""Presses that may come at once: ten exchanges."""
PER_SECOND: Final = 5.0
"""Presses that may go on for ever; at eight a second a full bucket lasts seven seconds."""
TOLD_AGAIN_MS: Final = 10_000


class RateVerdict(Enum):
    ADMITTED = auto()
    TOLD = auto()  # too fast: the person reads so
    HUSHED = auto()  # too fast, and told not long ago


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: int
    told_at: int | None = None


class PressRate:
    """All buckets, but for those of idle people, which are full."""

    def __init__(self, burst: int = BURST, per_second: float = PER_SECOND) -> None:
        self._burst = burst
        self._per_ms = per_second / 1000
        self._idle_ms = max(TOLD_AGAIN_MS, burst / self._per_ms)
        self._buckets: dict[int, _Bucket] = {}  # those used last are last

    @property
    def remembered(self) -> int:
        return len(self._buckets)

    def judge(self, user_id: int, made_at: int) -> RateVerdict:
        """Judge what somebody did at that instant (milliseconds), and count it if it is admitted."""
        self._forget_idle(made_at)
        bucket = self._buckets.pop(user_id, None) or _Bucket(self._burst, made_at)
        self._buckets[user_id] = bucket
        since = max(0, made_at - bucket.at)  # what overtook it on its way has filled the bucket already
        bucket.at += since
        bucket.tokens = min(self._burst, bucket.tokens + since * self._per_ms)
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return RateVerdict.ADMITTED
        if bucket.told_at is not None and bucket.at - bucket.told_at < TOLD_AGAIN_MS:
            return RateVerdict.HUSHED
        bucket.told_at = bucket.at
        return RateVerdict.TOLD

    def _forget_idle(self, now: int) -> None:
        while self._buckets:
            user_id, bucket = next(iter(self._buckets.items()))
            if now - bucket.at < self._idle_ms:
                return
            del self._buckets[user_id]
