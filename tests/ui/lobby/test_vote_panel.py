"""The secret vote as it is shown: a ballot to its owner, the outcome to all, and who is awaited."""

from dataclasses import replace
from typing import Any

import pytest

from bot.game.rules.house_rules import preset
from bot.game.signs import Strategy
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby, LobbyRefusal, Status
from bot.tables.lobby.place import Place
from bot.tables.lobby.strategy_vote import NO_VOTE, PROPOSED, StrategyVote
from bot.ui.kit.components import Layout
from bot.ui.kit.texts import Texts
from bot.ui.lobby.lobby_board import lobby_board
from bot.ui.lobby.vote import strategy_name, vote_panel
from bot.ui.words.refusals import lobby_refusal_text
from tests.ui.walk import BOTH, EN, FR, SELECT, TABLE_ID, button, buttons, check_limits, people, walk, words

PLAYERS = people(robots=0)
LOBBY = Lobby(TABLE_ID, Place(1, 2), 1000, preset("classic"), 4, PLAYERS, True, "fr", opened_at=60_000, vote=PROPOSED)


def cast(lobby: Lobby, *ballots: set[Strategy]) -> Lobby:
    for user_id, ballot in enumerate(ballots, 1000):
        changed = lobby.cast(user_id, ballot)
        assert isinstance(changed, Lobby)
        lobby = changed
    return lobby


def menu(view: Layout) -> dict[str, Any]:
    (found,) = [part for part in walk(view) if part["type"] == SELECT]
    return found


def ticked(view: Layout) -> set[str]:
    return {option["value"] for option in menu(view)["options"] if option.get("default")}


@BOTH
def test_a_ballot_explains_every_strategy_and_takes_any_choice_of_them(texts: Texts) -> None:
    view = vote_panel(LOBBY, 1000, texts)
    check_limits(view)
    assert menu(view)["custom_id"] == f"k1:{TABLE_ID}:ballot"
    assert (menu(view)["min_values"], menu(view)["max_values"]) == (0, 5)
    assert [option["value"] for option in menu(view)["options"]] == [each.value for each in Strategy]
    assert ticked(view) == set()
    assert button(view, "ballot_no").is_enabled
    assert len({strategy_name(each, texts) for each in Strategy}) == 5
    assert sum(line.startswith("**") for line in words(view).splitlines()) == 1 + 5
    assert "robots" in words(view).lower()


def test_a_ballot_shows_what_its_owner_said_and_nobody_else() -> None:
    lobby = cast(LOBBY, {Strategy.PRESIGN, Strategy.DOUBLE}, set())
    mine, other, none = (vote_panel(lobby, user_id, FR) for user_id in (1000, 1001, 1002))
    assert ticked(mine) == {"presign", "double"}
    assert "Vous avez dit oui à : double signe, pré-signe." in words(mine)
    assert ticked(other) == ticked(none) == set()
    assert "Vous avez dit non à tout." in words(other)
    assert "Vous n'avez pas encore voté" in words(none)


@pytest.mark.parametrize(
    ("ballots", "line"),
    [
        (
            [set(Strategy)] * 4,
            "Signes avancés : double signe, 3 à 6 signes, multisigne total, pré-signe, signes parlés",
        ),
        ([{Strategy.SPOKEN}, {Strategy.SPOKEN, Strategy.TOTAL}] * 2, "Signes avancés : signes parlés"),
        ([{Strategy.SPOKEN}, set()] * 2, "Signes avancés : aucun, après vote"),
    ],
)
def test_the_outcome_closes_the_ballots(ballots: list[set[Strategy]], line: str) -> None:
    lobby = cast(LOBBY, *ballots)
    view = vote_panel(lobby, 1000, FR, "Le vote est clos.")
    assert f"**{line}**" in words(view)
    assert words(view).startswith("Le vote est clos.")
    assert menu(view)["disabled"]
    assert ticked(view) == set()
    assert not button(view, "ballot_no").is_enabled
    board = lobby_board(lobby, FR)
    assert f"-# {line}\n" in words(board)
    assert f"-# {line}\n" in words(lobby_board(replace(lobby, status=Status.PLAYING), FR))


def test_the_lobby_says_whom_the_vote_awaits() -> None:
    silent = lobby_board(replace(LOBBY, vote=NO_VOTE), FR)
    assert "vote" not in [item.press.verb for item in buttons(silent)]
    assert "Signes avancés" not in words(silent)
    assert button(lobby_board(LOBBY, FR), "vote").label == "🗳️ Voter"
    running = cast(LOBBY, {Strategy.PRESIGN}, set())
    board = lobby_board(running, FR)
    check_limits(board)
    assert "Signes avancés : vote secret. En attente : Chloé · Dora" in words(board)
    left = running.leave(1002)
    assert isinstance(left, Lobby)
    assert "Awaited: Dora · the free seats" in words(lobby_board(left, EN))
    assert "vote" not in words(lobby_board(replace(LOBBY, status=Status.PLAYING), FR))


@BOTH
def test_rules_without_guessing_offer_words_alone(texts: Texts) -> None:
    view = vote_panel(replace(LOBBY, rules=preset("escale")), 1000, texts)
    check_limits(view)
    (menu,) = [part for part in walk(view) if "options" in part]
    assert [option["value"] for option in menu["options"]] == [Strategy.SPOKEN]
    assert menu["max_values"] == 1


def test_twelve_hostile_names_fit_on_the_lobby_of_a_running_vote() -> None:
    hostile = tuple(Player("*_~`|<@1>" * 9, 1000 + seat) for seat in range(12))
    lobby = cast(replace(LOBBY, size=12, players=hostile, random_teams=False), {Strategy.DOUBLE})
    check_limits(lobby_board(lobby, FR))
    refusal = lobby.start()
    assert isinstance(refusal, LobbyRefusal)
    assert len(lobby_refusal_text(refusal, FR)) < 2000


def test_a_match_that_may_not_start_yet_names_who_is_awaited() -> None:
    refusal = cast(LOBBY, set(), set()).start()
    assert isinstance(refusal, LobbyRefusal)
    assert lobby_refusal_text(refusal, FR) == ("Le vote secret attend Chloé, Dora ; l'hôte peut s'en passer.")
    assert replace(LOBBY, vote=StrategyVote(outcome=frozenset())).start() != refusal
