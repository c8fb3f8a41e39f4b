"""A message of the bot in a channel: posted once by its nonce, found again after a crash, edited.

When it is written, and what a refusal of Discord leads to, is decided in `bot.discord.messages.live_message`.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace
from enum import Enum, auto
from typing import Any, Final

import discord
import structlog

from bot.base.background import Locks
from bot.base.clock import Clock
from bot.discord.api.components import Layout
from bot.discord.api.error_codes import ErrorCode, code_of
from bot.discord.api.patience import PATIENCE_S
from bot.discord.api.requests import FAILED, Files, PreparedView, edit_message, error_fields, list_messages
from bot.discord.api.responses import defer_update, update_message
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Delivery, Illustrated, Illustrator, Look
from bot.discord.pictures.kept_files import KeptFiles
from bot.discord.pictures.newest_picture import NewestPicture
from bot.discord.places.permissions import may_attach
from bot.discord.places.refusals import RefusalLog
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.rate_limits.throttling import LastSent, RequestPermit
from bot.discord.text.texts import Texts

_LOOKED_AT: Final = 100  # as many messages as one request gives

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class MessageAddress:
    """The address of a message; `message_id` is None before it is posted."""

    guild_id: int
    channel_id: int
    message_id: int | None = None


@dataclass(frozen=True, slots=True)
class Recipients:
    """The recipients of a post's notification: users and roles by id; with `all_mentioned`, everybody it mentions."""

    user_ids: Collection[int] = ()
    role_ids: Collection[int] = ()
    all_mentioned: bool = False


ALL_MENTIONED: Final = Recipients(all_mentioned=True)
NO_RECIPIENTS: Final = Recipients()


def allowed_mentions(recipients: Recipients) -> discord.AllowedMentions:
    """Return the recipients in discord.py's form. Only this function lets a post notify anybody."""
    if recipients.all_mentioned:
        return discord.AllowedMentions(everyone=False, users=True, roles=True, replied_user=False)
    users, roles = ([discord.Object(key) for key in ids] for ids in (recipients.user_ids, recipients.role_ids))
    return discord.AllowedMentions(everyone=False, users=users, roles=roles, replied_user=False)


@dataclass(frozen=True, slots=True)
class LiveContext:
    """The collaborators that all messages share.

    - `placed`: called whenever the address of a message changes.
    - `nonce_of`: makes a nonce of at most 25 characters from the name of a post.
    - `deletions`: the locks of deletions, by channel.
    - `refusals`: what Discord has refused lately, for the settings of a server.
    """

    client: discord.Client
    clock: Clock
    requests: BotRequests
    emojis: CustomEmojis
    illustrator: Illustrator
    placed: Callable[["PostedMessage"], None]
    nonce_of: Callable[[str], str] = str
    deletions: Locks = field(default_factory=Locks)  # by channel
    refusals: RefusalLog = field(default_factory=RefusalLog)


class EarlierPost(Enum):
    """Whether the message may exist on Discord without this process knowing its id."""

    NONE = auto()
    OF_FORMER_RUN = auto()
    """A former run may have posted it: the channel is searched before the next post."""
    UNCONFIRMED = auto()
    """An earlier post may have succeeded; Discord then returns that message for the next post."""


