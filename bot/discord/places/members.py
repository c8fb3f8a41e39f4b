"""Members of a server: whether people are members and meet conditions of entry; roles are given and taken here.

Without the privileged intent, no event says that somebody has left. So the gateway is asked when it matters, for up to
a hundred people at once, and for the same person at most once a minute. Such a request needs no privileged intent:
https://discord.com/developers/docs/events/gateway-events#request-guild-members
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from enum import Enum, auto
from typing import Final

import discord
import structlog

from bot.base.clock import Clock
from bot.base.times import DAY_MS, MINUTE_MS
from bot.conditions import UNKNOWN, Candidate, EntryRules
from bot.discord.api.discord_internals import Method, request
from bot.discord.api.error_codes import ErrorCode, Resource
from bot.discord.places.permissions import is_role_gone
from bot.discord.places.refusals import DiscordRefusal, attempt

ANSWER_S: Final = 2.0
"""Longest wait for an answer, in seconds."""
_ENTRY_S: Final = 0.5
"""Longest wait for an answer about conditions of entry, for which a lobby waits."""
_AT_ONCE: Final = 100
MEMBER: Final = "/guilds/{guild_id}/members/{user_id}"
_ROLE: Final = f"{MEMBER}/roles/{{role_id}}"
ROLE_S: Final = 10.0
"""Longest time to give or take a role, in seconds; other changes of roles wait meanwhile."""
NO_ROLE: Final = DiscordRefusal(Resource.ROLE, ErrorCode.UNKNOWN_ROLE)
MAY_NOT_GIVE: Final = DiscordRefusal(Resource.ROLE, ErrorCode.MISSING_PERMISSIONS)
NOBODY_HAS_IT: Final = frozenset({ErrorCode.UNKNOWN_ROLE, ErrorCode.UNKNOWN_SERVER, ErrorCode.MISSING_ACCESS})
"""Error codes after which nobody has the role as far as the bot is concerned: it, or the server, is gone."""
_LEFT: Final = frozenset({ErrorCode.UNKNOWN_MEMBER, ErrorCode.UNKNOWN_USER})

_log = structlog.get_logger(__name__)


class Membership(Enum):
    """Whether a person is a member of a server.

    - `TIMED_OUT`: a member to whom a moderator has given a timeout that is not over.
    - `GONE`: not a member: has left, or is banned.
    """

    HERE = auto()
    TIMED_OUT = auto()
    GONE = auto()


class Members:
    """Looks up members by the gateway, with a cache of a minute: one object for the process."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._known: dict[tuple[int, int], tuple[int, discord.Member | None]] = {}  # since when, by server and user

    async def look_up(self, guild_id: int, user_ids: Collection[int]) -> Mapping[int, Membership]:
        """Return which of these people are members of a server; people are left out if Discord does not answer."""
        now = self._clock.now()
        found = await self._members(guild_id, user_ids, ANSWER_S)
        return {user_id: _standing(member, now) for user_id, member in found.items()}

    async def lacking(self, guild_id: int, entry: EntryRules, user_ids: Collection[int]) -> frozenset[int]:
        """Return which of these people do not meet the conditions of entry, as far as Discord answers."""
        now = self._clock.now()
        found = await self._members(guild_id, user_ids, _ENTRY_S)
        return frozenset(
            user_id for user_id, member in found.items() if entry.shortfalls(candidate(member, entry, now))
        )

    async def _members(
        self, guild_id: int, user_ids: Collection[int], within_s: float
    ) -> Mapping[int, discord.Member | None]:
        """Return these people as members, None for those who are none; people without an answer are left out."""
        now, guild = self._clock.now(), self._client.get_guild(guild_id)
        self._known = {key: (at, member) for key, (at, member) in self._known.items() if now - at < MINUTE_MS}
        unknown_ids = [user_id for user_id in user_ids if (guild_id, user_id) not in self._known]
        if guild is not None and not guild.unavailable:
            for start in range(0, len(unknown_ids), _AT_ONCE):
                await self._ask(guild, unknown_ids[start : start + _AT_ONCE], now, within_s)
        known = ((user_id, self._known.get((guild_id, user_id))) for user_id in user_ids)
        return {user_id: found[1] for user_id, found in known if found is not None}

    async def gone(self, guild_id: int, user_ids: Collection[int]) -> frozenset[int]:
        """Return which of these people are not members of a server, as far as Discord answers."""
        found = await self.look_up(guild_id, user_ids)
        return frozenset(user_id for user_id, standing in found.items() if standing is Membership.GONE)

    async def _ask(self, guild: discord.Guild, user_ids: Collection[int], now: int, within_s: float) -> None:
        try:
            async with asyncio.timeout(within_s):
                found = await guild.query_members(user_ids=[*user_ids], limit=_AT_ONCE, cache=False)
        except (TimeoutError, discord.ClientException, ConnectionError, RuntimeError) as error:
            _log.info("members.unknown", server=guild.id, problem=type(error).__name__)
            return
        members = {member.id: member for member in found}
        for user_id in user_ids:
            self._known[guild.id, user_id] = now, members.get(user_id)


def _standing(member: discord.Member | None, now: int) -> Membership:
    if member is None:
        return Membership.GONE
    end = member.timed_out_until
    return Membership.HERE if end is None or end.timestamp() * 1000 <= now else Membership.TIMED_OUT


def candidate(person: discord.User | discord.Member | None, entry: EntryRules, now: int, matches: int = 0) -> Candidate:
    """Return what the conditions of entry need to know about a person.

    Args:
        person: A member, or a user of whom nothing else is known.
        entry: The conditions; a role that was deleted counts as held by everybody.
        now: Unix milliseconds.
        matches: How many matches they have played.
    """
    if not isinstance(person, discord.Member):
        return replace(UNKNOWN, matches=matches)
    role_ids = {role.id for role in person.roles}
    if entry.role_id is not None and is_role_gone(person.guild, entry.role_id):
        role_ids.add(entry.role_id)
    days = 0 if person.joined_at is None else (now - round(person.joined_at.timestamp() * 1000)) // DAY_MS
    return Candidate(role_ids, matches, days)


def role_refusal(guild: discord.Guild, role_id: int) -> DiscordRefusal | None:
    """Return why the bot cannot give a role to anybody; None if it seems to be able to."""
    role = guild.get_role(role_id)
    if role is None:
        return NO_ROLE
    may_give = guild.me.guild_permissions.manage_roles and role.is_assignable()
    return None if may_give else MAY_NOT_GIVE


async def change_role(
    client: discord.Client, guild_id: int, user_id: int, role_id: int, reason: str | None, *, is_given: bool
) -> DiscordRefusal | None:
    """Give a role to a person, or take it away; return why Discord refuses.

    None if it was done, or if the person is no longer a member. Another process may serve the server.
    """

    async def change() -> None:
        member = await request(client, "GET", MEMBER, guild_id=guild_id, user_id=user_id)
        if (str(role_id) in member["roles"]) is not is_given:
            method: Method = "PUT" if is_given else "DELETE"
            await request(client, method, _ROLE, reason=reason, guild_id=guild_id, user_id=user_id, role_id=role_id)

    refusal = await attempt(Resource.ROLE, change(), ROLE_S, guild=guild_id)
    return None if refusal is not None and refusal.code in _LEFT else refusal
