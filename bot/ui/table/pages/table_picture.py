"""The picture of a running table for its onlookers, as a value and in words, and the message around it.

It is made from the public view alone, and holds nothing that the public message does not say in words.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.custom_ids import RoundCustomIds
from bot.discord.pictures.card_faces import Faces, rank_of
from bot.discord.text.names import label_name
from bot.discord.text.picture_words import alt, plain
from bot.game.cards import RANKS, Card
from bot.game.events import Phase
from bot.game.views import TableView
from bot.records.pictures import RunningSeat, RunningTable
from bot.records.player import Player
from bot.ui.table.pages.board import NO_ROBOTS, OpenRobotSeats, people_buttons, reservation_lines, table_buttons
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import (
    EMPTY_SLOT,
    TableText,
    exchanges_line,
    known_single,
    latest_of_each,
    reports,
    signed_points,
)

_SHOWN: Final = frozenset({Phase.DEAL, Phase.READY, Phase.HUNT, Phase.SWEEP, Phase.CHAIN})
"""Before these phases there are no cards; after them the result describes the round."""


def is_shown(view: TableView) -> bool:
    """Return whether a picture can show the table; between rounds it is described in words."""
    return view.phase in _SHOWN and view.pause is None


def table_picture(
    view: TableView, people: Sequence[Player], faces: Faces, named: Callable[[str], str] = plain
) -> RunningTable:
    """Return the picture of a table; `named` replaces servers' own emojis by names."""
    language, newest = faces.texts.locale, _newest(view, named)
    return RunningTable(
        theme=faces.theme,
        ranks=tuple(rank_of(Card(group, 0), language) for group in range(len(RANKS))),
        seats=tuple(
            RunningSeat(label_name(player), info.team, newest.get(info.seat, ""), info.owes)
            for player, info in zip(people, view.seats, strict=True)
        ),
        pool=tuple(view.pool),
        scores=tuple(map(signed_points, view.scores)),
        note=TableText(view, people, faces).games().strip(),
    )


def picture_words(view: TableView, people: Sequence[Player], faces: Faces, named: Callable[[str], str] = plain) -> str:
    """Return the picture's alternative text, for people who do not see it."""
    text, newest = TableText(view, people, faces), _newest(view, named)
    cards = " ".join(EMPTY_SLOT if card is None else faces.label(card) for card in view.pool) or EMPTY_SLOT
    middle = faces.texts.t("In the middle: {cards}", cards=cards)
    seats = " · ".join(f"{text.seat(seat)} {newest.get(seat, '')}".strip() for seat in range(len(people)))
    return alt(plain(f"{middle}. {text.score()}. {seats}"))


def captioned_board(
    view: TableView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    opened_hands: Collection[int],
    robots: OpenRobotSeats = NO_ROBOTS,
) -> c.Layout:
    """Return the table's message around the picture, with what the picture does not show."""
    ids, texts, table_text = RoundCustomIds(table_id, view.round), faces.texts, TableText(view, people, faces)
    caption = c.text(
        exchanges_line(table_text),
        table_text.duties(),
        table_text.still_opening(opened_hands),
        *reports(table_text),
        known_single(table_text),
        *reservation_lines(robots, table_text),
    )
    return c.layout(
        c.text(f"**{table_text.round_name()}** · {table_text.state()}"),
        *([caption] if caption["content"] else []),
        *c.rows([*table_buttons(view, ids, texts), *people_buttons(view, people, ids, texts, robots)]),
        colour=c.GREEN,
    )


def _newest(view: TableView, named: Callable[[str], str]) -> dict[int, str]:
    """Return the newest gesture of each seat that made one."""
    return {item.seat: plain(named(shown_gesture(item.kind, item.text))) for item in latest_of_each(view.gestures)}
