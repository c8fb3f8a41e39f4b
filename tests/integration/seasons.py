"""What was played before a test, and a server whose seasons end: who wins there, what is posted, who is champion."""

from dataclasses import replace
from typing import Any

from bot.ladder.seasons import GRACE_MS, Schedule, period
from bot.records.seasons import EndedSeason
from bot.store.engine.database import Database
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.tables.servers import SqlServerStore
from tests.integration.harness import BRUNO, LEA, PEOPLE, Harness, Seen
from tests.store.counted_matches import DAY, SURE, Match, play_all

WEEK = 7 * 24 * 3600


async def past(harness: Harness, database: Database, days: int = 12) -> None:
    """A match a day that Léa and Chloé won 10 to 4, the last of them now."""
    await record(harness, database, *(harness.milliseconds() - day * DAY for day in range(days - 1, -1, -1)))


async def record(harness: Harness, database: Database, *ends: int) -> None:
    """Matches that these two won, which ended then."""
    users = tuple(harness[name].id for name in PEOPLE)
    place = {"guild": harness.guild.id, "channel": harness.channel.id}
    await play_all(database, [Match(users, (10, 4), at=at, names=PEOPLE, **place) for at in ends], formula=SURE)


class Server:
    """A server with a channel for podiums and a role for champions."""

    def __init__(self, harness: Harness, database: Database) -> None:
        self.harness = harness
        self.channel = harness.guild.create_text_channel("podium")
        self.role = harness.guild.create_role("Champion")
        self._database = database

    def now(self) -> int:
        return self.harness.milliseconds()

    async def chooses(self, **changes: Any) -> None:
        await SqlServerStore(self._database).change(self.harness.guild.id, lambda before: replace(before, **changes))

    async def wins(self, *names: str, ago: int = 0) -> int:
        """A ranked match that these two won together, now or some milliseconds ago; its number."""
        others = [name for name in PEOPLE if name not in names]
        seats = (names[0], others[0], names[1], others[1])
        users = tuple(self.harness[name].id for name in seats)
        match = Match(users, (10, 4), at=self.now() - ago, guild=self.harness.guild.id, names=seats)
        (number,) = await play_all(self._database, [match], formula=SURE)
        return number

    async def month_of(self, *names: str, matches: int = 1) -> None:
        """A month in which these two win so many matches, to its end."""
        for _ in range(matches):
            await self.wins(*names)
        await self.month_ends()

    async def podium(self) -> EndedSeason:
        """What is saved of the podium of the last season that is over."""
        ended = await SqlSeasonStore(self._database).last_ended(self.harness.guild.id, self.now())
        assert ended is not None
        return ended

    async def is_due(self) -> bool:
        return self.harness.guild.id in await SqlSeasonStore(self._database).due_servers(self.now())

    async def forgets(self, **saved: Any) -> None:
        """Make it so that this alone was saved of the last podium, as if the bot had died before."""
        ended = EndedSeason(self.harness.guild.id, (await self.podium()).season, **saved)
        await SqlSeasonStore(self._database).save_podium(ended, is_shown=False)

    async def month_ends(self, short_by: float = 0) -> None:
        """A moment after the calendar of Paris turns and everything is in, or so many seconds before that moment."""
        stretch = period(Schedule(), self.now())
        assert stretch is not None
        await self.harness.advance((stretch[1] + GRACE_MS - self.now()) / 1000 + 1 - short_by)

    def podiums(self) -> list[Seen]:
        return self.harness[BRUNO].messages(self.channel.id)

    def champions(self) -> set[str]:
        members = self.harness.env.backend.get_guild(self.harness.guild.id).members
        return {name for name in PEOPLE if self.role.id in members[self.harness[name].id].role_ids}

    async def deletes(self, message: Seen) -> None:
        """Somebody deletes a message; a moment passes."""
        channel = self.harness.bot.get_partial_messageable(message.channel_id)
        await channel.get_partial_message(message.id).delete()
        await self.harness.advance(5)

    async def asks(self, command: str, **options: object) -> str:
        """What whoever manages the server is told last, in private, by a command."""
        return await self.harness[LEA].ask(command, **options)

    async def problem_line(self) -> str:
        """What whoever manages the server is told of what is in the way."""
        return await self.asks("kems-admin season rename", name=f"Été {self.now()}")

    async def returns(self) -> None:
        """The bot starts anew; a moment passes."""
        await self.harness.restart()
        await self.harness.advance(1)
