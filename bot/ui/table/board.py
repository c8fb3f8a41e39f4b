"""The public message of a running match: the board of a round, its result, the short log of the rounds before.

It is made from the public view alone, so that no hidden card can be on it.
"""

from collections.abc import Collection, Sequence
from typing import Final

from bot.game.events import CallKind, CounterFailed, Outcome
from bot.game.phase import Phase
from bot.game.rules.rules import SignChange
from bot.game.views import GestureInfo, ResultInfo, TableView
from bot.records.player import Player
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import Ids
from bot.ui.kit.texts import Texts, mark, unbroken
from bot.ui.rules.verbs import RulesVerb
from bot.ui.table.verbs import TableVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.table_text import (
    TableText,
    clock,
    countdown,
    known_single,
    latest_of_each,
    reports,
    signed,
    team_mark,
    vote_outcome,
)

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
_STORIES: Final = {
    Outcome.KEMS: mark("{caller} calls Kem's! {held}"),
    Outcome.DOUBLE: mark("{caller} calls {double}! {held}"),
    Outcome.FOUR_KEMS: mark("{caller} adds the other word: two Kem's on either side. {held}"),
    Outcome.COUNTER: mark("{caller} counters {accused}! {held}"),
    Outcome.DOUBLE_COUNTER: mark("{caller} counters {accused}! {held}"),
    Outcome.FALSE_KEMS: mark("{caller} calls Kem's, but there is none to call."),
    Outcome.FALSE_DOUBLE: mark("{caller} calls {double}, but there are not two."),
}
_IN_VAIN: Final = mark("{caller} counters {accused} for nothing.")
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

MOST: Final = 12  # rounds that are told
_ENDS: Final = {
    Outcome.KEMS: mark("Kem's"),
    Outcome.DOUBLE: mark("double"),
    Outcome.COUNTER: mark("counter"),
    Outcome.DOUBLE_COUNTER: mark("double counter"),
    Outcome.FALSE_KEMS: mark("false Kem's"),
    Outcome.FALSE_DOUBLE: mark("false double"),
    Outcome.FALSE_COUNTER: mark("false counter"),
    Outcome.FALSE_DOUBLE_COUNTER: mark("false double counter"),
    Outcome.FOUR_KEMS: mark("four Kem's"),
    Outcome.THREE_ALIKE: mark("three alike"),
    Outcome.TOO_MANY_SWEEPS: mark("too many sweeps"),
    Outcome.STOCK_OUT: mark("stock out"),
}


def table_board(
    view: TableView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    opened_hands: Collection[int],
    log: Sequence[TableView] = (),
) -> c.Layout:
    """The table's message in every phase of a round; once that is over, its result.

    `people` by seat; `opened_hands` are the seats whose panel is open; `log` are the rounds before this one.
    """
    if view.phase is Phase.OVER:
        return result_board(view, people, table_id, faces, log)
    ids, texts, table_text = Ids(table_id, view.round), faces.texts, TableText(view, people, faces)
    is_before = view.phase is Phase.SIGNS  # there are no cards yet, and no gesture is of this round
    return c.layout(
        c.text(table_text.heading(), log_line(log, texts)),
        *([] if is_before else [c.text(table_text.pool())]),
        c.text(
            table_text.state(),
            table_text.duties(),
            table_text.seats(None if is_before else opened_hands),
            None if is_before else table_text.ticker(),
            *reports(table_text),
            known_single(table_text),
            vote_outcome(table_text),
        ),
        *c.rows([*_buttons(view, ids, texts), *people_buttons(view, people, ids, texts)]),
        colour=c.GREEN,
    )


