"""Panels of what was played: histories and matches."""

from dataclasses import replace

import pytest

from bot.game.rules.house_rules import override, preset
from bot.ladder.outcomes import counters_in_vain, rounds_of
from bot.ladder.seasons import Season
from bot.records.history import HistoryPage, MatchRecord, ResultRecord, SeatRecord, VoidRecord
from bot.ui.kit.components import Layout
from bot.ui.kit.picture_words import moment
from bot.ui.kit.texts import Texts
from bot.ui.records.history_panels import broken_off_words, history_panel, match_panel
from tests.game.matches import play_at_random
from tests.rules.table import Table
from tests.seen import typed
from tests.ui.walk import BOTH, EN, FR, NAMES, buttons, check_limits, words

AT = 1_800_000_000_000  # 15 January 2027, 09:00 in Paris
PARIS = "Europe/Paris"
HERE = 2
SPRING_END = AT + 1000
SPRING = Season(3, AT, SPRING_END, "Printemps")
HOSTILE = "*_~`|<@1>" * 9


def match(players: int = 4, *, name: str | None = None, number: int = 7, **rules: str) -> MatchRecord:
    made = override(preset("classic"), rules)
    seats = tuple(
        SeatRecord(seat, seat % 2, name or NAMES[seat], 1000 + seat if seat < players - 1 else None)
        for seat in range(players)
    )
    result = ResultRecord(0, (10, -1), (2, 1), 6, AT, 3)
    return MatchRecord(number, 1, HERE, "over", made, True, AT, AT, seats, result, None)


def checked(view: Layout) -> str:
    check_limits(view)
    return words(view)


def history(*matches: MatchRecord, before: bool = False, after: bool = False, texts: Texts = EN) -> Layout:
    open_ids = {match.id for match in matches if match.channel_id == HERE}
    return history_panel(HistoryPage(matches, before, after), open_ids, texts, user_id=1000, name="Ana")


def test_a_history_tells_each_match_in_two_lines() -> None:
    void = replace(match(number=8), is_ranked=False, void=VoidRecord(8, 9, "why", AT))
    view = history(void, match(best_of="3"), after=True)
    assert checked(view).splitlines() == [
        "## 📜 Matches of Ana",
        f"-# **#8** · <t:{AT // 1000}:d> <t:{AT // 1000}:t> · Classic · friendly · **void**",
        "🏆 Ana, Chloé · **10 — −1** · Bruno, 🤖 Dora",
        f"-# **#7** · <t:{AT // 1000}:d> <t:{AT // 1000}:t> · Classic · house rules · ranked",
        "🏆 Ana, Chloé · **2 — 1** · Bruno, 🤖 Dora",
        "-# `/kems match` shows one of them, `/kems export` gives it as a file.",
    ]
    newer, older = buttons(view)
    assert (newer.is_enabled, older.is_enabled) == (False, True)
    assert newer.custom_id == f"k1:0:history:1000:b{AT}.8"
    assert older.custom_id == f"k1:0:history:1000:a{AT}.7"


def test_a_match_of_a_channel_that_is_not_seen_is_a_number() -> None:
    view = history(replace(match(number=8), channel_id=HERE + 1), match(), texts=FR, after=True)
    lines = checked(view).splitlines()
    assert lines[1] == "**#8** jouée dans un salon que vous ne voyez pas"
    assert lines[2].startswith("-# **#7** · <t:")
    newer, _ = buttons(view)
    assert newer.custom_id == f"k1:0:history:1000:b{AT}.8", "pages are turned all the same"


@BOTH
def test_every_history_fits(texts: Texts) -> None:
    hostile = [match(12, name=HOSTILE, number=2**53 - number) for number in range(5)]
    checked(history(*hostile, before=True, after=True, texts=texts))
    assert "<@1>" not in checked(history(*hostile, texts=texts))
    assert not buttons(history(texts=texts))
    checked(history_panel(HistoryPage((), False, False), (), texts))


def test_the_forgotten_are_neither_named_nor_taken_for_robots() -> None:
    seats = tuple(replace(seat, name="", user_id=None) if seat.seat == 0 else seat for seat in match().seats)
    assert "🏆 (oublié), Chloé · **10 — −1**" in checked(history(replace(match(), seats=seats), texts=FR))


