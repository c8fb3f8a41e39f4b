"""Files for Discord: packed where they are too large to send as they are."""

import zipfile
from collections.abc import Mapping
from io import BytesIO

import discord


def attached(files: Mapping[str, bytes], stem: str, limit: int) -> list[discord.File]:
    """The files by name; above `limit` bytes one archive named for `stem`, and nothing where that is too large.

    It takes a while: run it in a thread.
    """
    if sum(map(len, files.values())) > limit:
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        files = {f"{stem}.zip": packed.getvalue()}
    return [discord.File(BytesIO(data), name) for name, data in files.items() if len(data) <= limit]
