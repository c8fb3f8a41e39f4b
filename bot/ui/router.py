"""One door for all presses and filled-in forms: custom id -> whoever answers it. Nothing gets past it unanswered.

It must not know rules. What is forged, unknown or out of date is answered with one line; errors are logged.
"""

from collections.abc import Iterable
from typing import Protocol

import discord

from bot.tables.directory import TableDirectory
from bot.ui.admission.admission import Admission
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press, parse_id
from bot.ui.kit.interactions import field_of, reader, say
from bot.ui.messages.answered import answered
from bot.ui.messages.old_messages import is_left, left_text

_ROUTED = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class Presses(Protocol):
    """Whoever answers the presses and forms of some verbs."""

    @property
    def verbs(self) -> frozenset[Verb]:
        """Nobody else has these."""

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press.

        Raises:
            KemsError, discord.HTTPException: it comes to nothing, and `answered` knows the sentence for it.
        """


class Router:
    """Give it every interaction; it answers those that it owns and never raises."""

    def __init__(self, admission: Admission, directory: TableDirectory, everybody: Iterable[Presses]) -> None:
        self._admission = admission
        self._directory = directory
        self._owners = {verb: presses for presses in everybody for verb in presses.verbs}

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer a press or a form; commands are the command tree's."""
        if interaction.type not in _ROUTED or not await self._admission.lets_in(interaction):
            return
        press = parse_id(str(field_of(interaction, "custom_id")))
        owner = None if press is None else self._owners.get(press.verb)
        async with answered(interaction):
            if press is None or owner is None:
                line = reader(interaction).t("This button is no longer in use: press one on the newest message.")
                await say(interaction, line)
            else:
                await self._note_presence(press.table_id, interaction.user.id)
                lobby = self._directory.lobby(press.table_id)
                if lobby is not None and is_left(interaction, press, lobby.place):
                    await say(interaction, left_text(interaction, lobby.place))
                else:
                    await owner.press(interaction, press)

    async def _note_presence(self, table_id: int, user_id: int) -> None:
        """Whoever presses anything at their match, be it a button for help, is there."""
        table = self._directory.table(table_id)
        if table is not None:
            await or_later(self._directory.seating.seen(table, user_id))
