"""Changes who plays at running matches: players leave, are removed, are replaced, come back or take over a seat.

The functions on lobbies return new values; `Seating` saves a change before it is visible.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace
from random import Random

import structlog

from bot.base.background import Tasks
from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.records.player import HelpLevel, Player
from bot.tables.attendance import Attendance
from bot.tables.hub import Hub, SeatsChanged, SeatsMissing
from bot.tables.live_tables import LiveTables
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.match.table_actions import Pause
from bot.tables.servers.bans import Bans
from bot.tables.table_store import SeatChanges, TableStore

_log = structlog.get_logger(__name__)

LobbyOutcome = Lobby | LobbyRefusal
Agreed = Callable[[Lobby], bool]


@dataclass(frozen=True, slots=True)
class BreakOff:
    """How a match is broken off.

    - `quitters`: the seats whose players cause the end. They lose a ranked match, as do players who left it before; it
      does not count for the others.
    - `ended_by`: the user id of the player who ends it at will, and alone loses it.
    - `is_annulled`: nobody loses it.
    - `status`: the table's status afterwards.
    - `is_due`: called under the table's lock; False if the match is not to be broken off after all.
    """

    quitters: Collection[int] = ()
    ended_by: int | None = None
    is_annulled: bool = False
    status: Status = Status.CANCELLED
    is_due: Callable[[], bool] = lambda: True


@dataclass(eq=False)
class Seating:
    """Changes who plays at running matches. A method raises StoreError if its change was not saved.

    `_break_off` is `_finish` for a caller with the match's lock; it returns whether the match was still being played.
    """

    _live: LiveTables
    _clock: Clock
    _store: TableStore
    _bans: Bans
    _rng: Random
    _hub: Hub
    _attendance: Attendance
    _finish: Callable[[int, BreakOff], Awaitable[None]]
    _break_off: Callable[[Table, Lobby, SeatChanges], Awaitable[bool]]
    _with_gates: Callable[[Lobby], Awaitable[Lobby]]

    def __post_init__(self) -> None:
        self._replacing = Tasks()
        self.close = self._replacing.wait
        self._hub.subscribe(SeatsMissing, lambda missing: self._replacing.start(self._replace_missing(missing.table)))

    async def seen(self, table: Table, user_id: int) -> None:
        """Record that a player acted; if a robot plays for them, give them their seat back."""
        if self._attendance.record_action(table, user_id):
            await self.come_back(table, user_id)

    async def come_back(self, table: Table, user_id: int) -> LobbyOutcome:
        """Return their seat to a player for whom a robot plays."""
        return await self.change(table, lambda lobby: come_back(lobby, user_id))

    async def leave(self, table: Table, user_id: int, agreed: Agreed | None = None) -> LobbyOutcome:
        """Let a player leave a running match for good: a robot takes the seat, or the match ends (`Absence`)."""
        return await self.change(table, lambda lobby: leave(lobby, user_id, lobby.robot_name(self._rng)), agreed=agreed)

    async def kick(
        self,
        table: Table,
        user_id: int,
        *,
        by_id: int,
        is_moderator: bool,
        is_charged: bool = False,
        agreed: Agreed | None = None,
    ) -> LobbyOutcome:
        """Remove a player from a running match for good, at the request of another user with the right to do so.

        From a ranked match only a moderator who has not played in it may remove players.

        Args:
            table: The match.
            user_id: The player.
            by_id: The other user.
            is_moderator: Whether the other user is a moderator.
            is_charged: The removed player loses a ranked match; if not, it counts for nobody.
            agreed: Whether the other user has agreed to the change of this state of the lobby (`change`).
        """
        is_neutral = is_moderator and not await self.has_played(table, by_id)
        return await self.change(
            table,
            lambda lobby: kick(
                lobby, user_id, lobby.robot_name(self._rng), is_neutral=is_neutral, is_charged=is_charged
            ),
            sent_away=user_id,
            agreed=agreed,
        )

    async def has_played(self, table: Table, user_id: int) -> bool:
        """Return whether a user plays in a match, or has played in it."""
        return table.lobby.seat_of(user_id) is not None or await self._store.former(table.id, user_id) is not None

    async def end(self, table: Table, user_id: int) -> bool:
        """Break a match off at a user's request; return whether they have played in it, in which case they lose it."""
        has_played = await self.has_played(table, user_id)
        await self._finish(table.id, BreakOff(ended_by=user_id) if has_played else BreakOff(is_annulled=True))
        return has_played

    async def take_over(self, table: Table, seat: int, player: Player, *, from_robot: bool = False) -> LobbyOutcome:
        """Give a user an open seat or, with `from_robot`, a robot's seat.

        Raises:
            BannedError: The user is banned from the server.
            StoreError: The change was not saved.
            ValueError: The player is a robot.
        """
        if player.user_id is None:
            raise ValueError("a robot cannot take over a seat")
        refusal = await self.refusal_to(table, seat, player.user_id)
        if refusal is not None:
            return refusal
        levels = await self._bans.admit(table.lobby.place.guild_id, (), [player.user_id])
        setting = levels.get(player.user_id)
        helped = player if setting is None else player.with_help(setting)
        outcome = await self.change(table, lambda lobby: take_over(lobby, seat, helped, from_robot=from_robot))
        if isinstance(outcome, Lobby):
            self._attendance.record_seat_action(table, seat)
        return outcome

    async def refusal_to(self, table: Table, seat: int, user_id: int) -> LobbyRefusal | None:
        """Return why a user may not play in the team of this seat; None if they may.

        They may not if they were removed, if they have played in another team, whose sign they know, or if they do not
        meet the entry rules of a ranked match.

        Raises:
            BannedError: The user is banned from the server.
        """
        await self._bans.check(table.lobby.place.guild_id, [user_id])
        former = await self._store.former(table.id, user_id)
        if former is not None and former.was_removed:
            return LobbyRefusal(LobbyCode.SENT_AWAY)
        if former is not None and (former.seat - seat) % table.lobby.teams:
            return LobbyRefusal(LobbyCode.OTHER_TEAM)
        alone = replace(table.lobby, players=(Player("", user_id),))
        lacks = table.lobby.is_ranked and (await self._with_gates(alone)).lacking
        return LobbyRefusal(LobbyCode.NOT_RANKED) if lacks else None

    async def open_seat_of(self, table: Table, user_id: int, *, by_id: int, is_moderator: bool) -> LobbyOutcome:
        """Open the seat of a player to all users, at the request of another user with the right to do so.

        Until somebody takes the seat, any press of the player closes it again. In a ranked match, which the player
        loses with the seat, only a moderator who has not played in it may open the seat of a player who is present.
        """
        is_neutral = is_moderator and not await self.has_played(table, by_id)

        def opened(lobby: Lobby) -> LobbyOutcome:
            seat = lobby.seat_of(user_id)
            player = None if seat is None else lobby.players[seat]
            if seat is None or player is None:
                return LobbyRefusal(LobbyCode.NOT_SEATED)
            is_no_show_team = player.is_away or self._attendance.is_no_show_team(table.id, seat)
            if lobby.is_ranked and not is_no_show_team and not is_neutral:
                return LobbyRefusal(LobbyCode.NOT_MISSED)
            return open_seats(lobby, [seat])

        return await self.change(table, opened)

    async def change(
        self,
        table: Table,
        change: Callable[[Lobby], LobbyOutcome],
        *,
        sent_away: int | None = None,
        agreed: Agreed | None = None,
    ) -> LobbyOutcome:
        """Change the people or the options of a running match; if the change cancels it, break it off.

        Args:
            table: The match.
            change: Returns the changed lobby, or why it is refused.
            sent_away: The user id of a removed player, who may not come back.
            agreed: Whether the user has agreed to the change of this state of the lobby; if not, the change is refused
                with CHANGED_MEANWHILE. None if no agreement is needed.
        """
        async with self._live.lock(table.id):
            before = table.lobby
            if before.status is not Status.PLAYING:
                return LobbyRefusal(LobbyCode.MATCH_OVER)
            if agreed is not None and not agreed(before):
                return LobbyRefusal(LobbyCode.CHANGED_MEANWHILE)
            after = change(before)
            if isinstance(after, LobbyRefusal) or after == before:
                return after
            now = self._clock.now()
            after = _handed_over(before, after, now)
            changes = changes_between(before, after, now, sent_away=sent_away)
            if after.status is Status.CANCELLED:
                if await self._break_off(table, after, changes):
                    return table.lobby
                table.reopen()
                return LobbyRefusal(LobbyCode.MATCH_OVER)
            await self._store.reseat(after, changes)
            table.seat(after)
            self._live.keep(table)
        table.wake()
        self._hub.publish(SeatsChanged(table, before))
        return after

    async def choose_level(self, table: Table, user_id: int, level: HelpLevel) -> LobbyOutcome:
        """Set a player's level of help, in this match and at all later tables."""
        changed = await self.change(table, lambda lobby: lobby.choose_level(user_id, level))
        if isinstance(changed, Lobby):
            name = next(player.name for player in changed.players if player and player.user_id == user_id)
            await self._store.save_help_level(changed.place.guild_id, user_id, name, level)
        return changed

    async def _replace_missing(self, table: Table) -> None:
        """Replace missing players, or end or pause the match, as the host has chosen (`Absence`)."""
        absence, missing = table.lobby.absence, self._attendance.missing(table.id)
        is_deserted = missing >= set(table.lobby.people.values())

        def is_so_still() -> bool:
            return (table.lobby.absence, self._attendance.missing(table.id)) == (absence, missing)

        def gone_on(lobby: Lobby) -> Lobby:
            without = {Absence.ROBOT: go_away, Absence.SUBSTITUTE: open_seats}.get(lobby.absence)
            return lobby if without is None else without(lobby, self._attendance.missing(table.id))

        try:
            if absence is Absence.END:
                await self._finish(table.id, BreakOff(() if is_deserted else missing, is_due=is_so_still))
            elif is_deserted:
                await table.submit(Pause(by_itself=True))
            else:
                await self.change(table, gone_on)
        except StoreError as problem:
            _log.warning("absence.not_saved", table=table.id, problem=str(problem))
            self._attendance.wait_again(table, missing)
        except Exception:  # noqa: BLE001 - a timer's task has no caller: its bug can show in the log only
            _log.exception("absence.failed", table=table.id)


