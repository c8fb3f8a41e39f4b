"""Hand-made moments of a match, and what a robot makes of them."""

from dataclasses import replace
from random import Random

from bot.game.actions import Action
from bot.game.build_view import player_view
from bot.game.cards import parse_card
from bot.game.events import MatchStarted
from bot.game.evolve import evolve_all
from bot.game.rules.rules import Rules
from bot.game.signs import GestureKind, emoji_sign, one_sign
from bot.game.state import Gesture, Phase, Seat, ShownCards, State, Team
from bot.robots import Intent, Level, Robot, Skill
from tests.rules.table import cards

CALM = Skill(overlooks=0, misses=0, misreads=0, daring=0)
SIGNS = ("👀", "🍀", "🎲")
NOW = 100_000


def scene(rules: Rules, hands: str, pool: str, *, teams: int = 2, **changes: object) -> State:
    """The hunt is open since 60 s and nobody has exchanged for 10; hands by seat, separated by `/`, `_` for a gap."""
    held = [tuple(None if code == "_" else parse_card(code) for code in hand.split()) for hand in hands.split("/")]
    opening = MatchStarted(0, rules, len(held), teams, dealer=len(held) - 1)
    state = replace(
        evolve_all(None, [opening]),
        phase=Phase.HUNT,
        round=1,
        seats=tuple(Seat(hand=hand, owes_since=NOW - 1000 if None in hand else None) for hand in held),
        teams=tuple(Team(plan=one_sign(emoji_sign(SIGNS[team]))) for team in range(teams)),
        pool=cards(pool),
        dealt_at=NOW - 70_000,
        phase_at=NOW - 60_000,
        last_exchange=NOW - 10_000,
    )
    return replace(state, **changes)


def gesture(state: State, seat: int, text: str, *, at: int = NOW, is_sign: bool = False) -> State:
    made = Gesture(at, seat, GestureKind.REACT, text, emoji_sign(text) if is_sign else None)
    return replace(state, gestures=(*state.gestures, made))


def with_team(state: State, **changes: object) -> State:
    """The first team is another one."""
    return replace(state, teams=(replace(state.teams[0], **changes), *state.teams[1:]))


def shown_to(state: State, viewer: int, shown: ShownCards) -> State:
    seats = state.seats
    return replace(state, seats=(*seats[:viewer], replace(seats[viewer], shown=(shown,)), *seats[viewer + 1 :]))


def robot(skill: Skill = CALM, seed: int = 1) -> Robot:
    return Robot(Random(seed), Level(skill=skill))


def thought(state: State, seat: int, by: Robot | None = None, now: int = NOW) -> Intent:
    """What a robot in `seat` means to do; it has to mean something."""
    intent = (by or robot()).think(player_view(state, seat, now), now)
    assert intent is not None
    return intent


def intentions(state: State, seat: int, by: Robot | None = None, now: int = NOW, steps: int = 5) -> list[Action]:
    """The next things a robot would do while the table stands still, each refused by nobody and changing nothing."""
    mind = by or robot()
    actions: list[Action] = []
    for _ in range(steps):
        intent = mind.think(player_view(state, seat, now), now)
        if intent is None:
            break
        actions.append(intent.action)
        now += intent.delay_ms
    return actions
