"""The drills of docs/operating.md: people play, something happens, and the tables go on without a lost move.

`python -m tests.rig.drill` (`make drill`) renews the table there, `tests/rig/test_drill.py` is for `make long`.
"""

import asyncio
import os
import pty
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from bot.store import migrate
from tests.bench.balance import as_markdown, with_figures
from tests.rig import bot_process
from tests.rig.accounts import Accounts
from tests.rig.checkout import START, STOP, Checkout, can_be_cloned, update_lines
from tests.rig.checkout import main as run_checkout
from tests.rig.disks import fill, is_done
from tests.rig.evidence import TableRecord, postgres_database, read_postgres, read_running
from tests.rig.players import groups, playing
from tests.rig.rig import Bot, Rig, running
from tests.rig.runs import in_folder
from tests.rig.several import PAUSE, SETTINGS, SIZE, SeveralProcesses
from tests.store.later_revision import with_later_revision

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "operating.md"
PATIENCE = 6.0
SHARDS = 2
FULL_S = 3.0
"""How long the disk stays full."""
NO_DISK = "not run: this user may mount no disk"
NO_CLONE = "not run: this is no clone"
UPDATE = "an update of a checkout, with new tables: `git pull`, `make install`"
NO_ERROR = "not run: that takes root, who may mount a disk with a file system of its own"
_SIZE = 64 * 2**20
_MOUNT = ("mount", "-o", "loop,errors=remount-ro")
_MENDED = 1
"""What e2fsck ends with, at most, where nothing is left to mend."""
Row = tuple[str, str, str]


