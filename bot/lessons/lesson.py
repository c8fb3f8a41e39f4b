"""The lessons as data: when each applies to what the learner's seat sees, and which event ends it.

Their sentences are in `bot.ui.words.coach_text`. The first match is classic: four seats, two teams.

The scenes are the rounds of the first match: which lessons each teaches, how the cards lie, and what each robot does. A
scene lets its lessons come up by themselves. Whatever else the learner does is played by the rules all the same.
`Course` is how far the learner has come.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from random import Random
from typing import Any, Final

from bot.game import events as e
from bot.game.cards import DECKS, HAND_SIZE, Card, DeckKind, alike_groups, is_kems, parse_card
from bot.game.state import SeenExchange
from bot.game.value import Sentence
from bot.game.views import GestureInfo, SeatView

SEATS: Final = 4
TEAMS: Final = 2
_TRUE_KEMS: Final = (e.Outcome.KEMS, e.Outcome.DOUBLE)

MOST_TRIES: Final = 2
"""How often a scene is played at most. A round that ends before anybody can be countered does not count."""


class Lesson(Sentence):
    """A lesson, as a sentence that the user interface fills in."""

    AGREE = (
        "💡 Your team agrees on a secret sign: you make it when you hold four of a kind. Accept it, or tap another one."
    )
    DEAL = "💡 Collect four of a kind. You deal: press 📣."
    PUT = "💡 Put down {card}, your least useful card."
    TAKE = "💡 Quick, take {card}: you need it."
    SWEEP = "💡 Nothing here helps you: press 🧹 Sweep?"
    SIGN = "💡 Four of a kind! Make {sign}: {name} calls."
    KEMS = "💡 {name} makes your sign {sign}: Kem's!"
    BLUFF = "💡 {name} makes {gesture}: bluff too, not {sign}."
    COUNTER = "💡 {name} took, then {gesture}: a sign! ✋"
    READ = "💡 {name} takes {card}: watch for a sign."
    THREE_ALIKE = "💡 Put down {card}: a third {third} ends the round."
    END = "💡 That is the whole game: you are ready to play."


@dataclass(frozen=True, slots=True)
class LessonPlan:
    """When a lesson `applies` to the learner's view, and whether an event `ends` it, by the learner's seat."""

    applies: Callable[[SeatView], bool]
    ends: Callable[[e.Event, int], bool]


def hand_of(view: SeatView) -> tuple[Card, ...]:
    """Return the cards in the seat's hand."""
    return tuple(card for card in view.hand if card is not None)


def holds_kems(view: SeatView) -> bool:
    """Return whether the seat holds a Kem's."""
    return is_kems(hand_of(view))


def gestures_of_opponents(view: SeatView) -> Iterator[GestureInfo]:
    """Yield the gestures of opponents in this round."""
    seats = view.table.seats
    return (made for made in reversed(view.table.gestures) if seats[made.seat].team != view.team)


def _is_hunting(view: SeatView) -> bool:
    return view.table.phase is e.Phase.HUNT


def _may_exchange(view: SeatView) -> bool:
    return _is_hunting(view) and not view.owes and not holds_kems(view)


def _is_stuck(view: SeatView) -> bool:
    three = alike_groups(hand_of(view), HAND_SIZE - 1)
    return _may_exchange(view) and bool(three) and three.isdisjoint(card.group for card in view.table.pool if card)


def _has_sign_to_answer(view: SeatView) -> bool:
    made = (item for item in view.table.gestures if item.seat in view.partners)
    return _is_hunting(view) and any(view.sign_made(item.seat, item.kind, item.text) is not None for item in made)


def _sees_gesture(view: SeatView) -> bool:
    return _is_hunting(view) and not view.owes and any(gestures_of_opponents(view))


def takes_of_opponents(view: SeatView) -> Iterator[SeenExchange]:
    """Yield the exchanges of opponents in this round."""
    seats = view.table.seats
    return (item for item in reversed(view.table.exchanges) if seats[item.seat].team != view.team)


def _may_counter(view: SeatView) -> bool:
    return _sees_gesture(view) and view.table.seats[view.seat].can_counter


def _is_called(event: e.Event, outcomes: tuple[e.Outcome, ...], caller: int) -> bool:
    return isinstance(event, e.RoundEnded) and event.outcome in outcomes and event.caller == caller


def _is_gesture_of_opponent(event: e.Event, seat: int) -> bool:
    return isinstance(event, e.GestureMade) and event.seat % TEAMS != seat % TEAMS


