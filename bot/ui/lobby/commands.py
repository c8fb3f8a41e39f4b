"""`/kems start` and `move`: a table, here or in a thread of its own; and everything that is done in a lobby."""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

import discord
import structlog
from discord.app_commands import Choice, Range, locale_str

from bot.base.errors import StoreError
from bot.discord.api.custom_ids import Press
from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.refusals import STORE_ERROR
from bot.discord.api.responses import defer, delete_reply, follow_up, post_reply, reply
from bot.discord.interactions.admission.allowances import POSTS, TABLES, Verb
from bot.discord.interactions.feature import CommandSet, command
from bot.discord.places.threads import delete_thread, open_thread
from bot.discord.text.names import escaped_name
from bot.discord.text.texts import mark, texts_for
from bot.game.cards import DeckKind
from bot.game.rules.house_rules import MAX_LINE, check_table, for_players, override, with_room, without_idle_changes
from bot.game.rules.presets import CLASSIC
from bot.game.rules.rules import AXES, PLAYERS, EndsAt, Rules
from bot.ladder.seasons import SHORT_TARGET
from bot.records.pictures import Theme
from bot.robots.level import RobotLevel
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Absence, Lobby
from bot.tables.servers.settings import RuleBook
from bot.ui.lobby.lobby_board import why_friendly
from bot.ui.lobby.places import SIZE, Openings, stays_here_line, thread_name
from bot.ui.lobby.presses import Invitations
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.rules.editor import find_rules, offer_rules
from bot.ui.table.commands import ABSENCES
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.verbs import TableVerb
from bot.ui.table.which_table import (
    check_may_decide,
    find_lobby,
    find_table_to_move,
    offer_tables,
    running_match_here,
)
from bot.ui.words.refusals import former_table_text, playing_text
from bot.ui.words.rule_names import LEVEL_NAMES

_DECKS: Final = [Choice(name=kind.value, value=kind.value) for kind in DeckKind]
_PLAYERS: Final = [Choice(name=count, value=int(count)) for count in AXES[PLAYERS].values]
_FACES: Final = [Choice(name=locale_str(theme.words), value=theme.value) for theme in Theme]
_LEVELS: Final = [Choice(name=locale_str(name), value=level.value) for level, name in LEVEL_NAMES.items()]
_SHORT: Final = f"{CLASSIC.preset} target={SHORT_TARGET}"

