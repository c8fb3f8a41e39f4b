"""The commands as Discord gets them: `/kems …` and `/kems-admin …`, built from those of the features.

discord.py relies on Discord's checks of values and permissions. An old or tampered client evades them, so both are
checked again.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast

import discord
import structlog
from discord import AppCommandOptionType as Kind
from discord import app_commands
from discord.app_commands import AppCommandChannel, AppCommandThread, Command, Parameter, locale_str

from bot.base.background import Backoff
from bot.base.errors import StoreError
from bot.discord.api.discord_internals import request
from bot.discord.api.interactions import field_of, texts_of
from bot.discord.api.requests import FAILED, error_fields
from bot.discord.api.responses import reply
from bot.discord.interactions.admission.admission import Admission
from bot.discord.interactions.admission.rights import NOT_MANAGING
from bot.discord.interactions.feature import Feature, by_key
from bot.discord.text.command_names import GROUPS, MANAGERS, PATHS, path_of, register_ids
from bot.discord.text.texts import texts_for

FIRST_RETRY_S: Final = 60.0
LONGEST_RETRY_S: Final = 3600.0

_TYPES: Final[Mapping[Kind, Callable[[Any], bool]]] = {
    Kind.string: lambda value: isinstance(value, str),
    Kind.integer: lambda value: isinstance(value, int) and not isinstance(value, bool),
    Kind.boolean: lambda value: isinstance(value, bool),
    Kind.user: lambda value: isinstance(value, discord.User | discord.Member),
    Kind.channel: lambda value: isinstance(value, AppCommandChannel | AppCommandThread),
    Kind.role: lambda value: isinstance(value, discord.Role),
}
_GROUPS: Final = (Kind.subcommand.value, Kind.subcommand_group.value)

_log = structlog.get_logger(__name__)


class CatalogueTranslator(app_commands.Translator):
    """Translates the names and descriptions of commands, options and choices."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, _context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Return a text in a language of Discord; None if it is the same as in English."""
        translated = texts_for(locale).t(string.message)
        return None if translated == string.message else translated


def command_groups(features: Iterable[Feature]) -> list[app_commands.Group]:
    """Return `/kems` for everybody and `/kems-admin` for managers of a server, with all features' commands."""
    commands, groups = by_key(features), {path: _group(path) for path in GROUPS}
    for key in sorted(commands, key=[*PATHS, *commands].index):
        groups[path_of(key).rpartition(" ")[0]].add_command(commands[key])
    for path, group in groups.items():
        if (above := path.rpartition(" ")[0]) and group.commands:
            groups[above].add_command(group)
    return [group for path, group in groups.items() if " " not in path]


class _ServerGroup(app_commands.Group):
    """A group of commands that exist in servers only, by `contexts`: discord.py would send the field it replaces.

    Source: https://discord.com/developers/docs/interactions/application-commands#application-command-object
    """

    def to_dict(self, tree: app_commands.CommandTree[discord.Client]) -> dict[str, Any]:
        payload = super().to_dict(tree)
        payload.pop("dm_permission", None)
        return payload


def _group(path: str) -> app_commands.Group:
    name, description = path.rpartition(" ")[2], locale_str(GROUPS[path])
    if " " in path:
        return app_commands.Group(name=locale_str(name), description=description)
    return _ServerGroup(
        name=name,
        description=description,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        default_permissions=discord.Permissions(manage_guild=True) if path == MANAGERS else None,
    )


class KemsTree(app_commands.CommandTree[discord.Client]):
    """Runs admitted commands, and answers those that no longer exist."""

    def __init__(self, client: discord.Client, admission: Admission) -> None:
        super().__init__(client)
        self._admission = admission

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Return whether a command may run; if not, it has been answered."""
        if not await self._admission.admits(interaction):
            return False
        if not _has_fitting_values(interaction):
            _log.warning("command.malformed")
            await _say_misfit(interaction)
            return False
        register_ids([cast("Mapping[str, Any]", interaction.data)])  # another process may have registered the commands
        if not _has_rights(interaction):
            if interaction.type is discord.InteractionType.autocomplete:
                await interaction.response.autocomplete([])
            else:
                await reply(interaction, texts_of(interaction).t(NOT_MANAGING))
            return False
        return True

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Log a command's error, and answer that the command has changed."""
        if isinstance(error, app_commands.CommandInvokeError) and isinstance(error.original, StoreError):
            _log.warning("command.not_saved", problem=str(error.original))
        elif isinstance(error, app_commands.CommandInvokeError):
            _log.error("command.failed", exc_info=error.original)
        else:
            _log.warning("command.unknown", problem=str(error))
        await _say_changed(interaction)


async def _say_changed(interaction: discord.Interaction) -> None:
    if interaction.type is discord.InteractionType.application_command:
        await reply(interaction, texts_of(interaction).t("This command has changed: type it again, or reload Discord."))


