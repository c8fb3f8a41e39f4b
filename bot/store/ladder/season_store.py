"""The seasons of a server, its ladder settings, and which players have its role for the best of a season.

A season of the calendar is saved when it is first needed.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from secrets import randbits
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, Select, Update, bindparam, delete, func, insert, select, update
from sqlalchemy.orm import Session

from bot.conditions import EntryRules
from bot.ladder import seasons
from bot.ladder.seasons import LadderSetup, RankedRules, Schedule, Season, SeasonLength, next_boundary
from bot.records.seasons import Champion, ChampionStore, EndedSeason, SeasonStore
from bot.store.engine.cluster import is_served
from bot.store.engine.database import Database
from bot.store.schema.codec import encode
from bot.store.schema.ladder import IS_DUE, ChampionRow, LadderRow, PlayerRow, SeasonRow, StandingRow
from bot.store.schema.tables import EntrantRow, NightRow, PendingErasureRow
from bot.store.sql import Adapter, find, from_row, put

_LATEST: Final = (
    select(SeasonRow).where(SeasonRow.guild_id == bindparam("guild_id")).order_by(SeasonRow.number.desc()).limit(1)
)


def show_again(session: Session, guild_id: int, since: int = 0) -> None:
    """Mark the podiums of a server's seasons from the number `since` on as outdated: their boards may have changed."""
    session.execute(shown_again(guild_id, since))


def shown_again(guild_id: int, since: int) -> Update:
    """Return the SQL statement of `show_again`."""
    changed = update(SeasonRow).where(SeasonRow.guild_id == guild_id, SeasonRow.number >= since)
    return changed.values(changes=SeasonRow.changes + 1)


def show_again_about(session: Session, user_id: int, guild_id: int | None = None) -> None:
    """Mark as outdated the podiums of seasons whose boards list a player, and later ones, in one server or in all."""
    ours = [StandingRow.user_id == user_id, StandingRow.is_ranked.is_(True)]
    ours += [] if guild_id is None else [StandingRow.guild_id == guild_id]
    first = select(StandingRow.guild_id, func.min(StandingRow.season)).where(*ours).group_by(StandingRow.guild_id)
    for server, since in session.execute(first).all():
        show_again(session, server, since)


def season_of(row: SeasonRow) -> Season:
    """Return the season of a row."""
    return from_row(Season, row)


def _ended(row: SeasonRow) -> EndedSeason:
    return from_row(EndedSeason, row, season=season_of(row))


def _over(guild_id: int, ended_by: int) -> Select[SeasonRow]:
    """Return the query of a server's seasons that ended by then, last first."""
    ours = select(SeasonRow).where(SeasonRow.guild_id == guild_id, SeasonRow.ends_at <= ended_by)
    return ours.order_by(SeasonRow.number.desc())


