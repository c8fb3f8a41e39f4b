"""Discord refuses a message for what it says, not for a missing permission: AutoMod, a filter."""

import pytest
from simcord.backend.errors import BackendError

from tests.integration.harness import LEA, Harness
from tests.integration.mishaps import refuse

BY_AUTOMOD = BackendError(400, 200000, "Message was blocked by automatic moderation")
BY_FILTER = BackendError(403, 20009, "Explicit content cannot be sent")


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="the order *what is met outside* mends it")
@pytest.mark.parametrize("refusal", [BY_AUTOMOD, BY_FILTER], ids=["automod", "filter"])
async def test_a_host_reads_why_no_table_comes_when_discord_blocks_its_message(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, refusal: BackendError
) -> None:
    with refuse(monkeypatch, "POST", f"/channels/{harness.channel.id}/messages", refusal):
        told = await harness[LEA].ask("kems start")
        await harness.advance(120)
    assert harness.posted() == []
    assert told or harness[LEA].told
