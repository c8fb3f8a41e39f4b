"""The hand panel of a seat while a round runs: the hand, in which its player plays, and whom to counter.

It has the same rows in the same places for a whole round. From above: four lines (`bot.ui.words.panel_text`), the pool,
the hand, gestures, Kem's, counters, sign and sweep. An empty slot is as wide as a card, and what is not possible now is
disabled. It is rendered from no hand but the reader's.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.custom_ids import RoundCustomIds
from bot.discord.pictures.card_faces import CHOSEN, WARNING, Faces
from bot.discord.text.names import clean, label_name
from bot.discord.text.texts import Texts, mark
from bot.game.actions import MakeGesture, ShowCards
from bot.game.cards import HAND_SIZE, Card
from bot.game.events import CallKind, Phase
from bot.game.rules.rules import Holder, Names, SweepBy
from bot.game.signs import GestureKind, PlanKind, Sign, SignCard, Strategy, emoji_sign, family
from bot.game.value import value
from bot.game.views import SeatView
from bot.lessons.lesson import Lesson, holds_kems
from bot.records.player import HelpLevel
from bot.robots.reasons import Advice, Motive
from bot.tables.lobby.help import Coaching
from bot.ui.table.pages.board import call_buttons, resume_button
from bot.ui.table.pages.panel_state import PanelPage, PanelView
from bot.ui.table.verbs import TableVerb
from bot.ui.words.panel_text import PanelText, is_fresh
from bot.ui.words.people_line import clipped_name
from bot.ui.words.plan_text import trouble
from bot.ui.words.signs import fits_an_id, sign_button
from bot.ui.words.table_text import TableText, team_mark

_BEFORE_HUNT: Final = (Phase.SIGNS, Phase.DEAL, Phase.READY)
_TEXTS: Final = 2  # above the pool, above the hand
_CALLS: Final = 2  # Kem's and the double
_ONE_TAP: Final = 2  # so many players or teams are countered without another page
_TWO_TEAMS: Final = 2  # one opposing team needs no mark
_LAST: Final = 3  # the sign and the answers to a vote
_NAME: Final = 6.0  # ems of a name on a button
_NEXT: Final = "next"
"""Marks the row that the next press belongs to: the hand, or the middle while a card is owed."""
_UNGUIDED: Final = mark("Yours to watch for: {sign}")
_RANKED: Final = mark("Ranked: nothing lights up, watch for {sign}.")
_STYLES: Final[Mapping[str, c.Style]] = {
    "": c.SECONDARY, _NEXT: c.PRIMARY, WARNING: c.DANGER, CHOSEN: c.SUCCESS,
}  # fmt: skip
_ROWS_KEPT: Final = 1024
_SLOTS_KEPT: Final = 16 * _ROWS_KEPT
"""Capacity of the cache; a hundred busy tables show no more."""

_Target = tuple[TableVerb, int, str, bool]
"""A verb and its argument, the button's label, and whether it is possible now."""
_Aside = tuple[str, TableVerb, str]
"""A button's label, its verb and its argument."""
_Offer = tuple[tuple[Sign, ...], SignCard | None, int, int]
"""The arguments of a `palette`."""


def hand_panel(seen: PanelView) -> c.Layout:
    """Return the hand while a round runs; the page of counters shows the possible targets below it."""
    view, faces = seen.view, seen.faces
    table, texts, table_text = view.table, faces.texts, TableText(view.table, seen.people, faces)
    ids, text = RoundCustomIds(seen.table_id, table.round), panel_text(seen, table_text)
    has_four, targets = text.has_four, _targets(view, table_text)
    aside = _aside(seen)
    size = gestures_of(view, has_coach=aside is not None, targets=len(targets))
    is_countering = seen.page is PanelPage.COUNTER and bool(targets)
    if is_countering:
        below = _counter_rows(targets, ids, texts)
    else:
        calls, looks = table.rules.calls, _looks(seen, has_four=has_four)
        sign_style = c.SECONDARY if trouble(view, table_text) is None else c.PRIMARY
        below = [
            _kems_row(view.offers.calls, ids, texts, calls.bell, bool(view.partners), looks),
            *([_counters(targets, view.offers.calls, ids, texts)] if targets else []),
            _last_row(view, text, ids, sign_style),
        ]  # fmt: skip
    offer = (view.signs, view.sign_card, seen.order_seed, size)
    gesture_rows = _gesture_rows(offer, ids, aside, texts, has_four=has_four)
    most_slots = _most_slots(faces.in_row, gesture_rows, targets if is_countering else ())
    return c.layout(
        c.text(text.lines()),
        *_cards(seen, text, ids, most_slots),
        *gesture_rows,
        *below,
        colour=c.GOLD if has_four else c.BLUE,
    )


