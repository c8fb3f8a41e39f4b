"""The host's steps: done, logged, and undone while nothing depends on them."""

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import chain
from typing import Final

from bot.base.times import MINUTE_MS
from bot.game.rules.house_rules import check_table, for_players
from bot.nights.changes import DoneStep, Duty, HostStep, NightCode, NightRefusedError, StepKind, refuse_if
from bot.nights.formats import format_of
from bot.nights.night import Night, NightStatus
from bot.nights.rounds import Entrant, NightTable, Presence, ResultKind, TableResult

_BEFORE: Final = (StepKind.PAIR, StepKind.START)


def apply_step(night: Night, step: HostStep, by: int, now: int) -> Night:
    """Return the night after a step of the user `by`, which is logged.

    A table whose `table_id` is None afterwards has to be closed and opened again in its thread. A table that got a
    result during its match has to be closed, too.

    Raises:
        NightRefusedError: The step is not possible.
    """
    known = replace(step, round=len(night.rounds)) if step.round is None else step
    if step.kind is not StepKind.ENTER_RESULT:
        refuse_if(night.is_finished, NightCode.NIGHT_OVER)
        if night.status is NightStatus.PLANNED:
            refuse_if(step.kind not in (*_BEFORE, StepKind.DROP), NightCode.NOT_BEGUN)
        else:
            refuse_if(step.kind in _BEFORE, NightCode.HAS_BEGUN)
    make, _ = _STEPS[step.kind]
    changed, logged = make(night, DoneStep(known, by, now))
    return replace(changed, steps=(*night.steps, logged))


def step_subject(night: Night, step: HostStep) -> tuple[object, ...]:
    """Return the subject of a step (`if_unchanged`): the part of the night that it depends on."""
    last, tables, people = night.round, list[NightTable](), {step.entrant, step.other}
    number = None if last is None else last.number
    match step.kind:
        case StepKind.START:
            return night.changed, night.plan.starts_at, night.plan.size, night.plan.fills_with_robots
        case StepKind.ADD_TIME:
            return number, last and (last.ends_at, last.called_at), night.next_at
        case StepKind.PAUSE_ALL | StepKind.RESUME_ALL | StepKind.END_EARLY:
            return number, night.paused_at, night.is_closing
        case StepKind.SWAP if last is not None:
            tables = [table for table in last.tables if people & {*table.seats}]
    if step.table is not None and (table := night.table(step.table, step.round)) is not None:
        tables.append(table)
    is_of_round = bool(tables) and step.kind is not StepKind.ENTER_RESULT
    rows = [(own.user_id, own.presence, own.partner, own.joined_at) for own in night.entrants if own.number in people]
    seen = [(table.number, table.seats, table.restarts, table.result) for table in tables]
    return rows, seen, number if is_of_round else None


def can_correct(night: Night) -> bool:
    """Return whether the night is over and its results may still be corrected, which ends with its recap."""
    return night.status is NightStatus.OVER and Duty.RECAP not in night.done


def last_step(night: Night) -> int | None:
    """Return the place in the log of the step that `undo_step` would undo: the last one not yet undone.

    A start is never undone.
    """
    place = max((at for at, step in enumerate(night.steps) if step.undone_at is None), default=None)
    return None if place is None or night.steps[place].step.kind is StepKind.START else place


def undo_step(night: Night, place: int | None, now: int) -> Night:
    """Return the night with its last step undone; the log keeps that step, marked as undone.

    A table that was dealt again can be undone only if it had a result: its earlier match is gone.

    Raises:
        NightRefusedError: `place` is not that of the last step, or something depends on it.
    """
    if place is None or place >= len(night.steps):
        raise NightRefusedError(NightCode.NOTHING_TO_UNDO)
    done = night.steps[place]
    refuse_if(done.undone_at is not None, NightCode.DONE_ALREADY)
    refuse_if(place != last_step(night), NightCode.CHANGED_MEANWHILE)
    refuse_if(done.step.kind is not StepKind.ENTER_RESULT and night.is_finished, NightCode.NIGHT_OVER)
    refuse_if(done.step.kind in _OF_ROUND and done.step.round != len(night.rounds), NightCode.ROUND_FOLLOWS)
    _, undo = _STEPS[done.step.kind]
    changed = undo(night, done, now)
    steps = tuple(replace(step, undone_at=now) if step is done else step for step in night.steps)
    return replace(changed, steps=steps)


