"""What the sentences say: one word for one thing, labels as they are written, teams, quotes and colons."""

import re
from functools import cache

import pytest

from bot.discord.text.texts import texts_for
from bot.ui.words.table_text import join_words
from tests.ui.catalogues import entries, translations, used
from tests.ui.test_catalogues import EACH, labels

YES_AND_NO = {"de": ("ja", "nein"), "es": ("sí", "no"), "fr": ("oui", "non")}
AVOIDED = {
    "fr": {
        r"\bcloche": "sonnette",
        r"[Ll]ongueur": "durée",
        r"poubelle": "défausse",
        r"même rang\b": "même valeur",
        r"\b[Ss]ur ce tableau|autre tableau": "classement",
        r"\bdonnées\. \{name\}": "distribuées",
        r"animateurs": "hôtes",
        r"\bcri(?:er|é)\b": "annoncer",
        r"\bsigner\b|avoir signé|\{team\} signe\b": "faire le signe",
        r"entre virgules": "séparés par des virgules",
        r"d'ici\b(?! là)": "de ce salon",
        r"C'est ainsi": "C'est le cas",
    },
    "de": {
        r"Jagd (?:ist|öffn)\w* (?:\w+ )?offen|(?<!r)öffne(?:t|n)? die Jagd|Jagd öffne": "eröffnen, eröffnet",
        r"Ereignis": "Event",
        r"Gastgeber": "Host",
        r"freundschaftlich|Freundschaftlich": "ungewertet",
        r"\bBerechtigung": "Recht",
        r"\bDoppelt!?$": "Doppel",
        r"\bLänge": "Dauer",
        r"der Schlange": "Warteschlange",
        r"\bverlangt, was|gerade (?:oft|viel) verlangt|vorher verlangt": "Anfrage",
        r"ohne Druck": "ohne Tippen",
        r"Ankläger": "wer beschuldigt hat",
        r"\bContres?\b": "Kontra",
        r"\bim Durchgang \d": "in Durchgang 2",
    },
    "es": {
        r"velada": "noche",
        r"asiento": "lugar",
        r"(?<!letras o )\bcifras\b": "estadísticas",
        r"[Pp]elícula": "vídeo",
        r"almacén": "datos",
        r"tienes inscripción|Tu inscripción|Inscripción hecha": "inscribirse",
        r"\b[Ll]os cuatro\b": "las cuatro",
        r"[Tt]u imagen": "tu avatar",
        r"(?:Esta|Otra|🏆) [Tt]abla\b": "clasificación",
        r"\b[Pp]or \{days\} días": "durante",
    },
}
"""A word, and the term that stands for the same thing everywhere else."""
UNIDIOMATIC = {
    r"\b(?:third|three|four) alike\b": "of a kind",
    r"\bmay (?:open|take) no\b|\bopens no\b|\btakes no\b": "not allowed to, won't",
    r" already\.$": "before the last word",
    r"\bthose who manage\b": "server managers",
    r"\bfor nothing\b|\bin vain\b": "wrongly",
    r"\bstands? still\b": "stop",
    r"\bby so much\b|\blook no more\b|\byou can again\b": "as an English player says it",
    r"\bin this server yet, from\b": "",
}
"""Wordings of the keys that no English player uses, and what is said instead."""


@cache
def messages() -> list[str]:
    return sorted(key for key in used() if isinstance(key, str))


def switches() -> list[str]:
    return [key.removesuffix(": no") for key in messages() if key.endswith(": no")]


def known_labels(language: str) -> list[tuple[str, str, str]]:
    """Labels that begin with a picture: the key of one, its translation, and that of a message that calls it."""
    known = entries(language)
    pictured = [key for key in labels() if re.match(r"[^\w\s*«“]+ \w", key)]
    return [
        (label, known[label].string, known[key].string)
        for label in pictured
        for key in messages()
        if key != label and label in key
    ]


def called_whole(label: str, sentence: str) -> bool:
    """Whether a sentence has a label whole: `🤫 Zeichen` is not in `🤫 Zeichen…`."""
    return bool(re.search(re.escape(label) + ("" if label.endswith("…") else "(?!…)"), sentence))


