"""Private panels that can still be edited after a restart, their tokens encrypted.

The database alone does not reveal the tokens: the key is derived from the bot's token. After a change of that token,
older texts cannot be decrypted.
"""

from base64 import urlsafe_b64encode
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, delete, insert, select, tuple_
from sqlalchemy.orm import Session

from bot.store.engine.database import Database
from bot.store.engine.failures import RejectedError
from bot.store.schema.tables import PanelRow, SeatRow
from bot.store.sql import Adapter, from_row, plain
from bot.tables.table_store import OpenPanel, PanelKey, PanelStore

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

_PURPOSE: Final = b"kems-bot: interaction tokens, 1"


class Cipher:
    """Fernet (AES-128-CBC with HMAC-SHA256), its key derived by HKDF from a random secret."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    @cached_property
    def _fernet(self) -> "Fernet":
        from cryptography.fernet import Fernet  # noqa: PLC0415 - tests/test_late_imports.py
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415 - tests/test_late_imports.py
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415 - tests/test_late_imports.py

        key = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(self._secret.encode())
        return Fernet(urlsafe_b64encode(key))

    def encrypt(self, text: str) -> str:
        """Return the encrypted text, different each time."""
        return self._fernet.encrypt(text.encode()).decode()

    def decrypt(self, encrypted: str) -> str | None:
        """Return the text; None if another secret encrypted it or it was changed."""
        from cryptography.fernet import InvalidToken  # noqa: PLC0415 - tests/test_late_imports.py

        try:
            return self._fernet.decrypt(encrypted.encode()).decode()
        except InvalidToken:
            return None


_INSERT: Final = insert(plain(PanelRow))


class SqlPanelStore(Adapter, PanelStore):
    """`PanelStore` in SQL."""

    def __init__(self, database: Database, cipher: Cipher) -> None:
        super().__init__(database)
        self._cipher = cipher

    async def save(self, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int) -> None:
        tables = {table_id for table_id, _ in (*closed, *(panel.key for panel in opened))}
        try:
            await self._save(opened, closed, since, tables)
        except RejectedError:  # of one table, which another process serves: what that one has noted stays
            for table_id in tables:
                ours = [panel for panel in opened if panel.table_id == table_id]
                with suppress(RejectedError):
                    await self._save(ours, [key for key in closed if key[0] == table_id], since, [table_id])

    async def _save(
        self, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int, tables: Collection[int]
    ) -> None:
        await self._database.run(lambda connection: self._replace(connection, opened, closed, since), tables=tables)

    def _replace(
        self, connection: Connection, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int
    ) -> None:
        keys = [panel.key for panel in opened]
        is_replaced = tuple_(PanelRow.table_id, PanelRow.user_id).in_([*closed, *keys])
        connection.execute(delete(PanelRow).where(is_replaced | (PanelRow.made_at < since)))
        # A player may have left the table, or been erased, since the panel was opened.
        seats = select(SeatRow.table_id, SeatRow.user_id).where(tuple_(SeatRow.table_id, SeatRow.user_id).in_(keys))
        seated = {(table_id, user_id) for table_id, user_id in connection.execute(seats)}
        rows = [asdict(panel) | {"token": self._cipher.encrypt(panel.token)} for panel in opened if panel.key in seated]
        if rows:
            connection.execute(_INSERT, rows)

    async def load(self, since: int, table_ids: Collection[int]) -> tuple[OpenPanel, ...]:
        ours = select(PanelRow).where(PanelRow.table_id.in_(table_ids)).order_by(PanelRow.made_at)

        def load(session: Session) -> tuple[OpenPanel, ...]:
            session.execute(delete(PanelRow).where(PanelRow.made_at < since))
            panels = []
            for row in session.scalars(ours):
                token = self._cipher.decrypt(row.token)
                if token is None:  # encrypted for another bot, which cannot edit this panel
                    session.delete(row)
                    continue
                panels.append(from_row(OpenPanel, row, token=token))
            return tuple(panels)

        return await self._database.change(load)
