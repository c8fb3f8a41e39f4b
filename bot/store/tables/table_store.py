"""Lobbies, their seats, and where they are shown."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.orm import Session

from bot.base.errors import StoreError
from bot.game.events import Event
from bot.ladder.formula import FORMULA, Formula
from bot.ladder.seasons import RankedRules
from bot.records.player import HelpLevel, Player
from bot.store.engine.database import Database
from bot.store.ladder.season_store import gates_at
from bot.store.records.published import open_channels
from bot.store.schema import codec
from bot.store.schema.ladder import PlayerRow
from bot.store.schema.tables import NOT_RESERVED, DepartureRow, EventRow, InvitationRow, SeatRow, TableRow
from bot.store.sql import Adapter, changed_row_count, from_row, plain, put, upsert
from bot.store.tables.journal import record_break_off
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.strategy_vote import Ballot, StrategyVote
from bot.tables.lobby.table_channel import FormerMessage, TableChannel
from bot.tables.table_store import (
    DamagedTable,
    FormerSeat,
    LogEntry,
    SavedTable,
    SeatChanges,
    ServerFilter,
    TableStore,
    all_servers,
)

_OPEN = (Status.OPEN.value, Status.PLAYING.value)
_WITHOUT_RESULT = (Status.CANCELLED.value, Status.EXPIRED.value)
# An index finds these by both columns among any number of finished tables.
_END_NOT_SHOWN = (
    (TableRow.status == Status.OVER.value) & TableRow.is_message_final.is_(False) & TableRow.purged_at.is_(None)
) | (TableRow.status.in_(_WITHOUT_RESULT) & TableRow.is_message_final.is_(False) & TableRow.message_id.is_not(None))
_WITH_LOG = (Status.PLAYING.value, Status.OVER.value)
_READ_AT_ONCE = 50
"""Tables in a batch: PostgreSQL answers in one round trip, no query runs long, and memory holds few logs."""
_CLOSED_AT_ONCE: Final = 100
"""Tables of a hidden channel in a batch; moves run in between."""
_IS_LIVE = TableRow.status.in_(_OPEN) | _END_NOT_SHOWN


class SqlTableStore(Adapter, TableStore):
    """`TableStore` in SQL."""

    def __init__(self, database: Database, formula: Formula = FORMULA) -> None:
        super().__init__(database)
        self._formula = formula

    async def ranked_rules(self, guild_id: int, at: int) -> RankedRules | None:
        return await self._database.query(lambda session: gates_at(session, guild_id, at))

    async def save_help_level(self, guild_id: int, user_id: int, name: str, level: HelpLevel) -> None:
        def keep(session: Session) -> None:
            new = upsert(session, PlayerRow).values(guild_id=guild_id, user_id=user_id, name=name)
            session.execute(new.on_conflict_do_nothing(index_elements=["guild_id", "user_id"]))
            session.execute(update(PlayerRow).where(PlayerRow.user_id == user_id).values(help_level=level))

        await self._database.change(keep, server=guild_id)

    async def create(self, lobby: Lobby) -> int:
        def create(session: Session) -> int:
            row = TableRow(**table_columns(lobby))
            session.add(row)
            session.flush()
            _write_people(session, replace(lobby, id=row.id))
            return row.id

        return await self._database.change(create, server=lobby.place.guild_id)

    async def save(self, lobby: Lobby) -> None:
        def save(session: Session) -> None:
            _update(session, lobby.id, table_columns(lobby))
            _write_people(session, lobby)

        await self._database.change(save, tables=(lobby.id,))

    async def move(self, table_id: int, place: TableChannel) -> None:
        await self._overwrite(table_id, _place_columns(place))

    async def save_open_channels(self, guild_id: int, channel_ids: Collection[int], gone_thread_id: int | None) -> None:
        open_before = await self._database.query(lambda session: open_channels(session, guild_id))
        is_hidden = TableRow.open_channel_id.in_(open_before.difference(channel_ids))
        is_gone = TableRow.open_channel_id.in_(open_before) & (TableRow.channel_id == gone_thread_id)
        differ = select(TableRow.id).where(TableRow.guild_id == guild_id, is_hidden | is_gone).limit(_CLOSED_AT_ONCE)
        closed = update(_TABLES).where(_TABLES.c.id.in_(differ)).values(open_channel_id=None)
        is_more = await self._scalar(differ.limit(1)) is not None  # mostly there is nothing to be written
        while is_more:
            count = await self._database.change(lambda session: changed_row_count(session, closed), server=guild_id)
            is_more = count == _CLOSED_AT_ONCE

    async def cancel_damaged(self, table_id: int) -> None:
        await self._overwrite(table_id, {"status": Status.CANCELLED.value})

    async def _overwrite(self, table_id: int, values: dict[str, object]) -> None:
        await self._database.change(lambda session: _update(session, table_id, values), tables=(table_id,))

    async def record_start(self, lobby: Lobby, events: Sequence[Event]) -> None:
        values = {**table_columns(lobby), **_match_columns(lobby), "started_at": events[0].at}

        def start(session: Session) -> None:
            _update(session, lobby.id, values)
            _write_people(session, lobby)
            session.execute(insert(plain(EventRow)), list(codec.event_rows(lobby.id, 1, events, None)))

        await self._database.change(start, tables=(lobby.id,))

    async def reseat(self, lobby: Lobby, changes: SeatChanges) -> None:
        values = {**_match_columns(lobby), "absence": lobby.absence, "coaching": lobby.coaching}
        await self._database.change(
            lambda session: _change_players(session, lobby, changes, values), tables=(lobby.id,)
        )

    async def break_off(self, lobby: Lobby, changes: SeatChanges) -> None:
        values = {**_match_columns(lobby), "status": lobby.status.value}

        def break_off(session: Session) -> None:
            _change_players(session, lobby, changes, values)
            record_break_off(session, self._formula, lobby.id, changes.at, changes.ended_by)

        await self._database.change(break_off, tables=(lobby.id,))

    async def ask_for_rematch(self, table_id: int, user_id: int) -> None:
        own_seat = update(SeatRow).where(SeatRow.table_id == table_id, SeatRow.user_id == user_id)
        wanting = own_seat.values(wants_rematch=True)
        await self._database.change(lambda session: session.execute(wanting), tables=(table_id,))

    async def former(self, table_id: int, user_id: int) -> FormerSeat | None:
        row = await self._get(DepartureRow, table_id, user_id)
        return None if row is None else FormerSeat(row.seat, row.was_removed)

    async def load(self, table_id: int) -> Lobby | None:
        def load(session: Session) -> Lobby | None:
            row = session.get(TableRow, table_id)
            if row is None or row.purged_at is not None:
                return None
            return _lobby(row, _people(session, [row.id])[row.id])

        return await self._database.query(load)

    async def read_table(self, table_id: int) -> SavedTable | DamagedTable | None:
        return next(iter(await self._read([table_id])), None)

    async def load_live(self, servers: ServerFilter = all_servers) -> AsyncIterator[SavedTable | DamagedTable]:
        live = select(TableRow.id, TableRow.guild_id).where(_IS_LIVE).order_by(TableRow.id)
        ids = [table_id for table_id, guild_id in await self._rows(live) if servers(guild_id)]
        for first in range(0, len(ids), _READ_AT_ONCE):
            for saved in await self._read(ids[first : first + _READ_AT_ONCE]):
                yield saved

    async def _read(self, ids: Sequence[int]) -> list[SavedTable | DamagedTable]:
        def read(session: Session) -> list[SavedTable | DamagedTable]:
            rows = session.scalars(select(TableRow).where(TableRow.id.in_(ids)).order_by(TableRow.id)).all()
            people = _people(session, ids)
            logs = codec.read_logs(session, [row.id for row in rows if row.status in _WITH_LOG])
            return [_saved(row, people[row.id], logs.get(row.id)) for row in rows]

        return await self._database.query(read)


_AS_THEY_ARE: Final = (
    *("host_id", "status", "locale", "size", "has_random_teams", "wants_thread", "theme", "rematch_of", "rule_set"),
    *("opened_at", "closes_at", "starts_at", "absence", "afk_seconds", "robot_level", "coaching", "robots_stay"),
    *("players_role", "mentions_role"),
)


def table_columns(lobby: Lobby) -> dict[str, object]:
    """Return the columns of a lobby's row, except for its seats."""
    return {
        "guild_id": lobby.place.guild_id,
        **_place_columns(lobby.place),
        **{name: getattr(lobby, name) for name in _AS_THEY_ARE},
        "rules": codec.encode(lobby.rules),
        "strategies": codec.encode_strategies(lobby.vote.outcome),
        "has_vote": lobby.vote.is_proposed,
    }


