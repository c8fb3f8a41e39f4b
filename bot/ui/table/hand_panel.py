"""The private panel of one seat, in which its player plays: the same rows in the same places for a whole round.

From above: the pool, the hand, gestures, calls, sweep. A text above a row has a fixed number of lines
(`bot.ui.words.panel_text`), an empty slot is as wide as a card, and what is not possible now is disabled.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from bot.game.actions import MakeGesture, ShowCards
from bot.game.cards import HAND_SIZE, Card
from bot.game.events import CallKind
from bot.game.phase import Phase
from bot.game.rules.rules import SweepBy
from bot.game.signs import GestureKind, Sign, SignCard, Strategy, emoji_sign, family
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson
from bot.records.player import Player
from bot.robots.reasons import Advice, Motive
from bot.tables.lobby.options import Coaching
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids
from bot.ui.kit.text_width import centred, width
from bot.ui.kit.texts import Texts
from bot.ui.table.board import call_buttons, ending_words, last_round_lines
from bot.ui.table.sign_panel import sign_panel
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.panel_text import PanelText
from bot.ui.words.sign_plans import trouble
from bot.ui.words.signs import fits_an_id, sign_button
from bot.ui.words.table_text import TableText

_BEFORE_HUNT: Final = (Phase.SIGNS, Phase.DEAL, Phase.READY)
_TEXTS: Final = 3  # above the pool, above the hand, above the gestures
_CALLS: Final = (2, 2)  # buttons in each of these rows; the coach's stands in the second
_VOTE: Final = 3
_ROWS_KEPT: Final = 1024
_SLOTS_KEPT: Final = 16 * _ROWS_KEPT
"""What a cache holds at most: a hundred busy tables show no more."""


def hand_panel(
    view: SeatView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    notice: str | None = None,
    *,
    order_seed: int,
    coaching: Coaching = Coaching.NONE,
    advice: Advice | None = None,
    lesson: Lesson | None = None,
) -> c.Layout:
    """The seat's panel in every phase. `notice` is a refusal or an answer, in the reader's language.

    `advice` is what a coach says, where the table's `coaching` is on, `lesson` what it teaches just now.
    `order_seed` draws the order of the gestures; keep it the same for a seat during a round.
    """
    table, texts, table_text = view.table, faces.texts, TableText(view.table, people, faces)
    ids = Ids(table_id, table.round)
    text = PanelText(view, table_text, texts, advice, lesson)
    match table.phase:
        case Phase.SIGNS:
            is_told = lesson is not None or (advice is not None and advice[0] is not None)
            told = notice if notice is not None or not is_told else text.hint()
            return sign_panel(view, people, table_id, faces, told, order_seed=order_seed)
        case Phase.OVER:
            if notice is None and (coaching is Coaching.LESSONS or lesson is Lesson.END):
                notice = text.lessons.end_of_round(is_last=lesson is Lesson.END)
            return sign_panel(view, people, table_id, faces, notice, order_seed=order_seed)
        case Phase.MATCH_OVER:
            rematch = c.button(texts.t("🔁 Rematch"), ids(TableVerb.REMATCH), style=c.SUCCESS)
            won = f"## {ending_words(table_text)}"
            return c.layout(
                c.text(notice, won, table_text.score()),
                c.text(*last_round_lines(table_text)),
                c.row(rematch),
                colour=c.BLUE,
            )
    gesture_rows = 2 if Strategy.INTERMEDIATE in table.strategies else 1
    slots = min(table.slots, _most_slots(faces.in_row, gesture_rows, has_coach=coaching is not Coaching.NONE))
    beyond = [faces.label(card) for card in table.pool[slots:] if card is not None]
    pool = [slot if card is None else card for slot, card in enumerate(table.pool[:slots])]
    pool += range(len(pool), slots)
    held, thirds = [slot if card is None else card for slot, card in enumerate(view.hand)], view.third_alike
    found = trouble(view, table_text)
    return c.layout(
        c.text(text.heading(), text.gestures(), text.state(), text.news(notice), text.take_caption(beyond)),
        *c.rows([_slot(ids, faces, one, False, view.may_take, False) for one in pool], faces.in_row),
        c.text(text.put_caption()),
        *c.rows([_slot(ids, faces, one, True, view.may_put_down, one in thirds) for one in held], faces.in_row),
        c.text(text.secrets(found)),
        *_gesture_rows(view.signs, view.sign_card, order_seed, gesture_rows * c.IN_ROW, ids),
        *_call_rows(view.offers.calls, ids, texts, coaching, table.rules.calls.bell, found is not None),
        _last_row(view, text, ids),
        colour=c.BLUE,
    )


def _most_slots(in_row: int, gesture_rows: int, *, has_coach: bool) -> int:
    """How many slots of the pool, in whole rows, a message has room for beside all else (`components.MAX_PARTS`)."""
    hand, gestures = HAND_SIZE // in_row + HAND_SIZE, gesture_rows * (1 + c.IN_ROW)
    below = sum(1 + buttons for buttons in (*_CALLS, _VOTE)) + has_coach
    container = 1
    return (c.MAX_PARTS - container - _TEXTS - hand - gestures - below) // (1 + in_row) * in_row


def palette(signs: tuple[Sign, ...], card: SignCard | None, order_seed: int, *, size: int) -> tuple[Sign, ...]:
    """So many gestures: the seat's own, and at least one decoy. The seed draws decoys and order."""
    chance = Random(order_seed)  # noqa: S311 - it hides nothing from anybody but an onlooker's glance
    decoys = [emoji_sign(shown) for shown in family(card)]
    chance.shuffle(decoys)
    own = [half for sign in signs for half in sign.halves if fits_an_id(half)]
    chosen = [*own, *(sign for sign in decoys if sign not in own)][:size]
    chance.shuffle(chosen)
    return tuple(chosen)


