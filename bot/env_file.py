"""Changes lines of `.env`, which is then for its owner alone: it holds the token and passwords."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bot.errors import KemsError

_OWNER_ONLY: Final = 0o600


def changed(text: str, values: Mapping[str, str]) -> str:
    """A text of settings with other values; all its other lines stay."""
    for name, value in values.items():
        set_to = f"{name}={value}"
        line = re.compile(rf"^[^\S\n]*(?:export\s+)?{name}\s*=.*$", re.MULTILINE | re.IGNORECASE)
        text, count = line.subn(set_to.replace("\\", r"\\"), text)
        if not count:
            text = f"{text.rstrip()}\n{set_to}\n".lstrip()
    return text


def write(file: Path, values: Mapping[str, str]) -> None:
    """Sets these values in a file, at one stroke. Raises KemsError: it cannot be read or written."""
    file = file.resolve()
    part = file.with_name(f"{file.name}.part")
    try:
        text = changed(file.read_text(encoding="utf-8") if file.exists() else "", values)
        part.unlink(missing_ok=True)
        part.touch(_OWNER_ONLY)
        with part.open("w", encoding="utf-8") as written:
            written.write(text)
            written.flush()
            os.fsync(written.fileno())
        part.replace(file)
    except OSError as error:
        raise KemsError(f"{file} cannot be written: {error.strerror}.") from error
