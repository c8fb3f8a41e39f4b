"""A night before, during and after its rounds. Each change returns a new `Night`, or raises NightRefusedError."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.base.times import MINUTE_MS
from bot.nights.changes import DoneStep, Duty, NightCode, NightRefusedError, StepKind, refuse_if
from bot.nights.plan import NightPlan
from bot.nights.posts import Honour, NightPost, remove_mentions
from bot.nights.rounds import Entrant, News, NightRound, NightTable, Pairing, Presence, TableResult


class NightStatus(StrEnum):
    """The stages of a night."""

    PLANNED = "planned"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Night:
    """A game night. Instants in milliseconds.

    - `number`: counts the nights of a server, from 1.
    - `host_id`: a user id; None once the person is erased.
    - `seed`: seeds the pairings.
    - `entrants`, `rounds`: entrants by number; rounds in order.
    - `message_id`: the public message; `posts` are the other messages in its channel.
    - `sign_up_id`: the sign-up message, which the board replaces once it is posted.
    - `event_id`: the event in Discord's calendar.
    - `paused_at`: since when the host has paused it, or it has paused itself for want of a channel (`is_unplaced`).
    - `next_at`: when the next round starts, in a break.
    - `is_closing`: no round follows the running one.
    - `done`: the finished duties that no other field shows.
    - `steps`: the host's steps, oldest first.
    - `ended_at`: when it was over or cancelled; `reason` is why the host cancelled it.
    - `honours`: the highlights, found with the recap.
    - `deserted`: how many nights of the series in a row, right before this one, nobody came to.
    - `version`: counts the saves; the store raises it. `changed` is the version in which the plan changed last.
    - `news_from`: when the next post may notify people of news, at the earliest.
    - `has_lost_role`: the required role was deleted; the night is open to everybody since.
    - `is_wound_up`: nothing is left to do.
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
    posts: tuple[NightPost, ...] = ()
    has_lost_role: bool = False
    is_wound_up: bool = False

    @property
    def round(self) -> NightRound | None:
        """The latest round; None before the first one."""
        return self.rounds[-1] if self.rounds else None

    @property
    def latest_tables(self) -> tuple[NightTable, ...]:
        """The tables of the latest round; none before the first one."""
        return () if self.round is None else self.round.tables

    @property
    def all_tables(self) -> tuple[NightTable, ...]:
        """The tables of all rounds."""
        return tuple(table for each in self.rounds for table in each.tables)

    @property
    def finished_thread_ids(self) -> frozenset[int]:
        """The threads of the tables that have a result."""
        tables = (table for table in self.all_tables if table.result is not None)
        return frozenset(table.thread_id for table in tables if table.thread_id is not None)

    @property
    def planned_at(self) -> int:
        """The planned start, even if the host started the night earlier."""
        starts = (done.was_at for done in self.steps if done.step.kind is StepKind.START)
        return next(starts, None) or self.plan.starts_at

    @property
    def series_at(self) -> int:
        """The start of this night by the weekly series, even if it was moved; later nights are counted from it."""
        return self.planned_at if self.plan.series_at is None else self.plan.series_at

    @property
    def is_finished(self) -> bool:
        """Whether the night is over or cancelled."""
        return self.status in (NightStatus.OVER, NightStatus.CANCELLED)

    @property
    def present(self) -> tuple[Entrant, ...]:
        """The entrants to be paired for the next round."""
        return tuple(entrant for entrant in self.entrants if entrant.presence is Presence.IN)

    @property
    def chooses_partners(self) -> bool:
        """Whether people choose their partners: in formats of pairs, and if two people fill a table with robots."""
        are_two = self.plan.fills_with_robots and len(self.present) == 2
        return self.plan.format.has_pairs or (are_two and not self.plan.format.is_open)

    @property
    def people(self) -> frozenset[int]:
        """The user ids of entrants who take part or are on the waiting list."""
        known = (*self.present, *self.waiting)
        return frozenset(entrant.user_id for entrant in known if entrant.user_id is not None)

    @property
    def waiting(self) -> tuple[Entrant, ...]:
        """The waiting list in its order."""
        waiting = (entrant for entrant in self.entrants if entrant.presence is Presence.WAITING)
        return tuple(sorted(waiting, key=lambda entrant: (entrant.joined_at, entrant.number)))

    @property
    def signed_up(self) -> tuple[Entrant, ...]:
        """The entrants with a place, then the waiting list."""
        return (*self.present, *self.waiting)

    @property
    def unconfirmed(self) -> tuple[Entrant, ...]:
        """The entrants that had signed up before the last change of the plan, and have not confirmed since."""
        return tuple(entrant for entrant in self.signed_up if entrant.knew_former_plan)

    @property
    def declined(self) -> tuple[Entrant, ...]:
        """The entrants that have said that they will not come."""
        return tuple(entrant for entrant in self.entrants if entrant.declines and entrant.user_id is not None)

    @property
    def silent(self) -> frozenset[int]:
        """The entrants that have not answered the check-in, and are seated last; empty once a round has started."""
        return frozenset(entrant.number for entrant in self.present if entrant.is_silent and not self.rounds)

    @property
    def is_closed(self) -> bool:
        """Whether no new person may join any more."""
        return self.plan.format.is_closed and bool(self.rounds)

    @property
    def has_space(self) -> bool:
        """Whether there is a place left."""
        return self.plan.most is None or len(self.present) < self.plan.most

    def entrant(self, number: int | None) -> Entrant | None:
        """Return the entrant of a number; None without one."""
        return self.entrants[number] if number is not None and 0 <= number < len(self.entrants) else None

    def entrant_of(self, user_id: int) -> Entrant | None:
        """Return the entrant of a user; None without one."""
        return next((entrant for entrant in self.entrants if entrant.user_id == user_id), None)

    def is_in(self, user_id: int) -> bool:
        """Return whether a user is signed up or on the waiting list."""
        known = self.entrant_of(user_id)
        return known is not None and known.presence in (Presence.IN, Presence.WAITING)

    def table_at(self, table_id: int) -> NightTable | None:
        """Return the table of the running round whose match has this id."""
        return next((table for table in self.latest_tables if table.table_id == table_id), None)

    def table(self, number: int, of: int | None = None) -> NightTable | None:
        """Return a table of the running round, or of the round with the number `of`."""
        tables = self.latest_tables if of is None else self.rounds[of - 1].tables if 1 <= of <= len(self.rounds) else ()
        return tables[number - 1] if 1 <= number <= len(tables) else None

    def table_of(self, entrant: int) -> NightTable | None:
        """Return the unfinished table at which an entrant sits."""
        return next((table for table in self.latest_tables if entrant in table.seats and table.result is None), None)

    @property
    def paused_table_ids(self) -> frozenset[int]:
        """The ids of the matches of the running round that the host has paused."""
        stopped = (each for each in self.latest_tables if self.paused_at is not None or each.paused_at is not None)
        return frozenset(each.table_id for each in stopped if each.table_id is not None)

    def called_at(self, table: NightTable, now: int) -> int | None:
        """Return when time was called at a table of the running round; None if it was not."""
        if table.ends_at is not None:
            return table.ends_at if table.ends_at <= now else None
        return None if self.round is None else self.round.called_at

    def replan(self, plan: NightPlan) -> "Night":
        """Return the night with another plan, before its start; the waiting list grows or shrinks with the places.

        Entrants who had signed up before are asked to confirm.
        """
        refuse_if(self.status is not NightStatus.PLANNED, NightCode.HAS_BEGUN)
        if (plan := plan.with_minute_of(self.plan)) == self.plan:
            return replace(self, has_lost_role=False)
        knew = {entrant.number for entrant in self.signed_up}
        people = tuple(
            replace(entrant, is_silent=False, knew_former_plan=entrant.number in knew) for entrant in self.entrants
        )
        night = replace(self, plan=plan, entrants=people, changed=self.version + 1, has_lost_role=False)
        for last in night.overflow(plan.most):
            night = night.with_entrant(replace(last, presence=Presence.WAITING))
        return night._filled()

    def overflow(self, most: int | None) -> tuple[Entrant, ...]:
        """Return the entrants that exceed a number of places: the last ones to sign up."""
        in_order = sorted(self.present, key=lambda entrant: (entrant.joined_at, entrant.number))
        return () if most is None else tuple(in_order[most:])

    # ------------------------------------------------------------------ people

    def mark_absent(self, number: int) -> "Night":
        """Return the night with an entrant marked as absent from their table: they are not seated until they are back.

        They keep their partner.

        Raises:
            NightRefusedError: They are not signed up.
        """
        known = self.entrant(number)
        if known is None or known.presence is not Presence.IN:
            raise NightRefusedError(NightCode.NOT_IN)
        own = self.table_of(number)
        night = self if own is None else self.mark_no_shows(own.number, (number,))
        return night.with_entrant(replace(known, presence=Presence.ABSENT))._filled()

    def mark_no_shows(self, table: int, people: Collection[int]) -> "Night":
        """Return the night with no-shows at a table of the running round: entrants who never came to it, or left it."""
        return self.with_table(self.latest_tables[table - 1].mark_no_shows(people))

    # ------------------------------------------------------------------ posts

    def post(self, kind: str) -> NightPost | None:
        """Return the post of a kind; None without one."""
        return next((posted for posted in self.posts if posted.kind == kind), None)

    def with_post(self, posted: NightPost) -> "Night":
        """Return the night with a post, which replaces one of the same kind."""
        return replace(self, posts=(*self.without_post(posted.kind).posts, posted))

    def without_post(self, kind: str) -> "Night":
        """Return the night without its post of a kind."""
        return replace(self, posts=tuple(post for post in self.posts if post.kind != kind))

    def open_check_in(self) -> "Night":
        """Return the night after its check-in was posted: entrants with a place have to answer it."""
        if self.status is not NightStatus.PLANNED:
            return self
        entrants = (replace(each, is_silent=each.is_silent or each.presence is Presence.IN) for each in self.entrants)
        return replace(self, entrants=tuple(entrants))

    def ask_host(self, until: Mapping[int, int]) -> "Night":
        """Return the night in which the host is asked about exactly these tables of the running round.

        Args:
            until: By table number, the instant at which its score becomes final without an answer.
        """
        last = self.round
        if last is None:
            return self
        tables = tuple(replace(table, asked_until=until.get(table.number)) for table in last.tables)
        return self.with_round(replace(last, tables=tables))

    @property
    def tables_awaiting_host(self) -> tuple[NightTable, ...]:
        """The tables of the running round about which the host was asked."""
        is_running = self.status is NightStatus.RUNNING
        return tuple(each for each in self.latest_tables if is_running and each.asked_until and each.result is None)

    # ------------------------------------------------------------------ the evening

    def start_round(self, pairing: Pairing, now: int) -> "Night":
        """Return the night with the round that the format has paired; an open format adds tables to its only round.

        The first round needs a table. A later one may consist of byes; then the next one follows after the break.

        Raises:
            NightRefusedError: Among others CHANGED_MEANWHILE: an entrant is no longer free, and has to be paired again.
        """
        last, plan = self.round, self.plan
        refuse_if(self.is_finished, NightCode.NIGHT_OVER)
        refuse_if(last is not None and not last.is_over and not plan.format.is_open, NightCode.ROUND_RUNNING)
        refuse_if(not self._can_seat(pairing), NightCode.CHANGED_MEANWHILE)
        if not pairing.tables and (last is None or plan.format.is_open):
            raise NightRefusedError(NightCode.TOO_FEW)
        night = self
        for entrant, other in pairing.partners:
            night = night.pair(entrant, other)
        if last is None or not plan.format.is_open:
            ends_at = plan.starts_at + plan.open_ms if plan.format.is_open else now + plan.round_minutes * MINUTE_MS
            last = NightRound(len(self.rounds) + 1, (), pairing.byes, now, ends_at if plan.round_minutes else None,
                              has_final=pairing.has_final)  # fmt: skip
            if not night.rounds:
                known = tuple(replace(entrant, news=None, is_notified=False) for entrant in night.entrants)
                night = replace(night, sign_up_id=night.message_id, message_id=None, entrants=known)
            night = replace(night, rounds=(*night.rounds, last))
        added = tuple(NightTable(number, seats) for number, seats in enumerate(pairing.tables, len(last.tables) + 1))
        next_at = None if pairing.tables else now + plan.break_minutes * MINUTE_MS
        night = night.with_round(replace(last, tables=(*last.tables, *added)))
        return replace(night, status=NightStatus.RUNNING, next_at=next_at)

    def open_table(self, number: int, *, thread_id: int | None = None, table_id: int | None = None) -> "Night":
        """Return the night with a table that has got a thread, or whose match `table_id` has begun."""
        table = self._running_table(number)
        return self.with_table(
            replace(table, thread_id=thread_id or table.thread_id, table_id=table_id or table.table_id)
        )

    def record_result(self, number: int, result: TableResult, now: int, no_shows: Collection[int] = ()) -> "Night":
        """Return the night with a result for a table of the running round; after the last one the break begins.

        `no_shows` are its entrants who did not come or went away.
        """
        refuse_if(len(result.scores) != self._running_table(number).teams, NightCode.WRONG_SCORES)
        night = self.mark_no_shows(number, no_shows)
        table = night._running_table(number)
        for person in {*table.people()}.difference(table.no_shows):
            night = night.with_entrant(replace(night.entrants[person], is_silent=False))
        return night.with_table(replace(table, result=result, ended_at=now, paused_at=None)).with_break(now)

    def call_time(self, now: int) -> "Night":
        """Return the night after time was called: each table finishes its running round.

        Raises:
            NightRefusedError: The night is not running, or time was called before.
        """
        last = self.round
        if last is None or self.status is not NightStatus.RUNNING:
            raise NightRefusedError(NightCode.NOT_BEGUN)
        refuse_if(last.called_at is not None, NightCode.TIME_CALLED)
        return self.with_round(replace(last, called_at=now))

    def hurry_longest_table(self, now: int) -> "Night":
        """Return the night after time was called at the table that has played longest."""
        table = next((table for table in self.latest_tables if table.result is None and table.paused_at is None), None)
        return self if table is None else self.with_table(replace(table, ends_at=now))

    def end(self, now: int) -> "Night":
        """Return the night after its end.

        Raises:
            NightRefusedError: It has not started, is over already, or a table is still playing.
        """
        refuse_if(self.is_finished, NightCode.NIGHT_OVER)
        if self.round is None:
            raise NightRefusedError(NightCode.NOT_BEGUN)
        refuse_if(not self.round.is_over, NightCode.ROUND_RUNNING)
        return replace(self, status=NightStatus.OVER, ended_at=now, next_at=None, paused_at=None)

    def cancel(self, now: int, reason: str = "", *, with_series: bool = False) -> "Night":
        """Return the night after it was cancelled or broken off; `with_series` ends the weekly series, too."""
        refuse_if(self.is_finished, NightCode.NIGHT_OVER)
        plan = replace(self.plan, is_weekly=self.plan.is_weekly and not with_series)
        off = replace(self, status=NightStatus.CANCELLED, ended_at=now, next_at=None, paused_at=None)
        return replace(off, plan=plan, reason=reason)

    def mark_done(self, duty: Duty) -> "Night":
        """Return the night with a duty marked as done."""
        return self if duty in self.done else replace(self, done=(*self.done, duty))

    def erase_person(self, user_id: int) -> "Night":
        """Return the night without a user's id and name; what they played stays. They play no further round."""
        night, known = self, self.entrant_of(user_id)
        if known is not None:
            is_leaving = not self.is_finished and known.presence is not Presence.OUT
            night = self.remove(known.number) if is_leaving else self
            night = night.with_entrant(replace(night.entrants[known.number], user_id=None, name=""))
        steps = tuple(replace(step, by=None) if step.by == user_id else step for step in night.steps)
        plan = replace(night.plan, title=remove_mentions(night.plan.title, user_id))
        host_id, reason = None if self.host_id == user_id else self.host_id, remove_mentions(self.reason, user_id)
        return replace(night, plan=plan, steps=steps, host_id=host_id, reason=reason)

    # ------------------------------------------------------------------ small parts of changes

    def with_entrant(self, entrant: Entrant) -> "Night":
        """Return the night with an entrant replaced."""
        number = entrant.number
        return replace(self, entrants=(*self.entrants[:number], entrant, *self.entrants[number + 1 :]))

    def with_table(self, table: NightTable, round_number: int | None = None) -> "Night":
        """Return the night with a table of its last round, or of the given round, replaced."""
        index = (round_number or len(self.rounds)) - 1
        old = self.rounds[index]
        tables = tuple(table if other.number == table.number else other for other in old.tables)
        changed = replace(old, tables=tables)
        return replace(self, rounds=(*self.rounds[:index], changed, *self.rounds[index + 1 :]))

    def with_round(self, last: NightRound) -> "Night":
        """Return the night with its last round replaced."""
        return replace(self, rounds=(*self.rounds[:-1], last))

    def with_break(self, now: int) -> "Night":
        """Return the night in its break if the last table of the round is over; a pause does not shorten the break."""
        last = self.round
        if last is None or not last.is_over or self.plan.format.is_open:
            return replace(self, next_at=None)
        since = now if self.paused_at is None else self.paused_at
        return replace(self, next_at=since + self.plan.break_minutes * MINUTE_MS)

    def postpone(self, milliseconds: int) -> "Night":
        """Return the night with all its deadlines moved by some milliseconds."""
        night, last = self, self.round
        if last is not None and last.ends_at is not None and last.called_at is None:
            night = night.with_round(replace(last, ends_at=last.ends_at + milliseconds))
        for table in self.latest_tables:
            if table.ends_at is not None:
                night = night.with_table(replace(table, ends_at=table.ends_at + milliseconds))
        return night if night.next_at is None else replace(night, next_at=night.next_at + milliseconds)

    def remove(self, number: int) -> "Night":
        """Return the night without an entrant; their partner is free, and the waiting list moves up."""
        parted = self.unpair(number)
        out = replace(parted.entrants[number], presence=Presence.OUT, asks=None, seeks_partner=False,
                      comes_weekly=False, news=None, is_notified=False)  # fmt: skip
        return parted.with_entrant(out)._filled()

    def pair(self, number: int, partner_number: int) -> "Night":
        """Return the night in which two entrants are partners; all partner requests from and to them are closed."""
        free = self.unpair(number).unpair(partner_number)
        first = replace(free.entrants[number], partner=partner_number, asks=None, seeks_partner=False, news=None)
        second = replace(free.entrants[partner_number], partner=number, asks=None, seeks_partner=False, news=None)
        return free.with_entrant(first).with_entrant(second)

    def unpair(self, number: int) -> "Night":
        """Return the night in which an entrant has no partner and no partner request.

        Before the night, the former partner gets news of it.
        """
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
        """Return a table of the running round.

        Raises:
            NightRefusedError: There is none, or the night is over.
        """
        table = self.table(number)
        if table is None or self.is_finished:
            raise NightRefusedError(NightCode.UNKNOWN_TABLE)
        refuse_if(table.result is not None, NightCode.TABLE_OVER)
        return table
