"""The collaborators that all features are wired from."""

from dataclasses import dataclass, field
from functools import cached_property
from random import Random

import discord

from bot.base.settings import Settings
from bot.discord.interactions.admission.admission import Admission, PressRate
from bot.discord.interactions.admission.discord_clock import DiscordClock
from bot.discord.interactions.admission.press_notes import PressNotes
from bot.discord.interactions.admission.spending import Spending
from bot.discord.interactions.feature import Feature
from bot.discord.messages.live_messages import LiveMessages
from bot.discord.messages.panel_memory import PanelMemory
from bot.discord.messages.rivals import Rivals
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrator
from bot.discord.pictures.portraits import Portraits
from bot.discord.places.server_defaults import ServerDefaults
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.rate_limits.panel_requests import OwnLoad, PanelRequests
from bot.records.pictures import Pictures
from bot.robots import LEVELS, Robot, RobotLevel, Timing
from bot.tables.directory import TableDirectory
from bot.tables.erasure import Erasure, ErasureJob, RetentionJob
from bot.tables.hub import Hub, OpenChannels, PersonErased, RightsChanged, ServersLost, ServersReached, on
from bot.tables.nights.live_nights import LiveNights
from bot.tables.open_matches import OpenMatches
from bot.tables.servers.settings import RuleBook
from bot.tables.stores import Stores


@dataclass(frozen=True, eq=False, kw_only=True)
class Rooms:
    """The collaborators of all features, one object for the process. Each property is made on first use.

    - `drawings`: draws pictures without portraits.
    - `timing`: how quick robots are; None for that of their level.
    - `load`: measures the process's load, under which panels are edited more rarely; None for no such slowing.
    - `rate`: the rate limit of presses.
    - `has_allowances`: whether the requests of members and servers are limited.
    - `features`: the features that have been wired so far.
    """

    client: discord.Client
    settings: Settings
    clock: DiscordClock
    rng: Random
    hub: Hub
    store: Stores
    drawings: Pictures
    timing: Timing | None
    load: OwnLoad | None
    rate: PressRate
    has_allowances: bool
    features: list[Feature] = field(default_factory=list, init=False)

    @cached_property
    def admission(self) -> Admission:
        """The admission of interactions."""
        spending = Spending(self.clock, self.directory.bans) if self.has_allowances else None
        return Admission(self.clock, self.rate, self.notes, lambda: self.store.cluster.acts_until, spending)

    @cached_property
    def book(self) -> RuleBook:
        """The rule book."""
        return RuleBook(self.store.rule_sets, self.settings.house_rules)

    @cached_property
    def defaults(self) -> ServerDefaults:
        """The settings of servers."""
        return ServerDefaults(self.store.servers, self.settings.default_locale)

    @cached_property
    def directory(self) -> TableDirectory:
        """The running tables."""

        def robot(_seat: int, level: RobotLevel) -> Robot:
            return Robot(Random(self.rng.getrandbits(64)), LEVELS[level], timing=self.timing)  # noqa: S311 - its whims

        return TableDirectory(
            clock=self.clock,
            store=self.store.tables,
            journal=self.store.journal,
            bans=self.store.bans,
            rng=self.rng,
            hub=self.hub,
            robots=robot,
            lacking=self.live.members.lacking,
            **self.settings.table_times,
        )

    @cached_property
    def emojis(self) -> CustomEmojis:
        """The custom emojis."""
        return CustomEmojis(self.client, self.clock)

    @cached_property
    def erasure(self) -> Erasure:
        """The erasure of people."""
        return Erasure(self.directory, self.store.personal_data, self.store.other_processes, self.hub)

    @cached_property
    def illustrator(self) -> Illustrator:
        """The object that answers interactions with pictures."""
        return Illustrator(self.pictures, self.panel_requests)

    @cached_property
    def live(self) -> LiveMessages:
        """The live messages."""
        return LiveMessages(self.client, self.clock, self.requests, self.emojis, self.illustrator, self.rivals.nonce_of)

    @cached_property
    def memory(self) -> PanelMemory:
        """The tokens of ephemeral panels, saved for the next run."""
        return PanelMemory(self.store.panels, self.clock)

    @cached_property
    def nights(self) -> LiveNights:
        """The nights that are not over yet."""
        return LiveNights(
            clock=self.clock, store=self.store.nights, directory=self.directory, hub=self.hub, rng=self.rng
        )

    @cached_property
    def notes(self) -> PressNotes:
        """The notes on presses, for `kems why`."""
        return PressNotes(self.store.press_notes, self.clock, self.rivals)

    @cached_property
    def panel_requests(self) -> PanelRequests:
        """The rate limit of panels."""
        return PanelRequests(self.settings.panel_rate, self.load)

    @cached_property
    def pictures(self) -> Portraits:
        """The object that draws pictures with avatars."""
        return Portraits(self.client, self.clock, self.drawings, self.store.personal_data)

    @cached_property
    def requests(self) -> BotRequests:
        """The rate limits of requests with the bot's token."""
        return BotRequests(self.clock)

    @cached_property
    def rivals(self) -> Rivals:
        """The object that detects other bots with the same token."""
        return Rivals(self.client, self.clock, self.store.nonce_tags)

    async def close(self) -> None:
        """Save what is waiting to be saved; call it once nothing is served any more."""
        await self.memory.close()
        await self.notes.close()
        await self.store.close()


def shared_feature(rooms: Rooms) -> Feature:
    """Return the jobs and subscriptions that belong to no feature.

    It is the first feature, so that the table directory receives each event before the others.
    """
    clock, store, directory, live = rooms.clock, rooms.store, rooms.directory, rooms.live
    open_matches = OpenMatches(clock, store.tables)
    return Feature(
        hears=(
            on(OpenChannels, open_matches.changed),
            on(ServersLost, lambda lost: directory.hold(lost.guild_ids)),
            on(ServersReached, lambda reached: directory.resume(reached.guild_ids)),
            on(RightsChanged, live.rights_changed),
            on(PersonErased, lambda erased: rooms.notes.forget(erased.user_id)),
            on(PersonErased, lambda erased: directory.reservations.forget_person(erased.user_id)),
            on(PersonErased, lambda erased: rooms.pictures.forget(erased.user_id)),
        ),
        of_shards=(rooms.rivals, open_matches, directory, live),
        jobs=(open_matches, ErasureJob(clock, rooms.erasure), *store.jobs),
        of_leader=(RetentionJob(clock, store.retention, directory.remove_match), *store.of_leader),
        stops=(live.stop, rooms.illustrator.stop),
        problems=live.problems,
    )
