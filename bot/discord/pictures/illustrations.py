"""Messages with a picture: the words at once, the picture as soon as it is drawn, the words alone if drawing fails.

After several presses on a message, only the newest one's picture is drawn: older drawings are cancelled.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, TypeVar
from weakref import WeakValueDictionary

import discord
import structlog

from bot.base.background import Tasks
from bot.discord.api.components import Layout, above_buttons, gallery, text, with_line, with_picture
from bot.discord.api.error_codes import may_pass, reason_of
from bot.discord.api.requests import Files, PreparedView, log_failures
from bot.discord.api.responses import defer_update
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.kept_files import KeptFiles, NamedFile, uploaded
from bot.discord.rate_limits.panel_requests import PanelRequests
from bot.records.pictures import Picture, PictureFile, Pictures

GLANCE_S: Final = 0.15
"""How many seconds a first answer waits for its picture: what the store's time limit leaves of a second."""
GIVEN_UP_S: Final = 10.0
"""Seconds after which a picture is given up; most of the wait is in the queue."""

_INVALID: Final = frozenset({400, 413})

_log = structlog.get_logger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Illustrated:
    """A message and its picture.

    - `layout`: the message without its picture.
    - `alt`: the picture's alternative text.
    - `replaces`: how many parts after the heading the picture takes the place of.
    - `film`: shown above the buttons, if the message has its picture.
    - `caption`: the message around its picture, if `layout` without the replaced parts will not do.
    - `series`: if not 0, pictures with the same number show one thing as time passes, and the previous one may be shown
      until the next is drawn (`bot.discord.pictures.newest_picture`).
    """

    layout: Layout
    picture: Picture | PictureFile | None = None
    alt: str = ""
    replaces: int = 0
    film: "PictureLine | None" = None
    caption: Layout | None = None
    series: int = 0

    def words(self, *, is_illustrated: bool) -> Layout:
        """Return the text to show around the picture if it `is_illustrated`, else the text to show without one."""
        return self.caption if is_illustrated and self.caption is not None else self.layout

    def with_line(self, line: str) -> "Illustrated":
        """Return a copy of the message with one more line under its heading."""
        caption = None if self.caption is None else with_line(self.caption, line)
        return replace(self, layout=with_line(self.layout, line), caption=caption)

    def with_picture(self, name: str, words: Layout | None = None) -> Layout:
        """Return the message with its picture (the attached file of that name) and its film.

        `words` are the message around the picture; `words(is_illustrated=True)` by default.
        """
        words = self.words(is_illustrated=True) if words is None else words
        layout, film = with_picture(words, name, self.alt, self.replaces), self.film
        return layout if film is None else above_buttons(layout, text(film.line), gallery(film.name, film.alt))

    def files(self, drawn: PictureFile | None) -> list[NamedFile]:
        """Return the message's files: its drawn picture and its film; none without the picture."""
        if drawn is None:
            return []
        picture = NamedFile(f"kems.{drawn.suffix}", drawn, self.alt)
        return [picture] if self.film is None else [picture, NamedFile(self.film.name, self.film.file, self.film.alt)]


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A line of text with a picture; `name` is that of the file, `alt` its alternative text."""

    line: str
    file: PictureFile
    name: str
    alt: str


Look = Illustrated | PictureLine | str
"""What a message shows: components with or without a picture, or a line of text."""


@dataclass(slots=True, weakref_slot=True)
class _AnsweredMessage:
    """The newest press on a message, with the drawing and the edit that belong to it."""

    newest: int = 0
    drawing: asyncio.Task[PictureFile | None] | None = None
    editing: asyncio.Task[None] | None = None


async def drawn_in_time(pictures: Pictures, picture: Picture | PictureFile | None) -> PictureFile | None:
    """Return the picture as a file; None if there is none, or if it cannot be drawn in time."""
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
    """Answers interactions with illustrated messages. A picture that comes later is added by the interaction's token.

    `keeps_files`: whether Discord lets an edit keep files of its message, as far as this process has seen.
    """

    def __init__(self, pictures: Pictures, requests: PanelRequests) -> None:
        self.keeps_files = True
        self._pictures = pictures
        self._requests = requests
        self._places: WeakValueDictionary[int, _AnsweredMessage] = WeakValueDictionary()
        self._tasks = Tasks()

    async def answer(self, interaction: discord.Interaction, message: Illustrated, *, is_private: bool = True) -> None:
        """Answer a command with a new message, or a press by an edit of the pressed message.

        Raises:
            discord.HTTPException: Discord refused the answer.
        """
        pressed = interaction.message
        place = _AnsweredMessage() if pressed is None else self._places.setdefault(pressed.id, _AnsweredMessage())
        if interaction.id < place.newest:
            await defer_update(interaction)  # a newer press was answered already
            return
        place.newest = interaction.id
        if place.drawing is not None:
            place.drawing.cancel()
        # An answer needs no permission to attach files, but a server that denies it wants no pictures in its channels.
        is_wanted = message.picture is not None and (is_private or interaction.app_permissions.attach_files)
        drawing = self._tasks.start(self.drawn(message.picture if is_wanted else None))
        place.drawing = drawing
        await asyncio.wait({drawing}, timeout=GLANCE_S)
        if place.newest != interaction.id:
            await defer_update(interaction)
            return
        drawn = drawing.result() if drawing.done() else None
        message_id = await self._respond(interaction, message, drawn, is_private=is_private)
        if not drawing.done() or (place.editing is not None and not place.editing.done()):
            if message_id is not None:
                self._places[message_id] = place
            place.editing = self._tasks.start(self._follow(place, interaction, message, drawing, place.editing))

    def stop(self) -> None:
        """Cancel all drawings and edits."""
        self._tasks.cancel()

    def keep_none(self) -> None:
        """Record that edits cannot keep files; from now on nothing is shown that relies on it."""
        if self.keeps_files:
            _log.warning("files.not_kept", effect="running tables are shown in words until the next start")
        self.keeps_files = False

    async def drawn(self, picture: Picture | PictureFile | None) -> PictureFile | None:
        """Return the picture as a file; None if there is none, or if it cannot be drawn in time."""
        return await drawn_in_time(self._pictures, picture)

    async def _respond(
        self, interaction: discord.Interaction, message: Illustrated, drawn: PictureFile | None, *, is_private: bool
    ) -> int | None:
        view, files = _filled(message, drawn)
        try:
            if interaction.response.is_done():  # the answer was deferred
                return (await interaction.edit_original_response(view=view, attachments=files)).id
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
        place: _AnsweredMessage,
        interaction: discord.Interaction,
        message: Illustrated,
        drawing: asyncio.Task[PictureFile | None],
        former: asyncio.Task[None] | None,
    ) -> None:
        """Edit the answer to add its picture, also over the edit `former`, which may have come after the answer."""
        await asyncio.wait({drawing} if former is None else {drawing, former})
        if place.newest != interaction.id or drawing.cancelled() or (former is None and drawing.result() is None):
            return
        view, files = _filled(message, drawing.result())
        with log_failures(_log.info, "picture.not_shown"):  # most likely its owner has dismissed it
            async with self._requests.permit() as permit:
                if place.newest == interaction.id:
                    permit.record_sent()
                    await interaction.edit_original_response(view=view, attachments=files)


def _filled(message: Illustrated, drawn: PictureFile | None) -> tuple[PreparedView, list[discord.File]]:
    files = message.files(drawn)
    layout = message.with_picture(files[0].name) if files else message.layout
    return PreparedView(layout), [uploaded(file) for file in files]


class Delivery:
    """How the looks of one message are sent.

    - `kept`: the files that the message has.
    - `takes_files`: False once Discord has refused files in the message.
    """

    def __init__(self, emojis: CustomEmojis, illustrator: Illustrator, may_attach: Callable[[], bool]) -> None:
        """Send with these emojis and pictures; `may_attach` says whether the bot may attach files in the channel."""
        self.kept = KeptFiles()
        self.takes_files = True
        self._emojis = emojis
        self._illustrator = illustrator
        self._may_attach = may_attach

    def may_show_pictures(self) -> bool:
        """Return whether the message may have files."""
        return self.takes_files and self._may_attach()

    def compared(self, look: Look) -> Layout | str:
        """Return the value by which looks are compared. Without a series, only their texts count, not the pictures."""
        if not isinstance(look, Illustrated):
            return look if isinstance(look, str) else look.line
        if look.picture is None or not self.may_show_pictures():
            return look.layout
        return look.with_picture(f"picture{hash(look.picture)}" if look.series else "picture")

    async def send(
        self,
        look: Look,
        send: Callable[[Layout | str, Files], Awaitable[T]],
        redraw: Callable[[], object],
        kept: KeptFiles,
    ) -> tuple[T, Layout | str]:
        """Send a look, and upload its files except those that are `kept`.

        If Discord does not keep files, all are uploaded. If it refuses files, only the text is sent. Emojis that it
        refuses become words.

        Args:
            look: What the message shall show.
            send: Sends the components, or a line of text, with the files.
            redraw: Returns the look anew, if emojis are refused.
            kept: The files that the message has.

        Returns:
            The result of `send`, which is Discord's response if there is one, and what is shown now, for `LastSent`.

        Raises:
            discord.HTTPException: Discord refuses the message for another reason.
        """
        if isinstance(look, str):
            return await send(look, []), look
        if isinstance(look, PictureLine):
            return await send(look.line, [uploaded(NamedFile(look.name, look.file, look.alt))]), look.line
        is_shown = look.picture is not None and self.may_show_pictures()
        files = look.files(await self._illustrator.drawn(look.picture) if is_shown else None)
        were_kept, is_illustrated = kept.are_kept(files), bool(files)

        def redrawn() -> Layout | None:
            again = redraw()
            return again.words(is_illustrated=is_illustrated) if isinstance(again, Illustrated) else None

        def sent(words: Layout) -> Awaitable[T]:
            return send(look.with_picture(files[0].name, words) if files else words, kept.attachments(files))

        try:
            words, answer = await self._emojis.deliver(look.words(is_illustrated=is_illustrated), sent, redrawn)
        except discord.HTTPException as error:
            if not files or not _may_be_files(error):
                raise
            return await self._send_otherwise(look, send, redraw, kept, were_kept=were_kept)
        if not kept.read_ids(files, answer):
            self._illustrator.keep_none()
            if were_kept:  # they may be gone
                kept.forget()
                return await self.send(look, send, redraw, kept)
        sent_look = look if is_illustrated else replace(look, picture=None)
        return answer, self.compared(replace(sent_look, layout=words, caption=words))

    async def _send_otherwise(
        self,
        look: Illustrated,
        send: Callable[[Layout | str, Files], Awaitable[T]],
        redraw: Callable[[], object],
        kept: KeptFiles,
        *,
        were_kept: bool,
    ) -> tuple[T, Layout | str]:
        """Send a refused look again: with all files uploaded if some were kept before, else without files.

        Raises:
            discord.HTTPException: The files were not the reason.
        """
        kept.forget()
        if were_kept:
            delivered = await self.send(look, send, redraw, kept)
            if self.takes_files:  # else the files themselves were refused
                self._illustrator.keep_none()
            return delivered
        self.takes_files = False  # the words are shown without the picture
        try:
            return await self.send(look, send, redraw, kept)
        except discord.HTTPException:
            self.takes_files = True  # that was not the reason
            raise


def _may_be_files(error: discord.HTTPException) -> bool:
    """Return whether an error may be about the files, and not about the channel or a rate limit."""
    is_refused = isinstance(error, discord.Forbidden) or (error.status in _INVALID and reason_of(error) is None)
    return is_refused and not may_pass(error)
