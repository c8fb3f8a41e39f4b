"""The panel in which a night is planned or changed: each press changes the draft, Publish makes it a night, once."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from weakref import WeakValueDictionary

import discord

from bot.game.rules.house_rules import RulesError, check_table, for_players
from bot.game.rules.parts import Rules
from bot.ladder.eligibility import Eligibility, eligibility
from bot.nights.night import Night, NightStatus
from bot.nights.plan import Format, NightPlan
from bot.nights.refusals import NightCode, NightRefusal
from bot.records.seasons import SeasonStore
from bot.tables.clock import Clock
from bot.tables.rule_book import RuleBook
from bot.ui.admission.rights import manages_server
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.components import Layout, layout, text
from bot.ui.kit.custom_ids import Press, read_number
from bot.ui.kit.forms import filled
from bot.ui.kit.interactions import field_of, guild_of, is_private, reader, say_outdated, show, shown_ids
from bot.ui.kit.links import link_to
from bot.ui.kit.names import clean, defuse
from bot.ui.kit.palette import GREEN
from bot.ui.kit.permissions import IN_CHANNEL, IN_THREAD, missing, permission_names
from bot.ui.kit.texts import Texts
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.night.calendar.scheduled_event import may_make_events
from bot.ui.night.night_reader import NightReader, may_host
from bot.ui.night.plan.draft import MINUTES, ROUNDS, SIZES, NightDraft
from bot.ui.night.plan.draft_ids import SET, WrittenDraft, read_draft, rules_name
from bot.ui.night.plan.plan_panel import MOST, MOST_TEMPLATES, TITLE, UNTIL, WHEN, PlanField, plan_form, plan_panel
from bot.ui.night.plan.when import read_when
from bot.ui.night.verbs import NightVerb, read_arg
from bot.ui.night.words import MAX_TITLE, night_refusal_text
from bot.ui.words.refusals import RefusedError, not_managing_text

LATEST_MS: Final = 366 * 24 * 3600 * 1000
"""How far ahead a night may be planned."""
_FEWEST: Final = 4
_MOST_LATEST: Final = 500
"""Drafts in memory; those of older panels are read from the panels, as after a restart."""
_NUMBERS: Final = {PlanField.ROUNDS: ROUNDS, PlanField.MINUTES: MINUTES, PlanField.SIZE: SIZES}
_PLAN_FIELDS: Final = {PlanField.ROUNDS: "rounds", PlanField.MINUTES: "round_minutes", PlanField.SIZE: "size"}
_SWITCHES: Final = {
    PlanField.RANKED: "is_ranked",
    PlanField.ROBOTS: "fills_with_robots",
    PlanField.WEEKLY: "is_weekly",
    PlanField.EVENT: "wants_event",
    PlanField.ROLE: "calls_role",
    PlanField.TALK: "wants_talk_thread",
}


class PlanPresses:
    """Answers the presses on a draft's panel, for the person who made it."""

    verbs = frozenset[str]({NightVerb.PLAN_TEXT, NightVerb.PLAN_TYPED, NightVerb.PLAN_SET, NightVerb.PUBLISH})

    def __init__(
        self,
        nights: NightReader,
        book: RuleBook,
        seasons: SeasonStore,
        defaults: ServerDefaults,
        clock: Clock,
    ) -> None:
        self._nights = nights
        self._book = book
        self._seasons = seasons
        self._defaults = defaults
        self._clock = clock
        self._publishing: dict[int, asyncio.Task[Night | NightRefusal]] = {}
        self._latest: dict[int, NightDraft] = {}  # by panel; the oldest first
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press, or the form. Raises StoreError when the night was not saved."""
        read, panel, texts = read_arg(press.arg), interaction.message, reader(interaction)
        written = read_draft(shown_ids(interaction)) if is_private(panel) else None
        if read is None or panel is None or written is None:
            line = texts.t("This draft is gone: open a new one with `/kems-admin night create`.")
            await show(interaction, layout(text(line)))
            return
        async with self._turns.setdefault(panel.id, asyncio.Lock()):  # what is pressed next counts on top
            await self._press(interaction, press.verb, read[1], panel.id, written)

    async def _press(
        self, interaction: discord.Interaction, verb: str, more: Sequence[str], panel_id: int, written: WrittenDraft
    ) -> None:
        texts, guild_id = reader(interaction), guild_of(interaction)
        draft = self._latest.get(panel_id)
        if draft is None:
            draft = NightDraft(guild_id, interaction.user.id, await self.zone(guild_id), written.plan, written.until,
                               written.night_id)  # fmt: skip
            try:
                rules, rule_set = await self._rules(draft, written.rules)
            except RulesError:
                name = defuse(written.rules.removeprefix(SET), MAX_TITLE)
                said = texts.t("The rules “{name}” were deleted: choose others.", name=name)
                await self.show_draft(interaction, draft, said)
                return
            draft = draft.planned(rules=rules, rule_set=rule_set)
        self._check_rights(interaction, draft)
        match verb:
            case NightVerb.PLAN_TEXT:
                await interaction.response.send_modal(plan_form(draft, texts))
            case NightVerb.PLAN_TYPED:
                await self._show_change(interaction, draft, self._typed(interaction, draft))
            case NightVerb.PLAN_SET:
                await self._show_change(interaction, draft, await self._set(interaction, draft, more))
            case _:
                await self._publish(interaction, draft)

    async def zone(self, guild_id: int) -> str:
        """The time zone of a server."""
        return (await or_later(self._seasons.setup(guild_id))).schedule.zone

    async def show_draft(self, interaction: discord.Interaction, draft: NightDraft, notice: str | None = None) -> None:
        """Answer with the panel of a draft, and remember it: the next press may come before the panel is drawn."""
        if interaction.message is not None:
            self._latest.pop(interaction.message.id, None)
            self._latest[interaction.message.id] = draft
            if len(self._latest) > _MOST_LATEST:
                del self._latest[next(iter(self._latest))]
        guild_id, texts = draft.guild_id, reader(interaction)
        sets = await or_later(self._book.sets(guild_id))
        templates = await self._nights.templates(guild_id, MOST_TEMPLATES)
        settings = await self._defaults.of(interaction)
        verdict = await or_later(self._verdict(draft))
        panel = plan_panel(draft, sets, templates, verdict, texts, notice, has_role=settings.players_role is not None)
        await show(interaction, panel)

    async def _rules(self, draft: NightDraft, name: str) -> tuple[Rules, str | None]:
        """The rules that a panel names; a night that is changed keeps its own. Raises RulesError for a deleted set."""
        changed = None if draft.night_id is None else self._nights.live.night(draft.night_id)
        if changed is not None and rules_name(changed.plan) == name:
            return changed.plan.rules, changed.plan.rule_set
        return await or_later(self._book.find(draft.guild_id, name.removeprefix(SET)))

    # ------------------------------------------------------------------ changing a draft

    async def _show_change(
        self, interaction: discord.Interaction, draft: NightDraft, changed: NightDraft | str | None
    ) -> None:
        """Show the draft as it is now, or why it is not changed; None: what was pressed is not offered."""
        if changed is None:
            await say_outdated(interaction)
        elif isinstance(changed, str):
            await self.show_draft(interaction, draft, changed)
        else:
            await self.show_draft(interaction, changed)

    def _typed(self, interaction: discord.Interaction, draft: NightDraft) -> NightDraft | str:
        """The draft with what was typed, or the sentence that says what is wrong with it."""
        texts, typed, now = reader(interaction), filled(interaction), self._clock.now()
        t, title = texts.t, clean(typed.get(TITLE, ""), MAX_TITLE)
        if not title:
            return t("That title is empty: use letters or digits.")
        starts_at = read_when(typed.get(WHEN, ""), draft.zone, now)
        if starts_at is None:
            return _no_time(typed.get(WHEN, ""), texts)
        until: int | None = None
        if typed.get(UNTIL, "").strip():
            until = read_when(typed[UNTIL], draft.zone, min(now, starts_at - _DAY_MS))
            if until is None:
                return _no_time(typed[UNTIL], texts)
            if not typed[UNTIL].strip()[:4].isdigit() and until + _DAY_MS <= starts_at:
                until += (starts_at - until) // _DAY_MS * _DAY_MS  # a time alone is one of the night's day
        most = read_number(typed.get(MOST, "").strip()) if typed.get(MOST, "").strip() else None
        if typed.get(MOST, "").strip() and (most is None or most < _FEWEST):
            return t("At most how many players? Write a number from 4 on, or nothing.")
        return replace(draft.planned(title=title, starts_at=starts_at, most=most), until=until)

    async def _set(
        self, interaction: discord.Interaction, draft: NightDraft, more: Sequence[str]
    ) -> NightDraft | str | None:
        if not more or more[0] not in set(PlanField):
            return None
        field, values = PlanField(more[0]), field_of(interaction, "values")
        value = str(values[0]) if isinstance(values, list) and values else ""
        if field in _SWITCHES:
            return draft.planned(**{_SWITCHES[field]: more[1:] == ("on",)})
        if field in _NUMBERS:
            number = read_number(value)
            return draft.planned(**{_PLAN_FIELDS[field]: number}) if number in _NUMBERS[field] else None
        match field:
            case PlanField.FORMAT:
                return draft.planned(format=Format(value)) if value in set(Format) else None
            case PlanField.CHANNEL:
                channel_id = read_number(value) if draft.night_id is None else None
                return draft if not value else None if channel_id is None else draft.planned(channel_id=channel_id)
            case PlanField.RULES:
                written = value.removeprefix(SET)
                rules, rule_set = await or_later(self._book.find(draft.guild_id, written))
                return draft.planned(rules=rules, rule_set=rule_set)
            case PlanField.TEMPLATE:
                template_id = read_number(value)
                night = None if template_id is None else await self._nights.find(interaction, template_id)
                return None if night is None else draft.like(night.plan, self._clock.now())
        return None

    # ------------------------------------------------------------------ publishing

    async def _publish(self, interaction: discord.Interaction, draft: NightDraft) -> None:
        """Save the night once, however often it is pressed; its message follows by itself."""
        plan, texts = draft.settled, reader(interaction)
        problem = await self._problem(interaction, plan)
        if problem is not None:
            await self.show_draft(interaction, draft, problem)
            return
        locale = self._defaults.language(interaction, await self._defaults.of(interaction))
        # Nothing is awaited from here on until the task is kept: a second press finds it, or the night that it made.
        panel_id = 0 if interaction.message is None else interaction.message.id
        saving = self._publishing.get(panel_id)
        if saving is None or (saving.done() and saving.exception() is not None):
            saving = self._publishing[panel_id] = asyncio.create_task(self._save(draft, plan, locale))
        outcome = await or_later(_result(saving))
        self._publishing.pop(panel_id, None)
        if isinstance(outcome, NightRefusal):
            await self.show_draft(interaction, draft, night_refusal_text(outcome, texts))
            return
        self._latest.pop(panel_id, None)
        await show(interaction, await self._published_panel(interaction, outcome.id))

    async def _save(self, draft: NightDraft, plan: NightPlan, locale: str) -> Night | NightRefusal:
        """An equal night of the same host is this one: the press is delivered twice, or repeated after a restart."""
        live = self._nights.live
        if draft.night_id is not None:
            return await live.update(draft.night_id, lambda night: _replanned(night, plan))
        for night in live.nights_in(draft.guild_id):
            if night.plan == plan and night.host_id == draft.user_id and night.status is NightStatus.PLANNED:
                return night
        return await live.plan(guild_id=draft.guild_id, host_id=draft.user_id, locale=locale, plan=plan)

    async def _published_panel(self, interaction: discord.Interaction, night_id: int) -> Layout:
        texts = reader(interaction)
        t, night = texts.t, await self._nights.find(interaction, night_id)
        where = link_to(night.guild_id, night.plan.channel_id, night.message_id)
        lines = [t("✅ **{title}** is announced: {link}", title=defuse(night.plan.title, MAX_TITLE), link=where)]
        if night.plan.wants_event and not may_make_events(interaction.guild):
            lines.append(
                t("I may not make events on this server: give me *Create Events*, or tell people of this message.")
            )
        lines.append("-# " + t("`/kems-admin night edit`, `cancel` and `host` change, cancel and lead it."))
        return layout(text(*lines), colour=GREEN)

    async def _problem(self, interaction: discord.Interaction, plan: NightPlan) -> str | None:
        """Why a night cannot be published as it is. Raises RulesError for rules that its tables cannot play."""
        texts, now = reader(interaction), self._clock.now()
        t = texts.t
        if plan.starts_at <= now:
            return t("That time is over: choose a later one.")
        if plan.starts_at > now + LATEST_MS:
            return t("That is more than a year ahead: choose an earlier time.")
        if plan.sign_up_until <= now:
            return t("The sign-up would be over already: let it end later.")
        check_table(for_players(plan.rules, plan.size), plan.size)
        settings = await self._defaults.of(interaction)
        if not settings.allows_table_in(plan.channel_id):
            known = " ".join(f"<#{one}>" for one in settings.table_channels)
            return t("No table may be opened there: choose {channels}.", channels=known)
        channel = None if interaction.guild is None else interaction.guild.get_channel(plan.channel_id)
        if not isinstance(channel, discord.TextChannel):
            return t("Choose a text channel: the tables open in threads there.")
        lacks = missing(channel.permissions_for(channel.guild.me), (*IN_CHANNEL, *IN_THREAD))
        if lacks:
            names = ", ".join(permission_names(lacks, texts))
            return t("I lack these permissions in {channel}: {names}.", channel=channel.mention, names=names)
        return None

    async def _verdict(self, draft: NightDraft) -> Eligibility:
        """Whether tables by these rules are ranked now."""
        setup = await self._seasons.setup(draft.guild_id)
        season = await self._seasons.running(draft.guild_id, self._clock.now())
        plan = draft.plan
        return eligibility(None if season is None else setup.gates, plan.rules, size=plan.size, robots=0)

    def _check_rights(self, interaction: discord.Interaction, draft: NightDraft) -> None:
        """Raises RefusedError for somebody who may no longer plan nights, or change this one."""
        night = None if draft.night_id is None else self._nights.live.night(draft.night_id)
        if not (manages_server(interaction) or (night is not None and may_host(interaction, night))):
            raise RefusedError(not_managing_text(reader(interaction)))


_DAY_MS: Final = 24 * 3600 * 1000


def _replanned(night: Night, plan: NightPlan) -> Night | NightRefusal:
    if night.status is not NightStatus.PLANNED:
        return NightRefusal(NightCode.HAS_BEGUN)
    return replace(night, plan=plan)


def _no_time(written: str, texts: Texts) -> str:
    return texts.t(
        "I read no time in “{written}”: write it like `Saturday 21:00`, `21h` or `2026-12-05 21:00`.",
        written=defuse(written, 40),
    )


async def _result(saving: "asyncio.Task[Night | NightRefusal]") -> Night | NightRefusal:
    return await asyncio.shield(saving)
