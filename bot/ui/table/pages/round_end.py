"""The end of a round: what ended it, whose cards it was about, the gestures with their meanings, and the points.

The table's message shows it to everybody, and a panel to its reader.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.custom_ids import RoundCustomIds
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import escaped_name
from bot.discord.text.text_width import width
from bot.discord.text.texts import Texts, mark
from bot.game.events import COUNTERS, TRUE_KEMS, CounterFailed, Outcome, Phase
from bot.game.rules.rules import Holder, SignChange
from bot.game.views import GestureInfo, ResultInfo, SeatView, TableView
from bot.records.player import Player
from bot.robots.kept_signs import countered_sign
from bot.ui.table.pages.board import NO_ROBOTS, OpenRobotSeats, log_line, people_buttons
from bot.ui.table.verbs import TableVerb
from bot.ui.words.panel_text import LINE
from bot.ui.words.people_line import clipped_name
from bot.ui.words.signs import shown_gesture, shown_sign
from bot.ui.words.table_text import (
    TableText,
    clock,
    countdown,
    elide,
    known_single,
    latest_of_each,
    own_score,
    reports,
    signed_points,
    team_mark,
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
    Outcome.THREE_ALIKE: mark("Three of a kind"),
    Outcome.TOO_MANY_SWEEPS: mark("Too many sweeps"),
    Outcome.STOCK_OUT: mark("The stock is out"),
}
_STORIES: Final = {
    Outcome.KEMS: mark("{caller} calls it. {held}"),
    Outcome.DOUBLE: mark("{caller} calls it. {held}"),
    Outcome.FOUR_KEMS: mark("{caller} adds the other word: two Kem's on either side. {held}"),
    Outcome.FALSE_KEMS: mark("{caller} calls, but nobody on the team has four of a kind."),
    Outcome.FALSE_DOUBLE: mark("{caller} calls it, but there are not two."),
}
_OWN_FOUR: Final = mark("{caller} calls their own four, which is for a partner to call: {cards}")
_YOUR_FOUR: Final = mark("Your own four is for your partner to call: {cards}")
_YOUR_CALL: Final = mark("You call, but nobody on your team has four of a kind.")
_NO_SIGN: Final = mark("{caller} calls, but the four of a kind came without the sign.")
_TWO_SIDES: Final = 2
_NAME_ROOM: Final = 5.2  # ems of a name in a line of `own_result`
_COUNTER_ROOM: Final = 12.0  # ems of a line before its points
_CARDS_TOLD: Final = 2  # hands in the headline; if there are more, they stand in the list of all hands
_FALSE: Final = frozenset(
    {Outcome.FALSE_KEMS, Outcome.FALSE_DOUBLE, Outcome.FALSE_COUNTER, Outcome.FALSE_DOUBLE_COUNTER}
)
_HEADLINES_WITH_BELL: Final = {Outcome.KEMS: mark("🛎️ KEM'S!"), Outcome.DOUBLE: mark("🛎️ SUPER KEM'S!")}


def result_board(
    view: TableView,
    people: Sequence[Player],
    table_id: int,
    faces: Faces,
    log: Sequence[TableView] = (),
    robots: OpenRobotSeats = NO_ROBOTS,
    played: Sequence[Player] = (),
) -> c.Layout:
    """Return the result of the round and the `log` of earlier ones; only a line if the deal itself ended the round.

    `played` are the players of the round, if they were not the `people`.
    """
    table_text, t, ids = TableText(view, played or people, faces), faces.texts.t, RoundCustomIds(table_id, view.round)
    goes_on = None if view.ends_at is None else "-# " + t("Next round {when}", when=countdown(view.ends_at))
    if view.pause is not None:
        goes_on = table_text.paused(view.pause)
    people_row = people_buttons(view, people, ids, faces.texts, robots)
    if view.result is not None and view.result.is_of_deal:
        return c.layout(c.text(*result_lines(table_text), goes_on), *c.rows(people_row), colour=c.GREEN)
    is_free = view.rules.signs.sign_change is not SignChange.NEVER
    sign = t("Change the sign") if is_free else t("🤫 My team's sign")
    buttons = [
        c.button(t("Next round"), ids(TableVerb.NEXT), style=c.SUCCESS),
        c.button(sign, ids(TableVerb.SIGN_PANEL), style=c.PRIMARY),
        c.button(t("🎞 Film"), ids(TableVerb.FILM)),
        *people_row,
    ]
    return c.layout(
        c.text(*result_lines(table_text), *round_details(table_text, log), log_line(log, faces.texts), goes_on),
        *c.rows(buttons),
        colour=_colour(view),
    )


def _colour(view: TableView) -> int:
    """Return the colour of the team that gained most by the end of the round."""
    points = () if view.result is None else view.result.points
    best = max(points, default=0)
    return c.TEAMS[points.index(best) % len(c.TEAMS)] if best > 0 else c.GOLD


def result_lines(table_text: TableText) -> list[str]:
    """Return what ended the round, whose cards decided, the points and the score; after the match, also the winner.

    A round that ended with its deal is one line.
    """
    t, view = table_text.texts.t, table_text.view
    lines = []
    if view.result is not None and view.result.is_of_deal and view.phase is Phase.OVER:
        return [t("Three of a kind were turned up: the cards are dealt again.")]
    if view.result is not None:
        heading = f"## {headline(view.result.outcome, table_text)}"
        lines = [heading, *story_lines(view.result, table_text)]
    lines += [table_text.score(), points_words(table_text)]
    if view.phase is Phase.MATCH_OVER:
        lines.append(f"### {ending_words(table_text)}")
    elif view.game_won:
        lines.append(t("A game is won: the score starts at zero."))
    return lines


def own_result(table_text: TableText, reader: SeatView, *, is_new: bool = False) -> list[str]:
    """Return the end of a round for one reader in two lines; the table's message has the details.

    A round that ended with its deal is one line. A reader who `is_new` and has not played it sees the score alone.
    """
    t, result = table_text.texts.t, reader.table.result
    if result is None or is_new:
        return [own_score(reader, table_text.texts)]
    if result.is_of_deal and reader.table.phase is Phase.OVER:
        return [t("Three of a kind were turned up: the cards are dealt again.")]
    what = _own_words(result, table_text, reader)
    brought = _brought(result, reader, table_text.texts) or [t("no points")]
    sums = [" · ".join(brought[:count]) for count in range(len(brought), 0, -1)]
    lines = [f"{what} {each}" if what.endswith("!") else t("{what}: {points}", what=what, points=each) for each in sums]
    why = []
    if result.caller == reader.seat and _called_own_four(result, table_text):
        why = [story_lines(result, table_text, reader.seat)[0]]
    score = [own_score(reader, table_text.texts), *_own_margin(result, reader, table_text.texts)]
    return [f"### {next((line for line in lines if width(line) <= LINE), lines[-1])}", " · ".join(score), *why]


def _own_words(result: ResultInfo, table_text: TableText, reader: SeatView) -> str:
    """Return what ended the round, as its reader sees it; with a verb if a call was right."""
    t, outcome, caller = table_text.texts.t, result.outcome, result.caller
    if caller is None or outcome in _FALSE or outcome not in (*TRUE_KEMS, *COUNTERS):
        return headline(outcome, table_text)
    name = _short_name(caller, table_text)
    is_own = table_text.view.seats[caller].team == reader.team
    if outcome in COUNTERS:
        if result.team == reader.team:
            return t("Countered by {name}", name=name)
        if caller != reader.seat:
            counter_words = table_text.counter(caller, result.team or 0, result.target, is_true=True).rstrip(".")
            return counter_words if width(counter_words) <= _COUNTER_ROOM else t("{name} counters", name=name)
        if result.target is None:
            return t("You counter {team}", team=table_text.team(result.team or 0))
        return t("You counter {name}", name=_short_name(result.target, table_text))
    double = table_text.double()
    if outcome is Outcome.DOUBLE and is_own:
        return t("{double}!", double=double[:1].upper() + double[1:])
    if caller == reader.seat:
        return t("You call")
    if reader.seat in _told_holders(result, table_text):
        return t("You had four of a kind")
    is_alone = len(table_text.view.members(table_text.view.seats[caller].team)) == 1
    if is_own or is_alone or len(result.points) > _TWO_SIDES:
        return t("{name} calls", name=name)
    return t("Their {double}", double=double) if outcome is Outcome.DOUBLE else t("They call")


def _short_name(seat: int, table_text: TableText) -> str:
    return clipped_name(table_text.people[seat].name, _NAME_ROOM)


def _own_margin(result: ResultInfo, reader: SeatView, texts: Texts) -> list[str]:
    """Return by how much the reader's team was first with a true call, or too late."""
    margin, seats = result.margin, reader.table.seats
    if margin is None or result.outcome in _FALSE:
        return []
    if seats[margin.rival].team == reader.team:
        return [texts.t("too late by {milliseconds} ms", milliseconds=margin.milliseconds)]
    if seats[margin.seat].team == reader.team:
        return [texts.t("first by {milliseconds} ms", milliseconds=margin.milliseconds)]
    return []


