"""Makes a release of the version that pyproject.toml names: `make release`.

It checks first that the tree is clean, that the schema keeps its promises (docs/updating.md), and that the gate is
green. Then it dates the changelog's section, commits, tags, and builds the wheel and the image. Nothing is pushed.
Where no container engine answers it does all else, says so, and ends with status 3.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

CHANGELOG, SCHEMA, OPEN = Path("CHANGELOG.md"), "migrations/versions", "## [Unreleased]"
WITHOUT_IMAGE = 3


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes a release of the version that pyproject.toml names.")
    parser.add_argument("--gate", default="make test wheel", help="what must succeed first (default: %(default)s)")
    gate = parser.parse_args().gate
    version = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    tag = f"v{version}"
    if dirty := run("git", "status", "--porcelain"):
        sys.exit(f"The tree is not clean: commit or remove these files first.\n{dirty}")
    if run("git", "tag", "--list", tag):
        sys.exit(f"{tag} is released already: raise `version` in pyproject.toml, and commit it.")
    news = CHANGELOG.read_text(encoding="utf-8").partition(f"{OPEN}\n")[2].partition("\n## ")[0].strip()
    if not news:
        sys.exit(f"{CHANGELOG} has nothing under {OPEN}: say there what changes for players and hosts.")
    check_schema(version)
    if subprocess.run(gate, shell=True, check=False).returncode:  # noqa: S602 - the releaser's own words
        sys.exit(f"`{gate}` failed: nothing was released.")
    date_changelog(version)
    run("git", "commit", "--quiet", "--all", "--message", f"Release {version}")
    run("git", "tag", "--annotate", "--cleanup=verbatim", tag, "--message", f"Kem's bot {version}\n\n{news}\n")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", "dist")
    print(f"{tag} is tagged, and dist/ has the wheel.")
    has_image = build_image(version)
    print("Publish it: git push --follow-tags. The workflow `release` then publishes the wheel and the image.")
    if not has_image:
        sys.exit(WITHOUT_IMAGE)


def check_schema(version: str) -> None:
    """End the program if the schema breaks what docs/updating.md promises."""
    released = sorted(run("git", "tag", "--list", "v*").split(), key=lambda tag: numbers(tag[1:]))
    if not released:
        return
    last = released[-1]
    if edited := run("git", "diff", "--name-only", "--diff-filter=MDR", last, "--", SCHEMA):
        sys.exit(f"{last} has these revisions already, which stay as they are: add a new one.\n{edited}")
    is_patch = numbers(version)[:2] == numbers(last[1:])[:2]
    if is_patch and (added := run("git", "diff", "--name-only", last, "--", SCHEMA)):
        sys.exit(f"{version} changes the schema of {last}: make it a minor release.\n{added}")


def date_changelog(version: str) -> None:
    dated = f"{OPEN}\n\n## [{version}] - {datetime.now(UTC):%Y-%m-%d}\n"
    text = CHANGELOG.read_text(encoding="utf-8")
    CHANGELOG.write_text(text.replace(f"{OPEN}\n", dated, 1), encoding="utf-8")


def build_image(version: str) -> bool:
    """Build the image, and return whether it was built: where no container engine answers it is not."""
    command = ["build", "--file", "deploy/Dockerfile", "--tag", f"kems-bot:{version}", "--tag", "kems-bot:latest", "."]
    for engine in filter(shutil.which, ("docker", "podman")):
        if subprocess.run([engine, "info"], capture_output=True, check=False).returncode == 0:
            subprocess.run([engine, *command], check=True)
            print(f"{engine} has the image kems-bot:{version}.")
            return True
    print(
        "Not done: the image, for no container engine answers here. Build it where there is one:"
        f" docker {' '.join(command)}\nIts steps without one: python -m tests.dockerfile ROOT, with a Debian root."
    )
    return False


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def run(*command: str) -> str:
    """What a command prints; ends the program where it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"`{' '.join(command)}` failed: see above.")
    return done.stdout.strip()


if __name__ == "__main__":
    main()
