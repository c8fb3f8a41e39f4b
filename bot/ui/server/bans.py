"""`/kems-admin ban`, `unban` and `bans`: who comes to no table and no night of a server, for how long, and why."""

from dataclasses import dataclass
from typing import Final

import discord
from discord.app_commands import Choice, Range, locale_str

from bot.discord.api.components import GREEN, layout, text
from bot.discord.api.interactions import RefusedError, guild_of, reader
from bot.discord.api.patience import or_later
from bot.discord.api.refusals import banned_text
from bot.discord.api.responses import reply, show
from bot.discord.interactions.admission.budgets import FREE
from bot.discord.interactions.feature import CommandSet, command
from bot.discord.text.names import called, clean, defuse
from bot.discord.text.texts import Texts, mark
from bot.tables.bans import MOST_DAYS, Ban, BannedError, Bans
from bot.tables.hub import Moderated

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


@dataclass(eq=False, repr=False)
class BanCommands(CommandSet):
    _bans: Bans

    @command(
        "ban",
        mark("Keep a person from the tables and nights of this server"),
        draws=FREE,
        choices={"days": [Choice(name=locale_str(name), value=days) for days, name in _TIMES.items()]},
        options={
            "member": _MEMBER,
            "days": (mark("time"), mark("For how long (30 days)")),
            "reason": (mark("reason"), mark("Why; the person reads it")),
        },
    )
    async def ban(
        self,
        interaction: discord.Interaction,
        member: discord.User,
        days: int = _DAYS,
        reason: Range[str, 1, MAX_REASON] | None = None,
    ) -> None:
        texts, by = reader(interaction), interaction.user.id
        if member.bot:
            raise RefusedError(texts.t("{name} is a bot: bots do not play.", name=called(member.display_name)))
        why = clean(reason or "", MAX_REASON)
        ban = await or_later(self._bans.ban(guild_of(interaction), member.id, days, by, why))
        told = banned_text(BannedError(member.id, ban), by, texts)
        await reply(interaction, told + " " + texts.t("A match that they are in goes on: {/kick} removes them."))

    @command("unban", mark("Let a banned person play again"), draws=FREE, options={"member": _MEMBER})
    async def unban(self, interaction: discord.Interaction, member: discord.User) -> None:
        texts, name = reader(interaction), called(member.display_name)
        if not await or_later(self._bans.lift(guild_of(interaction), member.id)):
            raise RefusedError(texts.t("{name} is not banned here: {/bans} lists who is.", name=name))
        who = {"by": f"<@{interaction.user.id}>", "name": f"<@{member.id}>"}
        self._bans.publish(Moderated(guild_of(interaction), lambda t: t.t("✅ {by} lifted the ban of {name}", **who)))
        await reply(interaction, texts.t("{name} may play here again.", name=name))

    @command("bans", mark("List who is banned from tables and nights"), draws=FREE)
    async def bans(self, interaction: discord.Interaction) -> None:
        texts, held = reader(interaction), await or_later(self._bans.of(guild_of(interaction)))
        lines = [_line(ban, texts) for ban in held[:MOST_LISTED]]
        if len(held) > MOST_LISTED:
            lines.append("-# " + texts.t("… and {count} more", count=len(held) - MOST_LISTED))
        title = "**" + texts.t("Banned from tables and nights") + "**"
        await show(interaction, layout(text(title, *(lines or [texts.t("Nobody is.")])), colour=GREEN))


def _line(ban: Ban, texts: Texts) -> str:
    until = f"<t:{ban.until // 1000}:D>"
    if ban.user_id is None:
        return texts.t("A person whose data was deleted, until {day}", day=until)
    by = "—" if ban.by_id is None else f"<@{ban.by_id}>"
    said = texts.t("{name}, until {day}, by {moderator}", name=f"<@{ban.user_id}>", day=until, moderator=by)
    return said + (f"\n-# {defuse(ban.reason, MAX_REASON)}" if ban.reason else "")
