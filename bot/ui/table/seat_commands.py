"""The commands of a player at their own table: `/kems sign` and `hand`."""

import discord
from discord.app_commands import Range

from bot.tables.directory import TableDirectory
from bot.tables.table import Table
from bot.tables.table_actions import Refused
from bot.ui.admission.time_limit import in_time, or_later
from bot.ui.feature import CommandSet, command
from bot.ui.kit.interactions import reader, say
from bot.ui.kit.texts import mark
from bot.ui.messages.presenter import Presenter
from bot.ui.table.panel_pages import PanelPage
from bot.ui.table.which_table import table_of
from bot.ui.words.refusals import refusal_text
from bot.ui.words.sign_emojis import shown_gesture
from bot.ui.words.sign_reading import read_gesture


class SeatCommands(CommandSet):
    """`/kems sign` and `hand`."""

    def __init__(self, directory: TableDirectory, presenter: Presenter) -> None:
        super().__init__()
        self._directory = directory
        self._presenter = presenter

    @command(
        mark("sign"),
        mark("Make a gesture in the open"),
        options={"text": (mark("gesture"), mark("Emojis, or words where signs may be spoken"))},
    )
    async def sign(self, interaction: discord.Interaction, text: Range[str, 1, 120]) -> None:
        """Make a gesture at one's table, where everybody sees it."""
        texts = reader(interaction)
        found = await self._own_seat(interaction)
        if found is None:
            return
        table, seat = found
        gesture = read_gesture(text.strip(), table.seat_view(seat), texts)
        outcome = await in_time(table.submit(gesture, press_id=interaction.id))
        if isinstance(outcome, Refused):
            await say(interaction, self._presenter.told(table.id, texts) or refusal_text(outcome.code, texts))
        else:
            shown = shown_gesture(gesture.kind, gesture.text)
            await say(interaction, texts.t("{gesture} — everybody at the table can see it.", gesture=shown))

    @command(mark("hand"), mark("Open your hand again"))
    async def hand(self, interaction: discord.Interaction) -> None:
        """Show the player's panel."""
        found = await self._own_seat(interaction)
        if found is not None:
            await self._presenter.show_panel(interaction, *found, PanelPage.HAND)

    async def _own_seat(self, interaction: discord.Interaction) -> tuple[Table, int] | None:
        """The presser's match and seat: in this channel, or else in this server. Without one, that is the answer."""
        user, guild, channel = interaction.user.id, interaction.guild_id, interaction.channel_id
        table = table_of(self._directory, user, guild, channel) or table_of(self._directory, user, guild)
        seat = None if table is None else table.seat_of(user)
        if table is not None and seat is not None:
            await or_later(self._directory.seating.seen(table, user))
            return table, seat
        line = reader(interaction).t("You do not sit at a table that is being played: open one with `/kems start`.")
        await say(interaction, line)
        return None
