"""The ways in which the bot runs by itself: a systemd service of a person or of the machine, or containers."""

import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import bot
from bot.env_file import write
from bot.errors import KemsError
from bot.settings import ENV_FILE, unknown_names

USER: Final = "user"
SYSTEM: Final = "system"
COMPOSE: Final = "compose"
HAND: Final = "hand"
_WAYS: Final = {
    USER: "a systemd service of yours, with a copy of the database every night",
    SYSTEM: "the same as a service of this machine, which takes sudo",
    COMPOSE: "containers, with a PostgreSQL of their own",
    HAND: "you start it with `kems run`",
}

_PACKAGE: Final = Path(bot.__file__).parent
_UNITS: Final = ("kems.service", "kems-backup.service", "kems-backup.timer")
_STARTED: Final = ("kems.service", "kems-backup.timer")
_COMPOSE_FILE: Final = Path("deploy/compose.yaml")
_PASSWORD: Final = "POSTGRES_PASSWORD"  # noqa: S105 - its name
_ELSEWHERE: Final = re.compile(r"^(?:StateDirectory\w*|EnvironmentFile|ReadWritePaths)=.*\n", re.MULTILINE)
"""What a service without a folder of a person needs. Here the bot works in this folder, with its `.env`."""
_OF_ROOT: Final = re.compile(
    r"^(?:User|Group|CapabilityB\w+|Ambient\w+|Private\w+|Protect\w+|ProcSubset)=.*\n", re.MULTILINE
)
"""What systemd gives to services of the machine alone."""


def ways() -> Mapping[str, str]:
    """The ways that this machine has, by their names."""
    has_systemd = shutil.which("systemctl") is not None
    has = {USER: has_systemd, SYSTEM: has_systemd, COMPOSE: bool(shutil.which("docker")) and _COMPOSE_FILE.is_file()}
    return {name: what for name, what in _WAYS.items() if has.get(name, True)}


def found() -> str | None:
    """The way that was chosen before."""
    for way in (USER, SYSTEM):
        if (_folder(way) / _UNITS[0]).exists():
            return way
    return COMPOSE if _PASSWORD in dict(unknown_names()) else None


def keep_password() -> None:
    """Makes a password for the database of the containers, unless there is one."""
    if _PASSWORD not in dict(unknown_names()):
        write(ENV_FILE, {_PASSWORD: secrets.token_urlsafe(24)})


def start(way: str) -> str:
    """Returns what was done. Raises KemsError: a program of this machine has failed."""
    if way == HAND:
        return "`kems run` starts the bot."
    if way == COMPOSE:
        _run("docker", "compose", "--file", str(_COMPOSE_FILE), "--env-file", str(ENV_FILE), "up", "--detach")
        return "The containers run."
    control = ("systemctl", "--user") if way == USER else ("systemctl",)
    as_root = () if way == USER or os.geteuid() == 0 else ("sudo",)
    folder, units = _folder(way), filled(way)
    is_installed = all((folder / name).exists() and (folder / name).read_text() == units[name] for name in units)
    if is_installed and subprocess.run((*control, "--quiet", "is-active", _STARTED[0]), check=False).returncode == 0:
        return "The service kems runs."
    Path("backups").mkdir(mode=0o700, exist_ok=True)  # kems-backup.service wants it
    made = folder if way == USER else Path("systemd")
    made.mkdir(parents=True, exist_ok=True)
    for name, text in units.items():
        (made / name).write_text(text, encoding="utf-8")
    if way == SYSTEM:
        _run(*as_root, "install", "--mode", "644", *(str(made / name) for name in _UNITS), str(folder))
    _run(*as_root, *control, "daemon-reload")
    _run(*as_root, *control, "enable", *_STARTED)
    _run(*as_root, *control, "restart", *_STARTED)
    if way == USER:
        _run("loginctl", "enable-linger")
    return f"The service kems runs: journalctl {'--user ' if way == USER else ''}--unit kems --follow"


def _folder(way: str) -> Path:
    if way == SYSTEM:
        return Path("/etc/systemd/system")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", "systemd/user")


def filled(way: str) -> Mapping[str, str]:
    """The texts of the units for the bot of this folder, by their names."""
    source = next(each for each in (_PACKAGE / "deploy", _PACKAGE.parent / "deploy") if (each / _UNITS[0]).exists())
    return {name: _filled((source / name).read_text(encoding="utf-8"), way) for name in _UNITS}


def _filled(text: str, way: str) -> str:
    here = Path.cwd()
    folder, python = (str(path).replace("%", "%%") for path in (here, sys.executable))
    text = _ELSEWHERE.sub("", text).replace("/var/lib/kems/backups", "backups").replace("/var/lib/kems", folder)
    text = text.replace("/opt/kems/bin/kems", '"{}" -m bot'.format(python.replace("$", "$$")))
    if way == USER:
        return _OF_ROOT.sub("", text).replace("multi-user.target", "default.target")
    own = {"User": here.owner(), "Group": here.group(), "ProtectHome": f'read-only\nReadWritePaths="{folder}"'}
    return re.sub(rf"^({'|'.join(own)})=.*$", lambda line: f"{line[1]}={own[line[1]]}", text, flags=re.MULTILINE)


def _run(*command: str) -> None:
    """Runs a program, which speaks for itself. Raises KemsError: it has failed, or there is none."""
    try:
        is_good = subprocess.run(command, check=False).returncode == 0
    except OSError:
        is_good = False
    if not is_good:
        raise KemsError(f"This has failed: {shlex.join(command)}")
