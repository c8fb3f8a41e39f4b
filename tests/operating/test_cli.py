"""The command line: what it hands over, and how it answers what people get wrong.

`bot.operating.operations` has tests of its own; here a recorder stands in its place.
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from io import StringIO
from pathlib import Path

import pytest

import bot.operating
from bot.__main__ import main
from bot.base.errors import KemsError
from bot.base.settings import Settings

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"

PROJECT = Path(bot.__file__).parents[1]

ROUND = """\
[Kgn "1"]
[Preset "classic"]
[Seats "A B C D"]
[Teams "2"]
[Signs "#1 👀 / #2 🍀"]
[Deck "7S 9S 8S QS 7H TS 9H KH 9D JH TD AD 8C QD JC 9C 7D QH KS AH 7C 8D 8H TH TC JS JD QC KD KC AS AC"]

= hand A 7S 7H 9D 8C
= pool 7D QH KS AH
0 B put 9S
= refused hunt_closed
"""


class Operations:
    """Records what the command line hands over; `failure` is raised, `interrupt` is sent, once the work has begun."""

    failure: Exception | None = None
    interrupt: signal.Signals | None = None

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.is_closed = False

    def __getattr__(self, name: str) -> Callable[..., Awaitable[str]]:
        async def work(*arguments: object, **options: object) -> str:
            handed = [each for each in (*arguments, *options.values()) if not isinstance(each, Settings)]
            await self._work(name, *handed)
            return "Done."

        return work

    def question_of_restore(self, _settings: Settings, file: Path) -> str:
        return f"Does what {file} holds replace everything?"

    async def _work(self, *call: object) -> None:
        self.calls.append(call)
        if self.failure:
            raise self.failure
        if self.interrupt:
            os.kill(os.getpid(), self.interrupt)
            try:
                await asyncio.sleep(30)
            finally:
                self.is_closed = True


Kems = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kems(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Kems:
    """Runs `kems ARGUMENTS` in this process; the exit status, stdout and stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["kems", *arguments])
        status = 0
        try:
            main()
        except SystemExit as left:
            status = int(left.code or 0)
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def operations(monkeypatch: pytest.MonkeyPatch) -> Operations:
    recorder = Operations()
    monkeypatch.setattr(bot.operating, "operations", recorder, raising=False)
    return recorder


