"""Prepares the rounds of attempts, and what people see after them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial

import structlog

from bot.base.worker_process import Priority, WorkerProcessError, run_in_worker_process, run_prepared
from bot.daily.attempt import Attempt, DayKey, MomentKey
from bot.daily.day import Score, scene_of, streak
from bot.daily.moment import KnownSign, MomentStart, known_sign, prepare_moment
from bot.daily.practice_round import PracticeRound, RoundStart
from bot.discord.api.components import Layout
from bot.discord.api.patience import continue_when_slow
from bot.discord.interactions.rooms import Rooms
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import disambiguate_players
from bot.discord.text.texts import Texts
from bot.ui.daily import screens
from bot.ui.daily.scene_panel import how_it_was_missed

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Stage:
    """Prepares the rounds of attempts, and reads what is shown after them."""

    _rooms: Rooms
    _secret: bytes | None = field(default=None, init=False)

    async def start(self, attempt: Attempt) -> tuple[Attempt, RoundStart] | None:
        """Return the attempt as it starts now, and its round; None if it cannot be played.

        A moment starts once it is prepared, so that its ten seconds do not pass before the hand is shown.
        """
        start = await self.round_start(attempt, self._rooms.clock.now)
        if isinstance(start, MomentStart):
            attempt = replace(attempt, started_at=start.began, pressed_at=start.began)
        return None if start is None else (replace(attempt, reference=start.reference), start)

    async def round_start(self, attempt: Attempt, now: Callable[[], int] | None = None) -> RoundStart | None:
        """Return the round in which the attempt is played; None if it cannot be played any more.

        `now` returns the instant at which a moment starts (milliseconds); None if it started with the attempt.
        """
        if isinstance(attempt.key, DayKey):
            if self._secret is None:
                self._secret = await continue_when_slow(self._rooms.store.scenes.secret())
            return scene_of(self._secret, attempt.key.day, attempt.user_id, attempt.key.number)
        key, match = attempt.key, await continue_when_slow(self._rooms.store.archive.read(attempt.key.table_id))
        if match is None or not match.events:
            return None
        match = replace(match, people=tuple(filter(None, disambiguate_players(match.people))))

        def prepare() -> partial[MomentStart]:
            return partial(prepare_moment, match, key, attempt.started_at if now is None else now(), attempt.sign)

        try:
            return await run_prepared(Priority.ANSWER, prepare)
        except WorkerProcessError as error:  # there is no such moment, or it takes too long
            _log.warning("moment.not_prepared", table=key.table_id, problem=str(error))
            return None

    async def known_sign(self, key: MomentKey) -> KnownSign | None:
        """Return the known sign that a moment's mistake was to use; None for another mistake, or if none is found."""
        match = await continue_when_slow(self._rooms.store.archive.read(key.table_id))
        if match is None or not match.events:
            return None
        try:
            return await run_in_worker_process(Priority.ANSWER, known_sign, match, key)
        except WorkerProcessError as error:
            _log.warning("moment.not_reviewed", table=key.table_id, problem=str(error))
            return None

    async def day(self, user_id: int, guild_id: int, day: date) -> screens.Day:
        """Return a person's day.

        Raises:
            StoreError: It could not be read.
        """
        store = self._rooms.store.scenes
        tries, played = await store.attempts(user_id, day), await store.days(user_id)
        return screens.Day(day, tries, streak(played, day), await self.scores(guild_id, day, day))

    async def scores(self, guild_id: int, first: date, last: date) -> tuple[Score, ...]:
        """Return the scores on a server's board over these days, without those of banned people.

        Raises:
            StoreError: They could not be read.
        """
        scores = await self._rooms.store.scenes.scores(guild_id, first, last)
        banned = await self._rooms.directory.bans.find_many(guild_id, [score.user_id for score in scores])
        return tuple(score for score in scores if score.user_id not in banned)

    async def ended(self, attempt: Attempt, run: PracticeRound, texts: Texts) -> Layout:
        """Return what a person sees after an attempt.

        Raises:
            StoreError: Their day could not be read.
        """
        faces = Faces(texts, run.start.theme)
        if not isinstance(attempt.key, DayKey):
            return screens.moment_result(attempt, run, faces)
        day = await self.day(attempt.user_id, attempt.guild_id, attempt.key.day)
        return screens.own_day(day, texts, how_it_was_missed(attempt, run, faces))
