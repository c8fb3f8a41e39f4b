"""The coach's review of a finished match: the largest mistakes of one seat, found in the archive and stored nowhere.

A moment is something that the coach would have done with what the seat had seen, confirmed by the hands that all see at
the end of the round; or a call that was false. It never depends on cards that only somebody else could see.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game import events as e
from bot.game.build_view import player_view
from bot.game.cards import is_kems
from bot.game.evolve import evolve
from bot.game.replay_steps import replay_round
from bot.game.signs import GestureKind, Sign, fold_emojis
from bot.game.value import Sentence
from bot.game.views import PlayerView, ResultInfo, TableView
from bot.ladder.tally import is_own
from bot.records.archive import PastMatch
from bot.robots import Robot
from bot.robots.beliefs import taken_counts
from bot.robots.level import COACH
from bot.robots.reasons import Advice, Motive

REACTION_MS: Final = 3000
"""A player who had less time than this to answer a gesture has missed nothing."""
_BETRAYED: Final = 2  # in so many rounds a gesture came with a Kem's, and never since without: it is a sign
_COLLECTED: Final = 3  # who was seen to take so many cards of a group wants the fourth; of two it is no mistake yet


class Lapse(Sentence):
    """The kinds of mistakes, as sentences."""

    SIGN = "{name} made {gesture}, your sign, and you did not call Kem's."
    COUNTER = "{name} made {gesture}, as with the Kem's of round {since}: you could counter."
    DOUBLE = "{name} made {gesture}, your sign, and you had a Kem's too: that was a double."
    WANTED = "You put {card} down: {name} was taking those, and made a Kem's of it."
    BURNT = "Your team made {gesture} again: its sign, known since round {since}, was countered. Change it."
    FALSE_KEMS = "You called Kem's, and no partner had one."
    FALSE_DOUBLE = "You called a double, and your team did not have two Kem's."
    FALSE_COUNTER = "Your counter was wrong: they did not have what you named."
    MISLED = "{name} made {gesture} without a Kem's, and you called."
    UNSIGNED = "You held a Kem's for {seconds} s and did not make your sign."


FALSE_CALLS: Final = (Lapse.FALSE_KEMS, Lapse.FALSE_DOUBLE, Lapse.FALSE_COUNTER)
_FALSE_KEMS: Final = {e.Outcome.FALSE_KEMS: Lapse.FALSE_KEMS, e.Outcome.FALSE_DOUBLE: Lapse.FALSE_DOUBLE}
_FALSE_COUNTERS: Final = (e.Outcome.FALSE_COUNTER, e.Outcome.FALSE_DOUBLE_COUNTER)
_OPEN: Final = (e.Phase.HUNT, e.Phase.SWEEP, e.Phase.CHAIN)
_SIGNALS: Final = {Motive.ANSWERS_SIGN: Lapse.SIGN, Motive.HOLDS_ONE_TOO: Lapse.DOUBLE}


@dataclass(frozen=True, slots=True)
class Moment:
    """A mistake at `event`, `at` milliseconds after the deal.

    - `round`, `step`: the step of the replay.
    - `seat`: the other player whom it is about, such as who made a burnt sign; for a call, or a Kem's that was not
      signed, the reviewed player.
    - `cost`: in points, with those of the rounds `also`, in which the same mistake was made.
    - `since`: the round since which an opponent's sign, or a burnt one, was known.
    - `gesture`: what was misread or missed.
    - `held_ms`: how long the seat held the Kem's that it did not sign.
    """

    lapse: Lapse
    event: e.Event
    round: int
    at: int
    seat: int
    cost: int
    since: int = 0
    step: int = 0
    gesture: e.GestureMade | None = None
    held_ms: int = 0
    also: tuple[int, ...] = ()


def review(match: PastMatch, seat: int) -> tuple[Moment, ...]:
    """Return a player's mistakes, one moment for each kind: false calls first, then the most costly ones.

    Raises:
        ValueError: The match was not played to its end.
    """
    kinds: dict[Lapse, list[Moment]] = {}
    for moment in moments(match.events, seat):
        if is_own(seat, moment.event.at, match.handovers):
            kinds.setdefault(moment.lapse, []).append(moment)
    found = [_together(same) for same in kinds.values()]
    found.sort(key=lambda moment: (moment.lapse not in FALSE_CALLS, -moment.cost, moment.event.at))
    return tuple(replace(moment, step=_step(match.events, moment)) for moment in found)


def _together(same: Sequence[Moment]) -> Moment:
    """Return the largest moment of a kind, with the cost of all and the rounds of the others."""
    largest = max(same, key=lambda moment: moment.cost)
    others = sorted({moment.round for moment in same} - {largest.round})
    return replace(largest, cost=sum(moment.cost for moment in same), also=tuple(others))


def _step(events: Sequence[e.Event], moment: Moment) -> int:
    steps = replay_round(events, moment.round).steps
    return next(number for number, step in enumerate(steps) if step.event is moment.event)


def moments(events: Sequence[e.Event], seat: int) -> list[Moment]:
    """Return all mistakes of a seat's player, in the order of the rounds."""
    found: list[Moment] = []
    watcher: _Round | None = None
    known: dict[tuple[int, str], list[int]] = {}
    burnt: dict[Sign, int] = {}
    coach = Robot(Random(0), COACH)  # noqa: S311  # the same match has the same review
    state = evolve(None, events[0])
    view = player_view(state, seat, events[0].at)
    for event in events[1:]:
        state = evolve(state, event)
        if isinstance(event, e.CardsDealt):
            watcher = _Round(known)
        elif watcher is not None:
            watcher.record(event, view)
        if state.phase is e.Phase.DEAL:  # more follows at once: nobody sees this table
            continue
        view = player_view(state, seat, event.at)
        advice = coach.advise(view, event.at)
        if watcher is not None and view.table.result is None:
            watcher.record_advice(view, advice, event.at)
        elif watcher is not None and view.table.result is not None:
            found += watcher.moments(view, view.table.result, event)
            found += _burnt(watcher, view, view.table.result, burnt)
            _learn(watcher, view.table.result, view.table, known)
            watcher = None
    return found


