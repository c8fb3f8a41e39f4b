"""A table is unknown to members who cannot see where it stands, whatever number they name."""

import pytest

from bot.ui.lobby.verbs import LobbyVerb
from tests.integration.harness import Harness
from tests.integration.table import lobby
from tests.integration.test_other_server import Elsewhere

EMILE = "Émile"


@pytest.mark.parametrize("sees", [False, pytest.param(True, marks=pytest.mark.long)])
async def test_a_lobby_is_invisible_to_people_who_cannot_see_its_channel(sees: bool, harness: Harness) -> None:
    everywhere = harness.channel
    harness.enter("coin", EMILE, view_channel=sees)
    number = (await lobby(harness)).id
    here = Elsewhere(harness, harness.guild, everywhere)
    shown, is_private, _, _ = await here.press(EMILE, number, LobbyVerb.JOIN)
    seat = harness.bot.rooms.directory.lobby(number).seat_of(harness[EMILE].id)
    assert (seat is not None) is sees
    assert ("Cette table n'existe plus" not in str(shown), is_private) == (sees, True)
    harness.channel = everywhere
    told = await harness[EMILE].ask("kems table kick", member=harness["Léa"].actor, number=number)
    assert ("Il n'y a pas de table" not in told) is sees


@pytest.mark.kems(table_threads=True)
async def test_suggestions_name_no_players_of_private_threads(harness: Harness) -> None:
    harness.enter("jeux", EMILE, manage_messages=True)
    await harness["Léa"].slash("kems practice")
    await harness.advance(5)
    assert await harness["Léa"].suggestions("kems table end", "number")
    assert await harness[EMILE].suggestions("kems table end", "number") == {}
    harness.enter("autres", EMILE, manage_messages=True)
    await harness["Bruno"].slash("kems start")
    assert len(await harness[EMILE].suggestions("kems table end", "number")) == 1
