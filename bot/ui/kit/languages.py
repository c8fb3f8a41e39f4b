"""The languages that the bot speaks: one row each. A third language is a row here and a catalogue in `bot/locales`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """What neither the catalogues nor Babel know of a language.

    `discord` is its main locale there. `ranks` are what French cards show, by the rank's code where it is another;
    `delimiter` separates the cells of a CSV file.
    """

    discord: str
    ranks: Mapping[str, str]
    delimiter: str


ENGLISH: Final = "en"
"""The language of the messages in the code, and of readers without a language of ours."""
LANGUAGES: Final[Mapping[str, Language]] = {
    "fr": Language(discord="fr", ranks={"T": "10", "J": "V", "Q": "D", "K": "R"}, delimiter=";"),
    ENGLISH: Language(discord="en-US", ranks={"T": "10"}, delimiter=","),
}
"""The languages by their ISO 639 codes, in the order in which they are offered."""


def language_of(locale: object) -> str:
    """The language for readers whose Discord is set to `locale`, such as `fr-CA`; English where none fits."""
    code = str(locale or "").lower().split("-", maxsplit=1)[0]
    return code if code in LANGUAGES else ENGLISH