class _Round:
    """What a seat saw in one round, and what it did about it."""

    def __init__(self, known: Mapping[tuple[int, str], Sequence[int]]) -> None:
        self._known = known
        self.signs: dict[Sign, e.GestureMade] = {}
        """The signs that the own team made, with the latest gesture of each."""
        self._latest: dict[int, e.GestureMade] = {}
        self.made: dict[int, list[e.GestureMade]] = {}
        """By seat, its gestures since its last exchange."""
        self._signals: dict[tuple[Lapse, int], tuple[e.GestureMade, int]] = {}
        """Each with the instant since which it can be answered; a vote on a sweep, which closes calls, puts it off."""
        self._closed_at: int | None = None
        self._wanted: dict[int, e.CardPutDown] = {}
        self._advised: Advice | None = None
        self._called_at: int | None = None
        self._believed: dict[int, e.GestureMade] = {}
        """By seat, the gesture on which the coach would have countered it."""
        self._failed: list[tuple[e.CounterFailed, e.GestureMade | None]] = []
        """The own counters that were false and did not end the round, with the gesture that misled each."""
        self._last: e.Event | None = None
        self._completed: e.Event | None = None
        """What gave the seat the Kem's that it holds in the hunt."""
        self._has_signed = False

    def record(self, event: e.Event, view: PlayerView) -> None:
        """Record an event and the view after it."""
        self._last = event
        match event:
            case e.GestureMade(seat=seat, kind=kind, text=text):
                self._latest[seat] = event
                self.made.setdefault(seat, []).append(event)
                made = view.sign_made(seat, kind, text) if seat in (view.seat, *view.partners) else None
                self._has_signed |= made is not None and seat == view.seat
                if made is not None and view.plan is not None and made in view.plan.signs:
                    self.signs[made] = event
            case e.CardPutDown(seat=seat) | e.CardTaken(seat=seat):
                self.made.pop(seat, None)  # they told of the hand before
                self._believed.pop(seat, None)
                self._signals = {key: signal for key, signal in self._signals.items() if key[1] != seat}
                if seat == view.seat and isinstance(event, e.CardPutDown):
                    self._wanted |= dict.fromkeys(self._rivals(event, view), event)
            case e.SweepAsked():
                self._closed_at = event.at
            case e.SweepRefused() | e.HuntOpened() if self._closed_at is not None:
                for key, (gesture, since) in self._signals.items():
                    self._signals[key] = (gesture, since + event.at - max(since, self._closed_at))
                self._closed_at = None
            case e.ChainOpened() if self._called_at is None:
                self._called_at = event.at
            case e.CounterFailed(seat=seat) if seat == view.seat:
                self._failed.append((event, self._misread(view, event.target, event.team)))

    def _rivals(self, event: e.CardPutDown, view: PlayerView) -> Iterator[int]:
        """Yield the opponents who were seen to collect a card that the coach would have kept."""
        match self._advised:
            case ((a.PutDown(card=card) | a.Swap(put=card)), _) if card.group == event.card.group:
                return
        for seat, groups in taken_counts(view.table.exchanges).items():
            if seat not in (view.seat, *view.partners) and groups[event.card.group] >= _COLLECTED:
                yield seat

    def record_advice(self, view: PlayerView, advice: Advice, at: int) -> None:
        """Record what the coach would do now; the seat learns nothing of it."""
        self._advised, (action, reason) = advice, advice
        hand = [card for card in view.hand if card is not None]
        if not is_kems(hand) or view.table.phase not in _OPEN:
            # With a pre-sign the sign is made before the hand is complete.
            self._completed, self._has_signed = None, self._has_signed and view.plan is not None and view.plan.presign
        elif self._completed is None:
            self._completed = self._last
        if isinstance(action, a.CounterPlayer | a.CounterTeam) and reason.seat in self._latest:
            self._believed[reason.seat] = self._latest[reason.seat]
        if reason.why in _SIGNALS and reason.seat is not None:
            self._signals.setdefault((_SIGNALS[reason.why], reason.seat), (self._latest[reason.seat], at))
        if any(isinstance(action, a.CounterPlayer | a.CounterTeam) for action in view.legal):
            for seat, made in self.made.items():
                team = seat % view.table.teams
                betrayed = [
                    mistake
                    for mistake in made
                    if len(self._known.get((team, fold_emojis(mistake.text)), ())) >= _BETRAYED
                ]
                if betrayed and team != view.team:
                    self._signals.setdefault((Lapse.COUNTER, seat), (betrayed[0], at))

    def _misread(self, view: PlayerView, target: int | None, team: int) -> e.GestureMade | None:
        """Return the gesture of an accused seat on which the coach would have countered, too."""
        for seat in view.table.members(team) if target is None else (target,):
            known = self._signals.get((Lapse.COUNTER, seat))
            gesture = self._believed.get(seat) if known is None else known[0]
            if gesture is not None:
                return gesture
        return None

    def _false_calls(self, view: PlayerView, result: ResultInfo, ended: e.Event) -> Iterator[Moment]:
        """Yield the false calls of the seat; a gesture that the coach believed, too, counts as misleading."""
        table = view.table

        def moment(lapse: Lapse, event: e.Event, points: Sequence[int], misread: e.GestureMade | None) -> Moment:
            cost = max(gain for team, gain in enumerate(points) if team != view.team) - points[view.team]
            seat, lapse = (view.seat, lapse) if misread is None else (misread.seat, Lapse.MISLED)
            return Moment(lapse, event, table.round, event.at - table.dealt_at, seat, cost, gesture=misread)

        for failed, misread in self._failed:
            yield moment(Lapse.FALSE_COUNTER, failed, failed.points, misread)
        if result.caller != view.seat:
            return
        if result.outcome in _FALSE_COUNTERS and result.team is not None:
            misread = self._misread(view, result.target, result.team)
            yield moment(Lapse.FALSE_COUNTER, ended, result.points, misread)
        elif result.outcome in _FALSE_KEMS:
            read = [gesture for (lapse, _), (gesture, _) in self._signals.items() if lapse in _SIGNALS.values()]
            misread = next((mistake for mistake in read if mistake.seat not in result.kems_holders), None)
            yield moment(_FALSE_KEMS[result.outcome], ended, result.points, misread)

    def moments(self, view: PlayerView, result: ResultInfo, ended: e.Event) -> Iterator[Moment]:
        """Yield what the end of the round confirms."""
        yield from self._false_calls(view, result, ended)
        table, scoring, ended_at = view.table, view.table.rules.scoring, ended.at
        own, called = result.points[view.team], None if result.caller is None else result.caller % table.teams
        theirs = max(points for team, points in enumerate(result.points) if team != view.team)
        has_kems = result.outcome in e.TRUE_KEMS

        def moment(lapse: Lapse, event: e.Event, seat: int, cost: int, since: int = 0) -> Moment:
            return Moment(lapse, event, table.round, event.at - table.dealt_at, seat, cost, since)

        for (lapse, seat), (gesture, at) in self._signals.items():
            until = ended_at if lapse is Lapse.DOUBLE else self._called_at or ended_at
            is_late, team = until - at >= REACTION_MS, seat % table.teams
            if seat not in result.kems_holders:
                continue
            if lapse is Lapse.COUNTER:
                if is_late and has_kems and called == team:
                    since = self._known[team, fold_emojis(gesture.text)][0]
                    yield moment(lapse, gesture, seat, scoring.counter + theirs, since)
            elif result.outcome is e.Outcome.KEMS and called == view.team:
                gain = scoring.double_kems - scoring.kems
                if lapse is Lapse.DOUBLE and gain > 0 and (result.caller == view.seat or is_late):
                    yield moment(lapse, gesture, seat, gain)
            elif is_late and own <= 0 and result.caller != view.seat:
                yield moment(Lapse.SIGN, gesture, seat, scoring.kems + max(theirs, 0))
        for seat, put in self._wanted.items():
            is_theirs = has_kems and called == seat % table.teams and seat in result.kems_holders
            if is_theirs and put.card in result.hands[seat]:
                yield moment(Lapse.WANTED, put, seat, theirs)
        is_unsigned = self._completed is not None and not self._has_signed and bool(view.partners)
        if self._completed is not None and is_unsigned and own <= 0 and result.caller != view.seat:
            held_ms = (self._called_at or ended_at) - self._completed.at
            if held_ms >= REACTION_MS and view.seat in result.kems_holders:
                mistake = moment(Lapse.UNSIGNED, self._completed, view.seat, scoring.kems + max(theirs, 0))
                yield replace(mistake, held_ms=held_ms)


