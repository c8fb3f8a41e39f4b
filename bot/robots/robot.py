"""A robot: it turns each view of its seat into at most one intended action.

It is pure but for its memory and its random numbers: the same views in the same order give the same actions. It guesses
no sign: where a guess pays, no result tells signs from which it could learn one.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game.cards import Card
from bot.game.rules.parts import DoubleCall, Holder, Names
from bot.game.signs.sign_plans import PlanKind
from bot.game.views import SeatView
from bot.robots.collect import Collector
from bot.robots.memory import Memory
from bot.robots.signals import GestureReader, choose_bluff, choose_plan, make_sign, own_signs
from bot.robots.timing import Agenda, Candidate, Intent, Skill, Timing

# After so many milliseconds of its sign in vain a seat calls for itself, where the rules allow it.
_IN_VAIN_MS: Final = 20_000


class Robot:
    """A player for one seat of one match.

    `think` takes a fresh view after every change at the table and after every move of its own, also a refused one.
    """

    def __init__(self, rng: Random, *, timing: Timing | None = None, skill: Skill | None = None) -> None:
        self._rng = rng
        self._timing = timing or Timing()
        self._skill = skill or Skill()
        self._memory = Memory()
        self._reader = GestureReader(rng, self._skill, self._memory)
        self._agenda = Agenda(rng)
        self._bluff: a.MakeGesture | None = None
        self._new_sign: a.ProposeSign | None = None
        self._overlooked: set[Card] = set()
        self._seen_in_pool: frozenset[Card] = frozenset()

    def think(self, view: SeatView, now: int) -> Intent | None:
        """Returns what to do next and in how many milliseconds, unless the view changes; None to wait for others.

        The action is legal now, or will be after the delay if nothing else happens.
        """
        self._memory.observe(view, now)
        self._reader.observe(view)
        self._after(self._agenda.done(now), view)
        # During a vote on a sweep all candidates keep their moments.
        is_vote = view.table.sweep_asker is not None
        candidates = [
            candidate
            for candidate in self._candidates(view)
            if is_vote or _is_call(candidate.action) or self._can_do(view, candidate, now)
        ]
        return self._agenda.next(candidates, lambda candidate: self._can_do(view, candidate, now), now)

    def _after(self, done: a.Action | None, view: SeatView) -> None:
        match done:
            case a.MakeGesture() if done == self._bluff:
                self._bluff = None
            case a.ProposeSign():
                self._new_sign = None
            case a.CounterPlayer(target=target):
                self._reader.answered(target, view)
            case a.CounterTeam(team=team):
                for seat in view.table.members(team):
                    self._reader.answered(seat, view)

    @staticmethod
    def _can_do(view: SeatView, candidate: Candidate, now: int) -> bool:
        match candidate.action:
            # `legal` does not list these; the candidate was made where they are allowed.
            case a.MakeGesture() | a.ProposeSign():
                return True
            case _:
                return candidate.action in view.legal or candidate.not_before > now

    def _candidates(self, view: SeatView) -> Iterator[Candidate]:
        table = view.table
        if table.winner is not None:
            return
        yield from self._settle_sign(view)
        if table.result is not None:
            yield Candidate(a.NextRound(view.seat), self._timing.next_round)
        elif table.round:
            yield from self._play(view)

    def _settle_sign(self, view: SeatView) -> Iterator[Candidate]:
        if view.proposal is not None:
            yield Candidate(a.AcceptSign(view.seat, view.proposal.plan), self._timing.accept)
        elif view.may_change_sign and self._wants_new_sign(view):
            if self._new_sign is None:
                self._new_sign = a.ProposeSign(view.seat, choose_plan(view, self._memory, self._rng))
            # One partner after the other, so that two do not propose at once.
            rank = sum(partner < view.seat for partner in view.partners)
            low, high = self._timing.propose
            yield Candidate(self._new_sign, (low + rank * high, high + rank * high))

    @staticmethod
    def _wants_new_sign(view: SeatView) -> bool:
        """Returns whether the team has no sign, or one that was found or that the last result showed."""
        table = view.table
        if view.plan is None or view.is_half_found:
            return True
        if table.result is None:
            return table.round > 0
        return not set(table.result.signs[view.team]).isdisjoint(view.signs)

    def _play(self, view: SeatView) -> Iterator[Candidate]:
        self._look(view)
        collector = Collector(view, self._memory, self._overlooked)
        yield from self._call(view)
        yield from self._counter(view, collector)
        yield from self._gesture(view)
        yield Candidate(a.OpenHunt(view.seat), self._timing.open)
        shows = [action.cards for action in view.legal if isinstance(action, a.ShowCards)]
        if shows:
            yield Candidate(a.ShowCards(view.seat, collector.least_telling(shows)), self._timing.show)
        yield from self._exchange(view, collector)

    def _look(self, view: SeatView) -> None:
        """Overlooks some of the cards that come into the pool, until a sweep is asked for."""
        pool = [card for card in view.table.pool if card is not None]
        self._overlooked &= set(pool)
        for card in pool:
            if card not in self._seen_in_pool and self._rng.random() < self._skill.overlooks:
                self._overlooked.add(card)
        if view.table.seats[view.seat].must_exchange or a.AnswerSweep(view.seat, agrees=True) in view.legal:
            self._overlooked.clear()
        self._seen_in_pool = frozenset(pool)

    def _exchange(self, view: SeatView, collector: Collector) -> Iterator[Candidate]:
        """Yields put-downs, takes and sweeps."""
        is_content = self._memory.kems_since is not None
        must = view.table.seats[view.seat].must_exchange
        step = None if is_content else collector.next_step(must=must)
        if step is not None:
            yield Candidate(step, self._timing.put if isinstance(step, a.PutDown) else self._timing.take)
        yield Candidate(a.AnswerSweep(view.seat, agrees=step is None), self._timing.answer)
        if step is None and not is_content and view.table.sweep_from is not None:
            # After a refusal the quiet time passes once more before the next question.
            quiet = round(view.table.rules.sweep.quiet * 1000)
            again = 0 if self._memory.refused_at is None else self._memory.refused_at + quiet
            yield Candidate(a.AskSweep(view.seat), self._timing.sweep, max(again, view.table.sweep_from))

    def _call(self, view: SeatView) -> Iterator[Candidate]:
        """Yields a Kem's for a partner whose sign was read, a double with its own, or a call for its own."""
        calls = view.table.rules.calls
        double = a.CallDouble(view.seat)
        partner = self._reader.partner_with_kems(view)
        since = self._memory.kems_since
        if partner is not None:
            is_double = since is not None and (calls.double is DoubleCall.AT_ONCE or double in view.legal)
            yield Candidate(double if is_double else a.CallKems(view.seat), self._timing.call)
        elif since is not None and (made := own_signs(view, since)):
            if not view.partners:
                yield Candidate(a.CallKems(view.seat), self._timing.call, made[0] + round(calls.duel_delay * 1000))
            elif calls.holder is Holder.TEAM:
                yield Candidate(a.CallKems(view.seat), self._timing.call, made[0] + _IN_VAIN_MS)

    def _counter(self, view: SeatView, collector: Collector) -> Iterator[Candidate]:
        """Yields counters of believed gestures, or a put-down that ends the round once the right to counter is lost."""
        table = view.table
        for team in range(table.teams):
            if team == view.team:
                continue
            believed = [seat for seat in table.members(team) if self._reader.believes(view, seat)]
            if not believed:
                continue
            two = a.CounterTeam(view.seat, team, is_double=True)
            if not table.seats[view.seat].can_counter:
                stopper = collector.stopper()
                if stopper is not None:
                    yield Candidate(stopper, self._timing.put)
            elif len(believed) > 1 and table.rules.calls.double_counters:
                yield Candidate(two, self._timing.counter)
            elif table.rules.calls.counter_names is Names.TEAM:
                yield Candidate(a.CounterTeam(view.seat, team), self._timing.counter)
            else:
                yield from (Candidate(a.CounterPlayer(view.seat, seat), self._timing.counter) for seat in believed)

    def _gesture(self, view: SeatView) -> Iterator[Candidate]:
        """Yields the team's sign for a Kem's, repeated until a partner calls, and now and then a bluff."""
        since = self._memory.kems_since
        sign = make_sign(view, since)
        if since is not None and sign is not None:
            made = own_signs(view, since)
            yield (
                Candidate(sign, self._timing.gesture_again, made[-1]) if made else Candidate(sign, self._timing.gesture)
            )
        elif view.plan is None or view.plan.kind is not PlanKind.TOTAL:  # where any gesture is a sign, none is a bluff
            if self._bluff is None or view.sign_made(view.seat, self._bluff.kind, self._bluff.text) is not None:
                self._bluff = choose_bluff(view, self._rng)
            yield Candidate(self._bluff, self._timing.bluff)


def _is_call(action: a.Action) -> bool:
    """Returns whether the action is a call, which keeps its moment while an exchange forbids it."""
    return isinstance(action, a.CallKems | a.CallDouble | a.CounterPlayer | a.CounterTeam)
