"""Files that are too large for Discord are packed, or not sent at all."""

import zipfile
from io import BytesIO

from bot.discord.api.responses import attached

DATA = b"x" * 5000


def read(file: object) -> bytes:
    return file.fp.read()  # type: ignore[attr-defined]  # a discord.File


def test_a_small_file_is_sent_as_it_is() -> None:
    files = attached({"a.json": DATA, "b.json": b""}, "all", 5000)
    assert [(file.filename, read(file)) for file in files] == [("a.json", DATA), ("b.json", b"")]


def test_a_large_file_is_sent_packed() -> None:
    (file,) = attached({"a.json": DATA, "b.json": DATA}, "all", 9999)
    assert file.filename == "all.zip"
    with zipfile.ZipFile(BytesIO(read(file))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {"a.json": DATA, "b.json": DATA}


def test_a_file_is_not_sent_when_it_is_too_large_even_if_packed() -> None:
    assert attached({"a.json": DATA}, "all", 20) == []
