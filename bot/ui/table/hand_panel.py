"""The private panel of one seat: its hand, what it may take, its gestures and calls. Every row keeps its place."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from bot.game.actions import PutDown, ShowCards, Take
from bot.game.events import CallKind
from bot.game.rules.parts import Names
from bot.game.signs.sign import Sign, emoji_sign
from bot.game.signs.sign_cards import SignCard, family
from bot.game.signs.sign_plans import PlanKind
from bot.game.views import SeatView
from bot.records.player import Player
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids, ids_of
from bot.ui.kit.names import label_name
from bot.ui.kit.palette import BLUE
from bot.ui.kit.texts import Texts
from bot.ui.table.board import answer_buttons, call_buttons, card_button, pool_rows, sweep_button, within_reach
from bot.ui.table.result import result_lines
from bot.ui.table.sign_panel import sign_panel
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.scores import team_mark
from bot.ui.words.sign_emojis import fits_an_id, sign_button
from bot.ui.words.sign_plans import own_plan, trouble
from bot.ui.words.table_text import EMPTY_SLOT, TableText

# Rows of open cards by buttons in a row; one row fewer where a menu, or a second row of gestures, takes up room in the
# message. The rest of a very full pool is named, and moves up.
POOL_ROWS: Final = {4: 3, 2: 4}
SHOWN: Final = 8  # the latest cards that others had to show to the seat


def hand_panel(
    view: SeatView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    notice: str | None = None,
    *,
    order_seed: int,
) -> c.Layout:
    """The seat's panel in every phase. `notice` is a refusal or an answer, in the reader's language.

    `order_seed` draws the order of the gestures; keep it the same for a seat during a round.
    """
    texts, table_text = faces.texts, TableText(view.table, people, faces)
    ids = ids_of(table_id, view.table.round)
    match view.table.phase.value:
        case "signs" | "over":
            return sign_panel(view, people, table_id, faces, notice, order_seed=order_seed)
        case "match_over":
            rematch = c.button(texts.t("🔁 Rematch"), ids(TableVerb.REMATCH), style=c.SUCCESS)
            return c.layout(c.text(notice, *result_lines(table_text)), c.row(rematch), colour=BLUE)
    kinds = set(map(type, view.legal))
    can_put, can_take = PutDown in kinds, Take in kinds
    may_answer = view.offers.may_answer
    worry = trouble(view, table_text)
    sign = c.button(texts.t("Sign…"), ids(TableVerb.SIGN_PANEL), style=c.PRIMARY if worry else c.SECONDARY)
    to_show = _show_menu(view, table_text, ids) if ShowCards in kinds else []
    gestures = palette(view.signs, view.sign_card, order_seed)
    most = faces.in_row * (POOL_ROWS[faces.in_row] - bool(to_show) - (len(gestures) > c.IN_ROW))
    return c.layout(
        c.text(
            texts.t("**Your hand** · press to put down") if can_put else texts.t("**Your hand**"),
            notice or table_text.state(),
        ),
        *c.rows(_hand_buttons(view, ids, faces), faces.in_row),
        c.text(_owed(view, texts), _beyond_reach(view, faces, most)),
        *pool_rows(view.table, ids, faces, is_enabled=can_take, most=most),
        c.text(_about_gestures(view, texts)),
        *_gesture_rows(gestures, ids),
        *c.rows(call_buttons(view.table, view.offers, ids, texts)),
        *c.rows([sweep_button(view.table, view.offers, ids, texts), sign]),
        *c.rows(answer_buttons(ids, texts, view.table, is_asked=may_answer, may_answer=may_answer)),
        c.text(_secrets(view, table_text), worry),
        *to_show,
        colour=BLUE,
    )


def counter_panel(view: SeatView, people: Sequence[Player], table_id: int, faces: Faces) -> c.Layout:
    """Whom to counter: a player or a team, whichever the rules name; double counters where they are played."""
    table, texts, table_text = view.table, faces.texts, TableText(view.table, people, faces)
    ids = ids_of(table_id, table.round)
    is_open, is_open_twice = (kind in view.offers.calls for kind in (CallKind.COUNTER, CallKind.DOUBLE_COUNTER))
    calls = table.rules.calls
    opponents = [team for team in range(table.teams) if team != view.team]
    if calls.counter_names is Names.PLAYER:
        targets = [
            (TableVerb.COUNTER_AT, seat.seat, f"{team_mark(seat.team)} {label_name(people[seat.seat])}", is_open)
            for seat in table.seats
            if seat.team != view.team
        ]
    else:
        targets = [(TableVerb.COUNTER_TEAM, team, table_text.team(team), is_open) for team in opponents]
    if calls.double_counters and len(table.seats) > table.teams:
        targets += [
            (TableVerb.COUNTER_TWO, team, texts.t("Double: {team}", team=table_text.team(team)), is_open_twice)
            for team in opponents
        ]
    buttons = [
        c.button(label, ids(verb, str(target)), style=c.DANGER, is_enabled=is_possible)
        for verb, target, label, is_possible in targets
    ]
    back = c.button(texts.t("🂠 My hand"), ids(TableVerb.HAND))
    question = texts.t("**Counter:** who holds a Kem's?")
    return c.layout(
        c.text(question, None if is_open or is_open_twice else table_text.state()),
        *c.rows(buttons),
        c.row(back),
        colour=BLUE,
    )


@lru_cache(maxsize=1024)
def palette(signs: tuple[Sign, ...], card: SignCard | None, order_seed: int) -> tuple[Sign, ...]:
    """Four gestures, eight for many signs: the seat's own, and at least one decoy. The seed draws decoys and order."""
    chance = Random(order_seed)  # noqa: S311 - it hides nothing from anybody but an onlooker's glance
    decoys = [emoji_sign(shown) for shown in family(card)]
    chance.shuffle(decoys)
    own = [half for sign in signs for half in sign.halves if fits_an_id(half)]
    size = c.IN_ROW if len(own) < c.IN_ROW else 2 * c.IN_ROW
    chosen = [*own, *(sign for sign in decoys if sign not in own)][:size]
    chance.shuffle(chosen)
    return tuple(chosen)


