"""A match to play with: the front door of `bot.game` for programs (docs/engine.md).

It holds a state, its log and its clock. The running table uses the functions behind it: it saves before it changes.
"""

import re
from collections.abc import Collection, MutableSequence, Sequence
from functools import partial
from random import Random, SystemRandom
from typing import Any, Final, Self, get_args, get_origin, get_type_hints, overload

from bot.game.actions import AcceptSign, Action, ProposeSign, Tick
from bot.game.build_view import legal_moves, player_view, table_view
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, draw_sign_cards, next_deadline, start_match
from bot.game.events import Event, Phase
from bot.game.evolve import evolve_all
from bot.game.notation.actions import read_action, write_action
from bot.game.notation.replay import replay_match
from bot.game.notation.writer import write_match
from bot.game.rules import house_rules
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import Rules
from bot.game.signs import SignPlan, Strategy, emoji_sign, one_sign
from bot.game.views import PlayerView, TableView

SEAT_NAMES: Final = tuple("ABCDEFGHIJKL")
"""What KGN calls the seats if nobody names them."""
_PLAYERS: Final = 4
_INSTANT: Final = "a whole number of milliseconds"


class SeededRandom(Random):
    """`random.Random` with a shuffle that is as fair and six times as fast."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Sort `x` by a random number drawn for each item."""
        x[:] = sorted(x, key=partial(next, iter(self.random, None)))  # no Python runs for an item


