"""What servers have chosen, apart from their ladders: settings and sets of rules."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from bot.game.rules.house_rules import name_key
from bot.store.engine.database import Database
from bot.store.schema.codec import decode_numbers, encode
from bot.store.schema.tables import RuleSetRow, ServerRow
from bot.store.sql import Adapter, from_row
from bot.tables.servers.settings import RuleSet, RuleSetStore, ServerSettings, ServerStore


class SqlServerStore(Adapter, ServerStore):
    """`ServerStore` in SQL."""

    def __init__(self, database: Database, *, changed: Callable[[int], None] = lambda _guild_id: None) -> None:
        """`changed` is called with the id of a server whose settings were changed."""
        super().__init__(database)
        self._changed = changed
        self._one_at_a_time = asyncio.Lock()  # from reading to saving; only this process writes

    async def read(self, guild_id: int) -> ServerSettings:
        return _settings(await self._get(ServerRow, guild_id))

    async def change(self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        def write(session: Session) -> ServerSettings:
            changed = change(_settings(session.get(ServerRow, guild_id)))
            values = asdict(changed) | {"table_channels": encode(changed.table_channels)}
            session.merge(ServerRow(guild_id=guild_id, **values))
            return changed

        async with self._one_at_a_time:
            changed = await self._database.change(write)
        self._changed(guild_id)
        return changed


def _settings(row: ServerRow | None) -> ServerSettings:
    if row is None:
        return ServerSettings()
    return from_row(ServerSettings, row, table_channels=decode_numbers(row.table_channels))


class SqlRuleSetStore(Adapter, RuleSetStore):
    """`RuleSetStore` in SQL."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._one_at_a_time = asyncio.Lock()  # from counting to saving; only this process writes

    async def save(self, guild_id: int, rule_set: RuleSet, *, most: int) -> bool:
        row = RuleSetRow(guild_id=guild_id, key=name_key(rule_set.name), name=rule_set.name, line=rule_set.line)
        others = select(func.count()).where(RuleSetRow.guild_id == guild_id, RuleSetRow.key != row.key)

        def write(session: Session) -> bool:
            if (session.scalar(others) or 0) >= most:
                return False
            session.merge(row)
            return True

        async with self._one_at_a_time:
            return await self._database.change(write)

    async def delete(self, guild_id: int, rule_set: RuleSet) -> bool:
        deletion = delete(RuleSetRow).where(
            *(RuleSetRow.guild_id == guild_id, RuleSetRow.key == name_key(rule_set.name)),
            RuleSetRow.line == rule_set.line,
        )
        return await self._change(deletion) > 0

    async def all(self, guild_id: int) -> tuple[RuleSet, ...]:
        rows = await self._scalars(select(RuleSetRow).where(RuleSetRow.guild_id == guild_id))
        return tuple(RuleSet(row.name, row.line) for row in sorted(rows, key=lambda row: row.key))
