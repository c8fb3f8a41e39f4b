"""Shares a round as an animation, once in each channel."""

import asyncio
from dataclasses import astuple, dataclass, field

import discord
import structlog

from bot.base.errors import StoreError
from bot.discord.api.components import link_to
from bot.discord.api.interactions import RefusedError, guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import defer, delete_reply, reply
from bot.discord.interactions.rooms import Rooms
from bot.discord.messages.live_message import LiveMessage
from bot.discord.messages.posted_message import MessageAddress
from bot.discord.pictures.illustrations import PictureLine
from bot.discord.places.permissions import (
    PICTURES,
    check_may_post,
    missing_in_channel,
    missing_permissions,
    needed_in,
    permission_names,
)
from bot.discord.text.texts import Texts
from bot.game.replay_steps import RoundReplay, replay_round
from bot.records.archive import PastMatch, SharedRound, SharedRounds
from bot.records.pictures import PictureFile
from bot.ui.records.replay_panel import round_animation, round_description, round_in_short

_log = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False, kw_only=True)
class SharedMessage(LiveMessage):
    """A round as an animation in one channel. If it was deleted, the next press posts it again."""

    shared: SharedRound
    store: SharedRounds
    film: PictureLine | None = field(default=None, init=False)

    @property
    def nonce(self) -> str:
        """The nonce, which stays the same until a message is saved: a crash before the save does not post it twice."""
        return repr((astuple(self.shared), self.address.message_id))

    def look(self) -> PictureLine | None:
        return self.film

    async def save_id(self, message_id: int, *, is_found: bool) -> None:
        await super().save_id(message_id, is_found=is_found)
        try:
            await self.store.save(self.shared, message_id)
        except StoreError as error:  # it stands there; after some minutes a press may post it again
            _log.warning("share.not_saved", table=self.shared.table_id, problem=str(error))


@dataclass(frozen=True, eq=False)
class RoundSharing:
    """Shares rounds. Drawing takes seconds: a second press meanwhile is answered with a request to wait."""

    _rooms: Rooms
    _under_way: set[SharedRound] = field(default_factory=set, init=False)

    async def share(self, interaction: discord.Interaction, match: PastMatch, wanted: int) -> None:
        """Post a round in the channel of the press, in the server's language.

        Raises:
            RefusedError: It may not be posted there, has been posted there before, or is being drawn.
            StoreError: It is not known whether it was posted.
        """
        texts = texts_of(interaction)
        _check_may_post(interaction, texts)
        assert interaction.channel_id is not None, "a match is pressed in a channel"
        shared = SharedRound(match.table_id, wanted, interaction.channel_id)
        if shared in self._under_way:
            raise RefusedError(texts.t("This round is being drawn: it comes in a moment."))
        self._under_way.add(shared)
        try:
            await defer(interaction, is_new=True)
            guild_id, store = guild_id_of(interaction), self._rooms.store.shared_rounds
            message_id = await continue_when_slow(store.message_of(shared))
            address = MessageAddress(guild_id, shared.channel_id, message_id)
            about = {"table": shared.table_id, "round": shared.round}
            message = SharedMessage(self._rooms.live.context, about, texts, address, shared=shared, store=store)
            if await message.is_posted():
                link = link_to(guild_id, shared.channel_id, message_id)
                raise RefusedError(texts.t("This round has already been shared: {link}", link=link))
            replay = await asyncio.to_thread(replay_round, match.events, wanted)
            await self._post(interaction, match, replay, message)
        finally:
            self._under_way.discard(shared)

    async def _post(
        self, interaction: discord.Interaction, match: PastMatch, replay: RoundReplay, message: SharedMessage
    ) -> None:
        """Post it as a message of the channel: a follow-up of the press takes no nonce."""
        t, texts = texts_of(interaction).t, await self._rooms.defaults.public_texts(interaction)
        # A public "thinking…" cannot be removed if drawing fails: the presser alone reads that it takes seconds.
        await reply(interaction, t("I am drawing the round: it comes in a moment."))
        try:
            drawn = await self._rooms.pictures.draw(round_animation(match, replay, texts, self._rooms.emojis.named))
        except Exception:  # noqa: BLE001 - the presser gets a sentence, the log the error
            _log.exception("picture.not_shared")
            await reply(interaction, t("The picture could not be drawn: please try again."))
            return
        message.film = film_of(match, replay, drawn, texts)
        await message.try_write(is_urgent=True)  # else another press posts it, or finds it by its nonce
        if message.address.message_id is not None and not message.is_gone:
            await delete_reply(interaction)
            return
        message.stop()  # else it would be posted later, when nobody waits for it
        address, own = message.address, texts_of(interaction)
        sentence = message.refusal_line(own)
        if lacks := permission_names(missing_in_channel(interaction.client, address.guild_id, address.channel_id), own):
            sentence = t("I cannot post pictures here: I lack {permissions}.", permissions=lacks)
        await reply(interaction, sentence)


def film_of(match: PastMatch, replay: RoundReplay, drawn: PictureFile, texts: Texts) -> PictureLine:
    """Return a drawn round as a film, with its line, file name and description."""
    name = f"kems-{match.table_id}-{replay.number}.{drawn.suffix}"
    return PictureLine(
        f"🎞 {round_in_short(match, replay, texts)}", drawn, name, round_description(match, replay, texts)
    )


def _check_may_post(interaction: discord.Interaction, texts: Texts) -> None:
    check_may_post(interaction, interaction.channel_id)
    if lacks := missing_permissions(interaction.app_permissions, (*needed_in(interaction.channel), *PICTURES)):
        names = permission_names(lacks, texts)
        raise RefusedError(texts.t("I cannot post pictures here: I lack {permissions}.", permissions=names))
