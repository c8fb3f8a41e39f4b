"""How long a robot takes for a scene: by that scenes are chosen, and times of different scenes compared."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from statistics import median_low
from typing import Final

from bot.daily.practice_round import PracticeRound, TimedAction
from bot.daily.scene import ME, Scene, SceneTask
from bot.game import actions as a
from bot.game import events as e
from bot.game.views import PlayerView, SeatView
from bot.lessons.stage_robot import Brain
from bot.robots import Intent, Level, Robot, Skill

BAND_MS: Final = (14_000, 26_000)
"""The reference time of every scene lies here."""
TRIES: Final = 6
_LEVEL: Final = Level(skill=Skill(overlooks=0, misses=0, misreads=0))
_CALLS: Final = (a.CallKems, a.CallDouble)
# So many cards of one group were seen to go to a hand that then makes a gesture.
_TELLING: Final = 2


class Reader:
    """Counters an opponent who was seen to collect, or who repeats a gesture.

    `Robot` counters by what results have taught it, and a scene has none.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._due: Mapping[a.Action, int] = {}
        self._hands: dict[int, tuple[tuple[int, int], int]] = {}

    def think(self, view: PlayerView, now: int) -> Intent | None:
        for info in view.table.seats:  # since when each seat has held its hand
            known = (sum(one.seat == info.seat for one in view.table.exchanges), info.owes)
            if self._hands.get(info.seat, ((0, 0), 0))[0] != known:
                self._hands[info.seat] = (known, now)
        counters = [
            one for one in view.legal if isinstance(one, a.CounterPlayer) and self._is_telling(view, one.target)
        ]
        delay = _LEVEL.timing.counter
        ahead = {one: due for one, due in self._due.items() if due > now}  # a counter may have had no effect
        self._due = {one: ahead.get(one) or now + self._rng.randint(*delay) for one in counters}
        first = min(self._due, key=self._due.__getitem__, default=None)
        return None if first is None else Intent(first, max(0, self._due[first] - now))

    def _is_telling(self, view: SeatView, seat: int) -> bool:
        table, (_, since) = view.table, self._hands.get(seat, ((0, 0), 0))
        made = [one.text for one in table.gestures if one.seat == seat and table.dealt_at + one.at >= since]
        if not made or table.seats[seat].owes:
            return False
        taken: Counter[int] = Counter()
        for exchange in table.exchanges:
            if exchange.seat == seat:
                for card in exchange.put:
                    taken.pop(card.group, None)
                taken.update(card.group for card in exchange.taken)
        out_of_reach = {card.group for card in (*view.hand, *table.pool) if card is not None}
        return len(set(made)) < len(made) or any(
            number >= _TELLING for group, number in taken.items() if group not in out_of_reach
        )


def solver(kind: SceneTask, rng: Random) -> Brain:
    """The robot that plays the person's seat."""
    if kind is SceneTask.COUNTER:
        return Reader(rng)

    def permits(_view: SeatView, action: a.Action) -> bool:
        return isinstance(action, _CALLS) == (kind is SceneTask.SIGN)

    return Robot(rng, _LEVEL, permits=permits)


def solved(scene: Scene, whim: int = 0, began: int = 0) -> PracticeRound:
    """The scene as a robot with this whim plays it, until the end of the band."""
    run = PracticeRound(scene, began, solver=solver(scene.kind, Random(whim)))
    run.advance(began + BAND_MS[1])
    return run


def solution(scene: Scene, began: int = 0) -> list[TimedAction]:
    """What a robot does to solve a scene."""
    moves = []
    for event in solved(scene, began=began).match.events:
        match event:
            case e.CardPutDown(seat=0, card=card):
                moves.append(TimedAction(event.at, a.PutDown(ME, card)))
            case e.CardTaken(seat=0, card=card, by_chance=False):
                moves.append(TimedAction(event.at, a.Take(ME, card)))
            case e.SweepAsked(seat=0):
                moves.append(TimedAction(event.at, a.AskSweep(ME)))
            case e.SweepAgreed(seat=0, silent=False):
                moves.append(TimedAction(event.at, a.AnswerSweep(ME, agrees=True)))
            case e.RoundEnded(caller=0, target=None):
                moves.append(TimedAction(event.at, a.CallKems(ME)))
            case e.RoundEnded(caller=0, target=int(target)):
                moves.append(TimedAction(event.at, a.CounterPlayer(ME, target)))
    return moves


def begins_in_hunt(scene: Scene) -> bool:
    """False where the cards turned up end the round at once."""
    return PracticeRound(scene).match.view(ME).table.phase is e.Phase.HUNT


def reference(kind: SceneTask, seed: int) -> int | None:
    """The middle one of several solving times; None for a deal that is not as difficult as the others."""
    if not begins_in_hunt(Scene(kind, seed, 0)):
        return None
    times = []
    for whim in range(TRIES):
        time = solved(Scene(kind, seed, 0), whim).result
        if time is None or time < BAND_MS[0]:
            return None
        times.append(time)
    return median_low(times)
