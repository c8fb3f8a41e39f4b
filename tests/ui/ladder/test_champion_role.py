"""The roles of erased people are taken back in all servers, and stay noted until they are."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from discord.http import Route

from bot.discord.places.members import MAY_NOT_GIVE
from bot.records.seasons import Champion
from bot.ui.ladder.champion_role import ChampionRole
from tests.discord.fakes import refused

CHAMPIONS = (Champion(7, 1, 70), Champion(8, 1, 80, is_of_night=True))


class Notes:
    """The notes of erased people's roles."""

    def __init__(self) -> None:
        self.left = [*CHAMPIONS]
        self.is_known = [True, False]

    async def of_server(self, _guild_id: int) -> tuple[Champion, ...]:
        return ()

    async def add(self, _champion: Champion) -> bool:
        return self.is_known.pop(0)

    async def of_erased(self) -> tuple[Champion, ...]:
        return tuple(self.left)

    async def remove(self, champion: Champion) -> None:
        self.left.remove(champion)


class Discord:
    """The servers, of which the client knows none: another process serves them. Some requests fail."""

    def __init__(self, **errors: Exception) -> None:
        self.errors = errors
        self.taken: list[tuple[int, int, int]] = []
        self.given: list[tuple[int, int, int]] = []
        self.given_first = False
        """Nobody has the role before it is given."""
        self.http = self

    async def request(self, route: Route, **_: object) -> Any:
        if route.method in self.errors:
            raise self.errors.pop(route.method)
        if route.method == "GET":
            return {"roles": ["70", "80"] if not self.given_first or self.given else []}
        guild_id, user_id, role_id = (int(part) for part in route.url.split("/") if part.isdecimal())
        (self.given if route.method == "PUT" else self.taken).append((guild_id, user_id, role_id))
        return None


async def taken_back(notes: Notes, there: Discord) -> None:
    await ChampionRole(cast(discord.Client, there), cast(Any, notes)).undo_step()


async def test_the_roles_of_servers_of_another_process_are_taken_back() -> None:
    notes, there = Notes(), Discord()
    await taken_back(notes, there)
    assert (notes.left, there.taken) == ([], [(7, 1, 70), (8, 1, 80)])


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ("GET", refused(503)),
        ("GET", TimeoutError()),
        ("DELETE", refused(403, 50013)),
        ("DELETE", refused(403, 60003)),
        ("DELETE", ConnectionResetError()),
    ],
)
async def test_a_role_is_taken_back_later_when_discord_refuses_now(asked: str, error: Exception) -> None:
    notes = Notes()
    await taken_back(notes, Discord(**{asked: error}))
    assert notes.left == [CHAMPIONS[0]], "the other server is none the worse"
    await taken_back(notes, there := Discord())
    assert (notes.left, there.taken) == ([], [(7, 1, 70)])


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ("GET", refused(403, 50001)),
        ("GET", refused(404, 10004)),
        ("GET", refused(404, 10007)),
        ("DELETE", refused(404, 10011)),
    ],
)
async def test_a_champion_without_the_role_is_dropped(asked: str, error: Exception) -> None:
    """The bot was removed from the server, the member has left, or the role is gone."""
    notes = Notes()
    await taken_back(notes, Discord(**{asked: error}))
    assert notes.left == []


@pytest.mark.parametrize("season", [3, None])
async def test_a_role_given_to_a_person_who_is_erased_meanwhile_is_taken_back_at_once(
    season: int | None,
) -> None:
    notes, there = Notes(), Discord()
    there.given_first = True
    role, me = SimpleNamespace(is_assignable=lambda: True), discord.Permissions(manage_roles=True)
    guild: Any = SimpleNamespace(id=7, get_role=lambda _id: role, me=SimpleNamespace(guild_permissions=me))
    champion_role = ChampionRole(cast(discord.Client, there), cast(Any, notes))
    assert await champion_role.hand_over(guild, 70, [1], None, season) is None
    assert there.given == there.taken == [(7, 1, 70)]


async def test_nothing_changes_while_the_bot_may_not_give_the_role() -> None:
    notes, there = Notes(), Discord()
    me = SimpleNamespace(guild_permissions=discord.Permissions.none())
    guild: Any = SimpleNamespace(id=7, get_role=lambda _id: SimpleNamespace(is_assignable=lambda: True), me=me)
    champion_role = ChampionRole(cast(discord.Client, there), cast(Any, notes))
    assert await champion_role.hand_over(guild, 70, [1], None, 3) == MAY_NOT_GIVE
    assert (notes.is_known, there.given, there.taken) == ([True, False], [], [])
    assert await champion_role.hand_over(guild, 70, [], None, 3) is None, "nobody gets or loses it"


class Held(Notes):
    """Of a server in which Léa has the role of the season, and Bruno that of a night."""

    champions = (Champion(7, 1, 70, season=3), Champion(7, 2, 70, is_of_night=True))

    def __init__(self) -> None:
        super().__init__()
        self.left, self.is_known = [*self.champions], [True] * 9

    async def of_server(self, _guild_id: int) -> tuple[Champion, ...]:
        return tuple(self.left)


@pytest.mark.parametrize(
    ("role_id", "best", "season", "given", "taken"),
    [
        (70, [1], 3, [], []),  # a moderator may have taken it from her
        (70, [1], 4, [1], []),
        (80, [1], 3, [1], [1]),
        (70, [2], 4, [2], [1]),
        (70, [1], None, [1], [2]),
    ],
)
async def test_a_role_is_given_once_a_season_and_taken_from_earlier_champions(
    role_id: int, best: list[int], season: int | None, given: list[int], taken: list[int]
) -> None:
    notes, there = Held(), Discord()
    me = SimpleNamespace(guild_permissions=discord.Permissions(manage_roles=True))
    guild: Any = SimpleNamespace(id=7, get_role=lambda _id: SimpleNamespace(is_assignable=lambda: True), me=me)
    champion_role = ChampionRole(cast(discord.Client, there), cast(Any, notes))
    changed: list[tuple[int, int, bool]] = []

    async def change(champion: Champion, _reason: object, *, is_given: bool) -> None:
        changed.append((champion.user_id, champion.role_id, is_given))

    champion_role._change = change  # type: ignore[method-assign]
    assert await champion_role.hand_over(guild, role_id, best, None, season) is None
    assert [user_id for user_id, _, is_given in changed if is_given] == given
    assert [user_id for user_id, _, is_given in changed if not is_given] == taken
