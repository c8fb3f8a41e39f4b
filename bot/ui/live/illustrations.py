"""Messages with a picture: the words at once, the picture as soon as it is drawn, the words alone if drawing fails.

A message that changes quickly shows the picture of its newest state: queued drawings of older states are cancelled.

Avatars in pictures are fetched from Discord and kept for a while. Who has none, who wants none shown, and who cannot be
fetched in time is shown by their initials.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.background import Tasks
from bot.errors import StoreError
from bot.records.personal_data import PersonalData
from bot.records.pictures import Picture, PictureFile, Pictures, people_in, with_avatars
from bot.tables.clock import Clock
from bot.ui.kit.components import Layout, with_picture
from bot.ui.kit.interactions import FAILED, PreparedView, noting
from bot.ui.live.pace import Budget, Slot
from bot.ui.live.panel_requests import PanelRequests

GLANCE_S: Final = 0.15
"""How long a first answer waits for its picture: what the store's time limit leaves of a second."""
GIVEN_UP_S: Final = 10.0
"""The longest wait for a picture, most of it in the queue."""

_log = structlog.get_logger(__name__)

WAIT_S: Final = 2.0
"""The longest that a picture waits for all of its avatars."""
KEPT_MS: Final = 3600_000
MOST_KEPT: Final = 256
MOST_BYTES: Final = 64 * 1024
"""Of one avatar; a larger file is not shown."""
LOOKUPS: Final = (12, 4.0)
"""How many users are asked for in so many seconds: a whole table at once, of what `REQUESTS_A_SECOND` leaves free."""
_SIDE: Final = 128  # pixels


@dataclass(frozen=True, slots=True)
class Illustrated:
    """A message and its picture, which `alt` describes in words.

    Under the heading the picture takes the place of so many texts, which say the same: `replaces`.
    """

    layout: Layout
    picture: Picture | PictureFile | None = None
    alt: str = ""
    replaces: int = 0

    def with_picture(self, name: str) -> Layout:
        """The message with the attached file of that name."""
        return with_picture(self.layout, name, self.alt, self.replaces)


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A line of text with a file of that name, which `alt` describes in words."""

    line: str
    file: PictureFile
    name: str
    alt: str


Look = Illustrated | PictureLine | str
"""What a message shows: with a picture, or a line of text."""


@dataclass(slots=True, weakref_slot=True)
class _Place:
    """A message: the newest press on it, and that press's drawing and edit."""

    newest: int = 0
    drawing: asyncio.Task[PictureFile | None] | None = None
    editing: asyncio.Task[None] | None = None


async def drawn_in_time(pictures: Pictures, picture: Picture | PictureFile | None) -> PictureFile | None:
    """The picture as a file; None without one, and where it cannot be drawn in time."""
    if picture is None or isinstance(picture, PictureFile):
        return picture
    try:
        async with asyncio.timeout(GIVEN_UP_S):
            return await pictures.draw(picture)
    except TimeoutError:
        _log.warning("picture.not_drawn", problem=f"It took longer than {GIVEN_UP_S} s.")
    except Exception:  # noqa: BLE001 - the words are shown, the log keeps the error
        _log.exception("picture.not_drawn")
    return None


