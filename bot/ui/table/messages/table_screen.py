"""What the public message of a table shows, from the lobby to the last result."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from bot.discord.api import components as c
from bot.discord.api.components import GOLD, GREY, Layout, with_line, with_verbs_enabled
from bot.discord.api.custom_ids import make_id
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrated, PictureLine
from bot.discord.text.names import disambiguate_players, display_name
from bot.discord.text.texts import Texts, texts_for
from bot.game.events import Phase
from bot.game.views import TableView
from bot.tables.directory import TableDirectory
from bot.tables.lobby.help import Coaching
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.match.table import Table
from bot.tables.seat_reservations import reserved_for
from bot.tables.seating import free_robots
from bot.tables.table_store import DamagedTable
from bot.ui.table.messages.running_pictures import RunningPictures
from bot.ui.table.pages.board import OpenRobotSeats, log_board, table_board
from bot.ui.table.pages.match_end import (
    NOTHING_KNOWN,
    MatchEnd,
    MatchEnds,
    call_me_button,
    challenge_parts,
    margin_line,
    match_end_board,
    play_button,
)
from bot.ui.table.pages.round_end import result_board
from bot.ui.table.pages.table_picture import captioned_board, is_shown, picture_words, table_picture
from bot.ui.table.verbs import AT_REST, TableVerb
from bot.ui.words.refusals import STUCK
from bot.ui.words.table_text import EMPTY_SLOT, TableText, join_words, levels_line, seated_players, signed_points

LobbyBoard = Callable[[Lobby, Texts], Layout]
"""Renders a table before its match."""


def lobby_title(lobby: Lobby, texts: Texts) -> str:
    """Return the title of a lobby, with its host's name."""
    host = next((player for player in lobby.players if player and player.user_id == lobby.host_id), None)
    if host is None:
        return texts.t("♠ Kem's table")
    if lobby.status is Status.OPEN:
        return texts.t("♠ {name} opens a table of Kem's", name=display_name(host))
    return texts.t("♠ {name}'s table of Kem's", name=display_name(host))


def damaged_board(texts: Texts, *, is_closed: bool) -> c.Layout:
    """Return the message of a table whose log cannot be read."""
    t = texts.t
    if is_closed:
        return c.layout(c.text(t("This table was damaged, and is closed.")), colour=GREY)
    return c.layout(
        c.text(
            "⚠️ **" + t("This table cannot be continued: what was kept of it is damaged.") + "**",
            t("The host or a moderator closes it with {/end}; {/start} opens another."),
            t("`kems doctor` tells the bot's owner the reason; a backup may be restored."),
        ),
        colour=GREY,
    )


def channel_post(lobby: Lobby, view: TableView | None, texts: Texts, end: MatchEnd = NOTHING_KNOWN) -> c.Layout:
    """Return the content that replaces the lobby's message if the match has a thread: how to watch, later who won.

    Args:
        lobby: The lobby.
        view: The table of a match that is over; otherwise None.
        texts: The server's texts.
        end: What is known about the end of the match.
    """
    link = f"<#{lobby.place.channel_id}>"
    if view is not None:
        play = play_button(texts.t("Play too"))
        watch = c.button(texts.t("🎬 Step by step"), make_id(lobby.id, TableVerb.WATCH))
        heading = c.text(f"### {who_beat_whom(lobby, view, texts)}", margin_line(end, texts), f"-# → {link}")
        challenges = challenge_parts(end.challenges, seated_players(lobby.players), texts)
        call_me = [call_me_button(texts)] if end.offers_role else []
        return c.layout(heading, c.row(play, watch, *call_me), *challenges, colour=GOLD)
    how = None
    if lobby.status is Status.PLAYING:
        sentence = texts.t("the match is on: {link}", link=link)
        how = "-# " + texts.t("👀 Watch it there: the middle, gestures and calls.")
    else:
        sentence = texts.t("closed before the end: {link}", link=link)
    return c.layout(c.text(f"{lobby_title(lobby, texts)} · {sentence}", how), colour=GREY)