# ---------------------------------------------------------------------- time


def _paused(night: Night, now: int) -> Night:
    refuse_if(night.paused_at is not None, NightCode.ALREADY_PAUSED)
    for table in night.rounds[-1].tables:
        night = night if table.paused_at is None else _with_table_resumed(night, table, now)
    return replace(night, paused_at=now)


def _resumed(night: Night, now: int) -> Night:
    if night.paused_at is None:
        raise NightRefusedError(NightCode.NOT_PAUSED)
    return replace(night.postpone(now - night.paused_at), paused_at=None, is_unplaced=False)


def pause_without_channel(night: Night, now: int) -> Night:
    """Return the night paused because a table of its round has no channel to be played in."""
    is_still = night.status is not NightStatus.RUNNING or night.paused_at is not None
    return night if is_still else replace(_paused(night, now), is_unplaced=True)


def resume_with_channel(night: Night, now: int) -> Night:
    """Return the night resumed, now that its tables have a channel."""
    return _resumed(night, now) if night.is_unplaced else night


def move_to_channel(
    night: Night, channel_id: int, announce_id: int | None, now: int, *, with_series: bool = False
) -> Night:
    """Return the night whose unopened tables open in another channel; its message stays in `announce_id`.

    `with_series` moves the following nights, too.
    """
    refuse_if(not night.is_unplaced, NightCode.CHANGED_MEANWHILE)
    change = night.plan.for_series if with_series else night.plan.tonight
    return resume_with_channel(replace(night, plan=change(channel_id=channel_id, announce_id=announce_id)), now)


def _table_paused(night: Night, done: DoneStep, now: int) -> Night:
    table = _table(night, done.step)
    refuse_if(table.result is not None, NightCode.TABLE_OVER)
    refuse_if(night.paused_at is not None or table.paused_at is not None, NightCode.ALREADY_PAUSED)
    return night.with_table(replace(table, paused_at=now))


def _table_resumed(night: Night, done: DoneStep, now: int) -> Night:
    table = _table(night, done.step)
    refuse_if(table.paused_at is None, NightCode.NOT_PAUSED)
    return _with_table_resumed(night, table, now)


def _with_table_resumed(night: Night, table: NightTable, now: int) -> Night:
    """Return the night with a table resumed, and its time extended by the pause."""
    ends_at = table.ends_at or night.rounds[-1].ends_at
    later = None if ends_at is None else ends_at + now - (table.paused_at or now)
    return night.with_table(replace(table, paused_at=None, ends_at=later))


def _with_minutes(night: Night, minutes: int) -> Night:
    last = night.rounds[-1]
    refuse_if(night.next_at is None and last.called_at is not None, NightCode.TIME_CALLED)
    refuse_if(night.next_at is None and last.ends_at is None, NightCode.NO_TIMER)
    return night.postpone(minutes * MINUTE_MS)


def _end_early(night: Night, done: DoneStep) -> tuple[Night, DoneStep]:
    refuse_if(night.is_closing, NightCode.TIME_CALLED)
    resumed = night if night.paused_at is None else _resumed(night, done.at)
    last = resumed.rounds[-1]
    tables = tuple(replace(table, paused_at=None, ends_at=None) for table in last.tables)
    last = replace(last, tables=tables)
    closing = replace(resumed, is_closing=True).with_round(last)
    if last.called_at is None and (not last.is_over or night.plan.format.is_open):
        closing = closing.with_round(replace(last, ends_at=done.at))
    return closing, replace(done, was_at=last.ends_at)


