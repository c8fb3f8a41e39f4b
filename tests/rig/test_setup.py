"""`kems setup` at a terminal and without one, against the rig's Discord.

A whole run at a terminal is a process of its own, as a person starts it; what else may happen comes in this process.
"""

import asyncio
import os
import pty
import queue
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from aiohttp import web

from bot.art import cards
from bot.base.errors import KemsError
from bot.discord.api.discord_internals import discord_at
from bot.discord.pictures import custom_emojis
from bot.operating import operations, setup
from bot.sandbox.discord.serving import served
from tests.rig.bot_process import TOKEN
from tests.rig.moderator import Moderator
from tests.rig.remote import built
from tests.rig.rig_discord import RigDiscord
from tests.rig.setup_process import FEW, a_drawing

PROJECT = Path(__file__).parents[2]
KEMS = (sys.executable, "-m", "tests.rig.setup_process", "setup")
OTHER_TOKEN = "bG9vcGJhY2s.other.token"
ASKS_TOKEN, ASKS_DATABASE, ASKS_WAY = "token (it is not shown): ", "Where matches are kept", "How the bot is to run"
AGAIN = "Enter tries again"
DONE = "Type `/kems start` in your server."
BY_CRON = "Nothing copies its database each night: let cron run `kems backup --keep 7 FOLDER`, in this folder."
PATIENCE_S = 60.0
PROGRAM = """#!/bin/sh
case "$*" in
*"show --property=Version"*) exit ${NO_SYSTEMD:-0} ;;
*is-enabled*) exec grep -q " enable " "$HOME/called" ;;
esac
echo "$(basename "$0") $*" >>"$HOME/called"
case "$*" in
*" enable "*) test -z "$FAILS" || { : >"$HOME/called"; exit 1; } ;;
*is-active*) grep -q restart "$HOME/called" ;;
*Linger*) grep -q enable-linger "$HOME/called" && echo yes ;;
esac
"""
LINGERS = f"loginctl show-user {os.getuid()} --property=Linger --value"
SYSTEMD = [
    "systemctl --user daemon-reload",
    "systemctl --user enable kems.service kems-backup.timer",
    "systemctl --user restart kems.service kems-backup.timer",
    LINGERS,
    "loginctl enable-linger",
]


class Portal:
    """The rig's Discord, which knows one token and breaks off each request that holds `lost`."""

    def __init__(self) -> None:
        self.discord: RigDiscord = built(["Léa"])
        self.lost: str | None = None
        self.asked: list[str] = []

    def around(self, handle: Callable[[web.Request], Awaitable[web.Response]]) -> Any:
        async def answer(request: web.Request) -> web.Response:
            self.asked.append(f"{request.method} {request.path}")
            if self.lost is not None and self.lost in self.asked[-1]:
                assert request.transport is not None
                request.transport.abort()
            if request.headers["Authorization"] != f"Bot {TOKEN}":
                return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)
            return await handle(request)

        return answer


class Screen:
    """What a person sees and types; `write` takes a line to where it is read."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self.all = ""
        self.types = write
        self._seen = 0
        self._moved = asyncio.Event()

    def show(self, text: str) -> None:
        self.all += text
        self._moved.set()

    async def sees(self, *words: str) -> None:
        """Waits for words, one after another."""
        for each in words:
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    while (at := self.all.find(each, self._seen)) < 0:
                        self._moved.clear()
                        await self._moved.wait()
                    self._seen = at + len(each)
                    continue
            pytest.fail(f"no {each!r} in {self.all[self._seen :]!r}")

    async def answers(self, question: str, line: str = "") -> None:
        await self.sees(question)
        self.types(line)


@contextmanager
def terminal(master: int) -> Iterator[Screen]:
    """The screen of a process whose terminal has its other end here."""
    screen, loop = Screen(lambda line: os.write(master, f"{line}\n".encode())), asyncio.get_running_loop()

    def read() -> None:
        try:
            screen.show(os.read(master, 65536).decode(errors="replace").replace("\r\n", "\n"))
        except OSError:  # nobody writes any more
            loop.remove_reader(master)
            screen.show("")

    loop.add_reader(master, read)
    try:
        yield screen
    finally:
        loop.remove_reader(master)
        os.close(master)


@pytest.fixture
async def portal() -> AsyncIterator[Portal]:
    made = Portal()
    async with served(made.discord, around_rest=made.around):
        yield made


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder that is also the person's own, on a machine whose systemd notes what it is told."""
    for name in ("systemctl", "loginctl"):
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text(PROGRAM)
        (tmp_path / "bin" / name).chmod(0o755)
    return tmp_path