def _burnt(played: _Round, view: PlayerView, result: ResultInfo, burnt: dict[Sign, int]) -> Iterator[Moment]:
    """Yield the signs that were countered once more, and record since which round each could be known."""
    named = result.team if result.target is None else result.target % view.table.teams
    is_countered = result.outcome in e.COUNTERS and named == view.team
    kept = () if view.plan is None else view.plan.signs
    for sign, gesture in played.signs.items():
        if is_countered and sign in burnt and gesture.seat in result.kems_holders:
            cost, at = view.table.rules.scoring.kems + max(result.points), gesture.at - view.table.dealt_at
            yield Moment(Lapse.BURNT, gesture, view.table.round, at, gesture.seat, cost, burnt[sign])
        if view.may_change_sign and (is_countered or sign in result.signs[view.team]):
            burnt.setdefault(sign, view.table.round)
    for sign in burnt.keys() - set(kept):
        del burnt[sign]


def _learn(played: _Round, result: ResultInfo, table: TableView, known: dict[tuple[int, str], list[int]]) -> None:
    """Record the gestures with which a Kem's was laid open, and forget those that were made without one since."""
    for seat, made in played.made.items():
        for text in {fold_emojis(gesture.text) for gesture in made if gesture.kind is not GestureKind.SAY}:
            rounds = known.setdefault((seat % table.teams, text), [])
            if seat not in result.kems_holders:
                rounds.clear()
            elif table.round not in rounds:  # two of a team may hold one at once
                rounds.append(table.round)
