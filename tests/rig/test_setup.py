"""`kems setup` at a terminal and without one, against the rig's Discord."""

import asyncio
import os
import pty
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot.errors import KemsError
from bot.sandbox.discord.serving import LoopbackDiscord, built, served
from bot.setup import service
from tests.rig.bot_process import TOKEN
from tests.ui.live.test_card_emojis import ALL

PROJECT = Path(__file__).parents[2]
KEMS = (sys.executable, "-m", "tests.rig.setup_process", "setup")
OTHER_TOKEN = "bG9vcGJhY2s.other.token"
ASKS_TOKEN, ASKS_DATABASE, ASKS_WAY = "token (it is not shown): ", "Where matches are kept", "How the bot is to run"
AGAIN = "Enter tries again"
DONE = "Type `/kems start` in your server."
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
        self.discord: LoopbackDiscord = built(["Léa"])
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


class Terminal:
    """What a person sees and types."""

    def __init__(self, master: int) -> None:
        self.all = ""
        self._seen = 0
        self._master = master
        self._moved = asyncio.Event()
        asyncio.get_running_loop().add_reader(master, self._read)

    def _read(self) -> None:
        try:
            self.all += os.read(self._master, 65536).decode(errors="replace").replace("\r\n", "\n")
        except OSError:  # nobody writes any more
            asyncio.get_running_loop().remove_reader(self._master)
        self._moved.set()

    async def sees(self, *words: str) -> None:
        """Waits for words, one after another."""
        for each in words:
            with suppress(TimeoutError):
                async with asyncio.timeout(60):
                    while (at := self.all.find(each, self._seen)) < 0:
                        self._moved.clear()
                        await self._moved.wait()
                    self._seen = at + len(each)
                    continue
            pytest.fail(f"no {each!r} in {self.all[self._seen :]!r}")

    def types(self, line: str = "") -> None:
        os.write(self._master, f"{line}\n".encode())

    async def answers(self, question: str, line: str = "") -> None:
        await self.sees(question)
        self.types(line)


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


def environment(home: Path, portal: Portal) -> dict[str, str]:
    return {
        "PATH": f"{home / 'bin'}:{os.defpath}",
        "HOME": str(home),
        "PYTHONPATH": str(PROJECT),
        "DISCORD_API": f"http://{portal.discord.address}",
        "COLUMNS": "200",
    }


@asynccontextmanager
async def setting_up(home: Path, portal: Portal, status: int = 0, **variables: str) -> AsyncIterator[Terminal]:
    """`kems setup` at a terminal, until it ends with a status."""
    master, slave = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *KEMS,
        cwd=home,
        env=environment(home, portal) | variables,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    terminal = Terminal(master)
    try:
        yield terminal
        assert await asyncio.wait_for(process.wait(), 60) == status
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        asyncio.get_running_loop().remove_reader(master)
        os.close(master)


