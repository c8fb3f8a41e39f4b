"""Who subscribes to a kind of event hears each of them, in the order of the subscriptions."""

import pytest

from bot.base.errors import StoreError
from bot.tables.hub import Hub, RightsChanged, SeasonChanged


def test_a_handler_that_fails_does_not_stop_the_others() -> None:
    hub, heard = Hub(), list[object]()

    def fail(_event: object) -> None:
        raise RuntimeError

    hub.subscribe(RightsChanged, fail)
    hub.subscribe(RightsChanged, lambda changed: heard.append((1, changed.guild_id)))
    hub.subscribe(RightsChanged, lambda changed: heard.append((2, changed.guild_id)))
    hub.subscribe(SeasonChanged, heard.append)
    hub.publish(RightsChanged(7))
    assert heard == [(1, 7), (2, 7)]


async def test_handlers_in_turn_are_awaited_until_one_fails() -> None:
    hub, heard = Hub(), list[str]()

    async def restore(_event: SeasonChanged) -> None:
        heard.append("tables")

    async def fail(_event: SeasonChanged) -> None:
        raise StoreError("The disk is full.")

    hub.subscribe(SeasonChanged, restore)
    hub.subscribe(SeasonChanged, lambda _: heard.append("messages"))
    hub.subscribe(SeasonChanged, fail)
    hub.subscribe(SeasonChanged, lambda _: heard.append("too late"))
    with pytest.raises(StoreError, match="full"):
        await hub.publish_and_wait(SeasonChanged())
    assert heard == ["tables", "messages"]
