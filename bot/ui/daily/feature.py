"""Scenes: the deal of the day by `/kems daily`, moments of matches that are played again, and challenges."""

from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Final

import discord

from bot.daily.attempt import MOST_CHALLENGES, Attempt, DayKey, Key, MomentKey, read_key
from bot.daily.day import SCENES, day_of, week_of
from bot.discord.api.components import Layout, link_to
from bot.discord.api.custom_ids import Press, read_number
from bot.discord.api.interactions import RefusedError, guild_id_of, made_at, texts_of
from bot.discord.api.patience import cancel_when_slow, continue_when_slow
from bot.discord.api.requests import undo_if_refused
from bot.discord.api.responses import defer, follow_up, reply, reply_outdated, reply_panel
from bot.discord.interactions.admission.allowances import FREE, Verb
from bot.discord.interactions.feature import CommandSet, Feature, command
from bot.discord.interactions.rooms import Rooms
from bot.discord.places.channel_access import ChannelAccess
from bot.discord.places.permissions import check_may_post
from bot.discord.places.refusals import explain_refusal
from bot.discord.rate_limits.responses import bounded
from bot.discord.text.texts import Texts, mark
from bot.tables.hub import ErasureDone, MatchEndChanged, PersonErased, on
from bot.tables.lobby.table_channel import FormerMessage
from bot.ui.daily import screens
from bot.ui.daily.live_scenes import LiveScenes
from bot.ui.daily.scene_panel import SceneVerb, read_move
from bot.ui.daily.stage import Stage

_POST_S: Final = 10.0
"""Longest time that Discord may take for the result of a day."""
_NOT_PLAYABLE: Final = mark("This moment cannot be played again.")


@dataclass(eq=False)
class Challenges:
    """Moments that players offer others to try, shown on the results of their matches."""

    _rooms: Rooms
    _access: ChannelAccess
    _erased: set[MatchEndChanged] = field(default_factory=set, init=False)
    """The results that name people who are being erased."""

    async def add_challenge(self, interaction: discord.Interaction, attempt: Attempt) -> None:
        """Show a moment of the presser on the result of its match, for others to try.

        Raises:
            RefusedError: It has been shown before, the result has no room for it, or the presser may not write there.
            StoreError: It is not saved.
        """
        texts, key = texts_of(interaction), attempt.key
        assert isinstance(key, MomentKey), "a scene of a day is no challenge"
        card = await self._card(interaction, key.table_id)
        check_may_post(interaction, card.channel_id)
        await defer(interaction, is_new=True)
        known = await continue_when_slow(self._rooms.store.scenes.challenges(key.table_id))
        if len(known) >= MOST_CHALLENGES and all(challenge.key != key for challenge in known):
            line = texts.n("This match already has {count} challenge.", "This match already has {count} challenges.",
                           MOST_CHALLENGES)  # fmt: skip
            raise RefusedError(line)
        own = replace(attempt, is_over=True, is_posted=True)
        if not await cancel_when_slow(self._rooms.store.scenes.add_challenge(own)):
            raise RefusedError(texts.t("This challenge has already been posted."))
        self._rooms.hub.publish(MatchEndChanged(attempt.guild_id, key.table_id))
        link = link_to(attempt.guild_id, card.channel_id, card.message_id)
        line = texts.t("Your challenge comes to the result: {link}", link=link)
        await reply(interaction, line)

    async def check_may_try(self, interaction: discord.Interaction, key: MomentKey) -> Attempt:
        """Return the attempt of the player who offered a moment, if the presser may try the moment.

        Raises:
            RefusedError: It is no challenge on this server, or the presser cannot read the result that shows it.
            StoreError: The attempt could not be read.
        """
        t, own = texts_of(interaction).t, await continue_when_slow(self._rooms.store.scenes.challenge(key))
        if own is None or own.guild_id != guild_id_of(interaction):
            raise RefusedError(t("This challenge is over."))
        card = await self._card(interaction, key.table_id)
        if not await self._access.visible(interaction, {card.channel_id}):
            raise RefusedError(t("That match was played in a channel that you cannot see."))
        return own

    def tried(self, attempt: Attempt) -> None:
        """Update the result that shows a challenge, after somebody has finished an attempt at it."""
        assert isinstance(attempt.key, MomentKey), "a scene of a day is no challenge"
        self._rooms.hub.publish(MatchEndChanged(attempt.guild_id, attempt.key.table_id))

    async def forget(self, person: PersonErased) -> None:
        """Record which results name a person, before the person is erased; `show_erased` updates them.

        Raises:
            StoreError: They could not be read.
        """
        tables = await self._rooms.store.scenes.challenged_tables(person.user_id)
        self._erased |= {MatchEndChanged(guild_id, table_id) for guild_id, table_id in tables}

    def show_erased(self, _done: ErasureDone) -> None:
        """Update the results that named people who are erased now."""
        for changed in self._erased:
            self._rooms.hub.publish(changed)
        self._erased.clear()

    async def _card(self, interaction: discord.Interaction, table_id: int) -> FormerMessage:
        """Return the message in the channel that shows how a match ended.

        Raises:
            RefusedError: The message is not known any more.
        """
        lobby = await continue_when_slow(self._rooms.store.tables.load(table_id))
        place = None if lobby is None else lobby.place
        if place is None or (place.post is None and place.message_id is None):
            t = texts_of(interaction).t
            raise RefusedError(t("The moves of match {number} are not kept any more.", number=table_id))
        return place.post or FormerMessage(place.channel_id, place.message_id or 0)


