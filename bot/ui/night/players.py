"""What a person sees about a night in private, and the presses of players and onlookers."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from io import BytesIO
from operator import attrgetter
from typing import Final

import discord

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.conditions import UNKNOWN, Candidate
from bot.discord.api import components as c
from bot.discord.api.components import confirmation, danger
from bot.discord.api.custom_ids import Press, read_number
from bot.discord.api.interactions import first_chosen_value, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import defer, reply_outdated, reply_panel, reply_with_files
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.text.names import clean
from bot.discord.text.texts import Texts, mark
from bot.game.value import stamp
from bot.nights.changes import NightCode, if_unchanged
from bot.nights.formats import format_of
from bot.nights.night import Night, NightStatus
from bot.nights.people import pairs, sign_up
from bot.nights.people.sign_up import mark_read
from bot.nights.results.history import eliminated_entrants
from bot.nights.results.standings import Standing, standings
from bot.nights.rounds import Entrant, News, Presence
from bot.tables.directory import TableDirectory
from bot.tables.nights.running_night import NightChange
from bot.ui.night import words as w
from bot.ui.night.board import (
    MOST_NAMED,
    live_tables,
    own_line,
    replays_screen,
    standings_screen,
    table_line,
    tables_screen,
)
from bot.ui.night.calendar import calendar_file
from bot.ui.night.messages.posts import CHECK_IN
from bot.ui.night.night_reader import NightReader
from bot.ui.night.sign_up import seeking_line
from bot.ui.night.verbs import HostVerb, PlanVerb, PlayerVerb, button, night_id, read_arg
from bot.ui.words.entry_text import lacked_line
from bot.ui.words.table_text import countdown

MOST_ASKING: Final = 4
_NEWS: Final = {
    News.REFUSED: mark("Your partner request came to nothing: ask somebody else."),
    News.MOVED_UP: mark("**A place is free: you are in!**"),
    News.ALONE: mark("Your partner no longer plays with you: ask somebody else."),
}


def my_panel(
    night: Night,
    user_id: int,
    standings: Sequence[Standing],
    texts: Texts,
    notice: str | None = None,
    *,
    hosts: bool = False,
    plans: bool = False,
    now: int = 0,
) -> c.Layout:
    """Return a person's panel at an instant (milliseconds): their table, their place, their partner.

    Args:
        night: The night.
        user_id: The person.
        standings: The standings.
        texts: The person's texts.
        notice: The outcome of a press.
        hosts: Show the buttons to host the night and to plan another.
        plans: Show the button to plan another.
        now: The instant.
    """
    known = night.entrant_of(user_id)
    own = None if known is None or known.presence is Presence.OUT else known
    declines, joining_obstacle = known is not None and known.declines, sign_up.joining_obstacle(night, user_id, now)
    starts_at = night.plan.starts_at
    when = [w.on_day(starts_at), countdown(starts_at)] if night.status is NightStatus.PLANNED else []
    how = "-# " + w.how_line(night.plan, texts)
    entry = None if own is not None else w.entry_line(night.plan, texts)
    parts: list[c.Part] = [c.text(notice, f"**🌙 {w.title_of(night.plan)}**", *when, how, entry)]
    if night.is_finished:
        sentence = texts.t("🌙 The night is over.")
        if night.status is NightStatus.CANCELLED:
            sentence = "\n".join(filter(None, (texts.t("This night is cancelled."), w.reason_of(night))))
        parts.append(c.text(sentence, None if own is None else own_line(night, own.number, standings, texts)))
    elif own is None:
        sentence = texts.t("You said that you are not coming.") if declines else texts.t("You are not signed up.")
        why_not = None if joining_obstacle is None else texts.t(joining_obstacle)
        if joining_obstacle is None and _is_last(night):
            why_not = texts.t("No further round follows.")
        parts.append(c.text(sentence, why_not, *_to_watch(night, texts)))
    else:
        news = None if own.news not in _NEWS else texts.t(_NEWS[own.news])
        watch = _to_watch(night, texts) if night.table_of(own.number) is None else []
        parts.append(c.text(news, *_state(night, own, texts), own_line(night, own.number, standings, texts), *watch))
        if night.plan.format.has_pairs or (night.chooses_partners and own in night.present):
            parts += _partner(night, own, texts)
    lead = [host_row(night if hosts else None, texts)] if hosts or plans else []
    may_join = joining_obstacle is None and not _is_last(night)
    return c.layout(*parts, *_buttons(night, own, texts, declines=declines, may_join=may_join), *lead, colour=c.PURPLE)


def host_row(night: Night | None, texts: Texts) -> c.Row:
    """Return the button to plan a night and, if a `night` is given, the button to host it."""
    plan = button(texts.t("Plan…"), PlanVerb.PLAN, 0)
    lead = [] if night is None else [button(texts.t("Host…"), HostVerb.HOST, night.id)]
    return c.row(plan, *lead)


def _is_last(night: Night) -> bool:
    """Return whether no further round or table follows."""
    return night.round is not None and format_of(night).is_complete(night)


def _state(night: Night, own: Entrant, texts: Texts) -> list[str]:
    """Return what a person has to know or do now, in a night that is not over."""
    t = texts.t
    if own.presence is Presence.WAITING and night.is_closed:
        return [t("No place came free before the first round: this format lets nobody in after it.")]
    if own.presence is Presence.WAITING and not _is_last(night):
        ahead = [entrant.number for entrant in night.waiting].index(own.number)
        return [t("You are on the waiting list, place {place}.", place=ahead + 1)]
    if own.presence is Presence.ABSENT and not _is_last(night):
        can_come = t("**You are marked absent.** Press *I am here* to play the next round.")
        return [t(NightCode.MISSED_ROUND) if sign_up.has_missed(night, own) else can_come]
    if night.status is NightStatus.PLANNED:
        role = f"<@&{night.plan.entry.role_id}>"
        lacks = t("You no longer have {role}. Your place stays yours; the host sees it.", role=role)
        return [t("✅ You are signed up."), *([lacks] if own.lacks_role else [])]
    table = night.table_of(own.number)
    if table is None:
        if own.number in eliminated_entrants(night):
            return [t("You are out: the tables of the others go on.")]
        if _is_last(night):
            return [t("You have no table any more: the night ends once the others have played.")]
        if own.takes_robot:
            return [t("You have no table right now: a robot plays with you from the next round on.")]
        if night.plan.format.is_open:
            opens_at = format_of(night).opens_at(night)
            when = t("as soon as somebody else is free") if opens_at is None else countdown(opens_at)
            return [t("You are in the queue: the next table opens {when}.", when=when)]
        if night.round is None or own.number not in night.round.byes:
            return [t("You have no table right now: you get a seat in the next round.")]
        if night.plan.format.has_pairs and own.partner is None:
            return [t("No partner is free in this round. Would you rather play with a robot?")]
        return [t("You sit out this round: it goes to those who have sat out least.")]
    mine = table.team_of(own.number) or 0
    mates = [member for member in table.members(mine) if member != own.number]
    others = [w.names_of(night, table.members(team)) for team in range(table.teams) if team != mine]
    place = t("Table {number}", number=table.number)
    link = "" if table.thread_id is None else f" · <#{table.thread_id}>"
    with_whom = t("you and {partner} against {others}", partner=w.names_of(night, mates), others=", ".join(others))
    return [f"**{place}**{link}", with_whom]


def _to_watch(night: Night, texts: Texts) -> list[str]:
    """Return the running tables, each with the link to its thread."""
    running = [table for table in night.latest_tables if table.thread_id is not None and table.result is None]
    playing = running[:MOST_NAMED]
    return [texts.t("👀 To watch:"), *(table_line(night, table) for table in playing)] if playing else []


def _partner(night: Night, own: Entrant, texts: Texts) -> list[c.Part]:
    """Return the partner, or the open requests, and the people to ask."""
    t, parts = texts.t, list[c.Part]()
    if own.partner is None and _is_last(night):
        return parts
    if own.partner is not None:
        parts.append(c.text(t("Your partner: **{name}**", name=w.name_at(night, own.partner))))
        if night.status is NightStatus.PLANNED:
            parts.append(c.row(button(t("Split up"), PlayerVerb.PART, night.id, own.partner)))
        return parts
    for asker in [asker for asker in night.entrants if asker.asks == own.number][:MOST_ASKING]:
        parts += (
            c.text(t("**{name}** asks you to be their partner.", name=w.name_of(night, asker))),
            c.row(
                button(t("Accept"), PlayerVerb.ACCEPT, night.id, asker.number, style=c.SUCCESS),
                button(t("No, thank you"), PlayerVerb.DECLINE, night.id, asker.number),
            ),
        )
    if own.asks is None:
        return [*parts, *_choices(night, own, texts)]
    request = t("**{name}** has your request, and *Partner…* lets them answer.", name=w.name_at(night, own.asks))
    return [*parts, c.text(request), c.row(button(t("Take it back"), PlayerVerb.DECLINE, night.id, own.number))]


def _choices(night: Night, own: Entrant, texts: Texts) -> list[c.Part]:
    t = texts.t
    if not night.plan.format.has_pairs:
        other = next(entrant for entrant in night.present if entrant != own)
        label = t("Play with {name}", name=clean(other.name))
        together = button(label, PlayerVerb.ASK, night.id, other.number)
        return [c.text(t("Two of you: one against the other, each with a robot, or together.")), c.row(together)]
    alone = t("You have no partner yet. At the start, people without one are paired up.")
    if night.status is NightStatus.RUNNING:
        alone = t("You have no partner. Before each round, people without one are paired up.")
    menu = c.user_menu(night_id(PlayerVerb.ASK, night.id), t("Ask somebody to be your partner…"), most=1)
    label = t("I'm no longer looking") if own.seeks_partner else t("I am looking for a partner")
    buttons = [button(label, PlayerVerb.SEEK, night.id, "off" if own.seeks_partner else "on")]
    if night.status is NightStatus.RUNNING and not own.takes_robot and not _is_last(night):
        buttons.append(button(t("🤖 Play with a robot"), PlayerVerb.ROBOT, night.id))
    return [c.text(alone, seeking_line(night, texts)), menu, c.row(*buttons)]


def _buttons(night: Night, own: Entrant | None, texts: Texts, *, declines: bool, may_join: bool) -> list[c.Row]:
    if night.is_finished:
        return []
    t, buttons = texts.t, list[c.Button]()
    if may_join and (own is None or own.presence is Presence.ABSENT):
        label = t("Join") if own is None else t("I am here")
        buttons.append(button(label, PlayerVerb.JOIN, night.id, style=c.SUCCESS))
    is_planned = night.status is NightStatus.PLANNED
    if own is not None or (is_planned and not declines):
        label = t("I am not coming") if is_planned else t("Leave the night")
        buttons.append(button(label, PlayerVerb.LEAVE, night.id))
    if own is not None and night.plan.is_weekly:
        sign, wanted = ("☑", "off") if own.comes_weekly else ("☐", "on")
        buttons.append(button(f"{sign} " + t("Every week"), PlayerVerb.WEEKLY, night.id, wanted))
    if is_planned:
        buttons.append(button("📅 " + t("Calendar"), PlayerVerb.CALENDAR, night.id))
    return [c.row(*buttons)] if buttons else []


def _leave_costs(night: Night, own: Entrant, texts: Texts) -> list[str]:
    """Return the penalty for leaving, for the confirmation; empty if there is none."""
    t, costs = texts.t, list[str]()
    if own.comes_weekly:
        costs.append(t("You are no longer signed up for every week."))
    if own.partner is not None and night.chooses_partners:
        costs.append(t("{name} no longer has a partner.", name=w.name_at(night, own.partner)))
    if night.status is NightStatus.RUNNING:
        if night.table_of(own.number) is not None:
            costs.append(t("Your match goes on: {/leave} in its thread gives your seat away as well."))
        costs.append(t("The next rounds are drawn without you; what you have scored stays."))
    return costs


# ---------------------------------------------------------------------- presses


class PlayerPresses:
    """Answers the presses that are open to everybody, on a night's messages and on people's own panels."""

    verbs = frozenset[Verb](PlayerVerb)

    def __init__(self, nights: NightReader, clock: Clock, directory: TableDirectory) -> None:
        self._nights = nights
        self._clock = clock
        self._directory = directory

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Show what the presser asked for, or change their part in the night and show their panel."""
        wanted, more = read_arg(press.arg) or (0, ())
        night, texts, user_id = await self._nights.find(interaction, wanted), texts_of(interaction), interaction.user.id
        match press.verb, more:
            case PlayerVerb.MINE, _:
                await self.show_mine(interaction, night)
            case PlayerVerb.CALENDAR, _:
                await self._send_calendar(interaction, night)
            case PlayerVerb.STANDINGS, (page, *_):
                await defer(interaction)  # for many people they take a while
                lines = await asyncio.to_thread(standings, night)
                await reply_panel(interaction, standings_screen(night, lines, _page(page), texts))
            case PlayerVerb.TABLES, (page, *_):
                live = live_tables(self._directory, night)
                await reply_panel(interaction, tables_screen(night, live, _page(page), texts))
            case PlayerVerb.REPLAYS, (page, *_):
                await reply_panel(interaction, replays_screen(night, _page(page), texts))
            case PlayerVerb.JOIN, _:
                await self._join(interaction, night)
            case PlayerVerb.READY, (changed,):
                await self._ready(interaction, night, read_number(changed))
            case PlayerVerb.LEAVE, _:
                await self._leave(interaction, night, is_sure=more == (night.status.value,))
            case PlayerVerb.SEEK, (value,):
                await self._change(interaction, night, lambda now: pairs.seek(now, user_id, seeks=value != "off"))
            case PlayerVerb.WEEKLY, (value,):
                await self._change(
                    interaction, night, lambda now: sign_up.comes_weekly(now, user_id, comes=value != "off")
                )
            case PlayerVerb.PART, (number,):
                sentence = texts.t("You have no partner any more.")
                await self._change(interaction, night, lambda now: pairs.part(now, user_id, _entrant(number)), sentence)
            case PlayerVerb.ROBOT, ():
                await self._change(interaction, night, lambda now: pairs.take_robot(now, user_id))
            case PlayerVerb.ASK, _:
                partner = night.entrant_of(read_number(first_chosen_value(interaction)) or 0)
                # A menu that is shown again has the number of its showing in `more`: what was chosen counts first.
                other = partner.number if partner is not None else _entrant(more[0]) if more else -1
                await self._change(interaction, night, lambda now: pairs.ask(now, user_id, other))
            case PlayerVerb.ACCEPT, (number,):
                asking = _entrant(number)
                name = "" if night.entrant(asking) is None else w.name_at(night, asking)
                sentence = texts.t("You and {name} are partners.", name=name)
                await self._change(interaction, night, lambda now: pairs.accept(now, user_id, asking), sentence)
            case PlayerVerb.DECLINE, (number,):
                await self._change(interaction, night, lambda now: pairs.decline(now, user_id, _entrant(number)))
            case _:
                await reply_outdated(interaction)

    async def show_mine(self, interaction: discord.Interaction, night: Night, notice: str | None = None) -> None:
        """Answer with the presser's own panel of a night, which marks their news as read."""
        texts, hosts = texts_of(interaction), await self._nights.hosts(interaction, night)
        plans = hosts or await self._nights.hosts(interaction)
        lines, user_id = standings(night), interaction.user.id
        now = self._clock.now()
        await reply_panel(
            interaction, my_panel(night, user_id, lines, texts, notice, hosts=hosts, plans=plans, now=now)
        )
        own = night.entrant_of(interaction.user.id)
        if own is not None and (own_news := own.news) is not None:
            with suppress(StoreError):
                await self._nights.live.update(night.id, lambda now: mark_read(now, interaction.user.id, own_news))

    async def _join(self, interaction: discord.Interaction, night: Night) -> None:
        join, candidate = await self._nights.joining(night, interaction.user, self._clock.now())
        await self._change(interaction, night, join, candidate=candidate)

    async def _ready(self, interaction: discord.Interaction, night: Night, changed: int | None) -> None:
        """Confirm that the presser comes to the night as planned in the version `changed`."""
        user_id, t = interaction.user.id, texts_of(interaction).t
        own = night.entrant_of(user_id)
        if own is None or own.presence in (Presence.OUT, Presence.ABSENT):
            await self._join(interaction, night)
            return
        await continue_when_slow(self._nights.bans.check(night.guild_id, (user_id,)))
        candidate = (await self._nights.candidates(night, (interaction.user,)))[user_id]
        sentence = t("See you soon!") if night.post(CHECK_IN) is not None else t("You stay signed up.")
        change = partial(sign_up.ready, user_id=user_id, candidate=candidate)
        await self._change(
            interaction, night, if_unchanged(stamp(changed), lambda now: now.changed or 0, change), sentence
        )

    async def _leave(self, interaction: discord.Interaction, night: Night, *, is_sure: bool) -> None:
        texts, user_id, name = texts_of(interaction), interaction.user.id, clean(interaction.user.display_name)
        own, is_planned = night.entrant_of(user_id), night.status is NightStatus.PLANNED
        costs = [] if own is None or own.presence is Presence.OUT else _leave_costs(night, own, texts)
        if costs and not is_sure:
            label = texts.t("I am not coming") if is_planned else texts.t("Leave the night")
            yes = danger(label, night_id(PlayerVerb.LEAVE, night.id, night.status.value))
            no = button(texts.t("Back"), PlayerVerb.MINE, night.id)
            await reply_panel(interaction, confirmation(texts.t("Leave the night?"), costs, yes, no=no))
            return
        sentence = texts.t("You are no longer signed up. *Join* signs you up again.")
        if is_planned:
            sentence = texts.t("Noted: you are not coming. *Join* signs you up after all.")
        change = partial(sign_up.decline, user_id=user_id, name=name)
        await self._change(
            interaction, night, if_unchanged(stamp(night.status), attrgetter("status"), change), sentence
        )

    async def _change(
        self,
        interaction: discord.Interaction,
        night: Night,
        change: NightChange,
        notice: str | None = None,
        candidate: Candidate = UNKNOWN,
    ) -> None:
        """Change a night, and answer with the presser's own panel, which shows the outcome.

        `candidate` is what is known about a presser who signs up.
        """
        changed, texts = await continue_when_slow(self._nights.live.update(night.id, change)), texts_of(interaction)
        if isinstance(changed, NightCode):
            present = self._nights.live.night(night.id) or night
            is_lacking = changed is NightCode.NOT_TAKEN
            notice = lacked_line(present.plan.entry, candidate, texts) if is_lacking else texts.t(changed)
            changed = present
        await self.show_mine(interaction, changed, notice)

    async def _send_calendar(self, interaction: discord.Interaction, night: Night) -> None:
        texts = texts_of(interaction)
        made = calendar_file(night, interaction.application_id, self._clock.now(), texts)
        file = discord.File(BytesIO(made), f"kems-{night.number}.ics")
        line = texts.t("Open this file to put the night into your calendar.")
        await reply_with_files(interaction, line, [file])


def _page(word: str) -> int:
    return read_number(word[:4]) or 0


def _entrant(word: str) -> int:
    """Return the number of an entrant; for anything else a number that nobody has."""
    number = read_number(word)
    return -1 if number is None else number
