"""The end of a round and of a match: who called, who had it, points, all hands, what the gestures meant."""

from collections.abc import Sequence
from typing import Final

from bot.game.events import CallKind, Outcome
from bot.game.phase import Phase
from bot.game.views import GestureInfo, ResultInfo, TableView
from bot.live.people import Player
from bot.ui.emojis import shown_gesture
from bot.ui.faces import Faces
from bot.ui.ids import Verb, make_id
from bot.ui.parts import PRIMARY, SUCCESS, Button, Layout, button, layout, rows, text
from bot.ui.people_view import people_buttons
from bot.ui.sign_news import known_single, reports
from bot.ui.teller import Teller, clock, countdown
from bot.ui.texts import Texts

GOLD: Final = 0xC9A227
TIMELINE: Final = 12  # gestures shown with their meaning


def result_board(view: TableView, people: Sequence[Player], table_id: int, faces: Faces) -> Layout:
    """The result of the round, or of the match where it is over."""
    teller = Teller(view, people, faces)
    return layout(
        text(*result_lines(teller)),
        text(*_details(teller)),
        *rows(_next_buttons(view, people, table_id, faces.texts)),
        colour=GOLD,
    )


def result_lines(teller: Teller) -> list[str]:
    """What ended the round, the points, and the match's end or when the next round comes."""
    t, view = teller.texts.t, teller.view
    lines = []
    if view.result is not None:
        lines += [
            f"## {headline(view.result.outcome, teller)}",
            _story(view.result, teller),
            *_in_vain(view.result, teller),
            *margin_words(view.result, teller),
            _points(view.result, teller),
        ]
    else:
        lines.append(f"**{teller.score()}**")
    if view.phase is Phase.MATCH_OVER:
        lines.append(_ending(teller))
    elif view.game_won:
        lines.append(t("A game is won: the score starts anew."))
    return lines


def _details(teller: Teller) -> list[str | None]:
    t, view, result = teller.texts.t, teller.view, teller.view.result
    lines: list[str | None] = []
    if result is not None:
        lines += (f"{teller.name(seat)} {teller.cards(hand)}" for seat, hand in enumerate(result.hands))
        lines.append(_timeline(view.gestures, teller))
    lines += (*reports(teller), known_single(teller))
    if view.phase is Phase.OVER and view.ends_at is not None:
        lines.append("-# " + t("Next round {when}", when=countdown(view.ends_at)))
    if view.pause is not None:
        lines.append(teller.paused(view.pause))
    return lines or [f"-# {teller.heading()}"]


def headline(outcome: Outcome, teller: Teller) -> str:
    """How a round ended, in a word or two."""
    t, has_bell = teller.texts.t, teller.view.rules.calls.bell
    match outcome:
        case Outcome.KEMS:
            return t("🛎️ KEM'S!") if has_bell else t("KEM'S!")
        case Outcome.DOUBLE:
            return t("🛎️ SUPER KEM'S!") if has_bell else t("DOUBLE KEM'S!")
        case Outcome.COUNTER:
            return t("COUNTER!")
        case Outcome.DOUBLE_COUNTER:
            return t("DOUBLE COUNTER!")
        case Outcome.FALSE_KEMS:
            return t("False Kem's")
        case Outcome.FALSE_DOUBLE:
            return t("False {double}", double=teller.double())
        case Outcome.FALSE_COUNTER:
            return t("False counter")
        case Outcome.FALSE_DOUBLE_COUNTER:
            return t("False double counter")
        case Outcome.FOUR_KEMS:
            return t("FOUR KEM'S!")
        case Outcome.THREE_ALIKE:
            return t("Three alike")


