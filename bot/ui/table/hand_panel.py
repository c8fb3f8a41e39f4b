"""The private panel of one seat: the hand, in which its player plays, and its other pages, the sign and targets.

The hand has the same rows in the same places for a whole round. From above: four lines
(`bot.ui.words.panel_text`), the pool, the hand, gestures, calls, sweep. An empty slot is as wide as a card, and what is
not possible now is disabled. No hand but the reader's is behind any look of it.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum, auto
from functools import lru_cache, partial
from itertools import takewhile
from random import Random
from typing import Final, assert_never

from bot.game.actions import MakeGesture, ShowCards
from bot.game.cards import HAND_SIZE, Card
from bot.game.events import CallKind, Phase
from bot.game.rules.rules import Holder, Names, SweepBy
from bot.game.signs import GestureKind, PlanKind, Sign, SignCard, Strategy, emoji_sign, family
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson, holds_kems
from bot.records.player import Player
from bot.robots.reasons import Advice, Motive
from bot.tables.lobby.lobby import Coaching
from bot.ui.kit import components as c
from bot.ui.kit.components import at_rest, with_line
from bot.ui.kit.custom_ids import Ids
from bot.ui.kit.names import label_name
from bot.ui.kit.texts import Texts
from bot.ui.table.board import call_buttons, ending_words, last_round_lines
from bot.ui.table.match_end import after_first_match
from bot.ui.table.panel_state import DrawPage, PanelState
from bot.ui.table.press_to_action import card_of
from bot.ui.table.sign_panel import sign_panel
from bot.ui.table.verbs import AT_REST, TableVerb
from bot.ui.words.card_faces import CHOSEN, WARNING, Faces
from bot.ui.words.panel_text import FRESH_MS, PanelText, is_fresh, trouble
from bot.ui.words.signs import fits_an_id, sign_button
from bot.ui.words.table_text import TableText, seated, team_mark

_BEFORE_HUNT: Final = (Phase.SIGNS, Phase.DEAL, Phase.READY)
_TEXTS: Final = 2  # above the pool, above the hand
_CALLS: Final = (2, 2)  # buttons in each of these rows; the coach's stands in the first
_VOTE: Final = 2
_STYLES: Final[Mapping[str, c.Style]] = {
    TableVerb.TAKE: c.SECONDARY, TableVerb.PUT: c.PRIMARY, WARNING: c.DANGER, CHOSEN: c.SUCCESS,
}  # fmt: skip
_ROWS_KEPT: Final = 1024
_SLOTS_KEPT: Final = 16 * _ROWS_KEPT
"""What a cache holds at most: a hundred busy tables show no more."""

_IN_ROW: Final = 2


def hand_panel(
    view: SeatView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    notice: str | None = None,
    *,
    now: int,
    order_seed: int,
    chosen: Card | None = None,
    coaching: Coaching = Coaching.NONE,
    advice: Advice | None = None,
    lesson: Lesson | None = None,
) -> c.Layout:
    """The seat's panel in every phase, at `now` (milliseconds). `notice` answers a press, in the reader's language.

    `advice` is what a coach says, where the table's `coaching` is on, `lesson` what it teaches just now.
    `order_seed` draws the order of the gestures; keep it the same for a seat during a round. For the `chosen` card of
    the middle the next one of the hand goes down.
    """
    table, texts, table_text = view.table, faces.texts, TableText(view.table, people, faces)
    ids = Ids(table_id, table.round)
    text = PanelText(view, table_text, texts, now, chosen, advice, lesson)
    is_first = coaching is Coaching.LESSONS or lesson is Lesson.END
    match table.phase:
        case Phase.SIGNS:
            is_told = lesson is not None or (advice is not None and advice[0] is not None)
            told = notice if notice is not None or not is_told else text.hint()
            return sign_panel(view, people, table_id, faces, told, order_seed=order_seed)
        case Phase.OVER:
            if is_first:
                notice = "\n".join(filter(None, (notice, text.lessons.end_of_round(is_last=False))))
            return sign_panel(view, people, table_id, faces, notice, order_seed=order_seed)
        case Phase.MATCH_OVER:
            after = c.row(
                c.button(texts.t("🔁 Rematch"), ids(TableVerb.REMATCH), style=c.SUCCESS),
                c.button(texts.t("🔎 Review"), ids(TableVerb.REVIEW)),
            )
            taught = text.lessons.end_of_round(is_last=lesson is Lesson.END) if is_first else None
            won = f"## {ending_words(table_text)}"
            return c.layout(
                c.text(notice, won, table_text.score()),
                c.text(*last_round_lines(table_text), taught),
                after_first_match(texts) if is_first else after,
                colour=c.BLUE,
            )
    gesture_rows = 2 if Strategy.INTERMEDIATE in table.strategies else 1
    has_four = holds_kems(view)
    return c.layout(
        c.text(text.lines(notice)),
        *_cards(view, text, ids, _most_slots(faces.in_row, gesture_rows, has_coach=coaching is not Coaching.NONE)),
        *_gesture_rows(view.signs, view.sign_card, order_seed, gesture_rows * c.IN_ROW, ids, has_four),
        *_call_rows(
            view.offers.calls,
            ids,
            texts,
            coaching,
            table.rules.calls.bell,
            bool(view.partners),
            _kems_look(view, now, has_four=has_four),
            c.SECONDARY if trouble(view, table_text) is None else c.PRIMARY,
        ),
        _last_row(view, text, ids),
        colour=c.GOLD if has_four else c.BLUE,
    )


def is_called_for(view: SeatView, now: int) -> bool:
    """Whether a partner has just made a gesture that the team's plan lists, be it the sign or a bluff.

    What is said aloud is never marked, nor where any gesture counts.
    """
    if view.plan is None or view.plan.kind is PlanKind.TOTAL:
        return False
    for item in reversed(view.table.gestures):
        if not is_fresh(view.table.dealt_at + item.at, now):
            return False
        if item.seat in view.partners and item.kind is not GestureKind.SAY:
            sign = view.sign_made(item.seat, item.kind, item.text)
            if sign is not None and not sign.needs_speech:
                return True
    return False


def _kems_look(view: SeatView, now: int, *, has_four: bool) -> tuple[c.Style, bool]:
    """Green while a partner's gesture calls for it; else a warning where the own four are for the partner to call."""
    if is_called_for(view, now):
        return c.SUCCESS, False
    return c.SECONDARY, has_four and bool(view.partners) and view.table.rules.calls.holder is Holder.PARTNER


