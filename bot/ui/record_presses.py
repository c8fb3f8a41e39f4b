"""Presses on panels of what was played: turn a page, choose a board, and confirm that one wants to be forgotten."""

from typing import Final

import discord

from bot.ladder.boards import Board
from bot.ladder.seasons import Season
from bot.live.house import House
from bot.live.privacy import Privacy
from bot.ui.answers import field_of, reader, say
from bot.ui.chronicles import Chronicles
from bot.ui.ids import Press, Verb
from bot.ui.parts import Layout, layout, text
from bot.ui.spots import MOST, read_spot
from bot.ui.texts import Texts

RECORD_VERBS: Final = frozenset({Verb.HISTORY, Verb.BOARD, Verb.BOARDS, Verb.FORGET})
_HISTORY_KEYS: Final = 2


class RecordPresses:
    """Answers presses that belong to no table. Raises StoreError when something was not read or saved."""

    def __init__(self, chronicles: Chronicles, house: House, privacy: Privacy) -> None:
        self._chronicles = chronicles
        self._house = house
        self._privacy = privacy

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press."""
        assert interaction.guild_id is not None, "commands and their panels are for servers alone"
        texts = reader(interaction)
        layout = await self._asked(interaction, interaction.guild_id, press, texts)
        if layout is None:
            await say(interaction, texts.t("This button is no longer in use: press one on the newest message."))
        else:
            await interaction.response.edit_message(view=layout)

    async def _asked(
        self, interaction: discord.Interaction, guild_id: int, press: Press, texts: Texts
    ) -> Layout | None:
        """The panel that a press asks for; None for what none of ours asks."""
        match press.verb, *press.arg.split(":"):
            case Verb.FORGET, "":
                return await self._forget(interaction.user.id, texts)
            case Verb.HISTORY, str(user), str(word):
                user_id, spot = _number(user), read_spot(word, _HISTORY_KEYS)
                if user_id is not None and spot is not None:
                    return await self._chronicles.history(guild_id, user_id or None, spot, texts)
            case Verb.BOARD, str(name), str(number), str(word):
                board = _board(name)
                season = await self._numbered(guild_id, number)
                spot = None if board is None else read_spot(word, 3 if board is Board.DUOS else 2)
                if board is not None and season is not None and spot is not None:
                    return await self._chronicles.board(guild_id, season, board, interaction.user.id, texts, spot)
            case Verb.BOARDS, str(number):
                board = _board(next(iter(field_of(interaction, "values")), ""))
                season = await self._numbered(guild_id, number)
                if board is not None and season is not None:
                    return await self._chronicles.board(guild_id, season, board, interaction.user.id, texts)
        return None

    async def _numbered(self, guild_id: int, word: str) -> Season | None:
        number = _number(word)
        return None if number is None else await self._chronicles.season(guild_id, number)

    async def _forget(self, user_id: int, texts: Texts) -> Layout:
        if not await self._privacy.forget(user_id):
            return layout(text(texts.t("You sit at a table: leave it, or play to the end, and ask again.")))
        await self._house.forget(user_id)
        return layout(text(texts.t("Everything on you has been deleted.")))


def _board(name: str) -> Board | None:
    return Board(name) if name in {board.value for board in Board} else None


def _number(word: str) -> int | None:
    is_one = word.isascii() and word.isdigit() and len(word) <= len(str(MOST))
    return int(word) if is_one and int(word) <= MOST else None