async def _say_misfit(interaction: discord.Interaction) -> None:
    """Name the first option whose value is out of bounds; without one, say that the command has changed."""
    try:
        values = dict(iter(interaction.namespace))
    except (AttributeError, KeyError, TypeError, ValueError):
        values = {}
    command = interaction.command
    for parameter in command.parameters if isinstance(command, Command) else ():
        value = values.get(parameter.display_name)
        if (
            isinstance(value, str | int)
            and not parameter.choices
            and _has_type(parameter, value)
            and not _is_within(parameter, value)
        ):
            t, known = texts_of(interaction).t, parameter.locale_name
            values = {"option": parameter.display_name if known is None else t(known.message)}
            values |= {
                "low": str(parameter.min_value or 0),
                "high": "…" if parameter.max_value is None else str(parameter.max_value),
            }
            if isinstance(value, str):
                await reply(
                    interaction, t("“{option}” has {low} to {high} characters: type the command again.", **values)
                )
            else:
                await reply(interaction, t("“{option}” is from {low} to {high}: type the command again.", **values))
            return
    await _say_changed(interaction)


def _has_fitting_values(interaction: discord.Interaction) -> bool:
    """Return whether a command's values are within bounds, except for the one that is still being typed."""
    try:
        command, values = interaction.command, dict(iter(interaction.namespace))
        typed = _typed(field_of(interaction, "options"))
    except (AttributeError, KeyError, TypeError, ValueError):
        return False  # fields are missing that discord.py expects
    if not isinstance(command, Command):
        return False  # Discord still lists the command, which no longer exists
    parameters = {parameter.display_name: parameter for parameter in command.parameters}
    if interaction.type is discord.InteractionType.autocomplete:
        return typed in parameters and parameters[typed].autocomplete and isinstance(values.get(typed), str)
    is_whole = all(name in values for name, parameter in parameters.items() if parameter.required)
    fit = all(_fits(parameter, values[name]) for name, parameter in parameters.items() if name in values)
    return interaction.guild_id is not None and is_whole and fit


def _typed(options: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of the option that is being typed, in a command or in groups; "" if there is none."""
    while options and options[0]["type"] in _GROUPS:
        options = options[0]["options"]
    return next((option["name"] for option in options if option.get("focused")), "")


def _fits(parameter: Parameter, value: Any) -> bool:
    if not _has_type(parameter, value):
        return False
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    return _is_within(parameter, value)


def _has_type(parameter: Parameter, value: Any) -> bool:
    has_type = _TYPES.get(parameter.type)
    return has_type is None or has_type(value)


def _is_within(parameter: Parameter, value: Any) -> bool:
    size = len(value) if isinstance(value, str) else value
    least, most = parameter.min_value, parameter.max_value
    return (least is None or size >= least) and (most is None or size <= most)


def _has_rights(interaction: discord.Interaction) -> bool:
    """Return whether the user has the permissions that the command's outermost group requires.

    Discord requires them as well, unless the settings of the server say otherwise
    (https://discord.com/developers/docs/interactions/application-commands#permissions).
    """
    command = interaction.command
    group = command.root_parent if isinstance(command, Command) else None
    needed = None if group is None else group.default_permissions
    return needed is None or needed <= interaction.permissions


class CommandRegistration:
    """A job that registers the commands once the bot is connected, unless Discord has the same ones already.

    Discord keeps commands until they are replaced, and allows 200 new ones a day and server:
    https://discord.com/developers/docs/interactions/application-commands#registering-a-command
    A failure is logged and retried with exponential backoff.
    """

    def __init__(self, tree: app_commands.CommandTree[discord.Client], guild: discord.Object | None) -> None:
        """Register the commands of a tree in one server, or everywhere if `guild` is None."""
        self._tree = tree
        self._guild = guild
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the registration, unless it was started before."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Cancel the registration; the next `start` begins anew."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None

    @property
    def is_done(self) -> bool:
        """Whether the commands are registered."""
        return self._task is not None and self._task.done()

    async def _run(self) -> None:
        backoff = Backoff(FIRST_RETRY_S, LONGEST_RETRY_S)
        while True:
            try:
                return await self._register()
            except FAILED as error:
                _log.warning("commands.not_registered", **error_fields(error))
            except Exception:  # noqa: BLE001 - nobody awaits this task: its bug can show in the log only
                _log.exception("commands.not_registered")
            await asyncio.sleep(backoff.next_delay())

    async def _register(self) -> None:
        tree, guild_id = self._tree, None if self._guild is None else self._guild.id
        assert tree.translator is not None, "the client sets it before it connects"
        wanted = [
            await command.get_translated_payload(tree, tree.translator)
            for command in tree.get_commands(guild=self._guild)
        ]
        scope = f"/applications/{tree.client.application_id}" + ("" if guild_id is None else f"/guilds/{guild_id}")
        path, every = f"{scope}/commands", {"with_localizations": "true"}
        registered = await request(tree.client, "GET", path, query=every)
        if not has_all(registered, wanted):  # `tree.sync` would translate the commands once more
            registered = await request(tree.client, "PUT", path, wanted)
            _log.info("commands.registered", commands=len(wanted), guild=guild_id)
        register_ids(registered)


def has_all(listed: Any, wanted: Any) -> bool:
    """Return whether a value that Discord lists contains everything of the registered value.

    Discord leaves out what is empty, and adds fields of its own.
    """
    if isinstance(wanted, Mapping):
        return all(has_all((listed or {}).get(name), value) for name, value in wanted.items())
    if isinstance(wanted, list):
        in_order = sorted(listed or [], key=_name), sorted(wanted, key=_name)
        return len(in_order[0]) == len(wanted) and all(map(has_all, *in_order))
    return listed == wanted or str(listed) == str(wanted) or not (listed or wanted)


def _name(listed: Any) -> str:
    return str(listed["name"] if isinstance(listed, Mapping) else listed)