@dataclass(eq=False, repr=False)
class PostedMessage(ABC):
    """A message of the bot: not posted yet (`address` has no id), posted, or deleted (`is_gone`).

    - `_shown`: the content that Discord has confirmed last.
    - `_earlier`: whether it may exist on Discord without this process knowing its id.
    - `is_complete`: the last update has ended without an error, so the message can be edited.
    """

    context: LiveContext
    _log_fields: Mapping[str, int]
    """Log fields that name the message."""
    texts: Texts
    _address: MessageAddress | None = None
    """The message's address; subclasses that override `address` leave it None."""
    _: KW_ONLY
    may_already_be_posted: InitVar[bool] = False
    """Whether a former run may have posted the message without saving its id."""
    recipients: Recipients = field(default=NO_RECIPIENTS, init=False)
    is_silent: bool = field(default=False, init=False)
    """Whether a post makes no sound, not even for its recipients."""
    is_complete: bool = field(default=False, init=False)
    _shown: LastSent = field(default_factory=LastSent, init=False)
    _gone: int | None = field(default=None, init=False)

    def __post_init__(self, may_already_be_posted: bool) -> None:
        self._client = self.context.client
        self._delivery = Delivery(self.context.emojis, self.context.illustrator, self._may_attach)
        self._newest = NewestPicture(self.context.illustrator, self.request_update)
        self._earlier = EarlierPost.OF_FORMER_RUN if may_already_be_posted else EarlierPost.NONE

    # ------------------------------------------------------------------ what a subclass overrides

    @property
    def address(self) -> MessageAddress:
        """The message's address."""
        assert self._address is not None, "else the subclass says it"
        return self._address

    @abstractmethod
    def look(self) -> Look | None:
        """Return what the message shows; None to leave it as it is."""

    @property
    @abstractmethod
    def nonce(self) -> str:
        """The name of the next post; of two posts with the same name Discord accepts the first."""

    @abstractmethod
    def request_update(self) -> None:
        """Request a write."""

    async def save_id(self, message_id: int, *, is_found: bool) -> None:
        """Set, and in some subclasses save, the id of the message that was just posted or found.

        Raises:
            StoreError: The id could not be saved; `address` has it nevertheless.
        """
        self._address = replace(self.address, message_id=message_id)

    def look_of_post(self) -> Look | None:
        """Return the content to post; None to post nothing."""
        return self.look()

    def look_of_edit(self) -> Look | None:
        """Return the content of an edit; None to leave the message as it is."""
        return self.look()

    @property
    def is_reposted(self) -> bool:
        """Whether the message is posted again after a deletion."""
        return True

    @property
    def search_after(self) -> int | None:
        """The id after which a message of unknown id is searched for; None to search all recent messages."""
        return self.address.message_id

    def recognises(self, _components: Sequence[object]) -> bool:
        """Return whether a message with these components is this message, posted by an earlier run."""
        return False

    async def write_beside(self, permit: RequestPermit) -> None:  # noqa: B027 - few messages need it
        """Write what accompanies the message, with further requests of the permit, once the message is up to date."""

    # ------------------------------------------------------------------ what is posted

    @property
    def is_gone(self) -> bool:
        """Whether the message was deleted."""
        return self._gone is not None and self._gone == self.address.message_id

    @property
    def is_outdated(self) -> bool:
        """Whether the message does not show its current content yet; False if it was deleted."""
        look = self.look_of_edit()
        return not (self.is_gone or look is None or self._shown.equals(self._delivery.compared(look)))

    async def is_posted(self) -> bool:
        """Ask Discord whether the message is still posted; assume so if Discord does not respond in time."""
        address = self.address
        if address.message_id is None:
            return False
        message = self._client.get_partial_messageable(address.channel_id).get_partial_message(address.message_id)
        try:
            async with asyncio.timeout(PATIENCE_S), self.context.requests.permit(is_urgent=True) as permit:
                permit.record_sent()
                await message.fetch()
        except FAILED as error:
            if code_of(error) is ErrorCode.UNKNOWN_MESSAGE:
                self._gone = address.message_id
            else:
                _log.info("message.not_looked_at", **self._log_fields, **error_fields(error))
        return not self.is_gone

    # ------------------------------------------------------------------ posts and edits

    async def answer(self, interaction: discord.Interaction) -> None:
        """Answer a press on the message by editing it; such an edit is not subject to the rate limit of edits."""
        look = await self._ready(self.look_of_edit())
        if not isinstance(look, Illustrated):
            await defer_update(interaction)
            return

        async def update(words: Layout | str, files: Files) -> None:
            if not isinstance(words, str):
                await update_message(interaction, words, files)

        is_here = interaction.message is not None and interaction.message.id == self.address.message_id
        kept = self._kept() if is_here else KeptFiles()
        with (self._shown if is_here else LastSent()).recording() as sent:
            sent((await self._delivery.send(look, update, self.look_of_edit, kept))[1])

    async def update(self, permit: RequestPermit) -> None:
        """Post or edit the message with requests of the permit, so that it shows its current content.

        Raises:
            StoreError: The message was posted, and its id could not be saved.
            discord.HTTPException: Discord refuses it.
        """
        look = await self._ready(self.look_of_edit())
        if look is None:
            return
        self.is_complete = False
        message_id = self.address.message_id
        if message_id is None or self.is_gone:
            if message_id is None or self.is_reposted:
                await self._post(permit)
        elif not self._shown.equals(self._delivery.compared(look)):
            await self._edit(message_id, look, permit)
        self.is_complete = True
        await self.write_beside(permit)
        if self._earlier is EarlierPost.OF_FORMER_RUN:
            self._earlier = EarlierPost.UNCONFIRMED

    async def _post(self, permit: RequestPermit) -> None:
        """Post the message at the end of the channel, unless a former run's is found there."""
        if self._earlier is EarlierPost.OF_FORMER_RUN:
            await permit.acquire_and_record()
            found = await self._found()
            self._earlier = EarlierPost.UNCONFIRMED
            if found is not None:
                self._shown = LastSent()
                self.request_update()
                await self._save_id(found, is_found=True)
                return
        await permit.acquire()  # before the look is computed, which then is the newest
        look = await self._ready(self.look_of_post())
        if look is None:
            return
        is_first = self._earlier is EarlierPost.NONE
        self._earlier = EarlierPost.UNCONFIRMED
        last_sent, address, nonce = LastSent(), self.address, self.context.nonce_of(self.nonce)
        channel = self._client.get_partial_messageable(address.channel_id, guild_id=address.guild_id)

        async def send(words: Layout | str, files: Files) -> discord.Message:
            await permit.acquire_and_record()
            message: dict[str, Any] = {"content": words} if isinstance(words, str) else {"view": PreparedView(words)}
            message |= {"allowed_mentions": allowed_mentions(self.recipients), "silent": self.is_silent, "files": files}
            return await channel.send(nonce=nonce, **message)

        self._delivery.kept = kept = KeptFiles()
        with last_sent.recording() as sent:
            posted, shows = await self._delivery.send(look, send, self.look_of_post, kept)
            if is_first:
                sent(shows)
        self._shown, self._earlier = last_sent, EarlierPost.NONE
        if not is_first:
            self.request_update()
        await self._save_id(posted.id, is_found=False)

    async def _save_id(self, message_id: int, *, is_found: bool) -> None:
        try:
            await self.save_id(message_id, is_found=is_found)
        finally:
            self.context.placed(self)

    async def _edit(self, message_id: int, look: Look, permit: RequestPermit) -> None:
        address = self.address

        async def send(words: Layout | str, files: Files) -> object:
            await permit.acquire_and_record()
            if isinstance(words, str):
                message = self._client.get_partial_messageable(address.channel_id).get_partial_message(message_id)
                return await message.edit(content=words, allowed_mentions=allowed_mentions(self.recipients))
            return await edit_message(self._client, address.channel_id, message_id, words, files)

        kept = self._kept()
        try:
            with self._shown.recording() as sent:
                sent((await self._delivery.send(look, send, self.look_of_edit, kept))[1])
        except discord.NotFound as error:
            if code_of(error) is not ErrorCode.UNKNOWN_MESSAGE:
                raise
            _log.info("message.deleted", **self._log_fields)
            self._gone = message_id
            if self.is_reposted:
                await self._post(permit)

    async def _ready(self, look: Look | None) -> Look | None:
        """Return the look as it can be sent now, with its newest picture as a file or without one."""
        if not isinstance(look, Illustrated):
            return look
        if look.series and not (self.context.illustrator.keeps_files and self._delivery.may_show_pictures()):
            look = replace(look, picture=None)
        return await self._newest.ready(look)

    def _kept(self) -> KeptFiles:
        """Return the message's files; none if the outcome of the last request is unknown."""
        if not self._shown.is_known:
            self._delivery.kept.forget()
        return self._delivery.kept

    async def _found(self) -> int | None:
        """Return the id of the newest message that is recognised as a former run's; None if there is none."""
        address, user, after = self.address, self._client.user, self.search_after
        try:
            listed = await list_messages(self._client, address.channel_id, _LOOKED_AT)  # the newest first
        except discord.Forbidden:
            return None  # the bot may not read the channel
        for message in listed:
            match message:
                case {"id": str(number), "author": {"id": str(author)}, "components": list(components)} if (
                    user is not None and int(author) == user.id and int(number) > (after or 0)
                ):
                    if self.recognises(components):
                        return int(number)
        return None

    def _may_attach(self) -> bool:
        guild = self._client.get_guild(self.address.guild_id)
        return guild is not None and may_attach(guild, self.address.channel_id)
