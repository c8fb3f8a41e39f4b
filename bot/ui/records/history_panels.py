"""A page of finished matches, and one match round by round, in words and as a picture.

Pictures show no markdown: names are cleaned, not escaped.
"""

from collections.abc import Collection, Sequence
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.components import page_buttons
from bot.discord.api.custom_ids import make_id
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import disambiguate_players, display_name, escape_markdown, label_name
from bot.discord.text.picture_words import alt, moment, plain
from bot.discord.text.texts import Texts, non_breaking
from bot.game.events import TRUE_KEMS, Outcome
from bot.game.views import TableView
from bot.ladder.outcomes import rounds_of
from bot.ladder.tally import Highlights, highlights
from bot.records.archive import PastMatch
from bot.records.history import MATCH_COLUMNS, HistoryPage, MatchRecord, SeatRecord
from bot.records.pictures import MatchPicture, TeamColumn
from bot.records.player import Player
from bot.ui.records.best_moment import best_moment, best_moment_words
from bot.ui.records.replay_panel import RecordsVerb
from bot.ui.table.pages.match_end import highlight_lines
from bot.ui.table.pages.round_end import headline
from bot.ui.table.verbs import TableVerb
from bot.ui.words.rule_names import short_rules
from bot.ui.words.signs import shown_sign
from bot.ui.words.table_text import (
    TableText,
    clock,
    join_words,
    score_line,
    score_text,
    signed_points,
    team_mark,
    team_name,
)

_COUNTERS: Final = (Outcome.COUNTER, Outcome.DOUBLE_COUNTER, Outcome.FALSE_COUNTER, Outcome.FALSE_DOUBLE_COUNTER)
_MOST_FILMS: Final = 25  # options of a menu

_ENDS: Final = {
    **dict.fromkeys(TRUE_KEMS, "🔔"),
    **dict.fromkeys((Outcome.COUNTER, Outcome.DOUBLE_COUNTER), "✋"),
    **dict.fromkeys((Outcome.FALSE_KEMS, Outcome.FALSE_DOUBLE), "❌"),
    **dict.fromkeys((Outcome.FALSE_COUNTER, Outcome.FALSE_DOUBLE_COUNTER), "❌"),
}
"""The mark of a round's end under the curve."""
_MOST_SIGNS: Final = 4  # of a team


def history_panel(
    page: HistoryPage, open_ids: Collection[int], texts: Texts, *, user_id: int | None = None, name: str | None = None
) -> c.Layout:
    """Return a page of the matches of a server, or of one member.

    Args:
        page: The matches.
        open_ids: The ids of those that the reader may see; the others show only their number.
        texts: The reader's texts.
        user_id: The member.
        name: The member's name; None for the matches of all.
    """
    t = texts.t
    member = None if name is None else escape_markdown(name) or f"<@{user_id}>"
    heading = t("Matches played here") if member is None else t("Matches of {name}", name=member)
    elsewhere = t("played in a channel that you cannot see")
    lines = [
        _in_short(match, texts) if match.id in open_ids else f"**#{match.id}** {elsewhere}" for match in page.matches
    ]
    instead = "-# " + t("There is no such page: this is the last one.") if page.is_clamped else None
    parts: list[c.Part] = [
        c.text("## 📜 " + heading, instead),
        c.text(*lines or [t("No match has been finished yet.")]),
    ]
    if page.matches:
        parts.append(c.text("-# " + t("{/match} shows one of them, {/export} gives it as a file.")))
    ways = ("◀ " + t("Newer"), t("Older") + " ▶")
    turning = page_buttons(page, page.matches, RecordsVerb.HISTORY, str(user_id or 0), ways)
    return c.layout(*parts, *turning, colour=c.BLUE)