def is_changed(outcome: LobbyOutcome) -> bool:
    """Return whether a change was refused because the table has changed since the user agreed."""
    return isinstance(outcome, LobbyRefusal) and outcome.code is LobbyCode.CHANGED_MEANWHILE


def leave(lobby: Lobby, user_id: int, robot: str) -> LobbyOutcome:
    """Return the lobby with a robot named `robot` on a player's seat, which is open to other users.

    The match is cancelled if nobody else plays, or if it is to end without a player (`Absence.END`).
    """
    seat = lobby.seat_of(user_id)
    if seat is None:
        return LobbyRefusal(LobbyCode.NOT_SEATED)
    left = _put(lobby, seat, Player(robot, is_open=True))
    if left.absence is Absence.END or all(player is None or player.is_robot for player in left.players):
        return replace(left, status=Status.CANCELLED)
    return left


def kick(lobby: Lobby, user_id: int, robot: str, *, is_neutral: bool, is_charged: bool) -> LobbyOutcome:
    """Return the lobby without a player who is removed at the request of another user.

    Args:
        lobby: The match's lobby.
        user_id: The player.
        robot: The name of the robot that takes the seat.
        is_neutral: Whether the other user is a moderator who has not played in the match.
        is_charged: The removed player loses a ranked match; if not, it is no longer ranked.
    """
    if lobby.is_ranked and not is_neutral:
        return LobbyRefusal(LobbyCode.NOT_NEUTRAL)
    left = leave(lobby, user_id, robot)
    if isinstance(left, LobbyRefusal) or not lobby.is_ranked or is_charged:
        return left
    return replace(left, is_ranked=False)


