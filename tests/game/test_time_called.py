"""Time that the organiser of a match calls: the running round is played out, then the score stands."""

import pytest

from bot.game import Match
from bot.game.actions import CallTime
from bot.game.checks.refusals import Code, Refusal
from bot.game.effects.calls import timed_winner
from bot.game.events import MatchEnded, Phase, TimeCalled


def begun(rules: str = "classic") -> Match:
    match = Match.start(rules, signs=["👀", "🍀"], seed=7)
    match.push(match.parse("D open"))
    return match


def test_the_running_round_is_played_out_when_time_is_called() -> None:
    match = begun()
    assert match.push(CallTime(), 1_000) == (TimeCalled(1_000),)
    assert (match.phase, match.view().is_time_called) == (Phase.HUNT, True)
    match.push(match.parse("C kems"))  # a false one
    assert (match.scores, match.is_over, match.winner) == ((0, 1), True, 1)


def test_the_match_ends_at_once_when_time_is_called_between_two_rounds() -> None:
    match = begun()
    match.push(match.parse("C kems"))
    assert match.push(match.parse("- time"), 2_000) == (TimeCalled(2_000), MatchEnded(2_000, 1))


def test_the_match_is_a_draw_when_time_is_called_before_the_first_deal() -> None:
    match = Match.start("classic")
    assert match.push(CallTime()) == (TimeCalled(0), MatchEnded(0, None))
    assert "- time" in match.to_kgn()
    assert Match.from_kgn(match.to_kgn()).events == match.events


def test_time_is_called_once_and_never_after_the_match() -> None:
    match = begun()
    match.push(CallTime())
    assert match.push(CallTime()) == ()
    match.push(match.parse("C kems"))
    assert match.push(CallTime()) == Refusal(Code.MATCH_OVER)


def test_a_match_of_fixed_rounds_ends_early_when_time_is_called() -> None:
    match = begun("escale")
    match.push(CallTime())
    match.push(match.parse("C kems"))
    assert (match.state.round, match.is_over) == (1, True)


def test_a_match_whose_time_was_called_is_written_and_read_again() -> None:
    match = begun()
    match.push(CallTime(), 1_500)
    match.push(match.parse("C kems"), 2_000)
    assert match.kgn(CallTime()) == "- time"
    again = Match.from_kgn(match.to_kgn())
    assert (again.winner, again.state.is_time_called) == (match.winner, True)


@pytest.mark.parametrize(
    ("games", "scores", "game_won", "winner"),
    [
        ((0, 0), (3, 2), False, 0),
        ((0, 0), (2, 2), False, None),
        ((1, 0), (0, 4), False, 0),
        ((1, 1), (0, 1), False, 1),
        ((1, 1), (2, 5), True, None),  # the game of these points is counted already
        ((0, 0, 0), (4, 4, 1), False, None),
        ((1, 1, 0), (2, 3, 9), False, 1),
    ],
)
def test_games_count_first_then_the_points_of_the_running_game(
    games: tuple[int, ...], scores: tuple[int, ...], game_won: bool, winner: int | None
) -> None:
    assert timed_winner(games, scores, game_won=game_won) == winner
