"""A night before, during and after its rounds. Each change returns a new `Night`, or raises NightRefusedError."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.base.times import MINUTE_MS
from bot.nights.changes import DoneStep, Duty, NightCode, NightRefusedError, StepKind, refuse_if
from bot.nights.plan import NightPlan
from bot.nights.rounds import Entrant, News, NightRound, NightTable, Pairing, Presence, TableResult
from bot.nights.told import Honour, Posted, without_person


class NightStatus(StrEnum):
    PLANNED = "planned"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Night:
    """`number` counts a server's nights, from 1. `seed` is what its pairings are drawn by. Instants in milliseconds.

    `host_id` is a user id, None once the person is forgotten. `message_id` is its public message; `posts` are what else
    stands in its channel. `paused_at` is when the host stopped it, or it stopped by
    itself because a table has no place (`is_unplaced`). `next_at` is when the next round begins in a break.
    `is_closing`: no round follows the running one. `done` are the duties that nothing else shows as done. `steps` are
    the host's, the first one first. `sign_up_id` is the message that the board takes the place of once it is posted.
    `ended_at` is when the night was over or cancelled; `reason` is why the host cancelled it. `honours` are found with
    the recap. `deserted` counts the nights of a series right before this one to which nobody came. `version` counts
    what was saved; the writer raises it. `changed` is the version in which the plan became another. The next post that
    calls those for whom something is new comes at `news_from` at the earliest. `has_lost_role`: the role that it asked
    for was deleted, and it has been open to everybody since. `is_wound_up`: nothing is left to do.
    """

    id: int
    guild_id: int
    number: int
    host_id: int | None
    locale: str
    plan: NightPlan
    seed: int
    status: NightStatus = NightStatus.PLANNED
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[NightRound, ...] = ()
    message_id: int | None = None
    sign_up_id: int | None = None
    event_id: int | None = None
    paused_at: int | None = None
    is_unplaced: bool = False
    next_at: int | None = None
    is_closing: bool = False
    done: tuple[Duty, ...] = ()
    steps: tuple[DoneStep, ...] = ()
    ended_at: int | None = None
    reason: str = ""
    honours: tuple[Honour, ...] = ()
    deserted: int = 0
    version: int = 0
    changed: int | None = None
    news_from: int = 0
    posts: tuple[Posted, ...] = ()
    has_lost_role: bool = False
    is_wound_up: bool = False

    @property
    def round(self) -> NightRound | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def all_tables(self) -> tuple[NightTable, ...]:
        return tuple(table for each in self.rounds for table in each.tables)

    @property
    def ended_in(self) -> frozenset[int]:
        """The threads of the tables that have their result."""
        tables = (table for table in self.all_tables if table.result is not None)
        return frozenset(table.thread_id for table in tables if table.thread_id is not None)

    @property
    def planned_at(self) -> int:
        """When the night was to begin, also where its host had it begin earlier."""
        starts = (done.was_at for done in self.steps if done.step.kind is StepKind.START)
        return next(starts, None) or self.plan.starts_at

    @property
    def series_at(self) -> int:
        """When the night was to begin by its series: the following ones are counted from there."""
        return self.planned_at if self.plan.series_at is None else self.plan.series_at

    @property
    def is_finished(self) -> bool:
        return self.status in (NightStatus.OVER, NightStatus.CANCELLED)

    @property
    def present(self) -> tuple[Entrant, ...]:
        """Who is to be paired for the next round."""
        return tuple(entrant for entrant in self.entrants if entrant.presence is Presence.IN)

    @property
    def people(self) -> frozenset[int]:
        """The user ids of those who take part, or wait for a place."""
        taking_part = (*self.present, *self.waiting)
        return frozenset(entrant.user_id for entrant in taking_part if entrant.user_id is not None)

    @property
    def waiting(self) -> tuple[Entrant, ...]:
        """The waiting list; the first of it comes in first."""
        waiting = (entrant for entrant in self.entrants if entrant.presence is Presence.WAITING)
        return tuple(sorted(waiting, key=lambda entrant: (entrant.joined_at, entrant.number)))

    @property
    def signed_up(self) -> tuple[Entrant, ...]:
        """Who has a place, then the waiting list."""
        return (*self.present, *self.waiting)

    @property
    def asked_again(self) -> tuple[Entrant, ...]:
        """Who had signed up when the plan was changed last."""
        return tuple(entrant for entrant in self.signed_up if entrant.knew_former_plan)

    @property
    def declined(self) -> tuple[Entrant, ...]:
        """Who has said that they do not come."""
        return tuple(entrant for entrant in self.entrants if entrant.declines and entrant.user_id is not None)

    @property
    def silent(self) -> frozenset[int]:
        """Who is seated last: those who have not answered the check-in, until the first round has begun."""
        return frozenset(entrant.number for entrant in self.present if entrant.is_silent and not self.rounds)

    @property
    def is_closed(self) -> bool:
        """Whether nobody new plays any more."""
        return self.plan.format.is_closed and bool(self.rounds)

    @property
    def has_space(self) -> bool:
        return self.plan.most is None or len(self.present) < self.plan.most

    def entrant(self, number: int | None) -> Entrant | None:
        return self.entrants[number] if number is not None and 0 <= number < len(self.entrants) else None

    def entrant_of(self, user_id: int) -> Entrant | None:
        return next((entrant for entrant in self.entrants if entrant.user_id == user_id), None)

    def is_in(self, user_id: int) -> bool:
        """Whether a person is signed up, or on the waiting list."""
        known = self.entrant_of(user_id)
        return known is not None and known.presence in (Presence.IN, Presence.WAITING)

    def table_at(self, table_id: int) -> NightTable | None:
        """The table of the running round that is this one of `bot.tables`."""
        return next((table for table in self._tables if table.table_id == table_id), None)

    def table(self, number: int, of: int | None = None) -> NightTable | None:
        """A table of the running round, or of the round with that number."""
        tables = self._tables if of is None else self.rounds[of - 1].tables if 1 <= of <= len(self.rounds) else ()
        return tables[number - 1] if 1 <= number <= len(tables) else None

    def table_of(self, entrant: int) -> NightTable | None:
        """The table without a result at which an entrant sits."""
        return next((table for table in self._tables if entrant in table.seats and table.result is None), None)

    @property
    def still(self) -> frozenset[int]:
        """The matches of the running round that the host has paused."""
        stopped = (each for each in self._tables if self.paused_at is not None or each.paused_at is not None)
        return frozenset(each.table_id for each in stopped if each.table_id is not None)

    def called_at(self, table: NightTable, now: int) -> int | None:
        """When time was called at a table of the running round; None where it has not been."""
        if table.ends_at is not None:
            return table.ends_at if table.ends_at <= now else None
        return None if self.round is None else self.round.called_at

    @property
    def _tables(self) -> tuple[NightTable, ...]:
        return self.rounds[-1].tables if self.rounds else ()

    def replanned(self, plan: NightPlan) -> "Night":
        """The night by another plan, before it begins; more places let the waiting list in, fewer make it longer.

        Those who have signed up by then are asked again whether they come.
        """
        refuse_if(self.status is not NightStatus.PLANNED, NightCode.HAS_BEGUN)
        if (plan := plan.like(self.plan)) == self.plan:
            return replace(self, has_lost_role=False)
        knew = {entrant.number for entrant in self.signed_up}
        people = tuple(
            replace(entrant, is_silent=False, knew_former_plan=entrant.number in knew) for entrant in self.entrants
        )
        night = replace(self, plan=plan, entrants=people, changed=self.version + 1, has_lost_role=False)
        for one in night.beyond(plan.most):
            night = night.with_entrant(replace(one, presence=Presence.WAITING))
        return night._filled()

    def beyond(self, most: int | None) -> tuple[Entrant, ...]:
        """Those who have no place where there are so many: who signed up last."""
        in_order = sorted(self.present, key=lambda one: (one.joined_at, one.number))
        return () if most is None else tuple(in_order[most:])

    # ------------------------------------------------------------------ people

    def absent(self, number: int) -> "Night":
        """Somebody did not come to their table: no round seats them before they are back. They keep their partner."""
        known = self.entrant(number)
        if known is None or known.presence is not Presence.IN:
            raise NightRefusedError(NightCode.NOT_IN)
        own = self.table_of(number)
        night = self if own is None else self.missed(own.number, (number,))
        return night.with_entrant(replace(known, presence=Presence.ABSENT))._filled()

    def missed(self, table: int, people: Collection[int]) -> "Night":
        """These entrants did not come to a table of the running round, or went away from it."""
        return self.with_table(self._tables[table - 1].missed(people))

    # ------------------------------------------------------------------ posts

    def post(self, kind: str) -> Posted | None:
        return next((one for one in self.posts if one.kind == kind), None)

    def with_post(self, posted: Posted) -> "Night":
        return replace(self, posts=(*self.without_post(posted.kind).posts, posted))

    def without_post(self, kind: str) -> "Night":
        return replace(self, posts=tuple(one for one in self.posts if one.kind != kind))

    def asked_who_comes(self) -> "Night":
        """The check-in stands: those who are there have it to answer."""
        if self.status is not NightStatus.PLANNED:
            return self
        asked = (replace(one, is_silent=one.is_silent or one.presence is Presence.IN) for one in self.entrants)
        return replace(self, entrants=tuple(asked))

    def asks_host(self, until: Mapping[int, int]) -> "Night":
        """The host is asked about these tables of the running round, by number, and about no other.

        Without an answer the score of each stands from an instant on (milliseconds).
        """
        last = self.round
        if last is None:
            return self
        tables = tuple(replace(table, asked_until=until.get(table.number)) for table in last.tables)
        return self.with_round(replace(last, tables=tables))

    @property
    def asked(self) -> tuple[NightTable, ...]:
        """The tables of the running round about which the host is asked."""
        is_running = self.status is NightStatus.RUNNING
        return tuple(each for each in self._tables if is_running and each.asked_until and each.result is None)

    # ------------------------------------------------------------------ the evening

    def begin_round(self, pairing: Pairing, now: int) -> "Night":
        """Begin the round that the format has paired; an open format adds its tables to those that there are.

        The first round needs a table. A later one may be byes only; the next begins after the break. CHANGED_MEANWHILE:
        somebody who is seated is not free any more, and the round is to be paired again.
        """
        last, plan = self.round, self.plan
        refuse_if(self.is_finished, NightCode.NIGHT_OVER)
        refuse_if(last is not None and not last.is_over and not plan.format.is_open, NightCode.ROUND_RUNNING)
        refuse_if(not self._can_seat(pairing), NightCode.CHANGED_MEANWHILE)
        if not pairing.tables and (last is None or plan.format.is_open):
            raise NightRefusedError(NightCode.TOO_FEW)
        night = self
        for one, other in pairing.partners:
            night = night.paired(one, other)
        if last is None or not plan.format.is_open:
            ends_at = plan.starts_at + plan.open_ms if plan.format.is_open else now + plan.round_minutes * MINUTE_MS
            last = NightRound(len(self.rounds) + 1, (), pairing.byes, now, ends_at if plan.round_minutes else None,
                              has_final=pairing.has_final)  # fmt: skip
            if not night.rounds:
                known = tuple(replace(one, news=None, is_told=False) for one in night.entrants)
                night = replace(night, sign_up_id=night.message_id, message_id=None, entrants=known)
            night = replace(night, rounds=(*night.rounds, last))
        added = tuple(NightTable(number, seats) for number, seats in enumerate(pairing.tables, len(last.tables) + 1))
        next_at = None if pairing.tables else now + plan.break_minutes * MINUTE_MS
        night = night.with_round(replace(last, tables=(*last.tables, *added)))
        return replace(night, status=NightStatus.RUNNING, next_at=next_at)

    def table_opened(self, number: int, *, thread_id: int | None = None, table_id: int | None = None) -> "Night":
        """A table of the running round has its thread, or is dealt as `table_id` of `bot.tables`."""
        table = self._running_table(number)
        return self.with_table(
            replace(table, thread_id=thread_id or table.thread_id, table_id=table_id or table.table_id)
        )

    def table_ended(self, number: int, result: TableResult, now: int, missed_by: Collection[int] = ()) -> "Night":
        """A table of the running round has a result; after the last one the break begins.

        `missed_by` are its people who did not come, or went away.
        """
        refuse_if(len(result.scores) != self._running_table(number).teams, NightCode.WRONG_SCORES)
        night = self.missed(number, missed_by)
        table = night._running_table(number)
        for person in {*table.people()}.difference(table.missed_by):
            night = night.with_entrant(replace(night.entrants[person], is_silent=False))
        return night.with_table(replace(table, result=result, ended_at=now, paused_at=None)).with_break(now)

    def time_called(self, now: int) -> "Night":
        """The time of the running round is over: its tables play their running round to the end."""
        last = self.round
        if last is None or self.status is not NightStatus.RUNNING:
            raise NightRefusedError(NightCode.NOT_BEGUN)
        refuse_if(last.called_at is not None, NightCode.TIME_CALLED)
        return self.with_round(replace(last, called_at=now))

    def hurried(self, now: int) -> "Night":
        """Time is called at the table of the running round that has played longest."""
        table = next((table for table in self._tables if table.result is None and table.paused_at is None), None)
        return self if table is None else self.with_table(replace(table, ends_at=now))

    def ended(self, now: int) -> "Night":
        refuse_if(self.is_finished, NightCode.NIGHT_OVER)
        if self.round is None:
            raise NightRefusedError(NightCode.NOT_BEGUN)
        refuse_if(not self.round.is_over, NightCode.ROUND_RUNNING)
        return replace(self, status=NightStatus.OVER, ended_at=now, next_at=None, paused_at=None)

    def cancelled(self, now: int, reason: str = "", *, with_series: bool = False) -> "Night":
        """The night does not take place, or goes no further; `with_series`: nor do those that follow every week."""
        refuse_if(self.is_finished, NightCode.NIGHT_OVER)
        plan = replace(self.plan, is_weekly=self.plan.is_weekly and not with_series)
        off = replace(self, status=NightStatus.CANCELLED, ended_at=now, next_at=None, paused_at=None)
        return replace(off, plan=plan, reason=reason)

    def did(self, duty: Duty) -> "Night":
        """The night in which a duty is done that nothing else tells."""
        return self if duty in self.done else replace(self, done=(*self.done, duty))

    def forgotten(self, user_id: int) -> "Night":
        """The night that knows a user no more; what they played stays, without a name. They play no further round."""
        night, known = self, self.entrant_of(user_id)
        if known is not None:
            is_leaving = not self.is_finished and known.presence is not Presence.OUT
            night = self.without(known.number) if is_leaving else self
            night = night.with_entrant(replace(night.entrants[known.number], user_id=None, name=""))
        steps = tuple(replace(step, by=None) if step.by == user_id else step for step in night.steps)
        plan = replace(night.plan, title=without_person(night.plan.title, user_id))
        host_id, reason = None if self.host_id == user_id else self.host_id, without_person(self.reason, user_id)
        return replace(night, plan=plan, steps=steps, host_id=host_id, reason=reason)

    # ------------------------------------------------------------------ small parts of changes

    def with_entrant(self, entrant: Entrant) -> "Night":
        number = entrant.number
        return replace(self, entrants=(*self.entrants[:number], entrant, *self.entrants[number + 1 :]))

    def with_table(self, table: NightTable, round_number: int | None = None) -> "Night":
        """The night with another value for one table, of its last round if no other is named."""
        index = (round_number or len(self.rounds)) - 1
        old = self.rounds[index]
        tables = tuple(table if other.number == table.number else other for other in old.tables)
        changed = replace(old, tables=tables)
        return replace(self, rounds=(*self.rounds[:index], changed, *self.rounds[index + 1 :]))

    def with_round(self, last: NightRound) -> "Night":
        return replace(self, rounds=(*self.rounds[:-1], last))

    def with_break(self, now: int) -> "Night":
        """The night in its break if the last table of the round is over. A pause does not use the break up."""
        last = self.round
        if last is None or not last.is_over or self.plan.format.is_open:
            return replace(self, next_at=None)
        since = now if self.paused_at is None else self.paused_at
        return replace(self, next_at=since + self.plan.break_minutes * MINUTE_MS)

    def later(self, milliseconds: int) -> "Night":
        night, last = self, self.round
        if last is not None and last.ends_at is not None and last.called_at is None:
            night = night.with_round(replace(last, ends_at=last.ends_at + milliseconds))
        for table in self._tables:
            if table.ends_at is not None:
                night = night.with_table(replace(table, ends_at=table.ends_at + milliseconds))
        return night if night.next_at is None else replace(night, next_at=night.next_at + milliseconds)

    def without(self, number: int) -> "Night":
        """The night without an entrant: their partner is free, and the first of the waiting list comes in."""
        parted = self.parted(number)
        out = replace(parted.entrants[number], presence=Presence.OUT, asks=None, seeks_partner=False,
                      comes_weekly=False, news=None, is_told=False)  # fmt: skip
        return parted.with_entrant(out)._filled()

    def paired(self, one: int, other: int) -> "Night":
        """The night in which two entrants are partners, and all questions to and from them are answered."""
        free = self.parted(one).parted(other)
        first = replace(free.entrants[one], partner=other, asks=None, seeks_partner=False, news=None)
        second = replace(free.entrants[other], partner=one, asks=None, seeks_partner=False, news=None)
        return free.with_entrant(first).with_entrant(second)

    def parted(self, number: int) -> "Night":
        """The night in which an entrant has no partner, and nobody asks them. A partner learns it before the night."""
        is_planned = self.status is NightStatus.PLANNED
        own = replace(self.entrants[number], partner=None)

        def without(other: Entrant) -> Entrant:
            if other.partner == number:
                return replace(other, partner=None, news=News.ALONE if is_planned else other.news)
            return replace(other, asks=None, news=News.REFUSED) if other.asks == number else other

        return replace(self, entrants=tuple(map(without, self.entrants))).with_entrant(own)

    def _filled(self) -> "Night":
        night = self
        while night.has_space and night.waiting and not night.is_closed:
            night = night.with_entrant(replace(night.waiting[0], presence=Presence.IN, news=News.MOVED_UP))
        return night

    def _can_seat(self, pairing: Pairing) -> bool:
        seated = [seat for table in pairing.tables for seat in table if seat is not None]
        free = {entrant.number for entrant in self.present if self.table_of(entrant.number) is None}
        are_free = all(self.entrants[number].partner is None for edge in pairing.partners for number in edge)
        return free.issuperset(seated) and are_free

    def _running_table(self, number: int) -> NightTable:
        table = self.table(number)
        if table is None or self.is_finished:
            raise NightRefusedError(NightCode.UNKNOWN_TABLE)
        refuse_if(table.result is not None, NightCode.TABLE_OVER)
        return table
