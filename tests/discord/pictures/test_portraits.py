"""Avatars in pictures: fetched once, kept for a while and within bounds; initials for whoever wants or has none."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, cast

import discord
import pytest

from bot.base.errors import StoreError
from bot.discord.pictures import portraits as module
from bot.discord.pictures.portraits import KEPT_MS, MOST_BYTES, Portraits
from bot.records.personal_data import PersonalData
from bot.records.pictures import (
    AnimatedSeat,
    BoardPicture,
    BoardRow,
    MatchPicture,
    Picture,
    PictureFile,
    RoundAnimation,
    TeamColumn,
    Theme,
)
from tests.discord.fakes import SetClock, refused


@dataclass
class Discord:
    """Users by id, with the file of their avatar, or None; all others are unknown."""

    files: dict[int, bytes | None]
    asked: list[int] = field(default_factory=list)
    delay: float = 0.0

    async def fetch_user(self, user_id: int) -> Any:
        self.asked.append(user_id)
        await asyncio.sleep(self.delay)
        if user_id not in self.files:
            raise refused(404, 10013)
        file = self.files[user_id]
        return User(None if file is None else Asset(file))


@dataclass
class User:
    avatar: "Asset | None"


@dataclass
class Asset:
    file: bytes

    def replace(self, *, size: int, static_format: str) -> "Asset":
        assert (size, static_format) == (128, "png")
        return self

    async def read(self) -> bytes:
        return self.file


@dataclass
class Privacy:
    shy: frozenset[int] = frozenset()
    fails: bool = False

    async def without_avatar(self, user_ids: Collection[int]) -> frozenset[int]:
        if self.fails:
            raise StoreError("The disk is full.")
        return self.shy & frozenset(user_ids)


class Easel:
    def __init__(self) -> None:
        self.drawn: list[Picture] = []

    async def draw(self, picture: Picture) -> PictureFile:
        self.drawn.append(picture)
        return PictureFile(b"", "png")


@dataclass
class Bench:
    there: Discord
    privacy: Privacy = field(default_factory=Privacy)
    easel: Easel = field(default_factory=Easel)
    clock: SetClock = field(default_factory=SetClock)

    def __post_init__(self) -> None:
        client, data = cast(discord.Client, self.there), cast(PersonalData, self.privacy)
        self.portraits = Portraits(client, self.clock, self.easel, data)

    async def avatars(self, *user_ids: int | None) -> tuple[bytes | None, ...]:
        """Those of a podium of these users."""
        rows = tuple(BoardRow(place, "A", "1", user_id=user_id) for place, user_id in enumerate(user_ids, 1))
        await self.portraits.draw(BoardPicture("", "", rows, has_podium=True))
        drawn = self.easel.drawn[-1]
        assert isinstance(drawn, BoardPicture)
        return tuple(row.avatar for row in drawn.rows)


async def test_a_player_is_shown_by_their_avatar() -> None:
    bench = Bench(Discord({1: b"one", 2: None}))
    assert await bench.avatars(1, 2, None, 3) == (b"one", None, None, None)


async def test_avatars_are_fetched_once_an_hour() -> None:
    bench = Bench(Discord({1: b"one"}))
    for _ in range(3):
        await bench.avatars(1, 3)
    assert sorted(bench.there.asked) == [1, 3], "nor is it asked again for a user without one"
    bench.clock.at = KEPT_MS + 1
    bench.there.files[1] = b"new"
    assert await bench.avatars(1, None) == (b"new", None)


async def test_no_avatar_is_fetched_for_a_player_who_wants_none_shown() -> None:
    bench = Bench(Discord({1: b"one", 2: b"two"}))
    assert await bench.avatars(1, 2) == (b"one", b"two")
    bench.privacy.shy = frozenset({1})
    assert await bench.avatars(1, 2) == (None, b"two"), "also where it was kept before"
    bench = Bench(Discord({1: b"one"}), Privacy(frozenset({1})))
    assert await bench.avatars(1) == (None,)
    assert bench.there.asked == []


async def test_no_avatar_is_kept_of_an_erased_player() -> None:
    bench = Bench(Discord({1: b"one", 2: b"two"}))
    await bench.avatars(1, 2)
    await bench.portraits.forget(1)
    await bench.portraits.forget(3)
    assert {*bench.portraits._kept} == {2}


async def test_players_are_shown_by_initials_when_there_is_no_storage() -> None:
    bench = Bench(Discord({1: b"one"}), Privacy(fails=True))
    assert await bench.avatars(1) == (None,)


async def test_a_picture_does_not_wait_long_for_avatars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAIT_S", 0.05)
    bench = Bench(Discord({1: b"one", 2: b"two"}))
    await bench.avatars(2)
    bench.there.delay = 5
    assert await bench.avatars(1, 2) == (None, b"two")


async def test_the_cache_of_avatars_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    bench = Bench(Discord({1: b"x" * (MOST_BYTES + 1), 2: b"two", 3: b"three"}))
    assert await bench.avatars(1) == (None,), "a huge file is not shown"
    await bench.avatars(2)
    await bench.avatars(3)
    await bench.avatars(2, 3)
    assert bench.there.asked == [1, 2, 3]
    await bench.avatars(1)
    await bench.avatars(2)
    assert bench.there.asked == [1, 2, 3, 1, 2], "the one fetched longest ago was forgotten"


async def test_matches_and_films_show_avatars_and_boards_do_not() -> None:
    bench = Bench(Discord({1: b"one"}))
    team = TeamColumn("Team 1", ("Ana", "Robot"), (1,), is_winner=True, user_ids=(1, None))
    await bench.portraits.draw(MatchPicture("", "", (team,)))
    await bench.portraits.draw(RoundAnimation("", Theme.FRENCH, (), (AnimatedSeat("Ana", 0, 1),), ()))
    await bench.portraits.draw(BoardPicture("", "", (BoardRow(1, "Ana", "1", user_id=1),)))
    match, film, board = bench.easel.drawn
    assert isinstance(match, MatchPicture)
    assert match.teams[0].portraits == [("Ana", b"one"), ("Robot", None)]
    assert isinstance(film, RoundAnimation)
    assert film.seats[0].avatar == b"one"
    assert isinstance(board, BoardPicture)
    assert board.rows[0].avatar is None
    assert bench.there.asked == [1]
