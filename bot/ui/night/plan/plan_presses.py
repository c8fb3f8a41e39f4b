"""The presses on the panel of a draft: each changes the draft, Publish turns it into a night, once."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import discord

from bot.base.background import Locks
from bot.base.times import DAY_MS, HOUR_MS
from bot.discord.api import components as c
from bot.discord.api.custom_ids import Press, read_number
from bot.discord.api.interactions import RefusedError, guild_id_of, is_private, texts_of
from bot.discord.api.modals import submitted_fields
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import defer, open_modal, reply_outdated, reply_panel
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.interactions.admission.press_notes import record_panel
from bot.discord.interactions.admission.rights import is_public
from bot.discord.interactions.rooms import Rooms
from bot.discord.places.events import may_make_events
from bot.discord.places.permissions import can_hold_threads, check_may_post, is_role_gone
from bot.discord.text.names import clean, escape_markdown
from bot.discord.text.texts import Texts
from bot.ladder.seasons import Eligibility, eligibility
from bot.nights.changes import NightCode
from bot.nights.formats import FORMATS, ROTATION
from bot.nights.night import Night, NightStatus
from bot.nights.plan import Format, NightPlan
from bot.nights.planning.draft import NightDraft, first_plan
from bot.ui.night import words as w
from bot.ui.night.night_reader import NightReader
from bot.ui.night.plan.settings import (
    MAX_WHEN,
    MOST,
    SECOND_PAGE,
    SETTINGS,
    TEMPLATE,
    TITLE,
    UNTIL,
    WHEN,
    PlanState,
    also_changed,
    check_place,
    plan_form,
    plan_panel,
    written,
)
from bot.ui.night.plan.when import NotReadError, read_when
from bot.ui.night.verbs import BACK, PlanVerb, PlayerVerb, button, night_id, read_arg

LATEST_MS: Final = 366 * DAY_MS
"""How far ahead a night may be planned."""
_FEWEST: Final = 4
_NAMED: Final = 10
"""Most names of people listed as losing their place."""
_BEFORE_MS: Final = 18 * HOUR_MS
"""Time before the start from which on the end of the sign-up is looked for, if it is written without a day."""


@dataclass(frozen=True, eq=False)
class PlanPresses:
    """Answers the presses on a draft's panel, for the person who made it."""

    verbs = frozenset[Verb](PlanVerb)

    _rooms: Rooms
    _nights: NightReader
    _saving: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _turns: Locks = field(default_factory=Locks, init=False)

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Open a draft, or change, show or publish the presser's own draft.

        Raises:
            RefusedError: The presser may not plan or host.
        """
        read, texts = read_arg(press.arg), texts_of(interaction)
        draft_id, more = read or (0, ())
        if press.verb == PlanVerb.PLAN:
            await self.show_new(interaction, FORMATS.get("".join(more), ROTATION))
            return
        if press.verb == PlanVerb.EDIT:
            await self.show_night(interaction, await self._nights.hosted(interaction, draft_id))
            return
        record_panel(night_id(PlanVerb.PLAN_MORE, draft_id, BACK))
        async with self._turns.of(draft_id):  # a second press changes what the first has saved
            drafts = self._rooms.store.night_drafts
            draft = await continue_when_slow(drafts.read(guild_id_of(interaction), interaction.user.id))
            if draft is None or draft.id != draft_id or not is_private(interaction.message):
                await reply_panel(interaction, _gone(texts))
                return
            night = None if draft.night_id is None else await self._nights.find(interaction, draft.night_id)
            await self._nights.check_hosts(interaction, night)
            form_values = written(draft)
            if night is not None:
                draft = draft.rebase(night)
            if is_role_gone(interaction.guild, draft.plan.entry.role_id):
                entry = replace(draft.plan.entry, role_id=None)
                gone = texts.t("The role of the entry was deleted: the night asks for no role now.")
                await self._keep(interaction, draft.with_changes(entry=entry), gone)
                return
            try:
                await self._press(interaction, press.verb, more, draft, form_values)
            except RefusedError as refusal:
                await self._show(interaction, await self._state(interaction, draft), str(refusal))

    async def _press(
        self,
        interaction: discord.Interaction,
        verb: str,
        more: Sequence[str],
        draft: NightDraft,
        form_values: Mapping[str, str],
    ) -> None:
        match verb, *more:
            case (PlanVerb.PLAN_TEXT,):
                await open_modal(interaction, plan_form(draft, texts_of(interaction)))
            case (PlanVerb.PLAN_TYPED,):
                await self._keep(interaction, *self._typed(interaction, draft, form_values))
            case PlanVerb.PLAN_MORE, *back:
                await self._show(interaction, await self._state(interaction, draft), is_second=not back)
            case (PlanVerb.PLAN_AGAIN,) if draft.is_new:
                last, *_ = await self._nights.templates(interaction, 1) or (None,)
                now = self._rooms.clock.now()
                await self._keep(interaction, draft if last is None else draft.copy_plan(last.plan, now))
            case PlanVerb.PLAN_SET, name, *argument:
                await self._set(interaction, draft, name, "".join(argument))
            case (PlanVerb.PUBLISH | PlanVerb.SAVE_SERIES,):
                await self._publish(interaction, draft, with_series=verb == PlanVerb.SAVE_SERIES)
            case _:
                await reply_outdated(interaction)

    async def show_new(self, interaction: discord.Interaction, form: Format) -> None:
        """Answer with the panel of a new draft of this format.

        Raises:
            RefusedError: The presser may not plan nights.
        """
        await self._nights.check_hosts(interaction)
        title, zone = texts_of(interaction).t(form.night_title), await self.zone(guild_id_of(interaction))
        channel_id = interaction.channel_id if can_hold_threads(interaction.channel) else None
        plan = first_plan(title, channel_id or 0, zone, self._rooms.clock.now(), form)
        await self._keep(interaction, NightDraft(zone, plan, id=interaction.id))

    async def show_night(self, interaction: discord.Interaction, night: Night) -> None:
        """Answer with the panel that changes a night.

        Raises:
            RefusedError: It has begun.
        """
        if night.status is not NightStatus.PLANNED:
            w.unwrap(NightCode.HAS_BEGUN, texts_of(interaction))
        draft = NightDraft.of(night, await self.zone(night.guild_id))
        await self._keep(interaction, replace(draft, id=interaction.id))

    async def zone(self, guild_id: int) -> str:
        """Return a server's time zone."""
        return (await continue_when_slow(self._rooms.store.seasons.setup(guild_id))).schedule.zone

    async def _keep(
        self,
        interaction: discord.Interaction,
        draft: NightDraft,
        notice: str | None = None,
        *,
        is_second: bool = False,
    ) -> None:
        """Save a draft, then answer with its panel."""
        drafts, now = self._rooms.store.night_drafts, self._rooms.clock.now()
        await continue_when_slow(drafts.save(guild_id_of(interaction), interaction.user.id, draft, now))
        await self._show(interaction, await self._state(interaction, draft), notice, is_second=is_second)

    async def _state(self, interaction: discord.Interaction, draft: NightDraft) -> PlanState:
        settings, plan, played = await self._rooms.defaults.of(interaction), draft.plan, dict[int, int]()
        if plan.entry.matches:  # members who never played are unknown without an intent of Discord's
            played |= await continue_when_slow(self._nights.history.matches_played(guild_id_of(interaction), None))
        return PlanState(
            draft,
            self._rooms.book.read,
            sets=await continue_when_slow(self._rooms.book.sets(guild_id_of(interaction))),
            templates=await self._nights.templates(interaction, w.MOST_OFFERED),
            has_role=settings.players_role is not None,
            is_hidden=plan.channel_id > 0 and not is_public(interaction.guild, plan, settings),
            now=self._rooms.clock.now(),
            ranked_entry=(
                await continue_when_slow(self._rooms.store.seasons.setup(guild_id_of(interaction)))
            ).ranked_rules.entry,
            played=played.values(),
        )

    async def _show(
        self, interaction: discord.Interaction, state: PlanState, notice: str | None = None, *, is_second: bool = False
    ) -> None:
        draft, texts = state.draft, texts_of(interaction)
        verdict = await continue_when_slow(self._verdict(guild_id_of(interaction), draft.plan))
        night = None if draft.night_id is None else self._nights.live.night(draft.night_id)
        beyond = () if night is None else night.overflow(draft.plan.most)
        waits = (
            w.truncated_list([w.name_of(night, entrant) for entrant in beyond], _NAMED, texts)
            if night and beyond
            else None
        )
        panel = plan_panel(state, verdict, texts, notice, without_place=waits, is_second=is_second)
        await reply_panel(interaction, panel)

    # ------------------------------------------------------------------ changing a draft

    def _typed(
        self, interaction: discord.Interaction, draft: NightDraft, form_values: Mapping[str, str]
    ) -> tuple[NightDraft, str | None]:
        """Return the draft with the readable fields of the modal, and a sentence about the others.

        A field that still has its value of `form_values` is no choice: another host may have changed it since.
        """
        texts, typed = texts_of(interaction), submitted_fields(interaction)
        now, problems = self._rooms.clock.now(), list[str]()
        kept = {name: text for name, text in written(draft).items() if typed.get(name, "") == form_values[name]}
        title, when, until, most = ((typed | kept).get(name, "").strip() for name in (TITLE, WHEN, UNTIL, MOST))
        if cleaned := clean(title, w.MAX_TITLE):
            draft = draft.with_changes(title=cleaned)
        else:
            problems.append(texts.t("That title is empty: use letters or digits."))
        try:
            draft = draft.with_changes(starts_at=read_when(when, draft.zone, now))
        except NotReadError as problem:
            problems.append(_not_read(when, problem, texts))
        try:
            alone_after = draft.plan.starts_at - _BEFORE_MS
            draft = replace(draft, until=read_when(until, draft.zone, now, alone_after=alone_after) if until else None)
        except NotReadError as problem:
            problems.append(_not_read(until, problem, texts))
        number = read_number(most)
        if most and (number is None or number < _FEWEST):
            problems.append(texts.t("Maximum number of players? Write 4 or more, or nothing."))
        else:
            draft = draft.with_changes(most=number)
        return draft, "\n".join(problems) or None

    async def _set(self, interaction: discord.Interaction, draft: NightDraft, name: str, argument: str) -> None:
        state = await self._state(interaction, draft)
        setting = next((known for known in SETTINGS if known.name == name and known.is_offered(state)), None)
        if setting is None:
            await reply_outdated(interaction)
            return
        is_second = setting in SECOND_PAGE
        try:
            value = setting.read(interaction, state, argument)
        except RefusedError as refusal:
            await self._show(interaction, state, str(refusal), is_second=is_second)
        else:
            changed = setting.with_value(state, value)
            notice = also_changed(state, changed, setting, texts_of(interaction))
            is_second = is_second and setting.name != TEMPLATE  # which fills the first page
            await self._keep(interaction, changed.draft, notice, is_second=is_second)

    # ------------------------------------------------------------------ publishing

    async def _publish(self, interaction: discord.Interaction, draft: NightDraft, *, with_series: bool) -> None:
        """Save the night once, however often it is pressed, and say whether its message is posted."""
        texts = texts_of(interaction)
        await self._check(interaction, draft.final_plan(with_series=with_series))
        settings = await self._rooms.defaults.of(interaction)
        locale = self._rooms.defaults.language(settings, interaction.guild, interaction.locale)
        saving = self._save(draft, guild_id_of(interaction), interaction.user.id, locale, with_series=with_series)
        saved = w.unwrap(await continue_when_slow(saving), texts)
        if draft.night_id is None:
            await self._sign_up(interaction, saved)
        await defer(interaction)  # Discord may let its message wait
        is_announced = await self._nights.messages.is_announced(saved)
        saved = self._nights.live.night(saved.id) or saved
        plan, title, count = saved.plan, w.title_of(saved.plan), len(saved.signed_up)
        if not is_announced:
            why = self._nights.messages.warning(saved, texts)
            why = why or texts.t("⚠️ Discord does not take it yet: it comes by itself.")
            sentence = texts.t("The night “{title}” is saved, but its message does not show it.", title=title)
            edit = button(texts.t("Edit…"), PlanVerb.EDIT, saved.id)
            await reply_panel(interaction, c.layout(c.text(sentence, why), c.row(edit), colour=c.GREY))
            return
        where, more = c.link_to(saved.guild_id, plan.post_channel, saved.message_id), list[c.Part]()
        if draft.night_id is None:
            lines = [texts.t("✅ The night “{title}” is announced: {link}", title=title, link=where)]
            if saved.is_in(interaction.user.id):
                lines.append(texts.t("You are signed up, too."))
                more.append(c.row(button(texts.t("I am not coming"), PlayerVerb.LEAVE, saved.id)))
        elif not count:
            lines = [texts.t("✅ The night “{title}” is changed: {link}", title=title, link=where)]
        else:
            lines = [texts.n(
                "✅ The night “{title}” is changed, and {count} person who signed up gets a message: {link}",
                "✅ The night “{title}” is changed, and the {count} people who signed up get a message: {link}",
                count, title=title, link=where,
            )]  # fmt: skip
        is_listed = plan.wants_event and is_public(interaction.guild, plan, settings)
        if is_listed and not may_make_events(interaction.guild):
            lines.append(texts.t(
                "I may not make events on this server: give me *Create Events*, or tell people of this message."
            ))  # fmt: skip
        lines.append("-# " + texts.t("What comes next: the button *Host…* of {/night}"))
        await reply_panel(interaction, c.layout(c.text(*lines), *more, colour=c.GREEN))

    async def _sign_up(self, interaction: discord.Interaction, night: Night) -> None:
        """Sign the host up for their new night, unless they are not admitted, are banned or have answered."""
        user = interaction.user
        if night.host_id != user.id or night.entrant_of(user.id) is not None:
            return
        if not await continue_when_slow(self._nights.bans.find_many(night.guild_id, (user.id,))):
            join, _ = await self._nights.joining(night, user, self._rooms.clock.now())
            await continue_when_slow(self._nights.live.update(night.id, join))

    async def _save(
        self, draft: NightDraft, guild_id: int, host_id: int, locale: str, *, with_series: bool
    ) -> Night | NightCode:
        """Save the draft as a night. An equal night is the same: pressed twice, after a restart, or by two hosts."""
        live = self._nights.live
        if draft.night_id is not None:
            return await live.update(
                draft.night_id, lambda now: now.replan(draft.rebase(now).final_plan(with_series=with_series))
            )
        plan = draft.final_plan(with_series=with_series)
        async with self._saving:
            for night in live.nights_in(guild_id):
                if night.plan == plan and night.status is NightStatus.PLANNED:
                    return night
            return await live.plan(guild_id=guild_id, host_id=host_id, locale=locale, plan=plan)

    async def _check(self, interaction: discord.Interaction, plan: NightPlan) -> None:
        """Check that a plan can be published.

        Raises:
            RefusedError: It cannot.
        """
        texts, now = texts_of(interaction), self._rooms.clock.now()
        t = texts.t
        if plan.starts_at <= now:
            raise RefusedError(t("That time has passed: choose a later one."))
        if plan.starts_at > now + LATEST_MS:
            raise RefusedError(t("That is more than a year away: choose an earlier time."))
        if plan.sign_up_until <= now:
            raise RefusedError(t("The sign-up would already be over: let it end later."))
        check_place(interaction, plan.channel_id, plan.post_channel, await self._rooms.defaults.of(interaction))
        check_may_post(interaction, plan.channel_id, plan.post_channel)

    async def _verdict(self, guild_id: int, plan: NightPlan) -> Eligibility:
        setup = await self._rooms.store.seasons.setup(guild_id)
        season = await self._rooms.store.seasons.running(guild_id, self._rooms.clock.now())
        return eligibility(None if season is None else setup.ranked_rules, plan.rules, size=plan.size, robots=0)


def _gone(texts: Texts) -> c.Layout:
    return c.layout(c.text(texts.t("This draft is gone: open a new one with {/night}.")))


def _not_read(written: str, problem: NotReadError, texts: Texts) -> str:
    line, words = escape_markdown(written, MAX_WHEN), escape_markdown(problem.words, MAX_WHEN)
    if not words:
        return texts.t("I find no hour in “{written}”: write one, as in `Saturday 21:00` or `9 pm`.", written=line)
    return texts.t(
        "I do not understand “{words}” in “{written}”: write it like `Saturday 21:00`, `21h` or `2026-12-05 21:00`.",
        words=words, written=line,
    )  # fmt: skip
