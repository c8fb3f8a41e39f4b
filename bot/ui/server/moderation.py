"""Bans of a server (`/kems-admin ban`, `unban`, `bans`), and its log channel.

The log has a line for each action of hosts and managers that affects others; it mentions nobody.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import discord
import structlog
from discord.app_commands import Choice, Range, locale_str

from bot.base.background import Tasks
from bot.base.errors import StoreError
from bot.discord.api.components import GREEN, layout, text
from bot.discord.api.interactions import RefusedError, guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.refusals import banned_text
from bot.discord.api.responses import reply, reply_panel
from bot.discord.interactions.admission.allowances import FREE
from bot.discord.interactions.feature import CommandSet, command
from bot.discord.messages.notices import post_once
from bot.discord.messages.posted_message import LiveContext, MessageAddress
from bot.discord.places.server_defaults import ServerDefaults
from bot.discord.text.names import clean, escape_markdown, escaped_name
from bot.discord.text.texts import Texts, mark, texts_for
from bot.tables.hub import ModerationDone, PersonBanned
from bot.tables.servers.bans import MOST_DAYS, Ban, BannedError, Bans

MOST_LISTED: Final = 15
MAX_REASON: Final = 200
_DAYS: Final = 30
_TIMES: Final = {
    1: mark("1 day"),
    7: mark("7 days"),
    _DAYS: mark("30 days"),
    90: mark("90 days"),
    MOST_DAYS: mark("1 year"),
}
_MEMBER: Final = (mark("member"), mark("Who"))

BURST_S: Final = 2.0
"""Events of a server within this time become one message."""
MOST_LINES: Final = 9
_MOST: Final = 200  # characters of a line: Discord takes 2,000 for all

_log = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False)
class BanCommands(CommandSet):
    """`/kems-admin ban`, `unban` and `bans`."""

    _bans: Bans

    @command(
        "ban",
        mark("Ban a person from this server's tables and game nights"),
        allowance=FREE,
        choices={"days": [Choice(name=locale_str(name), value=days) for days, name in _TIMES.items()]},
        options={
            "member": _MEMBER,
            "days": (mark("time"), mark("For how long (30 days)")),
            "reason": (mark("reason"), mark("Why; they will read it")),
        },
    )
    async def ban(
        self,
        interaction: discord.Interaction,
        member: discord.User,
        days: int = _DAYS,
        reason: Range[str, 1, MAX_REASON] | None = None,
    ) -> None:
        """Ban a person from this server's tables and nights, for a number of days.

        Raises:
            RefusedError: They are a bot.
        """
        texts, by = texts_of(interaction), interaction.user.id
        if member.bot:
            raise RefusedError(texts.t("{name} is a bot: bots do not play.", name=escaped_name(member.display_name)))
        why = clean(reason or "", MAX_REASON)
        ban = await continue_when_slow(self._bans.ban(guild_id_of(interaction), member.id, days, by, why))
        answer = banned_text(BannedError(member.id, ban), by, texts)
        await reply(interaction, answer + " " + texts.t("A match that they are in goes on: {/kick} removes them."))

    @command("unban", mark("Let a banned person play again"), allowance=FREE, options={"member": _MEMBER})
    async def unban(self, interaction: discord.Interaction, member: discord.User) -> None:
        """Lift a person's ban.

        Raises:
            RefusedError: They are not banned.
        """
        texts, name = texts_of(interaction), escaped_name(member.display_name)
        if not await continue_when_slow(self._bans.lift(guild_id_of(interaction), member.id)):
            raise RefusedError(texts.t("{name} is not banned here: {/bans} lists who is.", name=name))
        who = {"by": f"<@{interaction.user.id}>", "name": f"<@{member.id}>"}
        self._bans.publish(
            ModerationDone(guild_id_of(interaction), lambda t: t.t("✅ {by} lifted the ban of {name}", **who))
        )
        await reply(interaction, texts.t("{name} may play here again.", name=name))

    @command("bans", mark("List who is banned from tables and nights"), allowance=FREE)
    async def bans(self, interaction: discord.Interaction) -> None:
        """List the bans: who, until when, by whom and why."""
        texts, banned = texts_of(interaction), await continue_when_slow(self._bans.of(guild_id_of(interaction)))
        lines = [_line(ban, texts) for ban in banned[:MOST_LISTED]]
        if len(banned) > MOST_LISTED:
            lines.append("-# " + texts.t("… and {count} more", count=len(banned) - MOST_LISTED))
        title = "**" + texts.t("Banned from tables and nights") + "**"
        await reply_panel(interaction, layout(text(title, *(lines or [texts.t("Nobody.")])), colour=GREEN))


def _line(ban: Ban, texts: Texts) -> str:
    until = f"<t:{ban.until // 1000}:D>"
    if ban.user_id is None:
        return texts.t("A person whose data was deleted, until {day}", day=until)
    by = "—" if ban.by_id is None else f"<@{ban.by_id}>"
    sentence = texts.t("{name}, until {day}, by {moderator}", name=f"<@{ban.user_id}>", day=until, moderator=by)
    return sentence + (f"\n-# {escape_markdown(ban.reason, MAX_REASON)}" if ban.reason else "")


class LogChannel:
    """The log channels of all servers. If the bot cannot write to one, `/kems-admin config` says why."""

    def __init__(self, context: LiveContext, defaults: ServerDefaults) -> None:
        self._context = context
        self._defaults = defaults
        self._waiting: dict[int, list[Callable[[Any], str]]] = {}
        self._tasks = Tasks()
        self._stopping = asyncio.Event()

    async def stop(self) -> None:
        """Write the waiting lines at once."""
        self._stopping.set()
        await self._tasks.wait()

    def moderated(self, moderated: ModerationDone) -> None:
        """Write a line to the server's log channel, in one message with all lines of the next `BURST_S` seconds."""
        waiting = self._waiting.setdefault(moderated.guild_id, [])
        waiting.append(moderated.words)
        if len(waiting) == 1:
            self._tasks.start(self._write_soon(moderated.guild_id))

    def banned(self, banned: PersonBanned) -> None:
        """Write a line about a ban."""
        who = {"by": f"<@{banned.by_id}>", "name": f"<@{banned.user_id}>", "day": f"<t:{banned.until // 1000}:D>"}
        reason = escape_markdown(banned.reason, _MOST) or "—"
        event = ModerationDone(
            banned.guild_id, lambda t: t.t("⛔ {by} banned {name} until {day} · {reason}", **who, reason=reason)
        )
        self.moderated(event)

    async def _write_soon(self, guild_id: int) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), BURST_S)
        waiting = self._waiting.pop(guild_id)
        try:
            await self._write(guild_id, waiting)
        except StoreError as error:
            _log.warning("log_channel.not_written", guild=guild_id, problem=str(error))

    async def _write(self, guild_id: int, waiting: list[Callable[[Any], str]]) -> None:
        settings, guild = await self._defaults.read(guild_id), self._context.client.get_guild(guild_id)
        channel = None if guild is None else guild.get_channel(settings.log_channel or 0)
        if guild is None or not isinstance(channel, discord.TextChannel):
            return
        texts = texts_for(self._defaults.language(settings, guild))
        lines = [words(texts)[:_MOST] for words in waiting[:MOST_LINES]]
        if more := len(waiting) - len(lines):
            lines.append("-# " + texts.t("… and {count} more", count=more))
        nonce = f"log{self._context.clock.now()}.{guild_id % 10**8}"
        address = MessageAddress(guild_id, channel.id)
        await post_once(self._context, address, "\n".join(lines), nonce, texts, guild=guild_id)