def _undo_end(night: Night, done: DoneStep, now: int) -> Night:
    last = night.rounds[-1]
    refuse_if(last.called_at is not None and night.plan.format.is_open, NightCode.TIME_CALLED)
    if last.called_at is None:
        night = night.with_round(replace(last, ends_at=done.was_at))
    return replace(night, is_closing=False)


def resume_series(night: Night) -> Night:
    """Return the night of a series that continues although nobody came."""
    refuse_if(night.is_finished, NightCode.NIGHT_OVER)
    refuse_if(not night.plan.is_weekly, NightCode.CHANGED_MEANWHILE)
    return replace(night, deserted=0)


# ---------------------------------------------------------------------- people


def remove_members(night: Night, user_ids: Collection[int]) -> Night:
    """Return the night without these people, as far as they are entrants, since they have left the server."""
    for number in [entrant.number for entrant in night.signed_up if entrant.user_id in user_ids]:
        night = night.remove(number)
    return night


def change_seating(
    night: Night, *, size: int | None = None, with_robots: bool = False, with_series: bool = False
) -> Night:
    """Return the night with larger tables or with robots, for fewer byes; nobody has to confirm again.

    `with_series` changes the following nights, too.

    Raises:
        RulesError: The rules do not allow tables of that size.
    """
    refuse_if(night.status is not NightStatus.PLANNED, NightCode.HAS_BEGUN)
    if size is not None:
        check_table(for_players(night.plan.rules, size), size)
    robots = night.plan.fills_with_robots or with_robots
    change = night.plan.for_series if with_series else night.plan.tonight
    return replace(night, plan=change(size=size or night.plan.size, fills_with_robots=robots))


def _playing(night: Night, number: int | None) -> Entrant:
    known = night.entrant(number)
    if known is None or known.presence is Presence.OUT:
        raise NightRefusedError(NightCode.UNKNOWN_ENTRANT)
    return known


def _drop(night: Night, done: DoneStep) -> tuple[Night, DoneStep]:
    known = _playing(night, done.step.entrant)
    partner = () if known.partner is None else (known.partner,)
    own = night.table_of(known.number) if known.is_silent else None  # a robot plays there for somebody who never came
    left = night.remove(known.number)
    dropped = left.with_entrant(replace(left.entrants[known.number], is_removed=True))
    if own is not None:
        dropped = dropped.mark_no_shows(own.number, (known.number,))
    return dropped, replace(done, entrants=(known.number, *partner), tables=() if own is None else (own,))


def _undo_drop(night: Night, done: DoneStep, now: int) -> Night:
    number, *partner = done.entrants
    dropped = night.entrants[number]
    has_changed = (
        dropped.presence is not Presence.OUT
        or dropped.declines
        or any(night.entrants[entrant].partner is not None for entrant in partner)
    )
    refuse_if(has_changed, NightCode.CHANGED_MEANWHILE)
    presence = Presence.IN if night.has_space else Presence.WAITING
    back = night.with_entrant(replace(dropped, presence=presence, is_removed=False))
    for before in done.tables:
        known = back.table(before.number)
        if known is not None and known.result is None:
            no_shows = tuple(entrant for entrant in known.no_shows if entrant != number)
            back = back.with_table(replace(known, no_shows=no_shows))
    return back.pair(number, partner[0]) if partner else back


def _pair(night: Night, done: DoneStep) -> tuple[Night, DoneStep]:
    refuse_if(not night.plan.format.has_pairs, NightCode.NO_PAIRS)
    first, second = (_playing(night, number) for number in (done.step.entrant, done.step.other))
    refuse_if(first == second, NightCode.ITSELF)
    refuse_if(first.partner == second.number, NightCode.HAS_PARTNER)
    former = ((each.number, each.partner) for each in (first, second) if each.partner is not None)
    return night.pair(first.number, second.number), replace(done, entrants=tuple(chain.from_iterable(former)))


