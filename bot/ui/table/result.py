"""The end of a round and of a match: who called, who had it, points, all hands, what the gestures meant."""

from collections.abc import Sequence
from typing import Final

from bot.game.events import CallKind, Outcome
from bot.game.phase import Phase
from bot.game.rules.parts import SignChange
from bot.game.views import GestureInfo, ResultInfo, TableView
from bot.records.player import Player
from bot.ui.kit.components import PRIMARY, SUCCESS, Button, Layout, button, layout, rows, text
from bot.ui.kit.custom_ids import Ids, ids_of
from bot.ui.kit.palette import GOLD
from bot.ui.kit.texts import Texts, mark
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.sign_emojis import shown_gesture
from bot.ui.words.table_text import TableText, clock, countdown, known_single, reports

TIMELINE: Final = 12  # gestures shown with their meaning
_HEADLINES: Final = {
    Outcome.KEMS: mark("KEM'S!"),
    Outcome.DOUBLE: mark("DOUBLE KEM'S!"),
    Outcome.COUNTER: mark("COUNTER!"),
    Outcome.DOUBLE_COUNTER: mark("DOUBLE COUNTER!"),
    Outcome.FALSE_KEMS: mark("False Kem's"),
    Outcome.FALSE_DOUBLE: mark("False {double}"),
    Outcome.FALSE_COUNTER: mark("False counter"),
    Outcome.FALSE_DOUBLE_COUNTER: mark("False double counter"),
    Outcome.FOUR_KEMS: mark("FOUR KEM'S!"),
    Outcome.THREE_ALIKE: mark("Three alike"),
    Outcome.TOO_MANY_SWEEPS: mark("Too many sweeps"),
    Outcome.STOCK_OUT: mark("The stock is out"),
}
_HEADLINES_WITH_BELL: Final = {Outcome.KEMS: mark("🛎️ KEM'S!"), Outcome.DOUBLE: mark("🛎️ SUPER KEM'S!")}
_MARGINS: Final = {
    CallKind.KEMS: mark("{milliseconds} ms before {name}'s Kem's"),
    CallKind.DOUBLE: mark("{milliseconds} ms before {name}'s double"),
    CallKind.COUNTER: mark("{milliseconds} ms before {name}'s counter"),
    CallKind.DOUBLE_COUNTER: mark("{milliseconds} ms before {name}'s double counter"),
}


def result_board(view: TableView, people: Sequence[Player], table_id: int, faces: Faces) -> Layout:
    """The result of the round, or of the match where it is over."""
    table_text = TableText(view, people, faces)
    return layout(
        text(*result_lines(table_text)),
        text(*_details(table_text)),
        *rows(_next_buttons(view, people, ids_of(table_id, view.round), faces.texts)),
        colour=GOLD,
    )


def result_lines(table_text: TableText) -> list[str]:
    """What ended the round, the points, and the match's end or when the next round comes."""
    t, view = table_text.texts.t, table_text.view
    lines = []
    if view.result is not None:
        lines += [
            f"## {headline(view.result.outcome, table_text)}",
            _story(view.result, table_text),
            *_in_vain(view.result, table_text),
            *margin_words(view.result, table_text),
            _points(view.result, table_text),
        ]
    else:
        lines.append(table_text.score())
    if view.phase is Phase.MATCH_OVER:
        lines.append(_ending(table_text))
    elif view.game_won:
        lines.append(t("A game is won: the score starts at zero."))
    return lines


def _details(table_text: TableText) -> list[str | None]:
    t, view, result = table_text.texts.t, table_text.view, table_text.view.result
    lines: list[str | None] = []
    if result is not None:
        lines += (f"{table_text.name(seat)} {table_text.cards(hand)}" for seat, hand in enumerate(result.hands))
        lines.append(_timeline(view.gestures, table_text))
    lines += (*reports(table_text), known_single(table_text))
    if view.phase is Phase.OVER and view.ends_at is not None:
        lines.append("-# " + t("Next round {when}", when=countdown(view.ends_at)))
    if view.pause is not None:
        lines.append(table_text.paused(view.pause))
    return lines if any(lines) else [f"-# {table_text.heading()}"]


def headline(outcome: Outcome, table_text: TableText) -> str:
    """How a round ended, in a word or two."""
    t, has_bell = table_text.texts.t, table_text.view.rules.calls.bell
    bell = _HEADLINES_WITH_BELL.get(outcome) if has_bell else None
    return t(bell or _HEADLINES[outcome], double=table_text.double())