def without_quotes(form: str) -> str:
    return re.sub(r"[«„“]\s?¡?Kem's\s?!\s?[»“”]", "", form)


def sentences(form: str) -> list[str]:
    """The sentences of one message, without code and without a heading in bold."""
    plain = re.sub(r"`[^`]*`|<[^>]*>", "X", form)
    return re.split(r"(?<=[.!?…])\s", re.sub(r"\*\*[^*]*\*\*\s?:", "", plain))


def has_two_colons(sentence: str) -> bool:
    return len(re.findall(r":(?=\s)", sentence)) > 1 and not re.search("[=·]", sentence)


@EACH
def test_each_concept_has_one_word(language: str) -> None:
    found = [
        f"{form}  [{term}]"
        for form in translations(language)
        for word, term in AVOIDED[language].items()
        if re.search(word, form)
    ]
    assert found == []


@EACH
def test_the_two_labels_of_a_switch_differ_only_in_yes_and_no(language: str) -> None:
    known, (yes, no) = entries(language), YES_AND_NO[language]
    pairs = [(f"{switch}: no", f"{switch}: yes") for switch in switches() if f"{switch}: yes" in known]
    states = [(known[off].string, known[on].string) for off, on in pairs]
    assert states
    assert [each for each in states if each[0].removesuffix(no) != each[1].removesuffix(yes)] == []


@EACH
def test_messages_with_equal_beginnings_in_english_have_equal_beginnings_in_translation(language: str) -> None:
    """`The cards are dealt.` and `The cards are dealt. {name} opens the hunt.`"""
    known = entries(language)
    whole = [key for key in messages() if key.endswith(".") and len(key) > 12]
    pairs = [(short, long) for short in whole for long in messages() if long.startswith(f"{short} ")]
    told = [(str(known[short].string), str(known[long].string)) for short, long in pairs]
    assert told
    assert [(short, long) for short, long in told if not long.startswith(short)] == []


@EACH
def test_a_sentence_names_a_button_with_an_emoji_exactly_as_it_is_labelled(language: str) -> None:
    told = known_labels(language)
    assert told
    assert [each for each in told if not called_whole(*each[1:])] == []


@pytest.mark.parametrize("language", ["fr", "es"])
def test_no_preposition_stands_before_a_team_whose_article_is_missing(language: str) -> None:
    """« contre Équipe 2 », «a Equipo 2»: a team stands alone, after a colon or as the subject."""
    before = re.compile(r"\b(?:contre|accusé|contra|a|de|à)\s\**{(?:accused|team)}")
    assert [form for form in translations(language) if before.search(form)] == []


@EACH
def test_a_spoken_word_has_its_quotes_inside_a_sentence(language: str) -> None:
    """Its `!` would end the sentence: « Kem's ! » avant que …, „Kem's!“, bevor …, «¡Kem's!» antes …"""
    spoken = re.compile(r"Kem's\s?!(?:,|\s+[a-zà-ÿ])")
    assert [form for form in translations(language) if spoken.search(without_quotes(form))] == []


@EACH
def test_a_sentence_has_one_colon(language: str) -> None:
    assert [form for form in translations(language) if any(map(has_two_colons, sentences(form)))] == []


def test_a_single_name_is_introduced_in_the_singular() -> None:
    """`these permissions: {names}` is shown with one name, too."""
    many = re.compile(r"\bthese (?:\w+ )+(?:in [^:]*)?: ?\{names\}|these permissions[^:]*: \{names\}")
    assert [key for key in messages() if many.search(key)] == []


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (["Ana", "Bruno"], "Ana y Bruno"),
        (["Ana", "Inés"], "Ana e Inés"),
        (["Ana", "Hilario"], "Ana e Hilario"),
        (["Ana", "Hielo"], "Ana y Hielo"),
    ],
)
def test_a_spanish_list_has_e_when_its_last_name_begins_with_an_i(names: list[str], line: str) -> None:
    assert join_words(names, texts_for("es")) == line


def test_english_is_idiomatic() -> None:
    told = [part for key in used() for part in (key if isinstance(key, tuple) else (key,))]
    found = [f"{part}  [{say}]" for part in told for word, say in UNIDIOMATIC.items() if re.search(word, part)]
    assert sorted(found) == []