def own_ending(view: SeatView, texts: Texts) -> str:
    """Return how the match ended for the reader: `Won 5 to 3!`."""
    points = view.table.games if view.table.rules.end.best_of > 1 else view.table.scores
    others = max(count for team, count in enumerate(points) if team != view.team)
    values = {"points": signed_points(points[view.team]), "against": signed_points(others)}
    if view.table.winner is None:
        return texts.t("Level, {points} to {against}", **values)
    if view.table.winner == view.team:
        return texts.t("Won {points} to {against}!", **values)
    return texts.t("Lost {points} to {against}", **values)


def _brought(result: ResultInfo, reader: SeatView, texts: Texts) -> list[str]:
    """Return what the end of the round gave to the reader's team, and to others: `+1 US`, `−1 ②③`."""
    others: dict[int, str] = {}
    for team, points in enumerate(result.points):
        if team != reader.team:
            mark_of = texts.t("THEM") if len(result.points) == _TWO_SIDES else team_mark(team)
            others[points] = others.get(points, "") + mark_of
    sides = [(result.points[reader.team], texts.t("US")), *others.items()]
    return [f"{signed_points(points, plus=True)} {side}" for points, side in sides if points]


def last_round_lines(table_text: TableText) -> list[str]:
    """Return lines on the round that ended the match, without winner and score, which stand above them."""
    result, lines = table_text.view.result, [f"### {table_text.round_name()}"]
    if result is not None:  # else a guess has ended the match in mid-round
        lines = [f"{lines[0]} · {headline(result.outcome, table_text)}", *story_lines(result, table_text)]
    return [*lines, points_words(table_text)]


