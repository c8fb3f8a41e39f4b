"""The sets of rules that servers keep."""

import asyncio

from sqlalchemy import CursorResult, delete, func, select

from bot.game.rules.line import name_key
from bot.store.engine.database import Database
from bot.store.schema import RuleSetRow
from bot.tables.rule_book import RuleSet, RuleSetStore


class SqlRuleSetStore(RuleSetStore):
    def __init__(self, database: Database) -> None:
        self._database = database
        self._one_at_a_time = asyncio.Lock()  # from counting to saving; only this process writes

    async def save(self, guild_id: int, rule_set: RuleSet, *, most: int) -> bool:
        row = RuleSetRow(guild_id=guild_id, key=name_key(rule_set.name), name=rule_set.name, line=rule_set.line)
        others = select(func.count()).where(RuleSetRow.guild_id == guild_id, RuleSetRow.key != row.key)
        async with self._one_at_a_time, self._database.transaction() as session:
            if (await session.scalar(others) or 0) >= most:
                return False
            await session.merge(row)
            return True

    async def delete(self, guild_id: int, name: str) -> bool:
        one = delete(RuleSetRow).where(RuleSetRow.guild_id == guild_id, RuleSetRow.key == name_key(name))
        async with self._database.transaction() as session:
            result = await session.execute(one)
            assert isinstance(result, CursorResult)
            return result.rowcount > 0

    async def all(self, guild_id: int) -> tuple[RuleSet, ...]:
        query = select(RuleSetRow).where(RuleSetRow.guild_id == guild_id)
        async with self._database.transaction() as session:
            rows = (await session.scalars(query)).all()
        return tuple(RuleSet(row.name, row.line) for row in sorted(rows, key=lambda row: row.key))
