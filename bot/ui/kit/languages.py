"""The languages that the bot speaks: one row each. A third language is a row here and a catalogue in `bot/locales`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """What differs from language to language beside the sentences, which are in the catalogues.

    Babel knows the rest: plurals, decimals, dates, and what a language is called.
    """

    discord: str
    """The Discord locale that stands for the language where one has to be named; readers may have another of it."""
    ranks: Mapping[str, str]
    """What is written on a French card, by the rank's code, where it is not the code itself."""
    delimiter: str
    """What separates the cells of a CSV file for a spreadsheet in the language."""


ENGLISH: Final = "en"
"""The language of the messages in the code: it has no catalogue, and readers without a language of ours get it."""
LANGUAGES: Final[Mapping[str, Language]] = {
    "fr": Language(discord="fr", ranks={"T": "10", "J": "V", "Q": "D", "K": "R"}, delimiter=";"),
    ENGLISH: Language(discord="en-US", ranks={"T": "10"}, delimiter=","),
}
"""The languages by their ISO 639 codes, in the order in which they are offered."""


def language_of(locale: object) -> str:
    """The language for readers whose Discord is set to `locale`, such as `fr-CA`; English where none fits."""
    code = str(locale or "").lower().split("-", maxsplit=1)[0]
    return code if code in LANGUAGES else ENGLISH