def story_lines(result: ResultInfo, table_text: TableText, reader: int | None = None) -> list[str]:
    """Return lines on how the round ended and how close it was, for everybody or for the `reader` of that seat."""
    t, lines = table_text.texts.t, [_story(result, table_text, reader)]
    if result.in_vain is not None:  # it may have cost points
        lines.append(t("{name} adds a word too late: the first call stands.", name=table_text.name(result.in_vain)))
    return [*lines, *margin_words(result, table_text)]


def round_details(table_text: TableText, log: Sequence[TableView] = ()) -> list[str]:
    """Return the details of a round that its headline does not show.

    They are the sign that a robot knew from the `log` of earlier rounds, the other hands, the gestures with their times
    and meanings, and what was guessed.
    """
    result = table_text.view.result
    lines = [] if (spotted := _spotted(table_text, log)) is None else [spotted]
    if result is not None:
        headline_seats = _told_holders(result, table_text)
        headline_seats = headline_seats if len(headline_seats) <= _CARDS_TOLD else []
        lines += (
            f"{table_text.name(seat)} {table_text.cards(hand)}"
            for seat, hand in enumerate(result.hands)
            if seat not in headline_seats
        )
        lines += _timeline(table_text.view.gestures, table_text)
    known = known_single(table_text)
    return [*lines, *reports(table_text), *([] if known is None else [known])]


