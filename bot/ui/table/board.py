"""The public table, made from the public view alone: no hidden card can be on it.

The same rows stand in the same places in every phase of a round; what is not possible now is disabled.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from bot.game.cards import Card
from bot.game.events import CallKind
from bot.game.phase import Phase
from bot.game.rules.parts import SweepBy
from bot.game.views import Offers, TableView
from bot.records.player import Player
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids, ids_of
from bot.ui.kit.palette import GREEN
from bot.ui.kit.texts import Texts
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.match_end import match_end_board
from bot.ui.table.result import people_buttons, result_board
from bot.ui.table.story_log import log_line
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import EMPTY_SLOT, TableText, known_single, reports, vote_outcome

_BEFORE_HUNT: Final = frozenset({"signs", "deal", "ready"})
_REMEMBERED: Final = 1024  # rows that stay the same for most of a round


def table_board(
    view: TableView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    opened_hands: Collection[int],
    log: Sequence[TableView] = (),
) -> c.Layout:
    """The table message in every phase of a round; once that is over, its result (`bot.ui.table.result`).

    `people` by seat; `opened_hands` are the seats whose panel is open; `log` are the rounds before this one.
    """
    if view.phase is Phase.MATCH_OVER:
        return match_end_board(view, people, table_id, faces, log=log)
    if view.phase is Phase.OVER:
        return result_board(view, people, table_id, faces, log)
    ids, texts, table_text = ids_of(table_id, view.round), faces.texts, TableText(view, people, faces)
    return c.layout(
        c.text(table_text.heading(), log_line(log, texts)),
        c.text(table_text.pool()),
        c.text(
            table_text.state(),
            table_text.duties(),
            table_text.seats(opened_hands),
            table_text.ticker(),
            *reports(table_text),
            known_single(table_text),
            vote_outcome(table_text),
        ),
        *c.rows([*_buttons(view, ids, texts), *people_buttons(view, people, ids, texts)]),
        colour=GREEN,
    )


def pool_rows(view: TableView, ids: Ids, faces: Faces, *, is_enabled: bool, most: int) -> list[c.Row]:
    """A button for every open card, each in its slot: a press takes the card it names."""
    slots = within_reach(view, most)
    buttons = []
    for slot in range(max(c.IN_ROW, len(slots))):
        card = slots[slot] if slot < len(slots) else None
        if card is None:
            buttons.append(c.button(EMPTY_SLOT, ids(TableVerb.EMPTY, f"pool{slot}"), is_enabled=False))
        else:
            take = ids(TableVerb.TAKE, card.code)
            buttons.append(card_button(card, take, faces, is_enabled=is_enabled))
    return c.rows(buttons, faces.in_row)


def card_button(
    card: Card, custom_id: str, faces: Faces, *, style: c.Style = c.SECONDARY, is_enabled: bool
) -> c.Button:
    return c.button(faces.label(card), custom_id, style=style, is_enabled=is_enabled, emoji=faces.picture(card))


def within_reach(view: TableView, most: int) -> tuple[Card | None, ...]:
    """The pool as it lies, or its first `most` cards without the gaps where it has grown wider than that."""
    return view.pool if len(view.pool) <= most else tuple(card for card in view.pool if card is not None)[:most]


def call_buttons(view: TableView, offers: Offers, ids: Ids, texts: Texts) -> Sequence[c.Button]:
    """Returns the buttons for Kem's, double and counter; `offers` are the reader's, or the table's for everybody."""
    return _call_buttons(offers.calls, ids, texts, has_bell=view.rules.calls.bell)


@lru_cache(_REMEMBERED)
def _call_buttons(calls: frozenset[CallKind], ids: Ids, texts: Texts, *, has_bell: bool) -> Sequence[c.Button]:
    kems, double = texts.t("🔔 Kem's!"), texts.t("Double!")
    if has_bell:
        kems, double = texts.t("🛎️ Kem's!"), texts.t("🛎️ Super Kem's!")
    can_counter = CallKind.COUNTER in calls or CallKind.DOUBLE_COUNTER in calls
    return [
        c.button(kems, ids(TableVerb.KEMS), style=c.SUCCESS, is_enabled=CallKind.KEMS in calls),
        c.button(double, ids(TableVerb.DOUBLE), style=c.SUCCESS, is_enabled=CallKind.DOUBLE in calls),
        c.button(texts.t("Counter…"), ids(TableVerb.COUNTER), style=c.DANGER, is_enabled=can_counter),
    ]


def sweep_button(view: TableView, offers: Offers, ids: Ids, texts: Texts) -> c.Button:
    """Returns the button that opens the hunt, and once that is open the one that asks for a sweep."""
    if view.phase in _BEFORE_HUNT:
        return c.button(texts.t("📣 Open the hunt"), ids(TableVerb.OPEN), style=c.PRIMARY, is_enabled=offers.may_open)
    return c.button(texts.t("🧹 Sweep?"), ids(TableVerb.SWEEP), is_enabled=offers.may_sweep)


def answer_buttons(ids: Ids, texts: Texts, view: TableView, *, is_asked: bool, may_answer: bool) -> Sequence[c.Button]:
    """Returns the buttons that agree to a sweep and refuse it, in colour where the reader `is_asked`.

    A dealer's count is refused by putting a card down, and by no button.
    """
    may_refuse = may_answer and view.rules.sweep.sweep_by is SweepBy.ANYBODY
    return _answer_buttons(ids, texts, is_asked=is_asked, may_answer=may_answer, may_refuse=may_refuse)


@lru_cache(_REMEMBERED)
def _answer_buttons(
    ids: Ids, texts: Texts, *, is_asked: bool, may_answer: bool, may_refuse: bool
) -> Sequence[c.Button]:
    yes, no = (c.SUCCESS, c.DANGER) if is_asked else (c.SECONDARY, c.SECONDARY)
    return [
        c.button(texts.t("Yes"), ids(TableVerb.YES), style=yes, is_enabled=may_answer),
        c.button(texts.t("No"), ids(TableVerb.NO), style=no, is_enabled=may_refuse),
    ]


def _buttons(view: TableView, ids: Ids, texts: Texts) -> list[c.Button]:
    """One row, the same in every phase: cards, sweeps and doubles are for the hand panel."""
    if view.phase is Phase.SIGNS:
        own = c.button(texts.t("🤫 My team's sign"), ids(TableVerb.SIGN_PANEL), style=c.PRIMARY)
    else:
        own = c.button(texts.t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY)
    kems, _, counter = call_buttons(view, view.offers, ids, texts)
    return [own, kems, counter, c.button(texts.t("❔ Help"), ids(RulesVerb.HELP))]