def panel_text(seen: PanelView, table_text: TableText) -> PanelText:
    """Return the lines of the hand."""
    marks, is_first_unguided = seen.level.marks, seen.is_first_unguided and seen.level is HelpLevel.NORMAL
    watch = _RANKED if seen.is_ranked else _UNGUIDED if is_first_unguided else None
    has_four = marks and holds_kems(seen.view)
    fields = (seen.chosen, seen.advice, seen.lesson, marks, has_four, watch, _lights_double(seen, has_four=has_four))
    return PanelText(seen.view, table_text, seen.faces.texts, seen.now, *fields)


def _aside(seen: PanelView) -> _Aside | None:
    """Return the button beside the gestures: it sends the coach away or calls it back.

    In the reader's first round without guidance, it turns that on, or off again.
    """
    if seen.coaching is Coaching.AWAY:
        return mark("💡 Hints"), TableVerb.COACH, Coaching.ON
    if seen.coaching is not Coaching.NONE:
        return mark("💡 Stop"), TableVerb.COACH, Coaching.AWAY
    if not seen.is_first_unguided or seen.view.table.round > 1:
        return None
    other = HelpLevel.NORMAL if seen.level is HelpLevel.GUIDED else HelpLevel.GUIDED
    return other.words, TableVerb.LEVEL, other


def gestures_of(view: SeatView, *, has_coach: bool, targets: int = 0) -> int:
    """Return how many gestures a panel offers: one row of them, or two if a player may have many signs.

    It is one fewer if there is a coach's button or, in a single row, a second button to counter (with two `targets`):
    the hand never has more buttons.
    """
    if Strategy.INTERMEDIATE in view.table.strategies:
        return 2 * c.IN_ROW - has_coach
    return c.IN_ROW - (has_coach or targets == _ONE_TAP)