def _cards(view: SeatView, text: PanelText, ids: Ids, most_slots: int) -> list[c.Part]:
    """The middle and the hand, with a line between them. A card is live wherever the core may take it."""
    table, faces, chosen = view.table, text.table_text.faces, text.chosen
    slots = min(table.slots, most_slots)
    beyond = [faces.label(card) for card in table.pool[slots:] if card is not None]
    is_live = view.may_take or view.may_swap
    pool = [
        _slot(ids, faces, card or slot, TableVerb.TAKE, is_live, CHOSEN if card and card == chosen else "")
        for slot, card in enumerate((*table.pool[:slots], *(None,) * (slots - len(table.pool))))
    ]
    hand = [
        _slot(ids, faces, card or slot, TableVerb.PUT, view.may_put_down, WARNING if card in view.third_alike else "")
        for slot, card in enumerate(view.hand)
    ]
    return [*c.rows(pool, faces.in_row), c.text(text.caption(beyond)), *c.rows(hand, faces.in_row)]


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
def _slot(ids: Ids, faces: Faces, shown: Card | int, verb: TableVerb, is_enabled: bool, mark: str) -> c.Button:
    """The button of a card in the hand or in the pool, which a press names; of an empty slot by its number."""
    if isinstance(shown, int):
        place = f"{'pool' if verb is TableVerb.TAKE else 'hand'}{shown}"
        return c.button(faces.slot(None), ids(TableVerb.EMPTY, place), is_enabled=False)
    return c.button(
        faces.slot(shown, mark),
        ids(verb, shown.code),
        style=_STYLES[mark or verb],
        is_enabled=is_enabled,
        emoji=faces.slot_picture(shown),
    )


