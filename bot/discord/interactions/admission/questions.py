"""Questions that were answered with yes: each is done once, however many people it was asked.

The yes of a question says when it was asked (`bot.discord.api.components.confirmation`). A yes to a question that was
asked before somebody else's equal yes does nothing: that person reads who was first.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import discord

from bot.base.background import Latest
from bot.discord.api.custom_ids import Press
from bot.discord.api.interactions import RefusedError, reader, time_of
from bot.discord.api.patience import SlowStoreError
from bot.discord.interactions.admission.press_notes import ANSWERED, PressOutcome

_KEPT: Final = 1_000

_Key = tuple[int | None, Press, int | None]


class AnsweredQuestions:
    """The latest yes of each question: whose press it was, and its id."""

    def __init__(self) -> None:
        self._yes: Latest[_Key, tuple[int, int]] = Latest(_KEPT)

    @asynccontextmanager
    async def once(self, interaction: discord.Interaction, press: Press, handling: PressOutcome) -> AsyncIterator[None]:
        """Encloses the answer to a press. Raises RefusedError for a yes to what is done already."""
        if press.asked is None:
            yield
            return
        user_id = interaction.user.id
        key = (interaction.guild_id, replace(press, asked=None), user_id if press.is_own else None)
        known = self._yes.get(key)
        if known is not None and known[1] > press.asked:
            raise RefusedError(_done_already(interaction, *known))
        mine = self._yes[key] = (user_id, interaction.id)
        try:
            yield
        except SlowStoreError as error:
            if error.work is None:
                self._restore(key, mine, known)
            else:  # it is being done: a second yes in the meantime would do it twice
                error.work.add_done_callback(lambda work: self._restore(key, mine, known) if _failed(work) else None)
            raise
        except BaseException:
            self._restore(key, mine, known)
            raise
        if handling.outcome != ANSWERED or not handling.is_done:
            self._restore(key, mine, known)

    def _restore(self, key: _Key, mine: tuple[int, int], known: tuple[int, int] | None) -> None:
        """Nothing was done: the question may be answered again."""
        if self._yes.get(key) == mine:
            del self._yes[key]
            if known is not None:
                self._yes[key] = known


def _failed(work: asyncio.Task[object]) -> bool:
    return work.cancelled() or work.exception() is not None


def _done_already(interaction: discord.Interaction, by: int, press_id: int) -> str:
    texts, when = reader(interaction), f"<t:{time_of(press_id) // 1000}:R>"
    if by == interaction.user.id:
        return texts.t("You have done that already, {when}: nothing happens twice.", when=when)
    return texts.t("{name} has done that already, {when}: nothing happens twice.", name=f"<@{by}>", when=when)
