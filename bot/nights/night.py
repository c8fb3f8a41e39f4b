"""A night before, during and after its rounds. Values only: each change returns a new `Night` or why it is refused."""

from dataclasses import dataclass, replace
from enum import StrEnum

from bot.nights.duties import Duty
from bot.nights.entrants import Entrant, Presence
from bot.nights.honours import Honour
from bot.nights.host_steps import DoneStep
from bot.nights.plan import Format, NightPlan
from bot.nights.refusals import NightCode, NightRefusal
from bot.nights.rounds import NightRound, NightTable, Pairing, TableResult

_MINUTE = 60_000


class NightStatus(StrEnum):
    PLANNED = "planned"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Night:
    """`number` counts a server's nights, from 1. `seed` is what its pairings are drawn by. Instants in milliseconds.

    `host_id` is a user id, None once the person is forgotten. `message_id` is the sign-up message, which becomes the
    live board. `paused_at` is when the host stopped it. `next_at` is when the next round begins during a break.
    `is_closing`: no round follows the running one. `done` are the duties that are done once, so that a restart does
    none of them twice. `steps` is the log of the host's steps. `ended_at` is when the night was over or cancelled.
    `honours` are found with the recap. `version` counts what was saved; the writer raises it.
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
    event_id: int | None = None
    talk_thread_id: int | None = None
    paused_at: int | None = None
    next_at: int | None = None
    is_closing: bool = False
    done: tuple[Duty, ...] = ()
    steps: tuple[DoneStep, ...] = ()
    ended_at: int | None = None
    honours: tuple[Honour, ...] = ()
    version: int = 0

    @property
    def round(self) -> NightRound | None:
        """The round that was begun last."""
        return self.rounds[-1] if self.rounds else None

    @property
    def is_finished(self) -> bool:
        """Whether the night is over or cancelled."""
        return self.status in (NightStatus.OVER, NightStatus.CANCELLED)

    @property
    def present(self) -> tuple[Entrant, ...]:
        """Who is to be paired for the next round."""
        return tuple(entrant for entrant in self.entrants if entrant.presence is Presence.IN)

    @property
    def waiting(self) -> tuple[Entrant, ...]:
        """The waiting list; the first of it comes in first."""
        waiting = (entrant for entrant in self.entrants if entrant.presence is Presence.WAITING)
        return tuple(sorted(waiting, key=lambda entrant: (entrant.joined_at, entrant.number)))

    @property
    def has_space(self) -> bool:
        """Whether one more person may play."""
        return self.plan.most is None or len(self.present) < self.plan.most

    def entrant_of(self, user_id: int) -> Entrant | None:
        """The entrant of a user, if any."""
        return next((entrant for entrant in self.entrants if entrant.user_id == user_id), None)

    def table_at(self, table_id: int) -> NightTable | None:
        """The table of the running round that is this one of `bot.tables`."""
        tables = self.rounds[-1].tables if self.rounds else ()
        return next((table for table in tables if table.table_id == table_id), None)

    def table(self, number: int) -> NightTable | None:
        """A table of the running round, by its number."""
        tables = self.rounds[-1].tables if self.rounds else ()
        return tables[number - 1] if 1 <= number <= len(tables) else None

    def table_of(self, entrant: int) -> NightTable | None:
        """The table without a result at which an entrant sits."""
        tables = self.rounds[-1].tables if self.rounds else ()
        return next((table for table in tables if entrant in table.seats and table.result is None), None)

    # ------------------------------------------------------------------ sign-up

    def join(self, user_id: int, name: str, now: int, strength: float = 0.0) -> "Night | NightRefusal":
        """Sign up, also during a running night: the next round seats those who are there. Who was there comes back."""
        if self.is_finished:
            return NightRefusal(NightCode.NIGHT_OVER)
        known = self.entrant_of(user_id)
        if known is not None and known.presence in (Presence.IN, Presence.WAITING):
            return NightRefusal(NightCode.ALREADY_IN)
        if known is not None and known.presence is Presence.ABSENT:
            return self.with_entrant(replace(known, joined_at=now)).back(known.number)
        has_begun = self.plan.format in (Format.KNOCKOUT, Format.ROUND_ROBIN) and self.rounds
        if known is None and (now >= self.plan.sign_up_until or has_begun):
            return NightRefusal(NightCode.SIGN_UP_OVER)
        presence = Presence.IN if self.has_space else Presence.WAITING
        if known is not None:
            return self.with_entrant(replace(known, name=name, presence=presence, joined_at=now))
        entrant = Entrant(len(self.entrants), user_id, name, now, presence, strength=strength)
        return replace(self, entrants=(*self.entrants, entrant))

    def leave(self, user_id: int) -> "Night | NightRefusal":
        """Stand down. A partner is free again, and the first of the waiting list comes in."""
        if self.is_finished:
            return NightRefusal(NightCode.NIGHT_OVER)
        known = self.entrant_of(user_id)
        if known is None or known.presence is Presence.OUT:
            return NightRefusal(NightCode.NOT_IN)
        return self.without(known.number)

    def absent(self, number: int) -> "Night | NightRefusal":
        """Somebody did not come to their table: no round seats them before they are back. They keep their partner."""
        known = self._entrant(number)
        if known is None or known.presence is not Presence.IN:
            return NightRefusal(NightCode.NOT_IN)
        return self.with_entrant(replace(known, presence=Presence.ABSENT))._filled()

    def back(self, number: int) -> "Night | NightRefusal":
        """Somebody who was absent is there again; in a full night they wait."""
        if self.is_finished:
            return NightRefusal(NightCode.NIGHT_OVER)
        known = self._entrant(number)
        if known is None:
            return NightRefusal(NightCode.UNKNOWN_ENTRANT)
        if known.presence is not Presence.ABSENT:
            return NightRefusal(NightCode.ALREADY_IN if known.presence is not Presence.OUT else NightCode.NOT_IN)
        return self.with_entrant(replace(known, presence=Presence.IN if self.has_space else Presence.WAITING))

    # ------------------------------------------------------------------ pairs

    def seek_partner(self, user_id: int, *, seeks: bool = True) -> "Night | NightRefusal":
        """Look for a partner, or look no more."""
        own = self._free_to_pair(user_id)
        return own if isinstance(own, NightRefusal) else self.with_entrant(replace(own, seeks_partner=seeks))

    def ask_partner(self, user_id: int, other: int) -> "Night | NightRefusal":
        """Ask the entrant `other` to be one's partner; who is asked by them already accepts with it."""
        own = self._free_to_pair(user_id)
        if isinstance(own, NightRefusal):
            return own
        asked = self._entrant(other)
        if asked is None or asked.presence is Presence.OUT:
            return NightRefusal(NightCode.UNKNOWN_ENTRANT)
        if asked.number == own.number:
            return NightRefusal(NightCode.ITSELF)
        if asked.partner is not None:
            return NightRefusal(NightCode.HAS_PARTNER)
        if asked.asks == own.number:
            return self.paired(own.number, other)
        return self.with_entrant(replace(own, asks=other))

    def accept_partner(self, user_id: int, other: int) -> "Night | NightRefusal":
        """Accept the entrant `other`, who has asked."""
        own = self._free_to_pair(user_id)
        if isinstance(own, NightRefusal):
            return own
        asking = self._entrant(other)
        if asking is None or asking.asks != own.number:
            return NightRefusal(NightCode.NOT_ASKED)
        return self.paired(own.number, other)

    def decline_partner(self, user_id: int, other: int) -> "Night | NightRefusal":
        """Decline the entrant `other`, who has asked; with oneself as `other`: take one's own question back."""
        own = self.entrant_of(user_id)
        asking = self._entrant(other)
        if own is None or asking is None or asking.asks is None or own.number not in (asking.asks, asking.number):
            return NightRefusal(NightCode.NOT_ASKED)
        return self.with_entrant(replace(asking, asks=None))

    def part(self, user_id: int) -> "Night | NightRefusal":
        """Give up one's partner, before the night begins."""
        own = self.entrant_of(user_id)
        if own is None or own.presence is Presence.OUT:
            return NightRefusal(NightCode.NOT_IN)
        if self.status is not NightStatus.PLANNED:
            return NightRefusal(NightCode.HAS_BEGUN)
        return self.parted(own.number) if own.partner is not None else NightRefusal(NightCode.NO_PARTNER)

    # ------------------------------------------------------------------ the evening

    def begin_round(self, pairing: Pairing, now: int) -> "Night | NightRefusal":
        """Begin the round that `pairings.pair` proposes; in a lounge its tables are added to those that are open.

        The first round needs a table. A later one may be byes only; the next begins after the break. CHANGED_MEANWHILE:
        somebody who is seated is not there any more, and the round is to be paired again.
        """
        if self.is_finished:
            return NightRefusal(NightCode.NIGHT_OVER)
        if not self._can_seat(pairing):
            return NightRefusal(NightCode.CHANGED_MEANWHILE)
        if not pairing.tables and (not self.rounds or self.plan.format is Format.LOUNGE):
            return NightRefusal(NightCode.TOO_FEW)
        paired = self
        for one, other in pairing.partners:
            paired = paired.paired(one, other)
        last = self.round
        if last is not None and self.plan.format is Format.LOUNGE:
            added = tuple(NightTable(len(last.tables) + n, seats) for n, seats in enumerate(pairing.tables, 1))
            return paired._with_round(replace(last, tables=(*last.tables, *added)))
        if last is not None and not last.is_over:
            return NightRefusal(NightCode.ROUND_RUNNING)
        tables = tuple(NightTable(n, seats) for n, seats in enumerate(pairing.tables, 1))
        begun = NightRound(len(self.rounds) + 1, tables, pairing.byes, now, self._round_ends(now))
        next_at = None if tables else now + self.plan.break_minutes * _MINUTE
        return replace(paired, status=NightStatus.RUNNING, rounds=(*self.rounds, begun), next_at=next_at)

    def table_opened(self, number: int, thread_id: int) -> "Night | NightRefusal":
        """A table of the running round has its thread."""
        table = self._running_table(number)
        return table if isinstance(table, NightRefusal) else self.with_table(replace(table, thread_id=thread_id))

    def table_begun(self, number: int, table_id: int) -> "Night | NightRefusal":
        """A table of the running round is dealt, as `table_id` of `bot.tables`."""
        table = self._running_table(number)
        return table if isinstance(table, NightRefusal) else self.with_table(replace(table, table_id=table_id))

    def table_ended(self, number: int, result: TableResult, now: int) -> "Night | NightRefusal":
        """A table of the running round has a result; after the last one the break begins."""
        table = self._running_table(number)
        if isinstance(table, NightRefusal):
            return table
        if len(result.scores) != table.teams:
            return NightRefusal(NightCode.WRONG_SCORES)
        return self.with_table(replace(table, result=result, ended_at=now)).with_break(now)

    def time_called(self, now: int) -> "Night | NightRefusal":
        """The time of the running round is over: its tables play their running round to the end."""
        last = self.round
        if last is None or self.status is not NightStatus.RUNNING:
            return NightRefusal(NightCode.NOT_BEGUN)
        if last.called_at is not None:
            return NightRefusal(NightCode.TIME_CALLED)
        return self._with_round(replace(last, called_at=now))

    def ended(self, now: int) -> "Night | NightRefusal":
        """The night is over."""
        if self.is_finished:
            return NightRefusal(NightCode.NIGHT_OVER)
        if self.round is None:
            return NightRefusal(NightCode.NOT_BEGUN)
        if not self.round.is_over:
            return NightRefusal(NightCode.ROUND_RUNNING)
        return replace(self, status=NightStatus.OVER, ended_at=now, next_at=None, paused_at=None)

    def cancelled(self, now: int) -> "Night | NightRefusal":
        """The night does not take place, or goes no further."""
        if self.is_finished:
            return NightRefusal(NightCode.NIGHT_OVER)
        return replace(self, status=NightStatus.CANCELLED, ended_at=now, next_at=None, paused_at=None)

    def did(self, duty: Duty) -> "Night":
        """The night in which a duty is done: REMIND, RECAP or PLAN_NEXT, which nothing else tells."""
        return self if duty in self.done else replace(self, done=(*self.done, duty))

    def forgotten(self, user_id: int, name: str = "") -> "Night":
        """The night that knows a user no more; what they played stays, under `name`. They play no further round."""
        left = self.leave(user_id)
        night = self if isinstance(left, NightRefusal) else left
        known = night.entrant_of(user_id)
        night = night if known is None else night.with_entrant(replace(known, user_id=None, name=name))
        steps = tuple(replace(step, by=None) if step.by == user_id else step for step in night.steps)
        return replace(night, steps=steps, host_id=None if self.host_id == user_id else self.host_id)

    # ------------------------------------------------------------------ small parts of changes

    def with_entrant(self, entrant: Entrant) -> "Night":
        """The night with another value for one entrant."""
        number = entrant.number
        return replace(self, entrants=(*self.entrants[:number], entrant, *self.entrants[number + 1 :]))

    def with_table(self, table: NightTable, round_number: int | None = None) -> "Night":
        """The night with another value for one table, of its last round if no other is named."""
        index = (round_number or len(self.rounds)) - 1
        old = self.rounds[index]
        tables = tuple(table if other.number == table.number else other for other in old.tables)
        changed = replace(old, tables=tables)
        return replace(self, rounds=(*self.rounds[:index], changed, *self.rounds[index + 1 :]))

    def with_break(self, now: int) -> "Night":
        """The night in its break if the last table of the round is over. A pause does not use the break up."""
        last = self.round
        if last is None or not last.is_over or self.plan.format is Format.LOUNGE:
            return replace(self, next_at=None)
        since = now if self.paused_at is None else self.paused_at
        return replace(self, next_at=since + self.plan.break_minutes * _MINUTE)

    def without(self, number: int) -> "Night":
        """The night without an entrant: their partner is free, and the first of the waiting list comes in."""
        parted = self.parted(number)
        out = replace(parted.entrants[number], presence=Presence.OUT, asks=None, seeks_partner=False)
        return parted.with_entrant(out)._filled()

    def paired(self, one: int, other: int) -> "Night":
        """The night in which two entrants are partners, and all questions to and from them are answered."""
        free = self.parted(one).parted(other)
        first = replace(free.entrants[one], partner=other, asks=None, seeks_partner=False)
        second = replace(free.entrants[other], partner=one, asks=None, seeks_partner=False)
        return free.with_entrant(first).with_entrant(second)

    def parted(self, number: int) -> "Night":
        """The night in which an entrant has no partner, and nobody asks them."""
        own = replace(self.entrants[number], partner=None)
        others = tuple(
            replace(
                other,
                partner=None if other.partner == number else other.partner,
                asks=None if other.asks == number else other.asks,
            )
            for other in self.entrants
        )
        return replace(self, entrants=others).with_entrant(own)

    def _filled(self) -> "Night":
        night = self
        while night.has_space and night.waiting:
            night = night.with_entrant(replace(night.waiting[0], presence=Presence.IN))
        return night

    def _with_round(self, last: NightRound) -> "Night":
        return replace(self, rounds=(*self.rounds[:-1], last))

    def _round_ends(self, now: int) -> int | None:
        if not self.plan.round_minutes:
            return None
        if self.plan.format is Format.LOUNGE:
            return self.plan.starts_at + self.plan.rounds * self.plan.round_minutes * _MINUTE
        return now + self.plan.round_minutes * _MINUTE

    def _entrant(self, number: int) -> Entrant | None:
        return self.entrants[number] if 0 <= number < len(self.entrants) else None

    def _can_seat(self, pairing: Pairing) -> bool:
        seated = [seat for table in pairing.tables for seat in table if seat is not None]
        there = {entrant.number for entrant in self.present}
        if self.plan.format is Format.LOUNGE:
            there = {number for number in there if self.table_of(number) is None}
        are_free = all(self.entrants[number].partner is None for edge in pairing.partners for number in edge)
        return there.issuperset(seated) and are_free

    def _free_to_pair(self, user_id: int) -> Entrant | NightRefusal:
        own = self.entrant_of(user_id)
        if self.is_finished:
            return NightRefusal(NightCode.NIGHT_OVER)
        if not self.plan.format.has_pairs:
            return NightRefusal(NightCode.NO_PAIRS)
        if own is None or own.presence is Presence.OUT:
            return NightRefusal(NightCode.NOT_IN)
        return own if own.partner is None else NightRefusal(NightCode.HAS_PARTNER)

    def _running_table(self, number: int) -> NightTable | NightRefusal:
        table = self.table(number)
        if table is None or self.is_finished:
            return NightRefusal(NightCode.UNKNOWN_TABLE)
        return table if table.result is None else NightRefusal(NightCode.TABLE_OVER)
