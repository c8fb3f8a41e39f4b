"""The page that a button of a leaderboard names, and what the name of a season is answered with."""

from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from bot.discord.api.custom_ids import NO_TABLE, Press
from bot.discord.api.interactions import RefusedError
from bot.ladder.columns import Board
from bot.ladder.seasons import Season
from bot.records.history import FIRST, AfterKey, PageKey
from bot.ui.ladder import commands, feature
from bot.ui.ladder.commands import StandingsCommands
from bot.ui.ladder.feature import SeasonCommands
from bot.ui.ladder.leaderboard import LadderVerb


@pytest.mark.parametrize(
    ("verb", "arg", "board", "page_key"),
    [
        (LadderVerb.BOARD, "rating:3:a1200.7", Board.RATING, AfterKey((1200, 7))),
        (LadderVerb.BOARD, "duos:3:a5.7.8", Board.DUOS, AfterKey((5, 7, 8))),
        (LadderVerb.BOARDS, "3", Board.WINS, FIRST),
        (LadderVerb.BOARD, "rating:3:a1200.7.8", None, None),
        (LadderVerb.BOARD, "rating:x:a1200.7", None, None),
        (LadderVerb.BOARD, "nothing:3:a1200.7", None, None),
        (LadderVerb.BOARD, "rating:3", None, None),
    ],
)
async def test_a_button_shows_its_page_and_any_other_press_is_outdated(
    verb: LadderVerb, arg: str, board: Board | None, page_key: PageKey | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    outdated, page = AsyncMock(), AsyncMock(return_value=Mock())
    monkeypatch.setattr(commands, "reply_outdated", outdated)
    monkeypatch.setattr(commands, "first_chosen_value", lambda _interaction: Board.WINS.value)
    standings: Any = StandingsCommands(Mock(), Mock(answer=AsyncMock()))
    monkeypatch.setattr(standings, "_board", page)
    pressed: Any = Mock()
    await standings.press(pressed, Press(NO_TABLE, verb, arg))
    if board is None:
        page.assert_not_called()
        outdated.assert_called_once()
    else:
        page.assert_called_once_with(pressed, 3, board, page_key)


async def test_a_season_that_has_ended_meanwhile_gets_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feature, "reply", AsyncMock())
    seasons = Mock(running=AsyncMock(return_value=Season(4, 0, None)), rename=AsyncMock(return_value=None))
    rooms: Any = Mock(store=Mock(seasons=seasons))
    pressed: Any = Mock(guild_id=1, user=Mock(id=7), locale="en-US")
    with pytest.raises(RefusedError, match="Season 4 is already over"):
        await SeasonCommands.rename.callback.__wrapped__(SeasonCommands(rooms, Mock(), Mock()), pressed, "Spring")
    assert seasons.rename.call_args.args[2:] == (4, "Spring")


async def test_renaming_the_running_season_to_its_own_name_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = AsyncMock()
    monkeypatch.setattr(feature, "reply", reply)
    seasons = Mock(running=AsyncMock(return_value=Season(4, 0, None, "Autumn")))
    seasons.rename = AsyncMock(return_value=Season(4, 0, None, "Spring"))
    rooms: Any = Mock(store=Mock(seasons=seasons))
    podiums: Any = Mock(problems=lambda *_: [])
    pressed: Any = Mock(guild_id=1, user=Mock(id=7), locale="en-US")
    for name in ("Autumn", "Spring"):
        await SeasonCommands.rename.callback.__wrapped__(SeasonCommands(rooms, Mock(), podiums), pressed, name)
    same, changed = (call.args[1] for call in reply.call_args_list)
    assert same == "It is already called Season 4 — Autumn."
    assert changed == "It is called Season 4 — Spring now."
    seasons.rename.assert_called_once()


async def test_only_a_season_of_the_server_is_exported() -> None:
    ladder: Any = Mock(season=AsyncMock(return_value=None))
    pressed: Any = Mock(guild_id=1, user=Mock(id=7), locale="en-US")
    with pytest.raises(RefusedError, match="There is no season with that number here"):
        await SeasonCommands.export.callback.__wrapped__(SeasonCommands(Mock(), ladder, Mock()), pressed, 9)
