"""Presses on panels of what was played: turn a page, choose a board."""

from functools import partial
from typing import Final

import discord

from bot.ladder.boards import Board
from bot.ladder.seasons import Season
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import field_of, reader, say
from bot.ui.kit.page_spots import MOST, read_spot
from bot.ui.kit.texts import Texts
from bot.ui.ladder.verbs import LadderVerb
from bot.ui.messages.illustrations import Illustrated, Illustrator
from bot.ui.records.history_reader import HistoryReader
from bot.ui.records.verbs import RecordsVerb
from bot.ui.records.visibility import visible

_HISTORY_KEYS: Final = 2


class RecordPresses:
    """Answers presses that belong to no table. Raises StoreError when something was not read or saved."""

    verbs = frozenset({RecordsVerb.HISTORY, LadderVerb.BOARD, LadderVerb.BOARDS})

    def __init__(self, chronicles: HistoryReader, illustrator: Illustrator) -> None:
        self._chronicles = chronicles
        self._illustrator = illustrator

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press."""
        assert interaction.guild_id is not None, "commands and their panels are for servers alone"
        texts = reader(interaction)
        page = await or_later(self._asked(interaction, interaction.guild_id, press, texts))
        if page is None:
            await say(interaction, texts.t("This button is no longer in use: press one on the newest message."))
        else:
            await self._illustrator.answer(interaction, page)

    async def _asked(
        self, interaction: discord.Interaction, guild_id: int, press: Press, texts: Texts
    ) -> Illustrated | None:
        """The panel that a press asks for; None for what none of ours asks."""
        match press.verb, *press.arg.split(":"):
            case RecordsVerb.HISTORY, str(user), str(word):
                user_id, spot = _number(user), read_spot(word, _HISTORY_KEYS)
                if user_id is not None and spot is not None:
                    look = partial(visible, interaction)
                    return Illustrated(await self._chronicles.history(guild_id, user_id or None, spot, texts, look))
            case LadderVerb.BOARD, str(name), str(number), str(word):
                board = _board(name)
                season = await self._numbered(guild_id, number)
                spot = None if board is None else read_spot(word, 3 if board is Board.DUOS else 2)
                if board is not None and season is not None and spot is not None:
                    return await self._chronicles.board(guild_id, season, board, interaction.user.id, texts, spot)
            case LadderVerb.BOARDS, str(number):
                board = _board(next(iter(field_of(interaction, "values")), ""))
                season = await self._numbered(guild_id, number)
                if board is not None and season is not None:
                    return await self._chronicles.board(guild_id, season, board, interaction.user.id, texts)
        return None

    async def _numbered(self, guild_id: int, word: str) -> Season | None:
        number = _number(word)
        return None if number is None else await self._chronicles.season(guild_id, number)


def _board(name: str) -> Board | None:
    return Board(name) if name in {board.value for board in Board} else None


def _number(word: str) -> int | None:
    is_one = word.isascii() and word.isdigit() and len(word) <= len(str(MOST))
    return int(word) if is_one and int(word) <= MOST else None