@pytest.fixture
def machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This process is on that person's machine, in their folder."""
    monkeypatch.setenv("PATH", f"{home / 'bin'}:{os.defpath}")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.chdir(home)
    return home


@asynccontextmanager
async def in_a_process(home: Path, portal: Portal) -> AsyncIterator[Screen]:
    """`kems setup` at a terminal, until it ends well."""
    master, slave = pty.openpty()
    environment = {
        "PATH": f"{home / 'bin'}:{os.defpath}",
        "HOME": str(home),
        "PYTHONPATH": str(PROJECT),
        "DISCORD_API": f"http://{portal.discord.address}",
        "COLUMNS": "200",
    }
    ends = dict.fromkeys(("stdin", "stdout", "stderr"), slave)
    process = await asyncio.create_subprocess_exec(*KEMS, cwd=home, env=environment, **ends, start_new_session=True)
    os.close(slave)
    with terminal(master) as screen:
        try:
            yield screen
            assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


@pytest.fixture
def here(machine: Path, portal: Portal, monkeypatch: pytest.MonkeyPatch) -> "Here":
    return Here(portal, monkeypatch)


class Here:
    """`kems setup` in this process: at a terminal, and without one; with few pictures, which are drawn in no time."""

    def __init__(self, portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
        self.said = ""
        self._address, self._patch = portal.discord.address, monkeypatch
        few = [*islice(custom_emojis.every_face(), FEW)]
        monkeypatch.setattr(custom_emojis, "every_face", lambda: iter(few))
        monkeypatch.setattr(cards, "card_file", a_drawing)
        monkeypatch.setattr(operations, "sync_emojis", partial(operations.sync_emojis, pause=0))
        monkeypatch.setattr(setup, "_LOOK_AGAIN_S", 0.05)

    @asynccontextmanager
    async def at_a_terminal(self, problem: str = "", **variables: str) -> AsyncIterator[Screen]:
        """Until it ends: well, or with this problem."""
        typed, loop = queue.SimpleQueue[str](), asyncio.get_running_loop()
        screen = Screen(typed.put)

        def ask(question: str, *, default: str | None, hide_input: bool, **_: object) -> str:
            loop.call_soon_threadsafe(screen.show, f"{question}: ")
            line = typed.get(timeout=PATIENCE_S)
            if line == "\x04":
                raise typer.Abort
            return line or default or ""

        self._patch.setattr(typer, "prompt", ask)
        self._patch.setattr(typer, "echo", lambda said: loop.call_soon_threadsafe(screen.show, f"{said}\n"))
        running = asyncio.create_task(self._run(is_terminal=True, **variables))
        try:
            yield screen
        finally:
            typed.put("\x04")  # where it still asks something
            ended = await asyncio.gather(running, return_exceptions=True)
        assert "".join(str(error) for error in ended if error is not None).startswith(problem)
        assert (ended == [None]) == (problem == "")

    async def alone(self, **variables: str) -> None:
        """Where nobody is asked; `said` is what can be read then. Raises KemsError: what is to be done."""
        self.said = ""
        self._patch.setattr(typer, "echo", self._say)
        await self._run(is_terminal=False, **variables)

    def _say(self, what: object) -> None:
        self.said += f"{what}\n"

    async def _run(self, *, is_terminal: bool, **variables: str) -> None:
        with pytest.MonkeyPatch.context() as patch, discord_at(self._address):
            patch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: is_terminal))
            for name, value in variables.items():
                patch.setenv(name, value)
            await asyncio.to_thread(setup.set_up)


