"""`kems play` in the background, where shells let SIGINT be ignored: SIGTERM ends it, and nothing is left behind.

A taken port stops it at once.
"""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import bot
from bot.base.errors import KemsError
from bot.base.settings import Settings
from bot.operating import operations

_PATIENCE_S = 60  # for a process to load on a busy machine


def test_sigterm_stops_the_sandbox_and_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    command = f"trap '' INT; exec '{sys.executable}' -m bot play --port 0"  # what is ignored stays so
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(Path(bot.__file__).parents[1])}
    with subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as playing:
        try:
            assert "Ctrl-C" in playing.stdout.readline()
            assert [path.name.startswith("kems-") for path in folder.iterdir()] == [True]
            playing.terminate()
            _, errors = playing.communicate(timeout=_PATIENCE_S)
        finally:
            playing.kill()
    assert playing.returncode == 0
    assert "Traceback" not in errors
    assert list(folder.iterdir()) == []


async def test_a_taken_port_is_reported_with_how_to_choose_another() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(KemsError, match=rf"cannot listen on 127.0.0.1:{port} .* \(`kems play --port 0`, or "):
            await operations.play_sandbox(Settings(_env_file=None), port=port, viewers=1, locale=None)
