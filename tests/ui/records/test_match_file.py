"""Names in exported matches: words that KGN can tell apart."""

import pytest

from bot.game.events import GestureMade, HuntOpened
from bot.game.notation.replay import replay_match
from bot.game.signs import GestureKind
from bot.records.archive import PastMatch
from bot.records.pictures import Theme
from bot.records.player import Player
from bot.ui.records.feature import match_file, seat_words
from tests.store.matches import a_match


def people(*names: str) -> tuple[Player, ...]:
    return tuple(Player(name, seat) for seat, name in enumerate(names))


@pytest.mark.parametrize(("names", "words"), [
    (("Léa", "Bruno", "Zoé 2"), ("Léa", "Bruno", "Zoé2")),
    (("Ana", "ana", "A n a", "Ana2"), ("Ana", "ana2", "Ana3", "Ana22")),
    (("", '- # "]', "🦊", "P1"), ("P1", "P2", "P3", "P12")),
    (("le\u0301a", "𝓛𝓮𝓪", "x" * 99), ("léa", "Lea", "x" * 20)),
    (("陈", "Ὀδυσσεύς", "أحمد"), ("陈", "Ὀδυσσεύς", "أحمد")),
])  # fmt: skip
def test_names_become_distinct_words_of_kgn(names: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert seat_words(names) == words


async def test_people_with_the_strangest_names_replay() -> None:
    events, state = a_match(target=3)
    file = await match_file(PastMatch(12, Theme.FRENCH, people("-", "#2 kems", "[Kgn]", '"'), events))
    assert file.filename == "kems-12.kgn"
    replay, _ = replay_match(file.fp.read().decode())
    assert replay.head.names == ("P1", "2kems", "Kgn", "P4")
    assert (replay.state.scores, replay.state.winner) == (state.scores, state.winner)


async def test_a_phrase_posted_on_several_lines_replays() -> None:
    events, _ = a_match(target=2)
    opened = next(index for index, event in enumerate(events) if isinstance(event, HuntOpened))
    posted = GestureMade(events[opened].at, 1, GestureKind.POST, "🍀\n🍀")
    log = (*events[: opened + 1], posted, *events[opened + 1 :])
    file = await match_file(PastMatch(1, Theme.FRENCH, people("A", "B", "C", "D"), log))
    _, replayed = replay_match(file.fp.read().decode())
    assert [event.text for event in replayed if isinstance(event, GestureMade) and event.seat == 1] == ["🍀 🍀"]
