"""`/kems history`, `match`, `export`, `replay`, `review` and their presses: what was played here, for its reader alone.

Each press asks again whether its presser can see the channel of the match: custom ids are no proof.
A shared round is a moving picture that stands once in each channel, whoever presses, however often.
"""

import asyncio
import unicodedata
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import Final

import discord
import structlog
from discord.app_commands import Range

from bot.errors import StoreError
from bot.game.notation.writer import write_match
from bot.game.replay_steps import RoundReplay, public_round, replay_round
from bot.records.archive import Archive, PastMatch, SharedRound, SharedRounds
from bot.records.history import History, MatchRecord, Nth, Spot
from bot.records.pictures import Pictures
from bot.records.review import review
from bot.records.seasons import SeasonStore
from bot.tables.clock import Clock
from bot.tables.directory import TableDirectory
from bot.tables.hub import Hub, LobbyChanged, RightsChanged, SeatsCalled, SeatsChanged, ServersReached, TableClosed
from bot.tables.lobby.lobby import LobbyCode
from bot.tables.match.table import TableChanged
from bot.ui.admission.admission import or_later
from bot.ui.feature import CommandSet, Feature, command
from bot.ui.kit.components import Layout, link_to
from bot.ui.kit.custom_ids import Press, read_number, read_spot
from bot.ui.kit.interactions import (
    PreparedView,
    first_chosen,
    guild_of,
    noting,
    reader,
    say_outdated,
    show,
)
from bot.ui.kit.names import MAX_NAME
from bot.ui.kit.permissions import PICTURES, lacking, may_write, missing, needed_here, permission_names
from bot.ui.kit.texts import Texts, mark
from bot.ui.live import live_message
from bot.ui.live.custom_emojis import CustomEmojis
from bot.ui.live.illustrations import Illustrated, PictureLine
from bot.ui.live.live_messages import LiveMessages
from bot.ui.live.panel_requests import PanelRequests
from bot.ui.live.presenter import Presenter
from bot.ui.live.private_panels import PanelMemory
from bot.ui.lobby.places import ServerDefaults
from bot.ui.lobby.public_screen import table_screens
from bot.ui.records.history_panels import (
    MatchEndReader,
    broken_off_words,
    history_panel,
    look_through,
    match_panel,
    match_words,
    purged_words,
)
from bot.ui.records.replay_panel import (
    RecordsVerb,
    replay_panel,
    round_animation,
    round_description,
    round_in_short,
    step_of,
)
from bot.ui.records.review_panel import review_panel
from bot.ui.records.sight import Sight
from bot.ui.table.verbs import TableVerb
from bot.ui.words.refusals import RefusedError, refused
from bot.ui.words.table_text import seated

_MAX_NONCE: Final = 25

_log = structlog.get_logger(__name__)

_MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_NUMBER: Final = (mark("table"), mark("Its number, as in the history (the last one)"))
_MOST_PAGES: Final = 1000
_MOST_ROUNDS: Final = 9999  # what a custom id can say
_HISTORY_KEYS: Final = 2


class SharedMessage(live_message.LiveMessage):
    """A round as a moving picture in one channel. Where it was deleted, the next press posts it again."""

    def __init__(
        self,
        context: live_message.LiveContext,
        texts: Texts,
        guild_id: int,
        shared: SharedRound,
        message_id: int | None,
        store: SharedRounds,
    ) -> None:
        spot = live_message.Spot(guild_id, shared.channel_id, message_id)
        super().__init__(context, {"table": shared.table_id, "round": shared.round}, texts, spot)
        self._shared = shared
        self._store = store
        self.shown: PictureLine | None = None

    @property
    def nonce(self) -> str:
        """The same until a message is saved: a post whose save was lost in a crash stands there once."""
        return sha256(repr((astuple(self._shared), self.spot.message_id)).encode()).hexdigest()[:_MAX_NONCE]

    def look(self) -> PictureLine | None:
        return self.shown

    async def note(self, message_id: int, *, is_found: bool) -> None:
        await super().note(message_id, is_found=is_found)
        try:
            await self._store.keep(self._shared, message_id)
        except StoreError as error:  # it stands there; after some minutes a press may post it again
            _log.warning("share.not_saved", table=self._shared.table_id, problem=str(error))


