"""A robot: turns each view of its seat into at most one intended action.

It is pure but for its memory and its random numbers: the same views in the same order give the same actions.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game.cards import HAND_SIZE, Card, alike_groups
from bot.game.events import CallKind, Phase
from bot.game.rules.rules import DoubleCall, Guess, Holder, Names, SignChange, SweepBy
from bot.game.signs import PlanKind, Strategy
from bot.game.state import with_changes
from bot.game.views import SeatView, TableView
from bot.robots.beliefs import Memory
from bot.robots.collect import HELD, Collector, Step
from bot.robots.level import REGULAR, Agenda, CandidateAction, Intent, Level, Timing
from bot.robots.reasons import WAITS, Advice, Motive, MoveReason
from bot.robots.signals import GestureReader, choose_bluff, choose_plan, make_sign, own_signs

# After so many milliseconds of its sign in vain a seat calls for itself, where the rules allow it.
_IN_VAIN_MS: Final = 20_000
# A card is recognized once it has lain so long.
_GLANCE_MS: Final = 300
# After so many milliseconds without an exchange a seat with a Kem's asks for a sweep too: nobody reads its sign.
_STALEMATE_MS: Final = 60_000
# A call keeps its moment while an exchange forbids it.
_CALLS: Final = (a.CallKems, a.CallDouble, a.CounterPlayer, a.CounterTeam)
_EXCHANGES: Final = (a.PutDown, a.Take, a.Swap)
_OPEN: Final = (Phase.READY, Phase.HUNT, Phase.SWEEP)
_COLLECTS: Final = (Motive.COLLECTS, Motive.BLOCKS)


class Robot:
    """A player for one seat of one match.

    `think` takes a fresh view after every change at the table and after every move of its own, also a refused one.
    """

    def __init__(
        self,
        rng: Random,
        level: Level = REGULAR,
        *,
        timing: Timing | None = None,
        permits: Callable[[SeatView, a.Action], bool] | None = None,
        keeps_target: bool = False,
    ) -> None:
        """Prepare a robot.

        Args:
            rng: Its random numbers.
            level: Its pace and skill.
            timing: Its pace, instead of the level's.
            permits: Which actions it may intend; by default every one.
            keeps_target: Its advice collects one group a round, of which the hand has a card.
        """
        self._rng = rng
        self._permits = permits
        self._usual = self._timing = timing or level.timing
        self._least_wait = level.least_wait
        self._skill = level.skill
        self._memory = Memory(rng, self._timing.notice, self._skill.recalls)
        self._reader = GestureReader(rng, self._skill, self._memory)
        self._agenda = Agenda(rng)
        self._bluff: a.MakeGesture | None = None
        self._decoy: a.MakeGesture | None = None
        self._new_sign: a.ProposeSign | None = None
        self._swaps_next = False
        self._overlooked: set[Card] = set()
        self._seen_in_pool: frozenset[Card] = frozenset()
        self._hand: frozenset[Card] = frozenset()
        self._votes: Counter[type[a.Action]] = Counter()
        self._round = -1
        self.is_stale = True
        """Whether it has to think before it does what it planned."""
        self._view: SeatView
        self._table: TableView
        self._stage: tuple[object, ...] | None = None
        self._collector: tuple[object, Collector, Step | None] | None = None
        self._target = self._no_target = HELD if keeps_target else None

    def think(self, view: SeatView, now: int) -> Intent | None:
        """Return what to do next and after how many milliseconds, if the view does not change; None to wait for others.

        The action is legal now, or will be after the delay if nothing else happens.
        """
        self._observe(view, now)
        if not self.is_stale:
            self._after(self._agenda.done(now), view)
        self._view, self._table, self._stage, self.is_stale = view, view.table, _stage(view.table, view.seat), False
        # During a vote on a sweep all candidates keep their moments.
        is_vote = view.table.sweep_asker is not None
        permits = self._permits
        candidates = [
            candidate
            for candidate in self._candidates(view, now)
            if (permits is None or permits(view, candidate.action))
            and (is_vote or isinstance(candidate.action, _CALLS) or self._can_do(view, candidate, now))
        ]
        return self._agenda.next(candidates, lambda candidate: self._can_do(view, candidate, now), now)

    def notice(self, table: TableView, now: int) -> bool:
        """Take in the table after another seat's move; return whether `think` has to be called at once.

        If the move only changes which card fits, the robot `is_stale`: it thinks when its move is due. Callers that
        call `think` after every move need neither.
        """
        if _stage(table, self._view.seat) != self._stage:
            return True
        self._memory.watch(table, now)
        before, self._table = self._table, table
        if len(table.gestures) > len(before.gestures):
            return self._reader.is_struck(with_changes(self._view, table=table), len(before.gestures))
        if table.pool == before.pool:
            return False
        self.is_stale |= isinstance(self._agenda.offered, (*_EXCHANGES, a.AskSweep))
        if self._agenda.plans(_CALLS):
            return True
        is_idle = self._memory.kems_since is None and not self._agenda.plans(_EXCHANGES)
        if not is_idle or set(before.pool).issuperset(table.pool):
            return False
        return self._next_exchange() is not None

    def confirm(self, planned: a.Action, now: int) -> a.Action | None:
        """Return the action planned for now, with the best card if it is an exchange; None if `think` is needed."""
        if self.is_stale:
            chosen = self._next_exchange() if isinstance(planned, _EXCHANGES) and self._permits is None else None
            if chosen is None or type(chosen.action) is not type(planned) or chosen.not_before > now:
                return None
            self._agenda.offered = planned = chosen.action
            self.is_stale = False
        return planned

    def _next_exchange(self) -> CandidateAction | None:
        """Return the exchange for the table as it is now."""
        view = with_changes(self._view, table=self._table)
        self._look(view)
        step = self._collect(view)[1]
        return None if step is None else self._move(view, step)

    def advise(self, view: SeatView, now: int) -> Advice:
        """Return what this robot would do in the seat without regard to pace, and why; no action if it would wait.

        `think` or `advise` must have seen all earlier views of the seat.
        """
        self._observe(view, now)
        if not view.owes and all(card.group != self._target for card in self._memory.hand):
            self._target = self._no_target
        possible = (
            candidate
            for candidate in self._candidates(view, now)
            if candidate.not_before <= now or isinstance(candidate.action, a.AskSweep)  # a person needs a moment anyway
        )
        for candidate in possible:
            if self._can_do(view, candidate, now):
                if self._target == HELD and candidate.reason.why in _COLLECTS:
                    self._target = candidate.reason.group
                return candidate.action, candidate.reason
        return None, WAITS

    def _observe(self, view: SeatView, now: int) -> None:
        if view.table.round != self._round:
            self._votes.clear()
            self._round, self._target = view.table.round, self._no_target
        self._memory.observe(view, now)
        self._reader.observe(view)
        self._plan_decoy(view)

    def _after(self, done: a.Action | None, view: SeatView) -> None:
        match done:
            case a.AskSweep() | a.AnswerSweep(agrees=False):
                self._votes[type(done)] += 1
            case a.MakeGesture() if done == self._decoy:
                self._decoy = None
            case a.MakeGesture() if done == self._bluff:
                self._bluff = None
            case a.ProposeSign():
                self._new_sign = None
            case a.Take() | a.Swap():
                self._swaps_next = self._rng.random() < self._skill.swaps
                memory = self._memory
                self._timing = self._usual.at_pace(memory.pace, memory.call_pace, self._least_wait)
            case a.CounterPlayer(target=target):
                self._reader.record_answer(target, view)
            case a.CounterTeam(team=team):
                for seat in view.table.members(team):
                    self._reader.record_answer(seat, view)

    @staticmethod
    def _can_do(view: SeatView, candidate: CandidateAction, now: int) -> bool:
        """Return whether a candidate is legal as far as the view tells; others are made only if they are."""
        match candidate.action:
            case a.PutDown():
                return view.may_put_down
            case a.Take():
                return view.may_take
            case a.Swap():
                return view.may_swap
            case a.AskSweep():
                sweep_from = view.table.sweep_from
                return candidate.not_before > now or (sweep_from is not None and sweep_from <= now)
            case a.AnswerSweep(agrees=False):
                return view.table.rules.sweep.sweep_by is not SweepBy.DEALER
            case a.CallKems():
                return CallKind.KEMS in view.offers.calls
            case a.CallDouble():
                return CallKind.DOUBLE in view.offers.calls
            case a.CounterTeam(is_double=True):
                return CallKind.DOUBLE_COUNTER in view.offers.calls
            case a.CounterPlayer() | a.CounterTeam():
                return CallKind.COUNTER in view.offers.calls
            case a.NextRound():
                return view.table.phase is Phase.OVER
            case a.AcceptSign() | a.AccuseTeam():
                return candidate.action in view.special_moves
            case _:
                return True

    def _candidates(self, view: SeatView, now: int) -> Iterator[CandidateAction]:
        """Yield what is worth doing, the most urgent first."""
        table = view.table
        if table.winner is not None:
            return
        yield from self._settle_sign(view)
        if table.result is not None:
            yield CandidateAction(a.NextRound(view.seat), self._timing.next_round, reason=MoveReason(Motive.ROUND_OVER))
        elif table.round:
            yield from self._play(view, now)

    def _settle_sign(self, view: SeatView) -> Iterator[CandidateAction]:
        if view.proposal is not None:
            reason = MoveReason(Motive.PARTNER_ASKS, seat=view.proposal.seat)
            yield CandidateAction(a.AcceptSign(view.seat, view.proposal.plan), self._timing.accept, reason=reason)
        elif view.may_change_sign and (why := self._wants_new_sign(view)) is not None:
            if self._new_sign is None:
                plan = choose_plan(view, self._memory, self._rng, is_subtle=self._skill.is_subtle)
                self._new_sign = a.ProposeSign(view.seat, plan)
            # One partner after the other, so that two do not propose at once.
            rank = sum(partner < view.seat for partner in view.partners)
            # Between rounds somebody may deal at any moment.
            low, high = self._timing.propose if view.table.result is None else self._timing.accept
            yield CandidateAction(self._new_sign, (low + rank * high, high + rank * high), reason=MoveReason(why))

    def _wants_new_sign(self, view: SeatView) -> Motive | None:
        table = view.table
        if view.plan is None or view.is_half_found:
            return Motive.NO_SIGN
        if table.result is None:
            may_have_found = any(report.team == view.team for report in table.reports)
            may_stay = table.rules.signs.sign_change is SignChange.ALWAYS
            return Motive.SIGN_SHOWN if may_have_found and not may_stay else None
        is_worn_out = self._memory.signed_wins >= self._skill.changes_after
        return Motive.SIGN_SHOWN if view.is_sign_shown or is_worn_out else None

    def _play(self, view: SeatView, now: int) -> Iterator[CandidateAction]:
        self._look(view)
        collector, step = self._collect(view)
        yield from self._call(view)
        yield from self._counter(view, collector)
        yield from self._sign(view)
        shows = [action.cards for action in view.special_moves if isinstance(action, a.ShowCards)]
        if shows:
            cards = collector.least_telling(shows)
            yield CandidateAction(
                a.ShowCards(view.seat, cards), self._timing.show, reason=MoveReason(Motive.TELLS_LEAST)
            )
        yield from self._find_signs(view)
        if view.offers.may_open:
            yield CandidateAction(a.OpenHunt(view.seat), self._timing.open, reason=MoveReason(Motive.IS_DEALER))
        yield from self._exchange(view, step)
        yield from self._mislead(view)

    def _look(self, view: SeatView) -> None:
        """Overlook some of the cards that come into the pool, until a sweep is asked for."""
        pool = self._memory.pool
        if pool != self._seen_in_pool:
            self._overlooked &= pool
            came = sorted(pool - self._seen_in_pool)
            self._overlooked.update(card for card in came if self._rng.random() < self._skill.overlooks)
            self._seen_in_pool = pool
        if view.table.seats[view.seat].must_exchange or view.offers.may_answer:
            self._overlooked.clear()

    def _collect(self, view: SeatView) -> tuple[Collector, Step | None]:
        """Return the robot's judgement of its hand and the pool; the same as before if neither has changed."""
        must = view.table.seats[view.seat].must_exchange
        is_content = self._memory.kems_since is not None
        noticed = self._memory.noticed
        key = (
            *(view.hand, view.table.pool, frozenset(self._overlooked), must, is_content, view.table.round, noticed),
            self._target,
        )
        if self._collector is None or self._collector[0] != key:
            collector = Collector(view, self._memory, self._skill, self._overlooked, self._target)
            step = None if is_content else collector.next_step(must=must)
            self._collector = (key, collector, step)
        _, collector, step = self._collector
        return collector, None if step is not None and self._keeps_presign(view, step) else step

    def _exchange(self, view: SeatView, step: Step | None) -> Iterator[CandidateAction]:
        is_content = self._memory.kems_since is not None
        if step is not None:
            yield self._move(view, step)
        reason = (
            MoveReason(Motive.NOTHING_FITS) if step is None else MoveReason(Motive.STILL_FITS, group=step.reason.group)
        )
        if is_content:
            reason = MoveReason(Motive.HAS_KEMS)
        if view.offers.may_answer:
            agrees = step is None or self._votes[a.AnswerSweep] >= self._skill.votes
            yield CandidateAction(a.AnswerSweep(view.seat, agrees=agrees), self._timing.answer, reason=reason)
        if step is None and view.offers.may_sweep and view.table.sweep_from is not None:
            # After a refusal the quiet time passes once more before the next question.
            quiet = round(view.table.rules.sweep.quiet * 1000)
            again = 0 if self._memory.refused_at is None else self._memory.refused_at + quiet
            is_patient = is_content or self._votes[a.AskSweep] >= self._skill.votes
            from_then = max(again, view.table.sweep_from + (_STALEMATE_MS if is_patient else 0))
            yield CandidateAction(a.AskSweep(view.seat), self._timing.sweep, from_then, reason)

    def _move(self, view: SeatView, step: Step) -> CandidateAction:
        """Return a put-down, a take, or now and then both in one move, which never ends a round."""
        if isinstance(step.action, a.Take):
            return CandidateAction(step.action, self._timing.take, self._seen_at(step.action.card), step.reason)
        card = step.action.card
        if self._swaps_next and step.take is not None and view.table.rules.exchange.swap:
            return CandidateAction(
                a.Swap(view.seat, card, step.take), self._timing.swap, self._seen_at(step.take), step.reason
            )
        return CandidateAction(step.action, self._timing.put, reason=step.reason)

    def _seen_at(self, card: Card) -> int:
        """Return when a card of the pool has lain long enough to be recognized."""
        return self._memory.came.get(card, -_GLANCE_MS) + _GLANCE_MS

    def _call(self, view: SeatView) -> Iterator[CandidateAction]:
        """Yield a Kem's for a partner whose sign was read, a double with its own, or a call for its own."""
        calls = view.table.rules.calls
        double = a.CallDouble(view.seat)
        partner = self._reader.partner_with_kems(view)
        since = self._memory.kems_since
        if partner is not None:
            is_double = since is not None and (
                calls.double is DoubleCall.AT_ONCE or CallKind.DOUBLE in view.offers.calls
            )
            if is_double:
                yield CandidateAction(double, self._timing.call, reason=MoveReason(Motive.HOLDS_ONE_TOO, seat=partner))
            else:
                reason = MoveReason(Motive.ANSWERS_SIGN, seat=partner)
                yield CandidateAction(a.CallKems(view.seat), self._timing.call, reason=reason)
        elif since is not None and (made := own_signs(view, since)):
            own, reason = a.CallKems(view.seat), MoveReason(Motive.SIGNED_IN_VAIN)
            if not view.partners:
                yield CandidateAction(own, self._timing.call, made[0] + round(calls.duel_delay * 1000), reason)
            elif calls.holder is Holder.TEAM:
                yield CandidateAction(own, self._timing.call, made[0] + _IN_VAIN_MS, reason)

    def _counter(self, view: SeatView, collector: Collector) -> Iterator[CandidateAction]:
        """Yield counters of believed gestures; without the right to one, a put-down that ends the round."""
        table = view.table
        gesturing = {seat % table.teams for seat in self._memory.made} - {view.team}
        for team in sorted(gesturing):
            believed = [seat for seat in table.members(team) if self._reader.believes(view, seat)]
            if not believed:
                continue
            is_spotted = any(self._reader.spots(view, seat) for seat in believed)
            delay = self._timing.spot if is_spotted else self._timing.counter
            odds = {seat: self._reader.odds(view, seat) for seat in table.members(team)}
            likeliest = max(odds, key=lambda seat: (odds[seat], seat))
            reason = MoveReason(Motive.READS_SIGN, seat=likeliest, team=team, odds=odds[likeliest])
            if not (table.rules.calls.counters and table.seats[view.seat].can_counter):
                stopper = collector.stopper()
                if stopper is not None:
                    reason = MoveReason(Motive.STOPS, seat=likeliest, team=team, odds=odds[likeliest])
                    yield CandidateAction(stopper, self._timing.put, reason=reason)
            elif len(believed) > 1 and table.rules.calls.double_counters:
                two = a.CounterTeam(view.seat, team, is_double=True)
                yield CandidateAction(two, delay, reason=MoveReason(Motive.READS_TWO, team=team))
            elif table.rules.calls.counter_names is Names.TEAM:
                yield CandidateAction(a.CounterTeam(view.seat, team), delay, reason=reason)
            else:
                for seat in believed:
                    reason = MoveReason(Motive.READS_SIGN, seat=seat, team=team, odds=odds[seat])
                    yield CandidateAction(a.CounterPlayer(view.seat, seat), delay, reason=reason)

    def _sign(self, view: SeatView) -> Iterator[CandidateAction]:
        """Yield the team's sign for a Kem's, repeated until a partner calls, and a pre-sign for three alike, once."""
        since = self._memory.kems_since
        if since is not None:
            sign = make_sign(view, since)
            reason = MoveReason(Motive.HAS_KEMS, group=min(alike_groups(self._hand, HAND_SIZE), default=None))
            if sign is not None and (made := own_signs(view, since)):
                yield CandidateAction(sign, self._timing.gesture_again, made[-1], reason)
            elif sign is not None:
                yield CandidateAction(sign, self._timing.gesture, reason=reason)
        elif self._skill.is_subtle and view.plan is not None and view.plan.presign:
            three = self._memory.three_since
            sign = None if three is None else make_sign(view, three)
            if three is not None and sign is not None and not own_signs(view, three):
                group = min(alike_groups(self._hand, HAND_SIZE - 1), default=None)
                yield CandidateAction(sign, self._timing.gesture, reason=MoveReason(Motive.PRESIGNS, group=group))

    def _keeps_presign(self, view: SeatView, step: Step) -> bool:
        """Return whether an exchange would make a pre-sign a lie: the partner calls once a card was taken after it."""
        three = self._memory.three_since
        if view.owes or three is None or view.plan is None or not view.plan.presign:
            return False
        if view.table.seats[view.seat].must_exchange or not own_signs(view, three):
            return False
        return step.reason.group not in alike_groups(self._hand, HAND_SIZE - 1)

    def _mislead(self, view: SeatView) -> Iterator[CandidateAction]:
        """Yield a bluff now and then, and if the skill asks for it soon after a take, as a sign would come."""
        if not self._may_bluff(view):
            return
        reason = MoveReason(Motive.BLUFFS)
        if self._decoy is not None:
            yield CandidateAction(self._decoy, self._timing.gesture, reason=reason)
        elif self._bluff is None or view.sign_made(view.seat, self._bluff.kind, self._bluff.text) is not None:
            self._bluff = choose_bluff(view, self._rng)
        if self._bluff is not None:
            yield CandidateAction(self._bluff, self._timing.bluff, reason=reason)

    def _plan_decoy(self, view: SeatView) -> None:
        """Draw, once for each take of the robot, whether it bluffs now."""
        hand = self._memory.hand
        has_taken = bool(hand - self._hand) and bool(self._hand) and view.table.phase is Phase.HUNT and not view.owes
        if has_taken and self._skill.decoys and self._may_bluff(view):
            is_made = self._rng.random() < self._skill.decoys
            self._decoy = choose_bluff(view, self._rng) if is_made else None
        elif view.owes or view.table.phase not in _OPEN:
            self._decoy = None
        self._hand = hand

    def _may_bluff(self, view: SeatView) -> bool:
        """Return whether a gesture would be a bluff: none is if any gesture is a sign, nor with a Kem's in hand."""
        is_total = view.plan is not None and view.plan.kind is PlanKind.TOTAL
        return self._memory.kems_since is None and not is_total

    def _find_signs(self, view: SeatView) -> Iterator[CandidateAction]:
        """Yield a guess of a sign if that pays and the odds are good, and accusations if a vote allows them."""
        table, beliefs = view.table, self._reader.beliefs
        for team in range(table.teams) if self._skill.watches and table.phase in _OPEN else ():
            if team == view.team:
                continue
            if (
                view.may_guess
                and table.rules.signs.guess is Guess.POINTS
                and (likely := beliefs.likeliest(team)) is not None
            ):
                sign, odds = likely
                if odds >= self._skill.guesses_at:
                    guess = a.GuessSign(view.seat, team, (sign,))
                    reason = MoveReason(Motive.KNOWS_SIGN, team=team, odds=odds)
                    yield CandidateAction(guess, self._timing.guess, reason=reason)
            accused_strategies = {report.strategy for report in table.reports if report.team == team}
            seen = [(Strategy.PRESIGN, bool(beliefs.unsigned.get(team))), (Strategy.TOTAL, beliefs.plays_total(team))]
            for strategy, is_seen in seen:
                if is_seen and strategy not in accused_strategies:  # once a round is enough
                    accusation = a.AccuseTeam(view.seat, team, strategy)
                    reason = MoveReason(Motive.SAW_STRATEGY, team=team)
                    yield CandidateAction(accusation, self._timing.guess, reason=reason)


def _stage(table: TableView, seat: int) -> tuple[object, ...]:
    """Return what makes a seat think at once when it changes; between rounds that is any change."""
    is_between = table.phase in (Phase.SIGNS, Phase.OVER)
    return (
        table if is_between else None,
        table.round,
        table.phase,
        table.chain,
        table.seats[seat],
        len(table.reports),
        len(table.penalties),
    )
