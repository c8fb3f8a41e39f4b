"""Makes and reads gestures: the team's sign, bluffs, and how far opponents' gestures are believed.

It uses what was made in the open and what results have shown, never another team's secret.
"""

from collections.abc import Iterable
from itertools import takewhile
from random import Random
from re import fullmatch
from typing import Final

from bot.game import signs as s
from bot.game.actions import MakeGesture
from bot.game.views import GestureInfo, SeatView
from bot.robots.beliefs import GestureBeliefs, Memory, SeenGesture, break_even
from bot.robots.level import Skill

# How many times as likely a gesture means a Kem's that was repeated with the same hand.
_REPEATED: Final = 3.0
# Of a gesture that has won rounds, and was never made in vain since.
_KEPT_ODDS: Final = 0.95
# Odds are so much too high, for a team may have changed its sign since it was seen.
_DOUBT: Final = 0.2
_SUBTLEST: Final = (s.PlanKind.TOTAL, s.PlanKind.INTERMEDIATE, s.PlanKind.DOUBLE)


class GestureReader:
    """Reads the gestures of a round; it judges each gesture once."""

    def __init__(self, rng: Random, skill: Skill, memory: Memory) -> None:
        self._rng = rng
        self._skill = skill
        self._memory = memory
        self.beliefs = GestureBeliefs()
        self._luck: dict[tuple[int, int], float] = {}
        self._answered: dict[int, int] = {}
        self._round = -1
        self._judged_at = 0
        self.limit = 1.0
        """From these odds of a Kem's on it counters."""

    def observe(self, view: SeatView) -> None:
        """Draw the random number by which each new gesture of a view is judged."""
        if view.table.round != self._round:
            self._round = view.table.round
            self._luck, self._answered, self._judged_at = {}, {}, 0
            self.limit = break_even(view.table.rules) + _DOUBT
        for gesture in view.table.gestures[self._judged_at :]:
            if (gesture.seat, gesture.at) not in self._luck:
                self._luck[gesture.seat, gesture.at] = self._rng.random()
        self._judged_at = len(view.table.gestures)
        self.beliefs.observe(view, self._memory)

    def is_struck(self, view: SeatView, seen: int) -> bool:
        """Return whether a gesture that is not among the first `seen` ones may call for an answer."""
        self.observe(view)
        seats = {gesture.seat for gesture in view.table.gestures[seen:]} - {view.seat}
        return any(
            self.partner_with_kems(view) is not None if seat in view.partners else self.believes(view, seat)
            for seat in seats
        )

    def record_answer(self, seat: int, view: SeatView) -> None:
        """Record that `seat` countered, so that its gestures so far cause no other counter."""
        self._answered[seat] = max((gesture.at for gesture in view.table.gestures), default=0)

    def partner_with_kems(self, view: SeatView) -> int | None:
        """Return a partner whose sign this robot has seen and whose hand has not changed since; None without one."""
        for seat in view.partners:
            if view.plan is not None and view.plan.presign:
                if self._has_presigned(view, seat):
                    return seat
            elif any(self._is_read(view, made.info) for made in self._memory.made.get(seat, ())):
                return seat
        return None

    def _has_presigned(self, view: SeatView, seat: int) -> bool:
        """Return whether a pre-sign stands for a Kem's: the seat took a card after it, or repeated it (sheet 000)."""
        exchanged_at = self._memory.exchanged_at.get(seat, 0) - view.table.dealt_at
        read = [item.at for item in view.table.gestures if item.seat == seat and self._is_read(view, item)]
        has_taken = not view.table.seats[seat].owes and any(at < exchanged_at for at in read)
        return has_taken or len(read) > 1

    def believes(self, view: SeatView, seat: int) -> bool:
        """Return whether this robot takes a gesture of an opponent for their sign, so that it counters."""
        judged = self._judged(view, seat, dares=True)
        return any(odds >= self.limit for odds in judged)

    def spots(self, view: SeatView, seat: int) -> bool:
        """Return whether an opponent has made a sign that its team keeps using and that this robot looked out for."""
        return any(self._is_kept(view, made) and self._dares(view, made) for made in self._current(seat))

    def odds(self, view: SeatView, seat: int) -> float:
        """Return the probability, from 0 to 1, that an opponent holds a Kem's, given its gestures with this hand."""
        return max(self._judged(view, seat), default=0.0)

    def _judged(self, view: SeatView, seat: int, *, dares: bool = False) -> list[float]:
        """Return the odds of the gestures that an opponent made with its hand: of all, or those it `dares` to answer.

        A hand that has made a sign which won before is judged by that alone: it is spotted, or nothing is.
        """
        current = self._current(seat)
        signs = [made for made in current if self._has_won(view, made)]
        dared = [made for made in signs or current if not dares or self._dares(view, made)]
        possible = self._memory.kems_possibility(view, seat) if dared else 0.0
        return [self._odds(view, made, current, possible) for made in dared] if possible else []

    def _current(self, seat: int) -> list[SeenGesture]:
        """Return the unanswered gestures that a seat made with its hand."""
        answered_at = self._answered.get(seat, -1)
        return [made for made in self._memory.made.get(seat, ()) if made.info.at > answered_at]

    def _has_won(self, view: SeatView, made: SeenGesture) -> bool:
        return self.beliefs.has_won(view.table.seats[made.info.seat].team, made.sign)

    def _is_kept(self, view: SeatView, made: SeenGesture) -> bool:
        return self.beliefs.is_kept(view.table.seats[made.info.seat].team, made.sign)

    def _dares(self, view: SeatView, made: SeenGesture) -> bool:
        share = self._skill.spots if self._has_won(view, made) else self._skill.daring
        return self._luck[made.info.seat, made.info.at] < share

    def _odds(self, view: SeatView, made: SeenGesture, current: list[SeenGesture], possible: float) -> float:
        """Return the odds that a gesture was made with a Kem's: by its moment, its text, and the room for one."""
        team = view.table.seats[made.info.seat].team
        if self._is_kept(view, made):
            return _KEPT_ODDS
        meant = self.beliefs.kems_share(team, is_prompt=made.is_prompt)
        is_repeated = sum(other.sign == made.sign for other in current) > 1
        weight = meant * possible * self.beliefs.ratio(team, made.sign) * (_REPEATED if is_repeated else 1)
        return weight / (weight + 1 - meant)

    def _is_read(self, view: SeatView, gesture: GestureInfo) -> bool:
        luck = self._luck[gesture.seat, gesture.at]
        made = view.sign_made(gesture.seat, gesture.kind, gesture.text)
        others = [other.info for other in self._memory.made.get(gesture.seat, ())]
        is_sign = made is not None and all(_is_made(half, [gesture, *others]) for half in made.halves)
        is_taken_for_one = luck >= self._skill.misses if is_sign else luck < self._skill.misreads
        return is_taken_for_one and self._memory.kems_possibility(view, gesture.seat) > 0