def _is_of(event: e.Event, kind: type[e.CardPutDown | e.CardTaken | e.GestureMade], seat: int) -> bool:
    return isinstance(event, kind) and event.seat == seat


LESSONS: Final[Mapping[Lesson, LessonPlan]] = {
    Lesson.AGREE: LessonPlan(
        lambda view: view.table.phase is e.Phase.SIGNS and view.plan is None,
        lambda event, seat: isinstance(event, e.SignSettled) and event.team == seat % TEAMS,
    ),
    Lesson.DEAL: LessonPlan(
        lambda view: view.table.phase is e.Phase.READY, lambda event, _seat: isinstance(event, e.HuntOpened)
    ),
    Lesson.SIGN: LessonPlan(
        lambda view: _is_hunting(view) and holds_kems(view),
        lambda event, seat: _is_called(event, _TRUE_KEMS, (seat + TEAMS) % SEATS),
    ),
    Lesson.KEMS: LessonPlan(_has_sign_to_answer, lambda event, seat: _is_called(event, _TRUE_KEMS, seat)),
    Lesson.TAKE: LessonPlan(
        lambda view: _is_hunting(view) and view.owes > 0, lambda event, seat: _is_of(event, e.CardTaken, seat)
    ),
    Lesson.COUNTER: LessonPlan(_may_counter, lambda event, seat: _is_called(event, (e.Outcome.COUNTER,), seat)),
    Lesson.BLUFF: LessonPlan(_sees_gesture, lambda event, seat: _is_of(event, e.GestureMade, seat)),
    Lesson.THREE_ALIKE: LessonPlan(
        lambda view: _may_exchange(view) and bool(view.third_alike),
        lambda event, seat: _is_of(event, e.CardPutDown, seat),
    ),
    Lesson.READ: LessonPlan(lambda view: _is_hunting(view) and any(takes_of_opponents(view)), _is_gesture_of_opponent),
    Lesson.SWEEP: LessonPlan(_is_stuck, lambda event, _seat: isinstance(event, e.RoundEnded)),
    Lesson.PUT: LessonPlan(_may_exchange, lambda event, seat: _is_of(event, e.CardPutDown, seat)),
}
"""In the order in which they are tried: the more urgent first. `END` follows from the others."""


class Role(StrEnum):
    """What a robot does in a scene.

    Every robot settles a sign and shows the cards it has to; all but those that collect agree to sweeps.
    """

    WAITS = "waits"
    CALLS = "calls"
    """It calls Kem's when its partner has made the sign."""
    COLLECTS = "collects"
    """It exchanges, and makes its sign with four alike."""
    LURKS = "lurks"
    """It calls Kem's once an opponent has lost the right to counter: a round that cannot be saved ends."""
    BLUFFS = "bluffs"
    """It makes one gesture, which means nothing."""


@dataclass(frozen=True, slots=True)
class LessonScene:
    """A round with a prepared deal; it is played again while its `goal` is not learnt.

    - `hands`, `roles`: clockwise from the learner, who has no role.
    - `stock`: the first cards of the stock, which chance completes.
    """

    goal: Lesson
    lessons: tuple[Lesson, ...]
    hands: tuple[str, str, str, str]
    pool: str
    roles: tuple[Role, Role, Role]
    stock: str = ""

    def role(self, seat: int, learner: int) -> Role:
        """Return the role of a seat."""
        return self.roles[(seat - learner) % SEATS - 1]

    def order(self, learner: int, dealer: int, rng: Random) -> tuple[Card, ...]:
        """Return the whole deck in dealing order; the first card goes to the dealer's left."""
        hands = [_cards(self.hands[(seat - learner) % SEATS]) for seat in range(SEATS)]
        clockwise = [hands[(dealer + 1 + step) % SEATS] for step in range(SEATS)]
        known = [hand[card] for card in range(HAND_SIZE) for hand in clockwise]
        known += [*_cards(self.pool), *_cards(self.stock)]
        rest = [card for card in DECKS[DeckKind.D32] if card not in known]
        rng.shuffle(rest)
        return (*known, *rest)


def _cards(codes: str) -> list[Card]:
    return [parse_card(code) for code in codes.split()]


