"""Moments of a match that are played again: who may, challenges, and the presses on their panels."""

from dataclasses import dataclass, replace

import discord

from bot.beside import BesideError, beside
from bot.daily.moment import Challenge, MomentKey, MomentRun, MomentTry, moment_start
from bot.daily.run import is_running, read_moves
from bot.daily.store import MomentStore
from bot.records.archive import Archive
from bot.records.history import History
from bot.records.player import Player
from bot.ui.admission.budgets import Verb
from bot.ui.admission.patience import in_time, or_later
from bot.ui.daily.live_scenes import LiveScene, LiveScenes
from bot.ui.daily.moment_panel import challenge_post, moment_panel, moment_result, read_key
from bot.ui.daily.scene_panel import read_move
from bot.ui.daily.verbs import MomentVerb
from bot.ui.kit.components import Layout
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import NOBODY, PreparedView, guild_of, made_at, reader, say_outdated, show
from bot.ui.kit.names import called, people_apart
from bot.ui.kit.permissions import may_write
from bot.ui.kit.texts import Texts
from bot.ui.live.answers import SERVER_ERROR
from bot.ui.lobby.places import ServerDefaults
from bot.ui.words.card_faces import Faces
from bot.ui.words.refusals import RefusedError, check_not_timed_out


@dataclass(eq=False)
class MomentStage:
    _archive: Archive

    async def run(self, one: MomentTry) -> MomentRun | None:
        match = await or_later(self._archive.read(one.table_id))
        if match is None or not match.events:
            return None
        match = replace(match, people=tuple(filter(None, people_apart(match.people))))
        try:
            start = await beside(moment_start, match, one.key, one.started_at)
        except BesideError:  # there is no such moment
            return None
        return MomentRun(start, read_moves(one.moves))

    def panel(self, live: LiveScene[MomentTry, MomentRun], faces: Faces, now: int) -> Layout:
        return moment_panel(live, faces, now)

    async def ended(self, live: LiveScene[MomentTry, MomentRun]) -> Layout:
        return self.result(live.one, live.run, live.texts)

    def result(self, one: MomentTry, run: MomentRun, texts: Texts) -> Layout:
        player = run.start.people[one.seat]
        challenger = None if player.user_id == one.user_id else called(player.name)
        return moment_result(one, run, Faces(texts, run.theme), challenger)


@dataclass(eq=False)
class MomentPresses:
    _history: History
    _archive: Archive
    _store: MomentStore
    _stage: MomentStage
    _scenes: LiveScenes[MomentTry, MomentRun]
    _defaults: ServerDefaults

    verbs = frozenset[Verb](MomentVerb)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        word, _, move = press.arg.partition(":")
        key, texts = read_key(word), reader(interaction)
        asked = read_move(move) if press.verb == MomentVerb.MOVE else None
        if key is None or (asked is None and (move or press.verb == MomentVerb.MOVE)):
            await say_outdated(interaction)
            return
        match press.verb:
            case MomentVerb.MOVE if asked is not None:
                if not await self._scenes.press(interaction, _try_at(interaction, key), asked, texts):
                    raise RefusedError(texts.t("This try is over."))
            case MomentVerb.AGAIN:
                await self._begin(interaction, await self._own(interaction, key, texts), texts)
            case MomentVerb.CHALLENGE:
                await self._post(interaction, await self._own(interaction, key, texts), texts)
            case _:
                await self._take(interaction, key, texts)

    async def _begin(self, interaction: discord.Interaction, key: MomentKey, texts: Texts) -> None:
        """Show a moment in a panel; the try that runs, if there is one."""
        one = _try_at(interaction, key)
        running = await or_later(self._store.find(one))
        if running is not None and is_running(running, one.pressed_at):
            shown = await self._scenes.resume(interaction, running, texts)
        else:
            shown = await self._scenes.begin(interaction, one, texts)
        if not shown:
            raise RefusedError(texts.t("This moment cannot be played again."))

    async def _take(self, interaction: discord.Interaction, key: MomentKey, texts: Texts) -> None:
        """Show a moment that its player has posted; after the one try what came of it."""
        challenge = await or_later(self._store.challenge(key))
        if challenge is None or challenge.guild_id != guild_of(interaction):
            raise RefusedError(texts.t("This challenge is over."))
        one = await or_later(self._store.find(_try_at(interaction, key)))
        is_used = one is not None and not is_running(one, made_at(interaction))
        if one is None or not is_used or challenge.user_id == interaction.user.id:
            await self._begin(interaction, key, texts)
        elif (run := await self._stage.run(one)) is None:
            raise RefusedError(texts.t("This moment cannot be played again."))
        else:
            await show(interaction, self._stage.result(one, run, texts))

    async def _post(self, interaction: discord.Interaction, key: MomentKey, texts: Texts) -> None:
        """Post a moment as a challenge, once. Raises discord.HTTPException: Discord refuses it."""
        check_not_timed_out(interaction.guild, texts)
        if not may_write(interaction):
            raise RefusedError(texts.t("You may not write here, so I may not post for you."))
        challenge = Challenge(*key, interaction.user.id, guild_of(interaction))
        player = Player(interaction.user.display_name, interaction.user.id)
        post = challenge_post(key, player, await self._defaults.public_texts(interaction))
        if not await in_time(self._store.post(challenge)):
            raise RefusedError(texts.t("This challenge is posted already."))
        try:
            await interaction.response.send_message(view=PreparedView(post), allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            if error.status < SERVER_ERROR:  # else it may stand there
                await self._store.withdraw(challenge)
            raise

    async def _own(self, interaction: discord.Interaction, key: MomentKey, texts: Texts) -> MomentKey:
        """The moment on the seat that the presser had in that match of this server.

        Raises RefusedError: they had none, or its moves are deleted.
        """
        record = await or_later(self._history.match(key.table_id))
        if record is None or record.guild_id != guild_of(interaction) or interaction.user.id not in record.user_ids:
            raise RefusedError(texts.t("You did not play this match: only who sat there plays a moment again."))
        match = await or_later(self._archive.read(key.table_id))
        if match is None or not match.events:
            raise RefusedError(texts.t("The moves of match {number} are not kept any more.", number=key.table_id))
        seats = [seat for seat, player in enumerate(match.people) if player.user_id == interaction.user.id]
        return key._replace(seat=seats[0])


def _try_at(interaction: discord.Interaction, key: MomentKey) -> MomentTry:
    """The presser's try at a moment, as it begins now."""
    at = made_at(interaction)
    return MomentTry(interaction.user.id, *key, guild_of(interaction), at, at)