class SqlSeasonStore(Adapter, SeasonStore):
    """`SeasonStore` in SQL."""

    def __init__(self, database: Database, *, changed: Callable[[], None] = lambda: None) -> None:
        """`changed` is called when the next end of a season may have changed."""
        super().__init__(database)
        self._one_at_a_time = asyncio.Lock()  # from reading to saving; only this process writes
        self._changed = changed

    async def setup(self, guild_id: int) -> LadderSetup:
        return await self._database.query(lambda session: setup_of(session, guild_id))

    async def choose(self, guild_id: int, change: Callable[[LadderSetup], LadderSetup], at: int) -> LadderSetup:
        def chosen(session: Session) -> LadderSetup:
            before = setup_of(session, guild_id)
            setup = change(before)
            season = _saved(session, guild_id, at)
            values = {
                "guild_id": guild_id,
                "ranked_presets": encode(setup.ranked_rules.presets),
                "sign_required": setup.ranked_rules.sign_required,
                "ranked_entry": msgspec.json.encode(setup.ranked_rules.entry).decode(),
                "season_length": setup.schedule.every.value,
                "zone": setup.schedule.zone,
            }
            put(session, LadderRow, values)
            if season is not None and setup.schedule != before.schedule:
                _save(session, guild_id, seasons.reschedule(season, setup.schedule, at))
            return setup

        async with self._one_at_a_time:
            setup = await self._database.change(chosen)
        self._changed()
        return setup

    async def running(self, guild_id: int, at: int) -> Season | None:
        return await self._database.query(lambda session: season_at(session, guild_id, at))

    async def list_all(self, guild_id: int) -> tuple[Season, ...]:
        query = select(SeasonRow).where(SeasonRow.guild_id == guild_id).order_by(SeasonRow.number.desc())
        return tuple(season_of(row) for row in await self._scalars(query))

    async def start(self, guild_id: int, at: int, name: str | None) -> Season | None:
        def started(session: Session) -> Season | None:
            season = seasons.start(_latest(session, guild_id), setup_of(session, guild_id).schedule, at, name)
            if season is not None:
                _save(session, guild_id, season)
            return season

        return await self._database.change(started)

    async def end(self, guild_id: int, at: int, number: int) -> Season | None:
        season = await self._change_running(guild_id, at, number, lambda season: replace(season, ends_at=at))
        if season is not None:
            self._changed()
        return season

    async def rename(self, guild_id: int, at: int, number: int, name: str) -> Season | None:
        return await self._change_running(guild_id, at, number, lambda season: replace(season, name=name))

    async def _change_running(
        self, guild_id: int, at: int, number: int, change: Callable[[Season], Season]
    ) -> Season | None:
        def changed(session: Session) -> Season | None:
            season = season_at(session, guild_id, at)
            if season is None or season.number != number:
                return None
            _save(session, guild_id, season := change(season))
            return season

        return await self._database.change(changed)

    async def due_servers(self, ended_by: int) -> Mapping[int, int]:
        ours = is_served(self._database.cluster, SeasonRow.guild_id)
        asks = func.sum(SeasonRow.changes + 1)
        due = select(SeasonRow.guild_id, asks).where(SeasonRow.ends_at <= ended_by, IS_DUE, ours)
        return {guild_id: int(number) for guild_id, number in await self._rows(due.group_by(SeasonRow.guild_id))}

    async def seasons_to_show(self, guild_id: int, ended_by: int) -> tuple[EndedSeason, ...]:
        over = _over(guild_id, ended_by)
        last = over.with_only_columns(SeasonRow.number).limit(1).scalar_subquery()
        rows = await self._scalars(over.where(IS_DUE | (SeasonRow.number == last)))
        return tuple(_ended(row) for row in reversed(rows))

    async def last_ended(self, guild_id: int, at: int) -> EndedSeason | None:
        row = next(iter(await self._scalars(_over(guild_id, at).limit(1))), None)
        return None if row is None else _ended(row)

    async def save_podium(self, ended: EndedSeason, *, is_shown: bool) -> None:
        row = update(SeasonRow).where(SeasonRow.guild_id == ended.guild_id, SeasonRow.number == ended.season.number)
        podium = {"channel_id": ended.channel_id, "message_id": ended.message_id, "podium_digest": ended.podium_digest}
        await self._change(row.values(podium | {"podium_changes": ended.changes if is_shown else None}))

    async def next_end(self, after: int) -> int | None:
        def known(session: Session) -> tuple[set[Schedule], int | None]:
            calendars = session.execute(select(LadderRow.season_length, LadderRow.zone).distinct())
            schedules = {Schedule(), *(Schedule(SeasonLength(every), zone) for every, zone in calendars)}
            # Nothing was shown yet of one that ends later.
            ends = select(func.min(SeasonRow.ends_at)).where(SeasonRow.ends_at > after, IS_DUE)
            return schedules, session.scalar(ends)

        # A season of the calendar is saved with its first result; its end follows from the calendar even before.
        schedules, ends_at = await self._database.query(known)
        return min((end for end in (ends_at, next_boundary(schedules, after)) if end is not None), default=None)


