"""README, CONTRIBUTING, `docs/`, `.github/`, `deploy/` agree with code and with each other. Nothing is started here."""

import json
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import discord
import pytest
import yaml
from PIL import Image
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.metrics_core import Metric
from typer.testing import CliRunner

from bot.base import metrics
from bot.base.settings import Settings
from bot.discord.text.texts import LANGUAGES
from bot.game.rules.presets import PRESETS
from bot.operating import status
from bot.operating.cli import app
from bot.operating.setup import SYSTEM, USER, filled
from tests.command_lines import OF_GITHUB
from tests.together import together

ROOT = Path(__file__).parents[1]
PAPERS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *OF_GITHUB)
}
README, HOSTING, OPERATING = PAPERS["README.md"], PAPERS["docs/hosting.md"], PAPERS["docs/operating.md"]
MOST_LINES = 160
"""A README that a newcomer reads to its end."""
MOST_BYTES = 2_000_000
"""A picture that is there at once."""
MOST_IN_AN_HOUR = 3_600
"""Lines of code."""


def anchors(paper: str) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", paper, re.MULTILINE)
    kept = (
        "".join(c for c in heading.lower() if unicodedata.category(c)[0] in "LN" or c in " -_") for heading in headings
    )
    return {heading.replace(" ", "-") for heading in kept}


@together("name", PAPERS)
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


@pytest.mark.parametrize("name", ["docs/privacy.md", "docs/terms.md"])
def test_a_page_in_several_languages_is_whole_in_each(name: str) -> None:
    """Each language has the same parts, and leads to all others."""
    pages = PAPERS[name].split("\n---\n")
    assert len(pages) == len(LANGUAGES)
    titles = [anchors(re.findall("^# .+$", page, re.MULTILINE)[0]).pop() for page in pages]
    for title, page in zip(titles, pages, strict=True):
        (links,) = re.findall(r"^\*(\[.+)\*$", page, re.MULTILINE)
        assert re.findall(r"\(#(.+?)\)", links) == [other for other in titles if other != title]
        for part in ("^#+ ", r"^\d\. ", "^- ", r"^\| ", "CONTACT", "HOST"):
            own, first = (len(re.findall(part, one.rpartition("-->")[2], re.MULTILINE)) for one in (page, pages[0]))
            assert own == first, (title, part)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= MOST_LINES


@together("name", PAPERS)
def test_the_docs_name_only_existing_targets_of_make(name: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z]+)", PAPERS[name], re.MULTILINE)) <= targets


def test_the_readme_shows_the_game_first_and_then_its_parts_in_order() -> None:
    assert re.findall(r"^## (.+)$", README, re.MULTILINE) == [
        *("Two commands", "What you get", "A round in six steps", "Rule sheets"),
        *("Host it yourself", "Known limits", "Where to read on"),
    ]
    (picture,) = re.findall(r'<img src="(.+?)"', README.partition("\n## ")[0])
    assert (ROOT / picture).stat().st_size <= MOST_BYTES
    with Image.open(ROOT / picture) as shown:
        assert getattr(shown, "n_frames", 1) > 5, "it moves"


def test_the_readme_begins_with_commands_that_run_at_once() -> None:
    assert re.findall(r"^make ([a-z]+)", README, re.MULTILINE) == ["play", "test"]


