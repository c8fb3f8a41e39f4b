"""The end of a round: who called, who had it, the points and their sum, all hands, what the gestures meant."""

from collections.abc import Sequence
from typing import Final

from bot.game.events import CallKind, CounterFailed, Outcome, Penalty
from bot.game.phase import Phase
from bot.game.rules.parts import SignChange
from bot.game.views import GestureInfo, ResultInfo, TableView
from bot.records.player import Player
from bot.ui.kit.components import PRIMARY, SUCCESS, Button, Layout, button, layout, rows, text
from bot.ui.kit.custom_ids import Ids, ids_of
from bot.ui.kit.palette import GOLD
from bot.ui.kit.texts import Texts, mark
from bot.ui.table.public.story_log import log_line
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.scores import signed
from bot.ui.words.table_text import TableText, clock, countdown, known_single, latest_of_each, reports

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
_CARDS_TOLD: Final = 2  # hands that the headline tells; where there are more, the list of all hands does
_FALSE: Final = frozenset(
    {Outcome.FALSE_KEMS, Outcome.FALSE_DOUBLE, Outcome.FALSE_COUNTER, Outcome.FALSE_DOUBLE_COUNTER}
)
_HEADLINES_WITH_BELL: Final = {Outcome.KEMS: mark("🛎️ KEM'S!"), Outcome.DOUBLE: mark("🛎️ SUPER KEM'S!")}
_MARGINS: Final = {
    CallKind.KEMS: mark("{milliseconds} ms before {name}'s Kem's"),
    CallKind.DOUBLE: mark("{milliseconds} ms before {name}'s double"),
    CallKind.COUNTER: mark("{milliseconds} ms before {name}'s counter"),
    CallKind.DOUBLE_COUNTER: mark("{milliseconds} ms before {name}'s double counter"),
}


def result_board(
    view: TableView, people: Sequence[Player], table_id: int, faces: Faces, log: Sequence[TableView] = ()
) -> Layout:
    """The result of the round, with the `log` of those before it (`bot.ui.table.public.story_log`)."""
    table_text = TableText(view, people, faces)
    return layout(
        text(*result_lines(table_text)),
        text(*_details(table_text), log_line(log, faces.texts), _next_line(table_text)),
        *rows(_next_buttons(view, people, ids_of(table_id, view.round), faces.texts)),
        colour=GOLD,
    )


def _details(table_text: TableText) -> list[str]:
    """A text is never empty: without a result it says which round it is."""
    return round_details(table_text) or [f"-# {table_text.heading()}"]


def result_lines(table_text: TableText, *, is_numbered: bool = True) -> list[str]:
    """What ended the round, whose cards it was about, the score and its sum; at the end of the match the winner.

    `is_numbered`: the round's number stands in the headline.
    """
    t, view = table_text.texts.t, table_text.view
    lines = []
    if view.result is not None:
        ended = headline(view.result.outcome, table_text)
        lines += [
            f"## {table_text.round_name()} · {ended}" if is_numbered else f"## {ended}",
            *story_lines(view.result, table_text),
        ]
    lines += [table_text.score(), points_words(table_text)]
    if view.phase is Phase.MATCH_OVER:
        lines.append(f"### {ending_words(table_text)}")
    elif view.game_won:
        lines.append(t("A game is won: the score starts at zero."))
    return lines


def last_round_lines(table_text: TableText) -> list[str]:
    """The round that ended the match: below who has won and the score, so without them."""
    result, title = table_text.view.result, f"### {table_text.round_name()}"
    if result is None:  # a guess has ended the match in mid-round
        return [title, points_words(table_text)]
    ended = headline(result.outcome, table_text)
    return [f"{title} · {ended}", *story_lines(result, table_text), points_words(table_text)]


def story_lines(result: ResultInfo, table_text: TableText) -> list[str]:
    """What happened at the end, and how close it was."""
    return [_story(result, table_text).rstrip(), *_in_vain(result, table_text), *margin_words(result, table_text)]


def round_details(table_text: TableText) -> list[str]:
    """The hands that the headline does not tell, the gestures with their times and meanings, and what was guessed."""
    result = table_text.view.result
    lines: list[str] = []
    if result is not None:
        told = _told_holders(result, table_text)
        told = told if len(told) <= _CARDS_TOLD else []
        lines += (
            f"{table_text.name(seat)} {table_text.cards(hand)}"
            for seat, hand in enumerate(result.hands)
            if seat not in told
        )
        lines.append(_timeline(table_text.view.gestures, table_text))
    known = known_single(table_text)
    return [*lines, *reports(table_text), *([] if known is None else [known])]


def _next_line(table_text: TableText) -> str | None:
    """When the next round is dealt by itself, or why nothing goes on."""
    t, view = table_text.texts.t, table_text.view
    if view.pause is not None:
        return table_text.paused(view.pause)
    if view.ends_at is None:
        return None
    return "-# " + t("Next round {when}", when=countdown(view.ends_at))


def headline(outcome: Outcome, table_text: TableText) -> str:
    """How a round ended, in a word or two."""
    t, has_bell = table_text.texts.t, table_text.view.rules.calls.bell
    bell = _HEADLINES_WITH_BELL.get(outcome) if has_bell else None
    return t(bell or _HEADLINES[outcome], double=table_text.double())


