"""README, CONTRIBUTING and the pages of docs/ agree with the code and with each other."""

import re
import unicodedata
from pathlib import Path

import discord
import pytest

from bot.cli import app
from bot.game.rules.presets import PRESETS
from bot.settings import Settings

ROOT = Path(__file__).parents[1]
PAPERS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
}
README, HOSTING, OPERATING = PAPERS["README.md"], PAPERS["docs/hosting.md"], PAPERS["docs/operating.md"]
MOST_LINES = 160
"""A README that a newcomer reads to its end."""


def anchors(paper: str) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", paper, re.MULTILINE)
    kept = (
        "".join(c for c in heading.lower() if unicodedata.category(c)[0] in "LN" or c in " -_") for heading in headings
    )
    return {heading.replace(" ", "-") for heading in kept}


@pytest.mark.parametrize("name", PAPERS)
def test_every_link_within_the_project_leads_somewhere(name: str) -> None:
    broken = []
    for target in re.findall(r"(?:\]\(|src=.)([^)\s\"]+)", PAPERS[name]):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        if not file.exists() or (anchor and anchor not in anchors(file.read_text(encoding="utf-8"))):
            broken.append(target)
    assert broken == []


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= MOST_LINES


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_names_only_targets_of_make_that_exist(name: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z]+)", PAPERS[name], re.MULTILINE)) <= targets


def test_the_readme_begins_with_what_runs_at_once() -> None:
    assert re.findall(r"^make ([a-z]+)", README, re.MULTILINE) == ["play", "test"]


def test_every_command_of_the_command_line_is_explained_and_no_other() -> None:
    commands = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    commands |= {group.name or "" for group in app.registered_groups}
    listed = re.findall(r"^\| `kems ([a-z-]+)", OPERATING, re.MULTILINE)
    assert sorted(listed) == sorted(name.replace("_", "-") for name in commands)


def test_the_readme_lists_the_presets() -> None:
    table = README.split("Seven sets of rules come with it")[1].split("\n\n")[1]
    assert re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE) == list(PRESETS)


def test_every_setting_is_explained_and_no_other() -> None:
    known = {name.upper() for name in Settings.model_fields}
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) == known
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", HOSTING, re.MULTILINE)) == known


def test_the_invitation_asks_for_exactly_what_hosting_explains() -> None:
    link = re.search(r"oauth2/authorize\?\S*permissions=(\d+)", README)
    assert link
    asked = {name for name, granted in discord.Permissions(int(link[1])) if granted}
    explained = {"view_channel": "read_messages"}  # discord.py's older name
    table = HOSTING.split("these permissions and no others:")[1].split("\n\n")[1]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    named = {name.strip().lower().replace(" ", "_") for row in rows for name in row.split(",")}
    assert {explained.get(name, name) for name in named} == asked
    assert "scope=bot+applications.commands" in README


def test_every_file_that_contributors_are_sent_to_exists() -> None:
    paper = PAPERS["CONTRIBUTING.md"]
    named = set(re.findall(r"`((?:bot|tests|migrations|docs|deploy|\.ci|\.github)/[^`\s]*)`", paper))
    assert len(named) > 40
    assert {name for name in named if not any(ROOT.glob(name.rstrip("/")))} == set()
