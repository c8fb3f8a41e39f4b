"""The bot on disks that are nearly full, in a room of its own: nobody else sees what is mounted there."""

import ctypes
import os
import sqlite3
import sys
from collections.abc import Iterable
from contextlib import closing, redirect_stderr
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from bot.__main__ import main
from bot.store import migrate
from tests.databases import migrated
from tests.rig.disks import fill, is_done
from tests.store.later_revision import with_later_revision

_NEW_USERS: Final = 0x10000000
_NEW_MOUNTS: Final = 0x00020000


def updates(line: Connection, folder: Path, token: str, cases: Iterable[tuple[str, int]]) -> None:
    """Update a database by each command, on a disk that has room for so many bytes more.

    Sends how each ended and what it said; None where this user may mount no disk.
    """
    os.chdir(folder)
    os.environ["DISCORD_TOKEN"] = token
    is_apart = _goes_apart()
    for number, (command, room) in enumerate(cases):
        disk = folder / str(number)
        disk.mkdir()
        if not is_apart or not is_done("mount", "-t", "tmpfs", "-o", "size=2M", "tmpfs", disk):
            line.send(None)
            return
        line.send(_update(disk, command, room))


def _goes_apart() -> bool:
    """Whether this process, which has no other thread, has mounts of its own now."""
    users = (("uid_map", f"0 {os.getuid()} 1"), ("setgroups", "deny"), ("gid_map", f"0 {os.getgid()} 1"))
    if not hasattr(library := ctypes.CDLL(None), "unshare") or library.unshare(_NEW_USERS | _NEW_MOUNTS) != 0:
        return False
    for file, line in users:
        Path("/proc/self", file).write_text(line)
    return True


def _update(disk: Path, command: str, room: int) -> tuple[object, str]:
    os.environ["DATABASE_URL"] = migrated(disk)
    with closing(sqlite3.connect(f"file:{disk}/kems.db?immutable=1", uri=True)) as stored:
        before = [*stored.iterdump()]
        (disk / "room").write_bytes(bytes(room))
        fill(disk / "filler")
        (disk / "room").unlink()
        scripts = migrate._SCRIPTS
        migrate._SCRIPTS = with_later_revision(disk.with_suffix(".scripts"))
        sys.argv[1:] = [command]
        code: object = None
        with redirect_stderr(StringIO()) as said:
            try:
                main()
            except SystemExit as left:
                code = left.code
        migrate._SCRIPTS = scripts
        assert [*stored.iterdump()] == before
    assert not [*disk.glob(f"{migrate.COPIES}*")]
    return code, said.getvalue()
