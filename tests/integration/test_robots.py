"""Robots at a table: how well they play, and whom they sit with."""

from bot.robots import RobotLevel
from tests.integration.harness import Harness
from tests.integration.table import Table


async def test_the_host_chooses_the_level_of_robots(harness: Harness) -> None:
    """By the command, and in the settings; a level that no menu offers changes nothing."""
    table, lea = Table(harness), harness["Léa"]
    await lea.slash("kems start", robots="master")
    table.id = harness.bot.rooms.directory.open_lobbies()[0].id
    await lea.click("Réglages…")
    assert "robots : maître" in await table.after(lea.click("🤖 Ajouter"))
    assert "robots : débutant" in await table.after(lea.choose(f"k1:{table.id}:set:robots", "beginner"))
    assert "robots : débutant" in lea.told
    await table.forge("Léa", f"k1:{table.id}:set:robots", values=["grandmaster"])
    await harness.restart()
    (lobby,) = harness.bot.rooms.directory.open_lobbies()
    assert lobby.level_of(1) is RobotLevel.BEGINNER


async def test_the_quick_start_seats_beginners_for_a_newcomer(harness: Harness) -> None:
    table, directory = Table(harness), harness.bot.rooms.directory
    await table.open(target=1)
    await table.agree_on_what_is_offered()
    await table.open_hunt()
    await table.act("Léa", "kems")
    assert table.message().control("🔁 Revanche") is not None
    await table.forge("Émile", "k1:0:play")
    await table.forge("Léa", "k1:0:play")
    await harness.advance(21)
    levels = {match.lobby.host_id: match.lobby.robot_level for match in directory.tables() if not match.is_over}
    assert levels == {harness["Léa"].id: RobotLevel.REGULAR, harness["Émile"].id: RobotLevel.BEGINNER}
