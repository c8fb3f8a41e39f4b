"""`python -m tests.daily.fill_pool` looks for deals of equal difficulty, and writes them into `bot/daily/day.py`.

Run it where robots play otherwise than they did: `tests/daily/test_scenes.py` then asks for it.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice
from pathlib import Path
from textwrap import wrap
from typing import Final

from bot.daily import day
from bot.daily.scene import Scene, SceneTask
from tests.daily.solver import reference

SIZE: Final = 24


def find(kind: SceneTask) -> list[Scene]:
    found = ((seed, reference(kind, seed)) for seed in count(1))
    return list(islice((Scene(kind, seed, time) for seed, time in found if time is not None), SIZE))


def written(kinds: Mapping[SceneTask, Sequence[Scene]]) -> str:
    lines = ["POOL: Final[Mapping[SceneTask, tuple[Scene, ...]]] = {"]
    for kind, scenes in kinds.items():
        pairs = " ".join(f"{scene.seed}:{scene.reference}" for scene in scenes)
        lines += [f"    SceneTask.{kind.name}: _scenes(", f"        SceneTask.{kind.name},", '        """']
        lines += [*wrap(pairs, 110, initial_indent=" " * 8, subsequent_indent=" " * 8), '        """,', "    ),"]
    return "\n".join([*lines, "}", ""])


def main() -> None:
    path = Path(day.__file__)
    head = path.read_text(encoding="utf-8").partition("POOL:")[0]
    with ProcessPoolExecutor() as processes:
        kinds = dict(zip(SceneTask, processes.map(find, SceneTask), strict=True))
    path.write_text(head + written(kinds), encoding="utf-8")


if __name__ == "__main__":
    main()
