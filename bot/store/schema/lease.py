"""The row that says which bot may write the database."""

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.engine.base import Base
from bot.store.schema.columns import KeyNumber, Millis


class LeaseRow(Base):
    """The only row belongs to the bot that writes a PostgreSQL database; see `bot.store.engine.lease`.

    The unique `epoch` grows with each change of owner. `expires_at` is an instant of the database's clock.
    """

    __tablename__ = "leases"
    __table_args__ = (Index(None, "epoch", unique=True),)

    id: Mapped[KeyNumber]
    owner: Mapped[str] = mapped_column(String(32))
    epoch: Mapped[int]
    expires_at: Mapped[Millis]
