"""The rules of one table, prepared for playouts: what every move asks is a plain number, a truth value or a mask."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.game.decks import DECKS
from bot.game.rules.parts import DoubleCall, Guess, Names, Rules, Shows, SweepBy, ThreeAlike
from bot.robots.playouts import moves as m
from bot.robots.playouts.masks import number_of

NEVER: Final = 1 << 62
"""An instant that does not come."""


@dataclass(frozen=True, slots=True)
class CompiledRules:
    """The `rules` of a table of `seats` and `teams`; all times in milliseconds, NEVER for a clock that is off.

    `deck` holds card numbers. `members` are the seats of each team, `partners` those of each seat. `calls` are the
    moves by which each seat calls and counters while the hunt is open. `all_seats` is the mask of the seats.
    `ends_at_three`, `sweeps_at_three`: what three alike in the pool do. `needs_sign`: it matters when a sign is made.
    """

    rules: Rules
    seats: int
    teams: int
    deck: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]
    partners: tuple[tuple[int, ...], ...]
    calls: tuple[int, ...]
    all_seats: int
    down: int
    ends_at_three: bool
    sweeps_at_three: bool
    pool_four: bool
    dealer_sweeps: bool
    is_duel: bool
    needs_sign: bool
    quiet: int
    take_limit: int
    sweep_vote: int
    refusal_grace: int
    chain: int
    duel_delay: int
    auto_open: int
    auto_next: int


@lru_cache(maxsize=64)
def compile_rules(rules: Rules, seats: int, teams: int) -> CompiledRules:
    """Returns the rules of a table with so many seats and teams, which `house_rules.check_table` accepts."""
    members = tuple(tuple(range(team, seats, teams)) for team in range(teams))
    is_duel = seats == teams
    three_alike = rules.exchange.three_alike
    return CompiledRules(
        rules=rules,
        seats=seats,
        teams=teams,
        deck=tuple(number_of(card) for card in DECKS[rules.deal.deck]),
        members=members,
        partners=tuple(tuple(other for other in members[seat % teams] if other != seat) for seat in range(seats)),
        calls=tuple(_calls(rules, seats, teams, seat) for seat in range(seats)),
        all_seats=(1 << seats) - 1,
        down=rules.exchange.down,
        ends_at_three=three_alike is ThreeAlike.ENDS,
        sweeps_at_three=three_alike is ThreeAlike.SWEEPS,
        pool_four=rules.calls.pool_four,
        dealer_sweeps=rules.sweep.sweep_by is SweepBy.DEALER,
        is_duel=is_duel,
        needs_sign=is_duel or rules.signs.sign_required,
        quiet=_milliseconds(rules.sweep.quiet),
        take_limit=_clock(rules.exchange.take_limit),
        sweep_vote=_milliseconds(rules.sweep.sweep_vote),
        refusal_grace=_milliseconds(rules.sweep.refusal_grace),
        chain=_milliseconds(rules.calls.chain),
        duel_delay=_milliseconds(rules.calls.duel_delay),
        auto_open=_clock(rules.pace.auto_open),
        auto_next=_clock(rules.pace.auto_next),
    )


def not_played(rules: Rules) -> dict[str, str]:
    """Returns the axes of these rules that have an effect in the core but none in a playout, each with a sentence."""
    left_out = {}
    if rules.signs.guess is Guess.POINTS:
        left_out["guess"] = "Nobody guesses a sign in a playout: play the match on the core to count such points."
    if not rules.calls.false_counter_ends and rules.penalty.shows is not Shows.NOBODY:
        left_out["shows"] = "Nobody shows cards after a false counter: all hands are known in a playout."
    return left_out


def _calls(rules: Rules, seats: int, teams: int, seat: int) -> int:
    """Returns the mask of the calls that the rules know for a seat; a counter names an opponent."""
    calls = rules.calls
    has_partners = seats > teams
    opponents = [team for team in range(teams) if team != seat % teams]
    allowed = [m.KEMS]
    if has_partners and calls.double is DoubleCall.AT_ONCE:
        allowed.append(m.DOUBLE)
    if calls.counter_names is Names.PLAYER:
        allowed += [m.COUNTER_PLAYER + other for other in range(seats) if other % teams in opponents]
    else:
        allowed += [m.COUNTER_TEAM + team for team in opponents]
    if has_partners and calls.double_counters:
        allowed += [m.DOUBLE_COUNTER + team for team in opponents]
    return sum(1 << move for move in allowed)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _clock(seconds: float) -> int:
    """Returns the milliseconds of a clock that 0 seconds switch off."""
    return _milliseconds(seconds) if seconds > 0 else NEVER
