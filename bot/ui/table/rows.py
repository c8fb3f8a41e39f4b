"""The rows of buttons of a running round; the public table shows some of them too."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from bot.game.cards import Card
from bot.game.events import CallKind
from bot.game.phase import DEAL, READY, SIGNS
from bot.game.rules.parts import SweepBy
from bot.game.views import Offers, SeatView, TableView
from bot.tables.lobby.coaching import Coaching
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids
from bot.ui.kit.text_width import centred, width
from bot.ui.kit.texts import Texts
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces

_BEFORE_HUNT: Final = (SIGNS, DEAL, READY)
_ROUNDS: Final = 256
"""Of the cards of so many rounds, in each language and state, the buttons are remembered: a hundred busy tables have
them enabled and disabled.
"""
_REMEMBERED: Final = 1024
"""Other buttons and rows: as many as a hundred busy tables show."""


def pool_rows(view: TableView, ids: Ids, faces: Faces, *, is_enabled: bool, slots: int) -> list[c.Row]:
    """A button for each of so many slots of the pool: a press takes the card that it names."""
    pool, shown = view.pool[:slots], _pool_slots(ids, faces, is_enabled)
    buttons = [shown[slot if card is None else card] for slot, card in enumerate(pool)]
    buttons += [shown[slot] for slot in range(len(pool), slots)]
    return c.rows(buttons, faces.in_row)


def hand_rows(view: SeatView, ids: Ids, faces: Faces) -> list[c.Row]:
    """A button for each slot of the hand: a press puts down the card that it names."""
    is_enabled, thirds = view.may_put_down, view.third_alike
    shown = _hand_slots(ids, faces, is_enabled, False)
    buttons = [shown[slot if card is None else card] for slot, card in enumerate(view.hand)]
    if thirds:
        marked = _hand_slots(ids, faces, is_enabled, True)
        buttons = [marked[card] if card in thirds else shown for shown, card in zip(buttons, view.hand, strict=True)]
    return c.rows(buttons, faces.in_row)


class _Slots(dict[Card | int, c.Button]):
    """Buttons by card, or by the number of an empty slot: each is made when it is first shown."""

    def __init__(self, card: Callable[[Card], c.Button], empty: Callable[[int], c.Button]) -> None:
        self._card = card
        self._empty = empty

    def __missing__(self, shown: Card | int) -> c.Button:
        made = self[shown] = self._empty(shown) if isinstance(shown, int) else self._card(shown)
        return made


@lru_cache(_ROUNDS)
def _pool_slots(ids: Ids, faces: Faces, is_enabled: bool) -> Mapping[Card | int, c.Button]:
    def take(card: Card) -> c.Button:
        label, picture = faces.slot(card), faces.slot_picture(card)
        return c.button(label, ids(TableVerb.TAKE, card.code), is_enabled=is_enabled, emoji=picture)

    def empty(slot: int) -> c.Button:
        return c.button(faces.slot(None), ids(TableVerb.EMPTY, f"pool{slot}"), is_enabled=False)

    return _Slots(take, empty)


@lru_cache(_ROUNDS)
def _hand_slots(ids: Ids, faces: Faces, is_enabled: bool, is_third: bool) -> Mapping[Card | int, c.Button]:
    style = c.DANGER if is_third else c.PRIMARY

    def put(card: Card) -> c.Button:
        label, picture = faces.hand_slot(card, has_warning=is_third), faces.slot_picture(card)
        return c.button(label, ids(TableVerb.PUT, card.code), style=style, is_enabled=is_enabled, emoji=picture)

    def empty(slot: int) -> c.Button:
        return c.button(faces.hand_slot(None), ids(TableVerb.EMPTY, f"hand{slot}"), is_enabled=False)

    return _Slots(put, empty)


def call_rows(view: SeatView, ids: Ids, texts: Texts, coaching: Coaching, *, is_sign_urgent: bool) -> Sequence[c.Row]:
    """Returns Kem's beside the sign, and the counter beside the double; nothing beside Kem's costs points.

    Where there is a coach, the button that sends it away, or calls it back, stands last.
    """
    return _call_rows(view.offers.calls, ids, texts, coaching, view.table.rules.calls.bell, is_sign_urgent)


@lru_cache(_REMEMBERED)
def _call_rows(
    calls: frozenset[CallKind], ids: Ids, texts: Texts, coaching: Coaching, has_bell: bool, is_sign_urgent: bool
) -> Sequence[c.Row]:
    kems, double, counter = _call_buttons(calls, ids, texts, has_bell)
    style = c.PRIMARY if is_sign_urgent else c.SECONDARY
    sign = c.button(texts.t("🤫 Sign…"), ids(TableVerb.SIGN_PANEL), style=style)
    if coaching is Coaching.NONE:
        return c.row(kems, sign), c.row(counter, double)
    coach = _coach_button(ids, texts, is_on=coaching is not Coaching.AWAY, is_narrow=has_bell)
    return c.row(kems, sign), c.row(counter, double, coach)


def _coach_button(ids: Ids, texts: Texts, *, is_on: bool, is_narrow: bool) -> c.Button:
    """Returns the button that sends the coach away, or calls it back; equally wide.

    `is_narrow`: on a phone the row has no room for its words, as beside a Super Kem's.
    """
    dismiss, call = ("💡", "💡") if is_narrow else (texts.t("💡 Stop"), texts.t("💡 Hints"))
    wide = max(width(dismiss), width(call))
    asked = Coaching.AWAY if is_on else Coaching.ON
    return c.button(centred(dismiss if is_on else call, wide), ids(TableVerb.COACH, asked.value))


def call_buttons(view: TableView, offers: Offers, ids: Ids, texts: Texts) -> Sequence[c.Button]:
    """Returns the buttons for Kem's, double and counter; `offers` are the reader's, or the table's for everybody."""
    return _call_buttons(offers.calls, ids, texts, view.rules.calls.bell)


