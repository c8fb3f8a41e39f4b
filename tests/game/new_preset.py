"""Writes the golden matches that a preset lacks, and the page of all presets: `python -m tests.game.new_preset kent`.

A preset is in `bot/game/rules/presets.py` already. `tests/game/test_golden_coverage.py` asks for matches of it that
notice every other value of every rule. They are those of other presets, by its own rules: lines that make no sense by
these are left out, and what is expected is what happens now. Without a name every preset gets what it lacks, which is
what a new axis needs, once a match of any preset notices each of its values.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bot.game.notation.document import read_document
from bot.game.notation.replay import read_head, replay_text
from bot.game.rules import house_rules
from bot.game.rules.house_rules import RulesError
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import AXES, PLAYERS, Rules
from tests.game.test_golden import GOLDEN
from tests.game.test_golden_coverage import HEADS, TEXTS, is_of, is_seen, others, text_of
from tests.rules.page import RECORDED, page

FOLDER: Final = GOLDEN[0].parent
MOST_TRIES: Final = 60
"""How often lines of a match are replaced or left out before it is given up."""


class Hole(NamedTuple):
    """A rule of a preset, and another value of it that no match of the preset notices."""

    axis: str
    mutant: Rules

    def __str__(self) -> str:
        return f"{self.axis}={text_of(self.mutant, self.axis)}"


def notices(text: str, hole: Hole) -> bool:
    """Return whether a match that holds no longer does by the other value."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, hole.mutant.preset, hole.mutant)
        return bool(replay_text("", text))


def holes_of(preset: str) -> list[Hole]:
    """Return what the golden matches of a preset do not notice."""
    rules = PRESETS[preset]
    every = [Hole(axis, mutant) for axis in AXES if is_seen(rules, axis) for mutant in others(rules, axis)]
    own = {axis: [TEXTS[name] for name, head in HEADS.items() if is_of(head, preset, axis)] for axis in AXES}
    return [hole for hole in every if not any(notices(text, hole) for text in own[hole.axis])]


def playable(preset: str, changes: dict[str, str], players: int, axis: str) -> dict[str, str]:
    """Return those house rules that have an effect in a preset, without one of an axis.

    Raises:
        RulesError: these cannot be played.
    """
    left_out = {axis, PLAYERS} if players in PRESETS[preset].seating.players else {axis}
    kept = {name: value for name, value in changes.items() if name not in left_out}
    settled = house_rules.without_idle_changes(house_rules.override(PRESETS[preset], kept))
    house_rules.check_table(settled, players)
    return house_rules.changes(settled)


def played_by(preset: str, changes: Mapping[str, str], source: str) -> str | None:
    """Return a golden match by the rules of a preset, None where nothing of it is left."""
    title, *lines = TEXTS[source].splitlines()
    head = [f"# {preset}, as {source}: {title.partition(': ')[2] or title.removeprefix('# ')}"]
    rules = " ".join(house_rules.write_words(changes))
    kept = [line for line in lines if not line.startswith(("[Preset", "[Rules"))]
    where = kept.index('[Kgn "1"]') + 1
    kept[where:where] = [f'[Preset "{preset}"]', *([f'[Rules "{rules}"]'] if rules else [])]
    return mended("\n".join((*head, *kept, "")))


def mended(text: str) -> str | None:
    """Return a match whose expectations hold, without the lines that cannot be played."""
    for _ in range(MOST_TRIES):
        failures = replay_text("", text)
        if not failures:
            return text
        lines: list[str | None] = list(text.splitlines())
        for failure in failures:
            where, _, said = failure.removeprefix(":").partition(": expected ")
            number, got = int(where) - 1, said.rpartition(", got ")[2]
            line = lines[number] or ""
            if got.startswith("refused ") and not line.startswith("="):
                lines[number] = f"{line}\n= {got}"
            elif line.startswith("= ") and got.startswith(line.split()[1]) and not got.endswith((" nothing", " over")):
                lines[number] = f"= {got}"
            elif line.startswith("[Redrawn") or not line.startswith("["):
                lines[number] = None
            else:
                return None
        text = "\n".join(line for line in lines if line is not None) + "\n"
    return None


def matches_by(preset: str, first: str, axis: str = "") -> Iterator[tuple[str, str]]:
    """Yield golden matches by the rules of a preset, with their sources, those of the preset `first` before others.

    With an `axis` they keep what else their rules say, so that what they show of it stays; without, their house rules.
    """
    for source in sorted(TEXTS, key=lambda name: (HEADS[name].rules.preset != first, name)):
        rules, players = HEADS[source].rules, len(HEADS[source].names)
        own = house_rules.changes(rules)
        kept = house_rules.differences(rules, PRESETS[preset]) if axis else own
        target = PRESETS[preset].end.target
        extras = [{}, {"kems": str(target)}, {"kems": str(target - 1)}] if axis == "target" else [{}]
        for extra in extras:
            with suppress(RulesError):
                changes = playable(preset, kept | extra, players, axis)
                if axis not in changes and (text := played_by(preset, changes, source)) is not None:
                    yield source, text


def fill(preset: str, first: str) -> list[Hole]:
    """Write the matches that a preset lacks, as few as are found, and return the holes that none of them fills."""
    holes, left = holes_of(preset), list[Hole]()
    texts = list(matches_by(preset, first)) if holes else []
    while holes:
        found = [(source, text, noticed(text, holes)) for source, text in texts]
        best = max(found, key=lambda match: len(match[2]))
        if not best[2]:
            hole = holes[0]
            found = [(*match, noticed(match[1], [hole])) for match in matches_by(preset, first, hole.axis)]
            found = [(source, text, noticed(text, holes)) for source, text, shown in found if shown]
            best = max(found, key=lambda match: len(match[2]), default=("", "", [hole]))
        source, text, shown = best
        if text:
            path = free_path(f"{preset}-{source.removeprefix(f'{HEADS[source].rules.preset}-')}")
            title, _, lines = text.partition("\n")
            if any(file.read_text(encoding="utf-8").startswith(f"{title}\n") for file in FOLDER.glob("*.kgn")):
                title += f" ({shown[0]})"
            path.write_text(f"{title}\n{lines}", encoding="utf-8")
            print(f"tests/golden/{path.name}: {' '.join(map(str, shown))}")
        else:
            left += shown
        holes = [hole for hole in holes if hole not in shown]
    return left


def noticed(text: str, holes: Sequence[Hole]) -> list[Hole]:
    changed = house_rules.changes(read_head(read_document(text)).rules)
    return [hole for hole in holes if hole.axis not in changed and notices(text, hole)]


def free_path(stem: str) -> Path:
    names = (f"{stem}{number}.kgn" for number in ("", *(f"-{count}" for count in range(2, 100))))
    return next(FOLDER / name for name in names if not (FOLDER / name).exists())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", nargs="?", choices=PRESETS, help="without one: every preset")
    parser.add_argument("first", nargs="?", choices=PRESETS, default="classic", help="whose matches are tried first")
    given = parser.parse_args()
    RECORDED.write_text(page(), encoding="utf-8")
    for preset in [given.preset] if given.preset else PRESETS:
        for hole in fill(preset, given.first):
            print(f"No match notices {hole} in {preset}: write one by hand in tests/golden/, by any preset.")


if __name__ == "__main__":
    main()
