"""Results: who called, who had it, what it brought, all hands, and what every gesture meant."""

from dataclasses import replace

from bot.game.build_view import table_view
from bot.game.events import CallKind, CallMargin, Outcome
from bot.game.evolve import evolve
from bot.game.phase import Phase
from bot.ladder.tally import Feat, Highlights, SeatTally
from bot.records.history import RatingChange
from bot.ui.kit.texts import Texts
from bot.ui.table.board import log_line
from bot.ui.table.match_end import MatchEnd, match_end_board
from bot.ui.words.card_faces import Faces
from tests.rules.table import Table, swap
from tests.ui.table.shown import board
from tests.ui.walk import BOTH, EN, FR, TABLE_ID, check_limits, people, words

SEVENS = "7S 7H 7D 7C"


def told(table: Table, texts: Texts = FR) -> str:
    return words(board(table, texts)).replace("\ufe0e", "")


def test_a_penalty_that_a_call_makes_up_for_is_told_all_the_same() -> None:
    table = Table(hands={"A": SEVENS})
    table.do("C counter B", "C kems")
    assert "Équipe 1 · **0 — 0** · Équipe 2\nÉquipe 1 : +1 · Chloé contre à tort : −1" in told(table)


def test_the_log_of_former_rounds_is_short() -> None:
    ends = []
    for call in ("C kems", "B counter A", "B kems"):
        table = Table(hands={"A": SEVENS})
        table.do(call)
        ends.append(replace(table_view(table.state), round=len(ends) + 1))
    assert log_line(ends[:0], FR) is None
    assert log_line(ends, FR) == "-# Manches : 1 Kem's ① · 2 contre ② · 3 faux Kem's ②"
    many = [replace(ends[0], round=number) for number in range(1, 40)]
    assert (log_line(many, EN) or "").startswith("-# Rounds: … · 28 Kem's ①")


def test_a_margin_is_told_at_the_end_of_its_round_alone() -> None:
    table = Table(hands={"A": SEVENS})
    table.state = evolve(table.state, CallMargin(0, 2, 1, CallKind.KEMS, 84))
    assert table_view(table.state).result is None
    table.do("C kems")
    assert told(table, EN).splitlines()[2] == "84 ms before Bruno's Kem's"
    table.do("- next")
    assert table.state.margin is None


def test_three_alike_end_the_round_without_points() -> None:
    table = Table(hands={"A": "7S"}, pool="7H 7D 8S 9S")
    table.do(*swap("A", "7S", ""))
    assert "Ana pose la troisième pareille : la manche est finie." in told(table)
    assert "Équipe 1 · **0 — 0** · Équipe 2\nAucun point\n" in told(table)
    ended = table.state.result
    assert ended is not None
    table.state = replace(table.state, result=replace(ended, laid_by=None))
    assert "Trois cartes pareilles au milieu : la manche est finie." in told(table)


@BOTH
def test_every_outcome_has_its_own_words(texts: Texts) -> None:
    sevens, doubles, theirs = {"A": SEVENS}, {"A": SEVENS, "C": "8S 8H 8D 8C"}, {"B": SEVENS, "D": "8S 8H 8D 8C"}
    headlines = set()
    for table, call in (
        (Table(hands=sevens), "C kems"),
        (Table(hands=doubles), "C double"),
        (Table(hands={"B": SEVENS}), "A counter B"),
        (Table("expert", hands=theirs), "A counter2 #2"),
        (Table(), "A kems"),
        (Table(), "A double"),
        (Table("expert"), "A counter #2"),
        (Table("expert"), "A counter2 #2"),
    ):
        table.do(call)
        headlines.add((table.outcome, told(table, texts).splitlines()[0]))
    for rules in ({"max_sweeps": 1}, {"stock": "", "stock_out": "ends"}):
        table = Table(three_alike="allowed", **rules)  # type: ignore[arg-type]  # rules and the stock's cards
        table.wait(5)
        table.do("A sweep")
        table.wait(15)
        headlines.add((table.outcome, told(table, texts).splitlines()[0]))
    assert {outcome for outcome, _ in headlines} == set(Outcome) - {Outcome.FOUR_KEMS, Outcome.THREE_ALIKE}
    assert len({line for _, line in headlines}) == len(headlines) == 10


def test_the_end_of_a_match_tells_what_stood_out_the_ratings_and_who_wants_a_rematch() -> None:
    table = Table(hands={"A": SEVENS}, scores=(9, 9))
    table.wait(12.3)
    table.do("C kems")
    found = Highlights((0,), SeatTally(kems=2, counters=1), Feat(1, 38_000, 3), Feat(2, 12_300))
    ratings = (RatingChange(1000, 1500, 1512), RatingChange(1001, None, 1480))
    view = match_end_board(
        table_view(table.state), people(), TABLE_ID, Faces(FR), end=MatchEnd(found, ratings), ready={1001}
    )
    check_limits(view)
    lines = words(view).splitlines()
    assert lines[0] == "## 🏆 Équipe 1 gagne la partie : Ana et Chloé"
    assert lines[1] == "Équipe 1 · **10 — 9** · Équipe 2"
    for line in (
        "⭐ Meilleur joueur : Ana · 2 Kem's, 1 contre",
        "🎭 Plus long bluff : Bruno · 0:38 · 3 gestes",
        "⚡ Kem's le plus rapide : Chloé · 12,3 s",
        "📈 Cotes : Ana 1512 (+12) · Bruno 1480 (nouveau)",
        "🔁 Revanche : Bruno ✓ · on attend Ana et Chloé",
    ):
        assert line in lines


def test_gestures_that_are_signs_and_the_latest_of_each_stay_on_a_full_list() -> None:
    table = Table(hands={"A": SEVENS})
    table.do("A react 👀", "C react 🎈")
    for number in range(30):
        table.wait(5)
        table.do(f"B react {'🍩' if number % 2 else '🎲'}")
    table.do("C kems")
    line = told(table).splitlines()[-1]
    assert line.count("·") == 11
    assert "Ana 👀 (**le signe**)" in line
    assert "Chloé 🎈" in line


def test_a_match_may_end_level_or_by_a_guess_in_mid_round() -> None:
    level = Table("bell")
    level.do("C kems")
    ended = replace(level.state, phase=type(level.state.phase).MATCH_OVER, winner=None)
    assert "🤝 La partie finit à égalité." in words(match_end_board(table_view(ended), people(), TABLE_ID, Faces(FR)))
    guessed = Table("yokai", scores=(9, 0))
    guessed.do("A guess #2 🍀")
    assert guessed.state.result is None
    assert "**11 — 0**" in told(guessed)
    assert "🏆 Équipe 1" in told(guessed)


def test_a_won_game_of_a_longer_match_is_told() -> None:
    table = Table("expert", hands={"A": SEVENS}, scores=(9, 0), best_of=3)
    table.do("C kems")
    assert "Un jeu est gagné : le score repart à zéro." in told(table)
    assert "(jeux 1 – 0)" in told(table)


def test_while_its_round_goes_on_a_game_won_by_a_guess_is_told() -> None:
    table = Table("yokai", scores=(8, 8), best_of=3)
    table.do("B guess #1 👀")
    view = table_view(table.state)
    assert (view.phase, view.game_won) == (Phase.HUNT, True)
    assert "Un jeu est gagné : le score repart à zéro à la prochaine manche." in told(table)
    assert "prochaine manche" not in told(Table("yokai"))