def own_signs(view: SeatView, since: int) -> list[int]:
    """Return when this seat made its team's sign, from the instant `since` on (milliseconds of the match's clock)."""
    own = [item for item in _since(view, since) if view.sign_made(view.seat, item.kind, item.text) is not None]
    signs = [view.sign_made(view.seat, item.kind, item.text) for item in own[-1:]]
    is_whole = all(_is_made(half, own) for sign in signs if sign is not None for half in sign.halves)
    return [item.at + view.table.dealt_at for item in own] if is_whole else []


def _since(view: SeatView, since: int) -> list[GestureInfo]:
    """Return the gestures of this seat from `since` on (milliseconds of the match's clock)."""
    at = since - view.table.dealt_at
    late = takewhile(lambda gesture: gesture.at >= at, reversed(view.table.gestures))
    return [gesture for gesture in late if gesture.seat == view.seat][::-1]


def _is_made(half: s.Sign, gestures: Iterable[GestureInfo]) -> bool:
    return any(s.gesture_makes(gesture.kind, gesture.text, half) for gesture in gestures)


def make_sign(view: SeatView, since: int | None = None) -> MakeGesture | None:
    """Return the gesture that makes the team's sign: a phrase is posted, a single emoji is a reaction to the table.

    Of a combined sign it is the half that was not made since `since` (milliseconds of the match's clock).
    """
    if view.plan is not None and view.plan.kind is s.PlanKind.TOTAL:
        return MakeGesture(view.seat, s.GestureKind.REACT, s.HOUSE_SIGNS[view.table.round % len(s.HOUSE_SIGNS)])
    if not view.signs:
        return None
    halves = view.signs[0].halves
    made = [] if since is None else _since(view, since)
    sign = next((half for half in halves if not _is_made(half, made)), halves[0])
    if sign.is_spoken:
        return MakeGesture(view.seat, s.GestureKind.SAY, sign.text)
    is_one = len(sign.text) == 1 or fullmatch("<[^<]*>", sign.text) is not None  # a phrase cannot be a reaction
    return MakeGesture(view.seat, s.GestureKind.REACT if is_one else s.GestureKind.POST, sign.text)


def choose_bluff(view: SeatView, rng: Random) -> MakeGesture:
    """Return a gesture without meaning: an emoji of the sign card's family that is no sign of the team."""
    choices = [
        text for text in s.family(view.sign_card) if view.sign_made(view.seat, s.GestureKind.REACT, text) is None
    ]
    return MakeGesture(view.seat, s.GestureKind.REACT, rng.choice(choices))


def choose_plan(view: SeatView, memory: Memory, rng: Random, *, is_subtle: bool = False) -> s.SignPlan:
    """Return a plan with one new sign; after a double sign was found, the plan with new signs for the found ones.

    If it `is_subtle`, a plan has as many signs as the vote allows, and a pre-sign.
    """
    if view.plan is None or not view.is_half_found:
        return _subtle_plan(view, memory, rng) if is_subtle else s.one_sign(_new_sign(view, memory, rng))
    successors: list[s.Sign] = []
    for _ in view.spent.intersection(view.plan.signs):
        successors.append(_new_sign(view, memory, rng, successors))
    return view.plan.with_successors(view.spent, successors)


def _subtle_plan(view: SeatView, memory: Memory, rng: Random) -> s.SignPlan:
    """Return the plan that is hardest to find out: several signs before one, and any gesture before several."""
    options = view.options
    kind = next((kind for kind in _SUBTLEST if kind in options.kinds), s.PlanKind.SINGLE)
    count = {s.PlanKind.TOTAL: 0, s.PlanKind.INTERMEDIATE: s.FEWEST_SIGNS, s.PlanKind.DOUBLE: 1 + len(view.partners)}
    signs: list[s.Sign] = []
    for _ in range(count.get(kind, 1)):
        signs.append(_new_sign(view, memory, rng, signs))
    return s.SignPlan(kind, tuple(signs), options.presign and kind is not s.PlanKind.TOTAL)


def _new_sign(view: SeatView, memory: Memory, rng: Random, besides: Iterable[s.Sign] = ()) -> s.Sign:
    """Return a sign that the team never had, not one of `besides`; one that it had if there is no other."""
    own = view.spent.union(besides, () if view.plan is None else view.plan.signs)
    choices = s.unused_signs(view.sign_card, own)
    return rng.choice([sign for sign in choices if sign not in memory.former_signs] or choices)