async def unattended(home: Path, portal: Portal, **variables: str) -> tuple[int | None, str, str]:
    process = await asyncio.create_subprocess_exec(
        *KEMS,
        cwd=home,
        env=environment(home, portal) | variables,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, problem = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode, said.decode(), problem.decode()


async def test_three_answers_make_a_bot_that_runs_and_a_second_time_asks_nothing(home: Path, portal: Portal) -> None:
    env = home / ".env"
    env.write_text("# mine\nAUTO_OPEN=5\n\nDISCORD_TOKEN=\n")
    env.chmod(0o644)
    world = portal.discord.world
    portal.discord.moderator.remove_bot(portal.discord.guilds[0].id)
    async with setting_up(home, portal) as terminal:
        await terminal.answers(ASKS_TOKEN, TOKEN)
        await terminal.sees("DISCORD_TOKEN and can be read by you alone", "belongs to kem's")
        await terminal.sees("This link invites the bot: https://", "goes on as soon as the bot is there")
        world.add_guild("Evening", list(world.users.values())[1:])
        await terminal.sees("has the permissions it needs")
        await terminal.answers(ASKS_WAY)
        await terminal.answers(ASKS_DATABASE)
        await terminal.sees("kems.db has the tables of this version", "DATABASE_URL")
        await terminal.sees(f"Pictures to upload or to remove: {ALL}, about 4 min.", f"Pictures uploaded: {ALL}")
        await terminal.sees("The service kems runs", DONE)
    assert terminal.all.count("??") == 3
    assert TOKEN not in terminal.all
    assert env.read_text() == f"# mine\nAUTO_OPEN=5\n\nDISCORD_TOKEN={TOKEN}\nDATABASE_URL=sqlite:///kems.db\n"
    assert env.stat().st_mode & 0o777 == 0o600
    assert len(world.application_emojis) == ALL
    assert (home / "called").read_text().splitlines() == SYSTEMD
    unit = (home / ".config/systemd/user/kems.service").read_text()
    assert f'\nWorkingDirectory={home}\nExecStart="{sys.executable}" -m bot run\n' in unit
    before = len(portal.asked)
    async with setting_up(home, portal) as terminal:
        await terminal.sees(
            f"Pictures uploaded: 0, old ones removed: 0, there already: {ALL}", "service kems runs", DONE
        )
    assert "??" not in terminal.all
    assert not any(asked.startswith("POST") for asked in portal.asked[before:])
    again = (home / "called").read_text().splitlines()[len(SYSTEMD) :]
    assert again == ["systemctl --user --quiet is-active kems.service", LINGERS]


async def test_what_is_wrong_is_said_and_asked_again(home: Path, portal: Portal) -> None:
    (home / ".env").write_text("MESSAGE_CONTENT=1\n")
    portal.discord.world.may_read_content = False
    async with setting_up(home, portal) as terminal:
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


async def test_a_lost_connection_is_said_at_each_step_which_then_goes_on(home: Path, portal: Portal) -> None:
    portal.lost = "users/@me"
    async with setting_up(home, portal, DATABASE_URL="sqlite:///kems.db") as terminal:
        await terminal.answers(ASKS_TOKEN, TOKEN)
        for lost in ("applications/@me", "users/@me/guilds", "GET /api/v10/applications/", "POST", None):
            await terminal.sees("Discord cannot be reached")
            portal.lost = lost
            await terminal.answers(AGAIN)
            if lost is not None and lost.startswith("GET"):
                await terminal.answers(ASKS_WAY, "hand")
        await terminal.sees(f"Pictures uploaded: {ALL - 1}, old ones removed: 0, there already: 1", DONE)


@pytest.mark.parametrize(("status", "offered"), [(0, True), (1, False)])
def test_containers_are_offered_where_docker_has_compose(
    status: int, offered: bool, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "bin" / "docker").write_text(f"#!/bin/sh\nexit {status}\n")
    (home / "bin" / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{home / 'bin'}:{os.defpath}")
    monkeypatch.chdir(PROJECT)
    assert (service.COMPOSE in service.ways()) is offered


async def test_a_token_of_the_environment_is_not_replaced_unsaid(home: Path, portal: Portal) -> None:
    async with setting_up(home, portal, 1, DISCORD_TOKEN=OTHER_TOKEN) as terminal:
        await terminal.answers(ASKS_TOKEN, TOKEN)
        await terminal.sees("The environment has another DISCORD_TOKEN: remove it there")


async def test_a_step_can_be_left_out_and_the_rest_broken_off(home: Path, portal: Portal) -> None:
    portal.lost = "emojis"
    async with setting_up(home, portal, 1, DISCORD_TOKEN=TOKEN) as terminal:
        await terminal.answers(ASKS_WAY, "\x04")
        await terminal.sees("`kems setup` goes on from here")
    async with setting_up(home, portal, 1, DISCORD_TOKEN=TOKEN, DATABASE_URL="sqlite:///kems.db") as terminal:
        await terminal.answers(ASKS_WAY, "hand")
        await terminal.answers(AGAIN, "s")
        await terminal.sees("Not done yet: the pictures of the cards. Run `kems setup` again for that.")
    assert not (home / ".env").exists()


@pytest.fixture
def machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This process is on that person's machine, in their folder."""
    monkeypatch.setenv("PATH", f"{home / 'bin'}:{os.defpath}")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.chdir(home)
    return home


def test_a_systemd_that_does_not_answer_is_not_offered(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container, after `su`, or in WSL."""
    assert [*service.ways()] == [service.USER, service.SYSTEM, service.HAND]
    monkeypatch.setenv("NO_SYSTEMD", "1")
    assert [*service.ways()] == [service.HAND]


def test_a_service_whose_start_has_failed_is_asked_for_again(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILS", "1")
    with pytest.raises(KemsError, match="This has failed: systemctl --user enable"):
        service.start(service.USER)
    assert service.found() is None
    monkeypatch.delenv("FAILS")
    service.start(service.USER)
    assert service.found() == service.USER


async def test_without_a_terminal_it_says_what_to_set_and_does_the_rest(home: Path, portal: Portal) -> None:
    status, said, problem = await unattended(home, portal)
    assert (status, said) == (78, "")
    assert problem.startswith("DISCORD_TOKEN is missing: give the bot's token (developer portal, Bot > Reset Token)")
    (guild,) = portal.discord.guilds
    portal.discord.moderator.remove_bot(guild.id)
    status, said, problem = await unattended(home, portal, DISCORD_TOKEN=TOKEN)
    assert "This link invites the bot: https://" in said
    assert (status, problem) == (1, "The bot is on no server yet: open the link above.\n")
    portal.discord.world.add_guild("Evening", portal.discord.users)
    status, said, problem = await unattended(home, portal, DISCORD_TOKEN=TOKEN)
    assert (status, problem) == (0, "")
    assert said.endswith(f"ok  `kems run` starts the bot.\n{DONE}\n")
    assert not (home / ".env").exists()
