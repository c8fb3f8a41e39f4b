"""The catalogues hold exactly the messages of the code, French translates every one, and placeholders agree."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import bot
from bot.ui.kit.texts import KEYWORDS, LANGUAGES

ROOT = Path(bot.__file__).parent
Id = str | tuple[str, ...]


def used() -> set[Id]:
    """Every message in `bot/ui`, as Babel finds them."""
    found = extract_from_dir(ROOT / "ui", method_map=[("**.py", "python")], keywords=KEYWORDS)
    return {_key(message) for _, _, message, _, _ in found}


def catalogue(language: str) -> Catalog:
    path = ROOT / "locales" / language / "LC_MESSAGES" / "kems.po"
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def _key(message: object) -> Id:
    return tuple(message[:2]) if isinstance(message, tuple | list) else str(message)


def entries(language: str) -> dict[Id, Message]:
    return {_key(entry.id): entry for entry in catalogue(language) if entry.id}


def forms(entry: Message) -> list[str]:
    return [entry.string] if isinstance(entry.string, str) else list(entry.string)


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_holds_exactly_the_messages_of_the_code(language: str) -> None:
    known = set(entries(language))
    assert used() - known == set(), "missing"
    assert known - used() == set(), "no longer used"
    assert not catalogue(language).obsolete


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_stands_twice_in_a_catalogue(language: str) -> None:
    """Babel takes the last one, and says nothing."""
    text = (ROOT / "locales" / language / "LC_MESSAGES" / "kems.po").read_text(encoding="utf-8")
    found = Counter(re.findall(r"^msgid (\".*\"(?:\n\".*\")*)$", text, re.MULTILINE))
    assert len(found) > 900
    assert [message for message, times in found.items() if times > 1] == []


def test_french_translates_every_message() -> None:
    lacking = [key for key, entry in entries("fr").items() if entry.fuzzy or not all(forms(entry))]
    assert lacking == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_fill_in_the_same_fields(language: str) -> None:
    for key, entry in entries(language).items():
        expected = fields(key if isinstance(key, str) else key[1])
        for form in forms(entry):
            assert not form or fields(form) == expected, key


def test_translations_keep_their_outer_spaces() -> None:
    for key, entry in entries("fr").items():
        message = key if isinstance(key, str) else key[0]
        for form in forms(entry):
            assert (form[0] == " ") == (message[0] == " "), key


def test_french_is_typed_in_one_way() -> None:
    """Straight apostrophes, « quotes » and `? ! : ;` with their spaces, as French readers have them."""
    wrong = re.compile(r"[’“”\"]|\.\.\.|  |[^\s?!][?!:;»]|«[^ ]")
    told = [form for entry in entries("fr").values() for form in forms(entry)]
    found = [form for form in told if wrong.search(re.sub(r"`[^`]*`|<[^>]*>|\{[^}]*\}", "X", form))]
    assert found == []


def test_english_is_typed_in_one_way() -> None:
    told = [part for key in entries("en") for part in (key if isinstance(key, tuple) else (key,))]
    assert [part for part in told if re.search(r"[’\"]|\.\.\.|  | [?!:;]", part)] == []


@pytest.mark.parametrize("path", sorted((ROOT / "ui").glob("*.py")), ids=lambda path: path.name)
def test_every_message_is_a_literal_where_babel_finds_it(path: Path) -> None:
    """Babel does not look into f-strings; a message built at run time cannot be translated."""
    known = used()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        first = node.args[0]
        if name in KEYWORDS and isinstance(first, ast.Constant):
            texts = [arg.value for arg in node.args[: 2 if name == "n" else 1] if isinstance(arg, ast.Constant)]
            assert (tuple(texts) if name == "n" else texts[0]) in known, ast.unparse(node)
        elif name in KEYWORDS:
            assert not isinstance(first, ast.JoinedStr | ast.BinOp), ast.unparse(node)
