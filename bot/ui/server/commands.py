"""`/kems-admin config` and the presses on its panel. Each choice is saved before it is answered, and holds at once.

A choice that deletes matches asks first. Each press asks again whether its presser may manage the server.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import discord

from bot.game.rules.presets import PRESETS
from bot.ladder.eligibility import Setup
from bot.ladder.season_duties import Trouble
from bot.ladder.seasons import Every
from bot.ladder.zones import find_zone, near_zones
from bot.records.seasons import SeasonStore
from bot.tables.clock import Clock
from bot.tables.lobby.lobby import Absence
from bot.tables.retention import Retention
from bot.tables.season_ends import SeasonDutyStore
from bot.tables.server_settings import ServerSettings, ServerStore
from bot.ui.admission.admission import check_manages_server, or_later
from bot.ui.feature import CommandSet, Feature, command
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.forms import typed
from bot.ui.kit.interactions import chosen, guild_of, reader, say_outdated, show
from bot.ui.kit.texts import LANGUAGES, Texts, mark
from bot.ui.ladder.about import no_zone
from bot.ui.ladder.season_commands import trouble_line
from bot.ui.lobby.places import ServerDefaults
from bot.ui.server.config_checks import call_refusal, checks, known_places, role_refusal
from bot.ui.server.config_panel import (
    AFK_SECONDS,
    NONE,
    PODIUM_KINDS,
    RETENTION_DAYS,
    TABLE_KINDS,
    Configured,
    Field,
    ServerVerb,
    config_panel,
    retention_question,
    zone_form,
)

MOST_TROUBLES: Final = 2  # for more there is no room in the message

ServerChange = Callable[[ServerSettings], ServerSettings]
SavedChange = Callable[[int], Awaitable[object]]  # saves a change of the server of that id
_RETENTIONS: Final = frozenset(map(str, RETENTION_DAYS))
_ROLE_JUDGES: Final = {Field.ROLE: role_refusal, Field.PLAYERS_ROLE: call_refusal}


def server_feature(
    clock: Clock,
    servers: ServerStore,
    seasons: SeasonStore,
    duties: SeasonDutyStore,
    retention: Retention,
    defaults: ServerDefaults,
    afk_seconds: int,
) -> Feature:
    """The settings of all servers; `afk_seconds` holds where a server has not chosen its own."""
    config = ConfigCommands(servers, seasons, duties, retention, clock, defaults, afk_seconds)
    return Feature(presses=(config,), manager_commands=config.commands)


@dataclass(eq=False, repr=False)
class ConfigCommands(CommandSet):
    """Answers `/kems-admin config` and its panel."""

    _servers: ServerStore
    _seasons: SeasonStore
    _duties: SeasonDutyStore
    _retention: Retention
    _clock: Clock
    _defaults: ServerDefaults
    _afk_seconds: int

    verbs = frozenset[str](ServerVerb)

    def __post_init__(self) -> None:
        super().__init__()

    @command(mark("config"), mark("Set Kem's up: language, channels, seasons, data"))
    async def config(self, interaction: discord.Interaction) -> None:
        await self._show(interaction)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        check_manages_server(interaction)
        if press.verb == ServerVerb.CONFIG_ZONE:
            setup = await or_later(self._seasons.setup(guild_of(interaction)))
            await interaction.response.send_modal(zone_form(setup.schedule.zone, reader(interaction)))
        elif press.verb == ServerVerb.CONFIG_BACK:
            await self._show(interaction)
        elif press.verb == ServerVerb.RETENTION_NOW and press.arg in _RETENTIONS:
            days, now = int(press.arg), self._clock.now()
            await self._show(interaction, self._changing(lambda settings: settings.retaining(days, now)))
        elif press.arg == Field.RETENTION and (question := await self._retention_question(interaction)):
            await show(interaction, question)
        elif press.verb == ServerVerb.CONFIG and press.arg in set(Field):
            await self._show(interaction, self._change(interaction, Field(press.arg)))
        else:
            await say_outdated(interaction)

    def _change(self, interaction: discord.Interaction, field: Field) -> SavedChange | str:
        """What a press changes, or the sentence that refuses it: the panel no longer offers that, or it cannot be."""
        texts, guild, now = reader(interaction), interaction.guild, self._clock.now()
        match field, *chosen(interaction):
            case (Field.ZONE,):
                written = typed(interaction)
                zone = find_zone(written)
                if zone is None:
                    return no_zone(written, near_zones(written), texts)
                return self._choosing("schedule", zone=zone)
            case Field.PRESETS, *names if set(names) <= PRESETS.keys():
                presets = tuple(name for name in PRESETS if name in names)
                return self._choosing("gates", presets=presets)
            case ((Field.SIGN_REQUIRED | Field.SIGN_FREE), *_):
                return self._choosing("gates", sign_required=field is Field.SIGN_REQUIRED)
            case Field.SEASONS, str(every) if every in set(Every):
                return self._choosing("schedule", every=Every(every))
            case Field.LANGUAGE, str(language) if language in (NONE, *LANGUAGES):
                return self._changing(partial(replace, language=None if language == NONE else language))
            case Field.ABSENCE, str(absence) if absence in set(Absence):
                return self._changing(partial(replace, absence=Absence(absence)))
            case Field.AFK, str(seconds) if seconds in (NONE, *map(str, AFK_SECONDS)):
                return self._changing(partial(replace, afk_seconds=_number(seconds)))
            case Field.RETENTION, str(days) if days in (NONE, *map(str, RETENTION_DAYS)):
                return self._changing(lambda settings: settings.retaining(_number(days), now))
            case Field.TABLES, *values if (channels := _channels(guild, values, TABLE_KINDS)) is not None:
                return self._changing(partial(replace, table_channels=channels))
            case Field.PODIUM, *values if (channels := _channels(guild, values, PODIUM_KINDS)) is not None:
                return self._changing(partial(replace, podium_channel=next(iter(channels), None)))
            case ((Field.ROLE | Field.PLAYERS_ROLE), *values) if len(values) <= 1:
                refusal = _role_refusal(interaction, field, values, texts)
                name = "champion_role" if field is Field.ROLE else "players_role"
                return refusal or self._changing(partial(replace, **{name: next(map(int, values), None)}))
            case (Field.GONE,):
                return self._changing(lambda settings: settings.within(known_places(guild, settings)))
            case _:
                return texts.t("That can no longer be chosen: this is what there is now.")

    async def _retention_question(self, interaction: discord.Interaction) -> Layout | None:
        """What is asked before a choice that deletes matches; None for every other one."""
        guild_id, now, values = guild_of(interaction), self._clock.now(), chosen(interaction)
        if len(values) != 1 or values[0] not in _RETENTIONS:
            return None
        days = int(values[0])
        settings = await or_later(self._servers.read(guild_id))
        if not settings.would_delete_more(days):
            return None
        old = await or_later(self._retention.count_old(guild_id, days, now))
        return retention_question(days, old, now, reader(interaction))

    def _changing(self, change: ServerChange) -> SavedChange:
        return lambda guild_id: self._servers.change(guild_id, change)

    def _choosing(self, part: str, **chosen: object) -> SavedChange:
        def change(setup: Setup) -> Setup:
            return replace(setup, **{part: replace(getattr(setup, part), **chosen)})

        return lambda guild_id: self._seasons.choose(guild_id, change, self._clock.now())

    async def _show(self, interaction: discord.Interaction, change: SavedChange | str | None = None) -> None:
        """Show the panel after a change, or with the sentence that refuses it."""
        texts, guild_id = reader(interaction), guild_of(interaction)
        notice = change if isinstance(change, str) else None

        async def saved_and_read() -> tuple[ServerSettings, Setup, tuple[Trouble, ...]]:
            if change is not None and not isinstance(change, str):
                await change(guild_id)
            settings = await self._servers.read(guild_id)
            return settings, await self._seasons.setup(guild_id), await self._duties.troubles(guild_id)

        settings, setup, troubles = await or_later(saved_and_read())
        lines = [trouble_line(one, texts) for one in troubles[-MOST_TROUBLES:]]
        configured = Configured(
            settings=settings,
            setup=setup,
            own_language=self._defaults.language(interaction, replace(settings, language=None)),
            afk_seconds=self._afk_seconds,
            known=known_places(interaction.guild, settings),
            checks=[*checks(interaction, settings, texts), *lines],
        )
        await show(interaction, config_panel(configured, texts, notice))


def _channels(
    guild: discord.Guild | None, values: Sequence[str], kinds: Sequence[discord.ChannelType]
) -> tuple[int, ...] | None:
    """The ids of the chosen channels; None if one is gone, or of another kind."""
    known = {} if guild is None else {str(channel.id): channel for channel in guild.channels}
    chosen = [known.get(value) for value in values]
    ids = tuple(channel.id for channel in chosen if channel is not None and channel.type in kinds)
    return ids if len(ids) == len(values) else None


def _role_refusal(interaction: discord.Interaction, field: Field, values: Sequence[str], texts: Texts) -> str | None:
    guild, member = interaction.guild, interaction.user
    if not values:
        return None
    role = None if guild is None else next((role for role in guild.roles if str(role.id) == values[0]), None)
    if role is None or not isinstance(member, discord.Member):
        return texts.t("That can no longer be chosen: this is what there is now.")
    return _ROLE_JUDGES[field](member, role, texts)


def _number(value: str) -> int | None:
    return None if value == NONE else int(value)
