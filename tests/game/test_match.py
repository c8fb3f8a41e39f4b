"""The front door: a match started, played, seen and written by a program that knows nothing else of the core."""

import doctest
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.game import Match
from bot.game import actions as a
from bot.game.cards import parse_card
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import CardPutDown, HuntOpened, MatchStarted, Phase, SignSettled
from bot.game.notation.document import KgnError
from bot.game.rules.house_rules import override, preset
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.signs import GestureKind, Strategy, emoji_sign, one_sign, spoken_sign
from tests.game.matches import what_happened, where_all_lies
from tests.together import together

ROOT = Path(__file__).parents[2]


def ready(**arguments: object) -> Match:
    return Match.start(signs=["👀", "🍀"], seed=7, **arguments)


def hunting() -> Match:
    match = ready()
    assert match.push(match.parse("D open")) == (HuntOpened(0),)
    return match


def played(name: str, seed: int) -> Match:
    """A match of random moves by any preset, with its signs proposed and accepted."""
    match = Match.start(name, seed=seed)
    dice = Random(seed)
    for team, emoji in enumerate("👌👀" if name == "bell" else "👀🍀"):
        match.push(a.ProposeSign(team, one_sign(emoji_sign(emoji))))
        match.push(match.legal(team + 2)[0] if match.legal(team + 2) else a.Tick())
    for _ in range(150):
        moves = match.legal(dice.randrange(4))
        match.push(dice.choice(moves) if moves else a.Tick(), match.now + dice.choice([0, 400, 6000]))
    return match


def test_the_examples_on_the_engine_page_are_true() -> None:
    outcome = doctest.testfile(str(ROOT / "docs" / "engine.md"), module_relative=False)
    assert outcome.attempted > 10
    assert not outcome.failed


def test_a_match_starts_at_its_first_deal_when_signs_are_given() -> None:
    assert ready().phase is Phase.READY
    assert [event.team for event in ready().events if isinstance(event, SignSettled)] == [0, 1]
    assert [event.seats for event in Match.start(names="ABCDEF").events if isinstance(event, MatchStarted)] == [6]
    waiting = Match.start(seed=7)
    assert waiting.phase is Phase.SIGNS
    assert waiting.deadline == 90_000
    assert waiting.tick(90_000)
    assert (waiting.phase, waiting.now) == (Phase.READY, 90_000)


def test_a_team_has_its_sign_once_both_partners_agree() -> None:
    match = Match.start(seed=7)
    match.push(a.ProposeSign(0, one_sign(emoji_sign("👀"))))
    match.push(match.legal(2)[0])
    assert [seat.has_settled_sign for seat in match.view(1).table.seats] == [True, False, True, False]


def test_a_match_may_allow_all_strategies() -> None:
    assert Match.start(strategies=list(Strategy), seed=7).phase is Phase.SIGNS


def test_a_seed_repeats_a_match_and_no_seed_does_not() -> None:
    assert str(ready()) == str(ready())
    assert len({str(Match.start(signs=["👀", "🍀"])) for _ in range(3)}) == 3


def test_a_refused_move_returns_a_refusal_and_changes_nothing() -> None:
    match = hunting()
    card = match.view(0).hand[0]
    assert match.push(a.PutDown(0, card)) == (CardPutDown(0, 0, card),)
    before = match.state
    assert match.push(a.PutDown(0, card)) == Refusal(Code.NOT_IN_HAND)
    assert match.push(a.CallKems(9)) == Refusal(Code.UNKNOWN_PLAYER)
    assert match.state is before


def test_legal_moves_are_exactly_those_that_are_accepted() -> None:
    match = hunting()
    assert match.legal(1) == match.legal(1)
    assert match.legal(1) == match.view(1).legal
    for action in match.legal(1):
        fresh = hunting()
        assert not isinstance(fresh.push(action), Refusal), action


def test_deadlines_fall_due_before_a_later_move() -> None:
    match = ready(rules=override(preset("classic"), {"auto_open": "4"}))
    assert match.deadline == 4_000
    match.push(a.CallKems(0), 6_000)
    assert [event.at for event in match.events[-2:]] == [4_000, 6_000]
    assert match.now == 6_000


def test_time_never_runs_backwards() -> None:
    match = hunting()
    match.tick(2_000)
    for late in (lambda: match.tick(1_999), lambda: match.push(a.CallKems(0), 1_999)):
        with pytest.raises(ValueError, match="Time never runs backwards: it is 2000 already, not 1999"):
            late()
    assert match.tick(2_000) == ()


