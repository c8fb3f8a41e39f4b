"""Whose scenes, moments and challenges a press is about, and in which language a day is shared."""

from collections.abc import Callable
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest
from discord.utils import DISCORD_EPOCH

from bot.daily.attempt import Attempt, DayKey, MomentKey
from bot.daily.day import day_of
from bot.discord.api.interactions import RefusedError
from bot.discord.text.texts import texts_for
from bot.records.player import Player
from bot.tables.lobby.table_channel import FormerMessage
from bot.ui.daily import feature
from bot.ui.daily.feature import Challenges, SceneCommands
from tests.ui.walk import EN

AT = 1_796_500_800_000
HERE, ELSEWHERE, LEA, BRUNO = 1, 2, 7, 8
KEY = MomentKey(3, 2, 5, 0)


def pressed(user_id: int = LEA) -> Any:
    person = Mock(id=user_id, display_name="Léa")
    pressed_id = (AT - DISCORD_EPOCH) << 22
    return Mock(spec=discord.Interaction, id=pressed_id, guild_id=HERE, channel_id=4, user=person, locale="en-US")


def commands(**parts: Any) -> Any:
    return SceneCommands(parts.get("rooms", Mock()), parts.get("stage", Mock()), parts.get("scenes", Mock()), Mock())


def played(guild_id: int = HERE, *, events: tuple[int, ...] = (1,)) -> Any:
    """The rooms of a server; Bruno and Léa have played match 3."""
    record = Mock(guild_id=guild_id, user_ids={LEA, BRUNO})
    match = Mock(events=events, people=[Player("Bruno", BRUNO), Player("Léa", LEA)])
    store = Mock(history=Mock(match=AsyncMock(return_value=record)), archive=Mock(read=AsyncMock(return_value=match)))
    return Mock(store=store)


async def test_a_moment_is_played_again_on_ones_own_seat() -> None:
    assert await commands(rooms=played())._own(pressed(), KEY, EN) == KEY._replace(seat=1)


@pytest.mark.parametrize(
    ("rooms", "user_id", "said"),
    [
        (played(ELSEWHERE), LEA, "You did not play this match"),
        (played(), 99, "You did not play this match"),
        (played(events=()), LEA, "The moves of match 3 are not kept any more."),
    ],
)
async def test_only_ones_own_matches_of_this_server_are_played_again(rooms: Any, user_id: int, said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        await commands(rooms=rooms)._own(pressed(user_id), KEY, EN)


@pytest.mark.parametrize(
    ("guild_id", "visible", "said"),
    [
        (HERE, {4}, None),
        (HERE, set(), "a channel that you cannot see"),
        (ELSEWHERE, {4}, "This challenge is over."),
        (None, {4}, "This challenge is over."),
    ],
)
async def test_a_challenge_is_tried_where_its_result_can_be_read(
    guild_id: int | None, visible: set[int], said: str | None
) -> None:
    own = None if guild_id is None else Attempt(BRUNO, KEY, guild_id, AT, AT)
    lobby = Mock(place=Mock(post=FormerMessage(4, 5)))
    store = Mock(scenes=Mock(challenge=AsyncMock(return_value=own)), tables=Mock(load=AsyncMock(return_value=lobby)))
    access: Any = Mock(visible=AsyncMock(return_value=frozenset(visible)))
    asked = Challenges(Mock(store=store), access).check_may_try(pressed(), KEY)
    if said is None:
        assert await asked == own
    else:
        with pytest.raises(RefusedError, match=said):
            await asked


@pytest.mark.parametrize("first_in", [HERE, ELSEWHERE])
async def test_all_scenes_of_a_day_count_in_the_server_of_the_first(first_in: int) -> None:
    first = Attempt(LEA, DayKey(day_of(AT), 0), first_in, AT - 9000, AT - 9000, is_over=True)
    store = Mock(scenes=Mock(attempts=AsyncMock(return_value=(first,))))
    scenes = Mock(start=AsyncMock(return_value=True))
    await commands(rooms=Mock(store=store), scenes=scenes)._start_day(pressed(), DayKey(day_of(AT), 1), EN)
    assert scenes.start.call_args.args[1] == Attempt(LEA, DayKey(day_of(AT), 1), first_in, AT, AT)


async def test_a_day_is_shared_in_the_language_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    languages = list[str]()
    for name in ("check_may_post", "reply_panel", "follow_up"):
        fake: Callable[..., Any] = Mock() if name == "check_may_post" else AsyncMock()
        monkeypatch.setattr(feature, name, fake)
    monkeypatch.setattr(feature.screens, "shared_scene", lambda _day, _name, texts: languages.append(texts.locale))
    monkeypatch.setattr(feature.screens, "board", lambda *parts: languages.append(parts[-1].locale))
    stage = Mock(day=AsyncMock(return_value=Mock(is_done=True)), scores=AsyncMock(return_value=()))
    rooms = Mock(store=Mock(scenes=Mock(mark=AsyncMock(return_value=True))))
    rooms.defaults.public_texts = AsyncMock(return_value=texts_for("fr"))
    await commands(rooms=rooms, stage=stage)._share(pressed(), day_of(AT))
    assert languages == ["en", "fr"], "the board is the presser's, what others see is the server's"