def is_called_for(view: SeatView, now: int) -> bool:
    """Return whether a partner has just made a gesture that the team's plan lists, be it the sign or a bluff.

    Spoken gestures are never marked, nor any gesture if the plan counts all. `now` is in milliseconds.
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


@value
class _Looks:
    """The styles of the calls.

    - `kems`: green after a partner's gesture of the plan.
    - `double`: green if the reader also has four alike.
    - `is_wrong`: the reader holds the four alike, which the partner has to call.
    """

    kems: c.Style
    double: c.Style
    is_wrong: bool


def _lights_calls(seen: PanelView) -> bool:
    return seen.level is HelpLevel.GUIDED and (is_called_for(seen.view, seen.now) or seen.lesson is Lesson.KEMS)


def _lights_double(seen: PanelView, *, has_four: bool) -> bool:
    return has_four and CallKind.DOUBLE in seen.view.offers.calls and _lights_calls(seen)


def _looks(seen: PanelView, *, has_four: bool) -> _Looks:
    view, is_called, is_double = seen.view, _lights_calls(seen), _lights_double(seen, has_four=has_four)
    is_others = has_four and bool(view.partners) and view.table.rules.calls.holder is Holder.PARTNER
    kems = c.SUCCESS if is_called and not is_double else c.SECONDARY
    return _Looks(kems, c.SUCCESS if is_double else c.SECONDARY, is_others and not is_called)


def _cards(seen: PanelView, text: PanelText, ids: RoundCustomIds, most_slots: int) -> list[c.Part]:
    """Return the middle and the hand, with the caption between them. A card is enabled if the core may accept it."""
    view, table, faces, chosen = seen.view, seen.view.table, seen.faces, text.chosen
    slots = min(table.slots, most_slots)
    beyond = [faces.label(card) for card in table.pool[slots:] if card is not None]
    caption = text.caption(
        seen.notice,
        beyond,
        names_rows=seen.coaching is Coaching.LESSONS,
        has_line=slots < HAND_SIZE + len(table.seats),
    )
    is_live = view.may_take or view.may_swap
    takes, puts = (_NEXT, "") if view.owes else ("", _NEXT)
    pool = [
        _slot(ids, faces, card or slot, TableVerb.TAKE, is_live, CHOSEN if card and card == chosen else takes)
        for slot, card in enumerate((*table.pool[:slots], *(None,) * (slots - len(table.pool))))
    ]
    warned = view.third_alike if text.marks else ()
    hand = [
        _slot(ids, faces, card or slot, TableVerb.PUT, view.may_put_down, WARNING if card in warned else puts)
        for slot, card in enumerate(view.hand)
    ]
    return [*c.rows(pool, faces.in_row), c.text(caption), *c.rows(hand, faces.in_row)]


def _most_slots(in_row: int, gestures: Sequence[c.Row], targets: Sequence[_Target]) -> int:
    """Return how many slots of the pool, in whole rows, fit into a message beside all else (`components.MAX_PARTS`).

    `targets` are those of the page on which a player is countered.
    """
    hand, above = HAND_SIZE // in_row + HAND_SIZE, sum(1 + len(row["components"]) for row in gestures)
    below = 1 + _CALLS + 1 + _ONE_TAP + 1 + _LAST
    if targets:
        below = -(-len(targets) // c.IN_ROW) + len(targets) + 2
    container = 1
    return max(0, (c.MAX_PARTS - container - _TEXTS - hand - above - below) // (1 + in_row) * in_row)


def palette(signs: tuple[Sign, ...], card: SignCard | None, order_seed: int, size: int) -> tuple[Sign, ...]:
    """Return `size` gestures to offer: the seat's own `signs`, and at least one decoy.

    Decoys fit the sign card if the team has one. The seed decides which decoys there are, and the order.
    """
    chance = Random(order_seed)  # noqa: S311 - it hides nothing from anybody but an onlooker's glance
    decoys = [emoji_sign(emoji) for emoji in family(card)]
    chance.shuffle(decoys)
    own = [half for sign in signs for half in sign.halves if fits_an_id(half)]
    chosen = [*own, *(sign for sign in decoys if sign not in own)][:size]
    chance.shuffle(chosen)
    return tuple(chosen)


def with_shown_bluff(advice: Advice | None, view: SeatView, order_seed: int) -> Advice | None:
    """Return the advice; a bluff in it is replaced by a gesture for which the reader has a button.

    `order_seed`: the panel's seed, which decides its gestures.
    """
    if advice is None or advice[1].why is not Motive.BLUFFS:
        return advice
    offered = palette(view.signs, view.sign_card, order_seed, gestures_of(view, has_coach=True))
    decoy = next(sign.text for sign in offered if view.sign_made(view.seat, GestureKind.POST, sign.text) is None)
    return MakeGesture(view.seat, GestureKind.POST, decoy), advice[1]


@lru_cache(_SLOTS_KEPT)  # buys 39 of the 97 us of a panel (tests.bench.caches)
def _slot(
    ids: RoundCustomIds, faces: Faces, card: Card | int, verb: TableVerb, is_enabled: bool, mark: str
) -> c.Button:
    """Return the button of a card in the hand or in the pool; its press names the card, or an empty slot by number."""
    if isinstance(card, int):
        place = f"{'pool' if verb is TableVerb.TAKE else 'hand'}{card}"
        return c.button(faces.slot(None), ids(TableVerb.EMPTY, place), is_enabled=False)
    return c.button(
        faces.slot(card, "" if mark == _NEXT else mark),
        ids(verb, card.code),
        style=_STYLES[mark],
        is_enabled=is_enabled,
        emoji=faces.slot_picture(card),
    )


@lru_cache(_ROWS_KEPT)  # buys 52 of the 150 us of a panel (tests.bench.caches)
def _gesture_rows(
    offer: _Offer, ids: RoundCustomIds, aside: _Aside | None, texts: Texts, *, has_four: bool
) -> Sequence[c.Row]:
    """Return the gestures of a `palette`; a reader who has four alike sees the signs green.

    The button `aside` stands beside them: no other row has room for it.
    """
    green = {half for sign in offer[0] for half in sign.halves} if has_four else ()

    def made_button(gesture: Sign) -> c.Button:
        style = c.SUCCESS if gesture in green else c.SECONDARY
        return sign_button([gesture], ids(TableVerb.GESTURE, gesture.text), style=style)

    *rows, last = c.rows([made_button(gesture) for gesture in palette(*offer)])
    if aside is None:
        return [*rows, last]
    label, verb, arg = aside
    return [*rows, c.row(*last["components"], c.button(texts.t(label), ids(verb, arg)))]


@lru_cache(_ROWS_KEPT)  # buys 8 of the 66 us of a panel (tests.bench.caches)
def _kems_row(
    calls: frozenset[CallKind], ids: RoundCustomIds, texts: Texts, has_bell: bool, has_double: bool, looks: _Looks
) -> c.Row:
    """Return the button *Kem's*, and the double if there are partners; no button beside them can cost points."""
    call, _ = call_buttons(calls, ids, texts, has_bell=has_bell)
    label = texts.t("⚠️ Kem's!") if looks.is_wrong else call["label"]
    row = [c.button(label, call["custom_id"], style=looks.kems, is_enabled=not call["disabled"])]
    if has_double:
        double = texts.t("🛎️ Super Kem's!") if has_bell else texts.t("🔔🔔 Double!")
        row.append(c.button(double, ids(TableVerb.DOUBLE), style=looks.double, is_enabled=CallKind.DOUBLE in calls))
    return c.row(*row)


