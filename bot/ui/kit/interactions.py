"""Interactions: what came with one, and the short private answers to it."""

import weakref
from collections.abc import Mapping
from typing import Any, Final

import discord
import structlog
from discord.state import ConnectionState

from bot.ui.kit.components import Layout
from bot.ui.kit.edits import PreparedView, update_pressed
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.texts import Texts, texts_for

_COMPONENTS: Final = "shown_components"  # no field of Discord's

_log = structlog.get_logger(__name__)


def reader(interaction: discord.Interaction) -> Texts:
    return texts_for(interaction.locale)


def guild_of(interaction: discord.Interaction) -> int:
    assert interaction.guild_id is not None, "the bot is for servers alone"
    return interaction.guild_id


def field_of(interaction: discord.Interaction, name: str) -> Any:
    """A field of what was sent with the press; empty text where there is none."""
    sent: object = interaction.data
    return sent.get(name, "") if isinstance(sent, Mapping) else ""


def chosen(interaction: discord.Interaction) -> tuple[str, ...]:
    """The values of a menu; none for a button, and for what only a tampered client sends."""
    values = field_of(interaction, "values")
    return tuple(values) if isinstance(values, list) and all(isinstance(value, str) for value in values) else ()


def first_chosen(interaction: discord.Interaction) -> str:
    """The only value of a menu; "" where there is none."""
    return next(iter(chosen(interaction)), "")


def shown_ids(interaction: discord.Interaction) -> list[str]:
    found: list[str] = []
    components = [*field_of(interaction, _COMPONENTS)]
    while components:
        component = components.pop()
        found += [str(component["custom_id"])] if "custom_id" in component else []
        components += component.get("components", [])
    return found


def made_at(interaction: discord.Interaction) -> int:
    """When it was made, by Discord's own clock (milliseconds)."""
    return time_of(interaction.id)


def time_of(snowflake: int) -> int:
    """When a message or an interaction was made, by Discord's own clock (milliseconds)."""
    return (snowflake >> 22) + discord.utils.DISCORD_EPOCH


def is_private(message: discord.Message | None) -> bool:
    return message is not None and message.flags.ephemeral


async def say(interaction: discord.Interaction, line: str) -> None:
    """Tells the presser alone, if the press is not answered yet; an answer that was promised is given now."""
    try:
        if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
            await interaction.edit_original_response(content=line)
        elif not interaction.response.is_done():
            await interaction.response.send_message(line, ephemeral=True)
    except FAILED as error:
        # The press is older than three seconds, or was answered by another run of the bot; or Discord is out of reach.
        _log.warning("answer.failed", **facts(error))


async def take_back(interaction: discord.Interaction) -> None:
    try:
        await interaction.delete_original_response()
    except FAILED as error:
        _log.info("answer.stays", **facts(error))


async def say_outdated(interaction: discord.Interaction) -> None:
    """Answer a press that the present messages do not offer."""
    await say(interaction, reader(interaction).t("This button is no longer in use: press one on the newest message."))


async def show(interaction: discord.Interaction, layout: Layout) -> None:
    """Answer with a private panel: in place where it was pressed, else as a new message."""
    if is_private(interaction.message):
        await update_pressed(interaction, layout)
    else:
        await interaction.response.send_message(view=PreparedView(layout), ephemeral=True)


class PressInteraction(discord.Interaction):
    """A press or a filled-in form. It is freed as soon as its handler has returned.

    An interaction of discord.py and its response hold each other, so that only the collector of garbage frees them and
    their message. The collector's pauses delay the answers at all tables. Here the response holds its interaction
    weakly.
    """

    def __init__(self, payload: dict[str, Any], state: ConnectionState[Any]) -> None:
        """Takes out of `payload` what discord.py would make objects of: the message's components stay plain data."""
        if (pressed := payload.get("message")) is not None:
            if isinstance(payload.get("data"), dict):
                payload["data"][_COMPONENTS] = pressed.get("components", [])
            pressed["components"] = []
            pressed.pop("interaction_metadata", None)
            pressed.pop("interaction", None)
        super().__init__(data=payload, state=state)  # type: ignore[arg-type]  # whatever Discord sends
        self._answer = discord.InteractionResponse(weakref.proxy(self))

    @property
    def response(self) -> discord.InteractionResponse:
        return self._answer