def _story(result: ResultInfo, teller: Teller) -> str:
    t, outcome = teller.texts.t, result.outcome
    if outcome is Outcome.THREE_ALIKE or result.caller is None:
        return t("Three alike lie in the pool: the round ends without points.")
    caller = teller.name(result.caller)
    team = teller.view.seats[result.caller].team if result.team is None else result.team
    accused = teller.team(team) if result.target is None else teller.name(result.target)
    held = _held(result, team, teller)
    match outcome:
        case Outcome.KEMS | Outcome.DOUBLE:
            return t("{caller} said it. {held}", caller=caller, held=held)
        case Outcome.FOUR_KEMS:
            both = _held(result, teller.view.seats[result.caller].team, teller)
            return t("{caller} said that too: two Kem's on either side. {held}", caller=caller, held=f"{both} {held}")
        case Outcome.COUNTER | Outcome.DOUBLE_COUNTER:
            return t("{caller} caught {accused}. {held}", caller=caller, accused=accused, held=held)
        case Outcome.FALSE_KEMS:
            return t("{caller} called, but there was no Kem's to call.", caller=caller)
        case Outcome.FALSE_DOUBLE:
            return t("{caller} said {double}, but there were not two.", caller=caller, double=teller.double())
        case _:
            return t("{caller} accused {accused} in vain.", caller=caller, accused=accused)


def _in_vain(result: ResultInfo, teller: Teller) -> list[str]:
    """Who added a false word to the call that stands, for it may have cost points."""
    if result.in_vain is None:
        return []
    return [teller.texts.t("{name} adds a word in vain: the first call stands.", name=teller.name(result.in_vain))]


def margin_words(result: ResultInfo, teller: Teller) -> list[str]:
    """By how much the call was the first of two in one moment."""
    t, margin = teller.texts.t, result.margin
    if margin is None:
        return []
    told = {"milliseconds": margin.milliseconds, "name": teller.name(margin.rival)}
    match margin.call:
        case CallKind.KEMS:
            return [t("{milliseconds} ms before {name}'s Kem's", **told)]
        case CallKind.DOUBLE:
            return [t("{milliseconds} ms before {name}'s double", **told)]
        case CallKind.COUNTER:
            return [t("{milliseconds} ms before {name}'s counter", **told)]
        case CallKind.DOUBLE_COUNTER:
            return [t("{milliseconds} ms before {name}'s double counter", **told)]


def _held(result: ResultInfo, team: int, teller: Teller) -> str:
    """Whose four alike they were; the callers of a Kem's may hold one of their own besides."""
    holders = [seat for seat in result.kems_holders if teller.view.seats[seat].team == team]
    if result.target in holders:
        holders = [seat for seat in holders if seat == result.target]
    words = [f"{teller.name(seat)} ({teller.cards(result.hands[seat])})" for seat in holders]
    return teller.texts.t("Held by {names}.", names=teller.listed(words)) if words else ""


def _points(result: ResultInfo, teller: Teller) -> str:
    t = teller.texts.t
    given = [f"{teller.team(team)} {points:+}".replace("-", "−") for team, points in enumerate(result.points) if points]
    return t("{points} → {score}", points=" · ".join(given) or t("No points"), score=teller.score())


def _ending(teller: Teller) -> str:
    t, view = teller.texts.t, teller.view
    if view.winner is None:
        return "### " + t("🤝 The match ends level.")
    names = teller.names(view.members(view.winner))
    return "### " + t("🏆 {team} wins the match: {names}", team=teller.team(view.winner), names=names)


def _timeline(gestures: Sequence[GestureInfo], teller: Teller) -> str:
    """The latest gestures, newest first, each with its time after the deal and, where it may be told, what it was."""
    t = teller.texts.t
    told = [
        f"{clock(item.at)} {teller.name(item.seat)} {shown_gesture(item.kind, item.text)}" + meaning(item, teller)
        for item in reversed(gestures[-TIMELINE:])
    ]
    return t("Signs: {told}", told=" · ".join(told) or t("none was made"))


def meaning(item: GestureInfo, teller: Teller) -> str:
    """Whether the gesture was the sign, in brackets; nothing while it may not be told."""
    if item.is_sign is None:
        return ""
    return " " + (teller.texts.t("(**the sign**)") if item.is_sign else teller.texts.t("(bluff)"))


def _next_buttons(view: TableView, people: Sequence[Player], table_id: int, texts: Texts) -> list[Button]:
    t = texts.t
    if view.phase is Phase.MATCH_OVER:
        return [button(t("🔁 Rematch"), make_id(table_id, Verb.REMATCH), style=SUCCESS)]
    return [
        button(t("Next round"), make_id(table_id, Verb.NEXT), style=SUCCESS),
        button(t("Change the sign"), make_id(table_id, Verb.SIGN_PANEL), style=PRIMARY),
        *people_buttons(view, people, table_id, texts),
    ]
