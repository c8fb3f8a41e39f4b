"""When `kems doctor --live` does not start, when it stops, and what it changes in `.env`."""

import json
from pathlib import Path

import pytest

from bot.base.errors import KemsError
from bot.operating.first_contact import contact, runner
from bot.operating.first_contact.requests import shape_of
from bot.operating.first_contact.runner import chosen
from bot.sandbox.discord.objects import NEWS
from bot.store.engine.database import Database
from tests.operating.first_contact.place import BOUNDS, TOKEN, place
from tests.rig.assumptions import Assumptions


async def test_first_contact_does_not_start_while_a_bot_uses_the_database(tmp_path: Path) -> None:
    async with place(tmp_path) as stage:
        database = Database(stage.settings.database_url)
        await database.lock()
        try:
            with pytest.raises(KemsError, match="used by another bot"):
                await stage.run("sessions")
        finally:
            await database.close()
        assert not stage.remote.discord.recorder.requests


async def test_first_contact_asks_before_it_runs_when_the_bot_is_in_several_servers(tmp_path: Path) -> None:
    async with place(tmp_path, guilds=2) as stage:
        await stage.run("sessions")
        assert "more than one server" in stage.lea.told[0]
        stage.lea.no = {"more than one server"}
        with pytest.raises(KemsError, match="more than one server"):
            await stage.run("sessions")


async def test_first_contact_does_not_connect_when_few_connections_are_left(tmp_path: Path) -> None:
    async with place(tmp_path) as stage:
        stage.remote.discord.gateway.starts = 20
        with pytest.raises(KemsError, match="still allows today: 20"):
            await stage.run("sessions")
        assert not stage.remote.discord.gateway.identified


async def test_first_contact_needs_a_text_channel(tmp_path: Path) -> None:
    async with place(tmp_path) as stage:
        stage.remote.channel_id = 1
        with pytest.raises(KemsError, match="no text channel 1"):
            await stage.run("sessions")


async def test_an_announcement_channel_is_no_test_channel(tmp_path: Path) -> None:
    async with place(tmp_path) as stage:
        stage.remote.channel_id = next(one.id for one in stage.world.channels.values() if one.type == NEWS)
        with pytest.raises(KemsError, match="no text channel"):
            await stage.run("sessions")


async def test_first_contact_stops_after_many_refusals_and_cleans_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contact, "MOST_REFUSALS", 3)
    async with place(tmp_path, Assumptions(of_channel=(5, 60.0))) as stage:
        assert await stage.run("one_panel", "four_panels", "emojis") == 0
        verdicts = [one["verdict"] for one in stage.page.checks.values()]
        assert verdicts == ["as assumed", "otherwise", "not checked"]
        asked = stage.remote.discord.recorder.requests["PATCH webhooks/*/*/messages/*"]
        assert 5 <= asked <= 5 + 1


async def test_a_load_ends_at_the_first_global_refusal(tmp_path: Path) -> None:
    async with place(tmp_path, Assumptions(of_address=10)) as stage:
        await stage.run("many_panels")
        refused = sum(line.endswith("(global)") for line in stage.remote.air.limited)
        assert 0 < refused < 60 * BOUNDS.burst_s / 2


async def test_some_checks_can_be_repeated_and_those_without_a_person_say_so(tmp_path: Path) -> None:
    async with place(tmp_path) as stage:
        await stage.run("sessions")
        stage.lea = None  # type: ignore[assignment]
        await stage.run("latency")
        told = json.loads(stage.page.file.read_text(encoding="utf-8"))["checks"]
        assert [(name, one["verdict"]) for name, one in told.items()] == [
            ("sessions", "as assumed"),
            ("latency", "not checked"),
        ]


def test_an_unknown_check_is_refused() -> None:
    with pytest.raises(KemsError, match="no check speed: choose of application"):
        chosen(["speed"], is_long=False)


def test_long_checks_run_only_on_request() -> None:
    assert {*chosen((), is_long=True)} - {*chosen((), is_long=False)} == {"tokens", "old_panel", "old_message"}
    assert chosen(["many_panels", "tokens", "nonce"], is_long=False) == ["nonce", "tokens", "many_panels"]


def test_secrets_are_masked_in_paths() -> None:
    assert shape_of(f"/webhooks/12/{TOKEN}/messages/@original") == "/webhooks/*/*/messages/@original"
    assert shape_of("/interactions/12/short4/callback?x=1") == "/interactions/*/*/callback"


@pytest.mark.parametrize("answer", [True, False])
def test_settings_are_written_to_the_env_file_only_after_a_yes(
    answer: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("typer.confirm", lambda _: answer)
    file = tmp_path / ".env"
    file.write_text(f"DISCORD_TOKEN={TOKEN}\nexport PANEL_RATE = 0\n")
    runner.apply({"PANEL_RATE": "40", "TABLE_THREADS": "0"}, file)
    output = capsys.readouterr().out
    assert "PANEL_RATE=40" in output
    assert TOKEN not in output
    after = f"DISCORD_TOKEN={TOKEN}\nPANEL_RATE=40\nTABLE_THREADS=0\n"
    assert (file.read_text() == after) is answer
