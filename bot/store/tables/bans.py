"""Bans, which outlive the erasure of a person: a keyed digest of person and server stands for the person.

The database alone does not reveal whose digest it is: the key is the bot's token. After a change of that token a ban
whose person was erased is lost.
"""

import hmac
from collections.abc import Collection, Mapping
from dataclasses import asdict
from hashlib import sha256
from typing import Final

from sqlalchemy import ColumnElement, bindparam, delete, select
from sqlalchemy.orm import Session

from bot.records.player import GUIDED_MATCHES, HelpLevel, HelpSetting
from bot.store.engine.database import Database
from bot.store.schema.ladder import PlayerRow, PlayRow
from bot.store.schema.tables import BanRow, TableRow
from bot.store.sql import Adapter, from_row, put
from bot.tables.lobby.help import Coaching
from bot.tables.servers.bans import Ban, BanStore

_HELD: Final = select(BanRow).where(
    BanRow.guild_id == bindparam("guild_id"),
    BanRow.until > bindparam("at"),
    BanRow.user_id.in_(bindparam("user_ids", expanding=True)) | BanRow.digest.in_(bindparam("digests", expanding=True)),
)
"""The bans of some people: each press in a lobby needs them."""
_CHOSEN_LEVELS = select(PlayerRow.user_id, PlayerRow.help_level).where(
    PlayerRow.user_id.in_(bindparam("user_ids", expanding=True)), PlayerRow.help_level.is_not(None)
)
_LATER_MATCHES = (  # from the last guided one on, two at most; those with a coach are guided anyway
    select(PlayRow.table_id)
    .join(TableRow)
    .where(PlayRow.user_id == bindparam("user_id"), TableRow.coaching == Coaching.NONE.value)
    .offset(GUIDED_MATCHES - 1)
    .limit(2)
)


class SqlBanStore(Adapter, BanStore):
    """`BanStore` in SQL."""

    def __init__(self, database: Database, key: str = "") -> None:
        super().__init__(database)
        self._key = key.encode()

    async def put(self, guild_id: int, user_id: int, ban: Ban) -> None:
        digest = self._digest(guild_id, user_id)
        former = delete(BanRow).where(self._is_of(guild_id, user_id))

        def write(session: Session) -> None:
            session.execute(former)
            put(session, BanRow, {"guild_id": guild_id, "digest": digest, **asdict(ban)})

        await self._database.change(write)

    async def lift(self, guild_id: int, user_id: int) -> bool:
        return await self._change(delete(BanRow).where(self._is_of(guild_id, user_id))) > 0

    async def find(self, guild_id: int, user_ids: Collection[int], at: int) -> Mapping[int, Ban]:
        return await self._database.query(lambda session: self._held(session, guild_id, user_ids, at))

    async def newcomers(
        self, guild_id: int, user_ids: Collection[int], at: int
    ) -> tuple[Mapping[int, Ban], Mapping[int, HelpSetting]]:
        return await self._database.query(
            lambda session: (self._held(session, guild_id, user_ids, at), _help_levels(session, user_ids))
        )

    async def all(self, guild_id: int, at: int) -> tuple[Ban, ...]:
        active = select(BanRow).where(BanRow.guild_id == guild_id, BanRow.until > at)
        return tuple(from_row(Ban, row) for row in await self._scalars(active.order_by(BanRow.until, BanRow.digest)))

    def _held(self, session: Session, guild_id: int, user_ids: Collection[int], at: int) -> Mapping[int, Ban]:
        by_digest = {self._digest(guild_id, user_id): user_id for user_id in user_ids}
        people = {"user_ids": user_ids, "digests": [*by_digest]}
        rows = session.scalars(_HELD, {"guild_id": guild_id, "at": at, **people})
        return {row.user_id or by_digest[row.digest]: from_row(Ban, row) for row in rows}

    def _is_of(self, guild_id: int, user_id: int) -> ColumnElement[bool]:
        digest = self._digest(guild_id, user_id)
        return (BanRow.guild_id == guild_id) & ((BanRow.user_id == user_id) | (BanRow.digest == digest))

    def _digest(self, guild_id: int, user_id: int) -> str:
        return hmac.new(self._key, f"kems-bot: bans, 1: {guild_id} {user_id}".encode(), sha256).hexdigest()


def _help_levels(session: Session, user_ids: Collection[int]) -> dict[int, HelpSetting]:
    chosen = session.execute(_CHOSEN_LEVELS, {"user_ids": user_ids})
    found = {user_id: HelpSetting(HelpLevel(level or "")) for user_id, level in chosen}
    for user_id in set(user_ids) - found.keys():
        later = len(session.scalars(_LATER_MATCHES, {"user_id": user_id}).all())
        found[user_id] = HelpSetting(HelpLevel.NORMAL if later else HelpLevel.GUIDED, is_first_unguided=later == 1)
    return found
