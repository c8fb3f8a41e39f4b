"""Reads KGN text into lines; knows the grammar and not the game."""

import re
from dataclasses import dataclass
from typing import Final

_HEAD: Final = re.compile(r'\[(\w+)\s+"(.*)"\]')
_WORD: Final = re.compile(r'"([^"]*)"|(\S+)')
_SECONDS: Final = re.compile(r"\d{1,9}(\.\d{1,3})?")
VERSION: Final = "1"


class KgnError(ValueError):
    """A line that cannot be read: `expected` what it should be, `got` what it is."""

    def __init__(self, line: int, expected: str, got: str) -> None:
        super().__init__(f"line {line}: expected {expected}, got {got}")
        self.line = line
        self.expected = expected
        self.got = got


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move; `time` is milliseconds since the round began, None if the line gives none (`- next`)."""

    line: int
    time: int | None
    who: str
    verb: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expectation, such as `= score 1 0`."""

    line: int
    what: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tag:
    """A value of the head."""

    line: int
    value: str


@dataclass(frozen=True, slots=True)
class Document:
    """A KGN text: its head by key, and its lines."""

    head: dict[str, Tag]
    body: tuple[MoveLine | Expectation, ...]

    def value(self, key: str, default: str) -> str:
        """Return the value of a key, or the default."""
        tag = self.head.get(key)
        return default if tag is None else tag.value

    def line(self, key: str) -> int:
        """Return the number of the line that gives the key, for error messages; 1 if none does."""
        tag = self.head.get(key)
        return 1 if tag is None else tag.line


def read_document(text: str) -> Document:
    """Return the head and the lines of a KGN text.

    Raises:
        KgnError: A line is outside the language.
    """
    head: dict[str, Tag] = {}
    body: list[MoveLine | Expectation] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _without_comment(raw)
        if not line:
            continue
        if line.startswith("["):
            tag = _HEAD.fullmatch(line)
            if tag is None:
                raise KgnError(number, 'a head line such as [Preset "classic"]', repr(line))
            head[tag[1]] = Tag(number, tag[2].strip())
        elif line.startswith("="):
            what, *words = _words(line[1:]) or [""]
            body.append(Expectation(number, what, tuple(words)))
        else:
            body.append(_move(number, line))
    document = Document(head, tuple(body))
    if document.value("Kgn", "") != VERSION:
        got = repr(head["Kgn"].value) if "Kgn" in head else "no such line"
        raise KgnError(document.line("Kgn"), f'[Kgn "{VERSION}"]', got)
    return document


def read_move(text: str) -> MoveLine:
    """Return the move of a line without a time: `B put 8H`, `- next`.

    Raises:
        KgnError: It has no verb.
    """
    words = _words(text)
    if len(words) < 2:
        raise KgnError(1, "WHO VERB, such as B take KD", repr(text))
    return MoveLine(1, None, words[0], words[1], tuple(words[2:]))


def _without_comment(line: str) -> str:
    """Return the line without its comment. A `#` in quotes, or before a team's number, starts none."""
    quoted = False
    for index, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted and not (line[:index].strip() and line[index + 1 : index + 2].isdigit()):
            return line[:index].strip()
    return line.strip()


def _words(text: str) -> list[str]:
    return [quoted or plain for quoted, plain in _WORD.findall(text)]


def _move(number: int, line: str) -> MoveLine:
    words = _words(line)
    if words[0] == "-" and len(words) > 1:
        return MoveLine(number, None, "-", words[1], tuple(words[2:]))
    if len(words) < 3:
        raise KgnError(number, "TIME WHO VERB, such as 1.5 B take KD", repr(line))
    if not _SECONDS.fullmatch(words[0]):
        raise KgnError(number, "a time in seconds such as 1.5", repr(words[0]))
    return MoveLine(number, round(float(words[0]) * 1000), words[1], words[2], tuple(words[3:]))