@lru_cache(_REMEMBERED)
def _call_buttons(calls: frozenset[CallKind], ids: Ids, texts: Texts, has_bell: bool) -> Sequence[c.Button]:
    kems, double = texts.t("🔔 Kem's!"), texts.t("Double!")
    if has_bell:
        kems, double = texts.t("🛎️ Kem's!"), texts.t("🛎️ Super Kem's!")
    can_counter = CallKind.COUNTER in calls or CallKind.DOUBLE_COUNTER in calls
    return [
        c.button(kems, ids(TableVerb.KEMS), style=c.SUCCESS, is_enabled=CallKind.KEMS in calls),
        c.button(double, ids(TableVerb.DOUBLE), style=c.SUCCESS, is_enabled=CallKind.DOUBLE in calls),
        c.button(texts.t("Counter…"), ids(TableVerb.COUNTER), style=c.DANGER, is_enabled=can_counter),
    ]


def vote_row(view: SeatView, ids: Ids, texts: Texts) -> c.Row:
    """Returns the sweep, or what opens the hunt, and the answers to a vote, in colour where the reader may answer.

    A dealer's count is refused by putting a card down, and by no button.
    """
    offers, table = view.offers, view.table
    is_before = table.phase in _BEFORE_HUNT
    may_answer, is_enabled = offers.may_answer, offers.may_open if is_before else offers.may_sweep
    may_refuse = may_answer and table.rules.sweep.sweep_by is SweepBy.ANYBODY
    return _vote_row(ids, texts, is_before, is_enabled, may_answer, may_refuse)


@lru_cache(_REMEMBERED)
def _vote_row(ids: Ids, texts: Texts, opens: bool, is_enabled: bool, may_answer: bool, may_refuse: bool) -> c.Row:
    yes, no = (c.SUCCESS, c.DANGER) if may_answer else (c.SECONDARY, c.SECONDARY)
    return c.row(
        _sweep_button(ids, texts, opens=opens, is_enabled=is_enabled),
        c.button(texts.t("Yes"), ids(TableVerb.YES), style=yes, is_enabled=may_answer),
        c.button(texts.t("No"), ids(TableVerb.NO), style=no, is_enabled=may_refuse),
    )


def _sweep_button(ids: Ids, texts: Texts, *, opens: bool, is_enabled: bool) -> c.Button:
    """Returns the button that opens the hunt, and once that is open the one that asks for a sweep; equally wide."""
    opening, asking = texts.t("📣 Open the hunt"), texts.t("🧹 Sweep?")
    wide = max(width(opening), width(asking))
    if opens:
        return c.button(centred(opening, wide), ids(TableVerb.OPEN), style=c.PRIMARY, is_enabled=is_enabled)
    return c.button(centred(asking, wide), ids(TableVerb.SWEEP), is_enabled=is_enabled)
