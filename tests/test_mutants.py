"""Which faults are planted in a file, and which tests look for them."""

from pathlib import Path

import pytest

from tests import mutants
from tests.rooms import PROJECT

SOURCE = """
def best(players, log):
    _log.info("asked", players=players)
    log.add(players)
    if not players:
        return None
    log.count += 1
    log.extend(zip(players, log, strict=True))
    return max(players[0], players[-1], key=len)
"""
PLANTED = {
    "log.add(players) -> pass",
    "log.count += 1 -> pass",
    "if not players: return None -> pass",
    "not players -> players",
    "max(players[0], players[-1], key=len) -> min(players[0], players[-1], key=len)",
    "max(players[0], players[-1], key=len) -> max(players[0], players[-1])",
    "max(players[0], players[-1], key=len) -> max(players[0], key=len)",
    "players[0] -> players[-1]",
    "players[-1] -> players[0]",
}


def test_each_kind_of_fault_is_planted_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "PROJECT", tmp_path)
    file = tmp_path / "best.py"
    file.write_text(SOURCE, encoding="utf-8")
    found = {line.removeprefix("best.py best: ") for line, _ in mutants.planted(file)}
    assert found >= PLANTED
    assert not [line for line in found if line.startswith("_log")]
    assert not [line for line in found if line.endswith(("zip(players, log)", "True -> False"))]


def test_the_nearest_tests_of_a_file_come_first() -> None:
    names = mutants.tests_for("ui", PROJECT / "bot/ui/night/plan/when.py")
    near = [str(Path(name).relative_to(PROJECT)) for name in names]
    assert "tests/ui/night/test_when.py" in near[:3]
    assert near.index("tests/integration/test_nights.py") < near.index("tests/ui/test_words.py")
    assert len(near) == len(set(near))


def test_the_faults_that_change_nothing_can_still_be_planted() -> None:
    known = mutants.equivalent()
    files = {PROJECT / line.partition(" ")[0] for line in known}
    assert known - {line for file in files for line, _ in mutants.planted(file)} == set(), (
        "correct these lines of tests/equivalent_mutants.txt, or take them out"
    )
