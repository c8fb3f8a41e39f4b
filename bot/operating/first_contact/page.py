"""What a run tells: lines on the terminal, and `first-contact.json` for the issue form, without names and tokens."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import typer

from bot.base.log import redact
from bot.operating.first_contact.check import CHECKS, Found
from bot.operating.first_contact.diary import write_whole

_ADDRESS: Final = re.compile(r"https?://\S+")
_ID: Final = re.compile(r"\b\d{15,}\b")
_VERDICTS: Final = {True: ("ok", "as assumed"), False: ("!!", "otherwise"), None: ("--", "not checked")}


def say(words: str) -> None:
    """Prints a line; a terminal that is gone hears nothing."""
    with suppress(OSError):
        typer.echo(words)


def _public(words: str) -> str:
    """What may stand in a public issue: no token, no address, no id."""
    return _ID.sub("(id)", _ADDRESS.sub("(address)", redact(words)))


class Page:
    """Prints each check as it comes, and keeps it in a file, beside those of former runs of this version."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.checks: dict[str, dict[str, Any]] = {}
        with suppress(OSError, ValueError):
            former = json.loads(file.read_text(encoding="utf-8"))
            self.checks = former["checks"] if former["version"] == version("kems-bot") else {}

    def begins(self, name: str) -> None:
        say(f"\n{name}: {CHECKS[name].assumed}")

    def ends(self, name: str, found: Found, limits: Mapping[str, Mapping[str, str]]) -> None:
        """Tell what a check has found; `limits` are the headers about limits by kind of request."""
        mark, verdict = _VERDICTS[found.is_assumed]
        say(f"{mark}  {found.says}")
        if found.is_assumed is False:
            say(f"    The bot assumes it in {CHECKS[name].code}.")
        self.checks[name] = {
            "assumed": CHECKS[name].assumed,
            "code": CHECKS[name].code,
            "verdict": verdict,
            "found": _public(found.says),
            "settings": dict(found.settings),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "limits": limits,
        }
        whole = {"version": version("kems-bot"), "checks": self.checks}
        write_whole(self.file, json.dumps(whole, indent=2, ensure_ascii=False) + "\n")

    @property
    def settings(self) -> dict[str, str]:
        """What suits this Discord better than the settings of the run."""
        return {name: value for one in self.checks.values() for name, value in one["settings"].items()}
