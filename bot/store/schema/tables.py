"""The rows of tables and their matches, of game nights, of what servers have chosen, and of the bot's processes.

The `body` of a night names people by their entrants' numbers; user ids and names have columns. A server without a row
has the defaults. Only PostgreSQL needs the rows of processes (`bot.store.engine.cluster`).
"""

from typing import Annotated, Any, Final, get_args, get_type_hints

from sqlalchemy import BigInteger, Boolean, ForeignKey, Index, Integer, LargeBinary, String, Text, false
from sqlalchemy.orm import Mapped, MappedColumn, mapped_column
from sqlalchemy.types import TypeEngine

from bot.records.history import ResultRecord
from bot.store.schema.columns import Base, Json, KeyNumber, KeySnowflake, KeyTable, Millis, Snowflake
from bot.tables.servers.settings import Channel, Role, ServerSettings

KeyNight = Annotated[
    int, mapped_column(BigInteger, ForeignKey("nights.id", ondelete="CASCADE"), primary_key=True, autoincrement=False)
]


class TableRow(Base):
    """A lobby and its match.

    - `strategies`: what the players' vote allowed; NULL without a vote and during it. `has_vote`: a vote was proposed.
    - `former_channel_id`, `former_message_id`: an earlier message of the table that does not say so yet.
    - `post_channel_id`, `post_message_id`: the message of the lobby, if the match has a thread of its own.
    - `log_messages`: deleted when the table ends; the id of a channel and of a message in turn.
    - `open_channel_id`: the channel of the table, or of its thread, while @everyone can read it, else NULL.
    - `starts_at`: when the lobby starts by itself.
    - `is_ranked`: decided when the match starts; a ranked match becomes friendly if a moderator removes a player
      without a loss.
    - `purged_at`: since then the log, the rounds and the names are deleted (`bot.store.records.retention`).
    """

    __tablename__ = "tables"
    __table_args__ = (Index(None, "status", "is_message_final"), Index(None, "host_id", "id"))

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    guild_id: Mapped[Snowflake]
    channel_id: Mapped[Snowflake]
    message_id: Mapped[Snowflake | None]
    message_round: Mapped[int] = mapped_column(server_default="0")
    is_message_final: Mapped[bool] = mapped_column(server_default=false())
    former_channel_id: Mapped[Snowflake | None]
    former_message_id: Mapped[Snowflake | None]
    log_messages: Mapped[Json] = mapped_column(server_default="[]")
    post_channel_id: Mapped[Snowflake | None]
    post_message_id: Mapped[Snowflake | None]
    open_channel_id: Mapped[Snowflake | None]
    host_id: Mapped[Snowflake]
    status: Mapped[str] = mapped_column(String(16))
    locale: Mapped[str] = mapped_column(String(16))
    rules: Mapped[Json]
    size: Mapped[int]
    has_random_teams: Mapped[bool]
    wants_thread: Mapped[bool] = mapped_column(server_default=false())
    theme: Mapped[str] = mapped_column(String(16), server_default="french")
    rematch_of: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("tables.id", ondelete="SET NULL"))
    rule_set: Mapped[str | None] = mapped_column(String(32))
    strategies: Mapped[Json | None]
    has_vote: Mapped[bool] = mapped_column(server_default=false())
    opened_at: Mapped[Millis]
    closes_at: Mapped[Millis | None]
    starts_at: Mapped[Millis | None]
    started_at: Mapped[Millis | None]
    is_ranked: Mapped[bool] = mapped_column(server_default=false())
    absence: Mapped[str] = mapped_column(String(16), server_default="robot")
    robot_level: Mapped[str] = mapped_column(String(16), server_default="regular")
    coaching: Mapped[str] = mapped_column(String(16), server_default="none")
    robots_stay: Mapped[bool] = mapped_column(server_default=false())
    players_role: Mapped[Snowflake | None]
    mentions_role: Mapped[bool] = mapped_column(server_default=false())
    afk_seconds: Mapped[int | None]
    purged_at: Mapped[Millis | None]


_IS_OPEN: Final = TableRow.open_channel_id.is_not(None)
Index("ix_tables_open", TableRow.guild_id, TableRow.open_channel_id, TableRow.channel_id, sqlite_where=_IS_OPEN)
_IS_WHOLE: Final = TableRow.purged_at.is_(None)
Index("ix_tables_whole", TableRow.guild_id, TableRow.opened_at, sqlite_where=_IS_WHOLE)


