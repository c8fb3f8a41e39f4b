"""Executes each step of deploy/Dockerfile in a bare Debian root, where there is no container engine. As root, on Linux:

    debootstrap --variant=minbase trixie /tmp/trixie
    python -m tests.dockerfile /tmp/trixie

`--share PATH` lends a file or folder of this machine to the steps, which can read it, such as its certificates;
`--keep NAME` lends a variable of the environment. The image is then used as the compose file uses it: a root that
cannot be written, no user but its own, a bot that waits for Discord, and the health check.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).parents[1]
_STARTS_S = 30.0
_STOPS_S = 10
_MOUNT = """
set -e
root=$1; shift
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
"""
_READ_ONLY = """
mkdir -p "$root.data"; chown --reference="$root/data" "$root.data"
mount -o remount,ro,bind "$root"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$root.data" "$root/data"
"""


@dataclass
class Stage:
    """What a FROM begins: a root, and how its programs are started."""

    root: Path
    shares: list[Path]
    environment: dict[str, str]
    user: str = "root"
    folder: str = "/"
    said: dict[str, str] = field(default_factory=dict)

    def command(self, words: list[str], *, is_read_only: bool = False) -> list[str]:
        """A program in this root, in mounts of its own that end with it."""
        shares = "".join(self._share(path) for path in self.shares)
        variables = " ".join(shlex.quote(f"{name}={value}") for name, value in self.environment.items())
        script = f"{_MOUNT}{shares}{_READ_ONLY if is_read_only else ''}" + (
            f'exec chroot --userspec={self.user} "$root" /usr/bin/env --ignore-environment'
            f' --chdir={shlex.quote(self.folder)} {variables} "$@"\n'
        )
        return [
            *["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c"],
            script,
            "sh",
            str(self.root),
            *words,
        ]

    def run(self, words: list[str]) -> None:
        if subprocess.run(self.command(words), check=False).returncode:
            sys.exit(f"This step failed: {shlex.join(words)}")

    def _share(self, path: Path) -> str:
        made = "mkdir -p" if path.is_dir() else 'mkdir -p "$root"' + shlex.quote(str(path.parent)) + "; touch"
        inside = '"$root"' + shlex.quote(str(path))
        return f"{made} {inside}; mount --bind {shlex.quote(str(path))} {inside}; mount -o remount,ro,bind {inside}\n"


def steps(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile with what follows them."""
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in lines if line.strip()]


def build(bare: Path, folder: Path, shares: list[Path], environment: dict[str, str]) -> Stage:
    """The last stage, with every step executed."""
    stages: dict[str, Stage] = {}
    stage = Stage(bare, shares, environment)
    for number, (word, rest) in enumerate(steps((PROJECT / "deploy/Dockerfile").read_text(encoding="utf-8")), 1):
        print(f"{number:>2}  {word} {' '.join(rest.split())[:100]}", flush=True)
        match word:
            case "FROM":
                root = folder / f"stage{number}"
                shutil.copytree(bare, root, symlinks=True, ignore=shutil.ignore_patterns("dev"))
                (root / "dev").mkdir()
                path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
                stage = Stage(root, shares, {**environment, "PATH": path})
                stages[rest.partition(" AS ")[2]] = stage
            case "RUN":
                stage.run(["/bin/sh", "-c", rest])
            case "COPY":
                _copy(stage, stages, rest.split())
            case "WORKDIR":
                stage.folder = rest
                (stage.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case "ENV":
                for name, value in (one.split("=", 1) for one in shlex.split(rest)):
                    stage.environment[name] = value.replace("$PATH", stage.environment["PATH"])
            case "USER":
                stage.user = f"{rest}:{rest}"
            case _:
                stage.said[word] = rest
    return stage


def _copy(stage: Stage, stages: dict[str, Stage], words: list[str]) -> None:
    origin = stages[words.pop(0).removeprefix("--from=")].root if words[0].startswith("--from=") else PROJECT
    *sources, target = words
    for source in sources:
        found = origin / source.lstrip("/")
        place = stage.root / (target.lstrip("/") if target.startswith("/") else f"{stage.folder}/{target}".lstrip("/"))
        if found.is_dir():
            shutil.copytree(found, place, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy2(found, place / found.name if target.endswith("/") else place)


def use(image: Stage) -> None:
    """Start the bot without Discord, ask for its health, stop it."""
    image.environment |= {"DISCORD_TOKEN": "bm9ib2R5.is.there", "DISCORD_API": "http://127.0.0.1:9"}
    entry, healthy = json.loads(image.said["ENTRYPOINT"]), json.loads(image.said["HEALTHCHECK"].partition("CMD ")[2])
    subprocess.run(image.command([*entry, "--version"], is_read_only=True), check=True)
    bot = subprocess.Popen(image.command([*entry, *json.loads(image.said["CMD"])], is_read_only=True))
    try:
        until = time.monotonic() + _STARTS_S
        check = image.command(healthy, is_read_only=True)
        while subprocess.run(check, check=False, capture_output=True).returncode:
            if bot.poll() is not None or time.monotonic() > until:
                sys.exit("The health check fails.")
            time.sleep(0.5)
        (program,) = Path(f"/proc/{bot.pid}/task/{bot.pid}/children").read_text().split()
        os.kill(int(program), getattr(signal, image.said["STOPSIGNAL"]))
        if status := bot.wait(_STOPS_S):
            sys.exit(f"The bot ended with status {status}.")
    finally:
        bot.kill()
    files = sorted(path.name for path in image.root.with_name(f"{image.root.name}.data").iterdir())
    print(f"It runs, is healthy, stops when it is told to, and has written {', '.join(files)} and nothing else.")


def main() -> None:
    parser = argparse.ArgumentParser(description="Executes each step of deploy/Dockerfile in a bare Debian root.")
    parser.add_argument("root", type=Path)
    parser.add_argument("--share", type=Path, action="append", default=[Path("/etc/resolv.conf")])
    parser.add_argument("--keep", action="append", default=[])
    chosen = parser.parse_args()
    kept = {name: os.environ[name] for name in chosen.keep if name in os.environ}
    with tempfile.TemporaryDirectory(prefix="kems-image-", dir=chosen.root.parent) as folder:
        use(build(chosen.root, Path(folder), chosen.share, kept))


if __name__ == "__main__":
    main()
