"""What a night's posts say of the next one, and which of Discord's threads are its tables'."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

from bot.base.times import DAY_MS
from bot.nights.night import Night
from bot.ui.night.messages.night_messages import NightMessages
from bot.ui.night.messages.table_threads import TableThreads
from tests.ui.night.samples import CHANNEL, night_of, over, plan_of
from tests.ui.screens.common import AT

BOT = 3


def messages_of(*nights: Night) -> NightMessages:
    rooms: Any = Mock()
    rooms.nights.nights_in = lambda _guild_id: nights
    rooms.live.context.clock.now = lambda: AT
    return NightMessages(rooms, Mock())


def planned(night_id: int, days: int) -> Night:
    return replace(night_of(0), id=night_id, plan=plan_of(starts_at=AT + days * DAY_MS))


def test_the_next_night_is_the_earliest_planned_one_that_its_readers_may_know() -> None:
    hidden, first, second, ended = planned(1, 2), planned(2, 3), planned(3, 4), over(4)
    messages = messages_of(second, hidden, first, ended)
    assert messages._coming(ended, lambda night: night is not hidden) == AT + 3 * DAY_MS
    assert messages._coming(ended, lambda night: night is ended) is None


def test_a_weekly_night_follows_itself_unless_another_one_comes_before() -> None:
    weekly = replace(over(4), plan=plan_of(is_weekly=True))
    assert messages_of()._coming(weekly, lambda _night: True) == AT + 7 * DAY_MS
    assert messages_of(planned(2, 3))._coming(weekly, lambda _night: True) == AT + 3 * DAY_MS
    assert messages_of(planned(2, 9))._coming(weekly, lambda _night: True) == AT + 7 * DAY_MS


def test_only_the_bots_own_thread_in_the_nights_channel_is_reused() -> None:
    def thread(thread_id: int, parent_id: int = CHANNEL, owner_id: int = BOT, name: str = "R1 T1") -> Any:
        return SimpleNamespace(id=thread_id, parent_id=parent_id, owner_id=owner_id, name=name)

    others = [thread(1, owner_id=4), thread(2, parent_id=9), thread(3, name="R1 T2")]
    live: Any = Mock()
    live.context.client.user.id = BOT
    live.context.client.get_guild.return_value.threads = others
    threads = TableThreads(live, Mock())
    assert threads._known(night_of(0), "R1 T1") is None
    live.context.client.get_guild.return_value.threads = [*others, thread(5)]
    assert threads._known(night_of(0), "R1 T1") == 5
