"""Lines about the public table: who took what."""

from bot.discord.pictures.card_faces import Faces
from bot.game.build_view import table_view
from bot.ui.words.table_text import TableText, exchanges_line
from tests.rules.table import Table
from tests.ui.walk import FR, people, typed


def played(*, is_seen: bool = True) -> TableText:
    """Four exchanges: one of two cards, and the newest by chance."""
    table = Table(hands={"A": "7S 8S 9S TS", "B": "7H 8H 9H TH"}, pool="JH QD KS AC", takes_seen=is_seen)
    table.do("A swap 7S JH", "A swap 8S QD", "B put 7H", "B put 9H", "B take KS", "B take AC", "A put 9S")
    table.wait(46)
    return TableText(table_view(table.state), people(), Faces(FR))


def test_the_latest_three_exchanges_are_shown_with_the_newest_last() -> None:
    told = typed(exchanges_line(played())).replace("\ufe0e", "")
    assert told.startswith("Ana 8♠ → D♦ · Bruno 7♥ 9♥ → R♠ A♣ · Ana 9♠ → 🎲 ")


def test_the_oldest_exchanges_are_left_out_when_there_is_no_room() -> None:
    told = typed(exchanges_line(played(), lambda seat: "AB"[seat], 12)).replace("\ufe0e", "")
    assert told.startswith("A 9♠ → 🎲 ")
    assert typed(exchanges_line(played(), lambda _: "W" * 30, 12)).endswith("…")


def test_exchanges_are_not_shown_when_a_rule_hides_them() -> None:
    assert exchanges_line(played(is_seen=False)) == ""
