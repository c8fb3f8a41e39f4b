"""The pages of a hand panel, and what each shows in the current phase of the match."""

from dataclasses import replace
from itertools import takewhile
from math import inf
from typing import Final, assert_never

from bot.discord.api import components as c
from bot.discord.api.components import with_line, with_verbs_enabled
from bot.discord.api.custom_ids import RoundCustomIds
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import Texts
from bot.game.actions import ShowCards
from bot.game.events import Phase
from bot.lessons.lesson import Lesson
from bot.tables.lobby.help import Coaching
from bot.ui.table.pages.hand_panel import hand_panel, panel_text, with_shown_bluff
from bot.ui.table.pages.match_end import after_first_match, play_button, rematch_line
from bot.ui.table.pages.panel_state import PanelPage, PanelState, PanelView
from bot.ui.table.pages.round_end import own_ending, own_result
from bot.ui.table.pages.sign_panel import sign_panel
from bot.ui.table.verbs import AT_REST, TableVerb, card_of
from bot.ui.words.panel_text import FRESH_MS, NEWS_MS, is_fresh
from bot.ui.words.table_text import TableText, seated_players

_IN_ROW: Final = 2  # choices of cards to show
_BETWEEN_ROUNDS: Final = (Phase.SIGNS, Phase.OVER, Phase.MATCH_OVER)


def drawn_panel(state: PanelState, faces: Faces, problem: str | None, now: int) -> c.Layout:
    """Return a panel as it looks at an instant (milliseconds); a player who has left the seat sees no cards.

    `problem` says why the table's message cannot be shown.
    """
    table = state.table
    if table.lobby.seat_of(state.user_id) != state.seat:
        return left_panel(state.texts)
    panel = panel_page(_seen(state, faces, now))
    if problem is not None:
        panel = with_line(panel, problem)
    return panel if table.table_view().pause is None else with_verbs_enabled(panel, AT_REST)


def panel_page(seen: PanelView) -> c.Layout:
    """Return the page that a panel shows. The page of the hand follows the phase of the match."""
    match seen.page:
        case PanelPage.SIGN | PanelPage.CHOICE:
            return sign_panel(seen)
        case PanelPage.SHOW:
            return show_panel(seen)
        case PanelPage.HAND | PanelPage.COUNTER:
            return _hand(seen)
        case _:
            assert_never(seen.page)


def left_panel(texts: Texts) -> c.Layout:
    """Return the panel of a player who has left the seat, which shows no hand."""
    return c.layout(c.text(texts.t("You are no longer at this table.")))


def fades_at(state: PanelState, now: int) -> int | None:
    """Return when the next mark, notice or countdown of a panel ends (milliseconds); None if none does."""
    view = state.table.seat_view(state.seat)
    table = view.table
    made = (table.dealt_at + item.at for item in reversed(table.gestures))
    fresh = [at + FRESH_MS for at in takewhile(lambda at: is_fresh(at, now), made)]
    lines = [table.dealt_at + item.at for item in table.reports[-1:]] + [item.at for item in table.penalties[-1:]]
    lines += [table.phase_at, view.by_chance_at, state.table.advised_at(state.seat)]
    ends = (state.until, table.ends_at, table.duty_ends_at, table.seats[state.seat].take_ends_at)
    moments = (*fresh, *(at + NEWS_MS for at in lines), *ends)
    return min((at for at in moments if at is not None and at > now), default=None)


