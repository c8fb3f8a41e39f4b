"""A finished match as a picture and in words, and what its table's message shows of it beyond the last round.

Pictures know no markdown: names are cleaned, not defused.
"""

import asyncio
from collections.abc import Sequence

import structlog

from bot.errors import StoreError
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
from bot.ui.table.match_end import NOTHING_KNOWN, MatchEnd
from bot.ui.words.table_text import signed, team_name

DRAWN_WITHIN_S = 10.0
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
        # A long match takes a while to play again.
        found, picture, alt = await asyncio.to_thread(_looked_through, match, played, zone, table.lobby.locale)
        return MatchEnd(found, ratings, await self._drawn(table.id, picture), alt)

    async def _drawn(self, table_id: int, picture: MatchPicture) -> PictureFile | None:
        try:
            async with asyncio.timeout(DRAWN_WITHIN_S):
                return await self._pictures.draw(picture)
        except Exception:  # noqa: BLE001 - the words are shown, the log keeps the error
            _log.exception("picture.not_drawn", table=table_id)
            return None


def _looked_through(
    match: MatchRecord, played: PastMatch, zone: str, locale: str
) -> tuple[Highlights, MatchPicture, str]:
    texts = texts_for(locale)
    picture = match_picture(match, rounds_of(played.events), zone, texts)
    return highlights(played.events), picture, match_words(picture, texts)


def match_picture(match: MatchRecord, rounds: Sequence[TableView], zone: str, texts: Texts) -> MatchPicture:
    result = match.result
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
