"""The press that confirms that somebody wants to be forgotten."""

import discord
import structlog

from bot.errors import StoreError
from bot.tables.erasure import Erasure
from bot.ui.kit.answers import reader, say
from bot.ui.kit.components import layout, text
from bot.ui.kit.custom_ids import Press, Verb
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts
from bot.ui.ladder.champion_role import ChampionRole

_log = structlog.get_logger(__name__)


class PrivacyPresses:
    """Answers at once, and again when it is done, however long that takes."""

    verbs = frozenset({Verb.FORGET})

    def __init__(self, farewell: Erasure, crown: ChampionRole) -> None:
        self._farewell = farewell
        self._crown = crown

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press."""
        texts = reader(interaction)
        if press.arg:
            await say(interaction, texts.t("This button is no longer in use: press one on the newest message."))
            return
        await interaction.response.edit_message(
            view=PreparedView(layout(text(texts.t("Everything on you is being deleted…"))))
        )
        told = await self._forget(interaction.user.id, texts)
        await interaction.edit_original_response(view=PreparedView(layout(text(told))))

    async def _forget(self, user_id: int, texts: Texts) -> str:
        """What came of it. Roles are taken back last: they are written down until then."""
        t = texts.t
        try:
            crowns = await self._crown.held(user_id)
            if not await self._farewell.forget(user_id):
                return t("You have just sat down at a table: leave it with `/kems leave`, then ask again.")
        except StoreError as error:
            _log.warning("forget.not_done", problem=str(error))
            return t("The bot's storage does not work, so you are not forgotten yet: ask again in a moment.")
        try:
            await self._crown.take(crowns)
        except StoreError as error:
            _log.warning("crown.not_crossed_out", problem=str(error))
        return t("Everything on you has been deleted.")