@dataclass(frozen=True, eq=False)
class RoundSharing:
    """A picture is drawn for seconds: until it is posted, a second press is told to wait."""

    _shared: SharedRounds
    _pictures: Pictures
    _emojis: CustomEmojis
    _live: LiveMessages
    _defaults: ServerDefaults
    _under_way: set[SharedRound] = field(default_factory=set, init=False)

    async def share(self, interaction: discord.Interaction, match: PastMatch, wanted: int) -> None:
        """Post a round, in the server's language, where the presser may post as well.

        Raises:
            RefusedError: it may not be posted here, or stands here already.
            StoreError: it is not known whether it was posted.
        """
        texts = reader(interaction)
        _check_may_post(interaction, texts)
        assert interaction.channel_id is not None, "a match is pressed in a channel"
        shared = SharedRound(match.table_id, wanted, interaction.channel_id)
        if shared in self._under_way:
            raise RefusedError(texts.t("This round is being drawn: it comes in a moment."))
        self._under_way.add(shared)
        try:
            message_id, guild_id = await or_later(self._shared.message_of(shared)), guild_of(interaction)
            message = SharedMessage(self._live.context, texts, guild_id, shared, message_id, self._shared)
            if await message.stands():
                link = link_to(guild_id, shared.channel_id, message_id)
                raise RefusedError(texts.t("This round is shared already: {link}", link=link))
            replay = await asyncio.to_thread(replay_round, match.events, wanted)
            await self._post(interaction, match, replay, message)
        finally:
            self._under_way.discard(shared)

    async def _post(
        self, interaction: discord.Interaction, match: PastMatch, replay: RoundReplay, message: SharedMessage
    ) -> None:
        """Posts as a message of the channel: a follow-up of the press takes no nonce."""
        t, texts = reader(interaction).t, await self._defaults.public_texts(interaction)
        # A public "thinking…" cannot be removed where drawing fails: the presser alone reads that it takes seconds.
        await interaction.response.send_message(t("I am drawing the round: it comes in a moment."), ephemeral=True)
        try:
            drawn = await self._pictures.draw(round_animation(match, replay, texts, self._emojis.named))
        except Exception:  # noqa: BLE001 - the presser gets a sentence, the log the error
            _log.exception("picture.not_shared")
            await interaction.edit_original_response(content=t("The picture could not be drawn: please try again."))
            return
        message.shown = PictureLine(
            f"🎞 {round_in_short(match, replay, texts)}",
            drawn,
            f"kems-{match.table_id}-{replay.number}.{drawn.suffix}",
            round_description(match, replay, texts),
        )
        with noting(_log.warning, "share.failed"):  # another press posts it, or finds it by its nonce
            await message.write_now(is_urgent=True)
        if message.spot.message_id is not None and not message.is_gone:
            await interaction.delete_original_response()
            return
        spot, said = message.spot, t("The picture could not be drawn: please try again.")
        if message.outage is not None:
            said = t("Discord refused that. May the bot post here? Ask an admin of this server.")
        if lacks := permission_names(lacking(interaction.client, spot.guild_id, spot.channel_id), reader(interaction)):
            said = t("I cannot post pictures here: I lack {permissions}.", permissions=lacks)
        await interaction.edit_original_response(content=said)


def _check_may_post(interaction: discord.Interaction, texts: Texts) -> None:
    if not may_write(interaction):
        raise RefusedError(texts.t("You may not write here, so I may not post for you."))
    if lacks := missing(interaction.app_permissions, (*needed_here(interaction.channel), *PICTURES)):
        names = permission_names(lacks, texts)
        raise RefusedError(texts.t("I cannot post pictures here: I lack {permissions}.", permissions=names))


