"""The host's steps in a running night: done, logged, and taken back while nothing follows from them."""

from dataclasses import replace
from typing import Final

from bot.nights.duties import Duty
from bot.nights.entrants import Entrant, Presence
from bot.nights.host_steps import DoneStep, HostStep, StepKind
from bot.nights.night import Night, NightStatus
from bot.nights.plan import Format
from bot.nights.refusals import NightCode, NightRefusal
from bot.nights.rounds import How, NightRound, NightTable, TableResult

_MINUTE: Final = 60_000


def do(night: Night, step: HostStep, by: int, now: int) -> Night | NightRefusal:
    """Returns the night after a step of the user `by`, with the step in its log; or why it is refused.

    A table whose `table_id` became None is to be closed where it was played, and opened again in its thread. So is a
    table closed that got a result while it was played.
    """
    if step.kind is not StepKind.ENTER_RESULT and night.status is not NightStatus.RUNNING:
        return NightRefusal(NightCode.NIGHT_OVER if night.is_finished else NightCode.NOT_BEGUN)
    known = replace(step, round=len(night.rounds)) if step.round is None else step
    done = _DO[step.kind](night, known, now)
    if isinstance(done, NightRefusal):
        return done
    changed, before = done
    return replace(changed, steps=(*night.steps, replace(before, by=by)))


def can_correct(night: Night) -> bool:
    """Whether the night is over and its results may still be corrected, as until its recap."""
    return night.status is NightStatus.OVER and Duty.RECAP not in night.done


def last_step(night: Night) -> DoneStep | None:
    """Returns the step that `take_back` takes back: the last one that was not."""
    return next((step for step in reversed(night.steps) if step.taken_back_at is None), None)


def take_back(night: Night, now: int) -> Night | NightRefusal:
    """Returns the night without its last step, which stays in the log as taken back; or why something follows from it.

    A table that was dealt from the beginning is gone where it was still played: a restart can be taken back if the
    table had a result.
    """
    done = last_step(night)
    if done is None:
        return NightRefusal(NightCode.NOTHING_TO_TAKE_BACK)
    if done.step.kind is not StepKind.ENTER_RESULT and night.status is not NightStatus.RUNNING:
        return NightRefusal(NightCode.NIGHT_OVER)
    changed = _TAKE_BACK[done.step.kind](night, done, now)
    if isinstance(changed, NightRefusal):
        return changed
    steps = tuple(replace(step, taken_back_at=now) if step is done else step for step in night.steps)
    return replace(changed, steps=steps)


_Done = tuple[Night, DoneStep] | NightRefusal


# ---------------------------------------------------------------------- time


def _pause(night: Night, step: HostStep, now: int) -> _Done:
    if night.paused_at is not None:
        return NightRefusal(NightCode.ALREADY_PAUSED)
    return replace(night, paused_at=now), DoneStep(step, None, now)


def _resume(night: Night, step: HostStep, now: int) -> _Done:
    resumed = _resumed(night, now)
    return resumed if isinstance(resumed, NightRefusal) else (resumed, DoneStep(step, None, now))


def _resumed(night: Night, now: int) -> Night | NightRefusal:
    if night.paused_at is None:
        return NightRefusal(NightCode.NOT_PAUSED)
    return replace(_later(night, now - night.paused_at), paused_at=None)


def _later(night: Night, milliseconds: int) -> Night:
    """The night whose timers end later: that of the running round, and that of the break."""
    last = night.rounds[-1]
    if last.ends_at is not None and last.called_at is None:
        night = _with_last(night, replace(last, ends_at=last.ends_at + milliseconds))
    return night if night.next_at is None else replace(night, next_at=night.next_at + milliseconds)


def _add_time(night: Night, step: HostStep, now: int) -> _Done:
    last = night.rounds[-1]
    if night.next_at is None and last.called_at is not None:
        return NightRefusal(NightCode.TIME_CALLED)
    if night.next_at is None and last.ends_at is None:
        return NightRefusal(NightCode.NO_TIMER)
    return _later(night, step.minutes * _MINUTE), DoneStep(step, None, now)


def _take_back_time(night: Night, done: DoneStep, now: int) -> Night | NightRefusal:
    if done.step.round != len(night.rounds):
        return NightRefusal(NightCode.ROUND_FOLLOWS)
    back = _add_time(night, replace(done.step, minutes=-done.step.minutes), now)
    return back if isinstance(back, NightRefusal) else back[0]