class Drills:
    """Two tables of one process, whose database moves about."""

    def __init__(self, rig: Rig, disk: Path) -> None:
        self.rig, self.disk = rig, disk
        self.bot: Bot = rig
        self.address = f"sqlite:///{disk / 'kems.db'}"
        self.groups = groups(rig.remote, [SIZE, SIZE], 7, target="99")  # longer than the drills
        self.accounts = Accounts(rig.remote)
        self.rows: list[Row] = []

    async def start(self) -> None:
        await self.rig.start()
        await asyncio.gather(*(group.sit_down() for group in self.groups))
        async with self.play():
            await self.all_go_on()

    @asynccontextmanager
    async def play(self) -> AsyncIterator[None]:
        """Everybody plays meanwhile; at the end all that was acknowledged has to be in the database."""
        async with playing(self.groups, PAUSE):
            yield
        await self.settle()

    async def settle(self) -> None:
        self.accounts.collect()
        self.accounts.settle(await self.tables())

    async def tables(self) -> dict[int, TableRecord]:
        if self.address.startswith("sqlite"):
            return read_running(Path(self.address.removeprefix("sqlite:///")))
        return await read_postgres(self.address)

    async def moves(self) -> Counter[int]:
        """How many moves of people each table has."""
        tables = (await self.tables()).values()
        return Counter(table.id for table in tables for entry in table.log if entry.press_id is not None)

    async def all_go_on(self) -> None:
        before = await self.moves()
        async with asyncio.timeout(10 * PATIENCE):
            while len(await self.moves() - before) < len(self.groups):
                await asyncio.sleep(0.1)

    async def note(self, what: str, step: Callable[[], Awaitable[object]]) -> None:
        """Take a step while people play, wait until all tables go on, and write a row of no lost move."""
        async with self.play():
            began = time.monotonic()
            await step()
            await self.all_go_on()
            seconds = time.monotonic() - began
        self.add(what, seconds, "0")

    def add(self, what: str, seconds: float, lost: str) -> None:
        self.rows.append((what, f"{seconds:.1f} s", lost))
        print(*self.rows[-1], sep=" | ", flush=True)

    # ------------------------------------------------------------------ one file

    async def back_up(self, copy: Path) -> None:
        await self.note("a copy under load (SQLite)", lambda: kems(self.address, "backup", str(copy)))

    async def use_the_token_twice(self) -> None:
        """An old server that nobody has stopped: both processes answer the same presses, until one says so."""
        other = self.rig.another("old", database_url=f"sqlite:///{self.disk / 'old.db'}")
        async with playing(self.groups, PAUSE):
            await other.launch()
            bots = (self.bot, other)
            await self.rig.remote.until(
                lambda: any(bot.log.exists() and bot.logged("token.used_twice") for bot in bots),
                "a line about the other process",
                60 * PATIENCE,
            )
            await other.stop()
        await self.settle()
        await self.note("another process with the same token is stopped", lambda: asyncio.sleep(0))

    async def fill_the_disk(self) -> None:
        filler = self.disk / "filler"
        async with self.play():
            fill(filler)
            await self.rig.remote.until(lambda: bool(self.rig.logged("table.stuck")), "a full disk", 60 * PATIENCE)
            await asyncio.sleep(FULL_S)
        await self.note("a full disk has room again", lambda: asyncio.to_thread(filler.unlink))

    async def make_the_disk_read_only(self) -> None:
        await self.bot.stop()
        assert is_done("mount", "-o", "remount,ro", self.disk)
        await self.ends_with("Read-only file system")
        assert is_done("mount", "-o", "remount,rw", self.disk)
        await self.note("a start on a disk that was read-only", self.bot.launch)

    async def break_the_disk(self, image: Path) -> None:
        """An error makes it read-only, as one of a failing disk does, until it has been checked."""
        async with playing(self.groups, PAUSE):
            device = self.disk.stat().st_dev
            name = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").resolve().name
            Path("/sys/fs/ext4", name, "trigger_fs_error").write_text("a drill\n", encoding="utf-8")
            await self.rig.remote.until(lambda: bool(self.bot.logged("or failing?")), "a broken disk", 60 * PATIENCE)
            await asyncio.sleep(FULL_S)
        await self.bot.stop()
        assert is_done("umount", self.disk)
        assert is_done("e2fsck", "-fp", image, at_most=_MENDED)
        assert is_done(*_MOUNT, image, self.disk)
        await self.settle()
        await self.note("a disk that became read-only is checked, and the bot started", self.bot.launch)

    async def restore(self, copy: Path) -> None:
        await self.bot.kill()
        await self._put_back("a copy is restored (SQLite)", copy, "since the copy")

    async def _put_back(self, what: str, copy: Path, since: str) -> None:
        await self.settle()  # what was under way when people stopped playing
        had, began = (await self.moves()).total(), time.monotonic()
        await kems(self.address, "restore", str(copy), types="y\n")
        lost = had - (await self.moves()).total()
        assert lost > 0, "they played on after the copy"
        async with self.play():
            await self.bot.launch()
            await self.all_go_on()
            self.add(what, time.monotonic() - began, f"{lost}, all {since}")

    async def update_and_go_back(self, folder: Path) -> None:
        """By the lines of `docs/updating.md` in a clone of this checkout; else a start of a newer bot."""
        await self.bot.stop()
        if can_be_cloned():
            await self.update_checkout(Checkout(folder))
        else:
            scripts = with_later_revision(folder)
            self.rows.append((UPDATE, NO_CLONE, ""))
            await self.note("an update that changes the tables", lambda: self.bot.launch(newer_bot, scripts))
        (copy,) = self.disk.glob(f"{migrate.COPIES}*")
        assert self.bot.logged(str(copy))
        await self.bot.stop()
        await self.ends_with("kems restore")
        await self._put_back("the way back to the former version", copy, "of the new version")

    async def update_checkout(self, checkout: Checkout) -> None:
        await asyncio.to_thread(checkout.install)
        async with self.play():
            await self.bot.launch(run_checkout, checkout.folder)
            await self.all_go_on()
        await asyncio.to_thread(checkout.publish)

        async def update() -> None:
            for line in update_lines():
                if line == STOP:
                    await self.bot.stop()
                elif line == START:
                    await self.bot.launch(run_checkout, checkout.folder)
                else:
                    await asyncio.to_thread(checkout.run, line)

        await self.note(UPDATE, update)

    async def ends_with(self, words: str) -> None:
        """A start ends by itself, and says these words."""
        await self.bot.launch()
        await self.rig.remote.until(lambda: self.bot.has_ended, f"the end of a start with {words}", 10 * PATIENCE)
        assert self.bot.logged(words)
        await self.bot.kill()

    async def move_to(self, name: str, address: str) -> None:
        await self.bot.stop()
        former, self.address = self.address, address
        self.bot = self.rig.another(name, database_url=address)
        began = time.monotonic()
        await kems(former, "copy-db", former, address)
        async with self.play():
            await self.bot.launch()
            await self.all_go_on()
            self.add(f"`kems copy-db` to {name}", time.monotonic() - began, "0")