class SeatRow(Base):
    """A seat that is taken. A robot's seat has no user.

    - `is_away`: a robot plays for the player. `is_open`: another person may take the seat.
    - `robot_level`: of a robot that plays otherwise than the table's.
    - `help_level`, `has_no_marks`, `is_first_unguided`: those of `bot.records.player`.
    - `ballot`: what the player said yes to in a running secret vote; NULL after the vote.
    - `wants_rematch`: the match is over, and the player has asked for another one.
    - `handover_times`: when others started and stopped to play in the player's place, in turn.
    - `reserved_for_id`, `reserved_for_name`: the person for whom a robot's seat is reserved, while a match runs.
    """

    __tablename__ = "seats"
    __table_args__ = (Index(None, "user_id", "table_id"),)

    table_id: Mapped[KeyTable]
    seat: Mapped[KeyNumber]
    team: Mapped[int]
    user_id: Mapped[Snowflake | None]
    name: Mapped[str] = mapped_column(Text)
    is_away: Mapped[bool] = mapped_column(server_default=false())
    is_open: Mapped[bool] = mapped_column(server_default=false())
    robot_level: Mapped[str | None] = mapped_column(String(16))
    handover_times: Mapped[Json] = mapped_column(server_default="[]")
    help_level: Mapped[str | None] = mapped_column(String(16))
    has_no_marks: Mapped[bool] = mapped_column(server_default=false())
    is_first_unguided: Mapped[bool] = mapped_column(server_default=false())
    reserved_for_id: Mapped[Snowflake | None]
    reserved_for_name: Mapped[str] = mapped_column(Text, server_default="")
    ballot: Mapped[Json | None]
    wants_rematch: Mapped[bool] = mapped_column(server_default=false())


_IS_RESERVED: Final = SeatRow.reserved_for_id.is_not(None)
Index("ix_seats_reserved_for_id", SeatRow.reserved_for_id, sqlite_where=_IS_RESERVED)
NOT_RESERVED: Final[dict[str, Any]] = {"reserved_for_id": None, "reserved_for_name": ""}
"""The columns of a seat that is reserved for nobody."""


class InvitationRow(Base):
    """A person who was invited to an open lobby; the rows go with the lobby."""

    __tablename__ = "invitations"
    __table_args__ = (Index(None, "user_id"),)

    table_id: Mapped[KeyTable]
    user_id: Mapped[KeySnowflake]


class DepartureRow(Base):
    """A player who left their seat at a running match: for good, or for now if the seat is still theirs."""

    __tablename__ = "departures"
    __table_args__ = (Index(None, "user_id", "table_id"),)

    table_id: Mapped[KeyTable]
    user_id: Mapped[KeySnowflake]
    seat: Mapped[int]
    name: Mapped[str] = mapped_column(Text)
    at: Mapped[Millis]
    was_removed: Mapped[bool] = mapped_column(server_default=false())


class PanelRow(Base):
    """A private panel that can be edited until its token expires; the `token` is encrypted."""

    __tablename__ = "panels"

    table_id: Mapped[KeyTable]
    user_id: Mapped[KeySnowflake]
    seat: Mapped[int]
    page: Mapped[str] = mapped_column(String(16))
    language: Mapped[str] = mapped_column(String(16))
    round: Mapped[int]
    made_at: Mapped[Millis]
    message_id: Mapped[Snowflake]
    token: Mapped[str] = mapped_column(Text)
    channel_id: Mapped[Snowflake]
    is_follow_up: Mapped[bool]


class EventRow(Base):
    """One event of a match's log, numbered from 1. `press_id` is the interaction that caused it, stored once.

    Some minutes after a match has ended, its log becomes a `LogRow`.
    """

    __tablename__ = "events"

    table_id: Mapped[KeyTable]
    seq: Mapped[KeyNumber]
    at: Mapped[Millis]
    kind: Mapped[str] = mapped_column(String(32))
    version: Mapped[int]
    body: Mapped[Json]
    press_id: Mapped[Snowflake | None]


_HAS_PRESS: Final = EventRow.press_id.is_not(None)
Index("uq_events_press_id", EventRow.press_id, unique=True, sqlite_where=_HAS_PRESS)


class LogRow(Base):
    """The whole log of a match that is over, compressed (`bot.store.schema.codec.pack`); its `EventRow`s are gone."""

    __tablename__ = "logs"

    table_id: Mapped[KeyTable]
    packed_events: Mapped[bytes] = mapped_column(LargeBinary)


