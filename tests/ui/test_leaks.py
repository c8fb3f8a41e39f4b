"""Nothing that somebody sees tells more than they may know: rounds by all presets and strategies, searched.

Two ways: what is shown is searched for cards and signs its reader cannot know; and every reader has a twin table, where
all that is hidden is different, and has to see exactly the same there.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from bot.discord.api.components import Layout, with_line
from bot.discord.pictures.card_faces import Faces
from bot.game import actions as a
from bot.game.build_view import seat_view
from bot.game.cards import Card
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, start_match
from bot.game.events import CardPutDown, CardsDealt, CardsShown, Event, ExcessRedrawn, PoolTurnedUp
from bot.game.evolve import evolve_all
from bot.game.rules.house_rules import preset, teams_for
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.rules.rules import Rules
from bot.game.signs import PlanKind, SignPlan, Strategy, emoji_sign, one_sign
from bot.game.state import Phase, Slots, State
from bot.robots import Robot
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.strategy_vote import PROPOSED
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.lobby.lobby_board import lobby_board
from bot.ui.lobby.panels import vote_panel
from bot.ui.words.refusals import refusal_text, sign_refusal
from tests.robots.driver import Record, next_move, submit
from tests.ui.table.pages.shown import board, counters, hand, signs
from tests.ui.walk import FR, TABLE_ID, faces_in, faces_of, people

PUBLIC = -1
FACES = Faces(FR)
_ENDED = (Phase.OVER, Phase.MATCH_OVER)
_ANIMALS = "🦔🐙🦩🐊🦉🐢🦌🐝🦎🐧🦇🐌"
_RARE = "🗿"
_OTHER = one_sign(emoji_sign("🛸🪐"))


def plans(kind: PlanKind) -> list[SignPlan]:
    """One for each of up to six teams, of signs that no panel offers and no robot bluffs with."""
    per_team = {PlanKind.SINGLE: 1, PlanKind.DOUBLE: 2, PlanKind.INTERMEDIATE: 3}[kind]
    return [
        SignPlan(kind, tuple(emoji_sign(_ANIMALS[team] + _ANIMALS[number] + _RARE) for number in range(per_team)))
        for team in range(6)
    ]


SETTINGS = [
    *((PRESETS[name], 4, PlanKind.SINGLE) for name in PRESETS),
    (CLASSIC, 4, PlanKind.DOUBLE),
    (CLASSIC, 4, PlanKind.INTERMEDIATE),
    (CLASSIC, 6, PlanKind.SINGLE),
    (CLASSIC, 2, PlanKind.SINGLE),
]


@dataclass
class Match:
    """A match of robots whose secrets are known to this test, and what each reader may know of the cards."""

    rules: Rules
    seats: int
    kind: PlanKind
    seed: int
    rounds: int = 0
    known: dict[int, set[Card]] = field(default_factory=dict)

    def play(self, rounds: int) -> Iterator[State]:
        """Every state of so many rounds."""
        rng, strategies = Random(self.seed), () if self.kind is PlanKind.SINGLE else tuple(Strategy)
        teams = teams_for(self.rules, self.seats)
        opening = start_match(self.rules, seats=self.seats, teams=teams, dealer=0, now=0, strategies=strategies)
        record = Record(evolve_all(None, opening), list(opening))
        robots = {seat: Robot(Random(self.seed * 100 + seat)) for seat in range(self.seats)}
        for team, plan in zip(range(teams), plans(self.kind), strict=False):
            submit(record, a.ProposeSign(team, plan), 0, rng)
            for partner in record.state.partners(team):
                submit(record, a.AcceptSign(partner, plan), 0, rng)
            assert record.state.teams[team].plan == plan, record.refused
        self._learn(record.state, record.events)
        while len(record.rounds) < rounds and record.state.phase is not Phase.MATCH_OVER:
            seen = len(record.events)
            submit(record, *next_move(record, robots)[1:], rng)
            self._learn(record.state, record.events[seen:])
            yield record.state
        self.rounds += len(record.rounds)

    def _learn(self, state: State, events: Iterable[Event]) -> None:
        for event in events:
            match event:
                case CardsDealt():
                    self.known = {reader: set() for reader in (PUBLIC, *range(self.seats))}
                case ExcessRedrawn(cards=cards) | PoolTurnedUp(cards=cards):
                    self._show(cards)
                case CardPutDown(card=card):
                    self._show((card,))
                case CardsShown(viewer=viewer, cards=cards):
                    self.known[viewer].update(cards)
        if self.known:
            self._show(state.pool_cards)
            for seat, held in enumerate(state.seats):
                self.known[seat].update(held.cards)
                if state.phase in _ENDED:
                    self._show(held.cards)

    def _show(self, cards: Iterable[Card]) -> None:
        for known in self.known.values():
            known.update(cards)


def shown_to(state: State, reader: int) -> list[Layout]:
    """Everything that a seat has open at that instant; or what everybody sees."""
    if reader == PUBLIC:
        return [board(state, FACES)]
    view = seat_view(state, reader)
    return [hand(view, FACES), counters(view, FACES), signs(view, FACES)]


def raw(views: Iterable[Layout]) -> str:
    """Texts, labels and custom ids alike."""
    return json.dumps(list(views), ensure_ascii=False)


def check_secrets(match: Match, state: State, reader: int) -> None:
    """Neither a card nor a sign is shown that the reader cannot know."""
    views = shown_to(state, reader)
    written = raw(views)
    known = match.known.get(reader, set())
    codes = {card.code for seat in state.seats for card in seat.cards} | {card.code for card in state.stock}
    for code in codes - {card.code for card in known}:
        assert f":{code}" not in written
    for view in views:
        assert faces_in(view) <= faces_of(known, FR)
    in_the_open = {made.text for made in state.gestures}
    said = {sign.text for report in state.reports for sign in report.signs}
    own = None if reader == PUBLIC else state.team_of(reader)
    for number, team in enumerate(state.teams):
        if number != own and team.plan is not None:
            for sign in team.plan.signs:
                if _RARE in sign.text:  # the house's own signs are offered to everybody: there the twin tells
                    assert sign.text in in_the_open | said or sign.text not in written


def check_twin(state: State, reader: int, rng: Random) -> None:
    """With everything hidden changed, the reader sees the same, and is refused for the same reasons."""
    other = twin(state, reader, rng)
    assert raw(shown_to(other, reader)) == raw(shown_to(state, reader))
    if reader == PUBLIC:
        return
    view = seat_view(state, reader)
    for action in attempts(state, reader):
        answers = [decide(one, action, state.phase_at + 1, Random(1)) for one in (state, other)]
        codes = [each.code for each in answers if isinstance(each, Refusal)]
        lines = {sign_refusal(code, action, view, FR) or refusal_text(code, FR) for code in codes}
        assert len(lines) <= 1, action
        assert len(codes) in (0, 2), action


def attempts(state: State, seat: int) -> Iterator[a.Action]:
    """Whatever a seat may try, with cards and signs that it cannot know, too."""
    for card in (*state.pool_cards, *state.stock[:2], *state.seats[seat - 1].cards[:2]):
        yield a.Take(seat, card)
        yield a.PutDown(seat, card)
    yield from (a.OpenHunt(seat), a.AskSweep(seat), a.AnswerSweep(seat, agrees=True), a.AnswerSweep(seat, agrees=False))
    yield from (a.CallKems(seat), a.CallDouble(seat), a.NextRound(seat), a.KeepSign(seat))
    yield from (a.CounterPlayer(seat, target) for target in range(len(state.seats)))
    yield a.ShowCards(seat, state.seats[seat].cards[: state.rules.penalty.show_count])
    for number, team in enumerate(state.teams):
        yield from (a.CounterTeam(seat, number), a.CounterTeam(seat, number, is_double=True))
        yield from (a.AccuseTeam(seat, number, strategy) for strategy in Strategy)
        if team.plan is not None:
            yield from (a.ProposeSign(seat, team.plan), a.AcceptSign(seat, team.plan))
            yield a.GuessSign(seat, number, team.plan.signs[:1])


def twin(state: State, reader: int, rng: Random) -> State:
    """The same for this reader; every card that is hidden from it lies elsewhere, every foreign sign is another."""
    if state.phase in _ENDED:
        return state
    own = None if reader == PUBLIC else state.team_of(reader)
    teams = tuple(
        team if number == own or team.plan is None else replace(team, plan=_OTHER)
        for number, team in enumerate(state.teams)
    )
    hidden = [card for seat, held in enumerate(state.seats) if seat != reader for card in held.cards]
    hidden += [*state.stock, *state.discard]
    rng.shuffle(hidden)
    cards = iter(hidden)
    seats = tuple(
        held if seat == reader else replace(held, hand=_filled(held.hand, cards))
        for seat, held in enumerate(state.seats)
    )
    stock = tuple(next(cards) for _ in state.stock)
    return replace(state, teams=teams, seats=seats, stock=stock, discard=tuple(cards))


def _filled(slots: Slots, cards: Iterator[Card]) -> Slots:
    return tuple(None if slot is None else next(cards) for slot in slots)


def search(rounds: int, settings: Iterable[tuple[Rules, int, PlanKind]] = SETTINGS, each: int = 3) -> int:
    """Look over everybody's shoulder for so many rounds, a few at each table; how many were played."""
    rng, played, seed = Random(3), 0, 0
    choices = list(settings)
    while played < rounds:
        match = Match(*choices[seed % len(choices)], seed)
        seed += 1
        for step, state in enumerate(match.play(min(each, rounds - played))):
            readers = (PUBLIC, *range(match.seats)) if state.phase in _ENDED else (PUBLIC, step // 4 % match.seats)
            for reader in readers if step % 4 == 0 or state.phase in _ENDED else ():
                check_secrets(match, state, reader)
            if step % 8 == 0:
                check_twin(state, readers[step // 8 % 2], rng)
        assert match.rounds, "a match without a round"
        played += match.rounds
    return played


@pytest.mark.parametrize(("rounds", "each"), [(len(SETTINGS), 1), pytest.param(200, 3, marks=pytest.mark.long)])
def test_nobody_sees_what_is_hidden_from_them(rounds: int, each: int) -> None:
    assert search(rounds, each=each) >= rounds


@pytest.mark.parametrize("leak", ["a hand on the table", "a sign on the table", "the stock in a panel"])
def test_a_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search itself is tried on views that tell too much."""
    honest = shown_to

    def leaky(state: State, reader: int) -> list[Layout]:
        views, plan = honest(state, reader), state.teams[0].plan
        told = {
            "a hand on the table": FACES.labels(state.seats[0].cards) if reader == PUBLIC else "",
            "a sign on the table": plan.signs[0].text if plan is not None and reader == PUBLIC else "",
            "the stock in a panel": "" if reader == PUBLIC else FACES.labels(state.stock[:1]),
        }
        return [with_line(views[0], told[leak]), *views[1:]]

    monkeypatch.setitem(globals(), "shown_to", leaky)
    with pytest.raises(AssertionError):
        search(2, [(CLASSIC, 4, PlanKind.SINGLE)])


def test_no_ballot_is_shown_to_others() -> None:
    """Before the vote is over, whatever the others said, a member sees the same; afterwards only what all agree on."""
    crowd = people(robots=0)
    lobby = Lobby(
        TABLE_ID, TableChannel(1, 2), 1000, preset("classic"), 4, crowd, True, "fr", opened_at=60_000, vote=PROPOSED
    )

    def after(*ballots: set[Strategy]) -> str:
        voted = lobby
        for user_id, ballot in zip((1001, 1002, 1003), ballots, strict=False):
            changed = voted.cast(user_id, ballot)
            assert isinstance(changed, Lobby)
            voted = changed
        return raw([lobby_board(voted, FR), vote_panel(voted, 1000, FR)])

    some = {Strategy.DOUBLE, Strategy.TOTAL}
    assert after(some, set()) == after(set(), some) == after(set(Strategy), {Strategy.SPOKEN})
    assert after(some) != after()
