"""Matches that a server does not keep any longer, as its members see them."""

from pathlib import Path

import pytest
from sqlalchemy import text

from bot.tables.retention import FIRST_MS
from bot.tables.server_settings import NOTICE_MS, ServerSettings
from tests.integration.harness import PEOPLE
from tests.integration.managing import answer_of
from tests.integration.table import kems
from tests.integration.test_config import opened, panel, pick
from tests.integration.test_config import settings as chosen
from tests.integration.test_customs import choose, database_of
from tests.integration.test_records import record
from tests.store.counted_matches import DAY


@pytest.mark.parametrize("locale", ["fr", "en-US"])
async def test_old_matches_keep_their_result_alone(tmp_path: Path, locale: str) -> None:
    gone = {"fr": "Les coups de la partie 1 sont effacés", "en-US": "The moves of match 1 are deleted"}[locale]
    async with kems(tmp_path, locale=locale) as harness:
        now = int(harness.now().timestamp() * 1000)
        async with database_of(tmp_path) as database:
            await record(harness, database, [now - 40 * DAY, now - 20 * DAY])
            async with database.transaction() as session:
                await session.execute(text(f"UPDATE tables SET channel_id = {harness.channel.id}"))  # noqa: S608 - our own
        await choose(tmp_path, harness, retention_days=30, retained_until=now)
        lea = harness["Léa"]
        await lea.slash("kems leaderboard")
        board = lea.last(ephemeral=True).text
        await harness.advance(FIRST_MS / 1000 + 60)

        await lea.slash("kems match", table=1)
        told = lea.last(ephemeral=True).text
        assert gone in told
        for name in PEOPLE:
            assert name in told
        for command in ("kems export", "kems replay"):
            assert gone in await answer_of(lea, command, table=1)
        assert "🏆 Léa, Chloé · **10 — 4** · Bruno, Dora" in await answer_of(lea, "kems history")
        await lea.slash("kems leaderboard")
        assert lea.last(ephemeral=True).text == board
        async with database_of(tmp_path) as database, database.transaction() as session:
            kept = await session.execute(text("SELECT id, purged_at IS NULL FROM tables ORDER BY id"))
            assert [(number, bool(is_whole)) for number, is_whole in kept] == [(1, False), (2, True)]


WORDS = {
    "fr": (
        "Effacer les anciennes parties ?",
        "2 parties sont déjà aussi anciennes",
        "Les résultats et les classements restent",
    ),
    "en-US": ("Delete old matches?", "2 matches are that old today", "Results and standings stay"),
}


@pytest.mark.parametrize("locale", WORDS)
async def test_what_a_shorter_retention_deletes_is_said_before_it_is_chosen(tmp_path: Path, locale: str) -> None:
    async with kems(tmp_path, locale=locale) as harness:
        now = int(harness.now().timestamp() * 1000)
        async with database_of(tmp_path) as database:
            await record(harness, database, [now - 120 * DAY, now - 40 * DAY, now - 20 * DAY])
        await opened(harness)
        await pick(harness, "retention", "30")
        question = panel(harness)
        assert all(words in question.text for words in WORDS[locale])
        assert f"<t:{(now + NOTICE_MS) // 1000}:D>" in question.text
        assert await chosen(tmp_path, harness) == ServerSettings(), "nothing has changed yet"
        await harness["Léa"].click("k1:0:config_back")
        assert panel(harness).control("k1:0:config:retention") is not None
        assert await chosen(tmp_path, harness) == ServerSettings()

        await pick(harness, "retention", "30")
        await harness["Léa"].click("k1:0:retention_now:30")
        assert (await chosen(tmp_path, harness)).retention_days == 30
        assert panel(harness).control("k1:0:config:retention") is not None
        await pick(harness, "retention", "365")
        assert (await chosen(tmp_path, harness)).retention_days == 365, "what deletes less is not asked about"
        assert panel(harness).control("k1:0:config:retention") is not None
