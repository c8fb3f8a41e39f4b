"""The picture of a running table for its onlookers, as a value and in words.

It is made from the public view alone, and holds nothing that the public message does not say in words.
"""

from collections.abc import Callable, Sequence
from typing import Final

from bot.game.cards import RANKS, Card
from bot.game.events import Phase
from bot.game.views import TableView
from bot.records.pictures import RunningSeat, RunningTable
from bot.records.player import Player
from bot.ui.kit.names import label_name
from bot.ui.kit.picture_words import alt, plain
from bot.ui.words.card_faces import Faces, rank_of
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import EMPTY_SLOT, TableText, latest_of_each, signed

_SHOWN: Final = frozenset({Phase.DEAL, Phase.READY, Phase.HUNT, Phase.SWEEP, Phase.CHAIN})
"""Before them there are no cards; after them the round is told by its story."""


def is_shown(view: TableView) -> bool:
    """Whether a picture can show the table; where it rests, words say that."""
    return view.phase in _SHOWN and view.pause is None


def table_picture(
    view: TableView, people: Sequence[Player], faces: Faces, named: Callable[[str], str] = plain
) -> RunningTable:
    """`named` puts names in the places of servers' own emojis."""
    language, newest = faces.texts.locale, _newest(view, named)
    return RunningTable(
        theme=faces.theme,
        ranks=tuple(rank_of(Card(group, 0), language) for group in range(len(RANKS))),
        seats=tuple(
            RunningSeat(label_name(player), info.team, newest.get(info.seat, ""), info.owes)
            for player, info in zip(people, view.seats, strict=True)
        ),
        pool=tuple(view.pool),
        scores=tuple(map(signed, view.scores)),
        note=TableText(view, people, faces).games().strip(),
    )


def picture_words(view: TableView, people: Sequence[Player], faces: Faces, named: Callable[[str], str] = plain) -> str:
    """What the picture shows, for those who do not see it."""
    text, newest = TableText(view, people, faces), _newest(view, named)
    cards = " ".join(EMPTY_SLOT if card is None else faces.label(card) for card in view.pool) or EMPTY_SLOT
    middle = faces.texts.t("In the middle: {cards}", cards=cards)
    seats = " · ".join(f"{text.seat(seat)} {newest.get(seat, '')}".strip() for seat in range(len(people)))
    return alt(plain(f"{middle}. {text.score()}. {seats}"))


def _newest(view: TableView, named: Callable[[str], str]) -> dict[int, str]:
    """The newest gesture of each seat that made one."""
    return {item.seat: plain(named(shown_gesture(item.kind, item.text))) for item in latest_of_each(view.gestures)}
