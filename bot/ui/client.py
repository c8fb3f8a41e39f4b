"""The Discord client: intents, events and commands. It passes on and decides nothing; `bot.compose` fills its rooms."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.ui.answers import reader, say
from bot.ui.commands import CatalogueTranslator
from bot.ui.gestures import Gestures
from bot.ui.lateness import Lateness
from bot.ui.presenter import Presenter
from bot.ui.router import Router
from bot.ui.sentences import late_text

# The bot never speaks in voice channels: what that would need is not missing.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Rooms:
    """What the client passes events on to. `enter` is awaited once logged in, `leave` before the connection closes.

    `hold` is called when the connection is lost, `release` awaited when it stands (again).
    """

    presenter: Presenter
    router: Router
    lateness: Lateness
    gestures: Gestures
    commands: Sequence[app_commands.Group]
    enter: Callable[[], Awaitable[None]]
    leave: Callable[[], Awaitable[None]]
    hold: Callable[[], None]
    release: Callable[[], Awaitable[None]]


class KemsTree(app_commands.CommandTree[discord.Client]):
    """The command tree; what no command answers for, such as one that Discord still shows but is gone."""

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Whether a command, or what is offered while one is typed, still comes in time to be answered."""
        client = interaction.client
        if not isinstance(client, KemsClient) or not client.rooms.lateness.is_late(interaction):
            return True
        if interaction.type is discord.InteractionType.application_command:
            await say(interaction, late_text(reader(interaction)))
        return False

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer with a sentence."""
        if interaction.response.is_done():
            return
        _log.warning("command.unknown", problem=str(error))
        line = reader(interaction).t("This command has changed: type it again, or reload Discord.")
        await say(interaction, line)


class KemsClient(discord.Client):
    """One bot. `furnish` builds its rooms round it."""

    def __init__(
        self, furnish: Callable[["KemsClient"], Rooms], *, message_content: bool, dev_guild_id: int | None
    ) -> None:
        # Messages that mention the bot, its replies among them, carry their text without the privileged intent.
        intents = discord.Intents(
            guilds=True, guild_reactions=True, guild_messages=True, message_content=message_content
        )
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
        )
        self.tree = KemsTree(self)
        self.rooms = furnish(self)
        self._dev_guild = None if dev_guild_id is None else discord.Object(dev_guild_id)
        self._has_left = False

    async def setup_hook(self) -> None:
        """Bring the tables back and register the commands."""
        await self.tree.set_translator(CatalogueTranslator())
        for group in self.rooms.commands:
            self.tree.add_command(group, guild=self._dev_guild)
        await self.rooms.presenter.emojis.load()
        await self.rooms.enter()
        self.rooms.presenter.restore()
        await self._sync()

    async def close(self) -> None:
        """Stop timers and writers, then the connection. Everything stays in the store."""
        if not self._has_left:
            self._has_left = True
            self.rooms.presenter.stop()
            await self.rooms.leave()
        await super().close()

    async def on_disconnect(self) -> None:
        """Nobody can reach us."""
        self.rooms.hold()

    async def on_ready(self) -> None:
        """Connected anew."""
        await self.rooms.release()

    async def on_resumed(self) -> None:
        """Connected again, and told what was missed."""
        await self.rooms.release()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """A press, a form or a command; commands are the tree's."""
        await self.rooms.router.on_interaction(interaction)

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """A reaction is a gesture."""
        await self._reacted(payload)

    async def on_raw_reaction_remove(self, payload: discord.RawReactionActionEvent) -> None:
        """Taking it back is one too."""
        await self._reacted(payload)

    async def on_message(self, message: discord.Message) -> None:
        """A message to the bot may be a gesture."""
        await self.rooms.gestures.posted(message)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        """Nothing is lost silently."""
        _log.exception("event.failed", event_name=event_method)

    async def _reacted(self, payload: discord.RawReactionActionEvent) -> None:
        if self.user is None or payload.user_id != self.user.id:
            await self.rooms.gestures.reacted(payload)

    async def _sync(self) -> None:
        """Tell Discord our commands; in the developers' server they appear at once."""
        synced = await self.tree.sync(guild=self._dev_guild)
        _log.info("commands.synced", commands=len(synced), guild=self._dev_guild and self._dev_guild.id)
