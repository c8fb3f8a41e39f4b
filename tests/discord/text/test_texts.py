"""Languages: who gets which, plurals, and texts that stay texts."""

import re
from datetime import UTC, date, datetime
from typing import Any, Final

import discord
import pytest
from babel.dates import format_date

from bot.discord.api.refusals import STORE_ERROR
from bot.discord.text.picture_words import days
from bot.discord.text.texts import LANGUAGES, Texts, language_of, texts_for, with_fixed_spaces
from bot.game.checks.refusals import Code
from bot.game.rules.house_rules import RuleProblem, RulesError, check_table, override, preset, read_name, read_rules
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table_actions import TableRefusalCode
from bot.ui.words.refusals import lobby_refusal_text, refusal_text, rules_error_text
from tests.together import together
from tests.ui.catalogues import entries, forms
from tests.ui.walk import BOTH, EN, EVERY, FR


@together(("locale", "language"), [
    (discord.Locale.french, "fr"),
    (discord.Locale.american_english, "en"),
    (discord.Locale.german, "de"),
    (discord.Locale.spain_spanish, "es"),
    (discord.Locale.latin_american_spanish, "es"),
    (discord.Locale.italian, "en"),
    ("fr", "fr"),
    ("fr-CA", "fr"),
    ("FR", "fr"),
    ("frr", "en"),
    ("", "en"),
    (None, "en"),
])  # fmt: skip
def test_readers_get_their_language_or_english(locale: discord.Locale | str | None, language: str) -> None:
    assert language_of(locale) == language
    assert texts_for(locale).locale == language


def test_a_locale_of_another_type_is_read_in_english() -> None:
    sent: Any = {"language": "fr"}  # the fuzz test of events has tried it
    unknown = discord.enums.try_enum(discord.Locale, sent)
    assert texts_for(unknown) is texts_for("en-US")


def test_plurals_follow_the_language() -> None:
    def cards_of(texts: Texts, count: int) -> str:
        return texts.n("{count} card", "{count} cards", count)

    assert [cards_of(EN, count) for count in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [cards_of(FR, count) for count in (0, 1, 2)] == ["0 carte", "1 carte", "2 cartes"]


def test_decimals_follow_the_language() -> None:
    assert [EN.decimal(number) for number in (25 / 3, 2.5, 1000)] == ["8.333", "2.5", "1000"]
    assert [FR.decimal(number) for number in (25 / 3, 2.5, 1000)] == ["8,333", "2,5", "1000"]


@pytest.mark.parametrize(
    ("code", "first"), [("fr", "1er nov. 2026"), ("en", "Nov 1, 2026"), ("de", "01.11.2026"), ("es", "1 nov 2026")]
)
def test_the_first_of_a_month_is_written_as_the_language_does(code: str, first: str) -> None:
    texts = texts_for(code)
    assert texts.date(format_date(date(2026, 11, 1), "medium", code)) == first
    others = [format_date(date(2021, month, day), "medium", code) for month in range(1, 13) for day in range(2, 29)]
    assert [texts.date(one) for one in others] == others


def test_two_dates_in_one_sentence_write_the_first_of_a_month() -> None:
    november, december = (round(datetime(2026, month, 1, 12, tzinfo=UTC).timestamp() * 1000) for month in (11, 12))
    assert days(november, december, "Europe/Paris", texts_for("fr")) == "1er nov. – 1er déc. 2026"


def test_languages_are_named_in_the_readers_language() -> None:
    assert [FR.language_name(code) for code in LANGUAGES] == ["français", "anglais", "allemand", "espagnol"]
    assert [EN.language_name(code) for code in LANGUAGES] == ["French", "English", "German", "Spanish"]


def test_every_language_belongs_to_its_discord_locale() -> None:
    assert {code: language_of(discord.Locale(language.discord)) for code, language in LANGUAGES.items()} == {
        code: code for code in LANGUAGES
    }


def test_no_french_line_begins_with_a_punctuation_mark() -> None:
    french = Texts("fr")
    assert french.t("Delete “{name}”?", name="jeudi") == "Supprimer «\u00a0jeudi\u00a0»\u202f?"
    assert french.t("Your sign: {sign}", sign="a : b") == "Votre signe\u00a0: a : b"
    signs = (
        "{count} sign was found: write as many new ones.",
        "{count} signs were found: write as many new ones, with commas between them.",
    )
    assert [french.n(*signs, count).partition(" : ")[1] for count in (1, 2)] == [""] * 2
    for entry in entries("fr").values():
        for form in map(with_fixed_spaces, forms(entry)):
            assert not re.search("[ \n][!?;:»%]|« ", re.sub("`[^`]*`", "", form)), form


def test_code_is_copied_as_it_is() -> None:
    assert with_fixed_spaces("Kem's ! `a : b ?` ; `c !` : d !") == "Kem's\u202f! `a : b ?`\u202f; `c !`\u00a0: d\u202f!"


def test_user_text_is_filled_in_unchanged() -> None:
    assert FR.t("{name} deals", name="{0} {name} %s") == "{0} {name} %s distribue"


@EVERY
def test_every_refusal_has_its_own_line(texts: Texts) -> None:
    codes = {*Code, *TableRefusalCode} - {TableRefusalCode.SWEEP_SOON}  # a countdown in the place of a button
    lines = [refusal_text(code, texts) for code in codes]
    lines += [lobby_refusal_text(LobbyRefusal(code), texts) for code in LobbyCode]
    lines.append(texts.t(STORE_ERROR))
    assert len(set(lines)) == len(lines)
    assert all(line.endswith(".") and "\n" not in line and len(line) < 100 for line in lines)


_NO_TWO = "counter_two=counts counter_of_two=0 double_counters=yes double_counter=0 false_double_counter=0"
TRIES: Final = {
    RuleProblem.UNKNOWN_PRESET: lambda: preset("poker"),
    RuleProblem.UNKNOWN_AXIS: lambda: override(preset("classic"), {"jump": "1"}),
    RuleProblem.BAD_VALUE: lambda: override(preset("classic"), {"deck": "33"}),
    RuleProblem.BAD_NUMBER: lambda: override(preset("classic"), {"target": "many"}),
    RuleProblem.BAD_WORD: lambda: read_rules("classic target"),
    RuleProblem.TWICE: lambda: read_rules("target=2 target=3"),
    RuleProblem.BAD_NAME: lambda: read_name("classic"),
    RuleProblem.NO_EFFECT: lambda: read_rules("chain=4"),
    RuleProblem.LEAD: lambda: read_rules("win_by=11"),
    RuleProblem.NO_POINTS: lambda: read_rules("kems=0 double_kems=0 counter=0 false_kems=0 false_double=0 " + _NO_TWO),
    RuleProblem.PLAYERS: lambda: check_table(preset("classic"), 5),
    RuleProblem.TEAMS: lambda: check_table(override(preset("classic"), {"team_size": "3"}), 4),
    RuleProblem.DECK_TOO_SMALL: lambda: check_table(preset("classic"), 8),
}


@BOTH
@together("problem", RuleProblem)
def test_every_rule_problem_has_a_sentence(problem: RuleProblem, texts: Texts) -> None:
    with pytest.raises(RulesError) as refused:
        TRIES[problem]()
    assert refused.value.problem is problem
    sentence = rules_error_text(refused.value, texts)
    assert sentence.endswith(".")
    assert (sentence == rules_error_text(refused.value, EN)) is (texts is EN)
