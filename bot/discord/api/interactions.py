"""What an interaction says: the language of its user, what was sent with it, when it was made."""

from collections.abc import Mapping
from typing import Any

import discord

from bot.discord.api.discord_internals import PressInteraction
from bot.discord.text.texts import Texts, texts_for


class RefusedError(Exception):
    """A request of a person is refused. The message is a sentence in their language."""


def texts_of(interaction: discord.Interaction) -> Texts:
    """Return the texts in the language of the interaction's user."""
    return texts_for(interaction.locale)


def guild_id_of(interaction: discord.Interaction) -> int:
    """Return the id of the interaction's server."""
    assert interaction.guild_id is not None, "the bot is for servers alone"
    return interaction.guild_id


def field_of(interaction: discord.Interaction, name: str) -> Any:
    """Return a field of the interaction's data; "" if it is missing."""
    sent: object = interaction.data
    return sent.get(name, "") if isinstance(sent, Mapping) else ""


def chosen_values(interaction: discord.Interaction) -> tuple[str, ...]:
    """Return the values chosen in a menu; none for a button, or for malformed data."""
    values = field_of(interaction, "values")
    return tuple(values) if isinstance(values, list) and all(isinstance(value, str) for value in values) else ()


def chosen_members(interaction: discord.Interaction) -> list[discord.Member]:
    """Return the members chosen in a menu of members; Discord sends them with the press."""
    guild, resolved = interaction.guild, field_of(interaction, "resolved")
    if guild is None or not isinstance(resolved, dict) or not isinstance(interaction, PressInteraction):
        return []
    users: dict[str, Any] = resolved.get("users", {})
    members: dict[str, Any] = resolved.get("members", {})
    described: list[Any] = [
        {**members[chosen_value], "user": users[chosen_value]}
        for chosen_value in chosen_values(interaction)
        if chosen_value in users and chosen_value in members
    ]
    return [interaction.member(data, guild) for data in described]


def first_chosen_value(interaction: discord.Interaction) -> str:
    """Return the first value chosen in a menu; "" if the person has chosen nothing."""
    return next(iter(chosen_values(interaction)), "")


def custom_ids_of(components: object) -> list[str]:
    """Return the custom ids in components as Discord sends them; malformed parts are skipped."""
    found: list[str] = []
    waiting = [*components] if isinstance(components, list) else []
    while waiting:
        if isinstance(part := waiting.pop(), dict):
            custom_id, parts = part.get("custom_id"), part.get("components")
            found += [custom_id] if isinstance(custom_id, str) else []
            waiting += parts if isinstance(parts, list) else []
            waiting.append(part.get("accessory"))
    return found


def made_at(interaction: discord.Interaction) -> int:
    """Return when an interaction was created, in Unix milliseconds of Discord's clock."""
    return snowflake_time(interaction.id)


def snowflake_time(snowflake: int) -> int:
    """Return when the object with this id was created, in Unix milliseconds of Discord's clock."""
    return (snowflake >> 22) + discord.utils.DISCORD_EPOCH


def is_private(message: discord.Message | None) -> bool:
    """Return whether a message is ephemeral. A message without readable flags counts as public."""
    flags: object = None if message is None else message.flags.value  # discord.py does not check them
    return isinstance(flags, int) and flags & discord.MessageFlags.ephemeral.flag != 0
