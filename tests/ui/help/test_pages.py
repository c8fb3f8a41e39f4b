"""The help has what its reader can do here and now, and no more."""

import re
from pathlib import Path

from bot.base.settings import Settings
from bot.compose import build_client
from bot.discord.api.components import MAX_TEXT, Layout, text_length
from bot.discord.api.interactions import custom_ids_of
from bot.discord.interactions.feature import by_key
from bot.discord.text.command_names import PATHS, register_ids
from bot.discord.text.texts import Texts
from bot.ui.help.feature import HelpPage, ReaderRights, help_page
from tests.seen import walk
from tests.ui.help.places import PLACES
from tests.ui.screens.common import sent
from tests.ui.walk import EN, EVERY

DESCRIPTIONS = dict.fromkeys(PATHS, "Read the rules")
BEGINS = {"start", "practice", "tutorial"}


def named(page: HelpPage, here: ReaderRights, texts: Texts = EN) -> set[str]:
    """The keys of the commands on a page."""
    keys = {f"`/{texts.command_name(key)}`": key for key in PATHS}
    return {keys[one] for one in re.findall("`/kems.*?`", words(help_page(page, here, DESCRIPTIONS, texts)))}


def words(layout: Layout) -> str:
    return "\n".join(str(part["content"]) for part in walk(sent(layout)) if "content" in part)


def test_the_help_lists_what_a_player_can_do_with_and_without_a_table() -> None:
    found = {name: named(HelpPage.PLAYERS, here) for name, here in PLACES.items()}
    assert found["at nothing"] >= BEGINS
    assert not found["at nothing"] & {"hand", "leave", "substitute", "pause", "config"}
    for name in ("where no table fits", "beside a lobby", "in a match"):
        assert not found[name] & BEGINS, name
    assert "choose a text channel" in words(
        help_page(HelpPage.PLAYERS, PLACES["where no table fits"], DESCRIPTIONS, EN)
    )
    assert found["in a match"] >= {"hand", "sign", "leave"}
    assert {name for name, keys in found.items() if "substitute" in keys} == {"beside a match with an open seat"}


def test_a_host_reads_what_they_may_do_and_others_have_no_such_page() -> None:
    found = {name: named(HelpPage.HOSTS, here) for name, here in PLACES.items() if here.is_host}
    assert found["hosting a lobby"] == {"move", "absent", "kick", "end"}
    assert found["hosting a match"] == found["hosting a lobby"] | {"pause", "resume", "substitute"}
    assert found["hosting nights"] == {"night"}
    managing = {key for key, path in PATHS.items() if path.startswith("kems-admin")}
    assert found["managing"] == found["hosting a match"] | managing | {"night"}
    for here in PLACES.values():
        pages = [help_page(page, here, DESCRIPTIONS, EN) for page in HelpPage]
        assert (pages[0] == pages[2]) is not here.is_host
        assert len(custom_ids_of(sent(pages[0]))) == 1 + here.is_host + here.offers_role


@EVERY
def test_the_first_page_is_ten_lines_at_most(texts: Texts) -> None:
    lines = {name: words(help_page(HelpPage.PLAYERS, here, DESCRIPTIONS, texts)) for name, here in PLACES.items()}
    assert {name: told for name, told in lines.items() if len(told.splitlines()) > 10} == {}


@EVERY
def test_a_command_has_its_name_in_the_readers_language(texts: Texts) -> None:
    """A link has its English name everywhere."""
    register_ids({"name": name, "id": "1"} for name in ("kems", "kems-admin"))
    told = words(help_page(HelpPage.PLAYERS, ReaderRights(), DESCRIPTIONS, texts))
    assert ("</kems start:" in told) is (texts.locale == "en")
    assert texts.command_name("daily") in told


def test_every_command_is_on_a_page() -> None:
    found = {key for here in PLACES.values() for page in HelpPage for key in named(page, here)}
    assert found == set(PATHS)


@EVERY
def test_every_page_fits_a_message_with_links(tmp_path: Path, texts: Texts) -> None:
    client = build_client(Settings(database_url=f"sqlite:///{tmp_path / 'kems.db'}", _env_file=None))
    descriptions = {key: each.description for key, each in by_key(client.features).items()}
    register_ids({"name": name, "id": str(2**63)} for name in ("kems", "kems-admin"))
    for here in PLACES.values():
        for page in HelpPage:
            shown = help_page(page, here, descriptions, texts)
            assert text_length(shown) <= MAX_TEXT
            assert "/kems" in words(shown)
