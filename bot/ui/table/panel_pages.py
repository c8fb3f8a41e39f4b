"""The pages of a private panel: the hand, the sign, the choice of whom to counter. Each shows one seat's view alone."""

from collections.abc import Mapping, Sequence
from enum import StrEnum, auto
from functools import partial
from itertools import takewhile
from typing import Final, assert_never

from bot.game.actions import ShowCards
from bot.game.events import CallKind
from bot.game.phase import Phase
from bot.game.rules.rules import Names
from bot.game.views import SeatView
from bot.records.player import Player
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids
from bot.ui.kit.layouts import at_rest, with_line
from bot.ui.kit.names import label_name
from bot.ui.kit.texts import Texts
from bot.ui.live.screens import PanelPageScreen, PanelState
from bot.ui.table.hand_panel import hand_panel, with_shown_bluff
from bot.ui.table.press_to_action import card_of
from bot.ui.table.sign_panel import sign_panel
from bot.ui.table.verbs import AT_REST, TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.panel_text import FRESH_MS, is_fresh
from bot.ui.words.table_text import TableText, seated, team_mark

_IN_ROW: Final = 2


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


PAGES: Final[Mapping[str, PanelPageScreen]] = {page: partial(_page, page) for page in PanelPage}
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
        c.button(faces.labels(cards), ids(TableVerb.SHOW, "".join(card.code for card in cards))) for cards in choices
    ]
    back = c.button(t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY)
    return c.layout(c.text(said), *c.rows(buttons, _IN_ROW), c.row(back), colour=c.BLUE)
