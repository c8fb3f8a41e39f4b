"""Keeps every screen as text, one file a feature, in the order of their names.

`python -m tests.ui.screens.record` shows what has changed since it was recorded, each kind of change once, and records
the screens as they are now.
"""

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Final

from tests.ui.screens.scenes import scenes
from tests.ui.screens.written import written

FOLDER: Final = Path(__file__).parent / "recorded"
_HEADING: Final = "== "
_MOST_NAMES: Final = 3  # of the screens with the same change


def recorded() -> dict[str, dict[str, str]]:
    """The kept screens, by feature and name."""
    return {path.stem: _read(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.txt"))}


def built() -> dict[str, dict[str, str]]:
    """The screens of now, by feature and name."""
    return {
        feature: {name: written(value) for name, value in found.items()} for feature, found in sorted(scenes().items())
    }


def changes(before: dict[str, dict[str, str]], now: dict[str, dict[str, str]]) -> Iterator[str]:
    """What differs, in words: screens that came and went, then each change of lines with the screens that have it."""
    alike: dict[str, list[str]] = {}
    for feature in sorted(before.keys() | now.keys()):
        old, new = before.get(feature, {}), now.get(feature, {})
        for what, names in (("gone", old.keys() - new.keys()), ("new", new.keys() - old.keys())):
            yield from (f"{what}: {feature}: {name}" for name in sorted(names))
        for name in sorted(old.keys() & new.keys()):
            if old[name] != new[name]:
                alike.setdefault(_difference(old[name], new[name]), []).append(f"{feature}: {name}")
    for difference, names in sorted(alike.items(), key=lambda each: -len(each[1])):
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        yield f"changed: {', '.join(names[:_MOST_NAMES])}{more}\n{difference}"


def record() -> None:
    """Keep the screens of now."""
    FOLDER.mkdir(exist_ok=True)
    now = built()
    for path in FOLDER.glob("*.txt"):
        if path.stem not in now:
            path.unlink()
    for feature, screens in now.items():
        text = "\n".join(f"{_HEADING}{name}\n{screens[name]}\n" for name in sorted(screens))
        (FOLDER / f"{feature}.txt").write_text(text, encoding="utf-8")


def _read(text: str) -> dict[str, str]:
    parts = f"\n{text}".split(f"\n{_HEADING}")[1:]
    return {name: screen.rstrip("\n") for name, _, screen in (part.partition("\n") for part in parts)}


def _difference(old: str, new: str) -> str:
    lines = list(unified_diff(old.split("\n"), new.split("\n"), n=0, lineterm=""))[2:]
    return "\n".join(f"    {line}" for line in lines if not line.startswith("@@"))


if __name__ == "__main__":
    print("\n".join(changes(recorded(), built())) or "No screen has changed.")
    record()
