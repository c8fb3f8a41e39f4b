"""Translations: gettext catalogues, read once and compiled in memory. The English text is the key of a message.

`make texts` collects new sentences; a message inside an f-string is not found: give it to `t` first.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from io import BytesIO
from typing import Final

import discord
from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from bot.discord.text.command_names import IN_SENTENCE, link_to, path_of


@dataclass(frozen=True, slots=True)
class Language:
    """What neither the catalogues nor Babel know about a language.

    - `discord`: its main locale on Discord.
    - `ranks`: the ranks on French cards that differ from their codes, by code.
    - `delimiter`: separates the cells of a CSV file.
    - `first_day`: how dates write the first day of a month.
    - `before_i`: the word for "and" before a word that begins with the sound of an i; None if it is no other.
    """

    discord: str
    ranks: Mapping[str, str]
    delimiter: str
    first_day: str = "1"
    before_i: str | None = None


ENGLISH: Final = "en"
"""The language of the messages in the code, and of readers whose language the bot does not speak."""
LANGUAGES: Final[Mapping[str, Language]] = {
    "fr": Language(discord="fr", ranks={"T": "10", "J": "V", "Q": "D", "K": "R"}, delimiter=";", first_day="1er"),
    ENGLISH: Language(discord="en-US", ranks={"T": "10"}, delimiter=","),
    "de": Language(discord="de", ranks={"T": "10", "J": "B", "Q": "D"}, delimiter=";"),
    "es": Language(discord="es-ES", ranks={"T": "10"}, delimiter=";", before_i="{first} e {last}"),
}
"""The languages by their ISO 639 codes, in the order in which they are offered."""


def language_of(locale: object) -> str:
    """Return the bot's language for a locale of Discord, such as `es-419`; English if the bot does not speak it."""
    return supported_language(locale) or ENGLISH


def supported_language(locale: object) -> str | None:
    """Return the bot's language for a locale of Discord; None if the bot does not speak it."""
    sent = getattr(locale, "value", locale)  # of a `discord.Locale`, what Discord sent, of any type
    code = str(sent or "").lower().split("-", maxsplit=1)[0]
    return code if code in LANGUAGES else None


KEYWORDS: Final[dict[str, tuple[int, ...] | None]] = {"t": None, "n": (1, 2), "mark": None}
"""The functions whose arguments are messages, in the form of Babel's keywords."""

_FIRST_DAY: Final = re.compile("(?<!\\d)1(?=[ –])")
_CODE: Final = re.compile("(`[^`]*`)")
_NARROW: Final = re.compile(" (?=[!?;])")
_WIDE: Final = re.compile("(?<=«) | (?=[:»%])")


class Texts:
    """The sentences of the language `locale`; a sentence that its catalogue lacks is English."""

    def __init__(self, locale: str) -> None:
        self.locale = locale
        self._sentences, self._plurals = _catalogue(locale)

    def t(self, message: str, /, **fields: object) -> str:
        """Return the message in this language with its `{fields}` filled in; `{/key}` stands for a command."""
        found = self._sentences.get(message, message)
        if "{/" in found:
            found = self._with_commands(found)
        return found.format(**fields) if fields else found

    def n(self, singular: str, plural: str, count: int, /, **fields: object) -> str:
        """Return the form of a message for `count`, in this language, with its fields and `{count}` filled in."""
        found = self._plurals.ngettext(singular, plural, count)
        return self._with_commands(found).format(count=count, **fields)

    def command(self, key: str) -> str:
        """Return a command as markdown: a link if its id is known, else its name in this language as inline code."""
        return link_to(key) or f"`/{self.command_name(key)}`"

    def command_name(self, key: str) -> str:
        """Return a command's name in this language: `kems ouvrir`."""
        return " ".join(self._sentences.get(word, word) for word in path_of(key).split())

    def _with_commands(self, sentence: str) -> str:
        return IN_SENTENCE.sub(lambda at: self.command(at[1]), sentence)

    def decimal(self, number: float, most: int = 3) -> str:
        """Return a number in this language with at most `most` decimals: `8,333`, `2.5`, `15`."""
        return format_decimal(number, "0." + "#" * most, locale=self.locale)

    def date(self, written: str) -> str:
        """Return dates that Babel has formatted, with the first of a month as the language writes it: `1er déc.`."""
        return _FIRST_DAY.sub(LANGUAGES[self.locale].first_day, written)

    def language_name(self, code: str) -> str:
        """Return the name of a language in this language: `français`, `French`."""
        name = Locale(code).get_display_name(self.locale)
        assert name is not None, "Babel names every language in every other"
        return name


def non_breaking(words: str) -> str:
    """Return the words with non-breaking spaces in place of their spaces."""
    return words.replace(" ", "\u00a0")


def mark(message: str) -> str:
    """Return the message unchanged; this marks it for the catalogues if it is translated elsewhere."""
    return message


def texts_for(locale: discord.Locale | str | None) -> Texts:
    """Return the texts for a locale of Discord or a language's code; English for None."""
    return _texts(language_of(locale))


@cache
def _texts(language: str) -> Texts:
    return Texts(language)


@cache
def _catalogue(language: str) -> tuple[Mapping[str, str], NullTranslations]:
    if language == ENGLISH:
        return {}, NullTranslations()
    source = resources.files("bot").joinpath("locales", language, "LC_MESSAGES", "kems.po")
    catalogue = read_po(BytesIO(source.read_bytes()), locale=language)
    sentences = {}
    for entry in [*catalogue]:
        if not isinstance(entry.id, str):
            entry.string = tuple(map(with_fixed_spaces, entry.string or ()))
        elif entry.id:  # the empty message has the catalogue's head
            if entry.string and not entry.fuzzy:
                sentences[entry.id] = with_fixed_spaces(str(entry.string))
            catalogue.delete(entry.id)  # only plurals are compiled
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return sentences, GNUTranslations(compiled)


def with_fixed_spaces(sentence: str) -> str:
    """Return the sentence with non-breaking spaces beside `! ? ; : » « %`, so that no line begins or ends with one.

    Only French has spaces beside all of them: narrow ones (U+202F) before `! ? ;`, wide ones (U+00A0) elsewhere. Code
    is left as it is, since people copy it.
    """
    parts = _CODE.split(sentence)  # every second one is code
    parts[::2] = [_WIDE.sub("\u00a0", _NARROW.sub("\u202f", part)) for part in parts[::2]]
    return "".join(parts)
