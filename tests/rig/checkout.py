"""A bot that somebody has cloned and installed as README says, and the update of `docs/updating.md`."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

from tests.rig.bot_process import TOKEN
from tests.store.later_revision import write_later

ROOT: Final = Path(__file__).parents[2]
STOP, START = "systemctl --user stop kems", "systemctl --user start kems"
_BLOCK: Final = re.compile(r"## From a checkout with `kems setup`\n\n```sh\n(.*?)```", re.DOTALL)
_KEMS: Final = """
import sys
from bot.__main__ import main
from bot.discord.api.discord_internals import discord_at
sys.argv = ["kems", "run"]
with discord_at("{address}"):
    main()
"""


def update_lines() -> list[str]:
    """The command lines of the page, in their order."""
    found = _BLOCK.search((ROOT / "docs" / "updating.md").read_text(encoding="utf-8"))
    assert found is not None, "the page says how to update a checkout"
    return found[1].splitlines()


def can_be_cloned() -> bool:
    return shutil.which("git") is not None and (ROOT / ".git").exists()


class Checkout:
    """A clone of a clone of this project, in a folder: the one between them is where a new version appears."""

    def __init__(self, folder: Path) -> None:
        self._origin = folder / "origin"
        self.folder = folder / "checkout"

    def install(self) -> None:
        _run(f"git clone --quiet {shlex.quote(str(ROOT))} {shlex.quote(str(self._origin))}", self._origin.parent)
        _run("git checkout --quiet -B main", self._origin)
        _run(f"git clone --quiet {shlex.quote(str(self._origin))} {self.folder.name}", self.folder.parent)
        self.run("make install")

    def publish(self) -> None:
        """A version appears that has one more revision."""
        write_later(self._origin / "migrations")
        _run("git add . && git -c user.name=x -c user.email=x@x commit --quiet --message later", self._origin)

    def run(self, line: str) -> None:
        _run(line, self.folder)


def main(_: object, address: str, fields: dict[str, Any], folder: Path) -> None:
    """This process becomes that of the bot in the checkout, whose settings stand in its `.env`."""
    values = {"DISCORD_TOKEN": TOKEN, **{name.upper(): value for name, value in fields.items()}}
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in values.items()), encoding="utf-8")
    os.chdir(folder)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    python = str(folder / ".venv" / "bin" / "python")
    os.execve(python, [python, "-c", _KEMS.format(address=address)], environment)  # noqa: S606 - it becomes it


def _run(line: str, folder: Path) -> None:
    done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S607
    assert done.returncode == 0, done.stdout + done.stderr
