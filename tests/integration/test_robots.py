"""One person and three robots: the match comes to its end though the person does nothing but agree on a sign."""

from __future__ import annotations

from pathlib import Path

import structlog

from bot.robots import RobotLevel
from tests.integration.harness import PEOPLE
from tests.integration.table import Table, kems

LONGEST = 120  # minutes that such a match may take


async def test_robots_bring_a_match_to_its_end(tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as logs:
        async with kems(tmp_path, auto_open=5, auto_next=5) as harness:
            table = Table(harness)
            await harness["Léa"].slash("kems start", target=2)
            await harness["Léa"].click("Réglages…")
            for _ in range(3):
                await harness["Léa"].click("🤖 Ajouter")
            await table.settle()
            await harness["Léa"].click("Commencer")
            await harness["Léa"].click("🤫 Le signe")
            for _ in range(LONGEST):
                await harness.advance(60)
                if table.message().control("🔁 Revanche") is not None:
                    break
            assert table.message().control("🔁 Revanche") is not None
    assert [entry for entry in logs if entry["log_level"] in ("error", "critical")] == []


async def test_the_host_chooses_how_well_robots_play(tmp_path: Path) -> None:
    """By the command, and in the settings; a level that no menu offers changes nothing."""
    async with kems(tmp_path) as harness:
        table, lea = Table(harness), harness["Léa"]
        await lea.slash("kems start", robots="master")
        table.id = harness.bot.rooms.directory.lobbies()[0].id
        await lea.click("Réglages…")
        await lea.click("🤖 Ajouter")
        await table.settle()
        assert "robots : maître" in table.board()
        await lea.choose(f"k1:{table.id}:robots", "beginner")
        await table.settle()
        assert "robots : débutant" in table.board()
        assert "robots : débutant" in lea.last(ephemeral=True).text
        await table.forge("Léa", f"k1:{table.id}:robots", values=["grandmaster"])
        await harness.restart()
        (lobby,) = harness.bot.rooms.directory.lobbies()
        assert lobby.level_of(1) is RobotLevel.BEGINNER


async def test_the_quick_start_seats_beginners_for_a_newcomer(tmp_path: Path) -> None:
    async with kems(tmp_path, people=(*PEOPLE, "Emil")) as harness:
        table, directory = Table(harness), harness.bot.rooms.directory
        await table.open(target=1)
        await table.agree_on_what_is_offered()
        await table.open_hunt()
        await table.press("Léa", "kems")
        await table.settle()
        assert table.message().control("🔁 Revanche") is not None
        for name in ("Léa", "Emil"):
            await table.forge(name, "k1:0:quick")
        levels = {match.lobby.host_id: match.lobby.robot_level for match in directory.tables() if not match.is_over}
        assert levels == {harness["Léa"].id: RobotLevel.REGULAR, harness["Emil"].id: RobotLevel.BEGINNER}
