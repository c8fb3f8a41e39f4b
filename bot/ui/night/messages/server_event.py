"""The server event of a night on Discord: created, kept up to date, and what its host reads if that failed.

The events that Discord reports are reconciled with those that should exist, so a restart needs no memory. Everybody on
a server sees its events, so a night of a hidden channel has none (`rights.is_public`).
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

import discord

from bot.base.background import Locks, Tasks, retry_until_saved
from bot.discord.api.components import link_to
from bot.discord.api.error_codes import ErrorCode, Resource
from bot.discord.interactions.admission.rights import is_public
from bot.discord.places.events import create_event, delete_event, edit_event, may_make_events
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.places.server_defaults import ServerDefaults
from bot.discord.text.names import neutralise
from bot.discord.text.texts import Texts, mark, texts_for
from bot.nights.changes import NightCode
from bot.nights.night import Night, NightStatus
from bot.nights.planning.length import ends_at
from bot.tables.nights.live_nights import LiveNights
from bot.ui.night.words import MAX_TITLE, entry_line, how_line

_MOST_PLACE: Final = 100  # Discord's limit, which the name of a channel may have without the #

_STARTS: Final = "scheduled_start_time"
_STATUS: Final = {
    NightStatus.RUNNING: discord.EventStatus.active.value,
    NightStatus.OVER: discord.EventStatus.completed.value,
}
_NOT_MADE: Final = mark("This night is not among the server's events.")
_DELETED: Final = mark("Somebody deleted the event of this night.")
_NOT_CHANGED: Final = mark("The server's event does not show how this night is now.")
_NOT_REMOVED: Final = mark("The event of this night still stands among the server's events: remove it by hand.")

T = TypeVar("T")


@dataclass(eq=False)
class ServerEvents:
    """The events of all nights of this process.

    `_refused`, by night: the last request that Discord did not carry out, or that was not sent.
    """

    _client: discord.Client
    _nights: LiveNights
    _defaults: ServerDefaults
    _refused: dict[int, DiscordRefusal] = field(default_factory=dict, init=False)
    _under_way: Counter[int] = field(default_factory=Counter, init=False)  # requests that are to come, by night
    # By night: the latest edit comes last.
    _keeping: Locks = field(default_factory=Locks, init=False)
    _tasks: Tasks = field(default_factory=Tasks, init=False)

    def make(self, night: Night) -> None:
        """Create the event of a published night, once, without waiting: Discord may delay events for minutes."""
        if night.plan.wants_event and night.event_id is None and not self._under_way[night.id]:
            self._again(night)

    def follow(self, former: Night, night: Night) -> None:
        """Update the event of a changed night: its plan, its start, its end, its cancellation."""
        is_off = night.status is former.status is NightStatus.CANCELLED
        if night.event_id is not None and night is not former and not is_off:
            self._begin(night, lambda _: self._follow(former, night))

    def look(self, night: Night) -> None:
        """Create the event of a night that has become public; delete the event of a night that is now hidden."""
        if night.event_id is not None or self._under_way[night.id]:
            self._begin(night)
        elif night.message_id is not None and night.status is NightStatus.PLANNED:
            self.make(night)

    async def again(self, night: Night) -> None:
        """Create the event of a planned night if it has none; update an existing one."""
        await self._again(night)

    def _again(self, night: Night) -> asyncio.Task[None]:
        async def again(now: Night) -> None:
            is_there = now.event_id != night.event_id or self._event(now) is not None
            await (self._edit(now, _shown(self._client, now)) if is_there else self._make(now))

        return self._begin(night, again)

    async def fault(self, night: Night, texts: Texts) -> str | None:
        """Return what is wrong with a night's event, for its host; None if nothing is, or it is not known yet.

        Raises:
            StoreError: The server's settings could not be read.
        """
        guild = self._client.get_guild(night.guild_id)
        is_awaited = self._under_way[night.id] > 0 and night.id not in self._refused
        if guild is None or guild.unavailable or is_awaited:
            return None
        is_shown = is_public(guild, night.plan, await self._defaults.read(night.guild_id))
        if (words := self._fault(night, is_shown=is_shown)) is None:
            return None
        reason = self._refused.get(night.id)
        if not may_make_events(guild):
            reason = DiscordRefusal(Resource.EVENT, ErrorCode.MISSING_PERMISSIONS)
        return " ".join(filter(None, (f"⚠️ {texts.t(words)}", None if reason is None else reason.words(guild, texts))))

    def refusal(self, night: Night, texts: Texts) -> str | None:
        """Return Discord's latest refusal of an event, for the settings of the server."""
        refusal, guild = self._refused.get(night.id), self._client.get_guild(night.guild_id)
        words = "" if refusal is None else refusal.words(guild, texts)
        return f"⚠️ {words}" if words else None

    def forget(self, night_id: int) -> None:
        """Forget what Discord has refused for a night."""
        self._refused.pop(night_id, None)

    def stop(self) -> None:
        """Cancel all running requests."""
        self._tasks.cancel()

    def _fault(self, night: Night, *, is_shown: bool) -> str | None:
        if not (night.plan.wants_event and night.message_id) or night.status is NightStatus.OVER:
            return None
        event, is_refused = self._event(night), night.id in self._refused
        if night.status is NightStatus.CANCELLED or not is_shown:
            return _NOT_REMOVED if event is not None else None
        if night.status is NightStatus.RUNNING:  # Discord ends an event at its time by itself
            return _NOT_CHANGED if is_refused and event is not None else None
        if night.event_id is None:
            return _NOT_MADE
        if event is None:
            return _DELETED
        is_at_its_time = event.start_time.timestamp() * 1000 == night.plan.starts_at
        return _NOT_CHANGED if is_refused or not is_at_its_time else None

    def _event(self, night: Night) -> discord.ScheduledEvent | None:
        guild = self._client.get_guild(night.guild_id)
        return None if guild is None or night.event_id is None else guild.get_scheduled_event(night.event_id)

    def _begin(self, night: Night, work: Callable[[Night], Awaitable[None]] | None = None) -> asyncio.Task[None]:
        """Do the work in its turn, for the night as it is then; if the night is hidden, delete its event instead."""

        async def in_turn() -> None:
            async with self._keeping.of(night.id):
                reading = partial(self._defaults.read, night.guild_id)
                settings = await retry_until_saved(reading, "night.event_waits", night=night.id)
                guild, now = self._client.get_guild(night.guild_id), self._nights.night(night.id) or night
                is_shown = is_public(guild, now.plan, settings)
                if may_make_events(guild) and not is_shown:
                    await self._remove(now)
                elif may_make_events(guild) and work is not None:
                    await work(now)
                elif work is not None:
                    self._refused[night.id] = DiscordRefusal(Resource.EVENT)

        def done(_task: object) -> None:
            self._under_way[night.id] -= 1

        self._under_way[night.id] += 1
        task = self._tasks.start(in_turn())
        task.add_done_callback(done)
        return task

    async def _remove(self, night: Night) -> None:
        refused = None
        if night.event_id is not None:
            refused = await delete_event(self._client, night.guild_id, night.event_id)
        if refused is not None and refused.code == ErrorCode.UNKNOWN_EVENT:
            refused = None
        self._noted(night, refused)
        if night.event_id is not None and refused is None:
            await self._save(night, None)

    async def _make(self, night: Night) -> None:
        """Create the event; what changes meanwhile is shown afterwards."""
        if night.status is not NightStatus.PLANNED:
            return
        noted = partial(self._noted, night)
        event_id = noted(await create_event(self._client, night.guild_id, _shown(self._client, night), noted))
        if event_id is None:
            return
        saved = await self._save(night, event_id)
        if isinstance(saved, NightCode):  # the night was cancelled, and is forgotten
            self._noted(night, await delete_event(self._client, night.guild_id, event_id))
        else:
            await self._follow(night, saved)

    async def _save(self, night: Night, event_id: int | None) -> Night | NightCode:
        update = partial(self._nights.update, night.id, partial(replace, event_id=event_id))
        return await retry_until_saved(update, "night.event_not_noted", night=night.id)

    async def _follow(self, former: Night, night: Night) -> None:
        """Update the event.

        Discord starts an event at its time by itself, and refuses to start it twice; the start of a running one stays:
        https://discord.com/developers/docs/resources/guild-scheduled-event
        """
        if night.status is NightStatus.CANCELLED:
            self._noted(night, await delete_event(self._client, night.guild_id, night.event_id or 0))
            return
        if night.status is not former.status:
            await edit_event(self._client, night.guild_id, night.event_id or 0, {"status": _STATUS[night.status]})
        event = _shown(self._client, night)
        if not night.is_finished and event != _shown(self._client, former):
            is_fixed = night.status is NightStatus.RUNNING
            await self._edit(
                night, {name: value for name, value in event.items() if not (is_fixed and name == _STARTS)}
            )

    async def _edit(self, night: Night, changes: dict[str, Any]) -> None:
        noted = partial(self._noted, night)
        noted(await edit_event(self._client, night.guild_id, night.event_id or 0, changes, noted))

    def _noted(self, night: Night, done: T | DiscordRefusal) -> T | None:
        if isinstance(done, DiscordRefusal):
            self._refused[night.id] = done
            return None
        self._refused.pop(night.id, None)
        return done


def _shown(client: discord.Client, night: Night) -> dict[str, Any]:
    plan, texts, guild = night.plan, texts_for(night.locale), client.get_guild(night.guild_id)
    channel = None if guild is None else guild.get_channel(plan.channel_id)
    link = link_to(night.guild_id, plan.post_channel, night.message_id)
    where = texts.t("Sign-up, tables and standings: {link}", link=link)
    role = None if guild is None or plan.entry.role_id is None else guild.get_role(plan.entry.role_id)
    entry = entry_line(plan, texts, None if role is None else f"@{neutralise(role.name, _MOST_PLACE)}")
    times = plan.starts_at, ends_at(night)
    starts, ends = (datetime.fromtimestamp(at / 1000, UTC).isoformat() for at in times)
    return {
        "name": neutralise(plan.title, MAX_TITLE) or "Kem's",
        "description": "\n".join(filter(None, (how_line(plan, texts), entry, where))),
        _STARTS: starts,
        "scheduled_end_time": ends,
        "entity_metadata": {"location": "#kems" if channel is None else f"#{channel.name}"[:_MOST_PLACE]},
    }
