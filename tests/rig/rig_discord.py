"""The rig's Discord: it examines what the bot sends, and behaves as its `Assumptions` say."""

import asyncio
import random
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from aiohttp import web

from bot.sandbox.discord.components import INVALID_EMOJI, Fault, media_of, walk
from bot.sandbox.discord.errors import DiscordError
from bot.sandbox.discord.objects import Channel, Guild, Interaction, Json, Message, User
from bot.sandbox.discord.people import People, Refused
from bot.sandbox.discord.routes.answers import FIRST_ANSWER_MS
from bot.sandbox.discord.routes.routing import Call
from bot.sandbox.discord.serving import LoopbackDiscord
from bot.sandbox.discord.world import Event
from tests.rig import operator_routes
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.recorder import Recorder, edited
from tests.rig.rig_gateway import RigGateway
from tests.rig.rig_world import RigWorld

_WITHOUT_TOKEN = ("interactions/", "webhooks/")  # their own token is in the path
OPERATOR_ROUTES = operator_routes
"""The module whose import registers the routes."""


class RigPeople(People):
    """Members whose clients send presses as the assumptions say."""

    _world: RigWorld

    def __init__(self, world: RigWorld, assumptions: Assumptions) -> None:
        super().__init__(world)
        self._assumptions = assumptions

    def press(self, user: int, channel_id: int, message_id: int, custom_id: str, values: Sequence[str]) -> Interaction:
        message, channel = self._visible(user, channel_id, message_id)
        self._send_off(user, message, channel, is_button=not values)
        return super().press(user, channel_id, message_id, custom_id, values)

    def reload(self, user: int) -> None:
        """Start a member's client again: private messages are gone from it, and only from it.

        Source: https://github.com/discord/discord-api-docs/issues/3023
        """
        own = [m for c in self._world.channels.values() for m in c.messages.values() if m.viewer_id == user]
        for message in own:
            self._world.forget(message)

    def _send_off(self, user: int, message: Message, channel: Channel, *, is_button: bool) -> None:
        """What a client does before it sends a press. Raises Refused where the bot never hears of that."""
        world, now = self._world, self._world.now()
        recent = takewhile(lambda one: now - one.made_ms < FIRST_ANSWER_MS, reversed(world.interactions.values()))
        waiting = (one for one in recent if one.answer_type is None and one.user_id == user)
        if is_button and self._assumptions.blocks_buttons and any(one.source is message for one in waiting):
            raise Refused("another press on this message is under way", "busy")
        if channel.is_archived and self._assumptions.asks_for_members:
            if channel.is_locked or user not in channel.thread_members:
                raise Refused("this thread is in the archive", "archived")
            world.change_thread(channel, is_archived=False)


class RigDiscord(LoopbackDiscord):
    """A `LoopbackDiscord` whose ``recorder`` examines each request."""

    def __init__(
        self,
        world: RigWorld,
        users: list[User],
        guilds: list[Guild],
        channels: list[Channel],
        assumptions: Assumptions = PLAIN,
    ) -> None:
        super().__init__(world, users, guilds, channels)
        world.listeners.clear()  # the usual gateway, which has no clients here
        self.world: RigWorld = world
        self.gateway: RigGateway = RigGateway(world)
        self.assumptions = assumptions
        self.recorder = Recorder()
        self.people = RigPeople(world, assumptions)
        self._random = random.Random(1)
        if assumptions.disorder_s:
            world.listeners[:] = [self._hear_later]
        if assumptions.hides_nonces:
            world.listeners.insert(0, _hide_nonce)

    def examine(self, call: Call, is_known: bool) -> Sequence[Fault]:
        faults = self.recorder.examine(self.world, call, is_known=is_known) or [*self._feared_faults(call)]
        if not faults and is_known and (refusal := self.world.refusals.get((call.method, call.shape))) is not None:
            raise refusal
        return faults

    def carry_out(self, call: Call, request: web.Request) -> Any:
        is_bot = request.headers.get("Authorization", "").startswith("Bot ") and not self.world.is_token_reset
        if not (is_bot or call.shape == "gateway" or call.shape.startswith(_WITHOUT_TOKEN)):
            raise DiscordError(401, 0, "401: Unauthorized")
        return super().carry_out(call, request)

    @property
    def connections(self) -> int:
        return sum(session.is_connected for session in self.gateway.sessions.values())

    @property
    def is_connected(self) -> bool:
        """Whether a client is on the line for every shard that the last one to identify has named."""
        if not self.gateway.sessions:
            return False
        count = next(reversed(self.gateway.sessions.values())).shard[1]
        present = {one.shard[0] for one in self.gateway.sessions.values() if one.is_connected and one.shard[1] == count}
        return present == set(range(count))

    def delay_s(self) -> float:
        """How long an event or an answer is under way."""
        return self._random.uniform(0, self.assumptions.disorder_s)

    def _hear_later(self, event: Event) -> None:
        asyncio.get_running_loop().call_later(self.delay_s(), self.gateway.hear, event)

    def _feared_faults(self, call: Call) -> Iterator[Fault]:
        body = call.body if isinstance(call.body, dict) else {}
        components = (body.get("data") or body).get("components") or ()
        if self.assumptions.refuses_kept_files and (message := edited(self.world, call)) is not None:
            kept = {f"attachment://{file['filename']}" for file in message.attachments}
            sent = {f"attachment://{upload.filename}" for upload in call.uploads}
            for path, part in walk(components):
                if any(one.get("url") in kept - sent for one in media_of(part)):
                    yield (*path, "media", "url"), "UNKNOWN_ATTACHMENT", "The file was not sent"
        if share := self.assumptions.refuses_emojis:
            path = next((path for path, part in walk(components) if self._shows_own_emoji(part)), None)
            if path is not None and self._random.random() < share:
                yield path, *INVALID_EMOJI

    def _shows_own_emoji(self, part: Json) -> bool:
        return int(part.get("emoji", {}).get("id") or 0) in self.world.application_emojis


def _hide_nonce(event: Event) -> None:
    for data in (event.data, event.bare or {}):
        data.pop("nonce", None)