def told(table: Table, texts: Texts = EN, record: MatchRecord | None = None) -> str:
    log = (*table.opening, *table.log)
    return checked(match_panel(record or match(), rounds_of(log), PARIS, texts, counters_in_vain(log)))


def test_a_match_is_told_round_by_round() -> None:
    table = Table(hands={"A": "KS KH KD KC"}, dealer="D", deck="52")
    table.now = 42_000
    table.do("B react 🎲", "A react 👀", "B counter C", "C kems")
    table.do("- next", "A open", "B kems")
    lines = told(table).splitlines()
    assert lines[:5] == [
        "## 📜 Match 7",
        f"-# {typed(moment(AT, PARIS, EN))} · Classic · ranked",
        "Team 1 · **10 — −1** · Team 2",
        "🏆 ① Ana · Chloé",
        "② Bruno · 🤖 Dora",
    ]
    sum_of_both = "Team 1: +1 · false counter by Bruno: −1"
    told_in_full = f"**1.** KEM'S! Chloé · four alike: Ana · {sum_of_both} → Team 1 · **1 — −1** · Team 2 · 0:42"
    assert lines[5] == told_in_full
    assert lines[6] == "-# signs: Ana 👀 · 1 bluff · false counters: Bruno → Chloé"
    assert lines[7].startswith("**2.** False Kem's Bruno · Team 1: +1 → Team 1 · **2 — −1** · Team 2")
    void = replace(match(), void=VoidRecord(7, 9, "**cheated**", AT))
    assert "Annulée : \\*\\*cheated\\*\\*" in told(table, FR, void)


def test_calls_say_whom_they_named_and_rounds_what_they_gave_in_all() -> None:
    table = Table(hands={"A": "KS KH KD KC"}, dealer="D", deck="52")
    table.do("B counter C", "D counter A")
    lines = told(table).splitlines()
    sum_of_both = "Team 2: +1 · false counter by Bruno: −1"
    assert lines[5].startswith(f"**1.** COUNTER! 🤖 Dora → Ana · {sum_of_both} → "), "no round without points"
    assert lines[6] == "-# false counters: Bruno → Chloé"
    yokai = Table("expert")
    yokai.do("B counter #1")
    assert "False counter Bruno → Team 1 · " in told(yokai)
    table = Table()
    table.do("A guess #2 🍀")
    table.do("B kems")
    assert "-# 📣 Ana: “Team 2, your sign is 🍀” — " in told(table)


def test_a_match_that_was_broken_off_says_when_and_for_whom_it_is_lost() -> None:
    lost = replace(match(), status="cancelled", losers=(SeatRecord(1, 1, "Bruno", 1001), SeatRecord(2, 0, "", None)))
    panel = checked(match_panel(lost, broken_off_words(lost, FR), PARIS, FR))
    assert panel.splitlines()[1] == "-# 15 janv. 2027, 09:00 (Paris) · Classique · classée · interrompue"
    assert panel.endswith("🛑 Interrompue à la manche 6. Défaite pour Bruno, (oublié), et pour personne d'autre.")
    early = replace(lost, result=ResultRecord(None, (0, 0), (0, 0), 0, AT, 3))
    assert broken_off_words(early, EN).startswith("🛑 Broken off before the first round. It is lost for Bruno")
    assert "interrompue" in checked(history(lost, texts=FR))


@BOTH
@pytest.mark.parametrize("name", ["classic", "expert", "bell", "yokai", "american"])
def test_every_match_fits(texts: Texts, name: str) -> None:
    rules = preset(name)
    log = play_at_random(rules, 4, 3, moves=4000)
    record = replace(match(name=HOSTILE), rules=rules)
    view = match_panel(record, rounds_of(log), PARIS, texts)
    assert "<@1>" not in checked(view)


def test_what_does_not_fit_is_counted() -> None:
    table = Table(target=200, three_alike="allowed")
    table.do("B kems")
    for _ in range(110):
        table.do("- next")
        table.do(f"{'ABCD'[table.state.dealer]} open", "B kems")
    *rounds, last = told(table).splitlines()
    shown = sum("False Kem's" in line for line in rounds)
    assert last == f"-# and {111 - shown} more rounds"
    assert 40 < shown < 111