def _end_early(night: Night, step: HostStep, now: int) -> _Done:
    if night.is_closing:
        return NightRefusal(NightCode.TIME_CALLED)
    last = night.rounds[-1]
    resumed = night if night.paused_at is None else _resumed(night, now)
    assert isinstance(resumed, Night)
    closing = replace(resumed, is_closing=True)
    if last.called_at is None and (not last.is_over or night.plan.format is Format.LOUNGE):
        closing = _with_last(closing, replace(last, ends_at=now))
    return closing, DoneStep(step, None, now, ends_at=resumed.rounds[-1].ends_at)


def _take_back_end(night: Night, done: DoneStep, now: int) -> Night | NightRefusal:
    last = night.rounds[-1]
    if last.called_at is None:
        night = _with_last(night, replace(last, ends_at=done.ends_at))
    elif night.plan.format is Format.LOUNGE:
        return NightRefusal(NightCode.TIME_CALLED)
    return replace(night, is_closing=False)


# ---------------------------------------------------------------------- people


def _drop(night: Night, step: HostStep, now: int) -> _Done:
    known = _entrant(night, step.entrant)
    if known is None or known.presence is Presence.OUT:
        return NightRefusal(NightCode.UNKNOWN_ENTRANT)
    partner = () if known.partner is None else (known.partner,)
    return night.without(known.number), DoneStep(step, None, now, entrants=(known.number, *partner))


def _take_back_drop(night: Night, done: DoneStep, now: int) -> Night | NightRefusal:
    number, *partner = done.entrants
    dropped = night.entrants[number]
    if dropped.presence is not Presence.OUT or any(night.entrants[other].partner is not None for other in partner):
        return NightRefusal(NightCode.CHANGED_MEANWHILE)
    back = night.with_entrant(replace(dropped, presence=Presence.IN if night.has_space else Presence.WAITING))
    return back.paired(number, partner[0]) if partner else back


def _swap(night: Night, step: HostStep, now: int) -> _Done:
    last = night.rounds[-1]
    one, other = _entrant(night, step.entrant), _entrant(night, step.other)
    if one is None or other is None or other.presence is Presence.OUT or one.presence is Presence.OUT:
        return NightRefusal(NightCode.UNKNOWN_ENTRANT)
    if one is other:
        return NightRefusal(NightCode.ITSELF)
    pair = {one.number: other.number, other.number: one.number}
    tables = tuple(table for table in last.tables if pair.keys() & set(table.seats) and not _is_past(night, table))
    seated = [seat for table in tables for seat in table.seats if seat in pair]
    if not tables:
        return NightRefusal(NightCode.TABLE_OVER)
    if len(seated) != len(set(seated)):
        return NightRefusal(NightCode.CHANGED_MEANWHILE)
    if last.called_at is not None:
        return NightRefusal(NightCode.TIME_CALLED)
    if any(table.result is not None for table in tables):
        return NightRefusal(NightCode.TABLE_OVER)
    for table in tables:
        seats = tuple(seat if seat is None else pair.get(seat, seat) for seat in table.seats)
        night = night.with_table(replace(_restarted(table), seats=seats))
    byes = tuple(pair.get(bye, bye) for bye in last.byes)
    if len(seated) == 1 and not pair.keys() & set(last.byes):  # a substitute from outside the round
        byes = last.byes
    changed = _with_last(night, replace(night.rounds[-1], byes=byes))
    return changed, DoneStep(step, None, now, tables=tables)


def _take_back_swap(night: Night, done: DoneStep, now: int) -> Night | NightRefusal:
    if done.step.round != len(night.rounds):
        return NightRefusal(NightCode.ROUND_FOLLOWS)
    back = _swap(night, done.step, now)
    return back if isinstance(back, NightRefusal) else back[0]


# ---------------------------------------------------------------------- tables


def _enter(night: Night, step: HostStep, now: int) -> _Done:
    if night.status in (NightStatus.PLANNED, NightStatus.CANCELLED) or not night.rounds:
        return NightRefusal(NightCode.NOT_BEGUN if not night.is_finished else NightCode.NIGHT_OVER)
    if Duty.RECAP in night.done:
        return NightRefusal(NightCode.NIGHT_OVER)
    table = _table(night, step)
    if isinstance(table, NightRefusal):
        return table
    if len(step.scores) != table.teams or min(step.scores) < 0:
        return NightRefusal(NightCode.WRONG_SCORES)
    if night.plan.format is Format.KNOCKOUT and step.round != len(night.rounds):
        return NightRefusal(NightCode.ROUND_FOLLOWS)
    result = TableResult(step.scores, How.ENTERED)
    made = replace(table, result=result, ended_at=now if table.ended_at is None else table.ended_at)
    entered = night.with_table(made, step.round)
    if table.result is None:
        entered = entered.with_break(now)
    return entered, DoneStep(step, None, now, tables=(table,))


