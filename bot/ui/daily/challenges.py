"""Challenges: moments that players put forward on the results of their matches, for whoever can read these to try."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import discord

from bot.daily.attempt import MOST_CHALLENGES, MomentKey, Try
from bot.daily.store import SceneStore
from bot.discord.api.components import link_to
from bot.discord.api.interactions import RefusedError, guild_of, reader
from bot.discord.api.patience import in_time, or_later
from bot.discord.api.responses import defer, reply
from bot.discord.places.permissions import check_may_post
from bot.discord.places.sight import Sight
from bot.tables.hub import ErasureDone, MatchEndChanged, PersonErased
from bot.tables.lobby.place import FormerMessage
from bot.tables.table_store import TableStore


@dataclass(eq=False)
class Challenges:
    _store: SceneStore
    _tables: TableStore
    _sight: Sight
    _publish: Callable[[object], None]
    _erased: set[MatchEndChanged] = field(default_factory=set, init=False)
    """The results that name people who are being erased."""

    async def put_forward(self, interaction: discord.Interaction, one: Try) -> None:
        """Let a moment of the presser's stand on the result of its match, once.

        Raises:
            RefusedError: it stands there already, others fill the result, or the presser may not write there.
            StoreError: it is not saved.
        """
        texts, key = reader(interaction), one.key
        assert isinstance(key, MomentKey), "a scene of a day is no challenge"
        card = await self._card(interaction, key.table_id)
        check_may_post(interaction, card.channel_id)
        await defer(interaction, is_new=True)
        known = await or_later(self._store.challenges(key.table_id))
        if len(known) >= MOST_CHALLENGES and all(challenge.key != key for challenge in known):
            line = texts.n("This match already has {count} challenge.", "This match already has {count} challenges.",
                           MOST_CHALLENGES)  # fmt: skip
            raise RefusedError(line)
        if not await in_time(self._store.put_forward(replace(one, is_over=True, is_posted=True))):
            raise RefusedError(texts.t("This challenge has already been posted."))
        self._publish(MatchEndChanged(one.guild_id, key.table_id))
        link = link_to(one.guild_id, card.channel_id, card.message_id)
        line = texts.t("Your challenge stands on the result: {link}", link=link)
        await reply(interaction, line)

    async def check_may_try(self, interaction: discord.Interaction, key: MomentKey) -> Try:
        """Return the try of the player who has put a moment forward.

        Raises RefusedError: nobody has, or the presser cannot read the result on which it stands; StoreError.
        """
        t, own = reader(interaction).t, await or_later(self._store.challenge(key))
        if own is None or own.guild_id != guild_of(interaction):
            raise RefusedError(t("This challenge is over."))
        card = await self._card(interaction, key.table_id)
        if not await self._sight.channels(interaction, {card.channel_id}):
            raise RefusedError(t("That match was played in a channel that you cannot see."))
        return own

    def tried(self, one: Try) -> None:
        """The try of another person than the moment's own player is over."""
        assert isinstance(one.key, MomentKey), "a scene of a day is no challenge"
        self._publish(MatchEndChanged(one.guild_id, one.key.table_id))

    async def forget(self, person: PersonErased) -> None:
        """Find the results that name a person, while that is known. Raises StoreError."""
        tables = await self._store.challenged_tables(person.user_id)
        self._erased |= {MatchEndChanged(guild_id, table_id) for guild_id, table_id in tables}

    def show_erased(self, _done: ErasureDone) -> None:
        for changed in self._erased:
            self._publish(changed)
        self._erased.clear()

    async def _card(self, interaction: discord.Interaction, table_id: int) -> FormerMessage:
        """The message in the channel that shows how a match ended. Raises RefusedError: it is not known any more."""
        lobby = await or_later(self._tables.load(table_id))
        place = None if lobby is None else lobby.place
        if place is None or (place.post is None and place.message_id is None):
            t = reader(interaction).t
            raise RefusedError(t("The moves of match {number} are not kept any more.", number=table_id))
        return place.post or FormerMessage(place.channel_id, place.message_id or 0)
