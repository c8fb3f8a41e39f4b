"""Who subscribes to a kind of event hears each of them, in the order of the subscriptions."""

import pytest

from bot.base.errors import StoreError
from bot.tables.cluster import Shard
from bot.tables.hub import Hub, RightsChanged, SeasonChanged, ShardTaken


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


async def test_the_handlers_of_a_taken_shard_are_awaited_until_one_fails() -> None:
    hub, heard = Hub(), list[str]()

    async def restore(_taken: ShardTaken) -> None:
        heard.append("tables")

    async def fail(_taken: ShardTaken) -> None:
        raise StoreError("The disk is full.")

    hub.subscribe(ShardTaken, restore)
    hub.subscribe(ShardTaken, lambda _: heard.append("messages"))
    hub.subscribe(ShardTaken, fail)
    hub.subscribe(ShardTaken, lambda _: heard.append("too late"))
    with pytest.raises(StoreError, match="full"):
        await hub.publish_in_turn(ShardTaken(Shard(0, 1)))
    assert heard == ["tables", "messages"]
