"""Robots at a table: how well they play, and whom they sit with."""

from pathlib import Path

from bot.robots import RobotLevel
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, kems


async def test_the_host_chooses_how_well_robots_play(harness: Harness) -> None:
    """By the command, and in the settings; a level that no menu offers changes nothing."""
    table, lea = Table(harness), harness["Léa"]
    await lea.slash("kems start", robots="master")
    table.id = harness.bot.parts.directory.open_lobbies()[0].id
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
    (lobby,) = harness.bot.parts.directory.open_lobbies()
    assert lobby.level_of(1) is RobotLevel.BEGINNER


async def test_the_quick_start_seats_beginners_for_a_newcomer(tmp_path: Path) -> None:
    async with kems(tmp_path, people=(*PEOPLE, "Emil")) as harness:
        table, directory = Table(harness), harness.bot.parts.directory
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
