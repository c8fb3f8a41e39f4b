"""Presses on a lobby: seats and the start of the match; and after its end: a rematch, or another lobby.

An invitation mentions the members whom the presser chooses, or the server's role for players; each once.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Final

import discord

from bot.discord.api import components as c
from bot.discord.api.components import link_to
from bot.discord.api.custom_ids import Press, make_id
from bot.discord.api.interactions import RefusedError, chosen_members, guild_id_of, is_private, texts_of
from bot.discord.api.patience import SlowStoreError, continue_when_slow
from bot.discord.api.refusals import banned_text
from bot.discord.api.responses import defer, follow_up, reply, reply_outdated, reply_panel, update_message
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.messages.notices import post_once
from bot.discord.messages.posted_message import LiveContext, MessageAddress, Recipients
from bot.discord.places.outage import check_is_added
from bot.discord.places.permissions import check_may_post, known_channel
from bot.discord.text.names import disambiguate_players, display_name, escaped_name
from bot.discord.text.texts import Texts, texts_for
from bot.records.player import Player
from bot.tables.directory import TableDirectory
from bot.tables.lobbies import LobbyChange, PendingRematch
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.seating import Agreed, free_robots, is_changed
from bot.tables.servers.bans import BannedError
from bot.tables.servers.settings import ROLE_PAUSE_MS, ServerSettings, ServerStore
from bot.ui.lobby.lobby_board import closed_panel, starting_post, table_link, why_friendly
from bot.ui.lobby.places import Openings, can_open_thread, into_thread
from bot.ui.lobby.quick_start import QuickStarts
from bot.ui.lobby.settings import ON_BOARD, change_of
from bot.ui.lobby.verbs import FILL, LobbyVerb
from bot.ui.table.departures import Departures, replace_absent_host
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.presses import show_seat
from bot.ui.table.robot_places import RobotPlaces
from bot.ui.table.verbs import TableVerb
from bot.ui.table.which_table import check_may_decide, find_lobby
from bot.ui.words.refusals import lobby_refusal, lobby_refusal_text, unwrap
from bot.ui.words.rule_names import lobby_line
from bot.ui.words.table_text import countdown

MOST_INVITED: Final = 10


@dataclass(eq=False)
class LobbyPresses:
    """Answers the presses on a lobby's message that change the seats, and the one that reopens an expired table."""

    verbs = frozenset[Verb]({LobbyVerb.JOIN, LobbyVerb.LEAVE, LobbyVerb.START, LobbyVerb.ARRANGE, LobbyVerb.REOPEN})

    _directory: TableDirectory
    _messages: TableMessages
    _openings: Openings
    _quick_starts: QuickStarts
    _robot_places: RobotPlaces

    def __post_init__(self) -> None:
        self._departures = Departures(self._directory, self._messages)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Change the seats or a setting, start the match, or reopen an expired table."""
        texts, user = texts_of(interaction), interaction.user
        match press.verb:
            case LobbyVerb.REOPEN:
                await self._reopen(interaction, press.table_id)
            case LobbyVerb.START if is_private(interaction.message):
                await self._quick_starts.start_now(interaction, press.table_id)
            case LobbyVerb.START:
                await replace_absent_host(interaction, self._directory, self._messages.members, press.table_id)
                await self._start(interaction, press, texts)
            case LobbyVerb.ARRANGE:
                await replace_absent_host(interaction, self._directory, self._messages.members, press.table_id)
                await self._arrange(interaction, press, texts)
            case LobbyVerb.JOIN if (begun := self._begun(press.table_id)) is not None:
                await self._robot_places.take(interaction, *begun)
            case LobbyVerb.JOIN:
                player = Player(user.display_name, user.id)
                await self._change(interaction, press.table_id, lambda lobby: lobby.join(player))
                self._quick_starts.remember(interaction, press.table_id)
                if (why := why_friendly(self._directory.open_lobby(press.table_id), interaction)) is not None:
                    await follow_up(interaction, why)
            case _ if not await self._change(
                *(interaction, press.table_id, lambda lobby: lobby.leave(user.id)),
                lambda lobby: lobby.is_quick_start or {*lobby.people} != {user.id},
            ):
                await self._departures.leave(interaction, press.table_id)  # the last person there has to confirm

    async def _change(
        self, interaction: discord.Interaction, table_id: int, change: LobbyChange, agreed: Agreed | None = None
    ) -> bool:
        """Change a lobby.

        Returns:
            False if the presser has not `agreed` to its current state; the press is then not answered yet.
        """
        texts = texts_of(interaction)
        board = self._messages.message(find_lobby(self._directory, table_id, texts))
        with board.hold():
            changed = await continue_when_slow(self._directory.lobbies.update(table_id, change, agreed))
            if is_changed(changed):
                return False
            unwrap(changed, texts)
            await board.answer(interaction)
        return True

    async def _arrange(self, interaction: discord.Interaction, press: Press, texts: Texts) -> None:
        """Change a setting on the message, as the host or a moderator has chosen."""
        lobby = find_lobby(self._directory, press.table_id, texts, is_open=True)
        check_may_decide(interaction, lobby)
        change = change_of(ON_BOARD, interaction, press.arg, lobby)
        if change is None:
            await reply_outdated(interaction)
        else:
            await self._change(interaction, lobby.id, change)

    def _begun(self, table_id: int) -> tuple[Table, int] | None:
        """Return the match that has replaced a lobby, with a robot's seat for a latecomer."""
        table = self._directory.table(table_id)
        seat = None if table is None else next(iter(free_robots(table.lobby)), None)
        return None if table is None or seat is None else (table, seat)

    async def _start(self, interaction: discord.Interaction, press: Press, texts: Texts) -> None:
        """Start the match, and show the presser the link to it."""
        lobby = find_lobby(self._directory, press.table_id, texts, seated=interaction.user.id)
        board = self._messages.message(lobby)
        channel, message = interaction.channel, interaction.message
        is_apart = lobby.wants_thread and message is not None and can_open_thread(interaction)
        stays: str | None = None
        with self._quick_starts.beginning(lobby.id), board.hold(inf):
            start = self._directory.start(lobby.id, by=interaction.user.id, fills=press.arg == FILL)
            table = unwrap(await continue_when_slow(start), texts)
            if not is_apart or message is None or not isinstance(channel, discord.TextChannel):
                await board.answer(interaction)
            else:
                table.hold()  # until its players see it
                try:
                    await update_message(interaction, starting_post(table.lobby, texts_for(lobby.locale)))
                    stays = await into_thread(table, board, channel, message.id)
                finally:
                    await table.release()
        if interaction.user.id not in await self._quick_starts.lead(table):
            is_elsewhere = board.place.channel_id != interaction.channel_id
            link = table_link(lobby.id, board.place if is_elsewhere else None, texts)
            await follow_up(interaction, link)
        if stays is not None:
            await follow_up(interaction, stays, is_public=True)

    async def _reopen(self, interaction: discord.Interaction, table_id: int) -> None:
        host = Player(interaction.user.display_name, interaction.user.id)
        place = await self._openings.find_place(interaction)
        reopened = self._directory.rematches.reopen(guild_id_of(interaction), table_id, host, place.channel_id)
        await self._messages.show_new(interaction, unwrap(await continue_when_slow(reopened), texts_of(interaction)))


