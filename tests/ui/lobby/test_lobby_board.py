"""The lobby: who sits where, by which rules, and which presses are open."""

from dataclasses import replace
from typing import Any

import pytest

from bot.game.rules.house_rules import override, preset
from bot.game.rules.presets import PRESETS
from bot.ladder.eligibility import Eligibility, Gates
from bot.records.player import Player
from bot.robots.level import RobotLevel
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.place import Place
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.texts import Texts
from bot.ui.lobby.lobby_board import lobby_board, welcome_board
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.rules.panels import help_panel
from bot.ui.rules.verbs import RulesVerb
from bot.ui.words.rule_names import preset_name, rank_words, rules_line
from tests.ui.walk import BOTH, EN, FR, TABLE_ID, buttons, check_limits, people, words


def lobby(*players: Player | None, random_teams: bool = False, size: int = 4, **rules: str) -> Lobby:
    seats = (*players, *(None,) * size)[:size]
    made = override(preset("classic"), rules)
    return Lobby(TABLE_ID, Place(1, 2), 1000, made, size, seats, random_teams, "fr", opened_at=60_000, gates=Gates())


def board(shown: Lobby, texts: Texts = FR) -> Layout:
    view = lobby_board(shown, texts)
    check_limits(view)
    return view


def enabled(view: Layout) -> set[str]:
    return {item.press.verb for item in buttons(view) if item.is_enabled}


def test_an_open_lobby_tells_who_sits_where_by_which_rules() -> None:
    view = board(lobby(Player("Léa", 1000), Player("Bruno", 1001), None, Player("Zoé")))
    assert words(view).splitlines() == [
        "### ♠ Léa ouvre une table de Kem's",
        "-# Classique · 32 cartes · 10 points · amicale (avec des robots) · robots : habitué",
        "① Léa · —\u2003② Bruno · 🤖 Zoé",
        "-# 1 place libre",
    ]
    assert [item.label for item in buttons(view)] == [
        *("Rejoindre", "Quitter", "Commencer"),
        *("Inviter…", "Réglages…", "❔ Aide"),
    ]
    assert enabled(view) == {"join", "leave", "invite", "settings", "help"}


def test_a_full_lobby_can_start_and_takes_nobody_else() -> None:
    view = board(lobby(*people()), EN)
    assert enabled(view) == {"leave", "start", "settings", "help"}
    assert "-# the table is full" in words(view)
    assert "Classic · 32 cards · 10 points · friendly (with robots) · robots: regular" in words(view)


@pytest.mark.parametrize(
    ("texts", "names"),
    [(FR, ["débutant", "habitué", "fort", "maître"]), (EN, ["beginner", "regular", "strong", "master"])],
)
def test_the_table_says_how_well_its_robots_play(texts: Texts, names: list[str]) -> None:
    with_robot = lobby(Player("Léa", 1000), Player("Zoé"))
    lines = [words(board(replace(with_robot, robot_level=level), texts)).splitlines()[1] for level in RobotLevel]
    assert [line.rsplit(" ", maxsplit=1)[1] for line in lines] == names
    assert "obots" not in words(board(lobby(Player("Léa", 1000)), texts)), "a table of people says nothing of it"


def test_drawn_teams_are_not_shown_before_they_are_drawn() -> None:
    view = board(lobby(*people(3, robots=0), random_teams=True))
    assert "Ana · Bruno · Chloé · —\n-# 1 place libre\n-# équipes tirées au sort" in words(view)


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (Status.PLAYING, "La partie a commencé."),
        (Status.OVER, "La partie est finie."),
        (Status.CANCELLED, "Cette table a été fermée avant la fin de la partie."),
    ],
)
def test_a_closed_lobby_has_no_buttons(status: Status, line: str) -> None:
    view = board(replace(lobby(*people(), random_teams=True), status=status))
    assert line in words(view)
    assert buttons(view) == []


def test_a_match_that_was_left_for_too_long_says_so() -> None:
    assert "Personne n'a joué cette partie depuis longtemps" in words(
        board(replace(lobby(*people()), status=Status.EXPIRED, is_ranked=False))
    )


@pytest.mark.parametrize(("is_ranked", "said"), [(True, "classée"), (False, "amicale")])
def test_a_lobby_that_is_left_behind_says_what_was_settled(is_ranked: bool, said: str) -> None:
    playing = replace(lobby(*people()), status=Status.PLAYING, is_ranked=is_ranked)
    assert playing.robot_seats(), "a robot has followed somebody"
    assert f"Classique · 32 cartes · 10 points · {said} · robots : habitué\n" in words(board(playing))