def _seen(state: PanelState, faces: Faces, now: int) -> PanelView:
    table, seat = state.table, state.seat
    view, page = table.seat_view(seat), state.page
    if page is PanelPage.SIGN and view.table.phase is Phase.SIGNS:
        page = PanelPage.HAND  # which is about the sign until cards are dealt
    is_answer, is_hand = now < state.until, page is PanelPage.HAND
    seed, lesson = hash((table.id, seat, view.table.round)), table.lesson(seat) if is_hand else None
    advice = with_shown_bluff(table.advice(seat), view, seed) if is_hand else None
    is_news = view.table.phase in _BETWEEN_ROUNDS or now < table.advised_at(seat) + NEWS_MS
    player, proposal, marked = table.lobby.players[seat], view.proposal, table.lobby.help
    before = table.round_players[seat]
    return PanelView(
        view,
        seated_players(table.lobby.players),
        table.id,
        faces,
        now,
        seed,
        page,
        notice=state.notice if is_answer else None,
        chosen=card_of(state.option) if is_answer and is_hand else None,
        coaching=table.coaching_of(seat),
        advice=advice if is_news or lesson is not None else None,
        lesson=lesson,
        level=marked.of(seat),
        has_free_level=marked.is_chosen,
        is_ranked=marked.is_ranked,
        is_first_unguided=marked.is_first_unguided(seat),
        ready=table.lobby.wants_rematch,
        away=table.away,
        is_inherited=player is not None and proposal is not None and player.was_replaced(proposal.at),
        played=seated_players(table.round_players),
        is_new=before is not None and before.user_id != state.user_id,
    )


def _hand(seen: PanelView) -> c.Layout:
    """Return the hand while a round runs; the sign before the first card and after the last; at the end the result."""
    phase = seen.view.table.phase
    if phase not in _BETWEEN_ROUNDS:
        return hand_panel(seen)
    table_text = TableText(seen.view.table, seen.people, seen.faces)
    text, is_first = panel_text(seen, table_text), seen.coaching is Coaching.LESSONS or seen.lesson is Lesson.END
    if phase is Phase.MATCH_OVER:
        taught = text.lessons.end_of_round(is_last=seen.lesson is Lesson.END) if is_first else None
        return _end_panel(seen, table_text, taught, is_first=is_first)
    message, has_hint = seen.notice, seen.lesson is not None or bool(seen.advice and seen.advice[0])
    if phase is Phase.OVER and is_first:
        message = "\n".join(filter(None, (message, text.lessons.end_of_round(is_last=False))))
    elif phase is Phase.SIGNS and message is None and has_hint:
        message = text.hint(inf)
    return sign_panel(replace(seen, notice=message))


def _end_panel(seen: PanelView, table_text: TableText, taught: str | None, *, is_first: bool) -> c.Layout:
    """Return how the match ended for its reader, and what comes next; `is_first`: it has taught the reader."""
    texts, view = seen.faces.texts, seen.view
    ids = RoundCustomIds(seen.table_id, view.table.round)
    after = c.row(
        c.button(texts.t("🔁 Rematch"), ids(TableVerb.REMATCH), style=c.SUCCESS),
        c.button(texts.t("🔎 My mistakes"), ids(TableVerb.REVIEW)),
        play_button(texts.t("♠ Play"), style=c.PRIMARY),
    )
    return c.layout(
        c.text(
            *(seen.notice, f"## {own_ending(view, texts)}", *own_result(table_text, view)[:1]),
            *(rematch_line(seen.people, seen.ready, seen.away, table_text), taught),
        ),
        after_first_match(texts) if is_first else after,
        colour=c.BLUE,
    )


def show_panel(seen: PanelView) -> c.Layout:
    """Return the choices of cards to show that the rules allow; nothing once the cards were shown."""
    view, faces = seen.view, seen.faces
    t, ids = faces.texts.t, RoundCustomIds(seen.table_id, view.table.round)
    viewer = view.table.seats[view.seat].must_show_to
    if viewer is None:
        sentence = t("There is nothing to show any more.")
    else:
        name = TableText(view.table, seen.people, faces).name(viewer)
        sentence = t("**Show cards to {name}.** Nobody else sees them.", name=name)
    choices = sorted(action.cards for action in view.special_moves if isinstance(action, ShowCards))
    buttons = [
        c.button(faces.labels(cards), ids(TableVerb.SHOW, ",".join(card.code for card in cards))) for cards in choices
    ]
    back = c.button(t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY)
    return c.layout(c.text(sentence), *c.rows(buttons, _IN_ROW), c.row(back), colour=c.BLUE)