def _spotted(table_text: TableText, log: Sequence[TableView]) -> str | None:
    """Return what a robot countered because it had seen the same gesture win: it is time for another sign."""
    result = table_text.view.result
    if result is None or result.caller is None or not table_text.people[result.caller].is_played_by_robot:
        return None
    sign = countered_sign(table_text.view, log)
    if sign is None:
        return None
    values = {"name": table_text.name(result.caller), "sign": shown_sign(sign)}
    return table_text.texts.t("{name} had noticed {sign}.", **values)


def headline(outcome: Outcome, table_text: TableText) -> str:
    """Return how a round ended, in a word or two."""
    t, has_bell = table_text.texts.t, table_text.view.rules.calls.bell
    bell = _HEADLINES_WITH_BELL.get(outcome) if has_bell else None
    return t(bell or _HEADLINES[outcome], double=table_text.double())


def _story(result: ResultInfo, table_text: TableText, reader: int | None) -> str:
    t, outcome = table_text.texts.t, result.outcome
    if outcome is Outcome.TOO_MANY_SWEEPS:
        return t("No card was exchanged for a long time: the round is over.")
    if outcome is Outcome.STOCK_OUT:
        return t("There are not four cards left to turn up: the round is over.")
    if outcome is Outcome.THREE_ALIKE and result.laid_by is not None:
        name = table_text.name(result.laid_by)
        if table_text.people[result.laid_by].is_played_by_robot:  # it never does so for another reason
            return t("{name} feared a Kem's and lays a third of a kind: the round is over.", name=name)
        return t("{name} lays a third of a kind: the round is over.", name=name)
    if outcome is Outcome.THREE_ALIKE or result.caller is None:
        return t("Three of a kind in the middle: the round is over.")
    caller, holders = table_text.name(result.caller), _held(result, table_text)
    if _called_own_four(result, table_text):
        sentence = _YOUR_FOUR if result.caller == reader else _OWN_FOUR
        return t(sentence, caller=caller, cards=table_text.cards(result.hands[result.caller]))
    if outcome is Outcome.FALSE_KEMS and _fours(result, {table_text.view.seats[result.caller].team}, table_text):
        return t(_NO_SIGN, caller=caller)
    if outcome is Outcome.FALSE_KEMS and result.caller == reader:
        return t(_YOUR_CALL)
    if outcome in _STORIES:
        return t(_STORIES[outcome], caller=caller, double=table_text.double(), held=holders).rstrip()
    team = table_text.view.seats[result.caller].team if result.team is None else result.team
    counter = table_text.counter(result.caller, team, result.target, is_true=outcome in COUNTERS)
    return f"{counter} {holders}".rstrip()


def margin_words(result: ResultInfo, table_text: TableText) -> list[str]:
    """Return how much earlier the call was than another one at the same moment; empty without another one."""
    margin = result.margin
    if margin is None:
        return []
    rival = table_text.name(margin.rival)
    words = table_text.texts.t(margin.call.words, milliseconds=margin.milliseconds, rival=rival)
    return [elide(words, rival, table_text.texts)]


def _fours(result: ResultInfo, teams: Collection[int], table_text: TableText) -> list[int]:
    """Return the seats of these teams that had four alike."""
    return [seat for seat in result.kems_holders if table_text.view.seats[seat].team in teams]


def _called_own_four(result: ResultInfo, table_text: TableText) -> bool:
    """Return whether a player called Kem's for their own four, though only a partner may and no partner had one."""
    view = table_text.view
    if result.caller is None or result.outcome is not Outcome.FALSE_KEMS or view.rules.calls.holder is Holder.TEAM:
        return False
    return _fours(result, {view.seats[result.caller].team}, table_text) == [result.caller]


