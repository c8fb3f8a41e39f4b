"""Discord's error codes: which may pass, and what people read of each."""

import pytest

from bot.discord.api.error_codes import Asked, ErrorCode, code_of, may_pass
from bot.discord.places.refusals import Refusal
from bot.discord.text.texts import LANGUAGES, texts_for
from tests.discord.fakes import refused


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
    ],
)
def test_trying_again_helps_where_discord_is_out_of_reach_or_out_of_order(error: Exception, *, passes: bool) -> None:
    assert may_pass(error) is passes


def test_a_code_that_is_not_listed_is_none() -> None:
    assert code_of(refused(404, 10008)) is ErrorCode.UNKNOWN_MESSAGE
    assert code_of(refused(404, 1)) is code_of(TimeoutError()) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_refusal_is_a_sentence_about_what_was_asked_for(language: str) -> None:
    texts = texts_for(language)
    for asked in Asked:
        for code in (0, 1, *ErrorCode):
            words = Refusal(asked, code, "They said so").words(None, texts, 5)
            assert words.count("They said so") == 1
            assert "{" not in words
            assert "None" not in words