def setup_of(session: Session, guild_id: int) -> LadderSetup:
    """Return a server's ladder settings, or the defaults."""
    row = find(session, LadderRow, guild_id)
    if row is None:
        return LadderSetup()
    presets = msgspec.json.decode(row.ranked_presets, type=tuple[str, ...])
    entry = msgspec.json.decode(row.ranked_entry, type=EntryRules)
    return LadderSetup(
        RankedRules(presets, row.sign_required, entry), Schedule(SeasonLength(row.season_length), row.zone)
    )


def season_at(session: Session, guild_id: int, at: int) -> Season | None:
    """Return the season that contains an instant, saved or not; None between seasons."""
    return _season_at(session, guild_id, at, setup_of(session, guild_id))


def saved_season(session: Session, guild_id: int, at: int) -> int:
    """Save the season that contains an instant and return its number; 0 between seasons."""
    if (saved := _saved(session, guild_id, at)) is not None:
        return saved.number
    season = season_at(session, guild_id, at)
    if season is None:
        return 0
    _save(session, guild_id, season)
    return season.number


def gates_at(session: Session, guild_id: int, at: int) -> RankedRules | None:
    """Return what a server requires of a ranked table; None between seasons."""
    setup = setup_of(session, guild_id)
    return None if _season_at(session, guild_id, at, setup) is None else setup.ranked_rules


def _season_at(session: Session, guild_id: int, at: int, setup: LadderSetup) -> Season | None:
    """Return the saved season that contains the instant, else the one that the calendar starts for it."""
    latest = _latest(session, guild_id)
    former = _saved(session, guild_id, at) if latest is not None and at < latest.starts_at else None
    return former or seasons.season_at(latest, setup.schedule, at)


def _saved(session: Session, guild_id: int, at: int) -> Season | None:
    begun = _latest(session, guild_id, SeasonRow.starts_at <= at)
    return begun if begun is not None and begun.contains(at) else None


def _latest(session: Session, guild_id: int, *where: ColumnElement[bool]) -> Season | None:
    row = session.scalar(_LATEST.where(*where) if where else _LATEST, {"guild_id": guild_id})
    return None if row is None else season_of(row)


def _save(session: Session, guild_id: int, season: Season) -> None:
    put(session, SeasonRow, {"guild_id": guild_id, **asdict(season)})


class SqlChampionStore(Adapter, ChampionStore):
    """`ChampionStore` in SQL."""

    async def of_server(self, guild_id: int) -> tuple[Champion, ...]:
        return await self._read(ChampionRow.guild_id == guild_id)

    async def of_erased(self) -> tuple[Champion, ...]:
        return await self._read(ChampionRow.is_erased.is_(True))

    async def add(self, champion: Champion) -> bool:
        nights = select(NightRow.id).where(NightRow.guild_id == champion.guild_id)
        signed_up = select(EntrantRow).where(EntrantRow.user_id == champion.user_id, EntrantRow.night_id.in_(nights))

        def add(session: Session) -> bool:
            key = (champion.guild_id, champion.user_id)
            is_known = session.get(PlayerRow, key, with_for_update=True) is not None
            is_known = is_known or session.scalar(signed_up.limit(1).with_for_update()) is not None
            if is_known:
                session.merge(ChampionRow(**asdict(champion), is_erased=False))
            return is_known

        return await self._database.change(add)

    async def remove(self, champion: Champion) -> None:
        statement = delete(ChampionRow).where(
            ChampionRow.guild_id == champion.guild_id,
            ChampionRow.user_id == champion.user_id,
            ChampionRow.role_id == champion.role_id,
            ChampionRow.is_of_night.is_(champion.is_of_night),
        )

        def remove(session: Session) -> None:
            if session.scalar(statement.returning(ChampionRow.is_erased)):  # its bytes are still in SQLite's files
                session.execute(insert(PendingErasureRow).values(user_id=-1 - randbits(62)))

        await self._database.change(remove)

    async def _read(self, condition: ColumnElement[bool]) -> tuple[Champion, ...]:
        query = (
            select(ChampionRow)
            .where(condition)
            .order_by(ChampionRow.guild_id, ChampionRow.user_id, ChampionRow.is_of_night)
        )
        return tuple(from_row(Champion, row) for row in await self._scalars(query))