def who_beat_whom(lobby: Lobby, view: TableView, texts: Texts) -> str:
    """Return a sentence such as `Dora and Bruno beat Chloé and Léa 10 to 9`."""
    points = list(map(signed_points, view.games if view.rules.end.best_of > 1 else view.scores))
    teams = [join_words([_name(lobby, seat) for seat in lobby.members(team)], texts) for team in range(lobby.teams)]
    if view.winner is None:
        return texts.t("{teams} are level: {points}", teams=" – ".join(teams), points=" – ".join(points))
    winners, most = teams.pop(view.winner), points.pop(view.winner)
    values = {"winners": winners, "losers": " – ".join(teams), "points": most, "against": " – ".join(points)}
    return texts.n(
        "{winners} beats {losers} {points}\u00a0to\u00a0{against}",
        "{winners} beat {losers} {points}\u00a0to\u00a0{against}",
        len(lobby.members(view.winner)), **values,
    )  # fmt: skip


def _name(lobby: Lobby, seat: int) -> str:
    player = disambiguate_players(lobby.players)[seat]
    return EMPTY_SLOT if player is None else display_name(player)


@dataclass(eq=False)
class TableScreen:
    """What the message of one table shows, from the lobby to the result."""

    directory: TableDirectory
    emojis: CustomEmojis
    lobby_board: LobbyBoard
    match_ends: MatchEnds
    lobby: Lobby | DamagedTable
    opened_hands: Callable[[], Collection[int]]
    pictures: RunningPictures
    _end: MatchEnd | None = None
    _film: PictureLine | None = None
    _last: Table | None = None
    _closed: Lobby | DamagedTable | None = None

    def changed(self, table: Table) -> None:
        """Show this state of the match from now on."""
        self._last = table

    def close(self, lobby: Lobby | DamagedTable) -> None:
        """Show from now on that the table was closed before the end of its match."""
        self._closed = lobby

    @property
    def is_closed(self) -> bool:
        """Whether the table was closed before the end of its match."""
        return self._closed is not None

    @property
    def is_final(self) -> bool:
        """Whether nothing more will happen at the table."""
        table = self._table()
        return self.is_closed or (table is not None and table.is_over)

    @property
    def round(self) -> int:
        """The number of the current round; 0 before the first."""
        table = self._table()
        return 0 if table is None else table.table_view().round

    def has_moved_on(self, number: int) -> bool:
        """Return whether another round than this one is being played."""
        return not self.is_closed and self._table() is not None and self.round != number

    async def read_end(self) -> None:
        """Read what a result shows beyond the last round, such as its picture; never raise."""
        table = self._table()
        if table is not None and table.is_over and self._end is None:
            self._end = await self.match_ends.read(table)

    async def read_film(self) -> None:
        """Read the film of the match if it is to have one; never raise."""
        table = self._table()
        if table is not None and self._end is not None:
            self._film = await self.match_ends.film(table)
            self._end = replace(self._end, is_filmed=False)

    async def renew_end(self) -> bool:
        """Read the challenges again; if they have changed, film another round that is no challenge.

        Returns:
            False if the end could not be read.

        Raises:
            StoreError: The challenges could not be read.
        """
        table, end = self._table(), self._end
        if table is None:
            return False
        challenges = await self.match_ends.challenges(table)
        if end is not None and {challenge.key.round for challenge in challenges} == {
            challenge.key.round for challenge in end.challenges
        }:
            self._end = replace(end, challenges=challenges)
        elif (new := await self.match_ends.read(table)) != NOTHING_KNOWN:
            self._end, self._film = new, None
        if self._end is not None and not self.is_complete:
            await self.read_film()
        return self._end is not None

    @property
    def is_complete(self) -> bool:
        """Whether the end of the match is read, with its film if it has one."""
        return self.is_closed or (self._end is not None and not self._end.is_filmed)

    def look(self, number: int) -> Illustrated | None:
        """Return what the message shows in round `number`, or its log once the round is past; None without a table."""
        layout, end = self._layout(number), self._end or NOTHING_KNOWN
        if layout is None:
            return None
        return self._drawn(number, layout) or Illustrated(layout, end.picture, end.alt, film=self._film)

    def _drawn(self, number: int, layout: Layout) -> Illustrated | None:
        """Return the running table as a picture with the text around it; None if it is shown in words alone."""
        table, texts = self._table(), texts_for(self.lobby.locale)
        if self.is_closed or table is None or table.is_stuck:
            return None
        view, people = table.table_view(), seated_players(table.lobby.players)
        if view.round != number or not is_shown(view) or not self.pictures.is_drawn(table):
            return None
        faces, named = self.emojis.faces(texts, table.lobby.theme), self.emojis.named
        caption = captioned_board(view, people, table.id, faces, self.opened_hands(), self._robots(table))
        picture, words = table_picture(view, people, faces, named), picture_words(view, people, faces, named)
        return Illustrated(layout, picture, words, caption=caption, series=number)

    def _layout(self, number: int) -> Layout | None:
        table, texts = self._table(), texts_for(self.lobby.locale)
        if isinstance(self._closed, Lobby):
            return self.lobby_board(self._closed, texts)
        if self._closed is not None or self.directory.damaged(self.lobby.id) is not None:
            return damaged_board(texts, is_closed=self._closed is not None)
        if table is None:
            lobby = self.directory.lobby(self.lobby.id)
            return None if lobby is None else self.lobby_board(lobby, texts)
        view, people, log = table.table_view(), seated_players(table.lobby.players), table.former_rounds
        faces = self.emojis.faces(texts, table.lobby.theme)
        if view.round != number:
            return log_board(TableText(log[-1] if log else view, people, faces), log)
        if view.phase is Phase.MATCH_OVER:
            end = self._end or NOTHING_KNOWN
            if table.lobby.place.post is not None:  # the card in the channel has them
                end = replace(end, challenges=())
            is_first, ready = table.lobby.coaching is Coaching.LESSONS, table.lobby.wants_rematch
            return match_end_board(
                view, people, table.id, faces, log=log, end=end, ready=ready, away=table.away, is_first=is_first
            )
        robots = self._robots(table)
        if view.phase is Phase.OVER:
            board = result_board(view, people, table.id, faces, log, robots, seated_players(table.round_players))
        else:
            levels = levels_line(table.lobby, texts)
            board = table_board(view, people, table.id, faces, self.opened_hands(), log, levels, robots)
        if table.is_stuck:
            board = with_line(board, texts.t(STUCK))
        return board if view.pause is None else with_verbs_enabled(board, AT_REST)

    def _robots(self, table: Table) -> OpenRobotSeats:
        reservations = reserved_for(table.lobby)
        free = next((seat for seat in free_robots(table.lobby) if seat not in reservations), None)
        return OpenRobotSeats(free, {seat: watcher.name for seat, watcher in reservations.items()})

    def post(self) -> Illustrated:
        """Return what the lobby's message shows while the match runs in its thread, and after it, with the picture."""
        end = self._end or NOTHING_KNOWN
        return Illustrated(self._post(end), end.picture, end.alt, film=self._film)

    def _post(self, end: MatchEnd) -> Layout:
        texts = texts_for(self.lobby.locale)
        if isinstance(self._closed, DamagedTable) or self.directory.damaged(self.lobby.id) is not None:
            return damaged_board(texts, is_closed=self._closed is not None)
        table = self._table()
        lobby = self._closed or (self.directory.lobby(self.lobby.id) if table is None else table.lobby)
        assert lobby is not None, "a table with a thread has begun its match"
        view = None if table is None or not table.is_over else table.table_view()
        return channel_post(lobby, view, texts, end)

    def _table(self) -> Table | None:
        # A match that was broken off leaves the directory before its message has said so.
        return self.directory.table(self.lobby.id) or self._last