class PressRow(Base):
    """A `bot.records.press_notes.PressNote`."""

    __tablename__ = "presses"
    __table_args__ = (Index(None, "user_id", "press_id"),)

    press_id: Mapped[KeySnowflake]
    user_id: Mapped[Snowflake]
    guild_id: Mapped[Snowflake]
    table_id: Mapped[int] = mapped_column(BigInteger)
    action: Mapped[str] = mapped_column(String(64))
    outcome: Mapped[str] = mapped_column(String(32))
    reason: Mapped[str] = mapped_column(Text)
    duration_ms: Mapped[int]


class ShareRow(Base):
    """The message that shows a round of a finished match in a channel."""

    __tablename__ = "shares"

    table_id: Mapped[KeyTable]
    round: Mapped[KeyNumber]
    channel_id: Mapped[KeySnowflake]
    message_id: Mapped[Snowflake]


class ResultRow(Base):
    """A `bot.records.history.ResultRecord`, with a column for each field; one at most, so that the match counts once.

    `number` counts a server's results in the order in which they were recorded.
    """

    __tablename__ = "results"
    __table_args__ = (Index(None, "guild_id", "number", unique=True), Index(None, "guild_id", "ended_at", "table_id"))

    table_id: Mapped[KeyTable]
    guild_id: Mapped[Snowflake]
    number: Mapped[int]
    season: Mapped[int]
    winner: Mapped[int | None]
    scores: Mapped[Json]
    games: Mapped[Json]
    rounds: Mapped[int]
    ended_at: Mapped[Millis]


