"""The files of one message, of which an edit keeps those that are there and uploads the others.

An edit keeps the files that it names by id, and removes the rest. The answer to an upload has the id of each file in
the gallery that shows it; its list of attachments leaves these out.
Sources: https://discord.com/developers/docs/resources/message#edit-message,
https://discord.com/developers/docs/components/reference#unfurled-media-item-unfurled-media-item-structure
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import discord

from bot.discord.api.requests import KeptFile
from bot.records.pictures import PictureFile


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file with the name by which a gallery shows it, and its alternative text."""

    name: str
    file: PictureFile
    alt: str


class KeptFiles:
    """The files of a message by name, as read from the answer to its last edit."""

    def __init__(self) -> None:
        self._ids: dict[str, tuple[int, int]] = {}  # by name: a hash of the content, and Discord's id

    def forget(self) -> None:
        """Forget the known files, so that the next edit uploads all of them."""
        self._ids.clear()

    def are_kept(self, files: Sequence[NamedFile]) -> bool:
        """Return whether an edit would keep at least one of these files."""
        return any(self._id(file) is not None for file in files)

    def attachments(self, files: Sequence[NamedFile]) -> list[discord.File | KeptFile]:
        """Return the files of an edit in discord.py's form: ids of kept files, uploads of the others."""
        return [uploaded(file) if (known := self._id(file)) is None else KeptFile(known) for file in files]

    def read_ids(self, files: Sequence[NamedFile], answer: object) -> bool:
        """Read the ids of files from Discord's response to an edit; None stands for an edit without a response.

        Returns:
            Whether the response names each of the files.
        """
        if answer is None:
            self._ids = {file.name: self._ids[file.name] for file in files if self._id(file) is not None}
            return True
        ids_by_name = dict(_shown(answer)) if files else {}
        self._ids = {file.name: (hash(file.file), ids_by_name[file.name]) for file in files if file.name in ids_by_name}
        return len(self._ids) == len(files)

    def _id(self, file: NamedFile) -> int | None:
        content, number = self._ids.get(file.name, (0, None))
        return number if content == hash(file.file) else None


def uploaded(file: NamedFile) -> discord.File:
    """Return a file in discord.py's form, to be uploaded."""
    return discord.File(BytesIO(file.file.data), file.name, description=file.alt)


def _shown(part: Any) -> Iterator[tuple[str, int]]:
    """Yield the names and ids of the files that a message shows, in Discord's form or discord.py's."""
    media = _field(part, "media")
    if (number := _field(media, "attachment_id")) is not None:
        yield urlsplit(str(_field(media, "url"))).path.rpartition("/")[2], int(number)
    for name in ("components", "children", "items"):
        inner = _field(part, name)
        for child in inner if isinstance(inner, list) else ():
            yield from _shown(child)


def _field(part: Any, name: str) -> Any:
    return part.get(name) if isinstance(part, Mapping) else getattr(part, name, None)
