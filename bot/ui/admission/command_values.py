"""Checks the values of a command. discord.py relies on Discord's checks, which an old or tampered client passes by."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import discord
from discord import AppCommandOptionType as Kind
from discord.app_commands import AppCommandChannel, AppCommandThread, Command, Parameter

from bot.ui.kit.interactions import field_of

_TYPES: Final[Mapping[Kind, Callable[[Any], bool]]] = {
    Kind.string: lambda value: isinstance(value, str),
    Kind.integer: lambda value: isinstance(value, int) and not isinstance(value, bool),
    Kind.boolean: lambda value: isinstance(value, bool),
    Kind.user: lambda value: isinstance(value, discord.User | discord.Member),
    Kind.channel: lambda value: isinstance(value, AppCommandChannel | AppCommandThread),
    Kind.role: lambda value: isinstance(value, discord.Role),
}
_GROUPS: Final = (Kind.subcommand.value, Kind.subcommand_group.value)


def has_fitting_values(interaction: discord.Interaction) -> bool:
    """Whether a command can be carried out with its values, or suggestions be made for the option that is typed."""
    try:
        command, values = interaction.command, dict(iter(interaction.namespace))
        typed = _typed(field_of(interaction, "options"))
    except (AttributeError, KeyError, TypeError, ValueError):
        return False  # no such fields: discord.py takes them for granted
    if not isinstance(command, Command):
        return False  # Discord still shows it, but it is gone
    parameters = {parameter.display_name: parameter for parameter in command.parameters}
    if interaction.type is discord.InteractionType.autocomplete:
        return typed in parameters and parameters[typed].autocomplete and isinstance(values.get(typed), str)
    is_whole = all(name in values for name, parameter in parameters.items() if parameter.required)
    fit = all(_fits(parameter, values[name]) for name, parameter in parameters.items() if name in values)
    return interaction.guild_id is not None and is_whole and fit


def _typed(options: Sequence[Mapping[str, Any]]) -> str:
    """The name of the option that is being typed, within the command and the groups round it."""
    while options and options[0]["type"] in _GROUPS:
        options = options[0]["options"]
    return next((option["name"] for option in options if option.get("focused")), "")


def _fits(parameter: Parameter, value: Any) -> bool:
    has_type = _TYPES.get(parameter.type)
    if has_type is not None and not has_type(value):
        return False
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    size = len(value) if isinstance(value, str) else value
    least, most = parameter.min_value, parameter.max_value
    return (least is None or size >= least) and (most is None or size <= most)