_log = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False)
class LobbyCommands(CommandSet):
    """`/kems start` and `move`, and the button that opens a lobby for friends beside the thread of a first match."""

    verbs = frozenset[Verb]({TableVerb.FRIENDS})

    _book: RuleBook
    _directory: TableDirectory
    _messages: TableMessages
    _openings: Openings
    _invitations: Invitations

    @command(
        "start",
        mark("Open a table"),
        allowance=TABLES,
        choices={"deck": _DECKS, "faces": _FACES, "absence": ABSENCES, "players": _PLAYERS, "robots": _LEVELS},
        options={
            "rules": (mark("rules"), mark("A preset, saved rules, or a line such as: classic target=12")),
            "deck": (mark("deck"), mark("How many cards")),
            "players": (mark("players"), mark("How many play (4)")),
            "target": (mark("target"), mark("Points to win")),
            "robots": (mark("robots"), mark("How well robots play (regular)")),
            "faces": (mark("faces"), mark("What the cards look like (French cards)")),
            "thread": (mark("thread"), mark("Give the match a thread of its own")),
            "absence": (mark("absence"), mark("What happens when a player does not come")),
        },
    )
    async def start(
        self,
        interaction: discord.Interaction,
        rules: Range[str, 1, MAX_LINE] = _SHORT,
        deck: str | None = None,
        players: int | None = None,
        target: Range[int, 1, 99] | None = None,
        robots: str = RobotLevel.REGULAR.value,
        faces: str = Theme.FRENCH.value,
        thread: bool | None = None,
        absence: str | None = None,
    ) -> None:
        """Open a table here; its match is played here, or in a thread of its own.

        The table's message is a message of the bot, not the answer to the command: replies to an answer do not reach
        the bot.

        Raises:
            RefusedError: No table may be opened here, or the presser is playing another match here.
            RulesError: The rules are wrong, or not for so many players.
        """
        texts = texts_of(interaction)
        changes = {} if deck is None else {"deck": deck}
        if target is not None:
            changes |= {"ends_at": EndsAt.TARGET, "target": str(target)}
        named, rule_set = await find_rules(self._book, interaction, rules)
        found = without_idle_changes(override(named, changes))
        if players is None:  # a line may name the number of its players
            seats = found.seating.players
            players = seats[0] if len(seats) == 1 else SIZE
        found = for_players(found, players)
        if deck is None:
            found = with_room(found, players)
        place = await self._openings.find_place(interaction, wants_thread=thread)
        check_table(found, players)
        playing = running_match_here(self._directory, interaction)
        if playing is not None:
            raise RefusedError(playing_text(playing.lobby.place, texts))
        lobby = self._openings.lobby_of(interaction, place, found, players)
        lobby = replace(
            lobby,
            rule_set=rule_set if found == named else None,
            theme=Theme(faces),
            absence=Absence(absence or lobby.absence),
            robot_level=RobotLevel(robots),
        )
        opened = await self._openings.open(interaction, lambda: self._directory.lobbies.open(lobby))
        lobby = find_lobby(self._directory, opened.table_id, texts)
        board = self._messages.message(lobby)
        if opened.is_former:
            board.request_update()
            await reply(interaction, former_table_text(lobby.place, texts))
            return
        await self._show(interaction, lobby)
        why = why_friendly(lobby, interaction)
        await (delete_reply(interaction) if why is None else reply(interaction, why))

    async def press(self, interaction: discord.Interaction, _press: Press) -> None:
        """Open a lobby in the thread's parent channel, and let the presser choose whom to invite."""
        place = await self._openings.find_shared_place(interaction)
        lobby = self._openings.lobby_of(interaction, place, short_rules(self._book))
        opened = await self._openings.open(interaction, lambda: self._directory.lobbies.open(lobby))
        await self._show(interaction, find_lobby(self._directory, opened.table_id, texts_of(interaction)))
        await self._invitations.press(interaction, Press(opened.table_id, LobbyVerb.INVITE))

    async def _show(self, interaction: discord.Interaction, lobby: Lobby) -> None:
        """Post a table's message for a deferred interaction.

        Raises:
            RefusedError: Discord refuses the message.
        """
        promise, post = defer(interaction, is_new=True), self._messages.post(lobby, texts_of(interaction))
        for outcome in await asyncio.gather(promise, post, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome

    @start.autocomplete("rules")
    async def offer(self, interaction: discord.Interaction, current: str) -> list[Choice[str]]:
        """Suggest presets and the server's sets."""
        return await offer_rules(self._book, interaction, current)

    @command(
        "move",
        mark("Bring a table to this channel"),
        allowance=POSTS,
        options={
            "number": (mark("number"), mark("Which table (yours, if elsewhere)")),
            "thread": (mark("thread"), mark("Give the table a thread of its own")),
        },
    )
    async def move(
        self, interaction: discord.Interaction, number: int | None = None, thread: bool | None = None
    ) -> None:
        """Move a table to this channel, or to its own thread under an announcement in it."""
        texts = texts_of(interaction)
        lobby = find_table_to_move(self._directory, interaction, number)
        check_may_decide(interaction, lobby)
        place = await self._openings.find_place(interaction, wants_thread=thread)
        board = self._messages.message(lobby)
        if not place.is_apart:
            await continue_when_slow(board.move(place.channel_id))
            await self._show(interaction, lobby)
            await reply(interaction, texts.t("The table is now in {channel}.", channel=f"<#{place.channel_id}>"))
            return
        public, mover = texts_for(lobby.locale), escaped_name(interaction.user.display_name)
        announcement = public.t("♠ {name} is moving a table of Kem's here.", name=mover)
        under = await post_reply(interaction, announcement)
        channel = interaction.channel
        assert isinstance(channel, discord.TextChannel), "only text channels are asked for threads"
        requests = board.context.requests
        opened = await open_thread(requests, channel, thread_name(lobby), under=under)
        try:
            await board.move(opened if isinstance(opened, int) else channel.id)
        except StoreError as error:  # the table stays where it is, though a thread was announced
            _log.warning("move.not_saved", table=lobby.id, problem=str(error))
            if isinstance(opened, int) and (made := channel.get_thread(opened)) is not None:
                await delete_thread(requests, made)
            await follow_up(interaction, texts.t(STORE_ERROR))
            return
        if not isinstance(opened, int):
            await follow_up(interaction, stays_here_line(opened, channel, public), is_public=True)
        try:
            await self._messages.post(lobby, texts)
        except RefusedError as refusal:
            await follow_up(interaction, str(refusal))

    @move.autocomplete("number")
    async def offer_moves(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Suggest the tables that the presser may move."""
        return offer_tables(self._directory, interaction, current)


def short_rules(book: RuleBook) -> Rules:
    """Return the rules of a short match, with the bot's default pace."""
    return override(book.preset(CLASSIC.preset), {"target": SHORT_TARGET})
