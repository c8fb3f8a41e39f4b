"""The rows of what was registered with Discord."""

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.engine.base import Base
from bot.store.schema.columns import KeySnowflake


class CommandDigestRow(Base):
    """See `bot.ui.command_registration.CommandDigests`. The `digest` is a SHA-256 in hexadecimal digits."""

    __tablename__ = "command_digests"

    application_id: Mapped[KeySnowflake]
    guild_id: Mapped[KeySnowflake]
    digest: Mapped[str] = mapped_column(String(64))
