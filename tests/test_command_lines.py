"""Every command line of the papers and forms works; the captured output lists those not executed, and why."""

from pathlib import Path

import pytest

from tests.command_lines import Line, WrongLineError, install_dry, lines, prepare, treat


@pytest.fixture(autouse=True)
def _a_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logging_restored: None) -> None:
    monkeypatch.chdir(tmp_path)  # and back, at the end


def test_every_command_line_of_the_docs_works() -> None:
    prepare()
    found, wrong, executed = lines(), [], 0
    for line in found:
        try:
            reason = treat(line)
        except WrongLineError as error:
            wrong.append((line, str(error)))
            continue
        executed += reason is None
        if reason is not None:
            print(f"{line.paper}: {line.text}\n    not executed: {reason}")
    assert wrong == []
    assert len(found) > 60
    assert executed > 20


@pytest.mark.long
def test_pip_finds_every_package_that_the_docs_install() -> None:
    found = [line for line in lines() if Path(line.text.split()[0]).name == "pip"]
    assert len(found) > 1
    for line in found:
        install_dry(line)


def test_system_units_are_installed_where_systemd_looks_for_them() -> None:
    for line in lines():
        if line.paper == "docs/hosting.md" and line.text.split()[0] in ("install", "systemctl"):
            treat(line)
    etc = Path("root/etc")
    assert (etc / "kems.env").stat().st_mode & 0o777 == 0o600
    units = {path.name for path in (etc / "systemd/system").glob("kems*")}
    assert units == {"kems.service", "kems-backup.service", "kems-backup.timer"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kems backup --keeps 7 FOLDER", "No such option: --keeps"),
        ("kems reboot", "No such command"),
        ("kems run --fast", "No such option"),
        ("make coffee", "make does not know it"),
        ("docker compose up --detach", "neither deploy/compose.yaml nor the .env"),
        ("docker compose --file deploy/compose.yaml --env-file .env up --detach bots", "no service bots"),
        ("docker compose --file deploy/compose.yaml --env-file .env run --rm bot emoji sync", "No such command"),
        ("docker compose --file deploy/compose.yaml --env-file .env --profile charts up", "the profile charts"),
        ("docker build --file deploy/Dockerfiles --tag kems-bot .", "there is no deploy/Dockerfiles"),
        ("systemctl restart kems-bot", "there is no unit kems-bot"),
        ("install --mode 600 env.example /etc/kems.env", "there is no env.example"),
        ("git checkout --tag v1", "unknown option"),
        ("pip install --hashes --requirement requirements.txt", "no such option: --hashes"),
        ("python -m tests.nothing", "there is no module tests.nothing"),
    ],
)
def test_a_documented_line_that_does_not_work_is_reported(text: str, problem: str) -> None:
    with pytest.raises(WrongLineError) as wrong:
        treat(Line("docs/page.md", text))
    assert problem in str(wrong.value)
