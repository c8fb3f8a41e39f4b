"""Whose matches are looked for, and what nobody sees of a channel that is hidden from them."""

from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.discord.api.custom_ids import Press
from bot.discord.api.interactions import RefusedError
from bot.discord.text.texts import texts_for
from bot.records.history import HistoryPage, PageNumber, SeatRecord
from bot.ui.records import feature, sharing
from bot.ui.records.feature import RecordsCommands
from bot.ui.records.sharing import RoundSharing
from bot.ui.table.verbs import TableVerb
from tests.ui.walk import words

HERE, LEA = 1, 7


def pressed(channel_id: int = 4) -> Any:
    person = Mock(id=LEA, display_name="Léa")
    return Mock(spec=discord.Interaction, guild_id=HERE, channel_id=channel_id, user=person, locale="en-US")


def commands(rooms: Any, *visible: int) -> Any:
    return RecordsCommands(rooms, Mock(), Mock(visible=AsyncMock(return_value=frozenset(visible))))


async def test_the_review_without_a_number_is_of_the_pressers_own_last_match() -> None:
    history = AsyncMock(return_value=HistoryPage((), False, False))
    rooms = Mock(store=Mock(history=Mock(history=history)))
    with pytest.raises(RefusedError, match="No match has been finished yet"):
        await commands(rooms)._review(pressed(), None)
    history.assert_called_once_with(HERE, LEA)


@pytest.mark.parametrize(("visible", "heading"), [((5,), "Matches of Bruno"), ((), "Matches of <@8>")])
async def test_a_member_has_the_name_from_matches_that_the_reader_may_see(
    visible: tuple[int, ...], heading: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = AsyncMock()
    monkeypatch.setattr(feature, "reply_panel", shown)
    monkeypatch.setattr("bot.ui.records.history_panels._in_short", lambda match, _texts: f"#{match.id}")
    match: Any = Mock(id=3, user_ids={8}, channel_id=5, seats=[SeatRecord(0, 0, "Bruno", 8)])
    rooms = Mock(store=Mock(history=Mock(history=AsyncMock(return_value=HistoryPage((match,), False, False)))))
    await commands(rooms, *visible)._show_page(pressed(), 8, PageNumber(1))
    assert heading in words(shown.call_args.args[1])


async def test_a_round_of_a_running_match_is_filmed_only_in_its_channel() -> None:
    table = Mock(is_over=False, lobby=Mock(place=Mock(channel_id=4)))
    rooms = Mock(directory=Mock(table=lambda _table_id: table))
    with pytest.raises(RefusedError):
        await commands(rooms)._public_film(pressed(5), Press(3, TableVerb.FILM, "", round=1))
    table.log.assert_not_called()


async def test_a_round_is_shared_in_the_language_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("reply", "delete_reply"):
        monkeypatch.setattr(sharing, name, AsyncMock())
    monkeypatch.setattr(sharing, "round_animation", lambda _match, _replay, texts, _named: texts.locale)
    monkeypatch.setattr(sharing, "film_of", lambda _match, _replay, _drawn, texts: texts.locale)
    rooms = Mock(pictures=Mock(draw=AsyncMock()))
    rooms.defaults.public_texts = AsyncMock(return_value=texts_for("fr"))
    message: Any = Mock(try_write=AsyncMock(), is_gone=False)
    await RoundSharing(rooms)._post(pressed(), Mock(), Mock(), message)
    assert (rooms.pictures.draw.call_args.args, message.film) == (("fr",), "fr")