async def on_one_file(folder: Path) -> list[Row]:
    disk, copy, image = folder / "disk", folder / "copy.db", folder / "disk.ext4"
    disk.mkdir()
    people = [f"P{number:02}" for number in range(2 * SIZE)]
    with mounted(disk, image) as is_mounted:
        async with (
            postgres_database() as dsn,
            running(folder, people, database_url=f"sqlite:///{disk / 'kems.db'}", **SETTINGS) as rig,
        ):
            drills = Drills(rig, disk)
            await drills.start()
            await drills.back_up(copy)
            await drills.use_the_token_twice()
            if is_mounted:
                await drills.fill_the_disk()
                await drills.make_the_disk_read_only()
            else:
                drills.rows += [(what, NO_DISK, "") for what in ("a full disk", "a read-only disk")]
            if image.exists():
                await drills.break_the_disk(image)
            else:
                drills.rows.append(("a disk that becomes read-only", NO_ERROR, ""))
            await drills.restore(copy)
            await drills.update_and_go_back(folder)
            await drills.move_to("PostgreSQL", dsn)
            await drills.move_to("SQLite", f"sqlite:///{disk / 'back.db'}")
            return drills.rows


async def on_postgres(folder: Path) -> list[Row]:
    """Two processes: one is killed; a copy is made while they play, and restored elsewhere."""
    people, copy = [f"P{number:02}" for number in range(SHARDS * SIZE)], folder / "copy.dump"
    async with (
        postgres_database() as dsn,
        postgres_database() as elsewhere,
        running(folder, people, guilds=SHARDS, shards=SHARDS, database_url=dsn, **SETTINGS) as rig,
    ):
        several = SeveralProcesses(rig, dsn, 5, PATIENCE, SHARDS)
        await several.start()
        async with playing(several.groups, PAUSE) as players:
            await several.play(players)
            await several.kill(several.bots[1])
            several.accounts.collect()  # what was acknowledged before the copy was begun
            began = time.monotonic()
            await kems(dsn, "backup", str(copy))
            copied_s = time.monotonic() - began
            await several.play(players)
        had = sum(len(table.log) for table in (await read_postgres(dsn)).values())
        for bot in several.bots:
            await bot.kill()

        began = time.monotonic()
        await kems(elsewhere, "restore", "--yes", str(copy))
        restored = await read_postgres(elsewhere)
        several.accounts.settle(restored)
        lost = had - sum(len(table.log) for table in restored.values())
        assert 0 < lost < had, "they played on after the copy"
        for table in restored.values():
            if table.log:
                table.state()

        several.dsn = elsewhere
        several.bots = [rig.another(name, database_url=elsewhere) for name in ("third", "fourth")]
        for bot in several.bots:
            await bot.launch()
        await several.shared()
        async with playing(several.groups, PAUSE):
            await several.all_go_on(SHARDS)
        return [
            ("failover: one of two processes is killed (PostgreSQL)", f"{several.tally.back[0]:.1f} s", "0"),
            ("a copy under load (PostgreSQL)", f"{copied_s:.1f} s", "0"),
            ("a copy is restored elsewhere", f"{time.monotonic() - began:.1f} s", f"{lost}, all since the copy"),
        ]


async def drill(folder: Path) -> list[Row]:
    made = []
    for drills in (on_one_file, on_postgres):
        (folder / drills.__name__).mkdir()
        made += await drills(folder / drills.__name__)
    return made


async def kems(address: str, *words: str, types: str = "") -> None:
    """Run a command; `types` is what a person answers at a terminal."""
    environment = {**os.environ, "DATABASE_URL": address, "PYTHONPATH": str(ROOT)}
    command = (sys.executable, "-m", "bot", *words)
    master, terminal = pty.openpty()
    os.write(master, types.encode())
    process = await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdin=terminal if types else asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    os.close(terminal)
    async with asyncio.timeout(60 * PATIENCE):
        said, _ = await process.communicate()
    os.close(master)
    assert process.returncode == 0, said.decode()


def newer_bot(line: Any, address: str, fields: dict[str, Any], scripts: Path) -> None:
    """The process of a version with one more revision."""
    migrate._SCRIPTS = scripts  # type: ignore[misc]
    bot_process.main(line, address, fields)


@contextmanager
def mounted(folder: Path, image: Path) -> Iterator[bool]:
    """A small disk of its own at the folder, where this user may mount one: the image for root, else in memory."""
    with image.open("wb") as made_of:
        made_of.truncate(_SIZE)
    made = is_done("mkfs.ext4", "-q", image) and is_done(*_MOUNT, image, folder)
    if not made:
        image.unlink()
        made = is_done("mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", folder)
    try:
        yield made
    finally:
        assert not made or is_done("umount", folder)


if __name__ == "__main__":
    table = as_markdown([("drill", "all tables go on after", "lost moves"), *in_folder(drill)])
    PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), {"drills": table}), encoding="utf-8")
    print(table)
