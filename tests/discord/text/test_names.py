"""Names are only ever read: nothing in them works as a mention, a link, markdown or a trick on the eye."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from bot.discord.text.names import (
    MAX_NAME,
    clean,
    disambiguate,
    disambiguate_players,
    display_name,
    escape_markdown,
    escape_prose,
    escaped_name,
    label_name,
)
from bot.discord.text.text_width import truncate_to_width
from bot.records.player import Player
from tests.together import together


@together(("written", "shown"), [
    ("Chloé", "Chloé"),
    ("Jean-Pierre d'Arc", "Jean-Pierre d'Arc"),
    ("李小龙", "李小龙"),
    ("👨‍👩‍👧 Zoé", "👨‍👩‍👧 Zoé"),
    ("Chloé 🫪 \U000323b0", "Chloé 🫪 \U000323b0"),
    ("🏴󠁧󠁢󠁳󠁣󠁴󠁿 Isla", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Isla"),
    ("\u0645\u06cc\u200c\u062e\u0648", "\u2068\u0645\u06cc\u200c\u062e\u0648\u2069"),
    ("ක්\u200dෂ", "ක්\u200dෂ"),
    ("ប\u200c៉ី", "ប\u200c៉ី"),
    ("র\u200d্যাব", "র\u200d্যাব"),
    ("ប\u200cប\u200d", "បប"),
    ("*️⃣ et #️⃣", "*️⃣ et #️⃣"),
    ("Al\u200cex\u200d\U000e0067", "Alex"),
    ("a\x00b\u202ec\u200bd\ue000e\ud800f\ufdd0g\U0001fffe", "abcdefg"),
    ("**gras**", r"\*\*gras\*\*"),
    ("# titre", r"\# titre"),
    ("a_b`c`|d|~e~\\", r"a\_b\`c\`\|d\|\~e\~\\"),
    ("<@123>", "‹@\u200b123›"),
    ("@everyone", "@\u200beveryone"),
    ("<t:1:R>", "‹t:1:R›"),
    ("[x](http://y.z)", "[x]\u200b(http:\u200b//y.z)"),
    ("ana\u202eonurb", "anaonurb"),
    ("a\u200bb\u2066c\x00d", "abcd"),
    ("ligne\nsuivante", "ligne suivante"),
    ("1. liste", r"1\. liste"),
    ("- liste", r"\- liste"),
    ("2.5", r"2\.5"),
    ("discord.gg/kems", "discord.gg\u200b/kems"),
    ("AC/DC", "AC/DC"),
    ("\u3164\u2800\ufe0f\U000e0101", ""),
    ("a\u3164b", "a b"),
    ("\u0336\u0336biffé", "biffé"),
    ("❤️ 1️⃣", "❤️ 1️⃣"),
    ("עמית 4 – 2", "\u2068עמית 4 – 2\u2069"),
])  # fmt: skip
def test_a_name_is_escaped(written: str, shown: str) -> None:
    assert escape_markdown(written) == shown


def test_a_long_name_is_truncated_and_stacked_accents_are_removed() -> None:
    assert clean("x" * 40) == "x" * (MAX_NAME - 1) + "…"
    assert clean("🇫🇷" * 15) == "🇫🇷" * 9 + "…"
    assert clean("e\u0328" * 15) == "ę" * 15
    tower = clean("Z" + "\u0301" * 30 + "oé")
    assert sum(unicodedata.category(char) == "Mn" for char in tower) <= 2
    for hidden in "\u200b\u200d\u034f":  # between the accents, to begin anew
        assert clean("Z" + f"\u0301{hidden}" * 9).count("\u0301") <= 2


def test_robots_are_marked_and_empty_names_are_replaced() -> None:
    assert display_name(Player("Zoé")) == "🤖 Zoé"
    assert display_name(Player("\u200b\u202e", 5)) == "?"
    assert label_name(Player("a_b", 5)) == "a_b"
    assert escaped_name("\u3164") == "?"


def test_multi_line_text_of_a_person_keeps_its_lines_and_links() -> None:
    said = "Bonsoir !\n\n\n21 h : **ronde**\n# fin\n@here <@1> [x](https://y.z/a_b) https://y.z/c_d?e=1"
    assert escape_prose(said, 900) == (
        "Bonsoir !\n\n21 h : \\*\\*ronde\\*\\*\n\\# fin\n@\u200bhere ‹@\u200b1› [x]\u200b(https://y.z/a_b) https://y.z/c_d?e=1"
    )
    assert escape_prose("\u200b\n \n", 900) == ""
    assert len(escape_prose("a\n" * 900, 100)) <= 100


@given(st.text(max_size=60))
def test_any_name_is_one_short_line_without_controls(written: str) -> None:
    shown = clean(written)
    assert len(shown) <= MAX_NAME
    assert shown == shown.strip()
    assert all(char in "\u200c\u200d" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co") for char in shown)
    assert "<" not in escape_markdown(written)


def test_a_truncated_name_closes_its_direction_isolate() -> None:
    assert truncate_to_width("\u2068" + "ماريا" * 4 + "\u2069 x", 6).endswith("…\u2069")


def test_truncation_never_separates_an_escape_from_its_character() -> None:
    for ems in range(2, 12):
        assert "\\…" not in truncate_to_width(r"\*" * 20, ems)


def test_people_with_the_same_name_get_numbers_within_the_length_of_a_name() -> None:
    assert disambiguate(("Alex", "Zoé", "Alex", "alex", "Alex (2)")) == (
        "Alex",
        "Zoé",
        "Alex (2)",
        "alex (3)",
        "Alex (2) (2)",
    )
    first, second = disambiguate(("Alexandre le Grand I", "Alexandre le Grand II and more"))
    assert (first, second) == ("Alexandre le Grand I", "Alexandre le Grand…")
    one, two = disambiguate(("Alexandre le Grand premier", "Alexandre le Grand second"))
    assert (one, two) == ("Alexandre le Grand…", "Alexandre le Gr… (2)")
    assert disambiguate(("", "\u200b")) == ("", "")
    assert escaped_name(two) == two


def test_a_table_numbers_people_with_the_same_name() -> None:
    people = (Player("Alex", 5), None, Player("Alex", 6), Player("(forgotten)", 0), Player("(forgotten)", 0))
    shown = [None if player is None else label_name(player) for player in disambiguate_players(people)]
    assert shown == ["Alex", None, "Alex (2)", "(forgotten)", "(forgotten)"]