def _match_columns(lobby: Lobby) -> dict[str, object]:
    """Return the columns that a change of a match's players can change."""
    return {"host_id": lobby.host_id, "is_ranked": bool(lobby.is_ranked)}


def _place_columns(place: TableChannel) -> dict[str, object]:
    return {
        "channel_id": place.channel_id,
        "message_id": place.message_id,
        "message_round": place.round,
        "is_message_final": place.is_final,
        "former_channel_id": None if place.former is None else place.former.channel_id,
        "former_message_id": None if place.former is None else place.former.message_id,
        "log_messages": codec.encode(
            tuple(number for log in place.logs for number in (log.channel_id, log.message_id))
        ),
        "post_channel_id": None if place.post is None else place.post.channel_id,
        "post_message_id": None if place.post is None else place.post.message_id,
        "open_channel_id": place.open_channel_id,
    }


_TABLES, _SEATS, _INVITATIONS = plain(TableRow), plain(SeatRow), plain(InvitationRow)
_DELETE_SEATS: Final = delete(_SEATS).where(_SEATS.c.table_id == bindparam("of"))
_DELETE_INVITATIONS: Final = delete(_INVITATIONS).where(_INVITATIONS.c.table_id == bindparam("of"))


def _update(session: Session, table_id: int, values: dict[str, object]) -> None:
    if changed_row_count(session, update(_TABLES).where(_TABLES.c.id == table_id).values(values)) != 1:
        raise StoreError(f"Table {table_id} is gone.")


