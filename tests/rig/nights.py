"""A night over sockets whose bot is killed in each phase: what comes of it is what would have come without.

The night is written into the database of a bot that does not run; its people press buttons as people do.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.base.times import DAY_MS
from bot.game.events import MatchEnded, TimeCalled
from bot.game.rules.house_rules import override, preset
from bot.nights.night import Night, NightStatus
from bot.nights.rounds import Entrant
from bot.sandbox.discord.people import Refused
from bot.sandbox.discord.state import wall_clock
from bot.store.nights import SqlNightStore
from bot.ui.table.verbs import TableVerb
from tests.nights.evenings import PLAN
from tests.rig.evidence import TableRecord, read_postgres, read_running
from tests.rig.players import offers, table_ids
from tests.rig.rig import Rig
from tests.seen import Seen
from tests.store.conftest import opened

PEOPLE: Final = tuple(f"N{number:02}" for number in range(9))
SOON_MS: Final = 1_500
ENDINGS: Final = ("Classement final", "La soirée en bref")
"""What the podium says, and the review of the next morning."""
_LOOKS_S: Final = 0.1
_PATIENCE_S: Final = 40.0


class KilledNight:
    """One night of two rounds, two tables and a bye each; in the rig's file, or at a PostgreSQL's address."""

    def __init__(self, rig: Rig, dsn: str | None = None) -> None:
        self.rig = rig
        self.id = 0
        self._dsn = dsn
        self._address = dsn or f"sqlite:///{rig.database}"

    # ------------------------------------------------------------------ while no bot runs

    async def plan(self, **house_rules: str) -> None:
        """A night that begins in a moment."""
        served, now = self.rig.remote, wall_clock()
        quick = {"sign_deadline": "1", "auto_open": "1", "auto_next": "1"}
        rules = override(preset("classic"), quick | house_rules)
        times = {"starts_at": now + SOON_MS, "sign_up_until": now, "round_minutes": 10, "break_minutes": 0}
        plan = replace(PLAN, title="Soirée", rounds=2, rules=rules, channel_id=served.channel_id, **times)
        people = tuple(Entrant(number, served.users[name], name, now) for number, name in enumerate(PEOPLE))
        async with opened(self._address) as database:
            night = Night(0, served.guild_id, 0, people[0].user_id, "fr", plan, seed=7, entrants=people)
            self.id = (await SqlNightStore(database).create(night)).id

    async def end_round_soon(self) -> None:
        """The time of the running round is over in a moment."""
        async with opened(self._address) as database:
            store = SqlNightStore(database)
            night = await store.load(self.id)
            last = replace(night.rounds[-1], ends_at=wall_clock() + SOON_MS)
            await store.save(replace(night, rounds=(*night.rounds[:-1], last), version=night.version + 1))

    async def let_it_be_morning(self) -> None:
        """The night was over a day ago: its review is due."""
        async with opened(self._address) as database:
            store = SqlNightStore(database)
            night = await store.load(self.id)
            before = replace(night.plan, starts_at=night.plan.starts_at - DAY_MS)
            await store.save(replace(night, plan=before, ended_at=night.ended_at - DAY_MS, version=night.version + 1))

    async def stored(self) -> Night:
        async with opened(self._address) as database:
            night = await SqlNightStore(database).load(self.id)
        assert night is not None
        return night

    # ------------------------------------------------------------------ what people see and do

    async def tables(self) -> dict[int, TableRecord]:
        return read_running(self.rig.database) if self._dsn is None else await read_postgres(self._dsn)

    def board(self, table_id: int) -> Seen | None:
        public = (seen for seen in reversed(self.rig.remote.messages.values()) if seen.viewer_id is None)
        return next((seen for seen in public if table_id in table_ids(seen)), None)

    async def call(self, table_id: int) -> None:
        """Somebody calls a Kem's, as soon as the hunt is open, and again in the next round, until the match is over."""
        async with asyncio.timeout(_PATIENCE_S):
            while not await self.has_ended(table_id):
                board, table = self.board(table_id), (await self.tables())[table_id]
                found = offers(board, table_id).get(TableVerb.KEMS, ())
                user = next(user for user in table.seats.values() if user is not None)
                if board is not None and found:
                    with suppress(Refused):
                        await self.rig.remote.press(user, board, found[0].custom_id)
                await asyncio.sleep(3 * _LOOKS_S)

    async def has_ended(self, table_id: int) -> bool:
        return any(isinstance(entry.event, MatchEnded) for entry in (await self.tables())[table_id].log)

    async def are_called(self, table_ids: Sequence[int]) -> bool:
        tables = await self.tables()
        logs = (tables[table_id].log for table_id in table_ids)
        return all(any(isinstance(entry.event, TimeCalled | MatchEnded) for entry in log) for log in logs)

    async def reached(self, is_so: Callable[[], Awaitable[bool]], what: str) -> None:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while not await is_so():
                    await asyncio.sleep(_LOOKS_S)
        except TimeoutError:
            log = self.rig.log.read_text()[-2000:]
            raise AssertionError(f"waited in vain for {what}: {await self.stored()}\n{log}") from None

    async def playing(self, rounds: int) -> list[int]:
        """The tables of the round of that number, once all of them are played and shown."""

        async def is_so() -> bool:
            night = await self.stored()
            if len(night.rounds) != rounds:
                return False
            ids = [table.table_id for table in night.rounds[-1].tables]
            return all(table_id is not None and self.board(table_id) is not None for table_id in ids)

        await self.reached(is_so, f"the tables of round {rounds}")
        return [table.table_id or 0 for table in (await self.stored()).rounds[-1].tables]

    def threads(self) -> Counter[int]:
        """The threads with tables, and how often their people are mentioned there."""
        lines = [seen for seen in self.rig.remote.messages.values() if seen.viewer_id is None and "Table" in seen.text]
        return Counter(
            seen.channel_id for seen in lines if "<@" in seen.text and seen.channel_id != self._channel
        )  # fmt: skip

    @property
    def _channel(self) -> int:
        return self.rig.remote.channel_id

    # ------------------------------------------------------------------ the end

    async def check(self) -> None:
        """Nothing was done twice, and nothing was left out."""
        night, played = await self.stored(), await self.tables()
        tables = [table for turn in night.rounds for table in turn.tables]
        assert [len(turn.tables) for turn in night.rounds] == [2, 2]
        assert all(table.result is not None for table in tables)
        assert sorted(table.table_id or 0 for table in tables) == sorted(played), "no table was opened twice"
        assert all(record.status == "over" for record in played.values())
        assert {table.thread_id for table in tables} == set(self.threads())
        assert set(self.threads().values()) == {1}, "each is mentioned once where they play"
        public = [seen for seen in self.rig.remote.messages.values() if seen.viewer_id is None]
        for words in ENDINGS:
            found = [seen.text for seen in public if words in seen.text]
            assert len(found) == 1, (words, found, [seen.text for seen in public if seen.channel_id == self._channel])
        in_channel = [seen.text for seen in public if seen.channel_id == self._channel]
        assert not [text for text in in_channel if text.startswith("R1 T")], "no line about a new thread stays"
        assert sum("commence" in seen.text and "<@" in seen.text for seen in public) <= 1

    async def is_over(self) -> bool:
        return (await self.stored()).status is NightStatus.OVER

    async def is_wound_up(self) -> bool:
        return (await self.stored()).is_wound_up

    async def wound_up(self) -> None:
        await self.reached(self.is_wound_up, "the review")
        shown = self.rig.remote.messages
        for words in ENDINGS:
            await self.rig.remote.until(lambda words=words: any(words in seen.text for seen in shown.values()), words)
        await asyncio.sleep(1)  # for what should not come


