"""One person and three robots: the match comes to its end though the person does nothing but agree on a sign."""

from __future__ import annotations

from pathlib import Path

import structlog

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
