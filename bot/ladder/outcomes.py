"""Places of teams, and wins and losses of players, by the result of a match."""


def places(winner: int | None, games: tuple[int, ...], scores: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the place of each team, 0 the best; level teams share one. Games count before points."""
    ranks = [(team == winner, *pair) for team, pair in enumerate(zip(games, scores, strict=True))]
    return tuple(sum(other > rank for other in ranks) for rank in ranks)


def outcome(placed: tuple[int, ...], team: int, *, has_left: bool = False, is_shielded: bool = False) -> int:
    """Returns 1 for a match that a player has won, 0 for a level one, -1 for a lost one.

    A player who left has lost. A shielded player, whose partner left, has not.
    """
    if has_left:
        return -1
    if placed[team] == 0:
        return 1 if placed.count(0) == 1 else 0
    return 0 if is_shielded else -1
