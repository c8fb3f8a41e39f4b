"""Whatever people call themselves or say: messages keep their lines and their limits, and nothing in them works.

Each message is held against its twin, which is the same with letters alone. Both must have the same lines, the same
controls, and the same markdown, mentions and links: those that the bot itself writes.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bot.discord.api.components import Layout
from bot.discord.text.names import MAX_NAME, clean, label_name
from bot.discord.text.picture_words import MAX_ALT, rows_words
from bot.discord.text.texts import Texts
from bot.game.rules.house_rules import preset
from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.ladder.leaderboard import podium_picture
from bot.ui.lobby.places import thread_name
from bot.ui.records.feature import seat_words
from tests.examples import examples
from tests.ui.gallery import MOST_PEOPLE, ZONE, crowd, gallery
from tests.ui.ladder.test_pictures import line
from tests.ui.screens.ladder import SEASON
from tests.ui.walk import EN, FR, SELECT, TEXT, check_limits, walk

HOSTILE = [
    "@everyone", "<@1>", "<@&1>", "<#1>", "</kems:1>", "<t:1:R>", "<:a:1>", "<id:home>", "discord.gg/kems",
    "https://kems.example", "[x](http://y.z)", "**gras**", "__a__ ~~b~~ ||c||", "```\nx", "`", "\\", "# A", "-# A",
    "> A", ">>> A", "- A", "* A", "1. A", "a\nb\r\nc\u2028d", "\u202eanA", "\u2066A\u2067", "אבג", "1 – 2 שלום",
    "Z" + "\u0301" * 30, "Z" + "\u0301\u200b" * 15, "\u0336\u0336A", "\u200b", "", " ", "\u3164", "\u2800", "\ufe0f",
    "👨‍👩‍👧‍👦" * 5, "🇫🇷" * 11, "W" * 32, "*" * 32, "_*" * 16, "\ufdfd" * 32,
    "مرحبا", "{name}", "{0}", "%s", "&lt;b&gt;", "\x00\x1b[31m",
]  # fmt: skip
LONGEST = 200  # of what people write elsewhere than in their names
LIVE = re.compile(
    r"<[^<>\s]+>|https?://\S|discord\.gg/\w|\]\(|@everyone|@here|[*_~`|]+|^(?:#{1,3}|-#|>{1,3}|[-+]|\d+\.)(?= )",
    re.MULTILINE,
)
OWN_COUNTDOWN = re.compile(r"<t:\d{2,}:R>")  # a name has none of more than one digit
WITH_TITLE = re.compile(r"(?<=:night_publish:0:).*", re.DOTALL)  # the title of a draft, which its panel alone holds
ESCAPED = re.compile(r"\\[!-/:-@[-`{-~]")
TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]")
APART = re.compile("\u2068[^\u2068\u2069]*\u2069")


def skeleton(view: Layout) -> Iterator[tuple[object, ...]]:
    """All of a message but its words: the lines, what is live in each, and every control."""
    for part in walk(view):
        if part["type"] == TEXT:
            yield tuple(tuple(LIVE.findall(ESCAPED.sub("·", each))) for each in part["content"].splitlines())
        else:
            kept = ("type", "custom_id", "style", "disabled", "url", "min_values", "max_values")
            told = {**part, "custom_id": WITH_TITLE.sub("", str(part.get("custom_id")))}
            yield (*(told.get(key) for key in kept), len(part.get("options", ())))


def without_countdowns(where: str, view: Layout) -> list[object]:
    """The skeleton; a hand's news need one line or two, as wide as a name is, and the second tells a time else."""
    if not where.startswith("hand"):
        return list(skeleton(view))
    return [
        tuple(tuple(mark for mark in line if not OWN_COUNTDOWN.match(mark)) for line in lines)
        if all(isinstance(line, tuple) for line in lines)
        else lines
        for lines in skeleton(view)
    ]


