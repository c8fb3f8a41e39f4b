"""What was played here: a page of finished matches, and one match told round by round. It reads records alone."""

from collections.abc import Sequence
from typing import Final

from bot.game.house import house_rules
from bot.game.views import TableView
from bot.live.chronicle import After, Before, HistoryPage, MatchRecord, ResultRecord, SeatRecord
from bot.live.people import Player
from bot.ui.emojis import shown_gesture
from bot.ui.faces import Faces
from bot.ui.ids import Verb, make_id
from bot.ui.names import defuse, display_name
from bot.ui.parts import MAX_TEXT, Layout, Row, button, layout, text
from bot.ui.result import headline, margin_words
from bot.ui.spots import write_spot
from bot.ui.teller import Teller, clock
from bot.ui.texts import Texts

BLUE: Final = 0x3B6EA8
_SIGNS_TOLD: Final = 3  # of a team in one round


def history_panel(page: HistoryPage, texts: Texts, *, user_id: int | None = None, name: str | None = None) -> Layout:
    """A page of the matches of a server, or of one member of that name, who is named in the buttons' ids."""
    t = texts.t
    heading = t("Matches played here") if name is None else t("Matches of {name}", name=defuse(name))
    lines = [line for match in page.matches for line in _in_short(match, texts)]
    parts = [text("## 📜 " + heading), text(*lines or [t("None has been played to its end yet.")])]
    if page.matches:
        parts.append(text("-# " + t("`/kems match` tells one of them, `/kems export` gives it as a file.")))
    if page.matches and (page.has_before or page.has_after):
        whose = user_id or 0
        newer = make_id(0, Verb.HISTORY, f"{whose}:{write_spot(Before(page.matches[0].key))}")
        older = make_id(0, Verb.HISTORY, f"{whose}:{write_spot(After(page.matches[-1].key))}")
        parts.append(
            Row(
                button("◀ " + t("Newer"), newer, is_enabled=page.has_before),
                button(t("Older") + " ▶", older, is_enabled=page.has_after),
            )
        )
    return layout(*parts, colour=BLUE)


def match_panel(match: MatchRecord, rounds: Sequence[TableView], texts: Texts) -> Layout:
    """One finished match: teams and score, then each round as far as there is room."""
    t, result = texts.t, match.result
    assert result is not None, "only a finished match is told"
    people = [person(seat, texts) for seat in match.seats]
    heading = [
        "## 📜 " + t("Match {number}", number=match.id),
        "-# " + _about(match, texts),
        _void_line(match, texts),
        *(_team_line(match, result, team, texts) for team in range(len(result.scores))),
    ]
    told: list[str] = []
    room = MAX_TEXT - sum(len(line) + 1 for line in heading if line) - len(_more(len(rounds), texts)) - 1
    for view in rounds:
        lines = "\n".join(_round_lines(Teller(view, people, Faces(texts))))
        if room < len(lines) + 1:
            told.append(_more(len(rounds) - len(told), texts))
            break
        room -= len(lines) + 1
        told.append(lines)
    return layout(text(*heading), text(*told or [t("No round was played to its end.")]), colour=BLUE)


def person(seat: SeatRecord, texts: Texts) -> Player:
    """Who sat there: a robot, or somebody who may have been forgotten since."""
    if not seat.name:
        return Player(texts.t("(forgotten)"), 0)
    return Player(seat.name, seat.user_id)


def _in_short(match: MatchRecord, texts: Texts) -> tuple[str, ...]:
    result = match.result
    assert result is not None, "a history holds finished matches"
    teams = []
    for team, score in enumerate(_scores(match, result)):
        names = ", ".join(display_name(person(seat, texts)) for seat in match.seats if seat.team == team)
        teams.append(f"{'🏆 ' if team == result.winner else ''}{names} **{_signed(score)}**")
    return (f"**#{match.id}** {_about(match, texts)}", " · ".join(teams))


def _about(match: MatchRecord, texts: Texts) -> str:
    """When it ended, by which rules, and whether it counted."""
    t, result = texts.t, match.result
    words = [] if result is None else [f"<t:{result.ended_at // 1000}:f>"]
    words.append(defuse(match.rules.preset))
    if house_rules(match.rules):
        words.append(t("house rules"))
    words.append(t("ranked") if match.is_ranked else t("friendly"))
    if match.void is not None:
        words.append(t("**void**"))
    return " · ".join(words)


def _void_line(match: MatchRecord, texts: Texts) -> str | None:
    if match.void is None:
        return None
    return texts.t("Declared void: {reason}", reason=defuse(match.void.reason, 200) or "—")


def _team_line(match: MatchRecord, result: ResultRecord, team: int, texts: Texts) -> str:
    names = " · ".join(display_name(person(seat, texts)) for seat in match.seats if seat.team == team)
    mark = "🏆 " if team == result.winner else ""
    score = _signed(_scores(match, result)[team])
    return mark + texts.t("**Team {number}** {names}", number=team + 1, names=names) + f" — **{score}**"


def _scores(match: MatchRecord, result: ResultRecord) -> tuple[int, ...]:
    """Games where several were played, points otherwise."""
    return result.games if match.rules.end.best_of > 1 else result.scores


def _round_lines(teller: Teller) -> list[str]:
    """`1. KEM'S! Chloé · +1 → 1 – 0 · 0:42`, and under it what was signed."""
    t, view, result = teller.texts.t, teller.view, teller.view.result
    assert result is not None, "a round that is told has ended"
    words = [f"**{view.round}.** {headline(result.outcome, teller)}"]
    if result.caller is not None:
        words[0] += f" {teller.name(result.caller)}"
    holders = [seat for seat in result.kems_holders if seat != result.caller]
    if holders:
        words.append(t("four alike: {names}", names=teller.names(holders)))
    given = (f"{teller.team(team)} {_signed(points, plus=True)}" for team, points in enumerate(result.points) if points)
    words.append(" · ".join(given) or t("No points"))
    words += (" – ".join(_signed(score) for score in view.scores), clock(result.at), *margin_words(result, teller))
    signs = dict.fromkeys(
        f"{teller.name(made.seat)} {shown_gesture(made.kind, made.text)}" for made in view.gestures if made.is_sign
    )
    bluffs = sum(made.is_sign is False for made in view.gestures)
    said = [t("signs: {signs}", signs=", ".join(list(signs)[:_SIGNS_TOLD]))] if signs else []
    if bluffs:
        said.append(teller.texts.n("{count} bluff", "{count} bluffs", bluffs))
    return [" · ".join(words), *(["-# " + " · ".join(said)] if said else [])]


def _more(rounds: int, texts: Texts) -> str:
    return "-# " + texts.n("and {count} more round", "and {count} more rounds", rounds)


def _signed(points: int, *, plus: bool = False) -> str:
    return (f"{points:+}" if plus else str(points)).replace("-", "−")
