"""What the host sets, in private: teams, seats, robots, cards, absence, advanced signs."""

from dataclasses import replace
from typing import Any

from bot.game.rules.house_rules import preset
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.robots.level import RobotLevel
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.options import Absence
from bot.tables.lobby.place import Place
from bot.tables.lobby.strategy_vote import PROPOSED
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.lobby.settings import settings_panel
from tests.ui.walk import BOTH, FR, SELECT, TABLE_ID, buttons, check_limits, people, walk, words

LOBBY = Lobby(TABLE_ID, Place(1, 2), 1000, preset("classic"), 4, people(4, robots=2), True, "fr", opened_at=60_000)


def panel(lobby: Lobby, texts: Texts = FR, notice: str | None = None) -> Layout:
    view = settings_panel(lobby, texts, notice)
    check_limits(view)
    return view


def menus(view: Layout) -> dict[str, Any]:
    return {part["custom_id"].split(":")[2]: part for part in walk(view) if part["type"] == SELECT}


def enabled(view: Layout) -> set[str]:
    return {f"{item.press.verb}:{item.press.arg}".rstrip(":") for item in buttons(view) if item.is_enabled}


def test_what_is_so_already_cannot_be_chosen_again() -> None:
    free = replace(LOBBY, players=(*LOBBY.players[:1], None, None, None))
    assert enabled(panel(LOBBY)) == {"rules", "remove_robot", "teams:chosen", "propose_vote", "ask_end"}
    assert enabled(panel(replace(free, random_teams=False))) == {
        *("rules", "add_robot", "teams:random", "propose_vote", "ask_end")
    }
    assert "no_vote" in enabled(panel(replace(LOBBY, vote=PROPOSED)))
    assert "propose_vote" not in enabled(panel(replace(LOBBY, vote=PROPOSED)))


def test_two_seats_are_chosen_by_team_and_name() -> None:
    found = menus(panel(replace(LOBBY, players=(*LOBBY.players[:3], None))))["swap"]
    assert (found["min_values"], found["max_values"]) == (2, 2)
    assert [option["label"] for option in found["options"]] == ["① Ana", "② Bruno", "① 🤖 Chloé", "② (libre)"]
    assert [option["value"] for option in found["options"]] == ["0", "1", "2", "3"]


@BOTH
def test_menus_show_what_is_chosen(texts: Texts) -> None:
    found = menus(panel(replace(LOBBY, theme=Theme.FAMILY, absence=Absence.WAIT, robot_level=RobotLevel.STRONG), texts))
    chosen = {verb: [o["value"] for o in part["options"] if o["default"]] for verb, part in found.items()}
    assert chosen == {"swap": [], "robots": ["strong"], "faces": ["family"], "absence": ["wait"]}
    assert [option["value"] for option in found["robots"]["options"]] == [level.value for level in RobotLevel]
    assert [option["value"] for option in found["faces"]["options"]] == [theme.value for theme in Theme]
    assert "Nonna🍕" in found["faces"]["options"][2]["description"]


def test_a_notice_stands_first() -> None:
    assert words(panel(LOBBY, notice="La table est complète.")).startswith("La table est complète.\n**⚙️ Réglages")


@BOTH
def test_the_largest_table_fits(texts: Texts) -> None:
    hostile = tuple(Player("*_~`|<@1>" * 9, 1000 + seat) for seat in range(12))
    panel(replace(LOBBY, size=12, players=hostile), texts)