@lru_cache(_ROWS_KEPT)  # buys 42 of the 100 us of a panel (tests.bench.caches)
def _gesture_rows(
    signs: tuple[Sign, ...], card: SignCard | None, order_seed: int, size: int, ids: Ids, has_four: bool
) -> Sequence[c.Row]:
    """The gestures; who `has_four` alike sees which of them are signs."""
    urgent = {half for sign in signs for half in sign.halves} if has_four else set()
    return c.rows(
        [
            sign_button(
                [shown], ids(TableVerb.GESTURE, shown.text), style=c.SUCCESS if shown in urgent else c.SECONDARY
            )
            for shown in palette(signs, card, order_seed, size=size)
        ]
    )


@lru_cache(_ROWS_KEPT)  # buys 8 of the 66 us of a panel (tests.bench.caches)
def _call_rows(
    calls: frozenset[CallKind],
    ids: Ids,
    texts: Texts,
    coaching: Coaching,
    has_bell: bool,
    has_double: bool,
    kems: tuple[c.Style, bool],
    sign_style: c.Style,
) -> Sequence[c.Row]:
    """Kem's beside the sign, and the counter beside the double: nothing beside Kem's costs points.

    `kems` is the look of that button: its style, and whether the reader is warned of it. Where there is a coach, the
    button that sends it away, or calls it back, stands beside the sign.
    """
    call, counter = call_buttons(calls, ids, texts, has_bell=has_bell)
    style, is_wrong = kems
    label = texts.t("⚠️ Kem's!") if is_wrong else call["label"]
    call = c.button(label, call["custom_id"], style=style, is_enabled=not call["disabled"])
    first = [call, c.button(texts.t("🤫 Sign…"), ids(TableVerb.SIGN_PANEL), style=sign_style)]
    if coaching is not Coaching.NONE:
        asked, told = (
            (Coaching.ON, texts.t("💡 Hints")) if coaching is Coaching.AWAY else (Coaching.AWAY, texts.t("💡 Stop"))
        )
        first.append(c.button(told, ids(TableVerb.COACH, asked.value)))
    second = [counter]
    if has_double:
        double = texts.t("🛎️ Super Kem's!") if has_bell else texts.t("Double!")
        second.append(c.button(double, ids(TableVerb.DOUBLE), is_enabled=CallKind.DOUBLE in calls))
    return c.row(*first), c.row(*second)


def _last_row(view: SeatView, text: PanelText, ids: Ids) -> c.Row:
    """The opening of the hunt, then the sweep; in its place the answers to a vote, or the way to cards to be shown.

    A dealer's count is refused by putting a card down, and by no button.
    """
    t, offers, table = text.texts.t, view.offers, view.table
    if table.phase is Phase.SWEEP:
        style = c.SUCCESS if offers.may_answer else c.SECONDARY
        yes = c.button(t("🧹 Yes"), ids(TableVerb.YES), style=style, is_enabled=offers.may_answer)
        no = c.button(t("No"), ids(TableVerb.NO), is_enabled=offers.may_answer)
        return c.row(yes, no) if table.rules.sweep.sweep_by is SweepBy.ANYBODY else c.row(yes)
    request = text.show_request()
    if request is not None:
        can_show = any(isinstance(action, ShowCards) for action in view.special_moves)
        return c.row(c.button(request, ids(TableVerb.SHOWING), style=c.PRIMARY, is_enabled=can_show))
    if table.phase in _BEFORE_HUNT:
        label = t("📣 Open the hunt")
        return c.row(c.button(label, ids(TableVerb.OPEN), style=c.PRIMARY, is_enabled=offers.may_open))
    return c.row(c.button(t("🧹 Sweep?"), ids(TableVerb.SWEEP), is_enabled=offers.may_sweep))


class PanelPage(StrEnum):
    """What a panel shows; the values are stored."""

    HAND = auto()
    SIGN = auto()
    CHOICE = auto()
    COUNTER = auto()
    SHOW = auto()


def left_panel(texts: Texts) -> c.Layout:
    """In place of the hand of a player who has left the seat."""
    return c.layout(c.text(texts.t("You no longer sit at this table.")))


