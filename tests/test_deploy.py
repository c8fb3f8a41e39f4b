"""The unit in a container that systemd boots: the bot starts, connects, is stopped; a wrong token ends it.

It runs as root where systemd-nspawn is, on the Debian root that KEMS_TEST_ROOT names:

    debootstrap --variant=minbase --include=systemd-sysv,dbus,python3 trixie /var/tmp/trixie
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.operating import setup
from tests.rig.bot_process import TOKEN
from tests.rig.remote import Remote, built, opened

ROOT = Path(__file__).parents[1]
DEBIAN = os.environ.get("KEMS_TEST_ROOT", "")
PATIENCE_S = 120
KEMS = """#!/opt/kems/bin/python3
from bot.__main__ import main
main()
"""
ON_LOOPBACK = """
import os
from bot.discord.api.discord_internals import discord_at
there = discord_at(os.environ["DISCORD_IS_AT"])
there.__enter__()
"""
HOME = Path("/home/kems/here")
"""Where the bot of a unit works that `kems setup` has filled in, as the user 990."""


def missing() -> str | None:
    """Why no unit can be booted here."""
    if shutil.which("systemd-nspawn") is None:
        return "systemd-nspawn is not installed (Debian: systemd-container)"
    if os.geteuid() != 0:
        return "systemd-nspawn boots containers for root alone"
    if not Path(DEBIAN, "usr/lib/systemd/systemd").exists():
        return "KEMS_TEST_ROOT names no Debian root with systemd; the head of tests/test_deploy.py makes one"
    return None


pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(4 * PATIENCE_S),
    # Only systemd itself shows whether it takes the unit; few machines can boot one, so the rest skips and says why.
    pytest.mark.skipif(missing() is not None, reason=f"no unit is booted here: {missing()}"),
]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """/opt/kems with the locked packages for the root's own Python, as docs/hosting.md installs them."""
    home, python = tmp_path_factory.mktemp("opt"), Path(DEBIAN, "usr/bin/python3").readlink().name
    packages = home / "lib" / python / "site-packages"
    home.chmod(0o755)
    subprocess.run(
        [
            *(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", packages),
            *("--python-version", python.removeprefix("python"), "--only-binary", ":all:", "--no-deps"),
            *("--require-hashes", "--requirement", ROOT / "requirements.txt"),
        ],
        check=True,
    )
    for folder in ("bot", "migrations"):
        shutil.copytree(ROOT / folder, packages / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (packages / "kems_bot-0.dist-info").mkdir()
    (packages / "kems_bot-0.dist-info" / "METADATA").write_text("Name: kems-bot\nVersion: 0\n")
    (packages / "on_loopback.py").write_text(ON_LOOPBACK)
    (packages / "on_loopback.pth").write_text("import on_loopback\n")
    (home / "bin").mkdir()
    (home / "bin" / "python3").symlink_to("/usr/bin/python3")
    (home / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (home / "bin" / "kems").write_text(KEMS)
    (home / "bin" / "kems").chmod(0o755)
    return home


@pytest.fixture(params=["deploy", "kems setup"])
def unit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The unit of the repository, or what `kems setup` makes of it for the machine."""
    if request.param == "deploy":
        return ROOT / "deploy" / "kems.service"
    monkeypatch.setattr(Path, "cwd", lambda: HOME)
    monkeypatch.setattr(Path, "owner", lambda _: "kems")
    monkeypatch.setattr(Path, "group", lambda _: "kems")
    monkeypatch.setattr(sys, "executable", "/opt/kems/bin/python3")
    filled = tmp_path / "kems.service"
    filled.write_text(setup.filled(setup.SYSTEM)[filled.name])
    monkeypatch.undo()
    return filled


@asynccontextmanager
async def booted(installed: Path, folder: Path, unit: Path, token: str) -> AsyncIterator[tuple[Remote, Path]]:
    """A machine with the unit and a Discord on loopback; what it says on its console is in the file."""
    console, lent, here = folder / "console", folder / "kems.env", folder / "here"
    users, more = folder / "users.conf", folder / "more.conf"
    users.write_text("u kems 990 - /var/lib/kems\n")
    here.mkdir()
    async with opened(built(["Léa"])) as remote:
        lent.write_text(f"DISCORD_TOKEN={token}\n")
        (here / ".env").write_text(lent.read_text())
        for each in (here, here / ".env"):
            os.chown(each, 990, 990)
        more.write_text(f"[Service]\nEnvironment=DISCORD_IS_AT={remote.discord.address}\n")
        with console.open("wb") as output:
            machine = await asyncio.create_subprocess_exec(
                *("systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit", "--directory", DEBIAN),
                *("--volatile=overlay", "--console=read-only"),  # nothing is written in the root
                f"--bind-ro={installed}:/opt/kems",
                f"--bind-ro={lent}:/etc/kems.env",
                f"--bind-ro={users}:/etc/sysusers.d/kems.conf",
                f"--bind={here}:{HOME}",
                f"--bind-ro={unit}:/etc/systemd/system/kems.service",
                f"--bind-ro={more}:/etc/systemd/system/kems.service.d/more.conf",
                *("systemd.journald.forward_to_console=1", "systemd.wants=kems.service"),
                env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
                stdout=output,
                stderr=output,
            )
        try:
            yield remote, console
            machine.terminate()
            async with asyncio.timeout(PATIENCE_S):
                await machine.wait()
        finally:
            if machine.returncode is None:
                machine.kill()
                await machine.wait()


async def says(console: Path, words: str) -> str:
    """The console's text, once the words stand there."""
    async with asyncio.timeout(PATIENCE_S):
        while words not in (text := console.read_text("utf-8", "replace")):
            await asyncio.sleep(0.1)
    return text


async def test_the_bot_runs_under_its_unit_and_is_stopped_with_the_machine(
    installed: Path, unit: Path, tmp_path: Path
) -> None:
    async with booted(installed, tmp_path, unit, TOKEN) as (remote, console):
        await says(console, "database.migrated")
        async with asyncio.timeout(PATIENCE_S):
            while not await remote.connected():
                pass
    text = console.read_text("utf-8", "replace")
    assert "kems.service: Deactivated successfully" in text
    assert not re.search(r"kems\.service: (Failed|Main process exited)|Traceback", text)


async def test_a_token_that_cannot_work_is_not_tried_again(installed: Path, unit: Path, tmp_path: Path) -> None:
    async with booted(installed, tmp_path, unit, "wrong") as (_, console):
        text = await says(console, "kems.service: Failed with result 'exit-code'")
    assert "DISCORD_TOKEN cannot be used" in text
    assert "status=78/CONFIG" in text
    assert "Scheduled restart job" not in console.read_text("utf-8", "replace")
