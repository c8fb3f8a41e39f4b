"""Which patterns of ranked matches a moderator is shown."""

from bot.ladder.watch import Pattern, WatchedPlay, watched


def plays(count: int, *, has_left: bool = False, first: int = 1, others: tuple[int, int] = (3, 4)) -> list[WatchedPlay]:
    """Matches that 1 and 2 win against two others, or lose to them where 2 leaves."""
    result = -1 if has_left else 1
    return [
        WatchedPlay(table, user, f"player {user}", team, result if team == 0 else -result, has_left and user == 2, new)
        for table in range(first, first + count)
        for user, team, new in ((1, 0, False), (2, 0, False), (others[0], 1, table == first), (others[1], 1, False))
    ]


def many(count: int) -> list[WatchedPlay]:
    return [play for n in range(count) for play in plays(1, first=100 + n, others=(50 + 2 * n, 51 + 2 * n))]


def test_who_plays_mostly_against_few_accounts_and_who_only_loses() -> None:
    crowd = [WatchedPlay(900 + n, 200 + n, "", 0, 0, has_left=False, is_first=False) for n in range(20)]
    found = {(one.user_id, one.pattern): one.matches for one in watched([*plays(8), *crowd])}
    assert found == {
        (1, Pattern.FEW): tuple(range(1, 9)),
        (2, Pattern.FEW): tuple(range(1, 9)),
        (3, Pattern.LOSES): tuple(range(1, 9)),
    }
    assert {one.pattern for one in watched(plays(8))} == {Pattern.LOSES}, "four friends are the server"
    assert watched(many(9)) == ()


def test_whose_losses_are_left_by_partners() -> None:
    (found,) = watched(plays(3, has_left=True))
    assert (found.user_id, found.name, found.pattern, found.matches) == (1, "player 1", Pattern.LEFT, (1, 2, 3))
    assert watched(plays(2, has_left=True)) == ()