class RematchPresses:
    """Answers *Rematch* and *Shuffle*, on the result's message and on panels."""

    verbs = frozenset[Verb]({TableVerb.REMATCH, TableVerb.SHUFFLE})

    def __init__(self, directory: TableDirectory, messages: TableMessages) -> None:
        self._directory = directory
        self._messages = messages

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Record that the presser wants a rematch, or open a lobby with the same people in other teams."""
        past = self._directory.lobby(press.table_id)
        channel_id = interaction.channel_id if past is None else past.place.channel_id
        if channel_id is not None:
            check_may_post(interaction, channel_id)
            await check_is_added(interaction, channel_id, self._messages.context.requests)
        if press.verb == TableVerb.SHUFFLE:
            await self._shuffle(interaction, press.table_id)
        else:
            await self._rematch(interaction, press.table_id)

    async def _rematch(self, interaction: discord.Interaction, table_id: int) -> None:
        texts, guild_id, past = texts_of(interaction), guild_id_of(interaction), self._directory.lobby(table_id)
        gone = () if past is None else await self._gone(past)
        rematch = self._directory.rematches.ask(guild_id, table_id, interaction.user.id, gone)
        outcome = await continue_when_slow(rematch)
        if isinstance(outcome, LobbyRefusal):
            raise RefusedError(lobby_refusal_text(outcome, texts))
        if isinstance(outcome, PendingRematch):
            await self._wait(interaction, outcome, texts)
            return
        table = self._directory.table(outcome.id)
        if (former := self._directory.table(table_id)) is not None:
            self._messages.message(former.lobby).request_update()
        if table is not None and table.lobby.seat_of(interaction.user.id) is not None:
            await self._messages.message(table.lobby).write_in_time()
            await show_seat(interaction, table, self._messages.panels, is_below=True)
        elif isinstance(outcome, Lobby):
            players = () if past is None else disambiguate_players(past.players)
            listed = ", ".join(
                display_name(player) for player in players if player is not None and _is_missing(player, outcome)
            )
            note = texts.t("Without {names}: the rematch is open, with a free seat.", names=listed) if listed else None
            await self._messages.show_new(interaction, outcome, note)

    async def _gone(self, past: Lobby) -> Collection[int]:
        """Return which of a match's players have left the server, as far as Discord answers in time."""
        user_ids = [player.user_id for player in past.players if player is not None and player.user_id]
        try:
            return await continue_when_slow(self._messages.members.gone(past.place.guild_id, user_ids))
        except SlowStoreError:  # the next press knows
            return ()

    async def _wait(self, interaction: discord.Interaction, waiting: PendingRematch, texts: Texts) -> None:
        """Show who has pressed: on the result's message, and in words if another message was pressed."""
        table = self._directory.table(waiting.past.id)
        board = None if table is None else self._messages.message(table.lobby)
        if table is not None:
            self._messages.panels.changed(table)  # they ask the other players
        message = interaction.message
        if board is not None and message is not None and message.id == board.place.message_id:
            with board.hold():
                await board.answer(interaction)
            return
        if board is not None:
            board.request_update()
        seats = (waiting.past.seat_of(user_id) for user_id in waiting.awaited)
        players = (disambiguate_players(waiting.past.players)[seat] for seat in seats if seat is not None)
        names = ", ".join(display_name(player) for player in players if player is not None)
        await reply(interaction, texts.t("Noted. Waiting for {names}.", names=names))

    async def _shuffle(self, interaction: discord.Interaction, table_id: int) -> None:
        shuffled = self._directory.rematches.shuffle(guild_id_of(interaction), table_id, interaction.user.id)
        await self._messages.show_new(interaction, unwrap(await continue_when_slow(shuffled), texts_of(interaction)))


