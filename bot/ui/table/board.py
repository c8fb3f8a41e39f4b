"""The public table. It gets the public view alone, so no hidden card can ever be on it.

Nothing moves under the thumb: the same rows stand in the same places in every phase of a round, and what is not
possible now is disabled.
"""

from collections.abc import Collection, Sequence
from typing import Final

from bot.game.cards import Card
from bot.game.events import Outcome
from bot.game.phase import Phase
from bot.game.rules import DoubleCall
from bot.game.views import TableView
from bot.records.player import Player
from bot.ui.kit.components import (
    DANGER,
    IN_ROW,
    PRIMARY,
    SECONDARY,
    SUCCESS,
    Button,
    Layout,
    Row,
    Style,
    button,
    layout,
    rows,
    text,
)
from bot.ui.kit.custom_ids import Ids, Verb
from bot.ui.kit.palette import GREEN
from bot.ui.kit.texts import Texts
from bot.ui.table.people_buttons import people_buttons
from bot.ui.table.result import result_board
from bot.ui.words.card_faces import Faces
from bot.ui.words.public_signs import known_single, reports, vote_outcome
from bot.ui.words.table_text import EMPTY_SLOT, TableText

POOL_ON_BOARD: Final = 12  # buttons for open cards; further cards are named in the text and move up
_BEFORE_HUNT: Final = frozenset({"signs", "deal", "ready"})
_OVER: Final = frozenset({"over", "match_over"})


def table_board(
    view: TableView, people: Sequence[Player], table_id: int, faces: Faces, opened_hands: Collection[int]
) -> Layout:
    """The table message in every phase; once the round is over, its result (`bot.ui.table.result`).

    `people` by seat; `opened_hands` are the seats whose panel is open.
    """
    if view.phase in _OVER:
        return result_board(view, people, table_id, faces)
    ids, texts, table_text = Ids(table_id, view.round), faces.texts, TableText(view, people, faces)
    answers = answer_buttons(ids, texts, may_answer=view.phase is Phase.SWEEP)
    helping = button(texts.t("❔ Help"), ids(Verb.HELP))
    return layout(
        text(table_text.heading()),
        text(table_text.pool()),
        text(
            table_text.state(),
            table_text.duties(),
            table_text.seats(opened_hands),
            table_text.ticker(),
            *reports(table_text),
            known_single(table_text),
            vote_outcome(table_text),
        ),
        *pool_rows(view, ids, faces, is_enabled=view.phase is Phase.HUNT, most=POOL_ON_BOARD),
        *rows(_table_buttons(view, ids, texts)),
        *rows(call_buttons(view, ids, texts)),
        *rows([*answers, helping, *people_buttons(view, people, ids, texts)]),
        colour=GREEN,
    )


def pool_rows(view: TableView, ids: Ids, faces: Faces, *, is_enabled: bool, most: int) -> list[Row]:
    """A button for every open card, each in its slot: a press takes the card it names."""
    slots = within_reach(view, most)
    buttons = []
    for slot in range(max(IN_ROW, len(slots))):
        card = slots[slot] if slot < len(slots) else None
        if card is None:
            buttons.append(button(EMPTY_SLOT, ids(Verb.EMPTY, f"pool{slot}"), is_enabled=False))
        else:
            take = ids(Verb.TAKE, card.code)
            buttons.append(card_button(card, take, faces, is_enabled=is_enabled))
    return rows(buttons, faces.in_row)


def card_button(card: Card, custom_id: str, faces: Faces, *, style: Style = SECONDARY, is_enabled: bool) -> Button:
    """A button that names a card, with its picture where there is one."""
    return button(faces.label(card), custom_id, style=style, is_enabled=is_enabled, emoji=faces.picture(card))


def within_reach(view: TableView, most: int) -> tuple[Card | None, ...]:
    """The pool as it lies, or its first `most` cards without the gaps where it has grown wider than that."""
    return view.pool if len(view.pool) <= most else tuple(card for card in view.pool if card is not None)[:most]


def call_buttons(view: TableView, ids: Ids, texts: Texts, *, seat: int | None = None) -> list[Button]:
    """Kem's, double, counter: one tap to call. `seat` is the reader's, None where everybody reads it."""
    kems, double = texts.t("🔔 Kem's!"), texts.t("Double!")
    if view.rules.calls.bell:
        kems, double = texts.t("🛎️ Kem's!"), texts.t("🛎️ Super Kem's!")
    is_hunt, can_counter = view.phase is Phase.HUNT, may_counter(view, seat) or may_counter(view, seat, is_double=True)
    return [
        button(kems, ids(Verb.KEMS), style=SUCCESS, is_enabled=is_hunt),
        button(double, ids(Verb.DOUBLE), style=SUCCESS, is_enabled=_may_double(view, seat)),
        button(texts.t("Counter…"), ids(Verb.COUNTER), style=DANGER, is_enabled=can_counter),
    ]


def may_counter(view: TableView, seat: int | None, *, is_double: bool = False) -> bool:
    """Whether a counter may be called now; a double one is also the word that may be added to a double."""
    if view.chain is not None:
        is_open = is_double and view.chain.outcome is Outcome.DOUBLE and _adds(view, seat)
    else:
        is_open = view.phase is Phase.HUNT
    return is_open and (seat is None or view.seats[seat].can_counter)


def _may_double(view: TableView, seat: int | None) -> bool:
    if view.chain is not None:
        has_spoken = view.chain.outcome is Outcome.KEMS and seat == view.chain.caller  # it takes a second voice
        return view.chain.outcome is not Outcome.DOUBLE and _adds(view, seat) and not has_spoken
    at_once = view.rules.calls.double is DoubleCall.AT_ONCE
    return at_once and view.phase is Phase.HUNT and len(view.seats) > view.teams


def _adds(view: TableView, seat: int | None) -> bool:
    """Whether the reader's team may add a word to its call."""
    chain = view.chain
    return seat is None or (chain is not None and view.seats[seat].team == view.seats[chain.caller].team)


def sweep_button(view: TableView, ids: Ids, texts: Texts, *, may_open: bool) -> Button:
    """Ask for a sweep; in the same place, before the hunt, open it."""
    if view.phase in _BEFORE_HUNT:
        return button(texts.t("📣 Open the hunt"), ids(Verb.OPEN), style=PRIMARY, is_enabled=may_open)
    can_ask = view.phase is Phase.HUNT and view.sweep_from is not None
    return button(texts.t("🧹 Sweep?"), ids(Verb.SWEEP), is_enabled=can_ask)


def answer_buttons(ids: Ids, texts: Texts, *, may_answer: bool) -> list[Button]:
    """Agree to a sweep, or refuse it."""
    yes, no = (SUCCESS, DANGER) if may_answer else (SECONDARY, SECONDARY)
    return [
        button(texts.t("Yes"), ids(Verb.YES), style=yes, is_enabled=may_answer),
        button(texts.t("No"), ids(Verb.NO), style=no, is_enabled=may_answer),
    ]


def _table_buttons(view: TableView, ids: Ids, texts: Texts) -> list[Button]:
    if view.phase is Phase.SIGNS:
        own = button(texts.t("🤫 My team's sign"), ids(Verb.SIGN_PANEL), style=PRIMARY)
    else:
        own = button(texts.t("🂠 My hand"), ids(Verb.HAND), style=PRIMARY)
    return [own, sweep_button(view, ids, texts, may_open=view.phase is Phase.READY)]