class Illustrator:
    """Edits that follow an answer carry the token of an interaction."""

    def __init__(self, pictures: Pictures, requests: PanelRequests) -> None:
        self._pictures = pictures
        self._requests = requests
        self._places: WeakValueDictionary[int, _Place] = WeakValueDictionary()
        self._tasks = Tasks()

    async def ready(self, message: Illustrated, *, may_attach: bool = True) -> tuple[PreparedView, list[discord.File]]:
        """Draw, then return what to send; `may_attach`: the bot may attach files to messages in that channel."""
        drawn = await self.drawn(message.picture if may_attach else None)
        return _filled(message, drawn)

    async def answer(self, interaction: discord.Interaction, message: Illustrated, *, is_private: bool = True) -> None:
        """Answer a command with a new message, or a press by changing its message.

        Raises discord.HTTPException: Discord refused the answer.
        """
        pressed = interaction.message
        place = _Place() if pressed is None else self._places.setdefault(pressed.id, _Place())
        if interaction.id < place.newest:
            await interaction.response.defer()  # a newer press was answered already
            return
        place.newest = interaction.id
        if place.drawing is not None:
            place.drawing.cancel()
        # Discord asks no permission of an answer; a server that withholds it wants no pictures in its channels.
        is_wanted = message.picture is not None and (is_private or interaction.app_permissions.attach_files)
        drawing = self._tasks.begin(self.drawn(message.picture if is_wanted else None))
        place.drawing = drawing
        await asyncio.wait({drawing}, timeout=GLANCE_S)
        if place.newest != interaction.id:
            await interaction.response.defer()
            return
        drawn = drawing.result() if drawing.done() else None
        message_id = await self._respond(interaction, message, drawn, is_private=is_private)
        if not drawing.done() or (place.editing is not None and not place.editing.done()):
            if message_id is not None:
                self._places[message_id] = place
            place.editing = self._tasks.begin(self._follow(place, interaction, message, drawing, place.editing))

    def stop(self) -> None:
        self._tasks.cancel()

    async def drawn(self, picture: Picture | PictureFile | None) -> PictureFile | None:
        return await drawn_in_time(self._pictures, picture)

    async def _respond(
        self, interaction: discord.Interaction, message: Illustrated, drawn: PictureFile | None, *, is_private: bool
    ) -> int | None:
        view, files = _filled(message, drawn)
        try:
            if interaction.type is discord.InteractionType.component:
                sent = await interaction.response.edit_message(view=view, attachments=files)
            else:
                sent = await interaction.response.send_message(view=view, files=files, ephemeral=is_private)
        except discord.Forbidden as error:
            if drawn is None:
                raise
            _log.warning("picture.refused", code=error.code)
            return await self._respond(interaction, message, None, is_private=is_private)
        return None if sent is None else sent.message_id

    async def _follow(
        self,
        place: _Place,
        interaction: discord.Interaction,
        message: Illustrated,
        drawing: asyncio.Task[PictureFile | None],
        former: asyncio.Task[None] | None,
    ) -> None:
        """Put the picture into the answer; write over the edit `former`, which may have arrived after the answer."""
        await asyncio.wait({drawing} if former is None else {drawing, former})
        if place.newest != interaction.id or drawing.cancelled() or (former is None and drawing.result() is None):
            return
        view, files = _filled(message, drawing.result())
        with noting(_log.info, "picture.not_shown"):  # dismissed meanwhile, most likely
            async with self._requests.slot() as slot:
                if place.newest == interaction.id:
                    slot.request()
                    await interaction.edit_original_response(view=view, attachments=files)


def attached(message: Illustrated, drawn: PictureFile) -> tuple[Layout, list[discord.File]]:
    file = discord.File(BytesIO(drawn.data), f"kems.{drawn.suffix}", description=message.alt)
    return message.with_picture(file.filename), [file]


def _filled(message: Illustrated, drawn: PictureFile | None) -> tuple[PreparedView, list[discord.File]]:
    layout, files = (message.layout, []) if drawn is None else attached(message, drawn)
    return PreparedView(layout), files


class Portraits:
    """Draws for `Pictures`, with avatars."""

    def __init__(self, client: discord.Client, clock: Clock, pictures: Pictures, personal_data: PersonalData) -> None:
        self._client = client
        self._clock = clock
        self._pictures = pictures
        self._personal_data = personal_data
        self._lookups = Budget(*LOOKUPS)
        self._kept: dict[int, tuple[int, bytes | None]] = {}  # until when, by user id; the latest are last

    async def draw(self, picture: Picture) -> PictureFile:
        people = people_in(picture)
        if people:
            picture = with_avatars(picture, await self._avatars(people))
        return await self._pictures.draw(picture)

    async def _avatars(self, user_ids: Collection[int]) -> Mapping[int, bytes]:
        wanted = list[int]()
        try:
            async with asyncio.timeout(WAIT_S):
                shy = await self._personal_data.without_avatar(user_ids)
                wanted = [user_id for user_id in user_ids if user_id not in shy]
                await asyncio.gather(*(self._fetch(user_id) for user_id in wanted if not self._is_kept(user_id)))
        except StoreError as error:
            _log.warning("avatars.unknown", problem=str(error), effect="initials are shown")
            return {}
        except TimeoutError:
            _log.info("avatars.late", effect="initials are shown")
        found = ((user_id, self._kept[user_id][1]) for user_id in wanted if user_id in self._kept)
        return {user_id: avatar for user_id, avatar in found if avatar is not None}

    def _is_kept(self, user_id: int) -> bool:
        return user_id in self._kept and self._clock.now() < self._kept[user_id][0]

    async def _fetch(self, user_id: int) -> None:
        avatar: bytes | None = None
        try:
            async with Slot(self._lookups) as slot:
                slot.request()
                user = await self._client.fetch_user(user_id)
            if user.avatar is not None:
                avatar = await user.avatar.replace(size=_SIDE, static_format="png").read()
        except (*FAILED, discord.DiscordException) as error:
            _log.info("avatar.not_fetched", problem=type(error).__name__)
        self._kept.pop(user_id, None)
        self._kept[user_id] = self._clock.now() + KEPT_MS, avatar if len(avatar or b"") <= MOST_BYTES else None
        if len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