def go_away(lobby: Lobby, seats: Collection[int]) -> Lobby:
    """Return the lobby with robots playing for these players until they are back."""
    return _marked(lobby, seats, is_away=True)


def come_back(lobby: Lobby, user_id: int) -> LobbyOutcome:
    """Return the lobby with a player back on their seat, on which a robot plays for them."""
    seat = lobby.seat_of(user_id)
    if seat is None:
        return LobbyRefusal(LobbyCode.NOT_SEATED)
    return _marked(lobby, (seat,), is_away=False, is_open=False)


def open_seats(lobby: Lobby, seats: Collection[int]) -> Lobby:
    """Return the lobby with these seats open to all users until their own players are back."""
    return _marked(lobby, seats, is_open=True)


def take_over(lobby: Lobby, seat: int, player: Player, *, from_robot: bool = False) -> LobbyOutcome:
    """Return the lobby with a new player on an open seat or, with `from_robot`, on that of one of the `free_robots`."""
    if player.user_id is not None and lobby.seat_of(player.user_id) is not None:
        return LobbyRefusal(LobbyCode.ALREADY_SEATED)
    former = lobby.players[seat] if 0 <= seat < lobby.size else None
    is_free = former is not None and (former.is_open or (from_robot and seat in free_robots(lobby)))
    if not is_free:
        return LobbyRefusal(LobbyCode.SEAT_TAKEN)
    return _put(lobby, seat, player)