async def test_setup_makes_a_running_bot_from_three_answers_and_asks_nothing_again(
    home: Path, portal: Portal, here: Here
) -> None:
    env = home / ".env"
    env.write_text("# mine\nAUTO_OPEN=5\n\nDISCORD_TOKEN=\n")
    env.chmod(0o644)
    world = portal.discord.world
    Moderator(portal.discord.world).remove_bot(portal.discord.guilds[0].id)
    async with in_a_process(home, portal) as terminal:
        await terminal.answers(ASKS_TOKEN, TOKEN)
        await terminal.sees("DISCORD_TOKEN and can be read by you alone", "belongs to kem's")
        await terminal.sees("This link invites the bot: https://", "goes on as soon as the bot is there")
        world.add_guild("Evening", list(world.users.values())[1:])
        await terminal.sees("has the permissions it needs")
        await terminal.answers(ASKS_WAY)
        await terminal.answers(ASKS_DATABASE)
        await terminal.sees("kems.db has the tables of this version", "DATABASE_URL")
        await terminal.sees(f"Pictures to upload or to remove: {FEW}, about 1 min.", f"Pictures uploaded: {FEW}")
        await terminal.sees("The service kems runs", DONE)
    assert terminal.all.count("??") == 3
    assert TOKEN not in terminal.all
    assert env.read_text() == f"# mine\nAUTO_OPEN=5\n\nDISCORD_TOKEN={TOKEN}\nDATABASE_URL=sqlite:///kems.db\n"
    assert env.stat().st_mode & 0o777 == 0o600
    assert len(world.application_emojis) == FEW
    assert (home / "called").read_text().splitlines() == SYSTEMD
    unit = (home / ".config/systemd/user/kems.service").read_text()
    assert f'\nWorkingDirectory={home}\nExecStart="{sys.executable}" -m bot run\n' in unit
    before = len(portal.asked)
    async with here.at_a_terminal() as terminal:
        await terminal.sees(
            f"Pictures uploaded: 0, old ones removed: 0, there already: {FEW}", "service kems runs", DONE
        )
    assert "??" not in terminal.all
    assert not any(asked.startswith("POST") for asked in portal.asked[before:])
    again = (home / "called").read_text().splitlines()[len(SYSTEMD) :]
    assert again == ["systemctl --user --quiet is-active kems.service", LINGERS]


async def test_a_wrong_answer_is_explained_and_asked_again(home: Path, portal: Portal, here: Here) -> None:
    (home / ".env").write_text("MESSAGE_CONTENT=1\n")
    portal.discord.world.may_read_content = False
    async with here.at_a_terminal() as terminal:
        await terminal.answers(ASKS_TOKEN, "hunter2")
        await terminal.sees("DISCORD_TOKEN cannot be used: this is not a bot token")
        await terminal.answers(ASKS_TOKEN, OTHER_TOKEN)
        await terminal.sees("Discord refused DISCORD_TOKEN: copy the token again")
        assert "DISCORD_TOKEN" not in (home / ".env").read_text()
        await terminal.answers(ASKS_TOKEN, TOKEN)
        await terminal.sees("did not grant the message content intent: switch it on")
        portal.discord.world.may_read_content = True
        await terminal.answers(AGAIN)
        await terminal.sees("The message content intent is granted")
        await terminal.answers(ASKS_WAY, "docker")
        await terminal.sees("Choose one of user, system, hand")
        await terminal.answers(ASKS_WAY, "hand")
        question = ASKS_DATABASE
        for wrong, problem in (
            ("mysql://localhost/kems", "it must begin with sqlite:/// or postgresql://"),
            ("postgresql://kems:secret@127.0.0.1:1/kems", "kems:***@127.0.0.1:1/kems cannot be reached: is it running"),
            ("sqlite:///missing/kems.db", "missing for the database is missing: make it"),
        ):
            await terminal.answers(question, wrong)
            await terminal.sees(problem)
            question = "another address: "
        await terminal.answers(question, "sqlite:///other.db")
        await terminal.sees("`kems run` starts the bot", DONE)
    assert (home / ".env").read_text() == (
        f"MESSAGE_CONTENT=1\nDISCORD_TOKEN={TOKEN}\nDATABASE_URL=sqlite:///other.db\n"
    )