def test_every_command_of_the_command_line_is_explained_and_no_other() -> None:
    commands = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    commands |= {group.name or "" for group in app.registered_groups}
    section = OPERATING.split("## The command line")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `kems ([a-z-]+)", section, re.MULTILINE)
    assert sorted(listed) == sorted(name.replace("_", "-") for name in commands)


def test_the_readme_lists_the_presets() -> None:
    table = README.split("\n## Rule sheets\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE)
    assert rows == list(PRESETS), "the table under *Rule sheets* in README.md has a row for each preset, in their order"


def test_every_setting_is_explained_and_no_other() -> None:
    known = {name.upper() for name in Settings.model_fields}
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) == known - {"DEFAULT_LOCALE"}
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", HOSTING, re.MULTILINE)) == known


def test_the_invitation_asks_for_exactly_what_hosting_explains() -> None:
    link = re.search(r"oauth2/authorize\?\S*permissions=(\d+)", HOSTING)
    assert link
    asked = {name for name, granted in discord.Permissions(int(link[1])) if granted}
    explained = {"view_channel": "read_messages"}  # discord.py's older name
    table = HOSTING.split("these permissions and no others:")[1].split("\n\n")[1]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    named = {name.strip().lower().replace(" ", "_") for row in rows for name in row.split(",")}
    assert {explained.get(name, name) for name in named} == asked
    assert "scope=bot+applications.commands" in HOSTING


def test_every_file_that_a_page_sends_contributors_to_exists() -> None:
    paper = PAPERS["CONTRIBUTING.md"] + PAPERS["docs/recipes.md"]
    named = set(re.findall(r"`((?:bot|tests|migrations|docs|deploy|\.ci|\.github)/[^`\s]*)`", paper))
    assert len(named) > 40
    assert {name for name in named if not any(ROOT.glob(name.rstrip("/")))} == set()


def test_the_ten_files_to_read_first_fit_into_an_hour() -> None:
    """They stand above the map, whose order they follow: the core, tables, the store, Discord."""
    section = PAPERS["CONTRIBUTING.md"].split("\n## Read these ten files\n")[1].split("\n## The map\n")[0]
    files = re.findall(r"^\d+\. \[(\S+)\]\(\1\): ", section, re.MULTILINE)
    assert len(files) == 10
    assert sum(len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in files) < MOST_IN_AN_HOUR


@pytest.mark.parametrize("path", [path for path in OF_GITHUB if path.suffix == ".yml" and path.stem != "config"])
def test_an_issue_form_has_what_github_asks_for(path: Path) -> None:
    """Source: https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests"""
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= form.keys() <= {"name", "description", "body", "labels"}
    ids = [part["id"] for part in form["body"]]
    assert len(ids) == len(set(ids)) > 0
    for part in form["body"]:
        assert part.keys() <= {"type", "id", "attributes", "validations"}
        assert part["type"] in {"dropdown", "input", "textarea"}
        assert part["attributes"]["label"]
        assert ("options" in part["attributes"]) == (part["type"] == "dropdown")


RECIPES = PAPERS["docs/recipes.md"].split("\n## ")[1:]
OF_NO_FILE = {"fuzzy", "twemoji-colr-font", "fonttools", "brotli"}
"""Code in recipes that names nothing of ours: a mark of gettext, and packages."""


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.partition("\n")[0])
def test_a_recipe_names_only_things_that_its_files_contain(recipe: str) -> None:
    """Every name in code stands in one of the files or folders that the recipe names."""
    codes = re.findall(r"`([^`]+)`", recipe.replace("\n", " "))
    codes += [f"docs/{name}" for name in re.findall(r"\]\((\w+\.md)", recipe)]
    files = [code for code in codes if re.fullmatch(r"[\w./-]*(?:/[\w./-]*|\.(?:md|toml))", code)]
    named = [ROOT / name for name in files]
    assert [str(path) for path in named if not path.exists()] == []
    sources = [source for path in named for source in (path.rglob("*.py") if path.is_dir() else [path])]
    known = {word for source in sources for word in re.findall(r"\w+", source.read_text(encoding="utf-8"))}
    commands = ("make ", "kems ", ".venv/", "python ")
    words = [code for code in codes if code not in {*files, *OF_NO_FILE} and not code.startswith(commands)]
    assert [code for code in words if not set(re.findall(r"\w+", code.partition("(")[0])) <= known] == []


def test_two_files_of_the_bot_name_presets() -> None:
    """As the recipe for one says; `bell`, `classic` and `yokai` are names of other things, too."""
    names = "|".join(sorted(PRESETS.keys() - {"bell", "classic", "yokai"}))
    naming = {
        str(path.relative_to(ROOT))
        for path in ROOT.glob("bot/**/*.py")
        if re.search(f'"(?:{names})"', path.read_text("utf-8"))
    }
    assert naming == {"bot/game/rules/presets.py", "bot/ui/words/rule_names.py"}


DEPLOY = ROOT / "deploy"
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
UNITS = sorted(path.name for path in DEPLOY.glob("kems*.*"))


def _yaml(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))


