"""Posts a round of a finished match as a moving picture: once in each channel, whoever presses, however often."""

import asyncio
from dataclasses import astuple
from hashlib import sha256
from io import BytesIO
from typing import Final

import discord
import structlog

from bot.errors import StoreError
from bot.game.replay_steps import RoundReplay, replay_round
from bot.records.archive import PastMatch
from bot.records.pictures import Pictures
from bot.records.shared_rounds import SharedRound, SharedRounds
from bot.ui.admission.time_limit import PATIENCE_S, or_later
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.interactions import guild_of, reader
from bot.ui.kit.links import link_to
from bot.ui.kit.permissions import PICTURES, may_write, missing, needed_here, permission_names
from bot.ui.kit.texts import Texts
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.emojis.custom_emojis import CustomEmojis
from bot.ui.messages.limits.bot_requests import BotRequests
from bot.ui.records.replay_picture import round_animation, round_description, round_in_short
from bot.ui.words.refusals import RefusedError

_UNKNOWN_MESSAGE: Final = 10008
_MAX_NONCE: Final = 25

_log = structlog.get_logger(__name__)


class RoundSharing:
    """A picture is drawn for seconds: until it is posted, a second press is told to wait."""

    def __init__(
        self,
        shared: SharedRounds,
        pictures: Pictures,
        emojis: CustomEmojis,
        requests: BotRequests,
        defaults: ServerDefaults,
    ) -> None:
        self._shared = shared
        self._pictures = pictures
        self._emojis = emojis
        self._requests = requests
        self._defaults = defaults
        self._under_way: set[SharedRound] = set()

    async def share(self, interaction: discord.Interaction, match: PastMatch, wanted: int) -> None:
        """Post a round, in the server's language, where the presser may post as well.

        Raises:
            RefusedError: it may not be posted here, or stands here already.
            StoreError: it is not known whether it was posted.
        """
        texts = reader(interaction)
        _check_may_post(interaction, texts)
        assert interaction.channel_id is not None, "a match is pressed in a channel"
        shared = SharedRound(match.table_id, wanted, interaction.channel_id)
        if shared in self._under_way:
            raise RefusedError(texts.t("This round is being drawn: it comes in a moment."))
        self._under_way.add(shared)
        try:
            deleted = await self._check_is_new(interaction, shared, texts)
            replay = await asyncio.to_thread(replay_round, match.events, wanted)
            await self._post(interaction, match, replay, shared, _nonce(shared, deleted))
        finally:
            self._under_way.discard(shared)

    async def _check_is_new(self, interaction: discord.Interaction, shared: SharedRound, texts: Texts) -> int | None:
        """The id of its message that was deleted, None where none is known.

        Raises RefusedError with a link to the message where that stands.
        """
        message_id = await or_later(self._shared.message_of(shared))
        if message_id is None or await self._is_deleted(interaction.client, shared.channel_id, message_id):
            return message_id
        link = link_to(guild_of(interaction), shared.channel_id, message_id)
        raise RefusedError(texts.t("This round is shared already: {link}", link=link))

    async def _is_deleted(self, client: discord.Client, channel_id: int, message_id: int) -> bool:
        """Asks Discord; a message that it does not tell of in time counts as there."""
        message = client.get_partial_messageable(channel_id).get_partial_message(message_id)
        try:
            async with asyncio.timeout(PATIENCE_S), self._requests.slot(is_urgent=True) as slot:
                slot.request()
                await message.fetch()
        except discord.NotFound as error:
            return error.code == _UNKNOWN_MESSAGE
        except FAILED as error:
            _log.info("share.not_looked_at", **facts(error))
        return False

    async def _post(
        self,
        interaction: discord.Interaction,
        match: PastMatch,
        replay: RoundReplay,
        shared: SharedRound,
        nonce: str,
    ) -> None:
        """Posts as a message of the channel: a follow-up of the press takes no nonce."""
        t, texts = reader(interaction).t, await self._defaults.public_texts(interaction)
        # A public "thinking…" cannot be removed where drawing fails: the presser alone reads that it takes seconds.
        await interaction.response.send_message(t("I am drawing the round: it comes in a moment."), ephemeral=True)
        try:
            drawn = await self._pictures.draw(round_animation(match, replay, texts, self._emojis.named))
            name = f"kems-{match.table_id}-{replay.number}.{drawn.suffix}"
            file = discord.File(BytesIO(drawn.data), name, description=round_description(match, replay, texts))
            channel = interaction.client.get_partial_messageable(shared.channel_id)
            async with self._requests.slot(shared.channel_id, is_urgent=True) as slot:
                slot.request()
                posted = await channel.send(f"🎞 {round_in_short(match, replay, texts)}", file=file, nonce=nonce)
        except Exception:  # noqa: BLE001 - the presser gets a sentence, the log the error
            _log.exception("picture.not_shared")
            await interaction.edit_original_response(content=t("The picture could not be drawn: please try again."))
            return
        await interaction.delete_original_response()
        try:
            await self._shared.keep(shared, posted.id)
        except StoreError as error:  # it stands there; after some minutes a press may post it again
            _log.warning("share.not_saved", table=match.table_id, problem=str(error))


def _check_may_post(interaction: discord.Interaction, texts: Texts) -> None:
    if not may_write(interaction):
        raise RefusedError(texts.t("You may not write here, so I may not post for you."))
    if lacking := missing(interaction.app_permissions, (*needed_here(interaction.channel), *PICTURES)):
        names = ", ".join(permission_names(lacking, texts))
        raise RefusedError(texts.t("I cannot post pictures here: I lack {permissions}.", permissions=names))


def _nonce(shared: SharedRound, deleted: int | None) -> str:
    """The same until a message is saved: of two posts with one nonce Discord keeps the first, for some minutes.

    So a post whose save was lost in a crash stands there once. `deleted` is the message that a new one replaces.
    Source: https://discord.com/developers/docs/resources/message#create-message
    """
    return sha256(repr((astuple(shared), deleted)).encode()).hexdigest()[:_MAX_NONCE]