@pytest.fixture(autouse=True)
def _a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logging_restored: None) -> None:
    """An empty folder without `.env`."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("run", ("run_bot", True)),
        ("play", ("play_sandbox", 9000, 4, "en")),
        ("play --port 0 --viewers 2 --locale fr", ("play_sandbox", 0, 2, "fr")),
        ("migrate", ("migrate", True)),
        ("migrate --no-backup", ("migrate", False)),
        ("rebuild-standings", ("rebuild_standings",)),
        ("backup", ("back_up", Path("kems-backup.db"), None)),
        ("backup night.db", ("back_up", Path("night.db"), None)),
        ("backup --keep 7 copies", ("back_up", Path("copies"), 7)),
        ("restore --yes night.db", ("restore", Path("night.db"), True)),
        ("restore --yes --no-backup night.db", ("restore", Path("night.db"), False)),
        ("copy-db sqlite:///kems.db postgresql://h/kems", ("copy_db", "sqlite:///kems.db", "postgresql://h/kems")),
        ("why --user 7 --at 21:03", ("explain_presses", 7, "21:03", 3)),
        ("emojis sync", ("sync_emojis",)),
        ("site pages --server 5 --language en", ("write_site", Path("pages"), 5, "Kem's", "en", 200)),
    ],
)
def test_a_command_passes_its_arguments_and_prints_the_outcome(
    line: str, call: tuple[object, ...], kems: Kems, operations: Operations, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\nSANDBOX_PORT=9000\nDEFAULT_LOCALE=en\n", encoding="utf-8")
    Path("copies").mkdir()
    goes_on = call[0] in ("run_bot", "play_sandbox")
    assert kems(*line.split()) == (0, "" if goes_on else "Done.\n", "")
    assert operations.calls == [call]


@pytest.mark.parametrize("line", ["run", "emojis sync"])
def test_a_command_says_where_to_get_a_token_when_it_has_none(line: str, kems: Kems, operations: Operations) -> None:
    status, out, err = kems(*line.split())
    assert (status, out) == (78, "")
    assert err.startswith("DISCORD_TOKEN is missing: give the bot's token")
    assert operations.calls == []


@pytest.mark.parametrize("command", ["run", "play", "migrate", "backup", "doctor", "rebuild-standings", "restore x"])
def test_a_malformed_setting_stops_every_command_with_a_sentence(
    command: str, kems: Kems, operations: Operations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTO_OPEN", "soon")
    status, out, err = kems(*command.split())
    assert (status, out) == (78, "")
    assert err.startswith("AUTO_OPEN cannot be used: ")
    assert len(err.splitlines()) == 1
    assert operations.calls == []


@pytest.mark.parametrize(
    "line",
    [
        *("play --port 65536", "play --viewers 0", "play --locale xx", "backup --keep 0 copies", "restore", "replay"),
        *("why --user 0 --at 21:03", f"why --user {2**63} --at 21:03", f"site --server {2**63} pages"),
    ],
)
def test_options_that_make_no_sense_are_refused(line: str, kems: Kems, operations: Operations) -> None:
    status, _, err = kems(*line.split())
    assert status == 2
    assert next((word for word in line.split() if word.startswith("--")), "file") in err.lower()
    assert operations.calls == []


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
def test_a_restore_asks_before_it_replaces_anything(
    answer: str, status: int, kems: Kems, operations: Operations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Typed(answer))
    left, said, problem = kems("restore", "night.db")
    assert left == status
    assert said.startswith("Does what night.db holds replace everything? [y/N]: ")
    assert (problem == "Nothing was changed.\n") is (operations.calls == []) is bool(status)


def test_a_restore_needs_yes_when_nobody_can_be_asked(kems: Kems, operations: Operations) -> None:
    question = "Does what night.db holds replace everything?"
    assert kems("restore", "night.db") == (1, "", f"{question} Nobody is here to say yes: add --yes.\n")
    assert operations.calls == []


class Typed(StringIO):
    """What a person types at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("line", ["copy-db {} sqlite:///kems.db", "copy-db sqlite:///kems.db {}"])
def test_a_malformed_address_is_not_quoted(line: str, kems: Kems, operations: Operations) -> None:
    status, out, err = kems(*line.format("postgresql://kems:hun@ter2@db/kems").split())
    assert (status, out, operations.calls) == (1, "", [])
    assert re.fullmatch("(FROM|TO) cannot be used: .*%40 for @.*DATABASE_URL.\n", err)
    assert "ter2" not in err


def test_doctor_fails_when_something_is_missing(kems: Kems) -> None:
    code, said, _ = kems("doctor")
    assert code == 1
    assert "ok  The settings of the environment can be used." in said
    assert "!!  DISCORD_TOKEN is missing" in said


@pytest.mark.parametrize("option", ["--channel 5", "--long", "--only names", "--apply"])
def test_doctor_names_an_option_when_it_needs_live(option: str, kems: Kems) -> None:
    status, said, problem = kems("doctor", *option.split())
    assert (status, said) == (1, "")
    assert problem.startswith(f"{option.split(maxsplit=1)[0]} needs --live: ")


@pytest.mark.parametrize("line", ["why --user Léa --at 21:03", "site --server Soirée x", "doctor --live --channel #x"])
def test_an_option_that_got_a_name_explains_where_to_find_the_id(line: str, kems: Kems) -> None:
    status, _, problem = kems(*line.split())
    assert status == 2
    words = " ".join(problem.replace("│", " ").split())
    assert "is no id" in words
    assert "Developer Mode" in words
    assert "Copy ID" in words


def test_first_contact_needs_a_channel_and_a_token(kems: Kems) -> None:
    assert kems("doctor", "--live") == (1, "", "--live needs --channel ID: a text channel of a test server.\n")
    status, out, err = kems("doctor", "--live", "--channel", "1")
    assert (status, out) == (78, "")
    assert err.startswith("DISCORD_TOKEN is missing")


