"""What a hand panel marks at each level of help; and that no level tells what anybody else holds."""

from dataclasses import replace
from typing import Any

import pytest

from bot.discord.api import components as c
from bot.discord.api.components import Layout
from bot.discord.pictures.card_faces import CHOSEN, WARNING, Faces
from bot.game.build_view import player_view
from bot.game.rules.presets import PRESETS
from bot.records.pictures import Theme
from bot.records.player import HelpLevel
from bot.ui.table.pages.sign_panel import LEVEL_LINES
from bot.ui.table.verbs import TableVerb
from tests.rules.table import Table
from tests.together import together
from tests.ui.table.pages.hunts import SHOWN, hunts
from tests.ui.table.pages.shown import hand, seen, signs
from tests.ui.table.pages.test_great_moments import SEVENS, with_partner
from tests.ui.table.pages.test_panel_geometry import overlong, shape
from tests.ui.walk import ALL, BOTH, FR, buttons, check_limits, walk, words

GUIDED, NORMAL, BARE = HelpLevel
SIGN, BLUFF = "🛶", "🎈"


def shown(table: Table, level: HelpLevel, **more: Any) -> Layout:
    return hand(seen(table), FR, now=table.now, level=level, **more)


def coloured(panel: Layout) -> set[str]:
    """What is green or red: the verbs of buttons."""
    styles = {item["custom_id"]: item["style"] for item in walk(panel) if "custom_id" in item and "style" in item}
    return {item.press.verb for item in buttons(panel) if styles[item.custom_id] in (c.SUCCESS, c.DANGER)}


def people_lines(panel: Layout) -> list[str]:
    return words(panel).splitlines()[1:3]


@pytest.mark.parametrize(
    ("level", "lit"), [(GUIDED, {TableVerb.KEMS}), (NORMAL, set()), (BARE, set())], ids=list(HelpLevel)
)
def test_the_partners_sign_lights_kems_when_the_player_is_guided(level: HelpLevel, lit: set[str]) -> None:
    table = Table(plans={"#1": SIGN})
    table.do(f"C react {SIGN}")
    assert coloured(shown(table, level)) == lit


@pytest.mark.parametrize(
    ("level", "lit"),
    [(GUIDED, {TableVerb.DOUBLE, TableVerb.GESTURE}), (NORMAL, {TableVerb.GESTURE}), (BARE, set())],
    ids=list(HelpLevel),
)
def test_four_of_a_kind_and_the_partners_sign_light_the_double_when_the_player_is_guided(
    level: HelpLevel, lit: set[str]
) -> None:
    table = Table(hands=SEVENS, plans={"#1": SIGN})
    table.do(f"C react {SIGN}")
    assert coloured(shown(table, level)) == lit


@BOTH
@pytest.mark.parametrize("own", ["7S 8S 9S TS", "7S 7H 7D 7C"])
@pytest.mark.parametrize("level", [NORMAL, BARE])
def test_the_sign_and_a_bluff_look_alike_when_the_player_is_not_guided(texts: Any, own: str, level: HelpLevel) -> None:
    """But for the emoji itself, in the partner's line; the own sign stands before the score and among the gestures."""
    panels = []
    for made in ("🍀", "🎲"):
        table = Table(hands={"A": own}, pool="9H JH QD KC", plans={"#1": "🍀"})
        table.do(f"C react {made}")
        partner = hand(seen(table), texts, now=table.now, level=level)
        lines = words(partner).splitlines()
        assert made in lines[1]
        lines[1] = lines[1].replace(made, "…")
        looks = [(item.get("style"), item.get("label"), item.get("disabled")) for item in walk(partner)]
        panels.append((lines, looks, partner[0]["accent_color"]))
    assert panels[0] == panels[1]


def test_a_fresh_gesture_is_marked_unless_the_player_wants_the_naked_eye() -> None:
    table = Table(plans={"#1": SIGN})
    table.do(f"C react {BLUFF}", f"D react {SIGN}")
    for level in (GUIDED, NORMAL):
        assert people_lines(shown(table, level)) == [f"🤝\u2002**Chloé {BLUFF}** ◀", f"-# Bruno\u2002Dora {SIGN} •"]
    assert people_lines(shown(table, BARE)) == [f"🤝\u2002Chloé {BLUFF}", f"-# Bruno\u2002Dora {SIGN}"]


def test_four_of_a_kind_are_not_marked_for_the_naked_eye() -> None:
    table = Table(hands=SEVENS, plans={"#1": SIGN})
    for level in (GUIDED, NORMAL):
        panel = shown(table, level)
        assert panel[0]["accent_color"] == c.GOLD
        assert "Carré de 7" in words(panel)
        assert "⚠️ Kem's !" in {item.label for item in buttons(panel)}
    panel = shown(table, BARE)
    assert panel[0]["accent_color"] == c.BLUE
    assert "Carré" not in words(panel)
    assert "🔔 Kem's !" in {item.label for item in buttons(panel)}


def test_a_third_alike_is_not_marked_for_the_naked_eye() -> None:
    table = Table(hands={"A": "8D TS JC TH"}, pool="8S KD 8H KC")
    for level in (GUIDED, NORMAL):
        panel = shown(table, level)
        assert TableVerb.PUT in coloured(panel)
    panel = shown(table, BARE)
    assert coloured(panel) == set()


