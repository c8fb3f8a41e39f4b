"""A person who has taken a seat after the round sees its score alone."""

import pytest

from bot.discord.pictures.card_faces import Faces
from bot.ui.table.pages.panel_pages import _seen
from bot.ui.table.pages.panel_state import PanelPage, PanelState
from tests.tables.fakes import PEOPLE, World
from tests.tables.virtual import EPOCH, in_virtual_time
from tests.ui.walk import EN


@pytest.mark.parametrize("is_new", [False, True])
def test_a_reader_who_did_not_play_the_round_counts_as_new(is_new: bool) -> None:
    @in_virtual_time
    async def run() -> None:
        world = World()
        table = await world.hunting()
        user_id = 999 if is_new else PEOPLE[0].user_id or 0
        state = PanelState(table, 0, user_id, EN, PanelPage.HAND)
        assert _seen(state, Faces(EN), EPOCH).is_new is is_new
        await world.directory.close()

    run()
