"""Discord's error codes: which may pass, and what people read of each."""

import re

import pytest

from bot.discord.api.error_codes import KNOWN, ErrorCode, Resource, code_of, may_pass
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.text.texts import LANGUAGES, texts_for
from tests.discord.fakes import refused

PAGE = "<!DOCTYPE html><title>Access denied</title>"


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (TimeoutError(), True),
        (ConnectionResetError(), True),
        (refused(429), True),
        (refused(503), True),
        (refused(400, ErrorCode.OVERLOADED), True),
        (refused(403, ErrorCode.MISSING_PERMISSIONS), False),
        (refused(400, 1), False),
        (refused(403, 0, PAGE), True),
    ],
)
def test_an_error_is_temporary_when_discord_is_unreachable_or_has_an_outage(error: Exception, *, passes: bool) -> None:
    assert may_pass(error) is passes


def test_a_code_that_is_not_listed_is_not_known() -> None:
    assert code_of(refused(404, 10008)) is ErrorCode.UNKNOWN_MESSAGE
    assert code_of(refused(404, 1)) is code_of(TimeoutError()) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_refusal_is_a_sentence_about_what_was_asked_for(language: str) -> None:
    texts = texts_for(language)
    for asked in Resource:
        for code in (0, 1, *ErrorCode):
            words = DiscordRefusal(asked, code, "They said so").words(None, texts, 5)
            assert words
            assert "{" not in words
            assert "None" not in words
            has_sentence = code in KNOWN and asked in KNOWN[code].sentences
            assert (f"They said so ({code})" in words) is not has_sentence


def test_the_words_of_discord_mention_nobody_and_are_no_markdown() -> None:
    refusal = DiscordRefusal.of(Resource.MESSAGE, refused(400, 1, "*Nobody* @everyone <@1> [here](https://x.test)"))
    words = refusal.words(None, texts_for("en"), 5)
    assert words.startswith("Discord refuses: ")
    assert words.endswith(" (1)")
    assert not re.search(r"\*Nobody\*|@everyone|<@1>|https://", words)


@pytest.mark.parametrize(
    ("said", "words"),
    [("Invalid Form Body", "mistake of mine"), ("emoji: Invalid emoji", "An emoji"), ("Role", "A role")],
)
def test_a_rejected_body_is_a_bug_unless_it_names_something_deleted(said: str, words: str) -> None:
    assert words in DiscordRefusal.of(Resource.MESSAGE, refused(400, 50035, said)).words(None, texts_for("en"), 5)


def test_a_page_instead_of_json_is_not_quoted() -> None:
    assert DiscordRefusal.of(Resource.MESSAGE, refused(403, 0, PAGE)).words(None, texts_for("en"), 5) == (
        "Discord does not answer just now."
    )