@dataclass(eq=False, repr=False)
class SceneCommands(CommandSet):
    """`/kems daily`, and the presses of scenes: of a day, of moments that are played again, and of challenges."""

    verbs = frozenset[Verb](SceneVerb)

    _rooms: Rooms
    _stage: Stage
    _scenes: LiveScenes
    _challenges: Challenges

    @command("daily", mark("Play the deal of the day: three short scenes, one try each"), allowance=FREE)
    async def daily(self, interaction: discord.Interaction) -> None:
        """Show the presser's day."""
        await self.show_mine(interaction)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer a press on a day, a board, a scene or a challenge.

        Raises:
            RefusedError: The scene or the challenge cannot be played, or not any more.
        """
        word, _, move = press.arg.partition(":")
        texts, key, pressed = texts_of(interaction), read_key(word), read_move(move)
        match press.verb, key:
            case SceneVerb.MINE, None if not press.arg:
                await self.show_mine(interaction)
            case SceneVerb.BOARD, None if press.arg in (screens.DAY, screens.WEEK):
                await reply_panel(interaction, await self._board(interaction, press.arg))
            case SceneVerb.SHARE, None if (day := _read_day(press.arg)) is not None:
                await self._share(interaction, day)
            case SceneVerb.MOVE, DayKey() | MomentKey() if pressed is not None:
                if not await self._scenes.press(interaction, _try_at(interaction, key), pressed, texts):
                    if isinstance(key, MomentKey):
                        raise RefusedError(texts.t("This try is over."))
                    await self.show_mine(interaction)
            case SceneVerb.START, DayKey() if not move:
                await self._start_day(interaction, key, texts)
            case SceneVerb.AGAIN, MomentKey():
                own = await self._own(interaction, key, texts)
                await self._start_moment(interaction, SceneVerb.AGAIN, own, move, texts, again=True)
            case SceneVerb.PUT_FORWARD, MomentKey() if not move:
                own = await self._own(interaction, key, texts)
                await self._challenges.add_challenge(interaction, _try_at(interaction, own))
            case SceneVerb.TAKE, MomentKey():
                await self._take(interaction, key, move, texts)
            case _:
                await reply_outdated(interaction)

    async def show_mine(self, interaction: discord.Interaction) -> None:
        """Show the presser's day, or the scene that they are playing."""
        texts, user, at = texts_of(interaction), interaction.user, made_at(interaction)
        day = await continue_when_slow(self._stage.day(user.id, guild_id_of(interaction), day_of(at)))
        running = next((attempt for attempt in day.attempts if attempt.is_running(at)), None)
        if running is None:
            await reply_panel(interaction, screens.own_day(day, texts))
        else:
            await self._scenes.resume(interaction, running, texts)

    async def _share(self, interaction: discord.Interaction, shared: date) -> None:
        """Post the result of a day in the channel, once."""
        check_may_post(interaction, interaction.channel_id)
        user, guild_id = interaction.user, guild_id_of(interaction)
        day = await continue_when_slow(self._stage.day(user.id, guild_id, shared))
        if not day.is_done:
            await reply_outdated(interaction)
            return
        board = await self._board(interaction, screens.DAY)
        keys = [DayKey(shared, number) for number in range(SCENES)]
        posted = screens.shared_scene(day, user.display_name, await self._rooms.defaults.public_texts(interaction))
        if not await cancel_when_slow(self._rooms.store.scenes.mark(user.id, keys, is_posted=True)):
            await self.show_mine(interaction)
            return

        async def show_day(reason: str) -> None:
            day = await self._stage.day(user.id, guild_id, shared)
            await reply_panel(interaction, screens.own_day(day, texts_of(interaction), reason))

        withdraw = partial(self._rooms.store.scenes.mark, user.id, keys, is_posted=False)
        async with explain_refusal(interaction, show_day), undo_if_refused(withdraw), bounded(_POST_S):
            await reply_panel(interaction, board)
            await follow_up(interaction, posted, is_public=True)

    async def _board(self, interaction: discord.Interaction, span: str) -> Layout:
        last = day_of(made_at(interaction))
        first = week_of(last) if span == screens.WEEK else last
        scores = await continue_when_slow(self._stage.scores(guild_id_of(interaction), first, last))
        return screens.board(span, scores, interaction.user.id, texts_of(interaction))

    async def _start_day(self, interaction: discord.Interaction, key: DayKey, texts: Texts) -> None:
        """Begin today's next scene and show it; if it is not due, show the presser's day."""
        user_id, at = interaction.user.id, made_at(interaction)
        tries = await continue_when_slow(self._rooms.store.scenes.attempts(user_id, key.day))
        is_due = key == (day_of(at), len(tries)) and not any(attempt.is_running(at) for attempt in tries)
        guild_id = tries[0].guild_id if tries else guild_id_of(interaction)
        if not is_due or not await self._scenes.start(interaction, Attempt(user_id, key, guild_id, at, at), texts):
            await self.show_mine(interaction)

    async def _start_moment(
        self, interaction: discord.Interaction, verb: SceneVerb, key: MomentKey, sign: str, texts: Texts, *, again: bool
    ) -> None:
        """Show a moment in a panel; the running attempt, if there is one.

        If the mistake was to make a known sign, a press without another `sign` leads to the choice of one.

        Raises:
            RefusedError: The moment cannot be played.
        """
        attempt = replace(_try_at(interaction, key), sign=sign)
        running = await continue_when_slow(self._rooms.store.scenes.find(attempt.user_id, key))
        if running is not None and running.is_running(attempt.pressed_at):
            is_shown = await self._scenes.resume(interaction, running, texts)
        else:
            await defer(interaction)
            known = None if sign else await self._stage.known_sign(key)
            if known is not None:
                await reply_panel(interaction, screens.sign_choice(verb, key, known, texts))
                return
            is_shown = await self._scenes.start(interaction, attempt, texts, again=again)
        if not is_shown:
            raise RefusedError(texts.t(_NOT_PLAYABLE))

    async def _take(self, interaction: discord.Interaction, key: MomentKey, sign: str, texts: Texts) -> None:
        """Show a moment that its player has offered; after the presser's one attempt, its result.

        Raises:
            RefusedError: The moment cannot be played, or the presser may not try it.
        """
        challenge = await self._challenges.check_may_try(interaction, key)
        is_own = challenge.user_id == interaction.user.id
        attempt = None if is_own else await continue_when_slow(self._rooms.store.scenes.find(interaction.user.id, key))
        if attempt is None or attempt.is_running(made_at(interaction)):
            await self._start_moment(interaction, SceneVerb.TAKE, key, sign, texts, again=is_own)
        elif (result := await self._scenes.result(interaction, attempt, texts)) is None:
            raise RefusedError(texts.t(_NOT_PLAYABLE))
        else:
            await reply_panel(interaction, result)

    async def _own(self, interaction: discord.Interaction, key: MomentKey, texts: Texts) -> MomentKey:
        """Return the moment on the seat that the presser had in that match of this server.

        Raises:
            RefusedError: They had none, or its moves are deleted.
        """
        record = await continue_when_slow(self._rooms.store.history.match(key.table_id))
        if record is None or record.guild_id != guild_id_of(interaction) or interaction.user.id not in record.user_ids:
            raise RefusedError(texts.t("You did not play this match: only its players can replay a moment."))
        match = await continue_when_slow(self._rooms.store.archive.read(key.table_id))
        if match is None or not match.events:
            raise RefusedError(texts.t("The moves of match {number} are not kept any more.", number=key.table_id))
        seats = [seat for seat, player in enumerate(match.people) if player.user_id == interaction.user.id]
        return key._replace(seat=seats[0])


def _try_at(interaction: discord.Interaction, key: Key) -> Attempt:
    """Return the presser's attempt in its initial state."""
    at = made_at(interaction)
    return Attempt(interaction.user.id, key, guild_id_of(interaction), at, at)


def _read_day(word: str) -> date | None:
    """Return the day with this `date.toordinal`; None for anything else."""
    known = read_number(word) or 0
    return date.fromordinal(known) if 0 < known <= date.max.toordinal() else None


def feature(rooms: Rooms) -> Feature:
    """Return the daily scenes and challenges as a feature."""
    stage, challenges = Stage(rooms), Challenges(rooms, ChannelAccess(rooms.requests))
    scenes = LiveScenes(rooms.live.context, rooms.store.scenes, rooms.panel_requests, stage, challenges.tried)
    commands = SceneCommands(rooms, stage, scenes, challenges)
    return Feature(
        presses=(commands,),
        commands=commands.commands,
        hears=(on(PersonErased, challenges.forget), on(ErasureDone, challenges.show_erased)),
        of_shards=(scenes,),
        stops=(scenes.release,),
    )
