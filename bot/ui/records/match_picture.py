"""A finished match as a picture and in words. Pictures know no markdown: names are cleaned, not defused."""

from collections.abc import Sequence

from bot.game.views import TableView
from bot.records.history import MatchRecord
from bot.records.pictures import MatchPicture, TeamColumn
from bot.ui.kit.names import label_name
from bot.ui.kit.picture_words import alt, moment, plain
from bot.ui.kit.texts import Texts
from bot.ui.records.history_panels import about_words, final_scores, person
from bot.ui.words.scores import signed, team_name


def match_picture(match: MatchRecord, rounds: Sequence[TableView], zone: str, texts: Texts) -> MatchPicture:
    """The teams of a finished match and their scores after each round."""
    result = match.result
    assert result is not None, "only a finished match is shown"
    final = final_scores(match, result)
    if match.rules.end.best_of > 1:
        course = [view.games for view in rounds[1:]]  # a round's view does not know yet that it decided a game
    else:
        course = [view.scores for view in rounds[:-1]]
    course.append(final)
    teams = tuple(
        TeamColumn(
            team_name(team, texts),
            tuple(label_name(person(seat, texts)) for seat in match.seats if seat.team == team),
            tuple(scores[team] for scores in course),
            is_winner=team == result.winner,
            user_ids=tuple(seat.user_id for seat in match.seats if seat.team == team),
        )
        for team in range(len(final))
    )
    when = moment(result.ended_at, zone, texts)
    title = texts.t("Match {number}", number=match.id)
    return MatchPicture(title, plain(" · ".join((when, *about_words(match, texts)))), teams)


def match_words(picture: MatchPicture, texts: Texts) -> str:
    """The teams, and the score round by round."""
    teams = " · ".join(
        f"{team.name} ({', '.join(team.members)}) — {signed(team.scores[-1])}{' 🏆' if team.is_winner else ''}"
        for team in picture.teams
    )
    course = ", ".join(
        " — ".join(map(signed, scores)) for scores in zip(*(team.scores for team in picture.teams), strict=True)
    )
    rounds = texts.t("Round by round: {course}.", course=course)
    return alt(f"{picture.title}, {picture.subtitle}. {teams}. {rounds}")
