"""The scenes of a day as they are played: which one is whose, its panel, and the day after it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import discord

from bot.daily.day import Try, day_of, scene_of
from bot.daily.run import is_running, read_moves
from bot.daily.scene import SceneRun
from bot.daily.store import DailyStore
from bot.ui.admission.patience import or_later
from bot.ui.daily.live_scenes import LiveScene, LiveScenes
from bot.ui.daily.scene_panel import how_it_was_missed, scene_panel
from bot.ui.kit.components import Layout
from bot.ui.kit.interactions import guild_of, made_at
from bot.ui.kit.texts import Texts
from bot.ui.words.card_faces import Faces


@dataclass(eq=False)
class DayStage:
    """`after` draws what a person sees after a try, in their language, and how it was missed."""

    _store: DailyStore
    _after: Callable[[Try, Texts, str | None], Awaitable[Layout]]
    _secret: bytes | None = field(default=None, init=False)

    async def begin(
        self, scenes: LiveScenes[Try, SceneRun], interaction: discord.Interaction, number: int, texts: Texts
    ) -> bool:
        """Use the try of today's scene and show it; False where it is not this one's turn.

        Raises StoreError: it is not used.
        """
        user_id, at = interaction.user.id, made_at(interaction)
        day = day_of(at)
        tries = await or_later(self._store.tries(user_id, day))
        if number != len(tries) or any(is_running(one, at) for one in tries):
            return False
        guild_id = tries[0].guild_id if tries else guild_of(interaction)
        scene = scene_of(await self._key(), day, user_id, number)
        return await scenes.begin(interaction, Try(user_id, day, number, guild_id, at, at, scene.reference_ms), texts)

    async def run(self, one: Try) -> SceneRun:
        scene = scene_of(await self._key(), one.day, one.user_id, one.number)
        return SceneRun(scene, one.started_at, read_moves(one.moves))

    def panel(self, live: LiveScene[Try, SceneRun], faces: Faces, now: int) -> Layout:
        return scene_panel(live.one, live.run, live.page, faces, live.notice, live.chosen, now)

    async def ended(self, live: LiveScene[Try, SceneRun]) -> Layout:
        told = how_it_was_missed(live.one, live.run, Faces(live.texts))
        return await self._after(live.one, live.texts, told)

    async def _key(self) -> bytes:
        if self._secret is None:
            self._secret = await or_later(self._store.secret())
        return self._secret