def _story(result: ResultInfo, table_text: TableText) -> str:
    t, outcome = table_text.texts.t, result.outcome
    if outcome is Outcome.TOO_MANY_SWEEPS:
        return t("No card was exchanged for a long time: the round is over.")
    if outcome is Outcome.STOCK_OUT:
        return t("There are not four cards left to turn up: the round is over.")
    if outcome is Outcome.THREE_ALIKE and result.laid_by is not None:
        return t("{name} lays the third alike: the round is over.", name=table_text.name(result.laid_by))
    if outcome is Outcome.THREE_ALIKE or result.caller is None:
        return t("Three of a kind in the middle: the round is over.")
    caller, held = table_text.name(result.caller), _held(result, table_text)
    team = table_text.view.seats[result.caller].team if result.team is None else result.team
    accused = table_text.team(team) if result.target is None else table_text.name(result.target)
    match outcome:
        case Outcome.KEMS:
            return t("{caller} calls Kem's! {held}", caller=caller, held=held)
        case Outcome.DOUBLE:
            return t("{caller} calls {double}! {held}", caller=caller, double=table_text.double(), held=held)
        case Outcome.FOUR_KEMS:
            return t("{caller} adds the other word: two Kem's on either side. {held}", caller=caller, held=held)
        case Outcome.COUNTER | Outcome.DOUBLE_COUNTER:
            return t("{caller} counters {accused}! {held}", caller=caller, accused=accused, held=held)
        case Outcome.FALSE_KEMS:
            return t("{caller} calls Kem's, but there is none to call.", caller=caller)
        case Outcome.FALSE_DOUBLE:
            return t("{caller} calls {double}, but there are not two.", caller=caller, double=table_text.double())
        case _:
            return t("{caller} counters {accused} for nothing.", caller=caller, accused=accused)


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


def _told_holders(result: ResultInfo, table_text: TableText) -> list[int]:
    """The seats whose four alike the headline is about; the callers of a Kem's may hold one of their own besides."""
    if result.caller is None or result.outcome in _FALSE:
        return []
    teams = {table_text.view.seats[result.caller].team if result.team is None else result.team}
    if result.outcome is Outcome.FOUR_KEMS:
        teams.add(table_text.view.seats[result.caller].team)
    holders = [seat for seat in result.kems_holders if table_text.view.seats[seat].team in teams]
    return [result.target] if result.target in holders else holders


def _held(result: ResultInfo, table_text: TableText) -> str:
    t, holders = table_text.texts.t, _told_holders(result, table_text)
    if len(holders) == 1:
        (seat,) = holders
        return t("{name} had the four: {cards}", name=table_text.name(seat), cards=table_text.cards(result.hands[seat]))
    if len(holders) > _CARDS_TOLD:
        return ""
    fours = [f"{table_text.name(seat)} {table_text.cards(result.hands[seat])}" for seat in holders]
    return t("The fours: {fours}", fours=" · ".join(fours)) if fours else ""


def points_words(table_text: TableText) -> str:
    """The sum of the round: what its end gave to each team, then each penalty before that."""
    t, view = table_text.texts.t, table_text.view
    given = [] if view.result is None else _by_team(view.result.points, table_text)
    for penalty in view.penalties:
        name = table_text.name(penalty.seat)
        if isinstance(penalty, CounterFailed):
            cause = t("false counter by {name}", name=name)
        else:
            cause = t("sign found by {name}", name=name) if penalty.is_right else t("wrong guess by {name}", name=name)
        given.append(_penalty_words(cause, penalty, table_text))
    return " · ".join(given) or t("No points")


def _penalty_words(cause: str, penalty: Penalty, table_text: TableText) -> str:
    """`false counter by Léa: −1`; the teams are named unless it cost the own team alone."""
    team = table_text.view.seats[penalty.seat].team
    if [number for number, points in enumerate(penalty.points) if points] == [team]:
        return table_text.texts.t("{cause}: {points}", cause=cause, points=signed(penalty.points[team], plus=True))
    return f"{cause} — {', '.join(_by_team(penalty.points, table_text))}"


def _by_team(points: Sequence[int], table_text: TableText) -> list[str]:
    return [table_text.team_points(team, signed(count, plus=True)) for team, count in enumerate(points) if count]


def ending_words(table_text: TableText) -> str:
    """Who has won the match."""
    t, view = table_text.texts.t, table_text.view
    if view.winner is None:
        return t("🤝 The match ends level.")
    names = table_text.names(view.members(view.winner))
    return t("🏆 {team} wins the match: {names}", team=table_text.team(view.winner), names=names)


def _timeline(gestures: Sequence[GestureInfo], table_text: TableText) -> str:
    """Gestures, newest first, each with its time after the deal and, where it may be told, what it was.

    Where there are too many, signs and the latest gesture of each player stay.
    """
    t = table_text.texts.t
    wanted = [*(item for item in reversed(gestures) if item.is_sign), *latest_of_each(gestures), *reversed(gestures)]
    shown = sorted(list(dict.fromkeys(wanted))[:TIMELINE], key=lambda item: item.at, reverse=True)
    told = [f"{clock(item.at)}\u00a0{table_text.gesture(item)}{meaning(item, table_text)}" for item in shown]
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
    is_free = view.rules.signs.sign_change is SignChange.BETWEEN
    sign = t("Change the sign") if is_free else t("🤫 My team's sign")
    return [
        button(t("Next round"), ids(TableVerb.NEXT), style=SUCCESS),
        button(sign, ids(TableVerb.SIGN_PANEL), style=PRIMARY),
        *people_buttons(view, people, ids, texts),
    ]
