"""The connection to Discord's gateway, from which checks read what comes."""

import asyncio

import discord

from bot.discord.api.absent_fields import fill_answers
from bot.discord.api.discord_internals import parsers_of
from bot.discord.gateway.gateway_events import skip_unreadable


class Listener(discord.Client):
    """A client that puts what the gateway sends into two queues.

    - `presses`: presses and modal submissions.
    - `heard`: all else as (kind, text): ("connection", "new" or "resumed"), ("reaction", the emoji), ("post", id and
      nonce) for the bot's own messages, ("reply", text) for those of others.
    """

    def __init__(self, quiet_s: float) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True, guild_reactions=True)
        super().__init__(
            intents=intents,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            guild_ready_timeout=quiet_s,
        )
        skip_unreadable(parsers_of(self))
        self.presses: asyncio.Queue[discord.Interaction] = asyncio.Queue()
        self.heard: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def login(self, token: str) -> None:
        """Log in, with defaults for fields that Discord's answers may lack."""
        fill_answers(self)
        await super().login(token)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Queue a press or a modal submission."""
        self.presses.put_nowait(interaction)

    async def on_connect(self) -> None:
        """Queue a new connection."""
        self.heard.put_nowait(("connection", "new"))

    async def on_resumed(self) -> None:
        """Queue a resumed connection."""
        self.heard.put_nowait(("connection", "resumed"))

    async def on_raw_reaction_add(self, reaction: discord.RawReactionActionEvent) -> None:
        """Queue the emoji of a reaction."""
        self.heard.put_nowait(("reaction", str(reaction.emoji)))

    async def on_message(self, message: discord.Message) -> None:
        """Queue a message of the bot or of somebody else."""
        own = f"{message.id} {message.nonce}"
        self.heard.put_nowait(("post", own) if message.author == self.user else ("reply", message.content))
