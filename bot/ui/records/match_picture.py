"""A finished match as a picture and in words, and what its table's message shows of it beyond the last round.

Pictures know no markdown: names are cleaned, not defused.
"""

import asyncio
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

import structlog

from bot.errors import StoreError
from bot.game.events import Outcome
from bot.game.views import TableView
from bot.ladder.outcomes import rounds_of
from bot.ladder.tally import Highlights, highlights
from bot.records.archive import Archive, PastMatch
from bot.records.history import History, MatchRecord
from bot.records.pictures import MatchPicture, PictureFile, Pictures, TeamColumn
from bot.records.seasons import SeasonStore
from bot.tables.match.table import Table
from bot.ui.kit.names import label_name
from bot.ui.kit.picture_words import alt, moment, plain
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.records.history_panels import about_words, final_scores, person
from bot.ui.table.board import margin_words
from bot.ui.table.match_end import NOTHING_KNOWN, MatchEnd, highlight_lines
from bot.ui.words.card_faces import Faces
from bot.ui.words.signs import shown_sign
from bot.ui.words.table_text import TableText, signed, team_name

_ENDS: Final = {
    **dict.fromkeys((Outcome.KEMS, Outcome.DOUBLE, Outcome.FOUR_KEMS), "🔔"),
    **dict.fromkeys((Outcome.COUNTER, Outcome.DOUBLE_COUNTER), "✋"),
    **dict.fromkeys((Outcome.FALSE_KEMS, Outcome.FALSE_DOUBLE), "❌"),
    **dict.fromkeys((Outcome.FALSE_COUNTER, Outcome.FALSE_DOUBLE_COUNTER), "❌"),
}
"""How a round ended, as it is marked under the curve."""
_MOST_SIGNS: Final = 4  # of a team
DRAWN_WITHIN_S: Final = 10.0
"""The longest wait for the picture; the words are shown meanwhile."""

_log = structlog.get_logger(__name__)


class MatchEndReader:
    """What cannot be read or drawn is left out, and the log says why."""

    def __init__(self, archive: Archive, history: History, seasons: SeasonStore, pictures: Pictures) -> None:
        self._archive = archive
        self._history = history
        self._seasons = seasons
        self._pictures = pictures

    async def read(self, table: Table) -> MatchEnd:
        try:
            return await self._read(table)
        except StoreError as error:
            _log.warning("match_end.not_read", table=table.id, problem=str(error))
        except Exception:  # noqa: BLE001 - the result is shown without it, the log keeps the error
            _log.exception("match_end.not_read", table=table.id)
        return NOTHING_KNOWN

    async def _read(self, table: Table) -> MatchEnd:
        played, match = await self._archive.read(table.id), await self._history.match(table.id)
        if played is None or match is None or not played.events:
            return NOTHING_KNOWN
        ratings = await self._history.rating_changes(table.id)
        zone = (await self._seasons.setup(table.lobby.place.guild_id)).schedule.zone
        texts = texts_for(table.lobby.locale)
        _, found, picture = await asyncio.to_thread(look_through, match, played, zone, texts)
        return MatchEnd(found, ratings, await self._drawn(table.id, picture), match_words(picture, texts))

    async def _drawn(self, table_id: int, picture: MatchPicture) -> PictureFile | None:
        try:
            async with asyncio.timeout(DRAWN_WITHIN_S):
                return await self._pictures.draw(picture)
        except Exception:  # noqa: BLE001 - the words are shown, the log keeps the error
            _log.exception("picture.not_drawn", table=table_id)
            return None


def look_through(
    match: MatchRecord, played: PastMatch, zone: str, texts: Texts
) -> tuple[tuple[TableView, ...], Highlights, MatchPicture]:
    """The rounds of a match, what stood out, and the picture; a long match takes a while to play again."""
    rounds, found = rounds_of(played.events), highlights(played.events, played.handovers)
    return rounds, found, match_picture(match, rounds, found, zone, texts)


def match_picture(
    match: MatchRecord, rounds: Sequence[TableView], found: Highlights, zone: str, texts: Texts
) -> MatchPicture:
    result, people = match.result, [person(seat, texts) for seat in match.seats]
    told = [TableText(view, people, Faces(texts)) for view in rounds]
    final = final_scores(match)
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
            sign=_signs(team, rounds, texts),
        )
        for team in range(len(final))
    )
    when = moment(result.ended_at, zone, texts)
    title = texts.t("Kem's · match {number}", number=match.id)
    best_round, best = _best_moment(told)
    notes = tuple(plain(line) for line in ([*best, *highlight_lines(found, told[-1])] if told else ()))
    ends = tuple(_ENDS.get(view.result.outcome, "➖") for view in rounds if view.result is not None)
    about = plain(" · ".join((when, *about_words(match, texts))))
    return MatchPicture(title, about, teams, notes, ends, best_round)


def _signs(team: int, rounds: Sequence[TableView], texts: Texts) -> str:
    """What a team signed by, the latest sign last; "" where it made none."""
    made = (sign for view in rounds if view.result is not None for sign in view.result.signs[team])
    signs = list(dict.fromkeys(shown_sign(sign) for sign in made))
    return plain(texts.t("Sign: {sign}", sign=" ".join(signs[-_MOST_SIGNS:]))) if signs else ""


def _best_moment(told: Sequence[TableText]) -> tuple[int | None, list[str]]:
    """The round that was decided by the least, in milliseconds."""
    margins = [(text.view.result.margin, text) for text in told if text.view.result is not None]
    close = [(margin.milliseconds, text) for margin, text in margins if margin is not None]
    if not close:
        return None, []
    _, text = min(close, key=itemgetter(0))
    assert text.view.result is not None, "it was decided"
    words = {"number": text.view.round, "what": " ".join(margin_words(text.view.result, text))}
    return text.view.round, [text.texts.t("🏁 Best moment: round {number}, {what}", **words)]


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
    told = " · ".join((*(f"{team.name} — {team.sign}" for team in picture.teams if team.sign), *picture.notes))
    return alt(f"{picture.title}, {picture.subtitle}. {teams}. {rounds} {told}".strip())
