"""Presses on panels of what was played: turn a page, choose a board, and confirm that one wants to be forgotten."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import discord

from bot.ladder.boards import Board
from bot.ladder.seasons import Season
from bot.live.house import House
from bot.live.ladder import Champion
from bot.live.privacy import Privacy
from bot.ui.answers import field_of, reader, say
from bot.ui.chronicles import Chronicles
from bot.ui.crown import Crown
from bot.ui.ids import Press, Verb
from bot.ui.illustrations import Illustrated, Illustrator
from bot.ui.parts import layout, text
from bot.ui.patience import or_later
from bot.ui.spots import MOST, read_spot
from bot.ui.texts import Texts
from bot.ui.visibility import visible

_HISTORY_KEYS: Final = 2


class RecordPresses:
    """Answers presses that belong to no table. Raises StoreError when something was not read or saved."""

    verbs = frozenset({Verb.HISTORY, Verb.BOARD, Verb.BOARDS, Verb.FORGET})

    def __init__(
        self, chronicles: Chronicles, illustrator: Illustrator, house: House, privacy: Privacy, crown: Crown
    ) -> None:
        self._chronicles = chronicles
        self._illustrator = illustrator
        self._house = house
        self._privacy = privacy
        self._crown = crown

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press."""
        assert interaction.guild_id is not None, "commands and their panels are for servers alone"
        texts = reader(interaction)
        if (press.verb, press.arg) == (Verb.FORGET, ""):
            await self._forget(interaction, texts)
            return
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
            case Verb.HISTORY, str(user), str(word):
                user_id, spot = _number(user), read_spot(word, _HISTORY_KEYS)
                if user_id is not None and spot is not None:
                    look = partial(visible, interaction)
                    return Illustrated(await self._chronicles.history(guild_id, user_id or None, spot, texts, look))
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

    async def _forget(self, interaction: discord.Interaction, texts: Texts) -> None:
        crowns = await or_later(self._forgotten(interaction.user.id), late=self._take)
        if crowns is None:
            line = texts.t("You sit at a table: leave it, or play to the end, and ask again.")
            await interaction.response.edit_message(view=layout(text(line)))
            return
        await interaction.response.edit_message(view=layout(text(texts.t("Everything on you has been deleted."))))
        await self._take(crowns)

    async def _forgotten(self, user_id: int) -> Sequence[Champion] | None:
        """The roles that somebody who is forgotten now had from us; None for somebody who sits at a table."""
        crowns = await self._crown.held(user_id)
        if not await self._privacy.forget(user_id):
            return None
        await self._house.forget(user_id)
        return crowns

    async def _take(self, crowns: Sequence[Champion] | None) -> None:
        if crowns is not None:
            await self._crown.take(crowns)


def _board(name: str) -> Board | None:
    return Board(name) if name in {board.value for board in Board} else None


def _number(word: str) -> int | None:
    is_one = word.isascii() and word.isdigit() and len(word) <= len(str(MOST))
    return int(word) if is_one and int(word) <= MOST else None
