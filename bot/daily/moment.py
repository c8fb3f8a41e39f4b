"""A moment of a finished match, played again: the same hands, the same robots, ten seconds before it.

Robots take the places of the other people, too. They have seen what their seat saw of the round until then.
"""

import pickle
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, NamedTuple

from bot.daily.run import Move, Run, write_moves
from bot.game import events as e
from bot.game.build_view import player_view, table_view
from bot.game.events import Phase
from bot.game.evolve import evolve, evolve_all
from bot.game.match import NAMES, Match, SeededRandom
from bot.game.replay_steps import replay_round
from bot.game.state import State
from bot.game.views import TableView
from bot.records.archive import PastMatch
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots import LEVELS, Robot, RobotLevel

BEFORE_MS: Final = 10_000
"""So long before the moment the round goes on, but not before its hunt."""


class MomentKey(NamedTuple):
    """A step of the replay of a round of a match (`bot.game.replay_steps`), and whose moment it was."""

    table_id: int
    round: int
    step: int
    seat: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """A moment that its player has posted, so that others of the server can try it once each."""

    table_id: int
    round: int
    step: int
    seat: int
    user_id: int
    guild_id: int


@dataclass(frozen=True, slots=True)
class MomentTry:
    """A person's try at a moment, on the seat where it happened. Instants are Discord's, in milliseconds.

    `gain` is by how many points the seat's team has won the rest of the round; None for a try that came to no end.
    `moves` are those of a try that is not over (`bot.daily.run.write_moves`).
    """

    user_id: int
    table_id: int
    round: int
    step: int
    seat: int
    guild_id: int
    started_at: int
    pressed_at: int
    gain: int | None = None
    is_over: bool = False
    moves: str = ""

    @property
    def key(self) -> MomentKey:
        return MomentKey(self.table_id, self.round, self.step, self.seat)

    def after(self, run: Run, pressed_at: int, *, is_over: bool) -> "MomentTry":
        assert isinstance(run, MomentRun)
        moves = "" if is_over else write_moves(run.moves)
        return replace(self, pressed_at=pressed_at, gain=run.gain, is_over=is_over, moves=moves)

    def missed(self) -> "MomentTry":
        return replace(self, is_over=True, moves="")


@dataclass(frozen=True, slots=True)
class MomentStart:
    """A moment ready to be played, its robots with what they remember: pickled, for each beginning is a copy.

    `gained` is by how many points the seat's team won the rest of the round in the match, `ended` the table at that
    end.
    """

    seat: int
    people: tuple[Player, ...]
    theme: Theme
    began: int
    gained: int
    ended: TableView
    packed: bytes


class MomentRun(Run):
    """A moment while it is played. `gain` is known once the round has ended."""

    def __init__(self, start: MomentStart, moves: Iterable[Move] = ()) -> None:
        match, brains = pickle.loads(start.packed)  # noqa: S301 - packed by `moment_start`
        super().__init__(match, start.seat, brains, start.began, start.theme)
        self.start: Final = start
        self.gain: int | None = None
        self._points = 0
        self._follow(())
        for move in moves:
            self.play(move.action, move.at)

    def again(self, moves: Collection[Move]) -> "MomentRun":
        return MomentRun(self.start, moves)

    def judge(self, events: Iterable[e.Event]) -> None:
        for event in events:
            self._points += _lead(event, self.me % len(self.match.state.teams))
            if isinstance(event, e.RoundEnded):
                self.is_over, self.gain = True, self._points


def moment_start(match: PastMatch, key: MomentKey, began: int) -> MomentStart:
    """Returns a moment as it goes on at `began`.

    Raises ValueError for a match that was not played to its end, and for a round without a hunt.
    """
    seat, steps = key.seat, replay_round(match.events, key.round).steps
    moment = steps[min(key.step, len(steps) - 1)].event
    number, at = _cut(match.events, moment)
    shift = began - at
    prefix = [replace(event, at=event.at + shift) for event in match.events[:number]]
    played = Match(prefix, names=NAMES[: len(match.people)], rng=SeededRandom(f"{key}"), now=began)
    robots = {
        each: Robot(Random(f"{key} {each}"), LEVELS[player.robot_level or RobotLevel.REGULAR])  # noqa: S311 - it repeats
        for each, player in enumerate(match.people)
        if each != seat
    }
    _remind(robots, prefix)
    gained = sum(_lead(event, seat % len(played.state.teams)) for event in _until_end(match.events[number:]))
    return MomentStart(seat, match.people, match.theme, began, gained, steps[-1].table, pickle.dumps((played, robots)))


def _cut(events: Sequence[e.Event], moment: e.Event) -> tuple[int, int]:
    """Returns how many events come before the round goes on, and the instant until which they hold.

    That is the last one, of so long before, at which the hunt was open and nothing interrupted it.
    """
    place = next(number for number, event in enumerate(events) if event is moment)
    first = max(number for number, event in enumerate(events[: place + 1]) if isinstance(event, e.CardsDealt))
    state = evolve_all(None, events[:first])
    open_at: list[tuple[int, int]] = []
    for number, event in enumerate(_until_end(events[first:]), first + 1):
        state = evolve(state, event)
        if state.phase is Phase.HUNT and state.pause is None:
            open_at.append((number, event.at))
    if not open_at:
        raise ValueError("there was no hunt in this round")
    wanted = moment.at - BEFORE_MS
    before = [(number, at) for number, at in open_at if at <= wanted and number <= place]
    number, at = before[-1] if before else open_at[0]
    return number, max(at, min(wanted, events[number].at - 1))


def _remind(robots: dict[int, Robot], events: Sequence[e.Event]) -> None:
    """Shows the robots the last round of these events."""
    state: State | None = None
    dealt = max(number for number, event in enumerate(events) if isinstance(event, e.CardsDealt))
    for number, event in enumerate(events):
        state = evolve(state, event)
        if number >= dealt and state.phase is not Phase.DEAL:
            table = table_view(state)
            for seat, robot in robots.items():
                robot.advise(player_view(state, seat, event.at, table), event.at)


def _until_end(events: Iterable[e.Event]) -> Iterator[e.Event]:
    """Yields the events of the running round, to its last."""
    for event in events:
        yield event
        if isinstance(event, e.RoundEnded):
            return


def _lead(event: e.Event, team: int) -> int:
    """Returns by how much a team gains on the best other one."""
    if not isinstance(event, e.RoundEnded | e.CounterFailed):
        return 0
    return event.points[team] - max(points for other, points in enumerate(event.points) if other != team)