def _buttons(view: TableView, ids: Ids, texts: Texts) -> list[c.Button]:
    """One row, the same in every phase: cards, sweeps and doubles are for the hand panel."""
    if view.phase is Phase.SIGNS:
        own = c.button(texts.t("🤫 My team's sign"), ids(TableVerb.SIGN_PANEL), style=c.PRIMARY)
    else:
        own = c.button(texts.t("🂠 My hand"), ids(TableVerb.HAND), style=c.PRIMARY)
    kems, _, counter = call_buttons(view.offers.calls, ids, texts, has_bell=view.rules.calls.bell)
    return [own, kems, counter, c.button(texts.t("❔ Help"), ids(RulesVerb.HELP))]


def call_buttons(calls: frozenset[CallKind], ids: Ids, texts: Texts, *, has_bell: bool) -> Sequence[c.Button]:
    """Kem's, double and counter; `calls` are possible for the reader, or on the table for anybody."""
    kems, double = texts.t("🔔 Kem's!"), texts.t("Double!")
    if has_bell:
        kems, double = texts.t("🛎️ Kem's!"), texts.t("🛎️ Super Kem's!")
    can_counter = CallKind.COUNTER in calls or CallKind.DOUBLE_COUNTER in calls
    return [
        c.button(kems, ids(TableVerb.KEMS), style=c.SUCCESS, is_enabled=CallKind.KEMS in calls),
        c.button(double, ids(TableVerb.DOUBLE), style=c.SUCCESS, is_enabled=CallKind.DOUBLE in calls),
        c.button(texts.t("Counter…"), ids(TableVerb.COUNTER), style=c.DANGER, is_enabled=can_counter),
    ]


def people_buttons(view: TableView, people: Sequence[Player], ids: Ids, texts: Texts) -> list[c.Button]:
    """At the right end of the last row, so that nothing moves when one comes."""
    if view.phase is Phase.MATCH_OVER:
        return []
    if view.pause is not None:
        return [c.button(texts.t("▶ Resume"), ids(TableVerb.RESUME), style=c.SUCCESS)]
    seat = next((seat for seat, player in enumerate(people) if player.is_open), None)
    if seat is None:
        return []
    return [c.button(texts.t("🪑 Step in"), ids(TableVerb.SUBSTITUTE, str(seat)), style=c.PRIMARY)]


def result_board(
    view: TableView, people: Sequence[Player], table_id: int, faces: Faces, log: Sequence[TableView] = ()
) -> c.Layout:
    """The result of the round, with the `log` of those before it."""
    table_text, t, ids = TableText(view, people, faces), faces.texts.t, Ids(table_id, view.round)
    details = round_details(table_text) or [f"-# {table_text.heading()}"]  # a text is never empty
    goes_on = None if view.ends_at is None else "-# " + t("Next round {when}", when=countdown(view.ends_at))
    if view.pause is not None:
        goes_on = table_text.paused(view.pause)
    is_free = view.rules.signs.sign_change is SignChange.BETWEEN
    sign = t("Change the sign") if is_free else t("🤫 My team's sign")
    buttons = [
        c.button(t("Next round"), ids(TableVerb.NEXT), style=c.SUCCESS),
        c.button(sign, ids(TableVerb.SIGN_PANEL), style=c.PRIMARY),
        *people_buttons(view, people, ids, faces.texts),
    ]
    return c.layout(
        c.text(*result_lines(table_text)),
        c.text(*details, log_line(log, faces.texts), goes_on),
        *c.rows(buttons),
        colour=c.GOLD,
    )


def result_lines(table_text: TableText, *, is_numbered: bool = True) -> list[str]:
    """What ended the round, whose cards it was about, the score and its sum; at the end of the match the winner.

    `is_numbered`: the round's number stands in the headline.
    """
    t, view = table_text.texts.t, table_text.view
    lines = []
    if view.result is not None:
        number = f"{table_text.round_name()} · " if is_numbered else ""
        lines += [f"## {number}{headline(view.result.outcome, table_text)}", *story_lines(view.result, table_text)]
    lines += [table_text.score(), points_words(table_text)]
    if view.phase is Phase.MATCH_OVER:
        lines.append(f"### {ending_words(table_text)}")
    elif view.game_won:
        lines.append(t("A game is won: the score starts at zero."))
    return lines


