"""Changes lines of a `.env` file. It holds the token and passwords, so only its owner may read it."""

import os
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Final

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from bot.base.errors import KemsError

_OWNER_ONLY: Final = 0o600


def with_values(text: str, values: Mapping[str, str]) -> str:
    """Return the text of a settings file with some values set; all other lines stay.

    Raises:
        KemsError: A value cannot be written so that it is read back unchanged.
    """
    for name, value in values.items():
        set_to, lines, is_there = f"{name}={_written(name, value)}\n", [], False
        for binding in parse_stream(StringIO(text)):
            line = binding.original.string
            if binding.key is not None and binding.key.lower() == name.lower():
                blank = line[: len(line) - len(line.lstrip("\r\n"))]
                line, is_there = blank + set_to, True
            lines.append(line)
        text = "".join(lines)
        if not is_there:
            text = f"{text.rstrip()}\n{set_to}".lstrip()
    return text


def _written(name: str, value: str) -> str:
    """Return a value as it stands in the file: plain if it is read back unchanged, else quoted.

    Docker and systemd read both forms. `${:-$}` stands for a dollar before a brace: python-dotenv expands braces, also
    in quotes.

    Raises:
        KemsError: It is read back unchanged in no form.
    """
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    for written in (value, f"'{escaped}'", "'" + escaped.replace("${", "${:-$}{") + "'"):
        as_read = StringIO(f"{name}={written}\n", newline=None)
        if dotenv_values(stream=as_read) == {name: value}:
            return written
    raise KemsError(f"{name} cannot be written to a file of settings: leave out the control characters in its value.")


def write(file: Path, values: Mapping[str, str]) -> None:
    """Set values in a settings file, atomically.

    Raises:
        KemsError: The file cannot be read or written, or does not take a value.
    """
    file = file.resolve()
    try:
        write_atomically(file, with_values(file.read_text(encoding="utf-8") if file.exists() else "", values))
    except OSError as error:
        raise KemsError(f"{file} cannot be written: {error.strerror}.") from error


def write_atomically(file: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all.

    Raises:
        OSError: The file cannot be written.
    """
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    part.touch(_OWNER_ONLY)
    with part.open("w", encoding="utf-8") as written:
        written.write(text)
        written.flush()
        os.fsync(written.fileno())
    part.replace(file)
