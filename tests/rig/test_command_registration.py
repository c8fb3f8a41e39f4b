"""The commands are registered after connecting and only when they have changed; what goes wrong there stops nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import discord
import pytest
from discord import app_commands

from bot import compose
from bot.base.settings import Settings
from bot.discord.api.discord_internals import discord_at
from bot.discord.gateway import command_tree
from bot.discord.gateway.client import KemsClient
from bot.discord.text.command_names import clear_ids
from bot.discord.text.texts import texts_for
from tests.databases import migrated
from tests.integration.table import settings_for
from tests.rig.air import Weather
from tests.rig.bot_process import QUIET_S, TOKEN
from tests.rig.remote import Remote, built, opened

PATIENCE_S = 20.0


class Stage:
    """A Discord in this process, and bots that come and go on one database."""

    def __init__(self, folder: Path, remote: Remote) -> None:
        self.discord = remote.discord
        self.air = remote.air
        self.remote = remote
        self._folder = folder

    @property
    def registrations(self) -> int:
        requests = self.discord.recorder.requests
        return requests["PUT applications/*/commands"] + requests["PUT applications/*/guilds/*/commands"]

    @asynccontextmanager
    async def bot(
        self, prepare: Callable[[KemsClient], object] = lambda _: None, **settings: object
    ) -> AsyncIterator[KemsClient]:
        chosen: Settings = settings_for(self._folder, discord_token=TOKEN, **settings)
        client = compose.build_client(chosen)
        client._connection.guild_ready_timeout = QUIET_S
        prepare(client)
        async with client:
            running = asyncio.create_task(client.start(TOKEN))
            try:
                ready = asyncio.create_task(client.wait_until_ready())
                await asyncio.wait((running, ready), return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE_S)
                assert ready.done(), "the bot is not connected"
                yield client
            finally:
                await client.close()
                await asyncio.gather(running, return_exceptions=True)

    async def registered(self, times: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.registrations < times:
                await asyncio.sleep(0.01)

    async def is_played(self) -> bool:
        return (await self.remote.slash(self.discord.users[0].id, "kems hand")).is_answered


@asynccontextmanager
async def discord_of(folder: Path) -> AsyncIterator[Stage]:
    migrated(folder)
    async with opened(built(["Léa", "Bruno"])) as remote:
        with discord_at(remote.discord.address):
            yield Stage(folder, remote)
        assert remote.discord.recorder.violations == []


async def finished(client: KemsClient) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not client.registration.is_done:
            await asyncio.sleep(0.01)


def with_another_command(client: KemsClient) -> None:
    async def dance(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("…")

    client.groups[-1].add_command(app_commands.Command(name="dance", description="dances", callback=dance))


async def test_commands_are_registered_once_and_again_when_they_change(tmp_path: Path) -> None:
    async with discord_of(tmp_path) as stage:
        for prepare, times in ((None, 1), (None, 1), (with_another_command, 2), (with_another_command, 2), (None, 3)):
            async with stage.bot(*([] if prepare is None else [prepare])) as client:
                await finished(client)
                assert stage.registrations == times
                assert await stage.is_played()
                names = {option["name"] for option in stage.discord.world.commands[0][-1]["options"]}
                assert ("dance" in names) == (prepare is not None)


@pytest.mark.parametrize(("locale", "shown"), [("fr", "Kem's · /kems ouvrir"), ("en", "Kem's · /kems start")])
async def test_the_bots_profile_shows_how_to_begin_from_the_start(tmp_path: Path, locale: str, shown: str) -> None:
    async with discord_of(tmp_path) as stage:
        async with stage.bot(default_locale=locale):
            (session,) = stage.discord.gateway.sessions.values()
        assert session.presence is not None
        assert session.presence["status"] == "online"
        assert session.presence["game"] == {"name": "Custom Status", "type": 4, "state": shown}


async def test_texts_link_to_commands_once_their_ids_are_known(tmp_path: Path) -> None:
    gone, texts = "This table is gone: open a new one with {/start}.", texts_for("fr")
    async with discord_of(tmp_path) as stage:
        assert texts.t(gone).endswith("avec `/kems ouvrir`.")
        for _ in ("registered", "as they are"):
            clear_ids()
            async with stage.bot() as client:
                await finished(client)
            own = next(each for each in stage.discord.world.commands[0] if each["name"] == "kems")
            assert texts.t(gone).endswith(f"</kems start:{own['id']}>.")


async def test_commands_that_were_removed_in_the_portal_come_back(tmp_path: Path) -> None:
    async with discord_of(tmp_path) as stage:
        for times in (1, 2):
            async with stage.bot() as client:
                await finished(client)
            assert stage.registrations == times
            stage.discord.world.commands[0][1:] = []


async def test_a_server_has_commands_of_its_own(tmp_path: Path) -> None:
    async with discord_of(tmp_path) as stage:
        guild = stage.discord.guilds[0].id
        for dev_guild, times in ((None, 1), (guild, 2), (None, 2), (guild, 2)):
            async with stage.bot(dev_guild_id=dev_guild) as client:
                await finished(client)
            assert stage.registrations == times


@pytest.mark.parametrize("status", [403, 503])
async def test_a_failure_is_a_line_in_the_log_and_is_tried_again(
    tmp_path: Path, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_tree, "FIRST_RETRY_S", 0.05)
    async with discord_of(tmp_path) as stage:
        async with stage.bot() as client:
            await finished(client)
        stage.air.change(Weather(errors=2, status=status, where="/commands"))
        async with stage.bot(with_another_command) as client:
            assert await stage.is_played(), "by the commands that were registered before"
            await finished(client)
        assert stage.registrations == 2
        log = capsys.readouterr().out
        assert log.count("commands.not_registered") == 2
        assert "Traceback" not in log


async def test_a_bot_plays_and_stops_while_the_registration_of_commands_waits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with discord_of(tmp_path) as stage:
        async with stage.bot() as client:
            await finished(client)
        stage.air.change(Weather(limits=False, errors=1, status=429, where="/commands", retry_after=3_600.0))
        async with stage.bot(with_another_command) as client:
            async with asyncio.timeout(PATIENCE_S):
                while not stage.air.limited:
                    await asyncio.sleep(0.01)
            assert await stage.is_played()
            assert not client.registration.is_done
        assert "leaving.cut_short" not in capsys.readouterr().out
        stage.air.change(Weather(limits=False, errors=1, status=429, where="/commands", retry_after=0.1))
        async with stage.bot(with_another_command) as client:
            await finished(client)
        assert stage.registrations == 2