def _write_people(session: Session, lobby: Lobby) -> None:
    _write_seats(session, lobby)
    session.execute(_DELETE_INVITATIONS, {"of": lobby.id})
    if lobby.invited:
        invited = [{"table_id": lobby.id, "user_id": user_id} for user_id in lobby.invited]
        session.execute(insert(_INVITATIONS), invited)


def _change_players(session: Session, lobby: Lobby, changes: SeatChanges, values: dict[str, object]) -> None:
    """Write another set of players of a match, and these columns of its table."""
    _update(session, lobby.id, values)
    _write_seats(session, lobby)
    left = DepartureRow.table_id == lobby.id
    session.execute(delete(DepartureRow).where(left, DepartureRow.user_id.in_(changes.back)))
    for seat, player in changes.gone:
        was_removed = player.user_id == changes.sent_away
        row = {"table_id": lobby.id, "user_id": player.user_id, "seat": seat, "name": player.name, "at": changes.at}
        put(session, DepartureRow, row | {"was_removed": was_removed})


def _write_seats(session: Session, lobby: Lobby) -> None:
    session.execute(_DELETE_SEATS, {"of": lobby.id})
    over = {} if lobby.status is Status.PLAYING else NOT_RESERVED
    seats = [
        {
            "table_id": lobby.id,
            "seat": seat,
            "team": seat % lobby.teams,
            "ballot": None if player.user_id is None else codec.encode_strategies(lobby.vote.ballot_of(player.user_id)),
            "wants_rematch": player.user_id in lobby.wants_rematch,
            **(asdict(player) | {"handover_times": codec.encode(player.handover_times)} | over),
        }
        for seat, player in enumerate(lobby.players)
        if player is not None
    ]
    if seats:
        session.execute(insert(_SEATS), seats)


def _damaged(row: TableRow, problem: StoreError) -> DamagedTable:
    return DamagedTable(row.id, _place(row), row.host_id, row.locale, row.opened_at, Status(row.status), problem)


def _place(row: TableRow) -> TableChannel:
    former = _former(row.former_channel_id, row.former_message_id)
    post = _former(row.post_channel_id, row.post_message_id)
    ids = codec.decode_numbers(row.log_messages)
    logs = tuple(map(FormerMessage, ids[::2], ids[1::2]))
    message = row.channel_id, row.message_id, row.message_round, row.is_message_final
    return TableChannel(row.guild_id, *message, former, post, logs, row.open_channel_id)


def _former(channel_id: int | None, message_id: int | None) -> FormerMessage | None:
    return None if channel_id is None or message_id is None else FormerMessage(channel_id, message_id)


@dataclass(frozen=True, slots=True)
class _People:
    seats: list[SeatRow] = field(default_factory=list)
    invited: set[int] = field(default_factory=set)


def _people(session: Session, table_ids: Sequence[int]) -> defaultdict[int, _People]:
    people: defaultdict[int, _People] = defaultdict(_People)
    for seat in session.scalars(select(SeatRow).where(SeatRow.table_id.in_(table_ids))):
        people[seat.table_id].seats.append(seat)
    for row in session.scalars(select(InvitationRow).where(InvitationRow.table_id.in_(table_ids))):
        people[row.table_id].invited.add(row.user_id)
    return people


def _saved(row: TableRow, people: _People, log: tuple[LogEntry, ...] | StoreError | None) -> SavedTable | DamagedTable:
    """Return a table with its log; None for a table that has none yet."""
    try:
        lobby = _lobby(row, people)
        if log is None:
            return SavedTable(lobby)
        if isinstance(log, StoreError):
            raise log
    except StoreError as problem:
        return _damaged(row, problem)
    return SavedTable(lobby, log) if log else _damaged(row, StoreError(f"The log of table {row.id} is empty."))


def _lobby(row: TableRow, people: _People) -> Lobby:
    try:
        players = {seat.seat: _player(seat) for seat in people.seats}
        votes = ((seat.user_id, codec.decode_strategies(seat.ballot)) for seat in people.seats)
        ballots = frozenset(Ballot(user_id, yes) for user_id, yes in votes if user_id is not None and yes is not None)
        return from_row(
            Lobby,
            row,
            place=_place(row),
            rules=codec.decode_rules(row.rules),
            players=tuple(players.get(seat) for seat in range(row.size)),
            vote=StrategyVote(ballots, codec.decode_strategies(row.strategies), row.has_vote),
            ranked_rules=None,
            lacking=frozenset(),
            left=(),
            is_ranked=None if row.started_at is None else row.is_ranked,
            invited=frozenset(people.invited),
            wants_rematch=frozenset(
                seat.user_id for seat in people.seats if seat.user_id is not None and seat.wants_rematch
            ),
        )
    except (StoreError, ValueError) as error:
        raise StoreError(f"Table {row.id} cannot be read: {error}.") from error


def _player(row: SeatRow) -> Player:
    return from_row(
        Player,
        row,
        handover_times=codec.decode_numbers(row.handover_times),
    )