def match_panel(match: MatchRecord, rounds: Sequence[TableView] | str, zone: str, texts: Texts) -> c.Layout:
    """Return one match: teams and score, its film, and as many lines of rounds as there is room for.

    Args:
        match: The match.
        rounds: How each round ended, or a sentence why they are not shown.
        zone: The time zone of the date, as on the picture.
        texts: The reader's texts.
    """
    t, result = texts.t, match.result
    people = people_of(match, texts)
    heading = [
        "## 📜 " + t("Match {number}", number=match.id),
        "-# " + " · ".join((moment(result.ended_at, zone, texts), *about_words(match, texts))),
        None
        if match.void is None
        else t("Declared void: {reason}", reason=escape_markdown(match.void.reason, 200) or "—"),
    ]
    score = [score_line(final_scores(match), texts)]
    for team in range(len(result.scores)):
        names = " · ".join(display_name(people[seat]) for seat in match.seats if seat.team == team)
        score.append(f"{'🏆 ' if team == result.winner else ''}{team_mark(team)} {names}")
    if isinstance(rounds, str):
        return c.layout(c.text(*heading), c.text(*score), c.text(rounds), colour=c.BLUE)
    lines: list[str] = []
    room = c.MAX_TEXT - sum(len(line) + 1 for line in (*heading, *score) if line) - len(_more(len(rounds), texts)) - 1
    for view in rounds:
        line = round_line(TableText(view, [*people.values()], Faces(texts)))
        if room < len(line) + 1:
            lines.append(_more(len(rounds) - len(lines), texts))
            break
        room -= len(line) + 1
        lines.append(line)
    return c.layout(
        c.text(*heading), c.text(*score), c.text(*lines or [t("No round was finished.")]),
        *_films(match, rounds, texts),
        colour=c.BLUE,
    )  # fmt: skip


def _films(match: MatchRecord, rounds: Sequence[TableView], texts: Texts) -> list[c.Row]:
    """Return the button that shows the match from its beginning, and a menu of its latest rounds."""
    t = texts.t
    options = [c.option(t("Round {number}", number=view.round), str(view.round)) for view in rounds[-_MOST_FILMS:]]
    films = [c.row(c.button(t("🎬 Step by step"), make_id(match.id, TableVerb.WATCH), style=c.SUCCESS))]
    if options:
        films.append(c.menu(make_id(match.id, TableVerb.WATCH, "of"), t("🎬 Watch a round"), options))
    return films


def people_of(match: MatchRecord, texts: Texts) -> dict[SeatRecord, Player]:
    """Return the player of each seat, with names disambiguated; an erased person is `(forgotten)`."""
    known = (
        Player(seat.name, seat.user_id) if seat.name else Player(texts.t("(forgotten)"), 0) for seat in match.seats
    )
    return {
        seat: player for seat, player in zip(match.seats, disambiguate_players(tuple(known)), strict=True) if player
    }


def purged_words(number: int, texts: Texts) -> str:
    """Return the sentence that replaces a match's rounds after its moves were deleted."""
    return texts.t("The moves of match {number} are deleted: this server does not keep them that long.", number=number)


def broken_off_words(match: MatchRecord, texts: Texts) -> str:
    """Return how a match was broken off; its rounds are not shown, as they would reveal hands that nobody has seen."""
    t, result = texts.t, match.result
    names = join_words([display_name(people_of(match, texts)[seat]) for seat in match.losers], texts)
    if result.winner is not None:
        return t("🛑 Broken off in round {round} by a player who was behind: the leaders win.", round=result.rounds)
    if not result.rounds:
        return t("🛑 Broken off before the first round. It is lost for {names} alone.", names=names)
    return t("🛑 Broken off in round {round}. It is lost for {names} alone.", round=result.rounds, names=names)


def _in_short(match: MatchRecord, texts: Texts) -> str:
    at = match.result.ended_at // 1000
    about = " · ".join((f"**#{match.id}**", f"<t:{at}:d> <t:{at}:t>", *about_words(match, texts)))
    return f"-# {about}\n{scored_teams(match, texts, ', ')}"


def scored_teams(match: MatchRecord, texts: Texts, separator: str) -> str:
    """Return the points of each team with the names of its players, and 🏆 before the winner."""
    teams, people = [], people_of(match, texts)
    for team in range(len(match.result.scores)):
        names = separator.join(display_name(people[seat]) for seat in match.seats if seat.team == team)
        teams.append(f"{'🏆 ' if team == match.result.winner else ''}{names}")
    return score_text(teams, final_scores(match))


def about_words(match: MatchRecord, texts: Texts) -> list[str]:
    """Return the rules of a match in short, and further facts such as that it was ranked."""
    phrases = (column.words.get(column.value(match)) for column in MATCH_COLUMNS)
    return [*short_rules(match.rules, texts), *(texts.t(word) for word in phrases if word)]


def final_scores(match: MatchRecord) -> tuple[int, ...]:
    """Return the scores by team: games if a match consists of several, else points."""
    return match.result.games if match.rules.end.best_of > 1 else match.result.scores


