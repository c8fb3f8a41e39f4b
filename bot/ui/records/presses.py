"""Presses on the history: turn a page."""

from functools import partial
from typing import Final

import discord

from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press, read_number, read_spot
from bot.ui.kit.interactions import guild_of, reader, say_outdated
from bot.ui.messages.illustrations import Illustrated, Illustrator
from bot.ui.records.history_reader import HistoryReader
from bot.ui.records.verbs import RecordsVerb
from bot.ui.records.visibility import visible

_HISTORY_KEYS: Final = 2


class HistoryPresses:
    """Answers the buttons of the history. Raises StoreError when something was not read."""

    verbs = frozenset[str]({RecordsVerb.HISTORY})

    def __init__(self, history: HistoryReader, illustrator: Illustrator) -> None:
        self._reader = history
        self._illustrator = illustrator

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Turn to the page that a button names."""
        whose, _, word = press.arg.partition(":")
        user_id, spot = read_number(whose), read_spot(word, _HISTORY_KEYS)
        if user_id is None or spot is None:
            await say_outdated(interaction)
            return
        look, texts = partial(visible, interaction), reader(interaction)
        page = await or_later(self._reader.history(guild_of(interaction), user_id or None, spot, texts, look))
        await self._illustrator.answer(interaction, Illustrated(page))
