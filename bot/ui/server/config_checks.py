"""Lines of a checklist: which permissions the bot has in the chosen channels, and which roles a person may choose."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.conditions import EntryRules
from bot.discord.interactions.setting import Check
from bot.discord.places.members import NO_ROLE, role_refusal
from bot.discord.places.permissions import (
    FOR_EVENTS,
    IN_PRIVATE_THREAD,
    IN_THREAD,
    PICTURES,
    can_hold_threads,
    everybody_refusal,
    is_role_gone,
    missing_permissions,
    needed_in,
    permission_names,
)
from bot.discord.text.names import neutralise
from bot.discord.text.texts import Texts, mark
from bot.tables.servers.settings import ServerSettings

MOST_PLACES: Final = 8
_TABLES: Final = mark("tables")
_THREADS: Final = mark("a thread for each table")
_PRACTICE: Final = mark("practice in private")
_EVENTS: Final = mark("events of nights")
_PICTURES: Final = mark("pictures and files")
_PODIUM: Final = mark("podium")
_LOG: Final = mark("log")

Uses = dict[str, tuple[str, ...]]  # purposes, and the permissions that each needs


@dataclass(frozen=True, slots=True)
class RoleUse:
    """A use of a role: `refusal` returns why a person may not choose one, `check` whether the bot can use it."""

    refusal: Callable[[discord.Member, discord.Role, Texts], str | None]
    check: Check


def known_places(guild: discord.Guild | None, settings: ServerSettings) -> frozenset[int]:
    """Return the chosen channels and roles that still exist; all of them while the server is unknown."""
    if guild is None:
        return settings.places
    gone = (place_id for place_id in settings.places if guild.get_channel(place_id) is None)
    return settings.places - {
        place_id for place_id in gone if place_id not in settings.roles or guild.get_role(place_id) is None
    }


def known_roles(guild: discord.Guild | None, entry: EntryRules) -> frozenset[int]:
    """Return the role required for ranked matches if it still exists, as a set."""
    return frozenset() if entry.role_id is None or is_role_gone(guild, entry.role_id) else frozenset((entry.role_id,))


# ---------------------------------------------------------------------- channels


def check_tables(
    guild: discord.Guild, interaction: discord.Interaction, ids: Sequence[int], _title: str, texts: Texts
) -> Iterator[str]:
    """Yield lines on the bot's permissions in the channels for tables; in this channel if none is chosen."""
    chosen = [channel for place_id in ids if (channel := guild.get_channel(place_id)) is not None]
    for channel in chosen[:MOST_PLACES]:
        yield from _lines(channel.mention, channel.permissions_for(guild.me), _for_tables(channel), texts)
        if getattr(channel, "nsfw", False):
            yield "⚠️ " + texts.t(
                "{place} is age-restricted: members who have not proved their age do not see its tables",
                place=channel.mention,
            )
    if not chosen:
        yield from _lines(
            f"<#{interaction.channel_id}>", interaction.app_permissions, _for_tables(interaction.channel), texts
        )


def check_server(guild: discord.Guild, texts: Texts) -> Iterator[str]:
    """Return lines on the bot's permissions in the whole server."""
    return _lines(neutralise(guild.name), guild.me.guild_permissions, {_EVENTS: FOR_EVENTS}, texts)


def _writes(uses: Uses) -> Check:
    """Return a check of channels in which the bot writes; a use without permissions needs those to write there."""

    def check(
        guild: discord.Guild, _here: discord.Interaction, ids: Sequence[int], title: str, texts: Texts
    ) -> Iterator[str]:
        for place_id in ids:
            channel = guild.get_channel(place_id)
            if channel is None:
                yield f"❌ {title} — " + texts.t("Its channel is gone: choose another with {/config}.")
            else:
                needed = {use: permissions or needed_in(channel) for use, permissions in uses.items()}
                yield from _lines(channel.mention, channel.permissions_for(guild.me), needed, texts)

    return check


def _for_tables(channel: object) -> Uses:
    uses: Uses = {_TABLES: needed_in(channel), _PICTURES: PICTURES}
    return uses | {_THREADS: IN_THREAD, _PRACTICE: IN_PRIVATE_THREAD} if can_hold_threads(channel) else uses


def _lines(place: str, granted: discord.Permissions, uses: Uses, texts: Texts) -> Iterator[str]:
    t = texts.t
    able = [t(use) for use, needed in uses.items() if not missing_permissions(granted, needed)]
    if able:
        yield f"✅ {place} — {', '.join(able)}"
    for use, needed in uses.items():
        if lacks := missing_permissions(granted, needed):
            names = permission_names(lacks, texts)
            yield "❌ " + t("{place} — {use}: I lack {permissions}", place=place, use=t(use), permissions=names)


CHECK_PODIUM: Final = _writes({_PODIUM: (), _PICTURES: PICTURES})
CHECK_LOG: Final = _writes({_LOG: ()})

# ---------------------------------------------------------------------- roles


def _cannot_give(member: discord.Member, role: discord.Role, texts: Texts) -> str | None:
    """Return why a person may not choose a role for the bot to give: they could not give it themselves."""
    if role.is_default() or role.managed:
        return texts.t("{role} cannot be given to anybody: choose another role.", role=role.mention)
    if member.id == member.guild.owner_id:
        return None
    if not member.guild_permissions.manage_roles or role >= member.top_role:
        return texts.t("You cannot give {role} yourself, so I may not either: choose another role.", role=role.mention)
    return None


def _cannot_call(member: discord.Member, role: discord.Role, texts: Texts) -> str | None:
    """Return why a person may not choose a role for the bot to mention: they could not mention it themselves."""
    if (refusal := everybody_refusal(member, role, texts)) is not None:
        return refusal
    if role.mentionable or member.guild_permissions.mention_everyone:
        return None
    return texts.t("You cannot mention {role} yourself, so I may not either: choose another role.", role=role.mention)


def _check_given(
    guild: discord.Guild, interaction: discord.Interaction, ids: Sequence[int], title: str, texts: Texts
) -> Iterator[str]:
    for place_id in ids:
        problem = role_refusal(guild, place_id)
        if problem is None:
            yield "✅ " + texts.t("{role} — I can give it", role=f"<@&{place_id}>")
        else:
            yield f"❌ {title} — {problem.words(guild, texts)}"


def _check_held(
    guild: discord.Guild, interaction: discord.Interaction, ids: Sequence[int], title: str, texts: Texts
) -> Iterator[str]:
    for place_id in ids:
        if guild.get_role(place_id) is None:
            yield f"❌ {title} — {NO_ROLE.words(guild, texts)}"


def _check_called(
    guild: discord.Guild, interaction: discord.Interaction, ids: Sequence[int], title: str, texts: Texts
) -> Iterator[str]:
    for place_id in ids:
        role, name = guild.get_role(place_id), f"<@&{place_id}>"
        if role is None:
            yield f"❌ {title} — {NO_ROLE.words(guild, texts)}"
        elif role.mentionable or interaction.app_permissions.mention_everyone:
            yield "✅ " + texts.t("{role} — I can call it", role=name)
        else:
            yield "❌ " + texts.t("{role} — I cannot mention it: make it mentionable", role=name)


GIVEN: Final = RoleUse(_cannot_give, _check_given)
"""The bot gives the role to people."""
HELD: Final = RoleUse(everybody_refusal, _check_held)
"""People have the role, and may do more."""
CALLED: Final = RoleUse(_cannot_call, _check_called)
"""The bot mentions the role."""