def test_containers_set_what_the_bot_reads() -> None:
    compose = _yaml("compose.yaml")
    known = {name.upper() for name in Settings.model_fields}
    assert set(compose["services"]["bot"]["environment"]) <= known
    assert "KEMS_CONTAINER=1" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def test_the_container_of_the_bot_has_no_root_and_no_capabilities() -> None:
    bot = _yaml("compose.yaml")["services"]["bot"]
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]
    assert "ports" not in bot
    assert "\nUSER kems\n" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def test_the_image_is_made_of_existing_files() -> None:
    """`Dockerfile.dockerignore` lets in what the Dockerfile copies, and every path is one of the project."""
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    sources = {source for line in copied for source in line.split()}
    ignore = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8")
    assert sources == set(re.findall(r"^!(.+)$", ignore, re.MULTILINE))
    assert all((ROOT / source).exists() for source in sources)


def test_volumes_and_mounted_files_exist() -> None:
    compose = _yaml("compose.yaml")
    for service in compose["services"].values():
        for mounted in service.get("volumes", ()):
            source = mounted.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in compose["volumes"], mounted


@pytest.mark.parametrize("way", [None, SYSTEM, USER])
def test_the_units_are_valid_for_systemd(way: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (analyze := shutil.which("systemd-analyze")) is None:
        pytest.skip("systemd-analyze is not installed")
    here = tmp_path / "5% of a folder"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run")  # a longer one is too long for the sockets of other units
    texts = filled(way) if way else {name: (DEPLOY / name).read_text(encoding="utf-8") for name in UNITS}
    assert sorted(texts) == UNITS
    for name, text in texts.items():
        (tmp_path / name).write_text(text.replace("/opt/kems/bin/kems", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        [
            analyze,
            "--user" if way == USER else "--system",
            "--man=no",
            "verify",
            *map(tmp_path.joinpath, UNITS),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_units_run_existing_commands() -> None:
    for name in UNITS:
        for command in re.findall(r"^ExecStart=/opt/kems/bin/kems (.+)$", (DEPLOY / name).read_text(), re.MULTILINE):
            words = command.split()
            helped = CliRunner().invoke(app, [words[0], "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
            assert helped.exit_code == 0, command
            assert all(word in helped.output for word in words if word.startswith("--")), command


def test_alerts_and_dashboard_use_existing_metrics() -> None:
    rules = [rule["expr"] for group in _yaml("alerts.yml")["groups"] for rule in group["rules"]]
    dashboard = json.loads((DEPLOY / "grafana/dashboards/kems.json").read_text(encoding="utf-8"))
    asked = " ".join([*rules, *(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])])
    counted = {family.name + suffix for family in _counted() for suffix in SUFFIXES[family.type]}
    known = counted | set(status.GAUGES) | {"process_resident_memory_bytes", "process_cpu_seconds_total"}
    wanted = set(re.findall(r"\b(?:kems|process)_[a-z_]+", asked))
    assert wanted <= known
    assert set(status.GAUGES) <= wanted


def test_every_metric_is_explained_to_the_host() -> None:
    page = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    names = {family.name + "_total" * (family.type == "counter") for family in _counted()}
    assert set(re.findall(r"`(kems_[a-z_]+)`", page)) == names | set(status.GAUGES)


def test_every_alert_is_explained_to_the_host() -> None:
    page = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    for group in _yaml("alerts.yml")["groups"]:
        for rule in group["rules"]:
            assert f"`{rule['alert']}`" in page


def _counted() -> list[Metric]:
    """All metrics of `bot.base.metrics`."""
    return [metric.describe()[0] for metric in vars(metrics).values() if isinstance(metric, MetricWrapperBase)]