def written(view: Layout) -> Iterator[str]:
    """Every word of a message."""
    for part in walk(view):
        yield from (part[key] for key in ("content", "label", "placeholder") if part.get(key))
        if part["type"] == SELECT:
            for option in part.get("options", ()):
                assert 1 <= len(option["label"]) <= 100
                assert len(option.get("description") or "") <= 100
                yield from (option["label"], option.get("description") or "")


def letters(text: str, most: int) -> str:
    """As many letters as there are characters to show of a text; an empty one stays so."""
    return "x" * len(clean(text, most))


def check(names: Sequence[str], phrases: Sequence[str], texts: Texts) -> None:
    plain_names, plain_phrases = [letters(it, MAX_NAME) for it in names], [letters(it, LONGEST) for it in phrases]
    plain = dict(gallery(plain_names, plain_phrases, texts))
    shown = dict(gallery(names, phrases, texts))
    assert shown.keys() == plain.keys()
    for where, view in shown.items():
        check_limits(view)
        assert without_countdowns(where, view) == without_countdowns(where, plain[where]), where
        for part in walk(view):  # a name on a button stands alone
            beside = APART.sub("", part.get("content") or "")
            assert not any(unicodedata.bidirectional(char) in ("R", "AL") for char in beside), where
        for words in written(view):
            assert not TURNS.search(words), where
            assert not re.search("[\u2068\u2069]", APART.sub("", words)), where
            assert all(unicodedata.category(char) != "Cc" for char in words.replace("\n", "")), where


@pytest.mark.parametrize("first", range(0, len(HOSTILE), MOST_PEOPLE))
def test_no_name_or_phrase_breaks_a_message(first: int) -> None:
    names = HOSTILE[first : first + MOST_PEOPLE]
    check(names, [name * (LONGEST // max(1, len(name))) for name in reversed(names)], FR)


_PIECES = st.sampled_from([*HOSTILE, *"a7 <>@*|\\.:#-[]()`", "here", "//", "\u0301", "\u200d", "\u2069"])
_WRITTEN = st.one_of(st.text(max_size=32), st.lists(_PIECES, max_size=8).map("".join))


@settings(max_examples=examples(8), phases=[Phase.generate])
@given(st.lists(_WRITTEN, min_size=MOST_PEOPLE, max_size=MOST_PEOPLE))
def test_no_mixture_of_names_and_phrases_breaks_a_message(mixtures: list[str]) -> None:
    check([it[:32] for it in mixtures], [it[:LONGEST] for it in mixtures], EN)


@given(name=_WRITTEN)
def test_hostile_names_break_no_labels_pictures_or_files(name: str) -> None:
    assert 1 <= len(label_name(Player(name, 1, is_away=True, is_open=True))) <= 80
    people = tuple(Player(name, number) for number in range(1, MOST_PEOPLE + 1))
    table = Lobby(1, TableChannel(1, 2), 1, preset("classic"), MOST_PEOPLE, people, False, "fr", 0)
    assert 1 <= len(thread_name(table)) <= 100
    picture = podium_picture(SEASON, [line(1, 1, 2, name=name)], ZONE, FR)
    assert picture is not None
    assert len(rows_words(picture).splitlines()) == 1
    assert len(rows_words(picture)) <= MAX_ALT
    words = seat_words([player.name for player in crowd([name])])
    assert len({word.casefold() for word in words}) == len(words)
    assert all(word.isalnum() for word in words)


def test_the_gallery_shows_names_nearly_everywhere() -> None:
    """Else the tests above would test nothing."""
    marked = dict(gallery(["Ω" * 9], ["Ψ" * 30], FR))
    lacking = {where for where, view in marked.items() if not re.search("Ω{9}|Ψ{9}", " ".join(written(view)))}
    assert len(marked) > 80
    assert {where.split()[0] for where in lacking} <= {"ballot", "counter", "sign", "hand", "line"}
