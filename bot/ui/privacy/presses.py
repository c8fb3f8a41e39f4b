"""The press that confirms that somebody wants to be forgotten."""

import discord
import structlog

from bot.errors import StoreError
from bot.tables.erasure import Erasure
from bot.ui.kit.components import layout, text
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import reader, say_outdated
from bot.ui.kit.prepared_view import PreparedView
from bot.ui.kit.texts import Texts
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.privacy.verbs import PrivacyVerb

_log = structlog.get_logger(__name__)


class PrivacyPresses:
    """Answers at once, and again when it is done, however long that takes."""

    verbs = frozenset[str]({PrivacyVerb.FORGET})

    def __init__(self, erasure: Erasure, champion_role: ChampionRole) -> None:
        self._erasure = erasure
        self._champion_role = champion_role

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press."""
        texts = reader(interaction)
        if press.arg:
            await say_outdated(interaction)
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
            roles = await self._champion_role.held(user_id)
            if not await self._erasure.forget(user_id):
                return t("You have just sat down at a table: leave it with `/kems leave`, then ask again.")
        except StoreError as error:
            _log.warning("forget.not_done", problem=str(error))
            return t("The bot's storage does not work, so you are not forgotten yet: ask again in a moment.")
        try:
            await self._champion_role.take(roles)
        except StoreError as error:
            _log.warning("champion_role.not_crossed_out", problem=str(error))
        return t("Everything on you has been deleted.")