def test_the_naked_eye_sees_no_mark_at_all_in_any_hunt() -> None:
    """What is owed or chosen is no mark: it says which row the next press belongs to."""
    for seed, preset in enumerate(PRESETS):
        hunt = hunts(preset, 4, Theme.FRENCH, seed)
        for view in hunt.moments(40):
            panel = hand(view, now=hunt.table.now, seated=hunt.people, level=BARE)
            assert coloured(panel) - {TableVerb.YES} == set()
            assert not any(mark in words(panel) for mark in ("◀", "•", WARNING, CHOSEN))
            assert panel[0]["accent_color"] == c.BLUE


@BOTH
@together("level", HelpLevel)
@together("steps", [(), ("C react 🛶",), ("C react 🎈",), ("A react 🛶",)])
@together("own", ["7S 8S 9S TS", "7S 7H 7D 7C"])
def test_no_level_of_help_reveals_what_the_partner_holds(
    texts: Any, level: HelpLevel, steps: tuple[str, ...], own: str
) -> None:
    panels = []
    for held in ("AS AH AD AC", "KS QH 8D TC"):
        table = Table(hands={"A": own}, pool="9H JH QD KC", plans={"#1": SIGN})
        with_partner(table, held)
        table.do(*steps)
        view = player_view(table.state, 0, table.now)
        panels.append(hand(view, texts, now=table.now, level=level))
    assert panels[0] == panels[1]


@together(("preset", "players"), [(name, size) for name in PRESETS for size in PRESETS[name].seating.players])
def test_every_level_has_the_same_rows(preset: str, players: int) -> None:
    hunt = hunts(preset, players, Theme.FRENCH, 1)
    for number, view in enumerate(hunt.moments(12)):
        faces = Faces(ALL[number % len(ALL)])
        panels = [hand(view, faces, now=hunt.table.now, seated=hunt.people, level=level) for level in HelpLevel]
        assert shape(panels[0]) == shape(panels[1]) == shape(panels[2])
        for panel in panels:
            check_limits(panel)
            assert overlong(panel) == []


def levels_of(panel: Layout) -> dict[str, int]:
    """The levels that a panel offers, with the style of each."""
    found = [item for item in walk(panel) if f":{TableVerb.LEVEL}:" in item.get("custom_id", "")]
    return {item["custom_id"].rpartition(":")[2]: item["style"] for item in found}


@pytest.mark.parametrize("level", HelpLevel)
def test_the_sign_page_offers_the_levels_and_shows_the_present_one(level: HelpLevel) -> None:
    for table in (Table(), Table.starting()):
        view = seen(table)
        panel = signs(view, level=level, has_free_level=True)
        expected = {str(each): c.PRIMARY if each is level else c.SECONDARY for each in HelpLevel}
        assert levels_of(panel) == expected
        assert all(FR.t(line) in words(panel) for line in LEVEL_LINES.values())
        assert levels_of(signs(view, level=level)) == {}


def test_the_panel_before_the_deal_offers_the_levels_when_each_may_choose() -> None:
    view = seen(Table.starting())
    assert len(levels_of(hand(view, FR, level=NORMAL, has_free_level=True))) == 3
    assert levels_of(hand(view, FR, level=NORMAL)) == {}


@pytest.mark.parametrize(
    ("players", "plan"), [(4, "A 👀 C 🍀"), *((size, plan) for size in (4, 6, 8, 12) for plan in (None, "🍀"))]
)
def test_the_fullest_sign_page_has_room_for_the_levels(players: int, plan: str | None) -> None:
    """Every strategy is allowed, so that each team may be asked about three; a sign was proposed besides."""
    table = Table(
        players=players, strategies="double intermediate total presign", deck="52",
        plans=None if plan is None else {"#1": plan},
    )  # fmt: skip
    assert table.state.phase in SHOWN
    for is_choosing in (False, True):
        view = seen(table)
        panel = signs(view, is_choosing=is_choosing, has_free_level=True)
        assert len(levels_of(panel)) == 3


@pytest.mark.parametrize("is_ranked", [False, True])
def test_the_first_unguided_hand_names_the_sign_to_watch_for(is_ranked: bool) -> None:
    """Once: before the first exchange of the match, and not where the player has taken the green back."""
    table = Table(plans={"#1": SIGN}, opened=False)
    more = {"is_ranked": True} if is_ranked else {"is_first_unguided": True}
    told = f"guettez {SIGN}." if is_ranked else f"À vous de guetter : {SIGN}"

    def caption(level: HelpLevel = NORMAL) -> str:
        return words(shown(table, level, **more)).splitlines()[4]

    assert told in caption()
    table.do("A open" if table.state.dealer == 0 else f"{'ABCD'[table.state.dealer]} open")
    assert told in caption()
    assert is_ranked or told not in caption(GUIDED)
    table.wait(6)
    assert told not in caption()


def test_the_guided_level_is_one_tap_away_in_the_first_round_without_it() -> None:
    table = Table(plans={"#1": SIGN})
    for level, other in ((NORMAL, GUIDED), (GUIDED, NORMAL)):
        panel = shown(table, level, is_first_unguided=True)
        assert f":{TableVerb.LEVEL}:{other}" in "".join(item.custom_id for item in buttons(panel))
    later = replace(seen(table), table=replace(seen(table).table, round=2))
    assert TableVerb.LEVEL not in {
        item.press.verb for item in buttons(hand(later, level=NORMAL, is_first_unguided=True))
    }


def test_the_sign_page_of_a_ranked_match_says_that_nothing_is_marked() -> None:
    told = "rien ne s'allume"
    assert told in words(hand(seen(Table.starting()), FR, is_ranked=True))
    assert told not in words(hand(seen(Table.starting()), FR))
