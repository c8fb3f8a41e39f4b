"""Counts what members and servers request against the allowances of `admission.allowances`.

An allowance is spent before anything is made; if others would see it, a ban is checked as well.
"""

import asyncio
import math
from functools import partial
from typing import Final

import discord

from bot.base.background import LruCache
from bot.base.clock import Clock
from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.interactions.admission.allowances import Allowance, Quota
from bot.discord.interactions.admission.rights import manages_server
from bot.discord.text.texts import mark
from bot.tables.servers.bans import Bans

AT_ONCE_S: Final = 1.0
"""Seconds within which a failure has cost next to nothing."""
_SPENDING: Final = "spending"
_SPENT: Final = "spent"
_KEPT: Final = 10_000
"""The most members or servers whose buckets are kept; the least recently used one is dropped first."""
_OFTEN: Final = mark("You have asked for that too often: try again {when}.")
_OFTEN_HERE: Final = mark("Too much was asked of me in this server: try again {when}.")
_UNDER_WAY: Final = mark("I am still working on what you asked for before: wait until it is there.")


class _TokenBuckets:
    """The token buckets of one quota by owner, a member or a server."""

    def __init__(self, allowance: Quota) -> None:
        self._every_ms = allowance.every_s * 1000
        self._credit_ms = (allowance.at_once - 1) * self._every_ms
        self._empty_at: LruCache[int, float] = LruCache(_KEPT)  # when the bucket is full again

    def free_at(self, owner: int, now: int) -> int | None:
        """Return when there is a token again (milliseconds); None if there is one now."""
        at = self._empty_at.get(owner, 0) - self._credit_ms
        return None if at <= now else round(at)

    def spend(self, owner: int, now: int) -> None:
        self._empty_at[owner] = max(self._empty_at.get(owner, 0), now) + self._every_ms

    def refund(self, owner: int) -> None:
        self._empty_at[owner] = self._empty_at.get(owner, 0) - self._every_ms


class Spending:
    """What is left of each allowance, for members and for servers: one object for the process.

    The managers of a server have a quota apart from its members, who can therefore not use it up.
    """

    def __init__(self, clock: Clock, bans: Bans) -> None:
        self._clock = clock
        self._bans = bans
        self._members: dict[Allowance, _TokenBuckets] = {}
        self._servers: dict[tuple[Allowance, bool], _TokenBuckets] = {}
        self._alone: dict[tuple[str, int], asyncio.Task[object]] = {}

    def attach_to(self, interaction: discord.Interaction) -> None:
        """Make the function `spend` use this object for an interaction."""
        interaction.extras[_SPENDING] = self

    async def spend(self, interaction: discord.Interaction, allowance: Allowance) -> None:
        """Spend an allowance for a press or a command, before it does anything.

        Raises:
            BannedError: The user is banned, and the allowance is for something public.
            RefusedError: The allowance is used up, or another task of the user is running.
            StoreError: The bans could not be read.
        """
        user_id, guild_id = interaction.user.id, interaction.guild_id
        if allowance.is_public and guild_id is not None:
            await continue_when_slow(self._bans.check(guild_id, (user_id,)))
        texts, now = texts_of(interaction), self._clock.now()
        if allowance.is_alone:
            self._enter(allowance, user_id, texts.t(_UNDER_WAY))
        drawn = [(self._members.setdefault(allowance, _TokenBuckets(allowance.member)), user_id, _OFTEN)]
        if allowance.server is not None:
            key = (allowance, manages_server(interaction))
            drawn.append((self._servers.setdefault(key, _TokenBuckets(allowance.server)), guild_id or 0, _OFTEN_HERE))
        for purses, owner, line in drawn:
            if (free_at := purses.free_at(owner, now)) is not None:
                raise RefusedError(texts.t(line, when=f"<t:{-(-free_at // 1000)}:R>"))
        for purses, owner, _ in drawn:
            purses.spend(owner, now)
        purses, owner, _ = drawn[-1]
        interaction.extras[_SPENT] = math.inf if allowance.server is None else AT_ONCE_S, partial(purses.refund, owner)

    def _enter(self, allowance: Allowance, user_id: int, line: str) -> None:
        """Register the present task as the only one of this allowance for the member, until it ends.

        Raises:
            RefusedError: The member has another one running.
        """
        key, task = (allowance.name, user_id), asyncio.current_task()
        former = self._alone.get(key)
        if former is not None and former is not task and not former.done():
            raise RefusedError(line)
        if former is not task and task is not None:
            self._alone[key] = task
            task.add_done_callback(lambda done: self._leave(key, done))

    def _leave(self, key: tuple[str, int], task: asyncio.Task[object]) -> None:
        if self._alone.get(key) is task:
            del self._alone[key]


async def spend(interaction: discord.Interaction, allowance: Allowance | None) -> None:
    """Spend an allowance with the `Spending` that is attached to the interaction; None costs nothing.

    Raises:
        BannedError: The user is banned, and the allowance is for something public.
        RefusedError: The allowance is used up, or another task of the user is running.
        StoreError: The bans could not be read.
    """
    spending = interaction.extras.get(_SPENDING)
    if allowance is not None and isinstance(spending, Spending):
        await spending.spend(interaction, allowance)


def refund(interaction: discord.Interaction, took_s: float) -> None:
    """Refund what an interaction has spent if it failed after `took_s` seconds; `Allowance` says how much."""
    within_s, give = interaction.extras.pop(_SPENT, (0.0, None))
    if give is not None and took_s < within_s:
        give()
