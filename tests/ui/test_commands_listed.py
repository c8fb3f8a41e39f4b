"""The names of commands: those that Discord gets, the tables of the papers, and what sentences and pages call them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.base.settings import Settings
from bot.compose import build_client
from bot.discord.gateway.command_tree import CatalogueTranslator
from bot.discord.text.command_names import GROUPS, IN_SENTENCE, PATHS, path_of, register_ids
from bot.discord.text.texts import LANGUAGES, texts_for
from tests.command_lines import OF_GITHUB
from tests.ui.catalogues import IN_WORK, TRANSLATED, entries, forms
from tests.ui.test_catalogues import EACH

ROOT = Path(__file__).parents[2]
ALIKE = {"avatar", "format", "kems", "kems-admin", "page", "pause", "robots", "stats", "table"}
"""Names that are the same word in French."""
PROPER = {"Kem's", "Yokai", "CSV", "JSON", "Duos"}
"""Choices that are the same words in French."""


@dataclass(frozen=True, slots=True)
class Named:
    """A command, its options with a colon, or a choice of one: what it is called in English and in another language."""

    english: str
    own: str


@pytest.fixture
async def payloads(tmp_path: Path) -> list[Mapping[str, Any]]:
    """The commands as Discord gets them."""
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'kems.db'}", _env_file=None)
    client, translator = build_client(settings), CatalogueTranslator()
    return [await group.get_translated_payload(client.tree, translator) for group in client.groups]


def below(
    item: Mapping[str, Any], locale: str, above: Named | None = None
) -> Iterator[tuple[Named, Mapping[str, Any]]]:
    """The item, and all that is in it: each with its whole name, and itself."""
    name = named(item, locale)
    if above is not None:
        colon = ":" if item["type"] > 2 else ""
        name = Named(f"{above.english} {name.english}{colon}", f"{above.own} {name.own}{colon}")
    yield name, item
    for inner in item.get("options") or ():
        yield from below(inner, locale, name)


def named(item: Mapping[str, Any], locale: str) -> Named:
    return Named(item["name"], (item.get("name_localizations") or {}).get(locale, item["name"]))


def commands(payloads: list[Mapping[str, Any]], language: str) -> dict[str, str]:
    """What can be called, by its name in English: `/kems start`, and its options as `/kems start rules:`."""
    locale = LANGUAGES[language].discord
    found = (name for payload in payloads for name, item in below(payload, locale) if item.get("type", 1) != 2)
    return {f"/{name.english}": f"/{name.own}" for name in found if " " in name.english}


def mentioned(text: str, known: Mapping[str, str]) -> list[str]:
    """The commands and options that a text names, each as a key of `known`."""
    found = []
    for at in re.finditer(r"/kems\b", text):
        fitting = [name for name in known if re.match(re.escape(name) + r"(?!\w)", text[at.start() :])]
        assert fitting, f"no such command: {text[at.start() :][:60]}"
        found.append(max(fitting, key=len))
    return found


def test_every_name_is_french_for_french_readers(payloads: list[Mapping[str, Any]]) -> None:
    items = [item for payload in payloads for _, item in below(payload, "fr")]
    names = [named(item, "fr") for item in items]
    choices = [named(choice, "fr") for item in items for choice in item.get("choices") or ()]
    same = {name.english for name in names if name.english == name.own}
    assert not same - ALIKE, "translate these, or add them to ALIKE in tests/ui/test_commands_listed.py"
    assert same == ALIKE
    words = {choice.english for choice in choices if choice.english == choice.own}
    assert {word for word in words if not word.isdecimal()} == PROPER


def test_the_docs_list_every_command_by_both_names_and_no_other(payloads: list[Mapping[str, Any]]) -> None:
    papers = "".join((ROOT / name).read_text("utf-8") for name in ("docs/playing.md", "docs/hosting.md"))
    rows = re.findall(r"^\| (`/kems.*?) \| (.*?) \|", papers, re.MULTILINE)
    listed = [pair for row in rows for pair in zip(*map(in_cell, row), strict=True)]
    known = {english: french for english, french in commands(payloads, "fr").items() if not english.endswith(":")}
    assert dict(listed) == known, "each command has a row in a table of docs/playing.md or docs/hosting.md"
    assert len(listed) == len(dict(listed))


def in_cell(cell: str) -> list[str]:
    """The commands in a cell; what follows one in its cell replaces its last word."""
    first, *others = re.findall(r"`(.*?)`", cell)
    group = first.rpartition(" ")[0]
    return [first, *(other if other.startswith("/") else f"{group} {other}" for other in others)]


@EACH
def test_sentences_name_commands_by_key_and_show_the_readers_names(
    payloads: list[Mapping[str, Any]], language: str
) -> None:
    texts, seen = texts_for(language), set()
    for key, entry in entries(language).items():
        for sentence in (*([key] if isinstance(key, str) else key), *forms(entry)):
            assert "/kems" not in sentence, "a command is named by its key, as in {/start}"
            seen.update(IN_SENTENCE.findall(sentence))
    assert len(seen) > 15
    known = commands(payloads, language)
    for key in {*PATHS, *seen}:
        assert texts.command(key) == f"`{known[f'/{path_of(key)}']}`"
    register_ids([{"name": "kems", "id": "17"}, {"name": "another", "id": "18"}])
    assert texts.t("This table is gone: open a new one with {/start}.").endswith(
        ("</kems start:17>.", "</kems start:17>")
    )
    assert texts.command("config") == f"`{known['/kems-admin config']}`"


def test_every_file_names_only_existing_commands(payloads: list[Mapping[str, Any]]) -> None:
    """The pages but for the one of four languages, which is tested beside it; and what the code says of itself."""
    known = commands(payloads, "fr")
    both = {*known, *known.values(), *(f"/{group}" for group in GROUPS if " " in group)}
    pages = [path for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *OF_GITHUB) if path.name != "privacy.md"]
    texts = [path.read_text("utf-8") for path in (*pages, *ROOT.glob("bot/**/*.py"))]
    named = [line for text in texts for line in re.findall(r"(?<![\w/])/kems(?:-admin)? \w[^\n]*", text)]
    assert len(named) > 100
    for line in named:
        assert any(re.match(re.escape(name) + r"(?!\w)", line) for name in both), line


def test_there_is_room_for_more_commands(payloads: list[Mapping[str, Any]]) -> None:
    for payload in payloads:
        assert len(payload["options"]) <= 20


def test_the_privacy_page_names_commands_in_its_readers_language(payloads: list[Mapping[str, Any]]) -> None:
    pages = (ROOT / "docs" / "privacy.md").read_text("utf-8").split("\n---\n")
    meant = mentioned(pages[0], commands(payloads, "fr"))
    assert len(meant) > 5
    for language, page in zip(("fr", *sorted(set(TRANSLATED) - {"fr"})), pages[1:], strict=True):
        known = commands(payloads, language)
        assert mentioned(page, {name: name for name in known.values()}) == [known[name] for name in meant]


@pytest.mark.parametrize("locale", ["en-US", "fr", "de", "es-ES", "es-419"])
def test_names_and_descriptions_are_what_discord_takes(payloads: list[Mapping[str, Any]], locale: str) -> None:
    items = [item for payload in payloads for _, item in below(payload, locale)]
    assert len(items) > 70
    for item in items:
        name, described = named(item, locale).own, item.get("description_localizations") or {}
        description = described.get(locale, item["description"])
        assert 1 <= len(description) <= 100, description
        assert not re.search(" [!?;:»]", description), "a line that begins with a mark"
        assert re.fullmatch(r"[-\w]{1,32}", name), name
        assert name == name.lower(), f"{name} is a sentence of the catalogue, too: choose another English name"
        options, choices = [[named(one, locale).own for one in item.get(key) or ()] for key in ("options", "choices")]
        assert all(1 <= len(choice) <= 100 for choice in choices), name
        for offered in (options, choices):
            assert len(set(offered)) == len(offered) <= 25, name
        wanted = {LANGUAGES[language].discord for language in set(TRANSLATED) - IN_WORK}
        assert described.keys() >= wanted, f"{name}: run `make texts`, and translate its description"


def test_every_locale_of_a_language_has_its_names(payloads: list[Mapping[str, Any]]) -> None:
    for payload in payloads:
        for _, item in below(payload, "fr"):
            for told in ("name_localizations", "description_localizations"):
                found = item.get(told) or {}
                assert found.get("es-ES") == found.get("es-419"), item["name"]


def test_the_commands_of_saved_rules_stand_in_the_order_of_their_use(payloads: list[Mapping[str, Any]]) -> None:
    names = [name for name in commands(payloads, "fr") if name.startswith("/kems-admin rules ")]
    assert [name.removeprefix("/kems-admin rules ") for name in names] == [
        *("save", "save name:", "save text:", "list", "delete", "delete name:")
    ]