def last_round_lines(table_text: TableText) -> list[str]:
    """The round that ended the match: below who has won and the score, so without them."""
    result, lines = table_text.view.result, [f"### {table_text.round_name()}"]
    if result is not None:  # else a guess has ended the match in mid-round
        lines = [f"{lines[0]} · {headline(result.outcome, table_text)}", *story_lines(result, table_text)]
    return [*lines, points_words(table_text)]


def story_lines(result: ResultInfo, table_text: TableText) -> list[str]:
    """What happened at the end, and how close it was."""
    t, lines = table_text.texts.t, [_story(result, table_text)]
    if result.in_vain is not None:  # it may have cost points
        lines.append(t("{name} adds a word in vain: the first call stands.", name=table_text.name(result.in_vain)))
    return [*lines, *margin_words(result, table_text)]


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
    sentence = t(_STORIES.get(outcome, _IN_VAIN), caller=caller, accused=accused, double=table_text.double(), held=held)
    return sentence.rstrip()


def margin_words(result: ResultInfo, table_text: TableText) -> list[str]:
    """By how much the call was the first of two in one moment."""
    margin = result.margin
    if margin is None:
        return []
    rival = table_text.name(margin.rival)
    return [table_text.texts.t(_MARGINS[margin.call], milliseconds=margin.milliseconds, name=rival)]


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
    fours = [(table_text.name(seat), table_text.cards(result.hands[seat])) for seat in holders]
    if len(fours) == 1:
        return t("{name} had the four: {cards}", name=fours[0][0], cards=fours[0][1])
    is_told = 0 < len(fours) <= _CARDS_TOLD
    return t("The fours: {fours}", fours=" · ".join(map(" ".join, fours))) if is_told else ""


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
        team = view.seats[penalty.seat].team
        if [number for number, points in enumerate(penalty.points) if points] == [team]:  # the own team alone
            given.append(t("{cause}: {points}", cause=cause, points=signed(penalty.points[team], plus=True)))
        else:
            given.append(f"{cause} — {', '.join(_by_team(penalty.points, table_text))}")
    return " · ".join(given) or t("No points")


def _by_team(points: Sequence[int], table_text: TableText) -> list[str]:
    """`Team 1: +1`: two numbers that do not touch."""
    t, team_of = table_text.texts.t, table_text.team
    given = ((team_of(team), signed(count, plus=True)) for team, count in enumerate(points) if count)
    return [t("{team}: {points}", team=team, points=count) for team, count in given]


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
    t = table_text.texts.t
    return "" if item.is_sign is None else " " + (t("(**the sign**)") if item.is_sign else t("(bluff)"))


def log_line(log: Sequence[TableView], texts: Texts) -> str | None:
    """`Rounds: 1 Kem's ② · 2 counter ① · 3 three alike` in small print; None before the second round."""
    told = ["…"] * (len(log) > MOST) + [_round(view, texts) for view in log[-MOST:]]
    return "-# " + texts.t("Rounds: {rounds}", rounds=" · ".join(told)) if log else None


def log_board(table_text: TableText, log: Sequence[TableView]) -> c.Layout:
    """What is left of a message that the table has left for a newer one: the score and the log."""
    texts = table_text.texts
    return c.layout(
        c.text(table_text.score(), log_line(log, texts), "-# " + texts.t("The table goes on further down.")),
        colour=c.SLATE,
    )


def _round(view: TableView, texts: Texts) -> str:
    result = view.result
    if result is None:
        return str(view.round)
    ended = texts.t(_ENDS[result.outcome])
    team = "" if result.caller is None else f" {team_mark(view.seats[result.caller].team)}"
    return unbroken(f"{view.round} {ended}{team}")  # a line breaks between rounds
