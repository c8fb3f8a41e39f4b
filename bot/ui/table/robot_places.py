"""The button on the table with which a watcher takes a robot's seat at the next deal."""

import discord
import structlog

from bot.base.background import Tasks
from bot.discord.api import components as c
from bot.discord.api.custom_ids import Press, make_id, number_of
from bot.discord.api.interactions import texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.requests import log_failures
from bot.discord.api.responses import defer, reply_panel
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.text.names import escaped_name
from bot.records.player import Player
from bot.tables.directory import TableDirectory
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.seat_reservations import ReservationSettled
from bot.tables.seating import free_robots
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.presses import show_seat
from bot.ui.table.verbs import TableVerb
from bot.ui.words.refusals import lobby_refusal, lobby_refusal_text, unwrap
from bot.ui.words.table_text import elide

_log = structlog.get_logger(__name__)


class RobotPlaces:
    """Answers the button, and shows the waiting watchers their hand once they sit there.

    After a restart of the bot the answer does not change by itself: they open their hand at the table.
    """

    verbs = frozenset[Verb]({TableVerb.CLAIM})

    def __init__(self, directory: TableDirectory, messages: TableMessages) -> None:
        self._directory = directory
        self._messages = messages
        self._waiting: dict[tuple[int, int], discord.Interaction] = {}  # by table and person
        self._showing = Tasks()
        self.close = self._showing.wait

    def settled(self, settled: ReservationSettled) -> None:
        """Tell a waiting watcher the outcome of their reservation."""
        self._showing.start(self._settled(settled))

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Reserve the robot's seat that the button names; if it names none, cancel the presser's reservation.

        Raises:
            RefusedError: The table is gone, or the seat cannot be taken.
        """  # noqa: DOC501 - `refused` makes one
        table, texts = self._directory.table(press.table_id), texts_of(interaction)
        if table is None:
            raise lobby_refusal(LobbyCode.UNKNOWN_TABLE, texts)
        if press.arg:
            await self.take(interaction, table, number_of(press.arg))
            return
        await continue_when_slow(self._directory.reservations.cancel(table, interaction.user.id))
        self._waiting.pop((table.id, interaction.user.id), None)
        await reply_panel(interaction, c.layout(c.text(texts.t("You watch on.")), colour=c.GREY))

    async def take(self, interaction: discord.Interaction, table: Table, seat: int | None) -> None:
        """Let the presser take a robot's seat.

        Raises:
            RefusedError: The seat cannot be taken.
            BannedError: The presser is banned.
            StoreError: The change was not saved.
        """  # noqa: DOC501 - `lobby_refusal` makes one
        texts, user = texts_of(interaction), interaction.user
        robots = free_robots(table.lobby)
        if seat not in robots:
            raise lobby_refusal(LobbyCode.SEAT_TAKEN, texts)
        name = escaped_name(robots[seat].name)
        await defer(interaction, is_new=True)
        player = Player(user.display_name, user.id)
        unwrap(await continue_when_slow(self._directory.reservations.reserve(table, seat, player)), texts)
        if table.lobby.seat_of(user.id) is not None:
            await show_seat(interaction, table, self._messages.panels, is_below=True)
            return
        self._waiting[table.id, user.id] = interaction
        sentence = elide(texts.t("You take the place of {robot} at the next deal.", robot=name), name, texts)
        stay = c.button(texts.t("Watch on"), make_id(table.id, TableVerb.CLAIM))
        await reply_panel(interaction, c.layout(c.text(sentence), c.row(stay), colour=c.GREEN))

    async def _settled(self, settled: ReservationSettled) -> None:
        """Replace the answer to the press by the panel, or by the reason why there is none."""
        lobby, user_id = settled.lobby, settled.player.user_id or 0
        interaction = self._waiting.pop((lobby.id, user_id), None)
        table = self._directory.table(lobby.id)
        if interaction is None:
            return
        with log_failures(_log.info, "claim.not_shown", table=lobby.id):
            if settled.refusal is None and table is not None and table.lobby.seat_of(user_id) is not None:
                await show_seat(interaction, table, self._messages.panels, is_below=True)
            else:
                why = lobby_refusal_text(settled.refusal or LobbyRefusal(LobbyCode.MATCH_OVER), texts_of(interaction))
                await reply_panel(interaction, c.layout(c.text(why), colour=c.GREY))