def _take_back_result(night: Night, done: DoneStep, now: int) -> Night | NightRefusal:
    if Duty.RECAP in night.done:
        return NightRefusal(NightCode.NIGHT_OVER)
    (before,) = done.tables
    current = _table(night, done.step)
    if isinstance(current, NightRefusal):
        return current
    if current.result != TableResult(done.step.scores, How.ENTERED) or current.restarts != before.restarts:
        return NightRefusal(NightCode.CHANGED_MEANWHILE)
    is_last = done.step.round == len(night.rounds)
    follows = night.plan.format in (Format.SWISS, Format.KNOCKOUT) or before.result is None
    if follows and not is_last:
        return NightRefusal(NightCode.ROUND_FOLLOWS)
    if before.result is not None:
        return night.with_table(replace(current, result=before.result, ended_at=before.ended_at), done.step.round)
    if night.status is not NightStatus.RUNNING:
        return NightRefusal(NightCode.NIGHT_OVER)
    return _dealt_again(night, current)


def _restart(night: Night, step: HostStep, now: int) -> _Done:
    if step.round != len(night.rounds):
        return NightRefusal(NightCode.ROUND_FOLLOWS)
    if night.rounds[-1].called_at is not None:
        return NightRefusal(NightCode.TIME_CALLED)
    table = _table(night, step)
    if isinstance(table, NightRefusal):
        return table
    again = _dealt_again(night, table)
    return again if isinstance(again, NightRefusal) else (again, DoneStep(step, None, now, tables=(table,)))


def _take_back_restart(night: Night, done: DoneStep, now: int) -> Night | NightRefusal:
    if done.step.round != len(night.rounds):
        return NightRefusal(NightCode.ROUND_FOLLOWS)
    (before,) = done.tables
    current = _table(night, done.step)
    if isinstance(current, NightRefusal):
        return current
    if before.result is None:
        return NightRefusal(NightCode.TABLE_PLAYED)
    if current.result is not None or current.restarts != before.restarts + 1:
        return NightRefusal(NightCode.CHANGED_MEANWHILE)
    back = night.with_table(replace(before, thread_id=current.thread_id, restarts=current.restarts))
    return back.with_break(now)


def _dealt_again(night: Night, table: NightTable) -> Night | NightRefusal:
    """The night in which a table of its last round begins from nothing, unless its people sit at another by now."""
    others = (other for other in night.rounds[-1].tables if other.number != table.number and other.result is None)
    if any({seat for seat in table.seats if seat is not None} & set(other.seats) for other in others):
        return NightRefusal(NightCode.TABLE_OVER)
    return replace(night.with_table(_restarted(table)), next_at=None)


def _restarted(table: NightTable) -> NightTable:
    return replace(table, table_id=None, result=None, ended_at=None, restarts=table.restarts + 1)


def _is_past(night: Night, table: NightTable) -> bool:
    """Whether a table of a lounge is over: its people have gone on to others."""
    return night.plan.format is Format.LOUNGE and table.result is not None


def _table(night: Night, step: HostStep) -> NightTable | NightRefusal:
    number, of = step.table or 0, step.round or 0
    if not 1 <= of <= len(night.rounds) or not 1 <= number <= len(night.rounds[of - 1].tables):
        return NightRefusal(NightCode.UNKNOWN_TABLE)
    return night.rounds[of - 1].tables[number - 1]


def _entrant(night: Night, number: int | None) -> Entrant | None:
    return night.entrants[number] if number is not None and 0 <= number < len(night.entrants) else None


def _with_last(night: Night, last: NightRound) -> Night:
    return replace(night, rounds=(*night.rounds[:-1], last))


_DO: Final = {
    StepKind.PAUSE_ALL: _pause,
    StepKind.RESUME_ALL: _resume,
    StepKind.ADD_TIME: _add_time,
    StepKind.DROP: _drop,
    StepKind.SWAP: _swap,
    StepKind.ENTER_RESULT: _enter,
    StepKind.RESTART_TABLE: _restart,
    StepKind.END_EARLY: _end_early,
}

_TAKE_BACK: Final = {
    StepKind.PAUSE_ALL: lambda night, done, now: _resumed(night, now),
    StepKind.RESUME_ALL: lambda night, done, now: (
        replace(night, paused_at=now) if night.paused_at is None else NightRefusal(NightCode.ALREADY_PAUSED)
    ),
    StepKind.ADD_TIME: _take_back_time,
    StepKind.DROP: _take_back_drop,
    StepKind.SWAP: _take_back_swap,
    StepKind.ENTER_RESULT: _take_back_result,
    StepKind.RESTART_TABLE: _take_back_restart,
    StepKind.END_EARLY: _take_back_end,
}
