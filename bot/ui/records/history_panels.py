"""What was played here: a page of finished matches, and one match round by round."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bot.game.events import CounterFailed, Outcome
from bot.game.rules.house_rules import house_rules
from bot.game.views import TableView
from bot.records.history import HistoryPage, MatchRecord, ResultRecord, SeatRecord
from bot.records.player import Player
from bot.ui.kit.components import BLUE, MAX_TEXT, Layout, Part, layout, text
from bot.ui.kit.layouts import turning_row
from bot.ui.kit.names import defuse, display_name
from bot.ui.kit.picture_words import moment
from bot.ui.kit.texts import Texts
from bot.ui.records.replay_panel import RecordsVerb
from bot.ui.table.board import headline, margin_words, points_words
from bot.ui.words.card_faces import Faces
from bot.ui.words.rule_names import preset_name
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import TableText, clock, listed, reports, score_line, scored, team_mark

_COUNTERS: Final = (Outcome.COUNTER, Outcome.DOUBLE_COUNTER, Outcome.FALSE_COUNTER, Outcome.FALSE_DOUBLE_COUNTER)
InVain = Mapping[int, Sequence[CounterFailed]]
"""False counters by round."""
_NOTHING: Final[InVain] = {}
_SIGNS_TOLD: Final = 3  # of a team in one round


def history_panel(
    page: HistoryPage, open_ids: Collection[int], texts: Texts, *, user_id: int | None = None, name: str | None = None
) -> Layout:
    """A page of the matches of a server, or of one member. Of tables outside `open_ids` it shows the number alone."""
    t = texts.t
    member = None if name is None else defuse(name) or f"<@{user_id}>"
    heading = t("Matches played here") if member is None else t("Matches of {name}", name=member)
    elsewhere = t("played in a channel that you cannot see")
    lines = [_in_short(one, texts) if one.id in open_ids else f"**#{one.id}** {elsewhere}" for one in page.matches]
    instead = "-# " + t("There is no such page: this is the last one.") if page.is_instead else None
    parts: list[Part] = [
        text("## 📜 " + heading, instead),
        text(*lines or [t("No match has been finished yet.")]),
    ]
    if page.matches:
        parts.append(text("-# " + t("`/kems match` shows one of them, `/kems export` gives it as a file.")))
    ways = ("◀ " + t("Newer"), t("Older") + " ▶")
    turning = turning_row(page, page.matches, RecordsVerb.HISTORY, str(user_id or 0), ways)
    return layout(*parts, *turning, colour=BLUE)


def match_panel(
    match: MatchRecord, rounds: Sequence[TableView] | str, zone: str, texts: Texts, vain: InVain = _NOTHING
) -> Layout:
    """One match of the history: teams and score, then each round as far as there is room.

    `rounds` is a sentence where they are not told; `vain` are the false counters that ended no round. The date is that
    of the time zone, as on the picture.
    """
    t, result = texts.t, match.result
    assert result is not None, "only a match with a result is shown"
    people = [person(seat, texts) for seat in match.seats]
    heading = [
        "## 📜 " + t("Match {number}", number=match.id),
        "-# " + " · ".join((moment(result.ended_at, zone, texts), *about_words(match, texts))),
        None if match.void is None else t("Declared void: {reason}", reason=defuse(match.void.reason, 200) or "—"),
        score_line(final_scores(match, result), texts),
    ]
    for team in range(len(result.scores)):
        names = " · ".join(display_name(person(seat, texts)) for seat in match.seats if seat.team == team)
        heading.append(f"{'🏆 ' if team == result.winner else ''}{team_mark(team)} {names}")
    if isinstance(rounds, str):
        return layout(text(*heading), text(rounds), colour=BLUE)
    told: list[str] = []
    room = MAX_TEXT - sum(len(line) + 1 for line in heading if line) - len(_more(len(rounds), texts)) - 1
    for view in rounds:
        lines = "\n".join(_round_lines(TableText(view, people, Faces(texts)), vain.get(view.round, ())))
        if room < len(lines) + 1:
            told.append(_more(len(rounds) - len(told), texts))
            break
        room -= len(lines) + 1
        told.append(lines)
    return layout(text(*heading), text(*told or [t("No round was finished.")]), colour=BLUE)


def person(seat: SeatRecord, texts: Texts) -> Player:
    """The robot or person of a seat; `(forgotten)` for an erased person."""
    return Player(seat.name, seat.user_id) if seat.name else Player(texts.t("(forgotten)"), 0)


def purged_words(number: int, texts: Texts) -> str:
    """Stands in place of the rounds of a match whose log is deleted."""
    return texts.t("The moves of match {number} are deleted: this server does not keep them that long.", number=number)


def broken_off_words(match: MatchRecord, texts: Texts) -> str:
    """How a match ended that was broken off, in place of its rounds: not all of its hands were shown."""
    t, result = texts.t, match.result
    assert result is not None, "only a match with a result is shown"
    names = listed([display_name(person(seat, texts)) for seat in match.losers], texts)
    if not result.rounds:
        return t("🛑 Broken off before the first round. It is lost for {names} alone.", names=names)
    return t("🛑 Broken off in round {round}. It is lost for {names} alone.", round=result.rounds, names=names)


def _in_short(match: MatchRecord, texts: Texts) -> str:
    result = match.result
    assert result is not None, "a history holds finished matches"
    teams = []
    for team in range(len(result.scores)):
        names = ", ".join(display_name(person(seat, texts)) for seat in match.seats if seat.team == team)
        teams.append(f"{'🏆 ' if team == result.winner else ''}{names}")
    at = result.ended_at // 1000
    about = " · ".join((f"**#{match.id}**", f"<t:{at}:d> <t:{at}:t>", *about_words(match, texts)))
    return f"-# {about}\n{scored(teams, final_scores(match, result))}"


def about_words(match: MatchRecord, texts: Texts) -> list[str]:
    t = texts.t
    words = [preset_name(match.rules.preset, texts)]
    if house_rules(match.rules):
        words.append(t("house rules"))
    words.append(t("ranked") if match.is_ranked else t("friendly"))
    if match.is_broken_off:
        words.append(t("broken off"))
    if match.void is not None:
        words.append(t("**void**"))
    return words


def final_scores(match: MatchRecord, result: ResultRecord) -> tuple[int, ...]:
    """By team: games where the rules ask for several, points otherwise."""
    return result.games if match.rules.end.best_of > 1 else result.scores


def _round_lines(table_text: TableText, vain: Sequence[CounterFailed]) -> list[str]:
    """`1. KEM'S! Chloé · Team 1: +1 → Team 1 · 1 — 0 · Team 2 · 0:42`; under it the signs and the other calls.

    `vain`: false counters before the end.
    """
    t, view, result = table_text.texts.t, table_text.view, table_text.view.result
    assert result is not None, "a round that is told has ended"
    words = [f"**{view.round}.** {headline(result.outcome, table_text)}"]
    if result.caller is not None:
        words[0] += f" {table_text.name(result.caller)}"
    if result.outcome in _COUNTERS:
        words[0] += _accused(result.team, result.target, table_text)
    holders = [seat for seat in result.kems_holders if seat not in (result.caller, result.target)]
    if holders:
        words.append(t("four alike: {names}", names=table_text.names(holders)))
    words += (
        f"{points_words(table_text)} → {score_line(view.scores, table_text.texts)}",
        clock(result.at),
        *margin_words(result, table_text),
    )
    signs = dict.fromkeys(
        f"{table_text.name(made.seat)} {shown_gesture(made.kind, made.text)}" for made in view.gestures if made.is_sign
    )
    bluffs = sum(made.is_sign is False for made in view.gestures)
    said = [t("signs: {signs}", signs=", ".join(list(signs)[:_SIGNS_TOLD]))] if signs else []
    if bluffs:
        said.append(table_text.texts.n("{count} bluff", "{count} bluffs", bluffs))
    if vain:
        accused = (table_text.name(failed.seat) + _accused(failed.team, failed.target, table_text) for failed in vain)
        said.append(t("false counters: {counters}", counters=", ".join(accused)))
    lines = [" · ".join(said)] if said else []
    return [" · ".join(words), *(f"-# {line}" for line in (*lines, *reports(table_text)))]


def _accused(team: int | None, target: int | None, table_text: TableText) -> str:
    if target is not None:
        return f" → {table_text.name(target)}"
    return "" if team is None else f" → {table_text.team(team)}"


def _more(rounds: int, texts: Texts) -> str:
    return "-# " + texts.n("and {count} more round", "and {count} more rounds", rounds)
