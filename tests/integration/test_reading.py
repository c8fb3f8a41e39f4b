"""What members read at their leisure: the rules in words, and finished matches move by move."""

from pathlib import Path

import structlog

from bot.game.events import MatchEnded
from bot.game.notation.replay import replay_match, replay_text
from tests.integration.harness import Harness
from tests.integration.table import Table, kems

LONGEST = 120  # minutes that a match of robots may take


async def test_the_rules_command_shows_the_rules_of_the_table_in_this_channel(harness: Harness) -> None:
    lea = harness["Léa"]
    assert "La première équipe à 10 points gagne" in await lea.ask("kems rules")
    await Table(harness).open(target=7)
    here = await lea.ask("kems rules")
    assert "La première équipe à 7 points gagne" in here
    yokai = await lea.ask("kems rules", preset="yokai")
    assert "La première équipe à 10 points gagne" in yokai
    assert "au milieu, même retournées du talon : elles sont balayées aussitôt." in yokai
    bruno = harness["Bruno"]
    bruno.locale = "en-US"
    bell = await bruno.ask("kems rules", preset="bell")
    assert "The match lasts 8 rounds" in bell
    assert "The six sign cards" in bell


async def test_a_match_of_robots_is_exported_and_replays_to_the_same_score(tmp_path: Path) -> None:
    """It comes to its end though the person does nothing but look at a panel, and logs no error."""
    with structlog.testing.capture_logs() as logs:
        await played_by_robots(tmp_path)
    assert [entry for entry in logs if entry["log_level"] in ("error", "critical")] == []


async def played_by_robots(folder: Path) -> None:
    async with kems(folder, auto_open=5, auto_next=5) as harness:
        lea = harness["Léa"]
        await lea.slash("kems start", target=1)
        await lea.click("Réglages…")
        for _ in range(3):
            await lea.click("🤖 Ajouter")
        await harness.advance(3)  # the post shows them
        await lea.click("Commencer")
        await lea.click("🤫 Le signe")
        assert "Aucune partie terminée" in await lea.ask("kems records export"), "a running match stays closed"
        assert "pas de partie terminée de ce numéro" in await lea.ask("kems records export", number=1), (
            "also by its number"
        )
        table = Table(harness)
        for _ in range(LONGEST):
            await harness.advance(60)
            if table.message().control("🔁 Revanche") is not None:
                break
        answer = (await lea.slash("kems records export")).response
        assert answer is not None
        assert answer.ephemeral
        (file,) = answer.attachments
        assert file.filename == "kems-1.kgn"
        text = (await file.read()).decode()
        assert replay_text(file.filename, text) == []
        replay, log = replay_match(text)
        assert isinstance(log[-1], MatchEnded)
        assert replay.state.scores == table.score()
        assert "Léa" in replay.head.names
        again = (await harness["Bruno"].slash("kems records export", number=1)).response
        assert again is not None
        assert (await again.attachments[0].read()).decode() == text