def test_an_error_that_the_operator_can_fix_is_one_sentence(kems: Kems, operations: Operations) -> None:
    operations.failure = KemsError("The database cannot be reached: start it and try again.")
    assert kems("migrate") == (1, "", "The database cannot be reached: start it and try again.\n")


def test_a_bug_keeps_its_traceback(kems: Kems, operations: Operations) -> None:
    operations.failure = LookupError("a bug")
    with pytest.raises(LookupError, match="a bug"):
        kems("migrate")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_cleans_up_and_ends_quietly(
    sent: signal.Signals, kems: Kems, operations: Operations
) -> None:
    operations.interrupt = sent
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background has it ignored
    try:
        assert kems("play") == (0, "", "")
    finally:
        signal.signal(signal.SIGINT, before)
    assert operations.is_closed


def test_a_command_that_cannot_clean_up_ends_at_its_deadline() -> None:
    stubborn = """
import asyncio
from bot.operating import run as running
async def work():
    while True:
        print("working", flush=True)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass
running.LEAVING_S = 0.5
running.run_until_stopped(work())
"""
    with subprocess.Popen([sys.executable, "-c", stubborn], cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "working\n"
        process.terminate()
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize(("missing", "expected"), [("", "uvloop"), ("sys.modules['uvloop'] = None", "asyncio")])
def test_the_bot_runs_on_uvloop_when_it_is_installed(missing: str, expected: str) -> None:
    work = f"""
import asyncio, sys
from bot.operating import run as running
{missing}
async def work():
    print(type(asyncio.get_running_loop()).__module__)
running.run_until_stopped(work())
"""
    told = subprocess.run([sys.executable, "-c", work], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert told.stdout.startswith(expected)


def test_replay_goes_on_after_a_file_with_errors(kems: Kems) -> None:
    Path("good.kgn").write_text(ROUND, encoding="utf-8")
    assert kems("replay", "good.kgn") == (0, "ok good.kgn\n", "")
    Path("bad.kgn").write_text(ROUND.replace("= pool 7D QH", "= pool 7D QD"), encoding="utf-8")
    Path("typo.kgn").write_text(ROUND.replace("B put 9S", "B put 9Z"), encoding="utf-8")
    Path("latin1.kgn").write_bytes("# déjà\n".encode("latin-1"))
    status, out, err = kems("replay", "bad.kgn", "missing.kgn", "latin1.kgn", "typo.kgn", "good.kgn")
    assert (status, err) == (1, "")
    bad, missing, latin1, typo, good = out.splitlines()
    assert bad == "bad.kgn:9: expected pool 7D AH KS QD, got pool 7D AH KS QH"
    assert missing == "missing.kgn cannot be read: No such file or directory."
    assert latin1 == "latin1.kgn is not UTF-8 text: save it as UTF-8 and try again."
    assert re.match("typo.kgn:10: expected .*9Z", typo)
    assert good == "ok good.kgn"


def test_the_help_shows_whole_sentences_when_a_terminal_has_80_columns(
    kems: Kems, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a longer first sentence an ellipsis is left."""
    monkeypatch.setenv("COLUMNS", "80")
    _, said, _ = kems("--help")
    commands = re.findall(r"^  ([a-z-]+)  +(.+)$", said.split("Commands:\n")[1], re.MULTILINE)
    assert len(commands) > 10
    assert [line for line in commands if len(line[1]) > 50 or "..." in line[1] or not line[1].endswith(".")] == []


def test_python_m_bot_is_the_same_command() -> None:
    command = [sys.executable, "-m", "bot", "--version"]
    answer = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=60)
    assert (answer.stdout, answer.stderr) == ("0.1.0\n", "")


def test_a_failed_installation_of_completions_is_one_sentence(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.touch()
    told = {**os.environ, "HOME": str(home), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-m", "bot", "--install-completion", "bash"]
    answer = subprocess.run(command, cwd=PROJECT, env=told, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == f"{home} cannot be written: File exists. Completions go there.\n"
