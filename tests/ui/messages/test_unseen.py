"""Every reason why a table cannot be shown is told in both languages, with what to do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.ui.kit.languages import LANGUAGES
from bot.ui.kit.texts import texts_for
from bot.ui.messages.unseen import Unseen, Why, unseen_text, why_unseen

COMMANDS = {"fr": ("`/kems déplacer`", "`/kems reprendre`"), "en": ("`/kems move`", "`/kems resume`")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", Why)
def test_a_reason_and_what_to_do(why: Why, language: str) -> None:
    move, resume = COMMANDS[language]
    text = unseen_text(Unseen(why, 1_700_000_000_999), 5, ("send_messages",), texts_for(language))
    assert "<t:1700000000:t>" in text
    assert move in text
    assert (resume in text) == (why is not Why.CHANNEL_GONE)
    assert ("<#5>" in text) == (why not in (Why.CHANNEL_GONE, Why.REMOVED))


@pytest.mark.parametrize("language", LANGUAGES)
def test_permissions_are_named_where_they_are_known(language: str) -> None:
    texts, unseen = texts_for(language), Unseen(Why.FORBIDDEN, 0)
    assert texts.t("Send Messages") in unseen_text(unseen, 5, ("send_messages",), texts)
    assert ": ." not in unseen_text(unseen, 5, (), texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_that_may_be_outside_of_a_private_thread_asks_to_be_mentioned_there(language: str) -> None:
    texts = texts_for(language)
    assert "<@7>" in unseen_text(Unseen(Why.FORBIDDEN, 0), 5, (), texts, outside="<@7>")
    assert "<@7>" not in unseen_text(Unseen(Why.FORBIDDEN, 0), 5, ("view_channel",), texts, outside="<@7>")
    assert "<@7>" not in unseen_text(Unseen(Why.CLOSED, 0), 5, (), texts, outside="<@7>")


@pytest.mark.parametrize(
    ("status", "code", "why"),
    [
        (404, 10003, Why.CHANNEL_GONE),
        (403, 50001, Why.FORBIDDEN),
        (403, 50013, Why.FORBIDDEN),
        (400, 50083, Why.CLOSED),
        (403, 160005, Why.CLOSED),
        (404, 10008, None),  # the message alone is gone
        (500, 0, None),
    ],
)
def test_what_discord_says_of_a_place(status: int, code: int, why: Why | None) -> None:
    response = cast(Any, SimpleNamespace(status=status, reason="-"))
    assert why_unseen(discord.HTTPException(response, {"code": code, "message": "-"})) is why