def _story(result: ResultInfo, table_text: TableText) -> str:
    t, outcome = table_text.texts.t, result.outcome
    if outcome is Outcome.TOO_MANY_SWEEPS:
        return t("Nobody exchanges a card any more: the round ends without points.")
    if outcome is Outcome.STOCK_OUT:
        return t("There are not four cards left to turn up: the round ends without points.")
    if outcome is Outcome.THREE_ALIKE or result.caller is None:
        return t("Three alike lie in the pool: the round ends without points.")
    caller = table_text.name(result.caller)
    team = table_text.view.seats[result.caller].team if result.team is None else result.team
    accused = table_text.team(team) if result.target is None else table_text.name(result.target)
    held = _held(result, team, table_text)
    match outcome:
        case Outcome.KEMS | Outcome.DOUBLE:
            return t("{caller} said it. {held}", caller=caller, held=held)
        case Outcome.FOUR_KEMS:
            both = _held(result, table_text.view.seats[result.caller].team, table_text)
            return t("{caller} said that too: two Kem's on either side. {held}", caller=caller, held=f"{both} {held}")
        case Outcome.COUNTER | Outcome.DOUBLE_COUNTER:
            return t("{caller} caught {accused}. {held}", caller=caller, accused=accused, held=held)
        case Outcome.FALSE_KEMS:
            return t("{caller} called, but there was no Kem's to call.", caller=caller)
        case Outcome.FALSE_DOUBLE:
            return t("{caller} said {double}, but there were not two.", caller=caller, double=table_text.double())
        case _:
            return t("{caller} accused {accused} in vain.", caller=caller, accused=accused)


def _in_vain(result: ResultInfo, table_text: TableText) -> list[str]:
    """Who added a false word to the call that stands, for it may have cost points."""
    t = table_text.texts.t
    if result.in_vain is None:
        return []
    return [t("{name} adds a word in vain: the first call stands.", name=table_text.name(result.in_vain))]


def margin_words(result: ResultInfo, table_text: TableText) -> list[str]:
    """By how much the call was the first of two in one moment."""
    t, margin = table_text.texts.t, result.margin
    if margin is None:
        return []
    return [t(_MARGINS[margin.call], milliseconds=margin.milliseconds, name=table_text.name(margin.rival))]


def _held(result: ResultInfo, team: int, table_text: TableText) -> str:
    """Whose four alike they were; the callers of a Kem's may hold one of their own besides."""
    holders = [seat for seat in result.kems_holders if table_text.view.seats[seat].team == team]
    if result.target in holders:
        holders = [seat for seat in holders if seat == result.target]
    words = [f"{table_text.name(seat)} ({table_text.cards(result.hands[seat])})" for seat in holders]
    return table_text.texts.t("Held by {names}.", names=table_text.listed(words)) if words else ""


def _points(result: ResultInfo, table_text: TableText) -> str:
    t = table_text.texts.t
    given = [
        f"{table_text.team(team)} {points:+}".replace("-", "−") for team, points in enumerate(result.points) if points
    ]
    return t("{points} → {score}", points=" · ".join(given) or t("No points"), score=table_text.score())


def _ending(table_text: TableText) -> str:
    t, view = table_text.texts.t, table_text.view
    if view.winner is None:
        return "### " + t("🤝 The match ends level.")
    names = table_text.names(view.members(view.winner))
    return "### " + t("🏆 {team} wins the match: {names}", team=table_text.team(view.winner), names=names)


def _timeline(gestures: Sequence[GestureInfo], table_text: TableText) -> str:
    """The latest gestures, newest first, each with its time after the deal and, where it may be told, what it was."""
    t = table_text.texts.t
    told = [
        f"{clock(item.at)} {table_text.name(item.seat)} {shown_gesture(item.kind, item.text)}"
        + meaning(item, table_text)
        for item in reversed(gestures[-TIMELINE:])
    ]
    return t("Signs: {told}", told=" · ".join(told) or t("none was made"))


def meaning(item: GestureInfo, table_text: TableText) -> str:
    """Whether the gesture was the sign, in brackets; nothing while it may not be told."""
    if item.is_sign is None:
        return ""
    return " " + (table_text.texts.t("(**the sign**)") if item.is_sign else table_text.texts.t("(bluff)"))


def people_buttons(view: TableView, people: Sequence[Player], ids: Ids, texts: Texts) -> list[Button]:
    """At the right end of the last row, so that nothing moves when one comes."""
    if view.phase is Phase.MATCH_OVER:
        return []
    if view.pause is not None:
        return [button(texts.t("▶ Resume"), ids(TableVerb.RESUME), style=SUCCESS)]
    seat = next((seat for seat, player in enumerate(people) if player.is_open), None)
    if seat is None:
        return []
    return [button(texts.t("🪑 Step in"), ids(TableVerb.SUBSTITUTE, str(seat)), style=PRIMARY)]


def _next_buttons(view: TableView, people: Sequence[Player], ids: Ids, texts: Texts) -> list[Button]:
    t = texts.t
    if view.phase is Phase.MATCH_OVER:
        return [button(t("🔁 Rematch"), ids(TableVerb.REMATCH), style=SUCCESS)]
    is_free = view.rules.signs.sign_change is SignChange.BETWEEN
    sign = t("Change the sign") if is_free else t("🤫 My team's sign")
    return [
        button(t("Next round"), ids(TableVerb.NEXT), style=SUCCESS),
        button(sign, ids(TableVerb.SIGN_PANEL), style=PRIMARY),
        *people_buttons(view, people, ids, texts),
    ]