class PreparedDeck(Random):
    """Shuffles the whole deck into `order`; all else is drawn by `rng`."""

    def __init__(self, order: Sequence[Card], rng: Random) -> None:
        super().__init__()
        self._order = order
        self._rng = rng

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put a whole deck into the prepared order; shuffle anything else by chance."""
        if len(x) == len(self._order):
            x[:] = self._order
        else:
            self._rng.shuffle(x)

    def random(self) -> float:
        """Return a random number from 0 (included) to 1 (excluded)."""
        return self._rng.random()

    def getrandbits(self, k: int, /) -> int:
        """Return a number of `k` random bits."""
        return self._rng.getrandbits(k)


SCENES: Final = (
    LessonScene(
        goal=Lesson.SIGN,
        lessons=(Lesson.AGREE, Lesson.DEAL, Lesson.PUT, Lesson.TAKE, Lesson.SWEEP, Lesson.SIGN),
        hands=("7S 9D 7H KC", "8S TS QH KH", "9S JS AD QD", "8C TC KD AH"),
        pool="7D JC 8H AS",
        stock="TD 7C QS JH",
        roles=(Role.WAITS, Role.CALLS, Role.WAITS),
    ),
    LessonScene(
        goal=Lesson.KEMS,
        lessons=(Lesson.KEMS, Lesson.BLUFF),
        hands=("KS 9H 7D 8S", "AS TD AH 8C", "QS JC QH 8D", "JS TC JH 7C"),
        pool="QD KD QC KH",
        roles=(Role.WAITS, Role.COLLECTS, Role.BLUFFS),
    ),
    LessonScene(
        goal=Lesson.COUNTER,
        lessons=(Lesson.COUNTER, Lesson.READ, Lesson.THREE_ALIKE),
        hands=("8D TS JC TH", "KS 7S KH 9D", "9S JD QH AS", "AD QC TC 7H"),
        pool="8S KD 8H KC",
        roles=(Role.COLLECTS, Role.CALLS, Role.LURKS),
    ),
)
"""In the order in which they are played."""


@dataclass(frozen=True, slots=True)
class Course:
    """How far the learner has come.

    - `learnt`: the lessons that are over.
    - `scene`: that of the running round; `tries`: how often each scene was played, by its number.
    - `taught_round`: the number of the last round that was a scene.
    - `may_counter`: an opponent has made a gesture in the running round.
    """

    learnt: frozenset[Lesson] = frozenset()
    scene: LessonScene | None = None
    tries: tuple[int, ...] = (0,) * len(SCENES)
    taught_round: int = 0
    may_counter: bool = False

    def following(self, events: Iterable[e.Event], learner: int) -> "Course":
        """Return the course after these events of the match."""
        return reduce(lambda course, event: course.after(event, learner), events, self)

    def after(self, event: e.Event, learner: int) -> "Course":
        """Return the course after one event of the match; `learner` is the learner's seat."""
        scene = self.scene or self.coming
        taught = () if scene is None else scene.lessons
        ended = {lesson for lesson in taught if LESSONS[lesson].ends(event, learner)}
        course = self if ended <= self.learnt else replace(self, learnt=self.learnt | ended)
        match event:
            case e.CardsDealt(round=dealt) if scene is not None:
                learnt = course.learnt.difference(scene.lessons)  # a scene that is dealt again teaches all of it again
                return replace(course, learnt=learnt, scene=scene, taught_round=dealt, may_counter=False)
            case e.RoundEnded() if course.scene is not None:
                is_try = course.scene.goal is not Lesson.COUNTER or course.may_counter
                counted = zip(SCENES, course.tries, strict=True)
                tries = tuple(tried + (is_try and each is course.scene) for each, tried in counted)
                return replace(course, scene=None, tries=tries)
            case _ if _is_gesture_of_opponent(event, learner):
                return replace(course, may_counter=True)
            case _:
                return course

    @property
    def coming(self) -> LessonScene | None:
        """The scene of the next round; None after the last one."""
        open_scenes = (
            scene
            for scene, tried in zip(SCENES, self.tries, strict=True)
            if scene.goal not in self.learnt and tried < MOST_TRIES
        )
        return next(open_scenes, None)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to teach, so that the match ends."""
        return self.scene is None and self.coming is None

    def lesson(self, view: SeatView) -> Lesson | None:
        """Return what to teach the learner, given their view; None while they can go on alone."""
        if self.is_over:
            has_just_ended = view.table.result is not None and view.table.round == self.taught_round
            return Lesson.END if has_just_ended else None
        scene = self.scene or self.coming
        left = () if scene is None else set(scene.lessons) - self.learnt
        return next((lesson for lesson, plan in LESSONS.items() if lesson in left and plan.applies(view)), None)