def _told_holders(result: ResultInfo, table_text: TableText) -> list[int]:
    """Return the seats whose four alike the headline names; the callers of a Kem's may also hold one."""
    if result.caller is not None and _called_own_four(result, table_text):
        return [result.caller]
    if result.caller is None or result.outcome in _FALSE:
        return []
    teams = {table_text.view.seats[result.caller].team if result.team is None else result.team}
    if result.outcome is Outcome.FOUR_KEMS:
        teams.add(table_text.view.seats[result.caller].team)
    holders = _fours(result, teams, table_text)
    return [result.target] if result.target in holders else holders


def _held(result: ResultInfo, table_text: TableText) -> str:
    t, holders = table_text.texts.t, _told_holders(result, table_text)
    fours = [(table_text.name(seat), table_text.cards(result.hands[seat])) for seat in holders]
    if len(fours) == 1:
        return t("{name} had the four: {cards}", name=fours[0][0], cards=fours[0][1])
    is_told = 0 < len(fours) <= _CARDS_TOLD
    return t("The fours: {fours}", fours=" · ".join(map(" ".join, fours))) if is_told else ""


def points_words(table_text: TableText) -> str:
    """Return the points of the round: those that its end gave to each team, then earlier penalties."""
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
            given.append(t("{cause}: {points}", cause=cause, points=signed_points(penalty.points[team], plus=True)))
        else:
            given.append(f"{cause} — {', '.join(_by_team(penalty.points, table_text))}")
    return " · ".join(given) or t("No points")


def _by_team(points: Sequence[int], table_text: TableText) -> list[str]:
    """Return `Team 1: +1`: two numbers that do not touch."""
    t, team_of = table_text.texts.t, table_text.team
    given = ((team_of(team), signed_points(count, plus=True)) for team, count in enumerate(points) if count)
    return [t("{team}: {points}", team=team, points=count) for team, count in given]


def ending_words(table_text: TableText) -> str:
    """Return the sentence that says who has won the match."""
    t, view = table_text.texts.t, table_text.view
    if view.winner is None:
        return t("🤝 The match ends level.")
    names = table_text.names(view.members(view.winner))
    return t("🏆 {team} wins the match: {names}", team=table_text.team(view.winner), names=names)


def _timeline(gestures: Sequence[GestureInfo], table_text: TableText) -> list[str]:
    """Return a line for each player who made gestures: each gesture, its meaning unless that is secret, and its times.

    If there are too many, signs and the latest gesture of each player stay.
    """
    repeated: dict[GestureInfo, list[int]] = {}
    for item in gestures:
        repeated.setdefault(replace(item, at=0), []).append(item.at)
    latest = [replace(item, at=0) for item in (*latest_of_each(gestures), *reversed(gestures))]
    wanted = [*(item for item in latest if item.is_sign), *latest]
    kept = list(dict.fromkeys(wanted))[:TIMELINE]
    lines = []
    for seat, player in enumerate(table_text.people):
        made = [
            f"{shown_gesture(item.kind, item.text)}{_times(times, meaning(item, table_text))}"
            for item, times in repeated.items()
            if item.seat == seat and item in kept
        ]
        if made:
            lines.append(f"{escaped_name(player.name)} {' · '.join(made)}")
    return [table_text.texts.t("Gestures: {made}", made=lines[0]), *lines[1:]] if lines else []


def _times(times: Sequence[int], meant: str) -> str:
    """Return when a gesture was made, after what it `meant`: ` 1:00`, or ` ×10 (1:00–1:49)`."""
    if len(times) == 1:
        return f"{meant}\u00a0{clock(times[0])}"
    return f"\u00a0×{len(times)}{meant}\u00a0({clock(times[0])}–{clock(times[-1])})"


def meaning(item: GestureInfo, table_text: TableText) -> str:
    """Return in brackets whether a gesture was the sign; empty while that is secret."""
    t = table_text.texts.t
    return "" if item.is_sign is None else " " + (t("(**the sign**)") if item.is_sign else t("(bluff)"))