def fades_at(state: PanelState, now: int) -> int | None:
    """When something that a panel marks or tells for a while goes, None for never."""
    table = state.table.table_view()
    made = (table.dealt_at + item.at for item in reversed(table.gestures))
    told = [table.dealt_at + item.at for item in table.reports[-1:]] + [item.at for item in table.penalties[-1:]]
    fresh = [at + FRESH_MS for at in (*takewhile(lambda at: is_fresh(at, now), made), *told)]
    return min((at for at in (state.until, *fresh) if at > now), default=None)


def _page(page: PanelPage, state: PanelState, faces: Faces, told: str | None, now: int) -> c.Layout:
    """A page as it looks at an instant; nothing of the seat for a player who has left it."""
    table = state.table
    if table.lobby.seat_of(state.user_id) != state.seat:
        return left_panel(state.texts)
    view, people = table.seat_view(state.seat), seated(table.lobby)
    if page is PanelPage.SIGN and view.table.phase is Phase.SIGNS:
        page = PanelPage.HAND  # which is about the sign until cards are dealt
    seed = hash((table.id, state.seat, view.table.round))
    is_answer = now < state.until
    notice = state.notice if is_answer else None
    match page:
        case PanelPage.HAND:
            panel = hand_panel(
                view,
                people,
                table.id,
                faces,
                notice,
                now=now,
                order_seed=seed,
                chosen=card_of(state.option) if is_answer else None,
                coaching=table.coaching,
                advice=with_shown_bluff(table.advice(state.seat), view, seed),
                lesson=table.lesson(state.seat),
            )
        case PanelPage.SIGN | PanelPage.CHOICE:
            is_choosing = page is PanelPage.CHOICE
            panel = sign_panel(view, people, table.id, faces, notice, order_seed=seed, is_choosing=is_choosing)
        case PanelPage.COUNTER:
            panel = counter_panel(view, people, table.id, faces)
        case PanelPage.SHOW:
            panel = show_panel(view, people, table.id, faces)
        case _:
            assert_never(page)
    if told is not None:
        panel = with_line(panel, told)
    return panel if view.table.pause is None else at_rest(panel, AT_REST)


PAGES: Final[Mapping[str, DrawPage]] = {page: partial(_page, page) for page in PanelPage}
"""The hand comes first: a new round turns back to it."""


def counter_panel(view: SeatView, people: Sequence[Player], table_id: int, faces: Faces) -> c.Layout:
    """Whom to counter: a player or a team, whichever the rules name; double counters where they are played."""
    table, texts, table_text = view.table, faces.texts, TableText(view.table, people, faces)
    ids = Ids(table_id, table.round)
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
        c.button(label, ids(verb, str(target)), style=c.PRIMARY, is_enabled=is_possible)
        for verb, target, label, is_possible in targets
    ]
    back = c.button(texts.t("🂠 My hand"), ids(TableVerb.HAND))
    question = texts.t("**Counter:** who holds a Kem's?")
    return c.layout(
        c.text(question, None if is_open or is_open_twice else table_text.state()),
        *c.rows(buttons),
        c.row(back),
        colour=c.BLUE,
    )


def show_panel(view: SeatView, people: Sequence[Player], table_id: int, faces: Faces) -> c.Layout:
    """Every choice that the core would take; nothing once the cards were shown."""
    t, ids = faces.texts.t, Ids(table_id, view.table.round)
    viewer = view.table.seats[view.seat].must_show_to
    if viewer is None:
        said = t("There is nothing to show any more.")
    else:
        name = TableText(view.table, people, faces).name(viewer)
        said = t("**Show cards to {name}.** Nobody else sees them.", name=name)
    choices = sorted(action.cards for action in view.special_moves if isinstance(action, ShowCards))
    buttons = [
        c.button(faces.labels(cards), ids(TableVerb.SHOW, ",".join(card.code for card in cards))) for cards in choices
    ]
    back = c.button(t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY)
    return c.layout(c.text(said), *c.rows(buttons, _IN_ROW), c.row(back), colour=c.BLUE)
