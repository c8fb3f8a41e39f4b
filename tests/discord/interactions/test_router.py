"""Every press has exactly one owner, and the features bring together what the client asks of them."""

from pathlib import Path

import discord
import pytest

from bot.base.settings import Settings
from bot.compose import build_client
from bot.discord.api.custom_ids import Press
from bot.discord.interactions.feature import Feature, owners_of
from bot.ui.table.verbs import TableVerb
from tests.verbs import VERBS


class Owner:
    """Answers some verbs with nothing."""

    def __init__(self, *verbs: str) -> None:
        self.verbs = frozenset(verbs)

    async def press(self, interaction: discord.Interaction, press: Press) -> None: ...


def test_no_two_features_declare_the_same_verb() -> None:
    assert len({str(verb) for verb in VERBS}) == len(VERBS)


async def test_each_verb_except_that_of_empty_slots_is_answered_by_a_feature(tmp_path: Path) -> None:
    client = build_client(Settings(database_url=f"sqlite:///{tmp_path / 'kems.db'}", _env_file=None))
    assert client.router.verbs == set(VERBS) - {TableVerb.EMPTY}


def test_two_features_with_the_same_verb_are_refused() -> None:
    first, second = Owner("join", "leave"), Owner("leave")
    assert owners_of([Feature(presses=[first]), Feature(presses=[Owner("help")])])["join"] is first
    with pytest.raises(ValueError, match="same presses: leave"):
        owners_of([Feature(presses=[first]), Feature(presses=[second])])
