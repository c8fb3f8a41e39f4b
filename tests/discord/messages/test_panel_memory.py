"""Panels are remembered in batches: no press waits for one, and none is lost by a failure or a stop."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from bot.base.errors import StoreError
from bot.discord.messages.panel_memory import FRESH_MS, RENEW_MS, SAVE_INTERVAL, PanelMemory
from bot.tables.table_store import OpenPanel, PanelKey
from tests.tables.virtual import EPOCH, LoopClock, in_virtual_time


@dataclass
class Store:
    """Remembers in memory; `takes` seconds for each batch."""

    takes: float = 0.0
    failing: bool = False
    batches: list[tuple[list[int], list[PanelKey]]] = field(default_factory=list)
    kept: dict[PanelKey, OpenPanel] = field(default_factory=dict)

    async def save(self, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int) -> None:
        assert since == LoopClock().now() - FRESH_MS
        await asyncio.sleep(self.takes)
        if self.failing:
            raise StoreError("The disk is full.")
        self.batches.append(([panel.user_id for panel in opened], list(closed)))
        self.kept |= {panel.key: panel for panel in opened}
        for key in closed:
            self.kept.pop(key, None)

    async def load(self, since: int, table_ids: Collection[int]) -> tuple[OpenPanel, ...]:
        if self.failing:
            raise StoreError("The disk is full.")
        return tuple(panel for panel in self.kept.values() if panel.made_at >= since)


def panel(user_id: int, made_at: int = EPOCH, page: str = "hand") -> OpenPanel:
    return OpenPanel(1, user_id, 0, page, "fr", 1, made_at, 5, "token")


def note(memory: PanelMemory, opened: OpenPanel) -> None:
    memory.opened(opened.key, opened)


@in_virtual_time
async def test_panels_that_change_close_together_are_saved_together() -> None:
    store = Store()
    memory = PanelMemory(store, LoopClock())
    note(memory, panel(1))
    assert store.batches == [], "nobody waits for it"
    await asyncio.sleep(0.01)
    for user_id in (2, 3, 2):
        note(memory, panel(user_id))
    memory.closed((1, 1))
    memory.closed((1, 3))
    await asyncio.sleep(3 * SAVE_INTERVAL)
    assert store.batches == [([1], []), ([2], [(1, 3), (1, 1)])]


@in_virtual_time
async def test_panels_that_could_not_be_saved_go_with_the_next_batch() -> None:
    store = Store(failing=True)
    memory = PanelMemory(store, LoopClock())
    note(memory, panel(1))
    note(memory, panel(2))
    await asyncio.sleep(2 * SAVE_INTERVAL)
    assert await memory.load({1}) == ()
    store.failing = False
    memory.closed((1, 2))
    await asyncio.sleep(2 * SAVE_INTERVAL)
    assert store.batches == [([1], [(1, 2)])]


@in_virtual_time
async def test_a_stop_saves_what_is_left_and_cancels_nothing() -> None:
    store = Store(takes=0.5)
    memory = PanelMemory(store, LoopClock())
    note(memory, panel(1))
    await asyncio.sleep(0.1)
    note(memory, panel(2))
    await memory.close()
    assert store.batches == [([1], []), ([2], [])]
    note(memory, panel(3))
    await asyncio.sleep(5)
    assert len(store.batches) == 2


@in_virtual_time
async def test_a_panel_token_is_used_for_fourteen_minutes() -> None:
    store = Store()
    memory = PanelMemory(store, LoopClock())
    note(memory, panel(1, EPOCH - 1))
    note(memory, panel(2, EPOCH + 60_000))
    await asyncio.sleep(14 * 60)
    assert not memory.is_fresh(EPOCH)
    assert memory.is_fresh(EPOCH + 1)
    assert [kept.user_id for kept in await memory.load({1})] == [2]


@in_virtual_time
async def test_an_unchanged_panel_is_saved_again_only_when_its_saved_token_gets_old() -> None:
    store = Store()
    memory = PanelMemory(store, LoopClock())

    async def batches_after(*panels: OpenPanel) -> int:
        for opened in panels:
            note(memory, opened)
        await asyncio.sleep(2 * SAVE_INTERVAL)
        return len(store.batches)

    assert await batches_after(panel(1)) == 1
    assert await batches_after(panel(1, EPOCH + 1000), panel(1, EPOCH + RENEW_MS - 1)) == 1
    assert await batches_after(panel(1, EPOCH + RENEW_MS)) == 2
    assert await batches_after(panel(1, EPOCH + RENEW_MS + 1, "sign")) == 3
    memory.closed((1, 1))
    assert await batches_after() == 4
    assert await batches_after(panel(1, EPOCH + RENEW_MS + 2, "sign")) == 5


@in_virtual_time
async def test_a_stop_saves_the_newest_tokens() -> None:
    store = Store()
    memory = PanelMemory(store, LoopClock())
    note(memory, panel(1))
    await asyncio.sleep(2 * SAVE_INTERVAL)
    note(memory, panel(1, EPOCH + 1000))
    await memory.close()
    assert store.kept[1, 1].made_at == EPOCH + 1000


@in_virtual_time
async def test_panels_of_another_process_are_known_after_they_were_read() -> None:
    store = Store()
    memory, other = PanelMemory(store, LoopClock()), PanelMemory(store, LoopClock())
    note(memory, panel(1))
    note(memory, panel(2))
    await asyncio.sleep(2 * SAVE_INTERVAL)
    assert len(await other.load({1})) == 2
    other.closed((1, 1))
    await other.close()
    assert len(await memory.load({1})) == 1
    note(memory, panel(1))
    note(memory, panel(2))
    await asyncio.sleep(2 * SAVE_INTERVAL)
    assert store.batches[-1] == ([1], [])


@in_virtual_time
async def test_no_panel_is_saved_when_there_is_no_store() -> None:
    memory = PanelMemory(None, LoopClock())
    note(memory, panel(1))
    await asyncio.sleep(2)
    await memory.close()
    assert await memory.load({1}) == ()
