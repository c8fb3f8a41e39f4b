"""Notices another process that uses this bot's token, such as one on a server that was not stopped.

The nonces of this bot's posts carry its tag. It is not known whether Discord tells nonces in its events: where it does
not, presses alone show another process.
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
"""So long after its last sign a rival is taken to be gone."""
_PRESSES: Final = 3
"""So many presses in a minute that were answered elsewhere show another process.

A single one proves nothing: Discord may have an answer of this process whose receipt was lost.
"""
_OWN_FORM: Final = re.compile(r"([0-9a-f]{4})-[0-9a-f]{20}")
_NAMES: Final = 1_000
"""Names of posts whose nonces are kept, so that a post which is tried again has its first one."""

_log = structlog.get_logger(__name__)


class Rivals(ShardResource):
    """Notices other processes that use the bot's token, by the nonces of messages that this bot did not post."""

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
        """Return the nonce of a post, which has 25 characters: the same for each try of the post."""
        now = self._clock.now()
        nonce, made_at = self._nonces.get(name, ("", 0))
        if now >= made_at + NONCE_MS:  # Discord has forgotten it
            nonce = f"{self._tags.of(now)}-{blake2b(name.encode(), digest_size=10).hexdigest()}"
            self._nonces[name] = nonce, now
        return nonce

    def hear_post(self, message: Mapping[str, Any]) -> None:
        """Read who has posted a message, by Discord's event: this bot, with a tag that is not its own?"""
        found, user = _OWN_FORM.fullmatch(str(message.get("nonce"))), self._client.user
        if found is None or user is None or message["author"]["id"] != str(user.id):
            return
        if not self._tags.has(found[1], self._clock.now()):
            self._seen()

    def hear_press(self, press_id: int) -> None:
        """Count a press that another process has answered first."""
        if any(press_id == heard for heard, _ in self._presses):
            return
        self._presses.append((press_id, self._clock.now()))
        are_enough = len(self._presses) == _PRESSES and self._presses[-1][1] - self._presses[0][1] <= MINUTE_MS
        if are_enough or self.notice is not None:
            self._seen()

    @property
    def notice(self) -> str | None:
        """What the operator should know, until `RIVAL_MS` after the rival's last sign."""
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
