"""The files in `deploy/` agree with the bot: settings, commands, metrics, paths. None of them is started here."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.metrics_core import Metric
from typer.testing import CliRunner

from bot import metrics, status
from bot.cli import app
from bot.settings import Settings

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
UNITS = sorted(path.name for path in DEPLOY.glob("kems*.*"))


def _yaml(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))


def test_containers_set_what_the_bot_reads() -> None:
    compose = _yaml("compose.yaml")
    known = {name.upper() for name in Settings.model_fields}
    dockerfile = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert set(compose["services"]["bot"]["environment"]) <= known
    assert {"DATABASE_URL", "LOG_FORMAT", "STATUS_ADDRESS"} <= known & set(re.findall(r"([A-Z_]+)=", dockerfile))


def test_the_container_of_the_bot_may_do_little() -> None:
    bot = _yaml("compose.yaml")["services"]["bot"]
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]
    assert "ports" not in bot
    assert "\nUSER kems\n" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def test_the_image_is_made_of_files_that_are_there() -> None:
    """`Dockerfile.dockerignore` lets in what the Dockerfile copies, and every path is one of the project."""
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    sources = {source for line in copied for source in line.split()}
    ignore = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8")
    assert sources == set(re.findall(r"^!(.+)$", ignore, re.MULTILINE))
    assert all((ROOT / source).exists() for source in sources)


def test_volumes_and_mounted_files_are_there() -> None:
    compose = _yaml("compose.yaml")
    for service in compose["services"].values():
        for mounted in service.get("volumes", ()):
            source = mounted.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in compose["volumes"], mounted


@pytest.mark.parametrize("name", UNITS)
def test_units_hold_for_systemd(name: str, tmp_path: Path) -> None:
    if (analyze := shutil.which("systemd-analyze")) is None:
        pytest.skip("systemd-analyze is not installed")
    for unit in UNITS:
        text = (DEPLOY / unit).read_text(encoding="utf-8")
        (tmp_path / unit).write_text(text.replace("/opt/kems/bin/kems", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        [analyze, "--man=no", "verify", tmp_path / name], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_units_run_commands_that_the_bot_has() -> None:
    for name in UNITS:
        for command in re.findall(r"^ExecStart=/opt/kems/bin/kems (.+)$", (DEPLOY / name).read_text(), re.MULTILINE):
            words = command.split()
            helped = CliRunner().invoke(app, [words[0], "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
            assert helped.exit_code == 0, command
            assert all(word in helped.output for word in words if word.startswith("--")), command


def test_alerts_and_dashboard_ask_for_metrics_that_there_are() -> None:
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
    """All metrics of `bot.metrics`."""
    return [metric.describe()[0] for metric in vars(metrics).values() if isinstance(metric, MetricWrapperBase)]
