"""`/kems records` except `stats`, and its presses: finished matches, shown to the presser alone.

Each press checks again whether its presser can see the channel of the match: custom ids are no proof.
"""

import asyncio
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Final

import discord
from discord.app_commands import Range

from bot.base.worker_process import Priority, run_in_worker_process
from bot.discord.api.components import Layout
from bot.discord.api.custom_ids import Press, read_number, read_page_key
from bot.discord.api.interactions import RefusedError, first_chosen_value, guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import defer, reply_new_panel, reply_outdated, reply_panel, reply_with_files
from bot.discord.interactions.admission.allowances import COMPUTATIONS, PAGES, PICTURES, Verb
from bot.discord.interactions.feature import CommandSet, Feature, command
from bot.discord.interactions.rooms import Rooms
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.places.channel_access import ChannelAccess
from bot.discord.text.names import MAX_NAME
from bot.discord.text.texts import mark
from bot.game.notation.writer import write_match
from bot.game.replay_steps import RoundReplay, public_round, replay_round
from bot.records.archive import PastMatch
from bot.records.history import MatchRecord, PageKey, PageNumber
from bot.records.review import review
from bot.tables.lobby.refusals import LobbyCode
from bot.ui.records.history_panels import (
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
    review_panel,
    round_animation,
    step_of,
    with_people_apart,
)
from bot.ui.records.sharing import RoundSharing, film_of
from bot.ui.table.verbs import TableVerb
from bot.ui.words.refusals import lobby_refusal
from bot.ui.words.table_text import seated_players

_MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_NUMBER: Final = (mark("number"), mark("Its number, as in the history (the last one)"))
_MOST_PAGES: Final = 1000
_MOST_ROUNDS: Final = 9999  # what a custom id can say
_HISTORY_KEYS: Final = 2


