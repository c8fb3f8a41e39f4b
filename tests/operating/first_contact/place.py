"""A test server on the loopback Discord, and the person who sits before it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.base.settings import Settings
from bot.discord.api.discord_internals import discord_at
from bot.operating.first_contact.contact import PREFIX, Bounds
from bot.operating.first_contact.runner import Page, chosen, run_checks
from bot.sandbox.discord import permissions as may
from bot.sandbox.discord.components import MENUS, walk
from bot.sandbox.discord.objects import NEWS, Emoji, Interaction, Message
from bot.sandbox.discord.people import Refused
from bot.sandbox.discord.world import World
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.remote import Remote, built, opened

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"
WINDOW_S = 0.3
"""How long the windows of limits are here: short, and yet three requests of a busy machine fall into one."""
BOUNDS = Bounds(quiet_s=0.05, press_s=2.0, minute_s=1.0, burst_s=1.2, rest_s=0.0, edits=20, presses=5, full=15)


def messages_of(world: World) -> Iterator[Message]:
    return (message for channel in world.channels.values() for message in channel.messages.values())


class Lea:
    """Does what she is asked for; `words` is what she types and reacts with."""

    def __init__(self, remote: Remote) -> None:
        self.remote, self.id = remote, remote.discord.users[0].id
        self.word, self.heart, self.pings = "kems", "❤️", True
        self.dismisses, self.hesitates_s, self.pause_s = True, 0.0, 0.01
        self.no: set[str] = set()  # parts of questions that she denies
        self.told: list[str] = []
        self.red_lines = 0
        self._people, self._world = remote.discord.people, remote.discord.world
        self._world.answered.append(self._fill_in)

    def seen(self, holds: Callable[[Message], bool]) -> Message:
        """The newest message of a kind that she can see."""
        return max(
            (one for one in messages_of(self._world) if one.is_visible_to(self.id) and holds(one)),
            key=lambda message: message.id,
        )

    async def instruct(self, words: str, control: str = "", times: int = 1) -> None:
        self.told.append(words)
        for _ in range(times if control else 0):
            await self._press(control)
        if words.startswith("React"):
            self._people.react(self.id, self._newest.channel_id, self._newest.id, self.heart)
        if words.startswith("Reply"):
            self._people.say(self.id, self._newest.channel_id, self.heart, self._newest.id, with_ping=self.pings)

    async def agrees(self, question: str) -> bool:
        self.told.append(question)
        if any(part in question for part in self.no):
            return False
        if question.startswith("Dismiss") and self.dismisses:
            self._world.delete(self._saying("Dismiss this one"))
        elif question.startswith("Restart"):
            self._people.reload(self.id)
        elif question.startswith("Do you still see"):
            return not self._panel_is_gone
        elif question.startswith("Lock"):
            thread = max(c.id for c in self._world.channels.values() if c.is_thread)
            self.remote.moderator.archive(thread, is_archived=True, is_locked=True)
        return True

    async def counts(self, _question: str) -> int:
        seen, self.red_lines = self.red_lines, 0
        return seen

    @property
    def _newest(self) -> Message:
        return self.seen(lambda message: not message.is_ephemeral)

    @property
    def _panel_is_gone(self) -> bool:
        try:
            return self._saying("Restart the app") is None
        except ValueError:
            return True

    def _saying(self, words: str) -> Message:
        return self.seen(lambda m: any(words in (part.get("content") or "") for _, part in walk(m.components)))

    async def _press(self, control: str) -> None:
        def named(message: Message) -> list[dict[str, Any]]:
            return [part for _, part in walk(message.components) if str(part.get("custom_id")).startswith(control)]

        message = self.seen(lambda message: bool(named(message)))
        part = named(message)[0]
        assert part["custom_id"].startswith(PREFIX)
        values = [str(self.id)] if part["type"] in MENUS else []
        if control.endswith("moving") and self.hesitates_s:
            await asyncio.sleep(self.hesitates_s)  # the panel may change meanwhile
        try:
            self._people.press(self.id, message.channel_id, message.id, part["custom_id"], values)
        except Refused:
            self.red_lines += 1
        await asyncio.sleep(self.pause_s)

    def _fill_in(self, interaction: Interaction) -> None:
        if interaction.form is not None:
            self._people.submit(self.id, interaction.id, {"text": self.word})


@dataclass
class Place:
    """A test server, and who sits before it."""

    remote: Remote
    lea: Lea
    settings: Settings
    page: Page

    @property
    def world(self) -> World:
        return self.remote.discord.world

    async def run(self, *only: str, is_long: bool = False, bounds: Bounds = BOUNDS) -> int:
        names = chosen(only, is_long=is_long)
        channel = self.remote.channel_id
        return await run_checks(self.settings, channel, names, self.lea, self.page, bounds=bounds, wait=self._wait)

    async def _wait(self, seconds: float) -> None:
        """Make everything older."""
        await asyncio.sleep(WINDOW_S)  # a new window
        for one in (*self.world.interactions.values(), *messages_of(self.world)):
            one.made_ms -= int(seconds * 1000)


@asynccontextmanager
async def place(folder: Path, assumptions: Assumptions = PLAIN, guilds: int = 1) -> AsyncIterator[Place]:
    discord = built(("Léa", "Bruno"), guilds=guilds, assumptions=assumptions)
    guild, world = discord.guilds[0], discord.world
    world.add_role(guild, "players")
    rights = world.add_role(guild, "rights", may.MANAGE_THREADS)
    world.change_roles(guild, world.bot.id, rights.id, present=True)
    world.add_channel(guild, "news", NEWS)
    emoji = Emoji(world.new_id(), "card")
    world.application_emojis[emoji.id] = emoji
    settings = Settings(
        database_url=f"sqlite:///{folder}/kems.db", discord_token=TOKEN, message_content=True, _env_file=None
    )
    async with opened(discord) as remote:
        with discord_at(discord.address):
            yield Place(remote, Lea(remote), settings, Page(folder / "first-contact.json"))