def _undo_pair(night: Night, done: DoneStep, now: int) -> Night:
    own = _playing(night, done.step.entrant)
    refuse_if(own.partner != done.step.other, NightCode.CHANGED_MEANWHILE)
    night = night.unpair(own.number)
    for pair in zip(done.entrants[::2], done.entrants[1::2], strict=True):
        refuse_if(any(_playing(night, number).partner is not None for number in pair), NightCode.CHANGED_MEANWHILE)
        night = night.pair(*pair)
    return night


def _start(night: Night, done: DoneStep) -> tuple[Night, DoneStep]:
    refuse_if(len(night.present) < format_of(night).fewest(night), NightCode.TOO_FEW)
    return replace(night, plan=night.plan.moved_to(done.at)), replace(done, was_at=night.plan.starts_at)


def _swap(night: Night, done: DoneStep) -> tuple[Night, DoneStep]:
    last = night.rounds[-1]
    first, second = (_playing(night, number).number for number in (done.step.entrant, done.step.other))
    refuse_if(first == second, NightCode.ITSELF)
    pair = {first: second, second: first}
    # whose table of an open format is over has gone on to another
    seated_at = [table for table in last.tables if pair.keys() & set(table.seats)]
    refuse_if(not seated_at, NightCode.NO_TABLE)
    tables = tuple(table for table in seated_at if table.result is None or not night.plan.format.is_open)
    seated = [seat for table in tables for seat in table.seats if seat in pair]
    refuse_if(not tables, NightCode.TABLE_OVER)
    refuse_if(len(seated) != len(set(seated)), NightCode.CHANGED_MEANWHILE)
    refuse_if(last.called_at is not None, NightCode.TIME_CALLED)
    refuse_if(any(table.result is not None for table in tables), NightCode.TABLE_OVER)
    for table in tables:
        seats = tuple(seat if seat is None else pair.get(seat, seat) for seat in table.seats)
        night = night.with_table(replace(_restarted(table), seats=seats))
    byes = tuple(pair.get(bye, bye) for bye in last.byes)
    changed = night.with_round(replace(night.rounds[-1], byes=byes))
    return changed, replace(done, tables=tables)


# ---------------------------------------------------------------------- tables


def _table(night: Night, step: HostStep) -> NightTable:
    table = night.table(step.table or 0, step.round or 0)
    if table is None:
        raise NightRefusedError(NightCode.UNKNOWN_TABLE)
    return table


def _enter(night: Night, done: DoneStep) -> tuple[Night, DoneStep]:
    step = done.step
    refuse_if(not night.rounds and not night.is_finished, NightCode.NOT_BEGUN)
    is_closed = not night.rounds or night.status is NightStatus.CANCELLED or Duty.RECAP in night.done
    refuse_if(is_closed, NightCode.NIGHT_OVER)
    table = _table(night, step)
    refuse_if(len(step.scores) != table.teams or min(step.scores) < 0, NightCode.WRONG_SCORES)
    result, ended_at = TableResult(step.scores, ResultKind.ENTERED), table.ended_at
    entered = _with_result(night, step, table, result, done.at if ended_at is None else ended_at)
    return entered if table.result is not None else entered.with_break(done.at), replace(done, tables=(table,))


def _with_result(night: Night, step: HostStep, table: NightTable, result: TableResult, ended_at: int | None) -> Night:
    """Return the night with another result; a round that is drawn already stays as it is."""
    night = replace(night, done=tuple(duty for duty in night.done if duty is not Duty.HAND_OVER))
    drawn_by = table.result if table.drawn_by is None and step.round != len(night.rounds) else table.drawn_by
    known = replace(table, result=result, ended_at=ended_at, drawn_by=drawn_by, paused_at=None)
    return night.with_table(known.mark_no_shows(()), step.round)


