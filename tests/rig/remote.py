"""A test's hold on the rig's Discord, which this process serves: what every member sees, and what they do.

It must not know the game.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from bot.sandbox.discord.components import walk
from bot.sandbox.discord.objects import Interaction, Message
from bot.sandbox.discord.routes.answers import CHOICES, DEFERRED, DEFERRED_UPDATE, FORM, MESSAGE, UPDATE
from bot.sandbox.discord.serving import served
from bot.sandbox.discord.state import wall_clock
from tests.rig.air import Air
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.moderator import Moderator
from tests.rig.rig_discord import RigDiscord
from tests.rig.rig_world import RigWorld
from tests.seen import Seen, look_at

DEADLINE_S = 3.0
"""Discord's limit for the first answer to an interaction."""
_KINDS = {
    MESSAGE: "message", DEFERRED: "deferred", DEFERRED_UPDATE: "deferred_update", UPDATE: "update",
    CHOICES: "autocomplete", FORM: "modal",
}  # fmt: skip
"""The names of the types of answers."""
_PATIENCE_S = 20.0
_TRIES = 5
_LONG_LOOK_S = 5.0
_STEP_S = 0.01
_LOOKS_S = 0.2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a press, a command or a form, once it is answered or three seconds have passed.

    ``what`` is the custom id or the command; ``sent_at`` milliseconds since the Unix epoch; ``kind`` how the bot
    answered (message, update, modal ...), "" when it did not. ``answer`` is the message of the answer as it was at that
    instant; ``fields`` are the custom ids of the fields of a form.
    """

    id: int
    user: int
    what: str
    sent_at: int
    kind: str = ""
    took_ms: int = 0
    answer: Seen | None = None
    fields: tuple[str, ...] = ()

    @property
    def is_answered(self) -> bool:
        return self.kind != ""


def built(
    names: Sequence[str],
    *,
    guilds: int = 1,
    shards: int = 1,
    at_once: int = 1,
    ahead_ms: int = 0,
    assumptions: Assumptions = PLAIN,
) -> RigDiscord:
    """Guilds with one channel each, in which all these people are members; the first owns them.

    ``shards``, ``at_once``: see `RigGateway`. ``ahead_ms``: how far Discord's clock is ahead of this machine's.
    """
    world = RigWorld(now=lambda: wall_clock() + ahead_ms)
    users = [world.add_user(name) for name in names]
    made = [world.add_guild(f"{world.bot.name} {number}", users) for number in range(1, guilds + 1)]
    channels = [world.add_channel(guild, "kems") for guild in made]
    discord = RigDiscord(world, users, made, channels, assumptions)
    discord.gateway.shards, discord.gateway.at_once = shards, at_once
    return discord


@asynccontextmanager
async def opened(discord: RigDiscord) -> "AsyncIterator[Remote]":
    air = Air(discord)
    discord.gateway.delay = air.gateway_delay
    async with served(discord, around_rest=air.around_rest, around_gateway=air.around_gateway):
        yield Remote(discord, air)


class Remote:
    """The members' hands and eyes, and the ids of their world. ``messages`` are up to date when an outcome is there.

    ``channels`` has a channel for each guild, the first of which are ``channel_id`` and ``guild_id``. ``outcomes`` is
    the ledger of all presses, commands and forms. ``missed`` names each that was left without an answer for three
    seconds while the bot was connected.
    """

    def __init__(self, discord: RigDiscord, air: Air) -> None:
        self.discord = discord
        self.air = air
        self.moderator = Moderator(discord.world)
        self.users = {user.name: user.id for user in discord.users}
        self.channels = {channel.guild_id: channel.id for channel in discord.channels}
        self.guild_id, self.channel_id = next(iter(self.channels.items()))
        self.bot_id = discord.world.bot.id
        self.messages: dict[int, Seen] = {}
        self.outcomes: list[Outcome] = []
        self.missed: list[str] = []
        self._people = discord.people
        self._moved = asyncio.Event()
        self._open: dict[int, tuple[Outcome, asyncio.Future[Outcome]]] = {}
        discord.world.followers.append(self._changed)
        discord.world.answered.append(self._answered)

    # ------------------------------------------------------------------ seeing

    def seen_by(self, user: int) -> list[Seen]:
        return [m for m in self.messages.values() if m.viewer_id in (None, user)]

    async def until(self, reached: Callable[[], bool], what: str, patience: float = _PATIENCE_S) -> None:
        """Wait until ``reached`` is true, mostly by a change of a message.

        Raises:
            AssertionError: it did not come; the sentence says what was awaited.
        """
        try:
            async with asyncio.timeout(patience):
                while not reached():  # a log may say it, too
                    self._moved.clear()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._moved.wait(), _LOOKS_S)
        except TimeoutError:
            raise AssertionError(f"waited {patience:g} s in vain for {what}") from None

    async def insist(self, press: Callable[[], Awaitable[object]], reached: Callable[[], bool], what: str) -> None:
        """Press until ``reached`` is true: a busy bot may have asked to press again.

        Raises:
            AssertionError: it did not come; the sentence says what was awaited.
        """
        for tries_left in reversed(range(_TRIES)):
            await press()
            try:
                await self.until(reached, what, _PATIENCE_S / 2)
            except AssertionError:
                if not tries_left:
                    raise
            else:
                return

    # ------------------------------------------------------------------ acting

    async def press(self, user: int, message: Seen, custom_id: str, values: Sequence[str] = ()) -> Outcome:
        """Press a button or choose in a menu; what came of it within three seconds.

        Raises:
            Refused: Discord would not let a member do that: mostly a button that has just gone.
        """
        shown = message.control(custom_id)  # which also says in which round it was drawn
        pressed = custom_id if shown is None else shown.custom_id
        await self.air.press()
        asked = self._people.press(user, message.channel_id, message.id, pressed, values)
        return await self._outcome(asked, pressed)

    async def slash(self, user: int, name: str, channel: int = 0, **options: str) -> Outcome:
        """Run a command, in the first channel if none is named."""
        asked = self._people.slash(user, channel or self.channel_id, name, options)
        return await self._outcome(asked, name)

    async def submit(self, user: int, form: Outcome, *values: str) -> Outcome:
        fields = dict(zip(form.fields, values, strict=True))
        return await self._outcome(self._people.submit(user, form.id, fields), "form")

    async def react(self, user: int, message: Seen, emoji: str, *, present: bool = True) -> None:
        self._people.react(user, message.channel_id, message.id, emoji, present=present)

    async def say(self, user: int, text: str, channel: int = 0, reply_to: int = 0, *, with_ping: bool = True) -> None:
        self._people.say(user, channel or self.channel_id, text, reply_to, with_ping=with_ping)

    async def connected(self, sessions: int = 1) -> bool:
        """Whether a bot is connected, with so many sessions of all bots; waits up to five seconds for it."""
        discord, until = self.discord, time.monotonic() + _LONG_LOOK_S
        while not (is_so := discord.is_connected and discord.connections >= sessions) and time.monotonic() < until:
            await asyncio.sleep(_STEP_S)
        return is_so

    async def served(self, sessions: int = 1) -> bool:
        """The same, and whether there are commands to use, those of a former start perhaps."""
        return await self.connected(sessions) and bool(self.discord.world.commands)

    # ------------------------------------------------------------------ inside

    def _changed(self, message: Message, gone: bool) -> None:
        if gone:
            self.messages.pop(message.id, None)
        else:
            self.messages[message.id] = look_at(message)
        self._moved.set()

    async def _outcome(self, asked: Interaction, what: str) -> Outcome:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()
        self._open[asked.id] = Outcome(asked.id, asked.user_id, what, wall_clock()), future
        loop.call_later(DEADLINE_S, self._give_up, asked.id)
        return await future

    def _answered(self, interaction: Interaction) -> None:
        if interaction.id not in self._open:
            return
        kind, message, form = interaction.answer_type, interaction.original, interaction.form or {}
        assert kind is not None, "it is answered"
        self._close(
            interaction.id,
            kind=_KINDS[kind],
            answer=None if message is None or kind > UPDATE else look_at(message),
            fields=tuple(str(c["custom_id"]) for _, c in walk(form.get("components") or ()) if c.get("custom_id")),
        )

    def _give_up(self, key: int) -> None:
        if key in self._open:
            if self.discord.is_connected:
                self.missed.append(self._open[key][0].what)
            self._close(key)

    def _close(self, key: int, **came_of_it: Any) -> None:
        asked, future = self._open.pop(key)
        outcome = replace(asked, took_ms=wall_clock() - asked.sent_at, **came_of_it)
        self.outcomes.append(outcome)
        if not future.done():
            future.set_result(outcome)
