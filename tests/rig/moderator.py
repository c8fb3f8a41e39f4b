"""What those who run a server do, and what happens to it: emojis, roles, threads, channels, outages, age."""

from typing import Final

from bot.sandbox.discord import payloads
from bot.sandbox.discord.errors import DiscordError
from bot.sandbox.discord.objects import PRIVATE_THREAD, PUBLIC_THREAD, TEXT, Channel, Emoji, Guild
from bot.sandbox.discord.routes.answers import TOKEN_MS
from bot.sandbox.discord.world import GUILD_EXPRESSIONS, GUILD_MEMBERS
from tests.rig.limits import Verdict, refusal
from tests.rig.rig_world import RigWorld

WAIT_S: Final = 300.0


class Moderator:
    """Each method is one thing that happens; all arguments and answers are ids, names and numbers."""

    def __init__(self, world: RigWorld) -> None:
        self._world = world

    # ------------------------------------------------------------------ messages

    def delete_message(self, channel: int, message: int) -> None:
        self._world.delete(self._world.channel(channel).messages[message])

    def age(self, channel: int, message: int, seconds: float) -> None:
        """Make a message older than it is."""
        self._world.channel(channel).messages[message].made_ms -= int(seconds * 1000)

    def expire_tokens(self) -> None:
        for interaction in self._world.interactions.values():
            interaction.made_ms -= TOKEN_MS + 1

    # ------------------------------------------------------------------ emojis

    def add_emoji(self, guild: int, name: str) -> int:
        place = self._guild(guild)
        emoji = Emoji(self._world.new_id(), name, place.id)
        place.emojis[emoji.id] = emoji
        self._tell_emojis(place)
        return emoji.id

    def delete_emoji(self, emoji: int, *, is_told: bool = True) -> None:
        """Delete an emoji of the application or of a guild; unless `is_told`, the event about it is still under way."""
        self._world.application_emojis.pop(emoji, None)
        for guild in self._world.guilds.values():
            if guild.emojis.pop(emoji, None) is not None and is_told:
                self._tell_emojis(guild)

    def _tell_emojis(self, guild: Guild) -> None:
        """Only those with the expressions intent hear of it."""
        emojis = [payloads.emoji_json(emoji) for emoji in guild.emojis.values()]
        data = {"guild_id": str(guild.id), "emojis": emojis}
        self._world.emit("GUILD_EMOJIS_UPDATE", data, guild, GUILD_EXPRESSIONS)

    # ------------------------------------------------------------------ roles

    def add_role(self, guild: int, name: str, permissions: int = 0, *, is_mentionable: bool = False) -> int:
        return self._world.add_role(self._guild(guild), name, permissions, is_mentionable=is_mentionable).id

    def give_role(self, guild: int, user: int, role: int) -> None:
        place = self._guild(guild)
        self._world.change_roles(place, user, role, present=True)

    def bot_role(self, guild: int) -> int:
        return self._guild(guild).members[self._world.bot.id].roles[0]

    # ------------------------------------------------------------------ members

    def time_out(self, guild: int, user: int, seconds: float | None) -> None:
        """Give somebody a timeout, or take it back. No event tells that it is over."""
        place = self._guild(guild)
        member = place.members[user]
        member.timed_out_ms = None if seconds is None else self._world.now() + int(seconds * 1000)
        self._world.tell_member(place, member)

    def rename(self, guild: int, user: int, nick: str | None) -> None:
        place = self._guild(guild)
        place.members[user].nick = nick
        self._world.tell_member(place, place.members[user])

    def remove_member(self, guild: int, user: int) -> None:
        """Somebody leaves. The bot hears of it only with the members intent."""
        place = self._guild(guild)
        gone = place.members.pop(user)
        data = {"guild_id": str(guild), "user": payloads.user_json(gone.user)}
        self._world.emit("GUILD_MEMBER_REMOVE", data, place, GUILD_MEMBERS)

    def take_reaction(self, channel: int, message: int, user: int, emoji: str) -> None:
        """Take away the reaction of somebody else: the event names its owner alone."""
        self._world.react(self._world.channel(channel).messages[message], user, emoji, present=False)

    # ------------------------------------------------------------------ what Discord refuses

    def refuse(self, method: str, shape: str, status: int, code: int, said: str) -> None:
        """Refuse each request of a kind from now on, such as `POST`, `channels/*/threads`; a 429 asks to wait long."""
        wait = refusal(WAIT_S) if status == 429 else Verdict({})
        told = {} if wait.retry_after is None else {"retry_after": wait.retry_after}
        self._world.refusals[method, shape] = DiscordError(status, code, said, headers=wait.headers, extra=told)

    def accept(self, method: str, shape: str) -> None:
        """Take such requests again."""
        self._world.refusals.pop((method, shape), None)

    # ------------------------------------------------------------------ channels and threads

    def add_channel(self, guild: int, name: str) -> int:
        return self._world.add_channel(self._guild(guild), name, TEXT).id

    def allow(self, channel: int, who: int, allowed: int = 0, denied: int = 0) -> None:
        """Set what a role may do in a channel."""
        place = self._world.channel(channel)
        place.overwrites[who] = (allowed, denied)
        self._world.emit("CHANNEL_UPDATE", payloads.channel_json(place), self._guild(place.guild_id))

    def delete_channel(self, channel: int) -> None:
        self._world.remove_channel(self._world.channel(channel))

    def open_thread(self, channel: int, user: int, name: str, *, is_private: bool = False) -> int:
        """A member opens a thread, to which nobody else belongs yet."""
        kind = PRIVATE_THREAD if is_private else PUBLIC_THREAD
        return self._world.open_thread(self._world.channel(channel), name, kind, user).id

    def add_to_thread(self, thread: int, user: int, *, present: bool = True) -> None:
        self._world.change_thread_member(self._thread(thread), user, present=present)

    def archive(self, thread: int, *, is_archived: bool = True, is_locked: bool = False) -> None:
        self._world.change_thread(self._thread(thread), is_archived=is_archived, is_locked=is_locked)

    def delete_event(self, guild: int, event: int) -> None:
        """Somebody deletes an event of a guild."""
        self._world.remove_event(self._guild(guild), event)

    # ------------------------------------------------------------------ guilds

    def outage(self, guild: int, *, is_over: bool = False) -> None:
        """Discord itself cannot serve a guild for a while.

        Source: https://discord.com/developers/docs/events/gateway-events#guild-delete
        """
        place = self._guild(guild)
        place.is_unavailable = not is_over
        if is_over:
            data = payloads.guild_create_json(self._world, place, with_emojis=True, with_members=False)
            self._world.emit("GUILD_CREATE", data, place)
        else:
            self._world.emit("GUILD_DELETE", {"id": str(guild), "unavailable": True}, place)

    def choose_language(self, guild: int, locale: str) -> None:
        self._world.choose_language(self._guild(guild), locale)

    def remove_bot(self, guild: int) -> None:
        place = self._guild(guild)
        self._world.emit("GUILD_DELETE", {"id": str(guild)}, place)
        del place.members[self._world.bot.id]

    def _guild(self, guild: int) -> Guild:
        return self._world.guilds[guild]

    def _thread(self, thread: int) -> Channel:
        channel = self._world.channel(thread)
        assert channel.is_thread, "only threads have members and an archive"
        return channel
