"""`make texts`: brings the catalogues up to date with the messages of the code, sorted by message.

Neither dates nor places in the code are written, so that a changed sentence is a small diff. A new sentence has no
translation yet; one that resembles a former sentence has that one's, marked as fuzzy until a person has looked at it.
"""

from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from discord.app_commands import Command

import bot.compose  # all rooms
from bot.conditions import CONDITIONS
from bot.discord.interactions.feature import CommandSet
from bot.discord.text.command_names import GROUPS, MANAGERS, PLAYERS
from bot.discord.text.command_names import path_of as path_of_command
from bot.discord.text.texts import ENGLISH, KEYWORDS, LANGUAGES
from bot.game.rules.rules import AXES
from bot.game.value import Choice, Sentence, Worded
from bot.ladder.columns import COLUMNS
from bot.nights.formats import FORMATS
from bot.records.history import MATCH_COLUMNS

ROOT = Path(bot.__file__).parent
TRANSLATED = tuple(code for code in LANGUAGES if code != ENGLISH)
IN_WORK: frozenset[str] = frozenset()
"""Languages whose catalogues may have gaps; what is missing there is shown in English."""
Id = str | tuple[str, ...]
_WIDTH = 1000  # one line for each message


def path_of(language: str) -> Path:
    """Where the catalogue of a language lies."""
    return ROOT / "locales" / language / "LC_MESSAGES" / "kems.po"


@cache
def used() -> frozenset[Id]:
    """Return every message of `discord`, `ui` and `site`, the words of other rooms' values and commands' names.

    A message with a plural is a pair.
    """
    how = {"method_map": [("**.py", "python")], "keywords": KEYWORDS}
    sentences = (each.value for kind in Sentence.__subclasses__() for each in kind)
    words = {each.words for kind in (*Worded.__subclasses__(), *Choice.__subclasses__()) for each in kind}
    values = (value for kind in CommandSet.__subclasses__() for value in vars(kind).values())
    commands = (value for value in values if isinstance(value, Command))
    words |= {word for command in commands for word in path_of_command(command.extras["key"]).split()}
    words -= {PLAYERS, MANAGERS}
    words |= {*GROUPS.values()}
    columns = {
        key_of(each if each[1:] else each[0]) for column in COLUMNS for each in (column.words, column.feat) if each
    }
    columns |= {word for column in MATCH_COLUMNS for word in column.words.values()}
    columns |= {word for form in FORMATS.values() for word in (form.title, form.sentence, form.night_title)}
    conditions = ((row.title, row.refusal, row.public_text) for row in CONDITIONS)
    columns |= {key_of(each) for texts in conditions for each in texts if each}
    choices = (choice for kind in Choice.__subclasses__() for choice in kind)
    labels = {each.label for each in (*AXES.values(), *choices)}
    found = chain.from_iterable(extract_from_dir(ROOT / room, **how) for room in ("discord", "ui", "site"))
    return frozenset({key_of(message) for _, _, message, _, _ in found}.union(sentences, words, labels, columns) - {""})


def key_of(message: object) -> Id:
    """Return a message; if it has a plural, as the pair of its singular and its plural."""
    return (str(message[0]), str(message[1])) if isinstance(message, tuple | list) else str(message)


def catalogue(language: str) -> Catalog:
    """Return the catalogue of a language."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


@cache
def entries(language: str) -> dict[Id, Message]:
    """Return the entries of a catalogue, by message."""
    return {key_of(entry.id): entry for entry in catalogue(language) if entry.id}


def forms(entry: Message) -> list[str]:
    """Return the translation of an entry, or all its plural forms."""
    return [entry.string] if isinstance(entry.string, str) else list(entry.string)


def translations(language: str) -> list[str]:
    """Return all translated sentences of a catalogue, including each form of a plural."""
    return [form for entry in entries(language).values() for form in forms(entry)]


def untranslated(language: str) -> list[Id]:
    """Return the messages without a translation, or whose translation a person has to check."""
    return [key for key, entry in entries(language).items() if entry.fuzzy or not all(forms(entry))]


def merged(language: str, written: str) -> str:
    """A catalogue as `make texts` writes it, made from the text that it has now; "" for none yet."""
    known = read_po(BytesIO(written.encode()), locale=language)
    template = Catalog()
    for message in used():
        template.add(message)
    known.update(template)
    known.obsolete.clear()
    for entry in known:
        entry.flags.discard("python-format")  # Babel's guess where a % is just that
    body = BytesIO()
    write_po(body, known, width=_WIDTH, no_location=True, omit_header=True, sort_output=True)
    return _head(known, language) + body.getvalue().decode()


def main() -> None:
    """Write every catalogue, and say which sentences wait for a translation."""
    for language in TRANSLATED:
        path = path_of(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        written = merged(language, path.read_text(encoding="utf-8") if path.exists() else "")
        path.write_text(written, encoding="utf-8")
        missing = untranslated(language)
        if language in IN_WORK:
            print(f"{language}: {len(missing)} sentences wait for a translation")
            continue
        for key in missing:
            print(f"{language}: {key}")


def _head(catalogue: Catalog, language: str) -> str:
    name = Locale.parse(language).get_display_name(ENGLISH)
    return (
        f"# The sentences of Kem's in {name}; `make texts` keeps this file up to date and sorted.\n"
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n'
        f'"Plural-Forms: {catalogue.plural_forms}\\n"\n'
        '"MIME-Version: 1.0\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Content-Transfer-Encoding: 8bit\\n"\n\n'
    )


if __name__ == "__main__":
    main()
