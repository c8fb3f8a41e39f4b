"""A game night through Discord: planned in a panel, signed up for, played at tables, led by its host, told about."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.integration.harness import PEOPLE, Harness, Member, Seen
from tests.integration.table import MORE_PEOPLE, kems

LEA, BRUNO, CHLOE, DORA = PEOPLE
EIGHT = MORE_PEOPLE[:8]
MINUTE = 60


class Evening:
    """One night of a server, as its host plans it by the panel."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.host: Member = harness[LEA]

    async def opened(self, when: str = "2030-01-05 21:00", **chosen: str) -> Seen:
        """The panel with a title, a time, and some choices by their field."""
        await self.host.slash("kems-admin night create")
        panel = self.host.last(ephemeral=True)
        form = await self.host.click(_id(panel, "night_text"), panel)
        await self.host.submit(form, "Soirée d'essai", when, "", "")
        for field, value in chosen.items():
            panel = self.panel()
            control = _id(panel, f":{field}")
            if value in ("on", "off"):
                await self.host.click(control, panel)
            else:
                await self.host.choose(control, value, message=panel)
        return self.panel()

    def panel(self) -> Seen:
        return self.host.last(ephemeral=True)

    async def published(self, minutes: int = 60, **chosen: str) -> Seen:
        """The sign-up message of a night that begins in so many minutes."""
        begins = (self.harness.now().timestamp() + minutes * MINUTE) // 60 * 60
        panel = await self.opened(_in_paris(begins), **chosen)
        await self.host.click(_id(panel, "night_publish"), panel)
        return self.message()

    def message(self) -> Seen:
        """The public message of the night."""
        wanted = ("night_join", "night_standings")
        public = [seen for seen in self.host.messages() if not seen.ephemeral]
        return next(seen for seen in public if any(verb in str(seen.controls) for verb in wanted))

    def again(self, message: Seen) -> Seen:
        """A message as it is now."""
        return next(seen for seen in self.host.messages() if seen.id == message.id)

    async def join(self, *names: str) -> None:
        for name in names:
            message = self.message()
            await self.harness[name].click(_id(message, "night_join"), message)

    async def lead(self, label: str) -> Seen:
        """The host's panel after a press on it, which may be a question."""
        message = self.message()
        await self.host.click(_id(message, "night_host"), message)
        panel = self.panel()
        await self.host.click(label, panel)
        return self.panel()

    async def enter(self, table: int, scores: str) -> None:
        message = self.message()
        await self.host.click(_id(message, "night_host"), message)
        panel = self.panel()
        await self.host.choose(_id(panel, "night_table"), str(table), message=panel)
        form = await self.host.click(_id(self.panel(), "night_result"), self.panel())
        await self.host.submit(form, scores)
        await self.host.click(_id(self.panel(), "night_step"), self.panel())


def _in_paris(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp, ZoneInfo("Europe/Paris")).strftime("%Y-%m-%d %H:%M")


def _id(seen: Seen, part: str) -> str:
    return next(control.custom_id for control in seen.controls if part in control.custom_id)


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    async with kems(tmp_path, people=EIGHT) as harness:
        yield Evening(harness)


async def test_a_night_from_its_plan_to_its_recap(evening: Evening) -> None:
    harness = evening.harness
    await evening.published(rounds="1")
    await evening.join(*EIGHT)
    await harness.advance(3)
    message = evening.message()
    assert "**8 inscrits**" in message.text
    assert all(name in message.text for name in EIGHT)
    await harness.advance(46 * MINUTE)
    reminded = [seen for seen in evening.host.messages() if "commence <t:" in seen.text]
    assert len(reminded) == 1
    await harness.advance(14 * MINUTE + 5)
    board = evening.message()
    assert board.id == message.id
    assert "Ronde 1 sur 1" in board.text
    threads = re.findall(r"<#(\d+)>", board.text)
    assert len(set(threads)) == 2
    for thread in threads:
        mentions = [seen for seen in evening.host.messages(int(thread)) if "Table" in seen.text and "<@" in seen.text]
        assert len(mentions) == 1, "each is mentioned once, where they play"
    await evening.enter(1, "10 4")
    await evening.enter(2, "3 10")
    await harness.advance(5 * MINUTE)
    board = evening.again(board)
    assert "Classement final" in board.text
    assert [seen for seen in evening.host.messages() if "remporte la soirée" in seen.text]
    await harness.advance(24 * 60 * MINUTE)
    assert any("La soirée en bref" in seen.text for seen in evening.host.messages())