@dataclass(eq=False, repr=False)
class RecordsCommands(CommandSet):
    """`/kems records history`, `match`, `export`, `replay` and `review`, and the buttons of histories and replays."""

    verbs = frozenset[Verb]({*RecordsVerb, TableVerb.WATCH, TableVerb.SHARE, TableVerb.REVIEW, TableVerb.FILM})

    _rooms: Rooms
    _sharing: RoundSharing
    _access: ChannelAccess

    @command(
        "history",
        mark("See what was played here"),
        allowance=PAGES,
        options={
            "member": (mark("member"), mark("Whose matches (everybody's)")),
            "page": (mark("page"), mark("Which page (the newest)")),
        },
    )
    async def history(
        self, interaction: discord.Interaction, member: discord.User | None = None, page: Range[int, 1, _MOST_PAGES] = 1
    ) -> None:
        """Show a page of the matches of this server, or of one member."""
        await defer(interaction)  # Discord may have to be asked about threads
        await self._show_page(interaction, None if member is None else member.id, PageNumber(page))

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Turn a page of a history, or answer a press about a match or a replay."""
        if press.verb != RecordsVerb.HISTORY:
            await self._press_replay(interaction, press)
            return
        whose, _, word = press.arg.partition(":")
        user_id, page_key = read_number(whose), read_page_key(word, _HISTORY_KEYS)
        if user_id is None or page_key is None:
            await reply_outdated(interaction)
            return
        await defer(interaction)
        await self._show_page(interaction, user_id or None, page_key)

    @command("match", mark("See how a match went"), allowance=PICTURES, options={"number": _NUMBER})
    async def match(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES] | None = None) -> None:
        """Show how a match went."""
        match = await self._find_match(interaction, number)
        await defer(interaction, is_new=True)
        await self._rooms.illustrator.answer(interaction, await self._match(interaction, match))

    async def _show_page(self, interaction: discord.Interaction, user_id: int | None, page_key: PageKey) -> None:
        page = await continue_when_slow(self._rooms.store.history.history(guild_id_of(interaction), user_id, page_key))
        open_ids = await self._open_ids(interaction, page.matches)
        seats = (seat for match in page.matches if match.id in open_ids for seat in match.seats)
        name = None if user_id is None else next((seat.name for seat in seats if seat.user_id == user_id), "")
        await reply_panel(interaction, history_panel(page, open_ids, texts_of(interaction), user_id=user_id, name=name))

    async def _open_ids(
        self, interaction: discord.Interaction, matches: Collection[MatchRecord], *, turns: bool = False
    ) -> frozenset[int]:
        """Return the matches that the presser may see: their own, and those in channels that are visible to them."""
        own = {match.id for match in matches if interaction.user.id in match.user_ids}
        channel_ids = {match.channel_id for match in matches if match.id not in own}
        seen = await self._access.visible(interaction, channel_ids, turns=turns)
        return frozenset(match.id for match in matches if match.id in own or match.channel_id in seen)

    async def _match(self, interaction: discord.Interaction, match: MatchRecord) -> Illustrated:
        texts = texts_of(interaction)
        # A picture cannot show each reader their own time.
        zone = (await self._rooms.store.seasons.setup(guild_id_of(interaction))).schedule.zone
        played = await self._rooms.store.archive.read(match.id)
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
        turns: bool = False,
    ) -> MatchRecord:
        """Return the match of that number, or without one the last one (of a user) that the presser may see.

        `is_replayed`: the last one that was played to its end.

        Raises:
            RefusedError: There is none; the sentence says why.
        """
        guild_id, t = guild_id_of(interaction), texts_of(interaction).t
        if number is None:
            found = (await continue_when_slow(self._rooms.store.history.history(guild_id, user_id))).matches
            found = tuple(match for match in found if not (is_replayed and match.is_broken_off))
        else:
            match = await continue_when_slow(self._rooms.store.history.match(number))
            found = () if match is None or match.guild_id != guild_id else (match,)
        for match in found:
            if await self._open_ids(interaction, (match,), turns=turns):
                return match
        if found:
            raise RefusedError(t("That match was played in a channel that you cannot see."))
        if number is None:
            raise RefusedError(t("No match has been finished yet."))
        raise RefusedError(t("There is no finished match with that number here: see {/history}."))

    @command("export", mark("Get a finished match as a file"), allowance=COMPUTATIONS, options={"number": _NUMBER})
    async def export(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES] | None = None) -> None:
        """Send a match as a file in KGN."""
        match = await self._find(interaction, number)
        await defer(interaction, is_new=True)
        file = await match_file(match)
        line = texts_of(interaction).t(
            "Match {number}, move by move. On a computer `kems replay` checks it.", number=match.table_id
        )
        await reply_with_files(interaction, line, [file])

    @command(
        "replay",
        mark("Watch a finished match step by step"),
        allowance=PAGES,
        options={"number": _NUMBER, "wanted": (mark("round"), mark("Which round (the first)"))},
    )
    async def replay(
        self,
        interaction: discord.Interaction,
        number: Range[int, 1, _MOST_TABLES] | None = None,
        wanted: Range[int, 1, _MOST_ROUNDS] = 1,
    ) -> None:
        """Show the first step of a round."""
        await self._show(interaction, await self._find(interaction, number), wanted, 0, is_new=True)

    @command(
        "review",
        mark("See your moments of a match that could have gone better"),
        allowance=COMPUTATIONS,
        options={"number": _NUMBER},
    )
    async def review(self, interaction: discord.Interaction, number: Range[int, 1, _MOST_TABLES] | None = None) -> None:
        """Show the presser's mistakes in a match, one of each kind."""
        await self._review(interaction, number)

    async def _review(self, interaction: discord.Interaction, number: int | None) -> None:
        """Show the presser's mistakes in a match, by default in their last one.

        Raises:
            RefusedError: They did not play it.
        """
        user_id, texts = interaction.user.id, texts_of(interaction)
        match = await self._find(interaction, number, user_id)
        seat = next((seat for seat, player in enumerate(match.people) if player.user_id == user_id), None)
        if seat is None:
            raise RefusedError(texts.t("You did not play this match: the coach reviews only your own matches."))
        await defer(interaction, is_new=True)
        found = await run_in_worker_process(Priority.ANSWER, review, match, seat)

        def panel() -> Layout:
            return review_panel(match, found, self._rooms.emojis.faces(texts, match.theme))

        await self._rooms.emojis.deliver(panel(), partial(reply_panel, interaction), panel)

    async def _press_replay(self, interaction: discord.Interaction, press: Press) -> None:
        """Turn to the step that a button names, show the match from its beginning, or share the round."""
        if press.verb == TableVerb.REVIEW:
            await self._review(interaction, press.table_id)
            return
        if press.verb == TableVerb.FILM:
            await self._public_film(interaction, press)
            return
        turns = press.verb == RecordsVerb.REPLAY
        match = await self._find(interaction, press.table_id, turns=turns)
        if press.verb == RecordsVerb.FILM:
            await self._show_film(interaction, match, partial(replay_round, match.events, press.round or 1))
        elif press.verb in (RecordsVerb.SHARE, TableVerb.SHARE):
            await self._sharing.share(interaction, match, press.round or 1)
        elif press.verb == TableVerb.WATCH:
            await self._show(interaction, match, read_number(first_chosen_value(interaction)) or 1, 0, is_new=True)
        else:
            await self._show(interaction, match, press.round or 1, step_of(press.arg) or 0, is_new=not turns)

    async def _public_film(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the presser a finished round: during the match as onlookers saw it, afterwards with all hands.

        Raises:
            RefusedError: The match runs in another channel.
        """  # noqa: DOC501 - `refused` makes one
        texts, table = texts_of(interaction), self._rooms.directory.table(press.table_id)
        if table is None or table.is_over:
            past = await self._find(interaction, press.table_id)
            await self._show_film(interaction, past, partial(replay_round, past.events, press.round or 1))
            return
        if interaction.channel_id != table.lobby.place.channel_id:
            raise lobby_refusal(LobbyCode.UNKNOWN_TABLE, texts)
        match = PastMatch(
            table.id, table.lobby.theme, seated_players(table.lobby.players), await continue_when_slow(table.log())
        )
        await self._show_film(interaction, match, partial(public_round, match.events, press.round or 0))

    async def _show_film(
        self, interaction: discord.Interaction, match: PastMatch, read: Callable[[], RoundReplay | None]
    ) -> None:
        """Show the presser a round as an animation.

        `read` makes the round, in a thread; if it returns None, the press is answered as outdated.

        Raises:
            RefusedError: The animation could not be drawn.
        """
        texts = texts_of(interaction)
        await defer(interaction, is_new=True)
        replay = await asyncio.to_thread(read)
        if replay is None:
            await reply_outdated(interaction)
            return
        animation = round_animation(match, replay, texts, self._rooms.emojis.named)
        drawn = await self._rooms.illustrator.drawn(animation)
        if drawn is None:
            raise RefusedError(texts.t("The picture could not be drawn: please try again."))
        film = film_of(match, replay, drawn, texts)
        file = discord.File(BytesIO(drawn.data), film.name, description=film.alt)
        await reply_with_files(interaction, film.line, [file])

    async def _show(
        self, interaction: discord.Interaction, match: PastMatch, wanted: int, step: int, *, is_new: bool
    ) -> None:
        replay = await asyncio.to_thread(replay_round, match.events, wanted)
        texts = texts_of(interaction)

        def panel() -> Layout:
            return replay_panel(match, replay, step, self._rooms.emojis.faces(texts, match.theme))

        send = reply_new_panel if is_new else reply_panel
        await self._rooms.emojis.deliver(panel(), partial(send, interaction), panel)

    async def _find(
        self, interaction: discord.Interaction, number: int | None, user_id: int | None = None, *, turns: bool = False
    ) -> PastMatch:
        """Return the log of the match of that number, or of the last one (of a user).

        Raises:
            RefusedError: It cannot be replayed.
        """
        t = texts_of(interaction).t
        found = await self._find_match(interaction, number, is_replayed=True, user_id=user_id, turns=turns)
        match = await continue_when_slow(self._rooms.store.archive.read(found.id))
        if match is None:
            line = t("Match {number} was broken off, so it cannot be replayed: see {/match}.", number=found.id)
            raise RefusedError(line)
        if not match.events:
            raise RefusedError(purged_words(found.id, texts_of(interaction)))
        return with_people_apart(match)


async def match_file(match: PastMatch) -> discord.File:
    """Return the match in KGN, as `kems-<id>.kgn`."""
    kgn = await run_in_worker_process(
        Priority.BATCH, write_match, match.events, seat_words([player.name for player in match.people])
    )
    return discord.File(BytesIO(kgn.encode()), filename=f"kems-{match.table_id}.kgn")


def seat_words(names: Sequence[str]) -> tuple[str, ...]:
    """Return unique names by seat, of letters and digits only; `P<seat>` if a name has none of these."""
    words: list[str] = []
    for seat, name in enumerate(names, 1):
        word = base = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name)))[:MAX_NAME] or f"P{seat}"
        used = {other.casefold() for other in words}
        number = 2
        while word.casefold() in used:
            word, number = f"{base}{number}", number + 1
        words.append(word)
    return tuple(words)


def records_feature(rooms: Rooms) -> Feature:
    """Return histories and replays as a feature."""
    records = RecordsCommands(rooms, RoundSharing(rooms), ChannelAccess(rooms.requests))
    return Feature(presses=(records,), commands=records.commands, is_about_past=True)
