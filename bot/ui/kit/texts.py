"""Translations: gettext catalogues, read once and compiled in memory. Knows languages, not the game.

The catalogues' test says what is missing or left over; Babel brings them up to date, French is then filled in by hand:

    pybabel extract -k t -k n:1,2 -k mark --no-default-keywords --no-location --sort-by-file -w 1000 -o kems.pot bot/ui
    pybabel update -i kems.pot -d bot/locales -D kems -w 1000 --no-fuzzy-matching --ignore-obsolete

A message inside an f-string is not found by Babel: give it to `t` first.
"""

from functools import cache
from gettext import GNUTranslations
from importlib import resources
from io import BytesIO
from typing import Final, Literal

import discord
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

Language = Literal["fr", "en"]
LANGUAGES: Final[tuple[Language, ...]] = ("fr", "en")
KEYWORDS: Final[dict[str, tuple[int, ...] | None]] = {"t": None, "n": (1, 2), "mark": None}


class Texts:
    """The sentences of one language. Messages are looked up by their English text."""

    def __init__(self, locale: Language) -> None:
        self.locale: Language = locale
        self._catalogue = _catalogue(locale)

    def t(self, message: str, /, **fields: object) -> str:
        """The message in this language, its `{fields}` filled in."""
        return self._catalogue.gettext(message).format(**fields)

    def n(self, singular: str, plural: str, count: int, /, **fields: object) -> str:
        """The form that goes with `count`, which also fills `{count}`."""
        return self._catalogue.ngettext(singular, plural, count).format(count=count, **fields)

    def decimal(self, number: float, most: int = 3) -> str:
        """A number as the language writes it, with so many decimals at most: `8,333`, `2.5`, `15`."""
        return format_decimal(number, "0." + "#" * most, locale=self.locale)


def mark(message: str) -> str:
    """Name a message for the catalogues where it is only looked up later."""
    return message


def locale_of(locale: discord.Locale | str | None) -> Language:
    """The language we speak to somebody whose Discord is set so: French for French, English for all others."""
    return "fr" if str(locale or "").lower().split("-")[0] == "fr" else "en"


@cache
def texts_for(locale: discord.Locale | str | None) -> Texts:
    """The texts for a Discord locale."""
    return Texts(locale_of(locale))


@cache
def _catalogue(language: Language) -> GNUTranslations:
    source = resources.files("bot").joinpath("locales", language, "LC_MESSAGES", "kems.po")
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(source.read_bytes()), locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)