class Match:
    """One match. `now` is its clock in milliseconds; seats and teams count from 0.

    Example:
        >>> match = Match.start(seed=1, signs=["👀", "🎲"])
        >>> match.push(match.parse("D open"), now=1000)
        (HuntOpened(at=1000),)
        >>> match.view(0).hand == match.view(seat=0).hand, match.phase.value, match.scores
        (True, 'hunt', (0, 0))
        >>> match.tick(now=2000)
        ()
    """

    def __init__(self, events: Sequence[Event], *, names: Sequence[str], rng: Random, now: int) -> None:
        """Restore a match from its log.

        Raises:
            ValueError: The events are not the log of a match.
        """
        self.state = evolve_all(None, events)
        self.names: Final = tuple(names)
        self.now = now
        self._events = list(events)
        self._rng = rng

    @classmethod
    def start(
        cls,
        rules: Rules | str = "classic",
        *,
        players: int | None = None,
        names: Sequence[str] | None = None,
        dealer: int | None = None,
        signs: Sequence[str | SignPlan] = (),
        strategies: Collection[Strategy] = (),
        seed: int | None = None,
        now: int = 0,
    ) -> Self:
        """Start a match.

        Args:
            rules: The name of a preset, or rules.
            players: How many; by default the number of `names`, or 4 without any.
            names: Different words, one for each seat.
            dealer: The seat that deals first; by default the last one.
            signs: One for each team, settled at once; then the first round is dealt. Without them the teams propose and
                accept theirs.
            strategies: What the players' vote allowed.
            seed: Makes shuffles repeatable.
            now: The instant of the start (milliseconds).

        Raises:
            ValueError: The table cannot be played, or an argument makes no sense; the message says why.
        """
        known = house_rules.preset(rules) if isinstance(rules, str) else rules
        require(isinstance(known, Rules), "rules", "a preset's name or Rules", rules)
        require(known.preset in PRESETS, "preset of rules", f"one of {', '.join(PRESETS)}", known.preset)
        seats = (_PLAYERS if names is None else len(names)) if players is None else players
        require_whole("players", "a number such as 4", seats)
        house_rules.check_table(known, seats)
        teams = house_rules.teams_for(known, seats)
        called = SEAT_NAMES[:seats] if names is None else names
        require_names(called, seats)
        first = seats - 1 if dealer is None else dealer
        require_whole("dealer", f"a seat from 0 to {seats - 1}", first, range(seats))
        require(set(strategies) <= set(Strategy), "strategies", f"any of {', '.join(Strategy)}", strategies)
        require(len(signs) in (0, teams), "signs", f"one for each of {teams} teams", signs)
        require_whole("now", _INSTANT, now)
        if seed is not None:
            require_whole("seed", "a whole number", seed)
        rng = SystemRandom() if seed is None else SeededRandom(seed)
        events = start_match(
            known,
            seats=seats,
            teams=teams,
            dealer=first,
            now=now,
            strategies=tuple(map(Strategy, strategies)),
            sign_cards=draw_sign_cards(known, teams, rng),
        )
        match = cls(events, names=called, rng=rng, now=now)
        for team, sign in enumerate(signs):
            match._settle(team, one_sign(emoji_sign(sign)) if isinstance(sign, str) else sign)
        if signs:
            require_writable(match)
        match.tick(now)  # deals a duel
        return match

    @classmethod
    def from_kgn(cls, text: str) -> Self:
        """Return the match of a KGN text, ready to go on.

        Raises:
            ValueError: It cannot be played; the message names the line.
        """
        replay, log = replay_match(text)
        return cls(log, names=replay.head.names, rng=replay.head.chance, now=replay.clock)

    def to_kgn(self) -> str:
        """Return the match as KGN text.

        Raises:
            ValueError: KGN cannot write a sign of the match.
        """
        return write_match(self._events, self.names)

    def parse(self, text: str) -> Action:
        """Return the action of a KGN line without its time, such as `B put 8H`.

        Raises:
            ValueError: It is not such a line.
        """
        return read_action(text, self.names, len(self.state.teams))

    def kgn(self, action: Action) -> str:
        """Return an action as the KGN line that `parse` reads."""
        require_action(action)
        return write_action(action, self.names, len(self.state.teams))

    @property
    def events(self) -> tuple[Event, ...]:
        """The log."""
        return tuple(self._events)

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.state.rules

    @property
    def phase(self) -> Phase:
        """The phase now."""
        return self.state.phase

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by team."""
        return self.state.scores

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.state.phase is Phase.MATCH_OVER

    @property
    def winner(self) -> int | None:
        """The winning team; None while the match runs and after a draw."""
        return self.state.winner

    @property
    def deadline(self) -> int | None:
        """The instant at which the clock acts by itself; None for never."""
        return next_deadline(self.state)

    def legal(self, seat: int) -> tuple[Action, ...]:
        """Return the moves of a seat now, except gestures, guesses and proposals, which cannot be listed."""
        return legal_moves(self.state, self._seat(seat), self.now)

    def push(self, action: Action, now: int | None = None) -> tuple[Event, ...] | Refusal:
        """Make a move at `now`, by default at once, and return what followed or why it is refused.

        Deadlines that are due by then take effect first; `events` lists them.

        Raises:
            ValueError: It is no action, or time would run backwards.
        """
        require_action(action)
        if now is not None:
            self.tick(now)
        return self._decide(action)

    def tick(self, now: int) -> tuple[Event, ...]:
        """Advance the clock to `now` and return the events that fell due, each at its instant.

        Raises:
            ValueError: Time would run backwards.
        """
        require_whole("now", _INSTANT, now)
        if now < self.now:
            raise ValueError(f"Time never runs backwards: it is {self.now} already, not {now}.")
        known = len(self._events)
        while (due := next_deadline(self.state)) is not None and due <= now:
            self.now = max(self.now, due)
            self._decide(Tick())
        self.now = now
        return tuple(self._events[known:])

    @overload
    def view(self, seat: int) -> PlayerView: ...
    @overload
    def view(self, seat: None = None) -> TableView: ...
    def view(self, seat: int | None = None) -> PlayerView | TableView:
        """Return what a seat sees now; without a seat, what everybody sees."""
        return table_view(self.state) if seat is None else player_view(self.state, self._seat(seat), self.now)

    def __str__(self) -> str:
        hands = {number: seat.hand for number, seat in enumerate(self.state.seats)} if self.state.round else {}
        return self.view().text(hands)

    def __repr__(self) -> str:
        return f"<Match {self.rules.preset} {' '.join(self.names)}, {len(self._events)} events>"

    def _decide(self, action: Action) -> tuple[Event, ...] | Refusal:
        decided = decide(self.state, action, self.now, self._rng)
        if isinstance(decided, Refusal):
            return decided
        self.state = decided.state
        self._events += decided.events
        return decided.events

    def _settle(self, team: int, plan: SignPlan) -> None:
        """Settle a team's sign.

        Raises:
            ValueError: The team may not have it.
        """
        proposal = ProposeSign(team, plan)
        require_action(proposal)
        answer = self._decide(proposal)
        code = answer.code if isinstance(answer, Refusal) else None
        if code is not None:
            raise ValueError(f"Team {team} may not have this sign: {code}.")
        for partner in self.state.partners(team):
            self._decide(AcceptSign(partner, plan))

    def _seat(self, seat: int) -> int:
        require_whole("seat", f"0 to {len(self.names) - 1}", seat, range(len(self.names)))
        return seat


def require_writable(match: Match) -> None:
    """Check that KGN can write the signs of the match.

    Raises:
        ValueError: It cannot.
    """
    teams = match.state.teams
    try:
        read = Match.from_kgn(match.to_kgn()).state.teams
    except ValueError:
        read = ()
    require(read == teams, "signs", "words or emojis that KGN can write", [team.plan for team in teams])


_NAME: Final = re.compile(r'(?!-$)[^\s#"\[\]/]+')
"""A name that KGN can use: a word without any of its special characters."""


def _field_types(kind: type) -> dict[str, tuple[Any, type | None]]:
    """Return the type of each field of an action, and for a tuple that of its items."""
    hints = get_type_hints(kind).items()
    return {name: (tuple, get_args(hint)[0]) if get_origin(hint) is tuple else (hint, None) for name, hint in hints}


_FIELDS: Final[dict[type, dict[str, tuple[Any, type | None]]]] = {kind: _field_types(kind) for kind in get_args(Action)}


def require(is_good: bool, name: str, wanted: str, given: object) -> None:
    """Check an argument.

    Raises:
        ValueError: `is_good` is false; the message names the argument, what is wanted and what was given.
    """
    if not is_good:
        raise ValueError(f"{name} has to be {wanted}, not {given!r}.")


def require_action(action: object) -> None:
    """Check that a value is an action whose fields have the right types.

    Raises:
        ValueError: It is not.
    """
    kind = type(action)
    require(kind in _FIELDS, "action", "one of bot.game.actions", action)
    for name, (wanted, item) in _FIELDS[kind].items():
        value = getattr(action, name)
        if item is None:
            named = getattr(wanted, "__name__", str(wanted))
            require(isinstance(value, wanted), f"{name} of {kind.__name__}", named, value)
        else:
            is_good = isinstance(value, tuple) and all(isinstance(part, item) for part in value)
            require(is_good, f"{name} of {kind.__name__}", f"a tuple of {item.__name__}", value)


def require_whole(name: str, wanted: str, value: object, allowed: range | None = None) -> None:
    """Check that a value is a whole number, and one of those allowed.

    Raises:
        ValueError: It is not.
    """
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    require(is_whole and (allowed is None or value in allowed), name, wanted, value)


def require_names(names: Sequence[str], players: int) -> None:
    """Check that there is a different name for each seat.

    Raises:
        ValueError: There is not.
    """
    is_good = len(names) == len(set(names)) == players and all(map(_is_name, names))
    require(is_good, "names", f"{players} different words, one for each seat", names)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None
