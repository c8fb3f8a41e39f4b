"""Detects another bot that uses the same token, such as one that was not stopped on another machine.

The nonces of this bot's posts have its tag. It is not known whether Discord sends nonces in its events; if not, only
presses reveal the other bot.
"""

import re
from collections import deque
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

import discord
import structlog

from bot.base.background import LruCache, Tasks
from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.base.times import MINUTE_MS
from bot.tables.cluster import NONCE_MS, NonceTags, NonceTagStore, ShardResource
from bot.tables.table_store import ServerFilter

RIVAL: Final = (
    "Another process uses this bot's token, so commands happen twice: stop the bot on the other machine, or reset the"
    " token in the developer portal and give the new one to this bot alone."
)
RIVAL_MS: Final = 10 * MINUTE_MS
"""A rival is taken to be gone so long after its last sign."""
_PRESSES: Final = 3
"""Presses answered elsewhere within a minute that reveal a rival.

A single one proves nothing: Discord may have an answer of this process although the connection was cut.
"""
_OWN_FORM: Final = re.compile(r"([0-9a-f]{4})-[0-9a-f]{20}")
_NAMES: Final = 1_000
"""The most posts whose nonces are kept, so that a retried post has the same one."""

_log = structlog.get_logger(__name__)


class Rivals(ShardResource):
    """Detects rivals by posts with foreign tags and by presses that were answered elsewhere."""

    def __init__(self, client: discord.Client, clock: Clock, store: NonceTagStore) -> None:
        self._client = client
        self._clock = clock
        self._store = store
        self._tags = NonceTags.first(clock.now())
        self._nonces = LruCache[str, tuple[str, int]](_NAMES)  # and when they were made
        self._presses: deque[tuple[int, int]] = deque(maxlen=_PRESSES)  # the id of a press, and when it was heard
        self._seen_at: int | None = None
        self._saving = Tasks()

    async def restore(self, _servers: ServerFilter) -> None:
        self._tags = await self._store.draw(self._clock.now())

    def nonce_of(self, name: str) -> str:
        """Return the nonce of a post, 25 characters long; retries have the same one as long as Discord remembers it."""
        now = self._clock.now()
        nonce, made_at = self._nonces.get(name, ("", 0))
        if now >= made_at + NONCE_MS:  # Discord has forgotten it
            nonce = f"{self._tags.of(now)}-{blake2b(name.encode(), digest_size=10).hexdigest()}"
            self._nonces[name] = nonce, now
        return nonce

    def hear_post(self, message: Mapping[str, Any]) -> None:
        """Look for a rival's tag in the event of a post."""
        found, user = _OWN_FORM.fullmatch(str(message.get("nonce"))), self._client.user
        if found is None or user is None or message["author"]["id"] != str(user.id):
            return
        if not self._tags.has(found[1], self._clock.now()):
            self._seen()

    def hear_press(self, press_id: int) -> None:
        """Count a press that was answered elsewhere."""
        if any(press_id == heard for heard, _ in self._presses):
            return
        self._presses.append((press_id, self._clock.now()))
        are_enough = len(self._presses) == _PRESSES and self._presses[-1][1] - self._presses[0][1] <= MINUTE_MS
        if are_enough or self.notice is not None:
            self._seen()

    @property
    def notice(self) -> str | None:
        """A sentence for the operator, until `RIVAL_MS` after the last sign of a rival; then None."""
        return None if self._seen_at is None or self._clock.now() - self._seen_at > RIVAL_MS else RIVAL

    def _seen(self) -> None:
        if self.notice is None:
            _log.warning("token.used_twice", problem=RIVAL)
        self._seen_at = self._clock.now()
        self._saving.start(self._save(self._seen_at))

    async def _save(self, at: int) -> None:
        try:
            await self._store.save_rival(at)
        except StoreError as error:
            _log.info("rival.not_saved", problem=str(error))
