"""Points, and the rounds, games and matches that they end; part of `decide`."""

from collections.abc import Mapping, Sequence

from bot.game.events import GameWon, MatchEnded, Outcome, RoundEnded
from bot.game.evolve import Draft
from bot.game.rules.rules import EndsAt, Rules
from bot.game.state import State


def points_by_team(state: State, points: Mapping[int, int], others: int = 0) -> tuple[int, ...]:
    return tuple(points.get(team, others) for team in range(len(state.teams)))


def end_round(
    draft: Draft,
    outcome: Outcome,
    points: tuple[int, ...] | None = None,
    *,
    caller: int | None = None,
    target: int | None = None,
    team: int | None = None,
    laid_by: int | None = None,
) -> None:
    """Ends the round, and with it the game or the match where the score says so. `points` are by team."""
    given = points_by_team(draft.state, {}) if points is None else points
    draft.add(RoundEnded(draft.now, outcome, given, caller, target, team, laid_by))
    judge_score(draft)


def judge_score(draft: Draft) -> None:
    """Ends the game or the match where the score or the time says so, also during a round after a guess."""
    state = draft.state
    end = state.rules.end
    if end.ends_at is EndsAt.ROUNDS:
        if state.result is not None and state.round >= end.rounds:
            draft.add(MatchEnded(draft.now, _leader(state.scores, 1)))
            return
    else:
        winner = game_winner(state.rules, state.scores)
        if winner is not None and not state.game_won:  # one won in mid-round, by a guess, is not won again in it
            draft.add(GameWon(draft.now, winner))
            if draft.state.games[winner] > end.best_of // 2:
                draft.add(MatchEnded(draft.now, winner))
                return
    if state.is_time_called and (state.result is not None or not state.round):
        ended = draft.state
        draft.add(MatchEnded(draft.now, timed_winner(ended.games, ended.scores, game_won=ended.game_won)))


def timed_winner(games: Sequence[int], scores: Sequence[int], *, game_won: bool) -> int | None:
    """Returns who wins a match whose time is called, between two rounds: the leader by one point; None when level.

    Where several games are played, games count first, then the points of the game that is not decided yet; with
    `game_won` there is none. `games` and `scores` are by team.
    """
    standings = [(won, 0 if game_won else points) for won, points in zip(games, scores, strict=True)]
    best = max(standings)
    return standings.index(best) if standings.count(best) == 1 else None


def game_winner(rules: Rules, scores: tuple[int, ...]) -> int | None:
    """Returns the team that has reached the target with the lead that the rules ask for, or None."""
    return _leader(scores, rules.end.win_by) if max(scores) >= rules.end.target else None


def _leader(scores: tuple[int, ...], lead: int) -> int | None:
    first, second = sorted(scores, reverse=True)[:2]
    return scores.index(first) if first - second >= max(1, lead) else None