async def play(folder: Path, rig: Rig) -> KilledNight:
    night = KilledNight(rig)
    await night.plan()
    await rig.start()
    await asyncio.sleep(SOON_MS / 3000)
    await rig.kill()  # before it begins
    await rig.start()

    async def has_begun() -> bool:
        return bool((await night.stored()).rounds)

    await night.reached(has_begun, "the first round")
    await rig.kill()  # while threads and tables are opened
    await rig.start()
    tables = await night.playing(1)
    await rig.kill()  # while people play
    await night.end_round_soon()
    await rig.start()

    await night.reached(lambda: night.are_called(tables), "the call of time")
    await rig.kill()  # right after time was called
    await rig.start()
    await night.call(tables[0])
    await rig.kill()  # right after a match has ended, perhaps before its table has a result
    await rig.start()
    await night.call(tables[1])

    async def is_second() -> bool:
        return len((await night.stored()).rounds) == 2

    await night.reached(is_second, "the second round")
    await rig.kill()  # between two rounds
    await rig.start()
    tables = await night.playing(2)
    await rig.kill()
    await night.end_round_soon()
    await rig.start()
    await asyncio.gather(*(night.call(table_id) for table_id in tables))

    await night.reached(night.is_over, "the end")
    await rig.kill()  # before the podium, perhaps
    await night.let_it_be_morning()
    await rig.start()
    await night.wound_up()
    return night


async def play_with_two(rig: Rig, dsn: str) -> KilledNight:
    """The whole night by two processes: the one that leads it is killed in the middle of each round."""
    night = KilledNight(rig, dsn)
    first, second = rig, rig.another("second")
    await rig.start()  # makes the tables of the database
    await rig.stop()
    await night.plan(target="1")
    await rig.start()
    for number, leads, waits in ((1, first, second), (2, second, first)):
        tables = await night.playing(number)
        await waits.launch()
        await leads.kill()
        async with asyncio.timeout(2 * _PATIENCE_S):
            while not await rig.remote.connected():
                await asyncio.sleep(_LOOKS_S)
        await asyncio.gather(*(night.call(table_id) for table_id in tables))
    await night.reached(night.is_over, "the end")
    await first.stop()
    await night.let_it_be_morning()
    await first.start()
    await night.wound_up()
    return night
