"""The private panel of one seat, in which its player plays: the same rows in the same places for a whole round.

From above: the pool, the hand, gestures, calls, sweep. A text above a row has a fixed number of lines
(`bot.ui.words.panel_text`), an empty slot is as wide as a card, and what is not possible now is disabled.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from bot.game.actions import ShowCards
from bot.game.phase import SWEEP
from bot.game.signs.sign import Sign, Strategy, emoji_sign
from bot.game.signs.sign_cards import SignCard, family
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson
from bot.records.player import Player
from bot.robots.reasons import Advice
from bot.tables.lobby.coaching import Coaching
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids, ids_of
from bot.ui.kit.palette import BLUE
from bot.ui.table.panel.sign_panel import sign_panel
from bot.ui.table.public.result import ending_words, last_round_lines
from bot.ui.table.rows import call_rows, hand_rows, pool_rows, vote_row
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.panel_text import PanelText
from bot.ui.words.sign_emojis import fits_an_id, sign_button
from bot.ui.words.sign_plans import trouble
from bot.ui.words.table_text import TableText

_MOST_SLOTS: Final = {(4, False): 12, (4, True): 8, (2, False): 10, (2, True): 6}
"""Slots of the pool, by cards in a row and by whether there are two rows of gestures: a message has a limit."""
_MOST_WITH_COACH: Final = {4: 12, 2: 8}
"""The same where the coach has a button, by cards in a row."""
_REMEMBERED: Final = 512
"""Rows of gestures, which each seat has of its own in each round: as many as a hundred busy tables show."""


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
    ids = ids_of(table_id, table.round)
    text = PanelText(view, table_text, texts, advice, lesson)
    match table.phase.value:
        case "signs":
            is_told = lesson is not None or _has_to_act(advice)
            told = notice if notice is not None or not is_told else text.hint()
            return sign_panel(view, people, table_id, faces, told, order_seed=order_seed)
        case "over":
            if notice is None and (coaching is Coaching.LESSONS or lesson is Lesson.END):
                notice = text.lessons.end_of_round(is_last=lesson is Lesson.END)
            return sign_panel(view, people, table_id, faces, notice, order_seed=order_seed)
        case "match_over":
            rematch = c.button(texts.t("🔁 Rematch"), ids(TableVerb.REMATCH), style=c.SUCCESS)
            won = f"## {ending_words(table_text)}"
            return c.layout(
                c.text(notice, won, table_text.score()),
                c.text(*last_round_lines(table_text)),
                c.row(rematch),
                colour=BLUE,
            )
    has_many = bool(table.strategies) and Strategy.INTERMEDIATE in table.strategies
    slots = min(table.slots, _MOST_SLOTS[faces.in_row, has_many])
    if coaching is not Coaching.NONE:
        slots = min(slots, _MOST_WITH_COACH[faces.in_row])
    beyond = [faces.label(card) for card in table.pool[slots:] if card is not None]
    found = trouble(view, table_text)
    return c.layout(
        c.text(text.heading(), text.gestures(), text.state(), text.news(notice), text.take_caption(beyond)),
        *pool_rows(table, ids, faces, is_enabled=view.may_take, slots=slots),
        c.text(text.put_caption()),
        *hand_rows(view, ids, faces),
        c.text(text.secrets(found)),
        *_gesture_rows(view.signs, view.sign_card, order_seed, (1 + has_many) * c.IN_ROW, ids),
        *call_rows(view, ids, texts, coaching, is_sign_urgent=found is not None),
        _last_row(view, text, ids),
        colour=BLUE,
    )


def _has_to_act(advice: Advice | None) -> bool:
    return advice is not None and advice[0] is not None


def palette(signs: tuple[Sign, ...], card: SignCard | None, order_seed: int, *, size: int) -> tuple[Sign, ...]:
    """So many gestures: the seat's own, and at least one decoy. The seed draws decoys and order."""
    chance = Random(order_seed)  # noqa: S311 - it hides nothing from anybody but an onlooker's glance
    decoys = [emoji_sign(shown) for shown in family(card)]
    chance.shuffle(decoys)
    own = [half for sign in signs for half in sign.halves if fits_an_id(half)]
    chosen = [*own, *(sign for sign in decoys if sign not in own)][:size]
    chance.shuffle(chosen)
    return tuple(chosen)


@lru_cache(_REMEMBERED)
def _gesture_rows(
    signs: tuple[Sign, ...], card: SignCard | None, order_seed: int, size: int, ids: Ids
) -> Sequence[c.Row]:
    gestures = palette(signs, card, order_seed, size=size)
    return c.rows([sign_button([shown], ids(TableVerb.GESTURE, shown.text)) for shown in gestures])


def _last_row(view: SeatView, text: PanelText, ids: Ids) -> c.Row:
    """The sweep and its answers; in their place, while no vote runs, the way to the cards that have to be shown."""
    request = None if view.table.phase is SWEEP else text.show_request()
    if request is not None:
        can_show = any(isinstance(action, ShowCards) for action in view.special_moves)
        return c.row(c.button(request, ids(TableVerb.SHOWING), style=c.PRIMARY, is_enabled=can_show))
    return vote_row(view, ids, text.texts)