@together(
    ("wrong", "sentence"),
    [
        (lambda: Match.start("clasic"), "There are no rules named “clasic”: choose one of classic"),
        (lambda: Match.start(players=5), "These rules are for 2, 4, 6, 8, 9, 12 players, not 5"),
        (lambda: Match.start(players=12), "12 players need 52 cards at least, the deck has 32"),
        (lambda: Match.start(7), "rules has to be a preset's name or Rules, not 7"),
        (
            lambda: Match.start(replace(preset("bell"), preset="mine")),
            "preset of rules has to be one of classic, .*, not ",
        ),
        (lambda: Match.start(players="4"), "players has to be a number such as 4, not '4'"),
        (
            lambda: Match.start(names="ABA", players=4),
            "names has to be 4 different words, one for each seat, not 'ABA'",
        ),
        (lambda: Match.start(names="ABC"), "These rules are for 2, 4, 6, 8, 9, 12 players, not 3"),
        (lambda: Match.start(names=["A", "B", "C", "C"]), "names has to be 4 different words"),
        (lambda: Match.start(names=["A", "B", "C", "-"]), "names has to be 4 different words"),
        (lambda: Match.start(names=["A", "B", "C", "D D"]), "names has to be 4 different words"),
        (lambda: Match.start(dealer=4), "dealer has to be a seat from 0 to 3, not 4"),
        (lambda: Match.start(dealer="B"), "dealer has to be a seat from 0 to 3, not 'B'"),
        (lambda: Match.start(strategies=["triple"]), "strategies has to be any of double, .*, not "),
        (lambda: Match.start(signs=["👀"]), "signs has to be one for each of 2 teams, not "),
        (lambda: Match.start(signs=["👀", "👀"], players=2, seed="x"), "seed has to be a whole number, not 'x'"),
        (
            lambda: Match.start(signs=[one_sign(spoken_sign("hi")), "👀"]),
            "Team 0 may not have this sign: sign_forbidden",
        ),
        *(
            (lambda sign=sign: Match.start(signs=[sign, "🍀"]), "signs has to be words or emojis that KGN can write")
            for sign in ("a/b", "total", 'a"#b', "say:hi")
        ),
        (lambda: Match.start(now=0.5), "now has to be a whole number of milliseconds, not 0.5"),
        (lambda: hunting().tick(1.5), "now has to be a whole number of milliseconds, not 1.5"),
        (lambda: hunting().legal(4), "seat has to be 0 to 3, not 4"),
        (lambda: hunting().view("A"), "seat has to be 0 to 3, not 'A'"),
        (lambda: hunting().push("D open"), "action has to be one of bot.game.actions, not 'D open'"),
        (lambda: hunting().push(a.PutDown("A", parse_card("KD"))), "seat of PutDown has to be int, not 'A'"),
        (lambda: hunting().push(a.PutDown(0, "KD")), "card of PutDown has to be Card, not 'KD'"),
        (lambda: hunting().push(a.ProposeSign(0, "👀")), "plan of ProposeSign has to be SignPlan, not "),
        (lambda: hunting().push(a.GuessSign(0, 1, ("👀",))), "signs of GuessSign has to be a tuple of Sign, not "),
        (lambda: hunting().push(a.MakeGesture(0, "react", "👀")), "kind of MakeGesture has to be GestureKind, not "),
        (lambda: hunting().kgn(a.CallKems(4)), "There is no seat 4: seats are 0 to 3"),
    ],
)
def test_an_argument_without_sense_is_refused_with_a_sentence(wrong: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        wrong()


@pytest.mark.parametrize("text", ["", "D", "E open", "D fold", "D put 1Z", "- deal", "D accuse #1 quadruple"])
def test_a_line_that_makes_no_sense_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(KgnError, match=r"expected .+, got "):
        hunting().parse(text)


def test_a_card_is_its_code() -> None:
    assert str(parse_card("KD")) == f"{parse_card('kd')}" == "KD"
    assert str(parse_card("X2")) == "X2"


def test_a_table_is_lines_of_text_and_hides_what_its_view_hides() -> None:
    match = hunting()
    match.push(a.PutDown(0, parse_card("7C")))
    everything, own, public = str(match), str(match.view(1)), str(match.view())
    assert everything.splitlines()[0] == "classic, round 1, hunt, score 0 0"
    assert everything.splitlines()[1] == "pool AC JC TS 9H 7C, stock 12, discard 0"
    assert "seat 0, team 0: -- 9S QC KS" in everything
    assert "seat 0, team 0: ?? ?? ?? --" in own
    assert "seat 1, team 1: 7H 9C QH KD" in own
    assert "seat 3, team 1: ?? ?? ?? ??  dealer" in own
    assert "seat 1, team 1: ?? ?? ?? ??" in public
    match.push(a.CallKems(0))
    assert str(match.view(1)) == str(match.view()) == str(match)
    assert "ended by false_kems, points 0 1" in str(match)
    assert "seat 2, team 0: " not in str(Match.start(players=2))
    assert "seat 1, team 1: \n" in str(Match.start())
    assert repr(hunting()) == "<Match classic A B C D, 10 events>"


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_and_its_actions_go_to_kgn_and_back(name: str) -> None:
    for seed in range(3):
        match = played(name, seed)
        assert match.state.round, "it was dealt"
        again = Match.from_kgn(match.to_kgn())
        assert what_happened(again.events) == what_happened(match.events)
        assert where_all_lies(again.state) == where_all_lies(match.state)
        for seat in range(4):
            for action in (*match.legal(seat), a.Tick(), a.AskSweep(seat), a.AnswerSweep(seat, agrees=False)):
                back = match.parse(match.kgn(action))
                expected = a.NextRound() if isinstance(action, a.NextRound) else action
                assert back == (a.ProposeSign(seat, action.plan) if isinstance(action, a.AcceptSign) else expected)


@together(
    ("action", "line"),
    [
        (a.ProposeSign(1, one_sign(emoji_sign("👀"), presign=True)), "B sign presign 👀"),
        (a.KeepSign(0), "A keep"),
        (a.MakeGesture(2, GestureKind.SAY, "what weather"), 'C say "what weather"'),
        (a.CounterTeam(1, 0, is_double=True), "B counter2 #1"),
        (a.CounterTeam(1, 0), "B counter #1"),
        (a.CounterPlayer(1, 0), "B counter A"),
        (a.ShowCards(0, (parse_card("7S"), parse_card("KD"))), "A show 7S KD"),
        (a.GuessSign(1, 0, (emoji_sign("👀"), spoken_sign("hi you"))), "B guess #1 👀 say:hi_you"),
        (a.AccuseTeam(1, 0, Strategy.TOTAL), "B accuse #1 total"),
        (a.NextRound(), "- next"),
    ],
)
def test_every_action_has_a_line_of_kgn(action: a.Action, line: str) -> None:
    match = Match.start()
    assert match.kgn(action) == line
    assert match.parse(line) == action


@pytest.mark.parametrize(
    ("players", "lines"),
    [
        (4, "A sign 👀, C sign 👀, B sign 🎲"),
        (4, "A sign 👀, C sign 👀, D sign 🎲, B sign 🎲, D open, A kems, C sign ☕, B sign 🦊, D sign 🎩"),
        (9, "A sign 👀, G sign 👀"),
    ],
    ids=["before the deal", "between rounds", "of two in a team of three"],
)
def test_a_pending_proposal_survives_writing_and_reading(players: int, lines: str) -> None:
    match = Match.start(override(CLASSIC, {"deck": "52"}), seed=3, now=10**12, players=players)
    for number, line in enumerate(lines.split(", ")):
        match.push(match.parse(line), 10**12 + 1000 * number)
    again = Match.from_kgn(match.to_kgn())
    assert again.state.teams == match.state.teams
    assert any(team.proposal for team in again.state.teams)


def test_a_duel_needs_no_agreement_and_is_dealt_at_once() -> None:
    match = Match.start(players=2, seed=1, now=10**12)
    assert (match.phase, match.state.round, match.now) == (Phase.READY, 1, 10**12)
    assert all(team.plan is not None for team in match.state.teams)
    assert Match.from_kgn(match.to_kgn()).state.teams == match.state.teams
    chosen = Match.start(players=2, signs=["👀", "🍀"]).state.teams
    assert [team.plan for team in chosen] == [one_sign(emoji_sign("👀")), one_sign(emoji_sign("🍀"))]
    voted = Match.start(players=2, strategies=[Strategy.PRESIGN])
    assert voted.phase is Phase.SIGNS, "a vote has given the duellists a choice"
    assert Match.start(players=4).phase is Phase.SIGNS


def test_a_match_read_from_kgn_goes_on() -> None:
    match = Match.from_kgn(hunting().to_kgn())
    assert (match.names, match.now, match.is_over, match.winner) == (tuple("ABCD"), 0, False, None)
    match.push(a.CallKems(0), 500)
    assert match.scores == (0, 1)
    assert not isinstance(match.push(a.NextRound(), 900), Refusal)
    assert (match.state.round, match.rules.preset) == (2, "classic")
