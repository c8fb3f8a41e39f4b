"""A player's streaks and first partners, which follow from the matches and are no sums.

Each match is added when it is counted. When a player's match becomes void, both are computed again from all others.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final

from sqlalchemy import Executable, case, delete, insert, select, update
from sqlalchemy.orm import Session

from bot.ladder.outcomes import Streak, streaks
from bot.ladder.tally import PARTNERS
from bot.store.schema.codec import decode_numbers, encode
from bot.store.schema.ladder import ALL_SEASONS, OTHER, OWN, Play, PlayerRow, StreakRow
from bot.store.schema.tables import ResultRow
from bot.store.sql import Upserting, plain, upserting


@dataclass(frozen=True, slots=True)
class Career:
    """A player's streaks by season, `ALL_SEASONS` among them, and partners: user ids, or stand-ins of erased users."""

    streaks: dict[int, Streak]
    first_partners: frozenset[int]


def add_to_streaks(session: Session, guild_id: int, season: int, people: Iterable[Play]) -> None:
    """Add a match to the streaks of its players."""
    values = [
        _streak_values(guild_id, play.user_id, number, Streak().after(play.outcome))
        for play in people
        for number in (season, ALL_SEASONS)
    ]
    session.execute(_streaks_continued(upserting(session)), values)


@cache
def _streaks_continued(upserting: Upserting) -> Executable:
    rows = plain(StreakRow)
    new = upserting(rows)
    before, after = rows.c.running, new.excluded.running
    running = case((before * after > 0, before + after), else_=after)
    changed = {"running": running, "best": case((running > rows.c.best, running), else_=rows.c.best)}
    return new.on_conflict_do_update(index_elements=_KEY, set_=changed)


def mates_after(text: str | None, play: Play, plays: Iterable[Play], erasing: Mapping[int, int]) -> str | None:
    """Return the value of a player's `first_partners` column after a match; for `erasing` see `being_erased`."""
    if not play.is_ranked or play.has_left:
        return text
    known = first_partners_of(text)
    team = [other.user_id for other in plays if other.is_ranked and other.team == play.team and other.seat != play.seat]
    return encode_partners(_with(known, [user for user in team if erasing.get(user) not in known]))


def encode_partners(first_partners: Collection[int]) -> str | None:
    """Return the text that the column `first_partners` stores."""
    return encode(tuple(sorted(first_partners))) if first_partners else None


def first_partners_of(text: str | None) -> frozenset[int]:
    """Return the partners in the text of the column `first_partners`."""
    return frozenset(decode_numbers(text or "[]"))


def _with(first_partners: frozenset[int], new_mates: Collection[int]) -> frozenset[int]:
    return first_partners if len(first_partners) >= PARTNERS else first_partners | set(new_mates)


def read_career(session: Session, guild_id: int, user_id: int) -> Career:
    """Return a player's career, from the record of all matches that count."""
    counts = (OWN.guild_id == guild_id, OWN.user_id == user_id, OWN.is_void.is_(False))
    played = select(OWN.season, OWN.outcome).join(ResultRow, ResultRow.table_id == OWN.table_id).where(*counts)
    outcomes: dict[int, list[int]] = {}
    for season, outcome in session.execute(played.order_by(ResultRow.number)):
        for number in (season, ALL_SEASONS):
            outcomes.setdefault(number, []).append(outcome)
    is_mate = (OTHER.table_id == OWN.table_id) & (OTHER.team == OWN.team) & (OTHER.seat != OWN.seat)
    partner_rows = (
        select(ResultRow.number, OTHER.user_id)
        .select_from(OWN)
        .join(ResultRow, ResultRow.table_id == OWN.table_id)
        .join(OTHER, is_mate & OTHER.is_ranked.is_(True))
        .where(*counts, OWN.is_ranked.is_(True), OWN.has_left.is_(False))
    )
    first_partners: frozenset[int] = frozenset()
    for _, partners in groupby(session.execute(partner_rows.order_by(ResultRow.number)), lambda row: row[0]):
        first_partners = _with(first_partners, [user for _, user in partners])
        if len(first_partners) >= PARTNERS:
            break
    return Career({season: streaks(results) for season, results in outcomes.items()}, first_partners)


def write_career(session: Session, guild_id: int, user_id: int, career: Career) -> None:
    """Write a player's career."""
    session.execute(delete(StreakRow).where(StreakRow.guild_id == guild_id, StreakRow.user_id == user_id))
    if career.streaks:
        values = [_streak_values(guild_id, user_id, season, streak) for season, streak in career.streaks.items()]
        session.execute(insert(StreakRow), values)
    player = update(PlayerRow).where(PlayerRow.guild_id == guild_id, PlayerRow.user_id == user_id)
    session.execute(player.values(first_partners=encode_partners(career.first_partners)))


_KEY: Final = ("guild_id", "user_id", "season")


def _streak_values(guild_id: int, user_id: int, season: int, streak: Streak) -> dict[str, int]:
    return dict(zip(_KEY, (guild_id, user_id, season), strict=True)) | {"running": streak.running, "best": streak.best}
