"""A small discord.py client for the tests of the rig's Discord: it keeps what it hears, and answers as it is told."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import discord
from discord import app_commands

from bot.discord.api.discord_internals import discord_at
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.remote import Remote, built, opened

Answer = Callable[[discord.Interaction], Awaitable[Any]]
PEOPLE = ("Léa", "Bruno", "Chloé", "Dora")
TOKEN = {"Authorization": "Bot rig"}
PATIENCE_S = 10.0


class Client(discord.AutoShardedClient):
    """`heard` are the events by name; `answers` what to do with a command or a press, by its name or custom id."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(intents=intents, chunk_guilds_at_startup=False, guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[tuple[str, Any]] = []
        self.answers: dict[str, Answer] = {}

    def command(self, name: str, answer: Answer) -> None:
        async def run(interaction: discord.Interaction) -> None:
            await answer(interaction)

        self.tree.add_command(app_commands.Command(name=name, description=name, callback=run))

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        self.heard.append((event, args))
        super().dispatch(event, *args, **kwargs)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        answer = self.answers.get(str((interaction.data or {}).get("custom_id")))
        if answer is not None:
            await answer(interaction)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identifies at once, where discord.py waits for five seconds."""

    def of(self, event: str) -> list[Any]:
        """What came with the events of a name, the first argument of each, the oldest first."""
        return [args[0] if args else None for name, args in self.heard if name == event]

    async def hears(self, event: str, count: int = 1) -> Any:
        """Wait for so many events of a name; the last of them."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.of(event)) < count:
                await asyncio.sleep(0.005)
        return self.of(event)[count - 1]


class Stage:
    """A Discord in this process, a client on it, and what its members do."""

    def __init__(self, client: Client, remote: Remote) -> None:
        self.discord = remote.discord
        self.air = remote.air
        self.client = client
        self.remote = remote
        self.channel_id = remote.channel_id
        self.guild_id = remote.guild_id
        self.lea, self.bruno = (user.id for user in self.discord.users[:2])

    @property
    def channel(self) -> discord.TextChannel:
        found = self.client.get_channel(self.channel_id)
        assert isinstance(found, discord.TextChannel)
        return found


def intents(**more: bool) -> discord.Intents:
    return discord.Intents(guilds=True, guild_messages=True, guild_reactions=True, **more)


@asynccontextmanager
async def connected(
    *commands: tuple[str, Answer], assumptions: Assumptions = PLAIN, **more: bool
) -> AsyncIterator[Stage]:
    """A connected client with these commands; ``more`` are intents."""
    async with opened(built(PEOPLE, assumptions=assumptions)) as remote:
        with discord_at(remote.discord.address):
            client = Client(intents(**more))
            for name, answer in commands:
                client.command(name, answer)
            async with client:
                running = asyncio.create_task(client.start("rig"))
                try:
                    await client.hears("ready")
                    if commands:
                        await client.tree.sync()
                    yield Stage(client, remote)
                finally:
                    await client.close()
                    await asyncio.gather(running, return_exceptions=True)
