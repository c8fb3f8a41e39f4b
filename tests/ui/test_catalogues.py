"""Each catalogue is what `make texts` writes, translates every message of the code, and fills in the same fields."""

import ast
import re
from collections import Counter
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter

import pytest

from bot.base.settings import languages
from bot.discord.text.text_width import width
from bot.discord.text.texts import KEYWORDS, LANGUAGES
from tests.ui.catalogues import (
    IN_WORK,
    ROOT,
    TRANSLATED,
    entries,
    forms,
    merged,
    path_of,
    translations,
    untranslated,
    used,
)

_SMALL_LABEL = 6.0  # ems: the word on a button that may be narrower elsewhere
_WIDER = 1.25
EACH = pytest.mark.parametrize("language", TRANSLATED)


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_language_but_english_has_a_catalogue() -> None:
    assert sorted(languages()) == sorted(LANGUAGES)


@EACH
def test_each_catalogue_is_as_make_texts_writes_it(language: str) -> None:
    written = path_of(language).read_text(encoding="utf-8")
    assert set(entries(language)) == used(), "run `make texts`"
    assert merged(language, written) == written, "run `make texts`"


def test_no_message_is_written_within_an_f_string() -> None:
    """Babel does not find it there."""
    assert [
        f"{path.relative_to(ROOT)}: {ast.unparse(call)}"
        for path in ROOT.rglob("*.py")
        for string in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and _called(call) in KEYWORDS and isinstance(call.args[0], ast.Constant)
    ] == []


def test_a_changed_sentence_keeps_its_translation_as_fuzzy() -> None:
    known = path_of("fr").read_text(encoding="utf-8")
    former = known.replace('msgid "Nobody sits there."', 'msgid "Nobody is sitting there."')
    assert former != known
    again = merged("fr", former)
    assert again == known.replace('msgid "Nobody sits', '#, fuzzy\nmsgid "Nobody sits')
    assert merged("fr", again) == again


@EACH
def test_no_message_is_in_a_catalogue_twice(language: str) -> None:
    """Babel takes the last one, and says nothing."""
    text = path_of(language).read_text(encoding="utf-8")
    found = Counter(re.findall(r"^msgid (\".*\"(?:\n\".*\")*)$", text, re.MULTILINE))
    assert len(found) > 800
    assert [message for message, times in found.items() if times > 1] == []


@pytest.mark.parametrize("language", [language for language in TRANSLATED if language not in IN_WORK])
def test_every_message_is_translated(language: str) -> None:
    assert untranslated(language) == [], f"translate these in {path_of(language)}"


@EACH
def test_a_plural_is_translated_in_all_its_forms(language: str) -> None:
    assert [key for key, entry in entries(language).items() if any(forms(entry)) != all(forms(entry))] == []


@EACH
def test_translations_fill_in_the_same_fields(language: str) -> None:
    for key, entry in entries(language).items():
        expected = fields(key if isinstance(key, str) else key[1])
        for form in filter(None, forms(entry)):
            assert fields(form) == expected, key


@EACH
def test_translations_keep_their_outer_spaces(language: str) -> None:
    for key, entry in entries(language).items():
        message = key if isinstance(key, str) else key[0]
        for form in filter(None, forms(entry)):
            assert (form[0] == " ", form[-1] == " ") == (message[0] == " ", message[-1] == " "), key


@cache
def calls_of(path: Path) -> list[ast.Call]:
    """All calls that a module makes."""
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]


@cache
def labels() -> set[str]:
    """The messages that are written as the label of a button."""
    files = chain((ROOT / "discord").rglob("*.py"), (ROOT / "ui").rglob("*.py"))
    calls = (
        call for path in files for call in calls_of(path) if call.args and _called(call) in ("button", "link_button")
    )
    words = {part.value for call in calls for part in ast.walk(call.args[0]) if isinstance(part, ast.Constant)}
    return words & {key for key in used() if isinstance(key, str)}


@pytest.mark.parametrize("language", sorted({*TRANSLATED} - {"fr"}))
def test_a_button_is_hardly_wider_than_in_english_or_french(language: str) -> None:
    """Rows that fit on a phone in these two fit in every language."""
    known, french = entries(language), entries("fr")
    assert len(labels()) > 80
    for label in labels():
        room = max(_SMALL_LABEL, width(label), width(french[label].string)) * _WIDER
        assert width(known[label].string) <= room, (label, known[label].string, round(room, 1))


def test_french_follows_one_typography() -> None:
    """Straight apostrophes, « quotes » and `? ! : ;` with ordinary spaces, which `Texts` makes non-breaking."""
    wrong = re.compile(r"[’“”\"]|\.\.\.|  |[^ ?!][?!:;»]|«[^ ]")
    assert [form for form in translations("fr") if wrong.search(_words(form))] == []


