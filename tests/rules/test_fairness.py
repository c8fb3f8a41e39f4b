"""Sheet 000: what players agree on before the match, and what none of them may do, whatever the signs.

The vote is the lobby's, a sentence of the rules stands for what no program can judge.
"""

import pytest

from bot.discord.text.texts import Texts
from bot.game.build_view import seat_view, table_view
from bot.game.rules.presets import CLASSIC, PRESETS
from bot.game.signs import Strategy, emoji_sign
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.words.rules_text import explain
from tests.rules.table import Table, cards

FOUR_KINGS, NOTHING = "KS KH KD KC", "7S 8S 9S TS"
PEOPLE = tuple(Player(name, user_id) for user_id, name in enumerate(("Ana", "Bruno", "Chloé", "Dora")))


def lobby() -> Lobby:
    """A lobby whose host has put the strategies to the vote."""
    opened = Lobby(1, TableChannel(1, 1), 0, CLASSIC, 4, PEOPLE, has_random_teams=True, locale="fr", opened_at=0)
    return opened.propose_vote()


def after(room: Lobby, *ballots: set[Strategy]) -> Lobby:
    for user_id, ballot in enumerate(ballots):
        room = room.cast(user_id, ballot)
    return room


def test_000_68_only_the_accuser_sees_the_shown_cards_and_is_asked_to_keep_them_secret() -> None:
    table = Table(hands={"A": NOTHING})
    table.do("B counter A")
    table.do("A show 7S 8S")
    assert table.shown("B") == [("A", {"7S", "8S"})]
    assert not any(repr(card) in repr(table_view(table.state)) for card in cards("7S 8S"))
    assert all(seat_view(table.state, seat).shown == () for seat in (0, 2, 3))
    assert any("telling your cards in words is forbidden" in line for line in explain(CLASSIC, Texts("en")))


def test_000_70_every_sign_is_made_in_public() -> None:
    table = Table(players=6)
    table.do("A react 👀", "B react 🎩")
    for seat in range(6):
        seen = seat_view(table.state, seat).table.gestures
        assert [(gesture.seat, gesture.text) for gesture in seen] == [(0, "👀"), (1, "🎩")]
    assert table_view(table.state).gestures == seen


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_000_71_the_rules_forbid_telling_cards_in_words(rules: object) -> None:
    assert any("telling your cards in words is forbidden" in line for line in explain(rules, Texts("en")))
    assert any("dire ses cartes" in line and "interdit" in line for line in explain(rules, Texts("fr")))


@pytest.mark.parametrize("preset", PRESETS)
def test_000_81_signs_are_revealed_only_after_the_match(preset: str) -> None:
    """Whatever sign a team plays, its opponents see the same before the end, and go on to see it in the next round."""

    def seen(sign: str, *, rounds: int) -> list[object]:
        end = {"ends_at": "rounds", "rounds": rounds, "double": "at_once"}
        table = Table(preset, plans={"#1": sign}, hands={"A": FOUR_KINGS}, **end)
        table.do("A react 👀", "A react 🎩", "C kems")
        ended = [table_view(table.state), *(seat_view(table.state, seat) for seat in (1, 3))]
        if rounds > 1:
            table.do("- next")
        return [*ended, table_view(table.state), seat_view(table.state, 1)]

    assert seen("👀", rounds=2) == seen("🎩", rounds=2)
    told = seen("👀", rounds=1)[0]
    assert ([made.is_sign for made in told.gestures], told.result.signs[0]) == ([True, False], (emoji_sign("👀"),))


def test_000_82_each_round_reveals_the_signs_when_that_was_chosen() -> None:
    table = Table("yokai", hands={"A": FOUR_KINGS}, signs_told="round")
    table.do("A react 👀", "A react 🎩", "C kems")
    ended = table_view(table.state)
    assert ([made.is_sign for made in ended.gestures], ended.result.signs) == ([True, False], ((emoji_sign("👀"),), ()))


def test_000_83_nothing_is_reported_before_the_hunt_opens() -> None:
    table = Table(opened=False)
    assert not seat_view(table.state, 1).may_guess
    table.refuses("hunt_closed", "B guess #1 👀", "B guess #1 🎲")
    table.do("D open", "B guess #1 👀")
    assert table.state.reports[-1].is_right


def test_000_84_after_two_wrong_reports_about_a_team_a_third_is_refused() -> None:
    table = Table(players=6)
    table.do("B guess #1 🎲", "E guess #1 👀", "E guess #3 🎩")
    table.refuses("guess_spent", "B guess #1 🦊", "E guess #3 🎲")
    assert [seat_view(table.state, seat).may_guess for seat in range(3)] == [True, False, True]
    table.do("C guess #1 🎩", "B kems", "- next", "A open", "B guess #1 🎲")
    assert seat_view(table.state, 1).may_guess
    for rules in ({"guess_limit": 0}, {"guess": "points"}):
        free = Table(**rules)
        free.do(*["B guess #1 🎲"] * 9)


@pytest.mark.parametrize("answer", [(), ("A keep",), ("A sign 🎲", "C accept 🎲")], ids=["none", "kept", "changed"])
def test_000_85_a_second_report_does_not_tell_whether_the_team_has_changed_its_sign(answer: tuple[str, ...]) -> None:
    table = Table()
    table.do("B guess #1 👀", *answer)
    table.refuses("already_answered", "B guess #1 👀", "D guess #1 👀")


def test_000_134_one_no_is_enough_and_no_match_starts_before_the_vote_is_over() -> None:
    everything = set(Strategy)
    assert after(lobby(), *[everything] * 4).strategies == everything
    assert after(lobby(), everything, everything, {Strategy.PRESIGN}, everything).strategies == {Strategy.PRESIGN}
    assert after(lobby(), everything, everything, everything, set()).strategies == set()
    running = after(lobby(), everything, everything, everything)
    assert (running.strategies, running.has_random_teams) == (set(), True)
    assert running.start() == LobbyRefusal(LobbyCode.VOTE_RUNNING, (PEOPLE[3],))
    assert isinstance(after(running, *[everything] * 3).start(), LobbyRefusal)


def test_000_135_nobody_learns_who_voted_what() -> None:
    double, total = {Strategy.DOUBLE}, {Strategy.TOTAL}
    one, other = after(lobby(), double, total, total, total), after(lobby(), total, total, total, double)
    assert one == other
    assert repr(after(lobby(), double)) == repr(after(lobby(), total))


def test_000_136_only_a_found_sign_ends_a_plan_of_several_signs() -> None:
    table = Table(strategies="intermediate total", plans={"#1": "👀 🎲 ☕"})
    table.refuses("not_allowed", "B accuse #1 intermediate")
    table.do("B accuse #1 total", "B guess #1 🎩")
    assert len(table.state.teams[0].plan.signs) == 3
    table.do("B guess #1 👀")
    assert table.state.teams[0].plan is None


def test_000_137_a_stopped_and_found_pre_sign_is_replaced_by_a_new_sign() -> None:
    table = Table(strategies="presign", plans={"#1": "presign 👀"})
    table.do("B accuse #1 presign", "B guess #1 👀", "A sign 🎲", "C accept 🎲")
    plan = table.state.teams[0].plan
    assert ([sign.text for sign in plan.signs], plan.presign) == (["🎲"], False)
