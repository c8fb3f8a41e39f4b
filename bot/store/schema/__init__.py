"""The rows of the database, and how values are written in them.

Instants are milliseconds since the Unix epoch. Discord's ids are BIGINT. Structured values are JSON as text. Events
name seats, never users; `bot.store.personal` lists the columns with personal data.
"""

from bot.store.schema import daily, ladder, tables
from bot.store.schema.columns import Base

__all__ = ["Base", "daily", "ladder", "tables"]
