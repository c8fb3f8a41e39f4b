"""What a result shows beyond its last round: highlights, ratings, picture, challenges, the film of the best moment."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import structlog

from bot.base.background import retry_until_saved
from bot.base.errors import StoreError
from bot.daily.attempt import Challenge
from bot.discord.interactions.rooms import Rooms
from bot.discord.pictures.card_faces import Faces
from bot.discord.pictures.illustrations import GIVEN_UP_S, PictureLine, drawn_in_time
from bot.discord.text.texts import texts_for
from bot.game.replay_steps import RoundReplay, replay_round
from bot.game.views import TableView
from bot.ladder.outcomes import rounds_of
from bot.records.archive import PastMatch
from bot.tables.match.table import Table
from bot.ui.lobby.players_role import PlayersRole
from bot.ui.records.best_moment import best_moment_words, filmed_round, margin_of, won_by
from bot.ui.records.history_panels import look_through, match_words, round_line
from bot.ui.records.replay_panel import round_animation, with_people_apart
from bot.ui.records.sharing import film_of
from bot.ui.table.pages.match_end import NOTHING_KNOWN, MatchEnd
from bot.ui.words.table_text import TableText

MOST_RUNNING: Final = 20
"""Number of running matches above which no films are drawn: presses need the processor more."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, eq=False)
class MatchEndReader:
    """Reads the ends of matches. Whatever cannot be read or drawn is left out and logged."""

    _rooms: Rooms
    _filming: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Films are drawn one after the other: between two of them comes the picture of another result."""

    async def read(self, table: Table) -> MatchEnd:
        """Return what a match's result shows, without what could not be read or drawn."""
        try:
            return await retry_until_saved(partial(self._read, table), "match_end.not_read", table=table.id)
        except Exception:  # noqa: BLE001 - the result is shown without it, the log keeps the error
            _log.exception("match_end.not_read", table=table.id)
        return NOTHING_KNOWN

    async def challenges(self, table: Table) -> tuple[Challenge, ...]:
        """Return the challenges of a match, without the names of banned people.

        Raises:
            StoreError: They could not be read.
        """
        found = await self._rooms.store.scenes.challenges(table.id)
        people = {user_id for challenge in found for user_id in challenge.better}
        banned = await self._rooms.directory.bans.find_many(table.lobby.place.guild_id, people)
        return tuple(
            replace(challenge, better=tuple(user_id for user_id in challenge.better if user_id not in banned))
            for challenge in found
        )

    async def film(self, table: Table) -> PictureLine | None:
        """Return the film of the best moment that is no challenge; None if it cannot be drawn in time."""
        try:
            async with asyncio.timeout(GIVEN_UP_S), self._filming:
                return await self._film(table)
        except (StoreError, TimeoutError) as error:
            _log.info("film.not_drawn", table=table.id, problem=str(error) or "It took too long.")
        except Exception:  # noqa: BLE001 - the result is complete without it, the log keeps the error
            _log.exception("film.not_drawn", table=table.id)
        return None

    async def _is_wanted(self, table: Table) -> bool:
        """Return whether the server wants a film, and few enough matches run."""
        if sum(not running.is_over for running in self._rooms.directory.tables()) > MOST_RUNNING:
            return False
        return (await self._rooms.defaults.read(table.lobby.place.guild_id)).has_result_film

    async def _read(self, table: Table) -> MatchEnd:
        store, guild_id = self._rooms.store, table.lobby.place.guild_id
        played, match = await store.archive.read(table.id), await store.history.match(table.id)
        if played is None or match is None or not played.events:
            return NOTHING_KNOWN
        ratings, challenges = await store.history.rating_changes(table.id), await self.challenges(table)
        zone = (await store.seasons.setup(guild_id)).schedule.zone
        texts = texts_for(table.lobby.locale)
        rounds, found, picture = await asyncio.to_thread(look_through, match, played, zone, texts)
        is_filmed = filmed_round(rounds, _rounds(challenges)) is not None and await self._is_wanted(table)
        drawn = await drawn_in_time(self._rooms.pictures, picture)
        margin = min((close for view in rounds if (close := margin_of(view)) is not None), default=None)
        offers_role = await PlayersRole(self._rooms).is_open(guild_id)
        description = match_words(picture, texts)
        return MatchEnd(
            found, ratings, drawn, description, margin, challenges, offers_role=offers_role, is_filmed=is_filmed
        )

    async def _film(self, table: Table) -> PictureLine | None:
        played, texts = await self._rooms.store.archive.read(table.id), texts_for(table.lobby.locale)
        hidden = _rounds(await self.challenges(table))
        best = None if played is None else await asyncio.to_thread(_best, played, hidden)
        if played is None or best is None:
            return None
        match, (view, replay) = with_people_apart(played), best
        animation = round_animation(match, replay, texts, self._rooms.emojis.named)
        drawn = await self._rooms.pictures.draw(animation)
        return replace(film_of(match, replay, drawn, texts), line=_line(TableText(view, match.people, Faces(texts))))


def _best(played: PastMatch, hidden: Collection[int]) -> tuple[TableView, RoundReplay] | None:
    """Return the round to film as it ended, and step by step."""
    view = filmed_round(rounds_of(played.events), hidden)
    return None if view is None else (view, replay_round(played.events, view.round))


def _rounds(challenges: Collection[Challenge]) -> Collection[int]:
    """Return the rounds whose film would show the solution of a challenge."""
    return {challenge.key.round for challenge in challenges}


def _line(text: TableText) -> str:
    return best_moment_words(text) if won_by(text) else f"🎞 {round_line(text)}"
