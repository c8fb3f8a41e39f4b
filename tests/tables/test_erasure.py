"""An erased player leaves every table in all servers, and no press of another player brings them back."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field, replace

import pytest

from bot.base.errors import StoreError
from bot.records.player import Player
from bot.tables.erasure import RESUME_MS, RETRY_MS, TRIES, Erasure, ErasureJob
from bot.tables.hub import ErasureDone, Hub, LobbyChanged
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.table_channel import TableChannel
from tests.tables.fakes import HERE, PEOPLE, MemoryStore, World, classic, ok
from tests.tables.test_directory import ended
from tests.tables.virtual import LoopClock

ANA = 100
"""Who wants to be forgotten."""


@dataclass
class MemoryPrivacy:
    """As much of `PersonalData` as an erasure asks: it forgets people in the memory of a world, and takes its time."""

    world: World
    forgotten: list[int] = field(default_factory=list)
    sits_down: Lobby | None = None
    """Ana joins this lobby whenever she is to be forgotten."""
    fails_late: bool = False
    """She is forgotten, but the store fails to say so."""
    wanted: set[int] = field(default_factory=set)
    refused: int | None = None
    """The store fails to forget this person."""
    remains: list[int] = field(default_factory=list)
    meanwhile: Callable[[], Awaitable[object]] = lambda: asyncio.sleep(0)
    """It happens while her past is being erased."""

    async def save_erasure_request(self, user_id: int, *, is_wanted: bool = True) -> None:
        (self.wanted.add if is_wanted else self.wanted.discard)(user_id)

    async def erasure_requests(self) -> Collection[int]:
        return tuple(self.wanted)

    async def erase_past_matches(self, user_id: int, unreadable: Collection[int] = ()) -> bool:
        if self.sits_down is not None:
            await self.world.directory.lobbies.update(self.sits_down.id, lambda lobby: lobby.join(PEOPLE[0]))
        if self.is_seated(user_id, unreadable):
            return False
        await self.meanwhile()
        return True

    def is_seated(self, user_id: int, unreadable: Collection[int]) -> bool:
        return any(
            lobby.status in (Status.OPEN, Status.PLAYING) and lobby.seat_of(user_id) is not None
            for table_id, lobby in self.world.store.lobbies.items()
            if table_id not in unreadable
        )

    async def erase(self, user_id: int, unreadable: Collection[int] = ()) -> bool:
        lobbies = self.world.store.lobbies
        if self.is_seated(user_id, unreadable):
            return False
        if user_id == self.refused:
            raise StoreError("The disk is full.")
        self.remains.append(user_id)
        await asyncio.sleep(1)
        for table_id, lobby in lobbies.items():
            nobody = (Player("") if player and player.user_id == user_id else player for player in lobby.players)
            lobbies[table_id] = replace(lobby, players=tuple(nobody))
        self.forgotten.append(user_id)
        self.wanted.discard(user_id)
        if self.fails_late:
            raise StoreError("The disk is full.")
        return True

    async def scrub_deleted_rows(self) -> None:
        assert not self.world.directory.rematches.lock.locked(), "others would wait"
        self.remains = []


@dataclass
class MemoryOthers:
    """Another process, which answers as soon as it is asked; `alone`: there is none."""

    alone: bool = False
    leaves: Callable[[], None] = lambda: None
    unreadable: Collection[int] = ()
    asked: list[int] = field(default_factory=list)
    answered: list[tuple[int, Collection[int]]] = field(default_factory=list)

    async def ask(self, user_id: int) -> bool:
        self.asked.append(user_id)
        return not self.alone

    async def answers(self, user_id: int) -> Collection[int]:
        self.leaves()
        return () if self.alone else self.unreadable

    async def answer(self, user_id: int, unreadable: Collection[int]) -> None:
        self.answered.append((user_id, tuple(unreadable)))


ALONE = MemoryOthers(alone=True)


@dataclass
class Taken:
    """Notes what was done when roles were taken back."""

    fails: bool = False
    seen: list[tuple[tuple[int, ...], bool]] = field(default_factory=list)
    """Each time who was forgotten by then, and whether rematches had to wait."""
    world: World | None = None
    privacy: MemoryPrivacy | None = None

    async def undo_step(self, _done: ErasureDone) -> None:
        if self.world is not None and self.privacy is not None:
            self.seen.append((tuple(self.privacy.forgotten), self.world.directory.rematches.lock.locked()))
            self.privacy.remains.append(ANA)
        if self.fails:
            raise StoreError("The disk is full.")


@dataclass
class Stubborn(MemoryStore):
    """A store that does not save these tables."""

    stuck: set[int] = field(default_factory=set)

    async def save(self, lobby: Lobby) -> None:
        if lobby.id in self.stuck:
            raise StoreError("The disk is full.")
        await super().save(lobby)


async def test_a_person_leaves_all_tables_and_is_then_erased() -> None:
    world = World()
    privacy, changed = MemoryPrivacy(world), []
    erasure = Erasure(world.directory, privacy, ALONE, Hub())
    past = (await ended(world)).id
    match = await world.hunting()
    await world.directory.move(match.id, TableChannel(99, 5))
    full, alone = await world.lobby(), await world.lobby(people=PEOPLE[:1])
    elsewhere = await world.lobby(people=PEOPLE[1:])
    assert {lobby.id for lobby in erasure.tables_of(ANA)} == {match.id, full.id, alone.id}
    world.hub.subscribe(LobbyChanged, changed.append)
    assert await erasure.erase(ANA)
    assert privacy.forgotten == [ANA]
    assert erasure.tables_of(ANA) == ()
    assert match.lobby.status is Status.PLAYING
    assert (match.id, ANA) in world.store.departures
    assert {one.lobby.id: one.lobby.status for one in changed} == {full.id: Status.OPEN, alone.id: Status.CANCELLED}
    assert world.directory.lobby(elsewhere.id) == elsewhere
    assert world.directory.table(past) is None, "in memory there would still be a name"


async def test_a_rematch_during_an_erasure_leaves_the_person_out() -> None:
    world = World()
    erasure = Erasure(world.directory, MemoryPrivacy(world), ALONE, Hub())
    past = (await ended(world)).id
    leaving = asyncio.ensure_future(erasure.erase(ANA))
    await asyncio.sleep(0.5)
    again = ok(await world.directory.rematches.shuffle(HERE.guild_id, past, 101))
    assert [player and player.user_id for player in again.players] == [None, 101, 102, 103]
    assert again.players[0] is None
    assert await leaving


async def test_no_rematch_waits_for_another_process() -> None:
    world = World()
    past, others, answered = (await ended(world)).id, MemoryOthers(), asyncio.Event()

    async def answers(_user_id: int) -> Collection[int]:
        await answered.wait()
        return ()

    others.answers = answers  # type: ignore[method-assign]
    erasure = Erasure(world.directory, privacy := MemoryPrivacy(world), others, Hub())
    leaving = asyncio.ensure_future(erasure.erase(ANA))
    other = asyncio.ensure_future(erasure.resume())
    await asyncio.sleep(0.5)
    async with asyncio.timeout(0.1):
        again = ok(await world.directory.rematches.shuffle(HERE.guild_id, past, 101))
    assert again.seat_of(ANA) is not None
    answered.set()
    assert await leaving
    await other
    assert privacy.forgotten == [ANA], "once"
    lobby = world.directory.lobby(again.id)
    assert lobby is not None
    assert lobby.seat_of(ANA) is None


async def test_an_erased_person_leaves_memory_even_if_the_store_fails_afterwards() -> None:
    world = World()
    past = (await ended(world)).id
    with pytest.raises(StoreError):
        await Erasure(world.directory, MemoryPrivacy(world, fails_late=True), ALONE, Hub()).erase(ANA)
    again = ok(await world.directory.rematches.shuffle(HERE.guild_id, past, 101))
    assert again.seat_of(ANA) is None


async def test_a_table_that_cannot_be_left_is_reported_and_the_others_are_left() -> None:
    store = Stubborn()
    world = World(store)
    privacy = MemoryPrivacy(world)
    erasure = Erasure(world.directory, privacy, ALONE, Hub())
    first, second = await world.lobby(), await world.lobby()
    store.stuck = {first.id}
    with pytest.raises(StoreError):
        await erasure.erase(ANA)
    assert not privacy.forgotten
    assert [lobby.id for lobby in erasure.tables_of(ANA)] == [first.id]
    assert store.lobbies[second.id].seat_of(ANA) is None
    store.stuck.clear()
    assert await erasure.erase(ANA)


async def test_a_table_missing_in_the_store_does_not_block_an_erasure() -> None:
    store = Stubborn()
    world = World(store)
    erasure = Erasure(world.directory, MemoryPrivacy(world), ALONE, Hub())
    lost = await world.lobby()
    del store.lobbies[lost.id]
    store.stuck = {lost.id}
    assert await erasure.erase(ANA)


async def test_an_unreadable_table_does_not_block_an_erasure() -> None:
    world = World()
    table = await world.table()
    world.store.problems[table.id] = StoreError("The log has a gap.")
    world = await world.restarted()
    privacy = MemoryPrivacy(world)
    assert await Erasure(world.directory, privacy, ALONE, Hub()).erase(ANA)
    assert privacy.forgotten == [ANA]


async def test_a_person_who_sits_down_again_and_again_is_not_erased() -> None:
    world = World()
    privacy = MemoryPrivacy(world, sits_down=await world.lobby(people=PEOPLE[1:3]))
    left: list[LobbyChanged] = []
    world.hub.subscribe(LobbyChanged, left.append)
    assert not await Erasure(world.directory, privacy, ALONE, Hub()).erase(ANA)
    assert sum(changed.lobby.seat_of(ANA) is None for changed in left) == TRIES - 1
    assert not privacy.forgotten
    assert not privacy.wanted, "she is asked to ask again"


async def test_a_table_joined_during_an_erasure_is_left_again() -> None:
    world = World()
    lobby = await world.lobby(people=PEOPLE[1:3])
    privacy = MemoryPrivacy(world)
    privacy.meanwhile = lambda: world.directory.lobbies.update(lobby.id, lambda present: present.join(PEOPLE[0]))
    assert await Erasure(world.directory, privacy, ALONE, Hub()).erase(ANA)
    assert privacy.forgotten == [ANA]
    assert world.directory.lobby(lobby.id).seat_of(ANA) is None


async def test_an_erasure_of_a_dead_process_is_finished_by_the_next_one() -> None:
    world = World()
    privacy = MemoryPrivacy(world)
    await world.lobby()
    dying = asyncio.ensure_future(Erasure(world.directory, privacy, ALONE, Hub()).erase(ANA))
    await asyncio.sleep(0.5)
    dying.cancel()
    await asyncio.wait({dying})
    assert not privacy.forgotten
    world = await world.restarted()
    job = ErasureJob(LoopClock(), Erasure(world.directory, privacy, ALONE, Hub()))
    job.start()
    await asyncio.sleep(5)
    assert privacy.forgotten == [ANA]
    await asyncio.sleep(2 * RESUME_MS / 1000)
    assert privacy.forgotten == [ANA], "once"
    privacy.wanted.add(ANA)
    job.start()  # it serves one more shard
    await asyncio.sleep(5)
    assert privacy.forgotten == [ANA, ANA]
    await job.stop()


async def test_a_failed_erasure_does_not_delay_others_and_erased_rows_leave_no_bytes() -> None:
    world = World()
    privacy = MemoryPrivacy(world, wanted={ANA, ANA + 1}, refused=ANA)
    with pytest.raises(StoreError, match="The disk is full"):
        await Erasure(world.directory, privacy, ALONE, Hub()).resume()
    assert privacy.forgotten == [ANA + 1]
    assert privacy.wanted == {ANA}
    assert privacy.remains == []


async def test_roles_are_taken_back_after_the_rows_are_erased_and_again_each_hour() -> None:
    world = World()
    privacy = MemoryPrivacy(world)
    roles = Taken(world=world, privacy=privacy, fails=True)
    world.hub.subscribe(ErasureDone, roles.undo_step)
    erasure = Erasure(world.directory, privacy, ALONE, world.hub)
    with pytest.raises(StoreError):
        await erasure.erase(ANA)
    assert roles.seen == [((ANA,), False)], "no rematch waits for Discord"
    roles.fails = False
    job = ErasureJob(LoopClock(), erasure)
    job.start()
    await asyncio.sleep(1.5 * RESUME_MS / 1000)
    assert len(roles.seen) == 3
    assert privacy.remains == [], "nothing of the roles is left in the store's files"
    await job.stop()


async def test_an_erasure_that_fails_is_tried_again_within_a_minute() -> None:
    world = World()
    privacy, others = MemoryPrivacy(world, wanted={ANA}), MemoryOthers()

    def does_not_answer() -> None:
        raise StoreError("Another process of the bot does not answer.")

    others.leaves = does_not_answer
    job = ErasureJob(LoopClock(), Erasure(world.directory, privacy, others, Hub()))
    job.start()
    await asyncio.sleep(RETRY_MS / 1000 - 1)
    assert (len(others.asked), privacy.forgotten) == (1, [])
    others.leaves = lambda: None
    await asyncio.sleep(5)
    assert privacy.forgotten == [ANA]
    await job.stop()


def at_a_table_of_another(world: World) -> Lobby:
    """A lobby that is in the store, and not in this process."""
    elsewhere = Lobby(77, HERE, ANA, classic(), 4, (PEOPLE[0], None, None, None), has_random_teams=True, locale="fr",
                      opened_at=0)  # fmt: skip
    world.store.lobbies[77] = elsewhere
    return elsewhere


async def test_a_person_is_erased_once_they_have_left_the_tables_of_another_process() -> None:
    world = World()
    privacy, elsewhere = MemoryPrivacy(world), at_a_table_of_another(world)
    others = MemoryOthers()
    assert not await Erasure(world.directory, privacy, others, Hub()).erase(ANA)
    assert others.asked == [ANA] * TRIES
    others.leaves = lambda: world.store.lobbies.update({77: replace(elsewhere, players=(None,) * 4)})
    assert await Erasure(world.directory, privacy, others, Hub()).erase(ANA)


async def test_an_unreadable_table_of_another_process_does_not_block_an_erasure() -> None:
    world = World()
    privacy = MemoryPrivacy(world)
    at_a_table_of_another(world)
    assert await Erasure(world.directory, privacy, MemoryOthers(unreadable=[77]), Hub()).erase(ANA)


async def test_another_process_gets_an_answer_once_a_person_has_left_here() -> None:
    store, others = Stubborn(), MemoryOthers()
    world = World(store)
    past = (await ended(world)).id
    lobby = await world.lobby()
    store.stuck = {lobby.id}
    erasure = Erasure(world.directory, MemoryPrivacy(world), others, Hub())
    with pytest.raises(StoreError):
        await erasure.leave_tables(ANA)
    assert others.answered == []
    store.stuck.clear()
    await erasure.leave_tables(ANA)
    assert others.answered == [(ANA, ())]
    assert erasure.tables_of(ANA) == ()
    assert world.directory.table(past) is None
