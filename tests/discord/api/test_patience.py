"""What takes long says how far it is, in place of the answer that was deferred."""

import asyncio
from unittest.mock import AsyncMock

import discord
import pytest

from bot.discord.api import patience
from bot.discord.api.patience import progress_line, with_progress
from bot.records.file_batches import Progress
from tests.waiting import until


def deferred() -> AsyncMock:
    interaction = AsyncMock(spec=discord.Interaction)
    interaction.response.type = discord.InteractionResponseType.deferred_channel_message
    return interaction


async def test_a_long_answer_says_how_far_it_is_until_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SAID_EVERY_S", 0.01)
    interaction, progress = deferred(), Progress()
    edits = interaction.edit_original_response

    async def export() -> str:
        await until(lambda: edits.mock_calls)
        progress.done, progress.total = 20, 5_600
        await until(lambda: len(edits.mock_calls) > 1)
        return "the file"

    def say() -> str:
        return progress_line(progress, lambda line, **values: line.format(**values))

    async with asyncio.timeout(10):
        assert await with_progress(interaction, export(), say) == "the file"
    assert [call.kwargs["content"] for call in edits.mock_calls] == [
        "This waits for another export, or for the database.",
        "Reading matches: 20 of 5600.",
    ]


async def test_a_short_task_says_nothing_and_a_failure_is_passed_on() -> None:
    interaction = deferred()
    assert await with_progress(interaction, asyncio.sleep(0, "soon"), str) == "soon"
    with pytest.raises(ZeroDivisionError):
        await with_progress(interaction, AsyncMock(side_effect=ZeroDivisionError)(), str)
    assert not interaction.edit_original_response.mock_calls
