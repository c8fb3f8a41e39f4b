"""No sentence in any language names a suspicion: where points come from is told, and judged by people."""

import re

import pytest

from bot.discord.text.texts import ENGLISH, LANGUAGES
from tests.ui.catalogues import path_of, used

SUSPICIONS = {
    "en": r"suspic|suspect|cheat|collu|smurf|fraud|boost|second account|same person",
    "fr": r"soupç|suspect|trich|fraud|complic|second compte|deuxième compte|multicompte|même personne",
    "de": r"verdäch|verdacht|betrug|betrüg|schummel|zweitkonto|zweites konto|dieselbe person|absprach",
    "es": r"sospech|tramp|fraud|cómplic|segunda cuenta|misma persona",
}


@pytest.mark.parametrize("language", SUSPICIONS)
def test_no_sentence_about_points_accuses_anybody(language: str) -> None:
    said = [str(one) for one in used()]
    if language != ENGLISH:
        said = [line for line in path_of(language).read_text("utf-8").splitlines() if line.startswith("msgstr")]
    assert len(said) > 1000
    assert [one for one in said if re.search(SUSPICIONS[language], one.casefold())] == []


def test_the_check_covers_every_language() -> None:
    assert SUSPICIONS.keys() == LANGUAGES.keys()
