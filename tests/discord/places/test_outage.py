"""Every reason why a table cannot be shown is told in both languages, with what to do."""

import pytest

from bot.discord.api.error_codes import OutageReason, reason_of
from bot.discord.places.outage import Outage, outage_text
from bot.discord.text.texts import texts_for
from tests.discord.fakes import refused

COMMANDS = {
    "fr": ("`/kems table déplacer`", "`/kems table reprendre`"),
    "en": ("`/kems table move`", "`/kems table resume`"),
}


@pytest.mark.parametrize("language", COMMANDS)
@pytest.mark.parametrize("reason", OutageReason)
def test_every_outage_names_a_reason_and_what_to_do(reason: OutageReason, language: str) -> None:
    move, resume = COMMANDS[language]
    outage = Outage(reason, 1_700_000_000_999)
    text = outage_text(outage, 5, ("send_messages",), texts_for(language), why="Because.")
    assert ("Because." in text) == (reason is OutageReason.REFUSED)
    assert ("<t:1700000000:t>" in text) == (reason is not OutageReason.REFUSED)
    assert move in text
    assert (resume in text) == (reason not in (OutageReason.CHANNEL_GONE, OutageReason.REFUSED))
    assert ("<#5>" in text) == (reason not in (OutageReason.CHANNEL_GONE, OutageReason.REMOVED))


@pytest.mark.parametrize("language", COMMANDS)
def test_missing_permissions_are_named_when_they_are_known(language: str) -> None:
    texts, outage = texts_for(language), Outage(OutageReason.FORBIDDEN, 0)
    assert texts.t("Send Messages") in outage_text(outage, 5, ("send_messages",), texts)
    assert ": ." not in outage_text(outage, 5, (), texts)


@pytest.mark.parametrize("language", COMMANDS)
def test_a_bot_that_may_be_outside_of_a_private_thread_asks_to_be_mentioned_there(language: str) -> None:
    texts = texts_for(language)
    assert "<@7>" in outage_text(Outage(OutageReason.FORBIDDEN, 0), 5, (), texts, outside="<@7>")
    assert "<@7>" not in outage_text(Outage(OutageReason.FORBIDDEN, 0), 5, ("view_channel",), texts, outside="<@7>")
    assert "<@7>" not in outage_text(Outage(OutageReason.CLOSED, 0), 5, (), texts, outside="<@7>")


@pytest.mark.parametrize(("status", "code", "reason"), [
    (404, 10003, OutageReason.CHANNEL_GONE),
    (403, 50001, OutageReason.FORBIDDEN),
    (403, 50013, OutageReason.FORBIDDEN),
    (400, 50083, OutageReason.CLOSED),
    (403, 160005, OutageReason.CLOSED),
    (404, 10008, None),  # the message alone is gone
    (500, 0, None),
])  # fmt: skip
def test_every_error_of_discord_about_a_channel_has_its_sentence(
    status: int, code: int, reason: OutageReason | None
) -> None:
    assert reason_of(refused(status, code)) is reason