@dataclass(eq=False)
class Invitations:
    """Answers *Invite…* and the chosen members. Everybody at the table may invite."""

    verbs = frozenset[Verb]({LobbyVerb.INVITE, LobbyVerb.INVITE_PEOPLE, LobbyVerb.INVITE_ROLE})

    _directory: TableDirectory
    _context: LiveContext
    _servers: ServerStore

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the choice of members, or invite the chosen ones.

        Raises:
            RefusedError: The table is full, or the presser may not write there.
        """  # noqa: DOC501 - `refused` makes one
        texts = texts_of(interaction)
        lobby = find_lobby(self._directory, press.table_id, texts, seated=interaction.user.id)
        if lobby.status is not Status.OPEN:
            await reply_panel(interaction, closed_panel(lobby, texts))
            return
        if lobby.is_full:
            raise lobby_refusal(LobbyCode.TABLE_FULL, texts)
        check_may_post(interaction, lobby.place.channel_id)
        role_id = (await continue_when_slow(self._servers.read(guild_id_of(interaction)))).players_role
        role = None if interaction.guild is None or role_id is None else interaction.guild.get_role(role_id)
        match press.verb:
            case LobbyVerb.INVITE:
                notes = []
            case LobbyVerb.INVITE_PEOPLE:
                notes = await self._invite_people(interaction, lobby, texts)
            case LobbyVerb.INVITE_ROLE if role is not None:
                notes = [await self._invite_role(interaction, lobby, role)]
            case _:
                await reply_outdated(interaction)
                return
        await reply_panel(interaction, invite_panel(lobby, role, notes, texts))

    async def _invite_people(self, interaction: discord.Interaction, lobby: Lobby, texts: Texts) -> list[str]:
        """Mention the chosen members who can come; return what the presser has to know about each."""
        notes: list[str] = []
        wanted: dict[int, discord.Member] = {}
        chosen = chosen_members(interaction)[:MOST_INVITED]
        query = self._directory.bans.find_many(lobby.place.guild_id, [member.id for member in chosen])
        banned = await continue_when_slow(query)
        for member in chosen:
            channel = known_channel(member.guild, lobby.place.channel_id)
            values = {"name": escaped_name(member.display_name)}
            if member.bot:
                notes.append(texts.t("{name} is a bot: the host adds robots in *Settings…*.", **values))
            elif lobby.seat_of(member.id) is not None:
                notes.append(texts.t("{name} is already at this table.", **values))
            elif not (channel is None or channel.permissions_for(member).view_channel):
                values["channel"] = f"<#{lobby.place.channel_id}>"
                notes.append(texts.t("{name} cannot see {channel}, so was not invited.", **values))
            elif member.id in banned:
                notes.append(banned_text(BannedError(member.id, banned[member.id]), interaction.user.id, texts))
            elif member.id in lobby.invited:
                notes.append(texts.t("{name} is already invited.", **values))
            else:
                wanted[member.id] = member
        invited = [wanted[user_id] for user_id in await self._note(lobby, [*wanted], texts)] if wanted else []
        if invited:
            try:
                await self._post(interaction, lobby, invited, Recipients([member.id for member in invited]))
            except BaseException:
                await self._directory.lobbies.update(
                    lobby.id, lambda now: now.uninvite([member.id for member in invited])
                )
                raise
            notes.insert(
                0, texts.t("Invited: {names}", names=", ".join(escaped_name(member.display_name) for member in invited))
            )
        return notes

    async def _note(self, lobby: Lobby, user_ids: Collection[int], texts: Texts) -> list[int]:
        """Save the invited members; return those who were not invited before, not even by a simultaneous press."""
        new: list[int] = []

        def invite(now: Lobby) -> Lobby | LobbyRefusal:
            new.extend(user_id for user_id in user_ids if user_id not in now.invited)
            return now.invite(new)

        unwrap(await continue_when_slow(self._directory.lobbies.update(lobby.id, invite)), texts)
        return new

    async def _invite_role(self, interaction: discord.Interaction, lobby: Lobby, role: discord.Role) -> str:
        texts, guild_id, now = texts_of(interaction), guild_id_of(interaction), self._context.clock.now()
        if not (role.mentionable or interaction.app_permissions.mention_everyone):
            return texts.t(
                "I cannot mention {role}: an admin of the server makes it mentionable, or lets me mention everyone.",
                role=role.mention,
            )
        former: int | None = None

        def noted(settings: ServerSettings) -> ServerSettings:
            nonlocal former
            former = settings.players_mentioned_at
            return settings if settings.has_mentioned_role_lately(now) else replace(settings, players_mentioned_at=now)

        await continue_when_slow(self._servers.change(guild_id, noted))
        if former is not None and now < former + ROLE_PAUSE_MS:
            when = countdown(former + ROLE_PAUSE_MS)
            return texts.t("{role} was called a moment ago; again {when}.", role=role.mention, when=when)
        try:
            await self._post(interaction, lobby, [role], Recipients(role_ids=[role.id]))
        except BaseException:
            await self._servers.change(guild_id, partial(replace, players_mentioned_at=former))
            raise
        return texts.t("Invited: {names}", names=role.mention)

    async def _post(
        self,
        interaction: discord.Interaction,
        lobby: Lobby,
        invited: Sequence[discord.Member | discord.Role],
        recipients: Recipients,
    ) -> None:
        public, place = texts_for(lobby.locale), lobby.place
        line = public.t(
            "{people}: {name} invites you to a table of Kem's. {link}",
            people=" ".join(member.mention for member in invited),
            name=escaped_name(interaction.user.display_name),
            link=link_to(place.guild_id, place.channel_id, place.message_id),
        )
        await defer(interaction)  # the post waits for its turn in the channel
        address, nonce, table = MessageAddress(place.guild_id, place.channel_id), str(interaction.id), lobby.id
        refusal = await post_once(
            self._context, address, line, nonce, public, recipients=recipients, is_urgent=True, table=table
        )
        if refusal is not None:
            raise RefusedError(refusal.words(interaction.guild, texts_of(interaction), place.channel_id))


def _is_missing(player: Player, lobby: Lobby) -> bool:
    """Return whether a person has no seat in a lobby that still has a free one."""
    return bool(player.user_id) and not lobby.is_full and lobby.seat_of(player.user_id or 0) is None


def invite_panel(lobby: Lobby, role: discord.Role | None, notes: Collection[str], texts: Texts) -> c.Layout:
    """Return the menu of members to invite; `notes` are the outcome of the previous choice."""
    t = texts.t
    parts: list[c.Part] = [
        c.text("**" + t("Invite to the table") + "**", "-# " + lobby_line(lobby, texts)),
        c.user_menu(make_id(lobby.id, LobbyVerb.INVITE_PEOPLE), t("Choose members…"), most=MOST_INVITED),
    ]
    if role is not None:
        label = t("Call @{role}", role=role.name)[: c.MAX_LABEL]
        parts.append(c.row(c.button(label, make_id(lobby.id, LobbyVerb.INVITE_ROLE))))
    if notes:
        parts.append(c.text(*notes))
    return c.layout(*parts, colour=c.GREEN)
