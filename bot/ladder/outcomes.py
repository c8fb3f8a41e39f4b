"""What the result of a match is worth to each team and to each person in it."""


def places(winner: int | None, games: tuple[int, ...], scores: tuple[int, ...]) -> tuple[int, ...]:
    """Place of each team, 0 the best; level teams share one. The winner is first, then games count before points."""
    ranks = [(team == winner, *pair) for team, pair in enumerate(zip(games, scores, strict=True))]
    return tuple(sum(other > rank for other in ranks) for rank in ranks)


def outcome(placed: tuple[int, ...], team: int, *, has_left: bool = False, is_shielded: bool = False) -> int:
    """1 for a match that was won, 0 for a level one, -1 for a lost one.

    Who left has lost; who is shielded, a partner having left, has not.
    """
    if has_left:
        return -1
    if placed[team] == 0:
        return 1 if placed.count(0) == 1 else 0
    return 0 if is_shielded else -1