def _undo_result(night: Night, done: DoneStep, now: int) -> Night:
    refuse_if(Duty.RECAP in night.done, NightCode.NIGHT_OVER)
    (before,) = done.tables
    current = _table(night, done.step)
    is_its_own = current.result == TableResult(done.step.scores, ResultKind.ENTERED)
    refuse_if(not is_its_own or current.restarts != before.restarts, NightCode.CHANGED_MEANWHILE)
    if before.result is not None:
        former = replace(current, no_shows=before.no_shows)
        return _with_result(night, done.step, former, before.result, before.ended_at)
    refuse_if(done.step.round != len(night.rounds), NightCode.ROUND_FOLLOWS)
    refuse_if(night.status is not NightStatus.RUNNING, NightCode.NIGHT_OVER)
    return _dealt_again(night, current)


def _restart(night: Night, done: DoneStep) -> tuple[Night, DoneStep]:
    refuse_if(done.step.round != len(night.rounds), NightCode.ROUND_FOLLOWS)
    refuse_if(night.rounds[-1].called_at is not None, NightCode.TIME_CALLED)
    table = _table(night, done.step)
    return _dealt_again(night, table), replace(done, tables=(table,))


def _undo_restart(night: Night, done: DoneStep, now: int) -> Night:
    (before,) = done.tables
    current = _table(night, done.step)
    refuse_if(before.result is None, NightCode.TABLE_PLAYED)
    is_its_own = current.result is None and current.restarts == before.restarts + 1
    refuse_if(not is_its_own, NightCode.CHANGED_MEANWHILE)
    back = night.with_table(replace(before, thread_id=current.thread_id, restarts=current.restarts))
    return back.with_break(now)


def _dealt_again(night: Night, table: NightTable) -> Night:
    """Return the night with a table of its last round dealt anew, unless its people sit at another table by now."""
    others = (other for other in night.rounds[-1].tables if other.number != table.number and other.result is None)
    have_gone_on = any(set(table.people()) & set(other.seats) for other in others)
    refuse_if(have_gone_on, NightCode.TABLE_OVER)
    return replace(night.with_table(_restarted(table)), next_at=None)


def _restarted(table: NightTable) -> NightTable:
    return NightTable(table.number, table.seats, table.thread_id, restarts=table.restarts + 1)


_Do = Callable[[Night, DoneStep], tuple[Night, DoneStep]]
_Undo = Callable[[Night, DoneStep, int], Night]
_STEPS: Final[dict[StepKind, tuple[_Do, _Undo]]] = {
    StepKind.PAUSE_ALL: (
        lambda night, done: (_paused(night, done.at), done),
        lambda night, _, now: _resumed(night, now),
    ),
    StepKind.RESUME_ALL: (
        lambda night, done: (_resumed(night, done.at), done),
        lambda night, _, now: _paused(night, now),
    ),
    StepKind.PAUSE_TABLE: (lambda night, done: (_table_paused(night, done, done.at), done), _table_resumed),
    StepKind.RESUME_TABLE: (lambda night, done: (_table_resumed(night, done, done.at), done), _table_paused),
    StepKind.ADD_TIME: (
        lambda night, done: (_with_minutes(night, done.step.minutes), done),
        lambda night, done, _: _with_minutes(night, -done.step.minutes),
    ),
    StepKind.PAIR: (_pair, _undo_pair),
    StepKind.START: (_start, lambda night, _, now: night),
    StepKind.DROP: (_drop, _undo_drop),
    StepKind.SWAP: (_swap, lambda night, done, _: _swap(night, done)[0]),
    StepKind.ENTER_RESULT: (_enter, _undo_result),
    StepKind.RESTART_TABLE: (_restart, _undo_restart),
    StepKind.END_EARLY: (_end_early, _undo_end),
}
"""How each step is applied, and how it is undone."""
_OF_ROUND: Final = (StepKind.PAIR, StepKind.PAUSE_TABLE, StepKind.RESUME_TABLE, StepKind.ADD_TIME, StepKind.SWAP,
                    StepKind.RESTART_TABLE)  # fmt: skip
"""Steps that are undone in their own round only."""
