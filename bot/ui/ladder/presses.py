"""Presses on leaderboards: turn a page, choose another board."""

import discord

from bot.ladder.boards import Board
from bot.ladder.seasons import Season
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press, read_number, read_spot
from bot.ui.kit.interactions import field_of, guild_of, reader, say_outdated
from bot.ui.kit.texts import Texts
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.verbs import LadderVerb
from bot.ui.messages.illustrations import Illustrated, Illustrator


class BoardPresses:
    """Answers the buttons and the menu of leaderboards. Raises StoreError when something was not read."""

    verbs = frozenset[str](LadderVerb)

    def __init__(self, ladder: LadderReader, illustrator: Illustrator) -> None:
        self._ladder = ladder
        self._illustrator = illustrator

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press."""
        page = await or_later(self._asked(interaction, guild_of(interaction), press, reader(interaction)))
        if page is None:
            await say_outdated(interaction)
        else:
            await self._illustrator.answer(interaction, page)

    async def _asked(
        self, interaction: discord.Interaction, guild_id: int, press: Press, texts: Texts
    ) -> Illustrated | None:
        """The board that a press asks for; None for what none of our buttons asks."""
        match press.verb, *press.arg.split(":"):
            case LadderVerb.BOARD, str(name), str(number), str(word):
                board = _board(name)
                season = await self._numbered(guild_id, number)
                spot = None if board is None else read_spot(word, 3 if board is Board.DUOS else 2)
                if board is not None and season is not None and spot is not None:
                    return await self._ladder.board(guild_id, season, board, interaction.user.id, texts, spot)
            case LadderVerb.BOARDS, str(number):
                board = _board(next(iter(field_of(interaction, "values")), ""))
                season = await self._numbered(guild_id, number)
                if board is not None and season is not None:
                    return await self._ladder.board(guild_id, season, board, interaction.user.id, texts)
        return None

    async def _numbered(self, guild_id: int, word: str) -> Season | None:
        number = read_number(word)
        return None if number is None else await self._ladder.season(guild_id, number)


def _board(name: str) -> Board | None:
    return Board(name) if name in {board.value for board in Board} else None