@pytest.mark.parametrize(
    ("language", "wrong", "pairs"),
    [
        ("de", r"[’\"«»”]|\.\.\.|  | [?!:;]", ["„“"]),
        (
            "es",
            r"[’\"“”]|\.\.\.|  | [?!:;»]|« |\b(?:vuestr\w+|vosotros|ustedes|usted|\w+(?:áis|éis))\b",
            ["¿?", "¡!", "«»"],
        ),
    ],
)
def test_german_and_spanish_follow_one_typography(language: str, wrong: str, pairs: list[str]) -> None:
    """„Quotes“ there, «quotes» and ¿both ends? here, no space before a mark; Spanish addresses one person."""
    for form in map(_words, translations(language)):
        assert not re.search(wrong, form), form
        assert all(form.count(opening) == form.count(closing) for opening, closing in pairs), form


@EACH
def test_a_sentence_names_a_button_by_its_label_in_the_same_language(language: str) -> None:
    known, seen = entries(language), 0
    called = [(_label(key), _label(known[key].string)) for key in used() if isinstance(key, str)]
    for key, entry in known.items():
        for label in re.findall(r"(?:“|(?<!\*)\*)([^*“”{}]+)(?:”|\*(?!\*))", key if isinstance(key, str) else key[1]):
            meant = {own for one, own in called if one == _label(label)}
            seen += bool(meant)
            assert not meant or all(any(own in form for own in meant) for form in forms(entry)), key
    assert seen > 10


def _words(form: str) -> str:
    """What is typed by hand: neither code, nor times, nor what is filled in."""
    return re.sub(r"`[^`]*`|<[^>]*>|\{[^}]*\}", "X", form)


def _label(text: str) -> str:
    """A label without the emoji and the signs that it begins with."""
    return re.sub(r"^[^\w¿¡]+", "", text)


def test_french_has_no_word_before_a_name_that_would_need_elision() -> None:
    """« de Ana » is wrong and « d'Léa » too: a sentence has its names where no « de », « que » or « le » stands before.

    Seasons, ranks and the like are the bot's own words, and never begin with a vowel.
    """
    names = "name|names|asker|caller|accused|viewer|members|people|partners|team|teams|target|who|awaited"
    elide = re.compile(rf"\b(de|que|le|la|du|au|jusque|lorsque|puisque|si|je|ne|se)\s\**{{({names})}}", re.IGNORECASE)
    # A target is a number of points there, and a number has no article to cut short.
    assert [form for form in translations("fr") if elide.search(form.replace("les {target}", ""))] == []


def test_english_follows_one_typography() -> None:
    told = [part for key in used() for part in (key if isinstance(key, tuple) else (key,))]
    assert [part for part in told if re.search(r"[’\"]|\.\.\.|  | [?!:;]", part)] == []


def test_every_message_is_a_literal_that_babel_finds() -> None:
    """Babel does not look into f-strings; a message built at run time cannot be translated."""
    files = [*(ROOT / "discord").rglob("*.py"), *(ROOT / "ui").rglob("*.py")]
    assert len(files) > 50
    for path in files:
        _check_messages(path)


def test_every_field_of_a_message_is_filled_in() -> None:
    """In English, too: a field that is forgotten there raises KeyError, and is shown as `{name}` where all are."""
    seen = 0
    for path in (ROOT / room for room in ("discord", "ui", "site")):
        for each in path.rglob("*.py"):
            seen += _check_fields(each)
    assert seen > 450


def _check_fields(path: Path) -> int:
    """How many calls were checked: those whose messages are literals, and whose fields are named one by one."""
    source, seen = path.read_text(encoding="utf-8"), 0
    for call in calls_of(path):
        forms = {"t": 1, "n": 2}.get(_called(call), 0)
        messages = [arg.value for arg in call.args[:forms] if isinstance(arg, ast.Constant)]
        given: set[str | None] = {keyword.arg for keyword in call.keywords}
        if messages and None not in given:
            named = set().union(*map(fields, messages)) - ({"count"} if forms > 1 else set())
            needed = {name for name in named if not name.startswith("/")}  # commands name themselves
            is_filled_later = not given and ".format(" in source
            assert given == needed or is_filled_later, ast.unparse(call)
            seen += 1
    return seen


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _check_messages(path: Path) -> None:
    known = used()
    for node in calls_of(path):
        if not node.args:
            continue
        name = _called(node)
        first = node.args[0]
        if name in KEYWORDS and isinstance(first, ast.Constant):
            texts = [arg.value for arg in node.args[: 2 if name == "n" else 1] if isinstance(arg, ast.Constant)]
            assert (tuple(texts) if name == "n" else texts[0]) in known, ast.unparse(node)
        elif name in KEYWORDS:
            assert not isinstance(first, ast.JoinedStr | ast.BinOp), ast.unparse(node)