def free_robots(lobby: Lobby) -> dict[int, Player]:
    """Return the robots that watchers may replace, by seat."""
    if lobby.robots_stay or lobby.is_ranked or lobby.status is not Status.PLAYING:
        return {}
    return {
        seat: player for seat, player in enumerate(lobby.players) if player and player.is_robot and not player.is_open
    }


def open_seat(lobby: Lobby) -> int | None:
    """Return the first seat that is open to all; None if there is none."""
    return next((seat for seat, player in enumerate(lobby.players) if player and player.is_open), None)


def changes_between(
    before: Lobby, after: Lobby, at: int, *, sent_away: int | None = None, ended_by: int | None = None
) -> SeatChanges:
    """Return which people left and which came back between two states of a lobby."""
    was, now = before.people, after.people
    gone = tuple(
        (seat, player) for user_id, seat in was.items() if user_id not in now and (player := before.players[seat])
    )
    return SeatChanges(at, gone, tuple(user_id for user_id in now if user_id not in was), sent_away, ended_by)


def _handed_over(before: Lobby, after: Lobby, at: int) -> Lobby:
    """Return the lobby `after` with the time `at` recorded for each seat at which somebody else plays from now on."""
    for seat, (was, now) in enumerate(zip(before.players, after.players, strict=True)):
        assert was is not None, "a match has no free seats"
        assert now is not None, "a match has no free seats"
        if (was.user_id, was.name) != (now.user_id, now.name):
            after = _put(after, seat, replace(now, handover_times=(0, at)))
        elif was.is_away != now.is_away:
            after = _put(after, seat, replace(now, handover_times=(*now.handover_times, at)))
    return after


def _marked(lobby: Lobby, seats: Collection[int], **marks: bool) -> Lobby:
    for seat in seats:
        player = lobby.players[seat]
        assert player is not None, "a match has no free seats"
        lobby = _put(lobby, seat, replace(player, **marks))  # type: ignore[arg-type]  # the two marks of a player
    return lobby


def _put(lobby: Lobby, seat: int, player: Player) -> Lobby:
    """Return the lobby with another player on a seat; if the host has left, the next person is the host."""
    put = replace(lobby, players=(*lobby.players[:seat], player, *lobby.players[seat + 1 :]))
    people = put.people
    return put if put.host_id in people or not people else replace(put, host_id=next(iter(people)))