@dataclass(eq=False, repr=False)
class RecordsCommands(CommandSet):
    """`/kems history`, `match`, `export`, `replay` and `review`, and the buttons of histories and replays."""

    verbs = frozenset[str]({*RecordsVerb, TableVerb.WATCH, TableVerb.SHARE, TableVerb.REVIEW, TableVerb.FILM})

    _history: History
    _archive: Archive
    _seasons: SeasonStore
    _presenter: Presenter
    _sharing: RoundSharing
    _sight: Sight = field(default_factory=Sight, init=False)

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
        await interaction.response.defer(ephemeral=True, thinking=True)  # Discord may have to be asked about threads
        await self._show_page(interaction, None if member is None else member.id, Nth(page))

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        if press.verb != RecordsVerb.HISTORY:
            await self._press_replay(interaction, press)
            return
        whose, _, word = press.arg.partition(":")
        user_id, spot = read_number(whose), read_spot(word, _HISTORY_KEYS)
        if user_id is None or spot is None:
            await say_outdated(interaction)
            return
        await interaction.response.defer()
        await self._show_page(interaction, user_id or None, spot)

    @command(mark("match"), mark("See how a match went"), options={"number": _NUMBER})
    async def match(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES] | None = None) -> None:
        page = await or_later(self._match(interaction, await self._find_match(interaction, number)))
        await self._presenter.illustrator.answer(interaction, page)

    async def _show_page(self, interaction: discord.Interaction, user_id: int | None, spot: Spot) -> None:
        page = await or_later(self._history.history(guild_of(interaction), user_id, spot))
        open_ids = await self._sight.among(interaction, page.matches)
        seats = (seat for match in page.matches if match.id in open_ids for seat in match.seats)
        name = None if user_id is None else next((seat.name for seat in seats if seat.user_id == user_id), "")
        await show(interaction, history_panel(page, open_ids, reader(interaction), user_id=user_id, name=name))

    async def _match(self, interaction: discord.Interaction, match: MatchRecord) -> Illustrated:
        texts = reader(interaction)
        # A picture cannot show each reader their own time.
        zone = (await self._seasons.setup(guild_of(interaction))).schedule.zone
        played = await self._archive.read(match.id)
        if played is None:
            return Illustrated(match_panel(match, broken_off_words(match, texts), zone, texts))
        if not played.events:
            return Illustrated(match_panel(match, purged_words(match.id, texts), zone, texts))
        rounds, _, picture = await asyncio.to_thread(look_through, match, played, zone, texts)
        return Illustrated(match_panel(match, rounds, zone, texts), picture, match_words(picture, texts), replaces=1)

    async def _find_match(
        self,
        interaction: discord.Interaction,
        number: int | None,
        *,
        is_replayed: bool = False,
        user_id: int | None = None,
    ) -> MatchRecord:
        """The match of that number, or without one the last (of a user) that the presser may see.

        `is_replayed`: the last one that was played to its end. Raises RefusedError, which says why there is none.
        """
        guild_id, t = guild_of(interaction), reader(interaction).t
        if number is None:
            found = (await or_later(self._history.history(guild_id, user_id))).matches
            found = tuple(match for match in found if not (is_replayed and match.is_broken_off))
        else:
            match = await or_later(self._history.match(number))
            found = () if match is None or match.guild_id != guild_id else (match,)
        for match in found:
            if await self._sight.among(interaction, (match,)):
                return match
        if found:
            raise RefusedError(t("That match was played in a channel that you cannot see."))
        if number is None:
            raise RefusedError(t("No match has been finished yet."))
        raise RefusedError(t("There is no finished match of that number here: see `/kems history`."))

    @command(mark("export"), mark("Get a finished match as a file"), options={"number": _NUMBER})
    async def export(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES] | None = None) -> None:
        match = await self._find(interaction, number)
        file = await asyncio.to_thread(match_file, match)  # a long match takes a while to write
        line = reader(interaction).t(
            "Match {number}, move by move. On a computer `kems replay` checks it.", number=match.table_id
        )
        await interaction.response.send_message(line, file=file, ephemeral=True)

    @command(
        mark("replay"),
        mark("Watch a finished match step by step"),
        options={"number": _NUMBER, "wanted": (mark("round"), mark("Which round (the first)"))},
    )
    async def replay(
        self,
        interaction: discord.Interaction,
        number: Range[int, 1, _MOST_TABLES] | None = None,
        wanted: Range[int, 1, _MOST_ROUNDS] = 1,
    ) -> None:
        await self._show(interaction, await self._find(interaction, number), wanted, 0, is_new=True)

    @command(
        mark("review"), mark("See your moments of a match that could have gone better"), options={"number": _NUMBER}
    )
    async def review(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES] | None = None) -> None:
        await self._review(interaction, number)

    async def _review(self, interaction: discord.Interaction, number: int | None) -> None:
        user_id, texts = interaction.user.id, reader(interaction)
        match = await self._find(interaction, number, user_id)
        seat = next((seat for seat, player in enumerate(match.people) if player.user_id == user_id), None)
        if seat is None:
            raise RefusedError(texts.t("You did not play this match: the coach reviews only your own."))
        await interaction.response.defer(ephemeral=True, thinking=True)
        found = await asyncio.to_thread(review, match, seat)

        def panel() -> Layout:
            return review_panel(match, found, self._presenter.emojis.faces(texts, match.theme))

        await self._presenter.emojis.deliver(panel(), partial(show, interaction), panel)

    async def _press_replay(self, interaction: discord.Interaction, press: Press) -> None:
        """Turn to the step that a button names, show the match from its beginning, or share the round."""
        if press.verb == TableVerb.REVIEW:
            await self._review(interaction, press.table_id)
            return
        if press.verb == TableVerb.FILM:
            await self._film(interaction, press)
            return
        match = await self._find(interaction, press.table_id)
        if press.verb in (RecordsVerb.SHARE, TableVerb.SHARE):
            await self._sharing.share(interaction, match, press.round or 1)
        elif press.verb == TableVerb.WATCH:
            await self._show(interaction, match, read_number(first_chosen(interaction)) or 1, 0, is_new=True)
        else:
            await self._show(
                interaction, match, press.round or 1, step_of(press.arg) or 0, is_new=press.verb == RecordsVerb.MOMENT
            )

    async def _film(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the presser alone, at the table, what onlookers saw of a round that is over."""
        texts, table = reader(interaction), self._presenter.directory.table(press.table_id)
        if table is None or interaction.channel_id != table.lobby.place.channel_id:
            raise refused(LobbyCode.UNKNOWN_TABLE, texts)
        match = PastMatch(table.id, table.lobby.theme, seated(table.lobby), await or_later(table.log()))
        replay = await asyncio.to_thread(public_round, match.events, press.round or 0)
        if replay is None:
            await say_outdated(interaction)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        drawn = await self._presenter.illustrator.drawn(
            round_animation(match, replay, texts, self._presenter.emojis.named)
        )
        if drawn is None:
            raise RefusedError(texts.t("The picture could not be drawn: please try again."))
        name, about = f"kems-{match.table_id}-{replay.number}.{drawn.suffix}", round_description(match, replay, texts)
        file = discord.File(BytesIO(drawn.data), name, description=about)
        line = f"🎞 {round_in_short(match, replay, texts)}"
        await interaction.edit_original_response(content=line, attachments=[file])

    async def _show(
        self, interaction: discord.Interaction, match: PastMatch, wanted: int, step: int, *, is_new: bool
    ) -> None:
        replay = await asyncio.to_thread(replay_round, match.events, wanted)
        texts = reader(interaction)

        def panel() -> Layout:
            return replay_panel(match, replay, step, self._presenter.emojis.faces(texts, match.theme))

        async def send(layout: Layout) -> None:
            if is_new:
                await interaction.response.send_message(view=PreparedView(layout), ephemeral=True)
            else:
                await interaction.response.edit_message(view=PreparedView(layout))

        await self._presenter.emojis.deliver(panel(), send, panel)

    async def _find(
        self, interaction: discord.Interaction, number: int | None, user_id: int | None = None
    ) -> PastMatch:
        """The match of that number, or the last one, of that user. Raises RefusedError where it cannot be replayed."""
        t = reader(interaction).t
        found = await self._find_match(interaction, number, is_replayed=True, user_id=user_id)
        match = await or_later(self._archive.read(found.id))
        if match is None:
            line = t("Match {number} was broken off, so it cannot be replayed: see `/kems match`.", number=found.id)
            raise RefusedError(line)
        if not match.events:
            raise RefusedError(purged_words(found.id, reader(interaction)))
        return match


def match_file(match: PastMatch) -> discord.File:
    """The match in KGN, as `kems-<id>.kgn`."""
    kgn = write_match(match.events, seat_words([player.name for player in match.people]))
    return discord.File(BytesIO(kgn.encode()), filename=f"kems-{match.table_id}.kgn")


def seat_words(names: Sequence[str]) -> tuple[str, ...]:
    """The names by seat as words of letters and digits, no two alike; `P<seat>` where a name has none of these."""
    words: list[str] = []
    for seat, name in enumerate(names, 1):
        word = base = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name)))[:MAX_NAME] or f"P{seat}"
        taken = {other.casefold() for other in words}
        number = 2
        while word.casefold() in taken:
            word, number = f"{base}{number}", number + 1
        words.append(word)
    return tuple(words)


def wire_presenter(
    client: discord.Client,
    clock: Clock,
    hub: Hub,
    directory: TableDirectory,
    memory: PanelMemory,
    requests: PanelRequests,
    pictures: Pictures,
    archive: Archive,
    history: History,
    seasons: SeasonStore,
) -> Presenter:
    """The presenter of the tables of `directory`, which shows what is recorded of a match at its end."""
    emojis = CustomEmojis(client, clock)
    screens = table_screens(directory, emojis, MatchEndReader(archive, history, seasons, pictures).read)
    presenter = Presenter(client, clock, directory, screens, emojis, memory, pictures, requests)
    hub.subscribe(TableChanged, presenter.table_changed)
    hub.subscribe(SeatsCalled, presenter.seats_called)
    hub.subscribe(SeatsChanged, presenter.table_changed)
    hub.subscribe(LobbyChanged, presenter.lobby_changed)
    hub.subscribe(TableClosed, presenter.table_closed)
    hub.subscribe(RightsChanged, presenter.live.rights_changed)
    hub.subscribe(ServersReached, presenter.servers_reached)
    return presenter


def records_feature(
    archive: Archive,
    history: History,
    seasons: SeasonStore,
    shared: SharedRounds,
    pictures: Pictures,
    presenter: Presenter,
    defaults: ServerDefaults,
) -> Feature:
    """The finished matches of all servers; `seasons` tell the time zone of a server."""
    sharing = RoundSharing(shared, pictures, presenter.emojis, presenter.live, defaults)
    records = RecordsCommands(history, archive, seasons, presenter, sharing)
    return Feature(presses=(records,), commands=records.commands, is_about_past=True)