async def test_a_lost_connection_is_reported_at_each_step_which_then_continues(portal: Portal, here: Here) -> None:
    portal.lost = "users/@me"
    async with here.at_a_terminal(DATABASE_URL="sqlite:///kems.db") as terminal:
        await terminal.answers(ASKS_TOKEN, TOKEN)
        for lost in ("applications/@me", "users/@me/guilds", "GET /api/v10/applications/", "POST", None):
            await terminal.sees("Discord cannot be reached")
            portal.lost = lost
            await terminal.answers(AGAIN)
            if lost is not None and lost.startswith("GET"):
                await terminal.answers(ASKS_WAY, "hand")
        await terminal.sees(f"Pictures uploaded: {FEW - 1}, old ones removed: 0, there already: 1", DONE)


@pytest.mark.parametrize(("status", "offered"), [(0, True), (1, False)])
def test_containers_are_offered_when_docker_has_compose(
    status: int, offered: bool, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "bin" / "docker").write_text(f"#!/bin/sh\nexit {status}\n")
    (home / "bin" / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{home / 'bin'}:{os.defpath}")
    monkeypatch.chdir(PROJECT)
    assert (setup.COMPOSE in setup.ways()) is offered


async def test_a_token_of_the_environment_is_not_replaced_silently(here: Here) -> None:
    problem = "The environment has another DISCORD_TOKEN: remove it there"
    async with here.at_a_terminal(problem, DISCORD_TOKEN=OTHER_TOKEN) as terminal:
        await terminal.answers(ASKS_TOKEN, TOKEN)


async def test_a_step_can_be_skipped_and_the_rest_cancelled(home: Path, portal: Portal, here: Here) -> None:
    portal.lost = "emojis"
    problem = "\nWhat is done stays done: `kems setup` goes on from here."
    async with here.at_a_terminal(problem, DISCORD_TOKEN=TOKEN) as terminal:
        await terminal.answers(ASKS_WAY, "\x04")
    problem = "Not done yet: the pictures of the cards. Run `kems setup` again for that."
    async with here.at_a_terminal(problem, DISCORD_TOKEN=TOKEN, DATABASE_URL="sqlite:///kems.db") as terminal:
        await terminal.answers(ASKS_WAY, "hand")
        await terminal.answers(AGAIN, "s")
    assert not (home / ".env").exists()


def test_a_systemd_that_does_not_answer_is_not_offered(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container, after `su`, or in WSL."""
    assert [*setup.ways()] == [setup.USER, setup.SYSTEM, setup.HAND]
    monkeypatch.setenv("NO_SYSTEMD", "1")
    assert [*setup.ways()] == [setup.HAND]


def test_setup_offers_the_service_again_when_its_start_has_failed(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAILS", "1")
    with pytest.raises(KemsError, match="This has failed: systemctl --user enable"):
        setup.start(setup.USER)
    assert setup.found() is None
    monkeypatch.delenv("FAILS")
    setup.start(setup.USER)
    assert setup.found() == setup.USER


async def test_without_a_terminal_setup_names_missing_settings_and_takes_the_other_steps(
    home: Path, portal: Portal, here: Here
) -> None:
    with pytest.raises(
        KemsError, match=r"^DISCORD_TOKEN is missing: give the bot's token \(developer portal"
    ) as missing:
        await here.alone()
    assert missing.value.status == 78
    (guild,) = portal.discord.guilds
    Moderator(portal.discord.world).remove_bot(guild.id)
    with pytest.raises(KemsError, match=r"^The bot is on no server yet: open the link above\.$"):
        await here.alone(DISCORD_TOKEN=TOKEN)
    assert "This link invites the bot: https://" in here.said
    portal.discord.world.add_guild("Evening", portal.discord.users)
    await here.alone(DISCORD_TOKEN=TOKEN)
    assert here.said.endswith(f"ok  `kems run` starts the bot. {BY_CRON}\n{DONE}\n")
    assert not (home / ".env").exists()
