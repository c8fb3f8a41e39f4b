"""How far a night has come: how many rounds it has, whether it is complete, who waits in a lounge."""

from itertools import combinations
from typing import Final

from bot.nights.entrants import Entrant
from bot.nights.history import both, knocked_out, meetings
from bot.nights.night import Night
from bot.nights.partners import playing_pairs
from bot.nights.plan import Format
from bot.nights.rounds import NightTable

PATIENCE_MS: Final = 15 * 60_000
"""How long a night waits for enough people before it is cancelled, or over."""
QUEUE_MS: Final = 2 * 60_000
"""How long the first of a lounge's queue waits before a table opens with robots, or with fewer people."""


def enough(night: Night) -> int:
    """Returns how few people a round can be played by."""
    return 2 if night.plan.fills_with_robots else 4


def is_complete(night: Night) -> bool:
    """Whether no round follows once the running one is over."""
    last = night.round
    if last is None:
        return False
    if night.is_closing:
        return True
    match night.plan.format:
        case Format.LOUNGE:
            return last.called_at is not None
        case Format.KNOCKOUT:
            return last.is_over and len(playing_pairs(night)[0]) <= 1
        case Format.ROUND_ROBIN:
            return len(night.rounds) >= _meeting_rounds(night) or (_is_wide(night) and _all_met(night))
        case Format.ROTATION | Format.SWISS:
            return len(night.rounds) >= night.plan.rounds


def round_count(night: Night) -> int | None:
    """Returns how many rounds the night has if nobody leaves or comes.

    None for a lounge, and for a round robin at tables of three and four pairs, which ends when each has met each.
    """
    begun = len(night.rounds)
    match night.plan.format:
        case Format.LOUNGE:
            return None
        case Format.ROTATION | Format.SWISS:
            return max(begun, night.plan.rounds)
        case Format.ROUND_ROBIN:
            return None if _is_wide(night) else max(begun, _meeting_rounds(night))
        case Format.KNOCKOUT:
            left, more = _still_in(night), 0
            while left > 1:
                left, more = -(-left // (night.plan.size // 2)), more + 1
            return begun + more


def knockout_size(pairs: int, at_a_table: int) -> int:
    """Returns how many pairs are left after the next round of a knock-out: the greatest full bracket below."""
    left = 1
    while left * at_a_table < pairs:
        left *= at_a_table
    return left


def queue(night: Night) -> tuple[Entrant, ...]:
    """Returns who waits for a table of a lounge, who has waited longest first."""
    free = (entrant for entrant in night.present if night.table_of(entrant.number) is None)
    return tuple(sorted(free, key=lambda entrant: (free_since(night, entrant), entrant.number)))


def free_since(night: Night, entrant: Entrant) -> int:
    """Returns since when somebody waits for a table of a lounge (milliseconds), the beginning at the earliest."""
    tables = night.round.tables if night.round is not None else ()
    ends = (table.ended_at or 0 for table in tables if entrant.number in table.seats)
    return max(night.plan.starts_at, entrant.joined_at, *ends)


def fills_at(night: Night) -> int | None:
    """Returns when the next table of a lounge opens; None while too few wait for one."""
    waiting = queue(night)
    if len(waiting) >= night.plan.size:
        return free_since(night, waiting[night.plan.size - 1])
    if waiting and (night.plan.fills_with_robots or len(waiting) >= 4):
        return free_since(night, waiting[0]) + QUEUE_MS
    return None


def round_robin_slots(night: Night) -> tuple[tuple[int, ...], ...]:
    """Returns the pairs of a round robin's first round, as Berger's tables count them.

    Table t of the first round seats slot t-1 and its mirror image. With an odd number of pairs slot 0 has the bye, and
    the last slot is empty.
    """
    couples = [(_people(table, 0), _people(table, 1)) for table in night.rounds[0].tables]
    resting = _first_to_rest(night)
    if resting:
        couples.insert(0, (resting, ()))
    return (*(one for one, _ in couples), *(other for _, other in reversed(couples)))


def _people(table: NightTable, team: int) -> tuple[int, ...]:
    return tuple(seat for seat in table.members(team) if seat is not None)


def _still_in(night: Night) -> int:
    """How many pairs are not knocked out; those at a running table count as one."""
    last = night.round
    if last is None or last.is_over:
        return len(playing_pairs(night)[0])
    open_tables = sum(table.result is None for table in last.tables)
    seated = {seat for table in last.tables for seat in table.seats if seat is not None}
    others = {entrant.number for entrant in night.present} - knocked_out(night) - seated
    through = sum(table.result is not None for table in last.tables)
    return open_tables + through + (len(others) + 1) // 2


def _is_wide(night: Night) -> bool:
    return night.plan.size > 4


def _meeting_rounds(night: Night) -> int:
    """In how many rounds each pair meets each, two at a table; the most that larger tables may take."""
    pairs = _first_pairs(night)
    return 2 * pairs if _is_wide(night) else pairs - 1 + pairs % 2


def _first_pairs(night: Night) -> int:
    if not night.rounds:
        return len(playing_pairs(night)[0])
    return sum(table.teams for table in night.rounds[0].tables) + bool(_first_to_rest(night))


def _first_to_rest(night: Night) -> tuple[int, ...]:
    """The pair that had the bye of the first round. One person more is somebody without a partner, or a robot's."""
    byes = night.rounds[0].byes
    return byes if night.plan.fills_with_robots else byes[: len(byes) // 2 * 2]


def _all_met(night: Night) -> bool:
    """Whether each pair that is there has met each other one."""
    met = meetings(night).opponents
    pairs = playing_pairs(night)[0]
    return all(met[both(one.first, other.first)] > 0 for one, other in combinations(pairs, 2))
