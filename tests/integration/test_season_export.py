"""`/kems-admin season export`: a season as files, for those who manage the server."""

import json
from pathlib import Path

import pytest

from bot.ladder.seasons import Board, Season
from bot.records.season_files import SeasonRecord
from bot.ui.ladder.season_commands import FileFormat, season_files
from tests.integration.managing import answer_of
from tests.integration.test_records import BRUNO, LEA, with_a_past


@pytest.mark.parametrize(("locale", "delimiter"), [("fr", ";"), ("en-US", ",")])
async def test_a_season_is_taken_away_as_files(tmp_path: Path, locale: str, delimiter: str) -> None:
    without, none = {
        "fr": ("sans les joueurs", "pas de saison de ce numéro"),
        "en-US": ("without players who opted out", "no season of that number"),
    }[locale]
    async with with_a_past(tmp_path, locale, days=1) as harness:
        lea, bruno = harness[LEA], harness[BRUNO]
        await bruno.slash("kems privacy boards", shown=False)
        answer = (await lea.slash("kems-admin season export")).response
        assert answer is not None
        assert answer.ephemeral
        assert without in answer.content
        files = {file.filename: (await file.read()).decode("utf-8-sig") for file in answer.attachments}
        assert list(files) == ["kems-season-1-boards.csv", "kems-season-1-people.csv", "kems-season-1-matches.csv"]
        assert f"rating{delimiter}1{delimiter}" in files["kems-season-1-boards.csv"]
        assert LEA in files["kems-season-1-matches.csv"]
        assert BRUNO not in "".join(files.values())
        assert str(bruno.id) not in "".join(files.values())

        answer = (await lea.slash("kems-admin season export", season=1, format="json")).response
        assert answer is not None
        (file,) = answer.attachments
        told = json.loads(await file.read())
        assert len(told["matches"]) == 1
        assert {one["name"] for one in told["people"]} == {LEA, "Chloé", "Dora"}

        assert none in await answer_of(lea, "kems-admin season export", season=99)
        assert await lea.suggestions("kems-admin season export", "season")
        assert not any("season export" in name for name in bruno.actor.available_commands(harness.channel))


def test_large_files_are_packed_and_too_large_ones_are_not_sent() -> None:
    record = SeasonRecord(1, Season(4, 0, None, "x" * 5000), dict.fromkeys(Board, ()), (), ())
    assert [file.filename for file in season_files(record, FileFormat.JSON, "en", 10_000)] == ["kems-season-4.json"]
    assert [file.filename for file in season_files(record, FileFormat.JSON, "en", 1000)] == ["kems-season-4.zip"]
    assert season_files(record, FileFormat.JSON, "en", 100) == []
