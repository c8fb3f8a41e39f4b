"""`/kems history` and `match`, and the presses that turn a page: what was played here. All answers are the reader's."""

import asyncio
from collections.abc import Iterable
from typing import Final

import discord
from discord.app_commands import Range

from bot.ladder.outcomes import counters_in_vain, rounds_of
from bot.records.archive import Archive, PastPlace
from bot.records.history import History, Nth, Spot
from bot.records.seasons import SeasonStore
from bot.ui.admission.admission import or_later
from bot.ui.feature import CommandSet, command
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import Press, read_number, read_spot
from bot.ui.kit.interactions import guild_of, reader, say, say_outdated, show
from bot.ui.kit.texts import Texts, mark
from bot.ui.live.illustrations import Illustrated, Illustrator
from bot.ui.records.history_panels import broken_off_words, history_panel, match_panel, purged_words
from bot.ui.records.match_picture import match_picture, match_words
from bot.ui.records.replay_panel import RecordsVerb

MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_MOST_PAGES: Final = 1000
_HISTORY_KEYS: Final = 2


class HistoryCommands(CommandSet):
    """`/kems history` and `match`, and the buttons of the history."""

    verbs = frozenset[str]({RecordsVerb.HISTORY})

    def __init__(self, history: History, archive: Archive, seasons: SeasonStore, illustrator: Illustrator) -> None:
        super().__init__()
        self._history = history
        self._archive = archive
        self._seasons = seasons
        self._illustrator = illustrator

    @command(
        mark("history"),
        mark("See what was played here"),
        options={
            "member": (mark("member"), mark("Whose matches (everybody's)")),
            "page": (mark("page"), mark("Which page (the newest)")),
        },
    )
    async def history(
        self, interaction: discord.Interaction, member: discord.User | None = None, page: Range[int, 1, _MOST_PAGES] = 1
    ) -> None:
        panel = await or_later(self._page(interaction, None if member is None else member.id, Nth(page)))
        await show(interaction, panel)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        whose, _, word = press.arg.partition(":")
        user_id, spot = read_number(whose), read_spot(word, _HISTORY_KEYS)
        if user_id is None or spot is None:
            await say_outdated(interaction)
            return
        panel = await or_later(self._page(interaction, user_id or None, spot))
        await self._illustrator.answer(interaction, Illustrated(panel))

    @command(
        mark("match"),
        mark("See how a match went"),
        options={"number": (mark("table"), mark("Its number, as in the history"))},
    )
    async def match(self, interaction: discord.Interaction, number: Range[int, 1, MOST_TABLES]) -> None:
        texts = reader(interaction)
        is_open, page = await or_later(self._match(interaction, number, texts))
        if page is not None:
            await self._illustrator.answer(interaction, page)
        elif is_open:
            await say(interaction, texts.t("There is no finished match of that number here: see `/kems history`."))
        else:
            await say(interaction, texts.t("That match was played in a channel that you cannot see."))

    async def _page(self, interaction: discord.Interaction, user_id: int | None, spot: Spot) -> Layout:
        page = await self._history.history(guild_of(interaction), user_id, spot)
        places = (PastPlace(match.id, match.channel_id, match.user_ids) for match in page.matches)
        open_ids = await visible(interaction, places)
        seats = (seat for match in page.matches if match.id in open_ids for seat in match.seats)
        name = None if user_id is None else next((seat.name for seat in seats if seat.user_id == user_id), "")
        return history_panel(page, open_ids, reader(interaction), user_id=user_id, name=name)

    async def _match(
        self, interaction: discord.Interaction, number: int, texts: Texts
    ) -> tuple[bool, Illustrated | None]:
        """A match of the history for a reader who may look at it; and whether they may, True where there is none."""
        guild_id, match = guild_of(interaction), await self._history.match(number)
        if match is None or match.result is None or match.guild_id != guild_id:
            return True, None
        if not await may_look(interaction, PastPlace(match.id, match.channel_id, match.user_ids)):
            return False, None
        zone = (await self._seasons.setup(guild_id)).schedule.zone  # a picture cannot show each reader their own time
        played = await self._archive.read(number)
        if played is None:
            return True, Illustrated(match_panel(match, broken_off_words(match, texts), zone, texts))
        if not played.events:
            return True, Illustrated(match_panel(match, purged_words(match.id, texts), zone, texts))
        rounds = await asyncio.to_thread(rounds_of, played.events)  # a long match takes a while to play again
        picture = match_picture(match, rounds, zone, texts)
        panel = match_panel(match, rounds, zone, texts, counters_in_vain(played.events))
        return True, Illustrated(panel, picture, match_words(picture, texts))


async def visible(interaction: discord.Interaction, places: Iterable[PastPlace]) -> frozenset[int]:
    """The tables that the presser may look at; each channel is looked up once, all at the same time."""
    asked = tuple(places)
    own = {place.table_id for place in asked if interaction.user.id in place.user_ids}
    channel_ids = tuple({place.channel_id for place in asked if place.table_id not in own})
    seen = await asyncio.gather(*(_may_view(interaction, channel_id) for channel_id in channel_ids))
    open_ids = {channel_id for channel_id, is_seen in zip(channel_ids, seen, strict=True) if is_seen}
    return frozenset(own.union(place.table_id for place in asked if place.channel_id in open_ids))


async def may_look(interaction: discord.Interaction, place: PastPlace) -> bool:
    return bool(await visible(interaction, [place]))


async def _may_view(interaction: discord.Interaction, channel_id: int) -> bool:
    """Whether the presser can see a channel or thread of this server that still exists."""
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return False
    if channel_id == interaction.channel_id:
        return True
    channel = guild.get_channel_or_thread(channel_id)
    if channel is None:  # Discord tells of no archived thread until it is asked
        try:
            channel = await guild.fetch_channel(channel_id)
        except (discord.NotFound, discord.Forbidden, discord.InvalidData):
            return False
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    permissions = channel.permissions_for(member)
    if not permissions.view_channel:
        return False
    if isinstance(channel, discord.Thread) and channel.is_private() and not permissions.manage_threads:
        try:
            await channel.fetch_member(member.id)
        except discord.NotFound:
            return False
    return True