class NightRow(Base):
    """A `bot.nights.night.Night`; `body` is all of it that has no column and no row of its own.

    - `number`: counts a server's nights.
    - `is_live`: something is still to be done for it.
    - `purged_at`: since then its names are deleted (`bot.store.records.retention`).
    """

    __tablename__ = "nights"
    __table_args__ = (
        Index(None, "guild_id", "number", unique=True),
        Index(None, "guild_id", "starts_at"),
        Index(None, "host_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    guild_id: Mapped[Snowflake]
    number: Mapped[int]
    host_id: Mapped[Snowflake | None]
    title: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(16))
    starts_at: Mapped[Millis]
    is_live: Mapped[bool]
    version: Mapped[int]
    body: Mapped[Json]
    purged_at: Mapped[Millis | None]


_IS_LIVE: Final = NightRow.is_live.is_(True)
Index("ix_nights_live", NightRow.id, sqlite_where=_IS_LIVE)


class NightDraftRow(Base):
    """A `bot.nights.planning.draft.NightDraft` of a person; `body` is all of it but its titles.

    `title` is that of the plan and, on a second line, that of the night's plan which it changes.
    """

    __tablename__ = "night_drafts"
    __table_args__ = (Index(None, "user_id"),)

    guild_id: Mapped[KeySnowflake]
    user_id: Mapped[KeySnowflake]
    title: Mapped[str] = mapped_column(Text)
    body: Mapped[Json]
    saved_at: Mapped[Millis]


class EntrantRow(Base):
    """The person behind an entrant of a night; without a user id they were erased, without a name it was deleted."""

    __tablename__ = "entrants"
    __table_args__ = (Index(None, "user_id", "night_id"),)

    night_id: Mapped[KeyNight]
    number: Mapped[KeyNumber]
    user_id: Mapped[Snowflake | None]
    name: Mapped[str] = mapped_column(Text)


class NightStepRow(Base):
    """A `bot.nights.changes.DoneStep` of the user `by_id`, in the order of the log."""

    __tablename__ = "night_steps"
    __table_args__ = (Index(None, "by_id", "night_id", "number"),)

    night_id: Mapped[KeyNight]
    number: Mapped[KeyNumber]
    by_id: Mapped[Snowflake | None]
    body: Mapped[Json]


class ServerRow(Base):
    """A `bot.tables.servers.settings.ServerSettings`: columns that a statement names, and one for each other field."""

    __tablename__ = "servers"

    guild_id: Mapped[KeySnowflake]
    table_channels: Mapped[Json]
    players_mentioned_at: Mapped[Millis | None]
    retention_days: Mapped[int | None]
    retained_until: Mapped[Millis | None]
    daily_channel: Mapped[Snowflake | None]
    daily_hour: Mapped[int | None]
    daily_posted_day: Mapped[int]


def _column(hint: Any) -> MappedColumn[Any]:
    """Return the column of a field with this type: a channel or role, a number, yes or no, or a short word."""
    if hint in (Channel, Role):
        return mapped_column(BigInteger, nullable=True)
    kinds = get_args(hint) or (hint,)
    types: dict[Any, TypeEngine[Any]] = {int: Integer(), bool: Boolean()}
    return mapped_column(types.get(kinds[0], String(16)), nullable=type(None) in kinds)


def _add_columns(row: type[Base], kind: type) -> None:
    """Give a row a column for each field of a dataclass that it has no column for."""
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name not in row.__table__.columns:
            setattr(row, name, _column(hint))


_add_columns(ResultRow, ResultRecord)
_add_columns(ServerRow, ServerSettings)


class BanRow(Base):
    """A `bot.tables.servers.bans.Ban`. Once the person is erased, a `digest` of person and server stands for them."""

    __tablename__ = "bans"
    __table_args__ = (Index(None, "user_id"), Index(None, "by_id"))

    guild_id: Mapped[KeySnowflake]
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[Snowflake | None]
    by_id: Mapped[Snowflake | None]
    until: Mapped[Millis]
    reason: Mapped[str] = mapped_column(Text)


class RuleSetRow(Base):
    """Rules that a server keeps. `key` is the name as names are compared; `bot.game.rules.house_rules` reads `line`."""

    __tablename__ = "rule_sets"

    guild_id: Mapped[KeySnowflake]
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    line: Mapped[str] = mapped_column(Text)


class ProcessRow(Base):
    """A process that is alive until `expires_at` (by the database's clock), which its heartbeat moves.

    - `requests`: how many it may send to Discord in a second; those with one `address` share its limits.
    - `is_exclusive`: it keeps all others out.
    """

    __tablename__ = "processes"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    expires_at: Mapped[Millis]
    requests: Mapped[int] = mapped_column(server_default="0")
    is_exclusive: Mapped[bool] = mapped_column(server_default=false())
    address: Mapped[str] = mapped_column(String(64), server_default="")


class LeaseRow(Base):
    """The lease of a shard, or that of the leader (`id` -1); free without an owner in `processes`.

    There are as many shards as rows with an `id` from 0. `epoch` counts the changes of owner.
    """

    __tablename__ = "leases"

    id: Mapped[KeyNumber]
    owner: Mapped[str | None] = mapped_column(String(32))
    epoch: Mapped[int]


class ErasureRow(Base):
    """A process that is asked to let a person leave its tables (`bot.tables.erasure`).

    `unreadable_ids` is its answer once they have left: the tables that it cannot read.
    """

    __tablename__ = "erasures"

    process: Mapped[str] = mapped_column(String(32), ForeignKey("processes.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[KeySnowflake]
    unreadable_ids: Mapped[Json | None]


class PendingErasureRow(Base):
    """A person whose data is being deleted, until nothing is left of it (`bot.tables.erasure`).

    From the first change on, `stand_in` is the number that replaces them in the record of matches. Once that is all
    that is left of them, it is the `user_id`, until SQLite's files hold no former bytes either (`bot.store.erasure`).
    """

    __tablename__ = "pending_erasures"

    user_id: Mapped[KeySnowflake]
    stand_in: Mapped[Snowflake | None]


class IdentifyRow(Base):
    """From when on (by the database's clock) a shard of this bucket may identify; see Discord's `max_concurrency`.

    `attempt` names who has identified last, or is about to.
    """

    __tablename__ = "identifies"

    bucket: Mapped[KeyNumber]
    free_at: Mapped[Millis]
    attempt: Mapped[str] = mapped_column(String(32))


class NonceTagRow(Base):
    """The tags of the bot's nonces (`bot.tables.cluster.NonceTags`), in one row.

    At `rival_seen_at` another bot was last seen with the same token.
    """

    __tablename__ = "nonce_tags"

    id: Mapped[KeyNumber]
    present: Mapped[str] = mapped_column(String(4))
    former: Mapped[str] = mapped_column(String(4))
    drawn_at: Mapped[Millis]
    rival_seen_at: Mapped[Millis | None]


OF_PROCESSES: Final = tuple(row.__tablename__ for row in (ErasureRow, IdentifyRow, LeaseRow, NonceTagRow, ProcessRow))
"""The tables by which running processes communicate, which nothing else needs."""