def _named(view: SeatView) -> list[tuple[TableVerb, int, CallKind]]:
    """Return whom the reader may name in a counter: a player or a team; a double counter names a team."""
    table, calls = view.table, view.table.rules.calls
    if not calls.counters:
        return []
    teams = [team for team in range(table.teams) if team != view.team]
    named = [(TableVerb.COUNTER_TEAM, team, CallKind.COUNTER) for team in teams]
    if calls.counter_names is Names.PLAYER:
        seats = [info.seat for info in table.seats if info.team != view.team]
        named = [(TableVerb.COUNTER_AT, seat, CallKind.COUNTER) for seat in seats]
    if calls.double_counters and len(table.seats) > table.teams:
        named += [(TableVerb.COUNTER_TWO, team, CallKind.DOUBLE_COUNTER) for team in teams]
    return named


def _targets(view: SeatView, table_text: TableText) -> tuple[_Target, ...]:
    """Return whom the reader can counter. If each target has a button on the hand, other teams need no mark."""
    people, texts, named, found = table_text.people, table_text.texts, _named(view), []
    is_one_tap = len(named) <= _ONE_TAP
    for verb, number, kind in named:
        if verb is TableVerb.COUNTER_AT and is_one_tap:
            label = "✋ " + clipped_name(people[number].name, _NAME, clean)
        elif verb is TableVerb.COUNTER_AT:
            label = f"{team_mark(view.table.seats[number].team)} {label_name(people[number])}"
        elif is_one_tap:
            label = texts.t("✋ Counter!") if verb is TableVerb.COUNTER_TEAM else texts.t("✋✋ Double")
            label = f"{label} {team_mark(number)}" if table_text.view.teams > _TWO_TEAMS else label
        else:
            team = table_text.team(number)
            label = team if verb is TableVerb.COUNTER_TEAM else texts.t("Double: {team}", team=team)
        found.append((verb, number, label, kind in view.offers.calls))
    return tuple(found)


@lru_cache(_ROWS_KEPT)
def _counters(targets: tuple[_Target, ...], calls: frozenset[CallKind], ids: RoundCustomIds, texts: Texts) -> c.Row:
    """Return buttons that counter with one tap if few can be named; otherwise one that opens the page of targets."""
    if len(targets) > _ONE_TAP:
        return c.row(call_buttons(calls, ids, texts, has_bell=False)[1])
    return c.row(*_target_buttons(targets, ids, c.SECONDARY))


def _target_buttons(targets: Sequence[_Target], ids: RoundCustomIds, style: c.Style) -> list[c.Button]:
    return [
        c.button(label, ids(verb, str(number)), style=style, is_enabled=is_open)
        for verb, number, label, is_open in targets
    ]


def _counter_rows(targets: Sequence[_Target], ids: RoundCustomIds, texts: Texts) -> list[c.Row]:
    back = c.button(texts.t("🂠 My hand"), ids(TableVerb.HAND))
    return [*c.rows(_target_buttons(targets, ids, c.PRIMARY)), c.row(back)]


def _last_row(view: SeatView, text: PanelText, ids: RoundCustomIds, sign_style: c.Style) -> c.Row:
    """Return the sign, then the opening of the hunt or the sweep.

    Instead of these: the answers to a vote, the cards to be shown, or the end of a pause. A dealer refuses a count by
    putting a card down; there is no button for it.
    """
    t, offers, table = text.texts.t, view.offers, view.table
    request = None if table.phase is Phase.SWEEP else text.show_request()
    row = [c.button(t("🤫 Sign…"), ids(TableVerb.SIGN_PANEL), style=sign_style)]
    if table.pause is not None:
        row.append(resume_button(ids, text.texts))
    elif table.phase is Phase.SWEEP:
        style = c.SUCCESS if offers.may_answer else c.SECONDARY
        row.append(c.button(t("🧹 Yes"), ids(TableVerb.YES), style=style, is_enabled=offers.may_answer))
        if table.rules.sweep.sweep_by is SweepBy.ANYBODY:
            row.append(c.button(t("No"), ids(TableVerb.NO), is_enabled=offers.may_answer))
    elif request is not None:
        can_show = any(isinstance(action, ShowCards) for action in view.special_moves)
        row.append(c.button(request, ids(TableVerb.SHOWING), style=c.PRIMARY, is_enabled=can_show))
    elif table.phase in _BEFORE_HUNT:
        row.append(c.button(t("📣 Open the hunt"), ids(TableVerb.OPEN), style=c.PRIMARY, is_enabled=offers.may_open))
    else:
        row.append(c.button(t("🧹 Sweep?"), ids(TableVerb.SWEEP), is_enabled=offers.may_sweep))
    return c.row(*row)
