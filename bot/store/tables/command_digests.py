"""The commands that each application has registered with Discord, as digests."""

from bot.store.engine.database import Database
from bot.store.schema import CommandDigestRow


class SqlCommandDigests:
    """The `bot.ui.command_registration.CommandDigests` of a database; several applications may use it in turn."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, application_id: int, guild_id: int) -> str | None:
        async with self._database.transaction() as session:
            row = await session.get(CommandDigestRow, (application_id, guild_id))
            return None if row is None else row.digest

    async def save(self, application_id: int, guild_id: int, digest: str) -> None:
        row = CommandDigestRow(application_id=application_id, guild_id=guild_id, digest=digest)
        async with self._database.transaction() as session:
            await session.merge(row)