@lru_cache(maxsize=1024)
def _gesture_rows(gestures: tuple[Sign, ...], ids: Ids) -> Sequence[c.Row]:
    return c.rows([sign_button([shown], ids(TableVerb.GESTURE, shown.text)) for shown in gestures])


def _hand_buttons(view: SeatView, ids: Ids, faces: Faces) -> list[c.Button]:
    buttons = []
    possible = {action.card for action in view.legal if isinstance(action, PutDown)}
    for slot, card in enumerate(view.hand):
        if card is None:
            buttons.append(c.button(EMPTY_SLOT, ids(TableVerb.EMPTY, f"hand{slot}"), is_enabled=False))
        else:
            put = ids(TableVerb.PUT, card.code)
            buttons.append(card_button(card, put, faces, style=c.PRIMARY, is_enabled=card in possible))
    return buttons


def _owed(view: SeatView, texts: Texts) -> str:
    if not view.owes:
        return texts.t("**Take** · put a card down first")
    return texts.n("**Take** · you owe {count} card", "**Take** · you owe {count} cards", view.owes)


def _beyond_reach(view: SeatView, faces: Faces, most: int) -> str | None:
    """The open cards for which there is no button yet."""
    reached = within_reach(view.table, most)
    rest = [card for card in view.table.pool if card is not None and card not in reached]
    return faces.texts.t("-# also in the middle: {cards}", cards=faces.line(rest)) if rest else None


def _about_gestures(view: SeatView, texts: Texts) -> str:
    """What the gestures below are worth, and how to make the signs that cannot be among them."""
    t = texts.t
    if view.plan is not None and view.plan.kind is PlanKind.TOTAL:
        return t("Gestures: any of them counts")
    spoken = [sign for sign in view.signs if sign.needs_speech]
    if not view.signs:
        said = t("Gestures: you have no sign now")
    elif any(sign.words for sign in view.signs):
        said = t("Gestures: one half of your sign hides among them, the other is said")
    elif len(spoken) == len(view.signs):
        said = t("Gestures: decoys, your sign is said")
    else:
        count = len(view.signs) - len(spoken)
        said = texts.n("Gestures: your sign hides among them", "Gestures: your signs hide among them", count)
    how = t("-# say words with `/kems sign`, or in a reply with its ping on")
    return f"{said}\n{how}" if spoken else said


def _secrets(view: SeatView, table_text: TableText) -> str:
    t = table_text.texts.t
    shown = (
        t("{name} had to show you {cards}", name=table_text.name(one.seat), cards=table_text.faces.line(one.cards))
        for one in view.shown[-SHOWN:]
    )
    return " · ".join([own_plan(view, table_text), *shown])


def _show_menu(view: SeatView, table_text: TableText, ids: Ids) -> list[c.Part]:
    """After a false counter: which cards to show. The menu offers what the core would take."""
    viewer = view.table.seats[view.seat].must_show_to
    choices = sorted(action.cards for action in view.legal if isinstance(action, ShowCards))
    if viewer is None or not choices:
        return []
    t = table_text.texts.t
    options = [c.option(table_text.faces.labels(cards), "".join(card.code for card in cards)) for cards in choices]
    return [
        c.text(t("⚠️ You must show cards to {name}, and to nobody else.", name=table_text.name(viewer))),
        c.menu(ids(TableVerb.SHOW), t("Cards to show…"), options),
    ]
