"""A moment of a finished match, played again: the same hands, with robots, from ten seconds before it.

Robots also play for the other people. They have seen what their seat saw of the round until then.
"""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, NamedTuple

from bot.daily.attempt import MomentKey
from bot.daily.practice_round import PracticeEnd
from bot.game import events as e
from bot.game.build_view import player_view, table_view
from bot.game.events import Phase
from bot.game.evolve import evolve, evolve_all
from bot.game.match import SEAT_NAMES, Match, SeededRandom
from bot.game.replay_steps import replay_round
from bot.game.signs import SignCard, emoji_sign, one_sign, unused_signs
from bot.game.state import State
from bot.game.views import TableView
from bot.lessons.stage_robot import Brain
from bot.records.archive import PastMatch
from bot.records.pictures import Theme
from bot.records.player import Player
from bot.records.review import Lapse, moments
from bot.robots import LEVELS, Robot, RobotLevel

BEFORE_MS: Final = 10_000
"""How long before the moment the round goes on, but not before its hunt."""
OFFERED_SIGNS: Final = 4


@dataclass(frozen=True, slots=True)
class MomentStart:
    """A moment prepared to be played; the robots' memories are pickled, as each deal needs a copy.

    - `key`: which moment. `began`: when it begins.
    - `count`: how many events come before it.
    - `reference`: by how many points the seat's team won the rest of the round in the match.
    - `ended`: the table at that end.
    """

    key: MomentKey
    began: int
    people: tuple[Player, ...]
    theme: Theme
    count: int
    reference: int
    ended: TableView
    packed: bytes

    @property
    def seat(self) -> int:
        """The seat of the person."""
        return self.key.seat

    def deal(self, at: int) -> tuple[Match, dict[int, Brain]]:
        """Return the match and the robots that play the other seats; see `bot.daily.practice_round.RoundStart`."""
        assert at == self.began, "it was prepared for one instant"
        dealt: tuple[Match, dict[int, Brain]] = pickle.loads(self.packed)  # noqa: S301 - packed by `prepare_moment`
        return dealt

    def judge(self, match: Match) -> PracticeEnd | None:
        """Return the result once the round is over: by how many points the seat's team won the rest of the round."""
        rest = match.events[self.count :]
        has_ended = any(isinstance(event, e.RoundEnded) for event in rest)
        return PracticeEnd(_lead(rest, self.seat % len(match.state.teams))) if has_ended else None


class KnownSign(NamedTuple):
    """A team's sign that opponents knew since a round, and signs that the team could have made instead."""

    sign: str
    since: int
    others: tuple[str, ...]


def known_sign(match: PastMatch, key: MomentKey) -> KnownSign | None:
    """Return the sign whose use was the mistake of a moment; None if the mistake was another one.

    Raises:
        ValueError: The match was not played to its end.
    """
    steps = replay_round(match.events, key.round).steps
    event = steps[min(key.step, len(steps) - 1)].event
    if not isinstance(event, e.GestureMade):
        return None
    for lapse in moments(match.events, key.seat):
        if lapse.event is event and lapse.lapse is Lapse.BURNT:
            made = emoji_sign(event.text)
            others = unused_signs(_card(match.events, key.seat), {made})
            Random(f"{key}").shuffle(others)  # noqa: S311 - a choice of suggestions, no secret
            return KnownSign(made.text, lapse.since, tuple(sign.text for sign in others[:OFFERED_SIGNS]))
    return None


def prepare_moment(match: PastMatch, key: MomentKey, began: int, sign: str = "") -> MomentStart:
    """Return a moment that begins at `began`; if a `sign` is given, the team has agreed on it before the round.

    Raises:
        ValueError: The match was not played to its end, the round had no hunt, or no team is offered the sign.
    """
    seat, steps = key.seat, replay_round(match.events, key.round).steps
    moment = steps[min(key.step, len(steps) - 1)].event
    count, at = _cut(match.events, moment)
    shift = began - at
    prefix = [replace(event, at=event.at + shift) for event in match.events[:count]]
    if sign:
        prefix = _with_sign(prefix, seat, sign)
    played = Match(prefix, names=SEAT_NAMES[: len(match.people)], rng=SeededRandom(f"{key}"), now=began)
    robots = {
        each: Robot(Random(f"{key} {each}"), LEVELS[player.robot_level or RobotLevel.REGULAR])  # noqa: S311 - it repeats
        for each, player in enumerate(match.people)
        if each != seat
    }
    _remind(robots, prefix)
    gained = _lead(match.events[count:], seat % len(played.state.teams))
    packed = pickle.dumps((played, robots))
    return MomentStart(key, began, match.people, match.theme, len(prefix), gained, steps[-1].table, packed)


def _with_sign(events: Sequence[e.Event], seat: int, sign: str) -> list[e.Event]:
    """Return the events with another sign of the seat's team, settled before the last round is dealt.

    Raises:
        ValueError: No team is offered this sign.
    """
    start = events[0]
    assert isinstance(start, e.MatchStarted), "a log begins with its match"
    if emoji_sign(sign) not in unused_signs(_card(events, seat), ()):
        raise ValueError("no team is offered this sign")
    dealt = max(number for number, event in enumerate(events) if isinstance(event, e.CardsDealt))
    settled = e.SignSettled(events[dealt].at, seat % start.teams, one_sign(emoji_sign(sign)))
    return [*events[:dealt], settled, *events[dealt:]]


def _card(events: Sequence[e.Event], seat: int) -> SignCard | None:
    """Return the sign card of a seat's team, if the match plays them."""
    start = events[0]
    assert isinstance(start, e.MatchStarted), "a log begins with its match"
    return start.sign_cards[seat % start.teams] if start.sign_cards else None


def _cut(events: Sequence[e.Event], moment: e.Event) -> tuple[int, int]:
    """Return how many events come before the round goes on, and until when they hold.

    That is the last instant, `BEFORE_MS` before the moment, at which the hunt was open and uninterrupted.

    Raises:
        ValueError: There was no hunt in this round.
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
    """Show the robots the last round of these events."""
    state: State | None = None
    dealt = max(number for number, event in enumerate(events) if isinstance(event, e.CardsDealt))
    for number, event in enumerate(events):
        state = evolve(state, event)
        if number >= dealt and state.phase is not Phase.DEAL:
            table = table_view(state)
            for seat, robot in robots.items():
                robot.advise(player_view(state, seat, event.at, table), event.at)


def _until_end(events: Iterable[e.Event]) -> Iterator[e.Event]:
    """Yield the events of the running round, to its last."""
    for event in events:
        yield event
        if isinstance(event, e.RoundEnded):
            return


def _lead(events: Iterable[e.Event], team: int) -> int:
    """Return by how much a team gains on the best other one until the end of the round."""
    scored = (event for event in _until_end(events) if isinstance(event, e.RoundEnded | e.CounterFailed))
    return sum(
        end.points[team] - max(points for other, points in enumerate(end.points) if other != team) for end in scored
    )