def with_shown_bluff(advice: Advice | None, view: SeatView, order_seed: int) -> Advice | None:
    """The advice; a bluff that it names is one of the reader's buttons."""
    if advice is None or advice[1].why is not Motive.BLUFFS:
        return advice
    size = c.IN_ROW * (2 if Strategy.INTERMEDIATE in view.table.strategies else 1)
    shown = palette(view.signs, view.sign_card, order_seed, size=size)
    decoy = next(sign.text for sign in shown if view.sign_made(view.seat, GestureKind.POST, sign.text) is None)
    return MakeGesture(view.seat, GestureKind.POST, decoy), advice[1]


@lru_cache(_SLOTS_KEPT)  # buys 39 of the 97 us of a panel (tests.bench.caches)
def _slot(ids: Ids, faces: Faces, shown: Card | int, is_hand: bool, is_enabled: bool, is_third: bool) -> c.Button:
    """The button of a card in the hand or in the pool, which a press names; of an empty slot by its number."""
    card = None if isinstance(shown, int) else shown
    label = faces.slot(card, is_hand=is_hand, has_warning=is_third)
    if card is None:
        return c.button(label, ids(TableVerb.EMPTY, f"{'hand' if is_hand else 'pool'}{shown}"), is_enabled=False)
    verb, style = (TableVerb.PUT, c.PRIMARY) if is_hand else (TableVerb.TAKE, c.SECONDARY)
    return c.button(
        label,
        ids(verb, card.code),
        style=c.DANGER if is_third else style,
        is_enabled=is_enabled,
        emoji=faces.slot_picture(card),
    )


@lru_cache(_ROWS_KEPT)  # buys 42 of the 100 us of a panel (tests.bench.caches)
def _gesture_rows(
    signs: tuple[Sign, ...], card: SignCard | None, order_seed: int, size: int, ids: Ids
) -> Sequence[c.Row]:
    gestures = palette(signs, card, order_seed, size=size)
    return c.rows([sign_button([shown], ids(TableVerb.GESTURE, shown.text)) for shown in gestures])


@lru_cache(_ROWS_KEPT)  # buys 8 of the 66 us of a panel (tests.bench.caches)
def _call_rows(
    calls: frozenset[CallKind], ids: Ids, texts: Texts, coaching: Coaching, has_bell: bool, is_sign_urgent: bool
) -> Sequence[c.Row]:
    """Kem's beside the sign, and the counter beside the double: nothing beside Kem's costs points.

    Where there is a coach, the button that sends it away, or calls it back, stands last.
    """
    kems, double, counter = call_buttons(calls, ids, texts, has_bell=has_bell)
    style = c.PRIMARY if is_sign_urgent else c.SECONDARY
    sign = c.button(texts.t("🤫 Sign…"), ids(TableVerb.SIGN_PANEL), style=style)
    if coaching is Coaching.NONE:
        return c.row(kems, sign), c.row(counter, double)
    # On a phone the row has no room for words beside a Super Kem's.
    dismiss, call = ("💡", "💡") if has_bell else (texts.t("💡 Stop"), texts.t("💡 Hints"))
    asked, label = (Coaching.ON, call) if coaching is Coaching.AWAY else (Coaching.AWAY, dismiss)
    coach = c.button(_as_wide(label, dismiss, call), ids(TableVerb.COACH, asked.value))
    return c.row(kems, sign), c.row(counter, double, coach)


def _last_row(view: SeatView, text: PanelText, ids: Ids) -> c.Row:
    """The sweep, or before it the opening of the hunt, and the answers to a vote, in colour where one is awaited.

    While no vote runs, the way to the cards that have to be shown stands in their place. A dealer's count is refused by
    putting a card down, and by no button.
    """
    t, offers, table = text.texts.t, view.offers, view.table
    request = None if table.phase is Phase.SWEEP else text.show_request()
    if request is not None:
        can_show = any(isinstance(action, ShowCards) for action in view.special_moves)
        return c.row(c.button(request, ids(TableVerb.SHOWING), style=c.PRIMARY, is_enabled=can_show))
    opening, asking = t("📣 Open the hunt"), t("🧹 Sweep?")
    if table.phase in _BEFORE_HUNT:
        label, verb, style, is_enabled = opening, TableVerb.OPEN, c.PRIMARY, offers.may_open
    else:
        label, verb, style, is_enabled = asking, TableVerb.SWEEP, c.SECONDARY, offers.may_sweep
    may_answer = offers.may_answer
    may_refuse = may_answer and table.rules.sweep.sweep_by is SweepBy.ANYBODY
    yes, no = (c.SUCCESS, c.DANGER) if may_answer else (c.SECONDARY, c.SECONDARY)
    return c.row(
        c.button(_as_wide(label, opening, asking), ids(verb), style=style, is_enabled=is_enabled),
        c.button(t("Yes"), ids(TableVerb.YES), style=yes, is_enabled=may_answer),
        c.button(t("No"), ids(TableVerb.NO), style=no, is_enabled=may_refuse),
    )


def _as_wide(label: str, *labels: str) -> str:
    """The label with room on both sides, so that it is as wide as the widest of the labels."""
    return centred(label, max(map(width, labels)))