def test_a_lobby_says_when_it_closes_and_offers_another_afterwards() -> None:
    waiting = replace(lobby(*people()), closes_at=3_660_000)
    assert words(board(waiting)).splitlines()[-1] == "-# table complète · fermeture <t:3660:R>"
    view = board(waiting.expire())
    assert "Personne n'a lancé cette table" in words(view)
    assert [(item.label, item.press) for item in buttons(view)] == [
        ("Rouvrir la table", Press(TABLE_ID, LobbyVerb.REOPEN))
    ]


def test_the_largest_lobby_fits() -> None:
    hostile = [Player("*_~`|<@1>" * 9, 1000 + seat) for seat in range(12)]
    board(lobby(*hostile, size=12, deck="52"))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "10 points · ranked\n"),
        ({"gates": None}, "friendly (between seasons)"),
        ({"gates": Gates(("yokai",))}, "friendly (these rules are not ranked here)"),
        ({"gates": Gates(sign_required=True)}, "friendly (ranked tables require the sign)"),
        ({"size": 2}, "friendly (nobody has a partner)"),
        ({"rules": override(preset("classic"), {"target": "5"})}, "5 points · friendly · house rules"),
        ({"rules": override(preset("expert"), {"target": "15"})}, "friendly (ranked tables play without options)"),
        ({"rules": override(preset("classic"), {"sign_required": "yes"})}, "do not require the sign) · house rules"),
    ],
)
def test_a_lobby_says_whether_it_is_ranked_and_why_not(changes: dict[str, Any], told: str) -> None:
    alone = lobby(Player("Léa", 1000))
    assert told in words(board(replace(alone, **changes), EN))


def test_every_verdict_has_words_of_its_own() -> None:
    for texts in (FR, EN):
        assert len({rank_words(eligibility, texts) for eligibility in Eligibility}) == len(Eligibility)


def test_house_rules_are_named_in_the_rules_line() -> None:
    rules = override(preset("classic"), {"target": "1", "deck": "52", "quiet": "3"})
    assert rules_line(rules, FR) == "Classique · 52 cartes · 1 point · règles maison : Calme avant un balayage : 3 s"
    assert rules_line(preset("bell"), EN) == "The bell · 54 cards · 8 rounds"


def test_what_the_sheet_offers_itself_is_an_option() -> None:
    rules = override(preset("expert"), {"target": "15", "best_of": "3"})
    assert rules_line(rules, FR) == "Expert · 32 cartes · 15 points · options : Au meilleur de combien de jeux : 3"
    changed = override(rules, {"quiet": "3"})
    assert rules_line(changed, EN) == (
        "Expert · 32 cards · 15 points · options: Best of how many games: 3 · house rules: Quiet time before a sweep:"
        " 3 s"
    )


def test_anything_but_a_pristine_preset_says_so() -> None:
    short = override(preset("classic"), {"target": "5"})
    assert rules_line(short, EN) == "Classic · 32 cards · 5 points · house rules"
    assert rules_line(short, FR, "Jeudi") == "Classique · 32 cartes · 5 points · « Jeudi » · règles maison"
    paced = override(preset("classic"), {"auto_open": "9"})
    assert "house rules" not in rules_line(paced, EN), "the pace makes no other game"
    hostile = replace(lobby(*people(), quiet="3"), rule_set="**@everyone** <@1>")
    said = words(board(hostile))
    assert "« \\*\\*@\u200beveryone\\*\\* ‹@\u200b1› » · règles maison : Calme avant un balayage : 3 s" in said


@BOTH
def test_a_newcomer_can_play_at_once_and_read_how(texts: Texts) -> None:
    view = welcome_board(texts)
    check_limits(view)
    assert [item.press for item in buttons(view)] == [Press(0, LobbyVerb.QUICK), Press(0, RulesVerb.HELP)]
    for rules in PRESETS.values():
        helping = help_panel(rules, texts)
        check_limits(helping)
        assert preset_name(rules.preset, texts) in words(helping)
        assert "/kems sign" in words(helping)
        assert {"fr": "sa mention est activée", "en": "its ping is on"}[texts.locale] in words(helping)


def test_the_quick_start_speaks_french_to_the_french() -> None:
    assert buttons(welcome_board(FR))[0].label == "Jouer tout de suite avec trois robots"
