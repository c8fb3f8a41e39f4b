"""How a live message is sent: with the files that it has not kept, and without what Discord refuses of it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeVar

import discord

from bot.discord.api.components import Layout
from bot.discord.api.error_codes import may_pass, reason_of
from bot.discord.api.requests import Files
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrated, Illustrator, Look, PictureLine
from bot.discord.pictures.kept_files import KeptFiles, NamedFile, uploaded

_INVALID: Final = frozenset({400, 413})

T = TypeVar("T")


class Delivery:
    """One for each message. `kept` are the files that stand there; it `takes_files` until Discord refuses them."""

    def __init__(self, emojis: CustomEmojis, illustrator: Illustrator, may_attach: Callable[[], bool]) -> None:
        """`may_attach` says whether the bot may attach files there."""
        self.kept = KeptFiles()
        self.takes_files = True
        self._emojis = emojis
        self._illustrator = illustrator
        self._may_attach = may_attach

    def may_show_pictures(self) -> bool:
        return self.takes_files and self._may_attach()

    def compared(self, look: Look) -> Layout | str:
        """What tells two looks apart: a picture is told by its words."""
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
        """Send what a message shows, of its files only those that are not `kept`.

        Files that Discord does not let the message keep are uploaded again; where it refuses them, the words are shown
        alone; emojis that it refuses become words. Returns the result of `send`, which is Discord's answer where there
        is one, and what is shown now, for `LastSent`.
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
            return send(look.with_picture(files[0].name, words) if files else words, kept.listed(files))

        try:
            words, answer = await self._emojis.deliver(look.words(is_illustrated=is_illustrated), sent, redrawn)
        except discord.HTTPException as error:
            if not files or not _may_be_files(error):
                raise
            return await self._send_otherwise(look, send, redraw, kept, were_kept=were_kept)
        if not kept.note(files, answer):
            self._illustrator.keep_none()
            if were_kept:  # they may be gone
                kept.forget()
                return await self.send(look, send, redraw, kept)
        shown = look if is_illustrated else replace(look, picture=None)
        return answer, self.compared(replace(shown, layout=words, caption=words))

    async def _send_otherwise(
        self,
        look: Illustrated,
        send: Callable[[Layout | str, Files], Awaitable[T]],
        redraw: Callable[[], object],
        kept: KeptFiles,
        *,
        were_kept: bool,
    ) -> tuple[T, Layout | str]:
        """Send again what was refused: with all files where some were kept, else without them."""
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
    """Whether Discord may refuse the files, and not the place or the pace."""
    is_refused = isinstance(error, discord.Forbidden) or (error.status in _INVALID and reason_of(error) is None)
    return is_refused and not may_pass(error)
