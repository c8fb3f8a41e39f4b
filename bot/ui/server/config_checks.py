"""What the bot may do in the places that a server has chosen, as a checklist."""

from collections.abc import Iterator
from typing import Final

import discord

from bot.ladder.seasons import DutyProblem
from bot.tables.server_settings import ServerSettings
from bot.ui.kit.permissions import IN_THREAD, PICTURES, can_hold_threads, missing, needed_here, permission_names
from bot.ui.kit.texts import Texts, mark
from bot.ui.ladder.podium_post import in_the_way
from bot.ui.ladder.season_commands import problem_words

MOST_PLACES: Final = 8
_TABLES: Final = mark("tables")
_THREADS: Final = mark("a thread for each table")
_PICTURES: Final = mark("pictures and files")
_PODIUM: Final = mark("podium")
_LOG: Final = mark("log")

Uses = dict[str, tuple[str, ...]]  # purposes, and the permissions that each needs


def checks(interaction: discord.Interaction, settings: ServerSettings, texts: Texts) -> list[str]:
    """Lines about the channels for tables (without any, about this one), the podium's channel and the role."""
    guild = interaction.guild
    if guild is None:
        return []
    lines: list[str] = []
    chosen = [found for one in settings.table_channels if (found := guild.get_channel(one)) is not None]
    for channel in chosen[:MOST_PLACES]:
        lines += _lines(channel.mention, channel.permissions_for(guild.me), _for_tables(channel), texts)
    if not chosen:
        here = f"<#{interaction.channel_id}>"
        lines += _lines(here, interaction.app_permissions, _for_tables(interaction.channel), texts)
    if settings.podium_channel is not None:
        podium = guild.get_channel(settings.podium_channel)
        if podium is None:
            lines.append("❌ " + texts.t("Podium") + f" — {problem_words(DutyProblem.NO_CHANNEL, texts)}")
        else:
            uses = {_PODIUM: needed_here(podium), _PICTURES: PICTURES}
            lines += _lines(podium.mention, podium.permissions_for(guild.me), uses, texts)
    if settings.champion_role is not None:
        lines.append(_role(guild, settings.champion_role, texts.t("Champion's role"), texts))
    if settings.players_role is not None:
        lines.append(_called(guild, settings.players_role, interaction.app_permissions, texts))
    if settings.hosts_role is not None and guild.get_role(settings.hosts_role) is None:
        lines.append("❌ " + texts.t("Hosts' role") + f" — {problem_words(DutyProblem.NO_ROLE, texts)}")
    return lines


def more_checks(guild: discord.Guild | None, settings: ServerSettings, texts: Texts) -> list[str]:
    """Whether the bot may write in the log's channel and give the winner's role, and why not."""
    lines: list[str] = []
    if guild is not None and settings.log_channel is not None:
        channel = guild.get_channel(settings.log_channel)
        if channel is None:
            lines.append("❌ " + texts.t("Log") + f" — {problem_words(DutyProblem.NO_CHANNEL, texts)}")
        else:
            lines += _lines(channel.mention, channel.permissions_for(guild.me), {_LOG: needed_here(channel)}, texts)
    if guild is not None and settings.winner_role is not None:
        lines.append(_role(guild, settings.winner_role, texts.t("Winner's role"), texts))
    return lines


def known_places(guild: discord.Guild | None, settings: ServerSettings) -> frozenset[int]:
    """The chosen channels and roles that still exist; all of them while the server is not known yet."""
    if guild is None:
        return settings.places
    gone = (one for one in settings.places if guild.get_channel(one) is None)
    return settings.places - {one for one in gone if one not in settings.roles or guild.get_role(one) is None}


def role_refusal(member: discord.Member, role: discord.Role, texts: Texts) -> str | None:
    """Why somebody may not choose a role for the bot to give: they could not give it themselves."""
    if role.is_default() or role.managed:
        return texts.t("{role} cannot be given to anybody: choose another role.", role=role.mention)
    if member.id == member.guild.owner_id:
        return None
    if not member.guild_permissions.manage_roles or role >= member.top_role:
        return texts.t("You cannot give {role} yourself, so I may not either: choose another role.", role=role.mention)
    return None


def everybody_refusal(_member: discord.Member, role: discord.Role, texts: Texts) -> str | None:
    return texts.t("{role} is everybody: choose another role.", role=role.name) if role.is_default() else None


def call_refusal(member: discord.Member, role: discord.Role, texts: Texts) -> str | None:
    """Why somebody may not choose a role for the bot to mention: they could not mention it themselves."""
    if (refusal := everybody_refusal(member, role, texts)) is not None:
        return refusal
    if role.mentionable or member.guild_permissions.mention_everyone:
        return None
    return texts.t("You cannot mention {role} yourself, so I may not either: choose another role.", role=role.mention)


def _for_tables(channel: object) -> Uses:
    uses: Uses = {_TABLES: needed_here(channel), _PICTURES: PICTURES}
    return uses | {_THREADS: IN_THREAD} if can_hold_threads(channel) else uses


def _role(guild: discord.Guild, role_id: int, title: str, texts: Texts) -> str:
    problem = in_the_way(guild, role_id)
    if problem is None:
        return "✅ " + texts.t("{role} — I can give it", role=f"<@&{role_id}>")
    return f"❌ {title} — {problem_words(problem, texts)}"


def _called(guild: discord.Guild, role_id: int, granted: discord.Permissions, texts: Texts) -> str:
    role, name = guild.get_role(role_id), f"<@&{role_id}>"
    if role is None:
        return "❌ " + texts.t("Players' role") + f" — {problem_words(DutyProblem.NO_ROLE, texts)}"
    if role.mentionable or granted.mention_everyone:
        return "✅ " + texts.t("{role} — I can call it", role=name)
    return "❌ " + texts.t("{role} — I cannot mention it: make it mentionable", role=name)


def _lines(place: str, granted: discord.Permissions, uses: Uses, texts: Texts) -> Iterator[str]:
    t = texts.t
    able = [t(use) for use, needed in uses.items() if not missing(granted, needed)]
    if able:
        yield f"✅ {place} — {', '.join(able)}"
    for use, needed in uses.items():
        if lacks := missing(granted, needed):
            names = permission_names(lacks, texts)
            yield "❌ " + t("{place} — {use}: I lack {permissions}", place=place, use=t(use), permissions=names)