def round_line(table_text: TableText) -> str:
    """Return a round in one line: `3. COUNTER! Bruno → Chloé · 0:42 · 1 — 2`."""
    view, result = table_text.view, table_text.view.result
    assert result is not None, "a round that is told has ended"
    who = "" if result.caller is None else f" {table_text.name(result.caller)}"
    if result.outcome in _COUNTERS:
        who += _accused(result.team, result.target, table_text)
    score = non_breaking(" — ".join(map(signed_points, view.scores)))
    return f"**{view.round}.** {headline(result.outcome, table_text)}{who} · {clock(result.at)} · **{score}**"


def _accused(team: int | None, target: int | None, table_text: TableText) -> str:
    if target is not None:
        return f" → {table_text.name(target)}"
    return "" if team is None else f" → {table_text.team(team)}"


def _more(rounds: int, texts: Texts) -> str:
    return "-# " + texts.n("and {count} more round", "and {count} more rounds", rounds)


def look_through(
    match: MatchRecord, played: PastMatch, zone: str, texts: Texts
) -> tuple[tuple[TableView, ...], Highlights, MatchPicture]:
    """Return the rounds of a match, its highlights and its picture. Call it in a thread: long matches take a while.

    `zone`: the time zone of the picture's date.
    """
    rounds, found = rounds_of(played.events), highlights(played.events, played.handovers)
    return rounds, found, match_picture(match, rounds, found, zone, texts)


def match_picture(
    match: MatchRecord, rounds: Sequence[TableView], found: Highlights, zone: str, texts: Texts
) -> MatchPicture:
    """Return a match as a picture: the teams, their scores after each round, the highlights.

    `zone`: the time zone of its date.
    """
    result, people = match.result, people_of(match, texts)
    round_texts = [TableText(view, [*people.values()], Faces(texts)) for view in rounds]
    final = final_scores(match)
    if match.rules.end.best_of > 1:
        course = [view.games for view in rounds[1:]]  # a round's view does not know yet that it decided a game
    else:
        course = [view.scores for view in rounds[:-1]]
    course.append(final)
    teams = tuple(
        TeamColumn(
            team_name(team, texts),
            tuple(label_name(people[seat]) for seat in match.seats if seat.team == team),
            tuple(scores[team] for scores in course),
            is_winner=team == result.winner,
            user_ids=tuple(seat.user_id for seat in match.seats if seat.team == team),
            sign=_signs(team, rounds, texts),
        )
        for team in range(len(final))
    )
    when = moment(result.ended_at, zone, texts)
    title = texts.t("Kem's · match {number}", number=match.id)
    best = best_moment(round_texts)
    notes = tuple(plain(line) for line in (highlight_lines(found, round_texts[-1]) if round_texts else ()))
    ends = tuple(_ENDS.get(view.result.outcome, "➖") for view in rounds if view.result is not None)
    about = plain(" · ".join((when, *about_words(match, texts))))
    best_round, headline = (None, "") if best is None else (best.view.round, plain(best_moment_words(best)))
    return MatchPicture(title, about, teams, notes, ends, best_round, headline)


def _signs(team: int, rounds: Sequence[TableView], texts: Texts) -> str:
    """Return a team's signs, the latest last; empty if it made none."""
    made = (sign for view in rounds if view.result is not None for sign in view.result.signs[team])
    signs = list(dict.fromkeys(shown_sign(sign) for sign in made))
    return plain(texts.t("Sign: {sign}", sign=" ".join(signs[-_MOST_SIGNS:]))) if signs else ""


def match_words(picture: MatchPicture, texts: Texts) -> str:
    """Return the picture in words, for people who do not see it."""
    teams = " · ".join(
        f"{team.name} ({', '.join(team.members)}) — {signed_points(team.scores[-1])}{' 🏆' if team.is_winner else ''}"
        for team in picture.teams
    )
    course = ", ".join(
        " — ".join(map(signed_points, scores)) for scores in zip(*(team.scores for team in picture.teams), strict=True)
    )
    rounds = texts.t("Round by round: {course}.", course=course)
    headline = f"{picture.headline}. " if picture.headline else ""
    sentence = " · ".join((*(f"{team.name} — {team.sign}" for team in picture.teams if team.sign), *picture.notes))
    return alt(f"{picture.title}, {picture.subtitle}. {headline}{teams}. {rounds} {sentence}".strip())
