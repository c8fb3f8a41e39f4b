"""Stored duels: by preset, one for each two levels, in order, whichever was played last."""

from pathlib import Path
from typing import Any

import pytest

from tests.bench import duels
from tests.bench.duels import bench_duels, keep_duel, read_duels


def told(better: str, rate: float) -> dict[str, Any]:
    return {"date": "2026-11-22", "better": better, "other": "?", "pairs": 9, "rate": rate, "low": 0.5, "high": 1.0}


def test_a_duel_replaces_only_its_own_earlier_result(tmp_path: Path) -> None:
    stored = tmp_path / "duels.json"
    assert read_duels(stored) == {}
    for preset, better, rate in (
        ("yokai", "master", 0.7),
        ("classic", "strong", 0.8),
        ("classic", "regular", 0.9),
        ("classic", "strong", 0.85),
    ):
        keep_duel(preset, told(better, rate), stored)
    kept = {preset: [(duel["better"], duel["rate"]) for duel in found] for preset, found in read_duels(stored).items()}
    assert kept == {"classic": [("regular", 0.9), ("strong", 0.85)], "yokai": [("master", 0.7)]}
    assert list(kept) == ["classic", "yokai"]
    part = bench_duels(stored)
    assert [figure.name for figure in part.figures] == [
        "classic: regular beats ?", "classic: strong beats ?", "yokai: master beats ?"
    ]  # fmt: skip
    assert "85.0% of 18 matches on 2026-11-22" in part.notes[1]


def test_an_unknown_preset_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        duels.main(["tarot"])
    assert "there is no preset tarot" in capsys.readouterr().err
