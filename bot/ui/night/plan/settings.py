"""The settings of a night: each with its words, control and field; their panel and modal.

Declare a new setting here. Its value is a field of `bot.nights.plan.NightPlan`, which drafts and nights save.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

import discord
from discord import ChannelType

from bot.conditions import CONDITIONS, EVERYBODY, EntryRules
from bot.discord.api import components as c
from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.api.modals import Modal
from bot.discord.interactions.setting import ChannelSetting, Checkbox, ChoiceSetting, Setting, controls
from bot.discord.places.permissions import (
    IN_CHANNEL,
    IN_THREAD,
    can_hold_threads,
    check_not_timed_out,
    missing_permissions,
    permission_names,
)
from bot.discord.places.server_defaults import check_allows_table
from bot.discord.text.names import clean
from bot.discord.text.texts import Texts, mark
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import Rules
from bot.ladder.seasons import Eligibility
from bot.nights.formats import FORMATS
from bot.nights.night import Night
from bot.nights.plan import Format, NightPlan
from bot.nights.planning.draft import NightDraft
from bot.tables.servers.settings import RuleSet, ServerSettings
from bot.ui.night import words as w
from bot.ui.night.verbs import BACK, PlanVerb, button, night_id
from bot.ui.words.entry_text import condition_setting
from bot.ui.words.rule_names import preset_about, preset_name
from bot.ui.words.table_text import countdown

MAX_WHEN: Final = 40
TITLE: Final = "title"  # the fields of the form
WHEN: Final = "when"
UNTIL: Final = "until"
MOST: Final = "most"
TEMPLATE: Final = "template"
_SET: Final = "set:"
"""The prefix of a rule set of the server, which may have the name of a preset."""


@dataclass(frozen=True, slots=True)
class PlanState:
    """A draft, and the choices for it.

    - `read_rules`: reads a preset's name or the line of a set.
    - `sets`: the server's rule sets; `templates` are its former nights.
    - `has_role`: the server has a role for players.
    - `is_hidden`: the night is announced only in its channels.
    - `now`: an instant in milliseconds.
    - `ranked_entry`: the requirements of ranked matches.
    - `played`: how many matches each of the server's players has played, if the entry requires matches.
    """

    draft: NightDraft
    read_rules: Callable[[str], Rules]
    sets: Sequence[RuleSet] = ()
    templates: Sequence[Night] = ()
    has_role: bool = False
    is_hidden: bool = False
    now: int = 0
    ranked_entry: EntryRules = EVERYBODY
    played: Collection[int] = ()

    @property
    def plan(self) -> NightPlan:
        """The plan of the draft."""
        return self.draft.plan


class _Format(ChoiceSetting[PlanState]):
    def with_value(self, state: PlanState, value: Format) -> PlanState:
        return replace(state, draft=replace(state.draft, plan=state.plan.with_format(value)))


class _Rules(ChoiceSetting[PlanState]):
    def value(self, state: PlanState) -> str:
        plan = state.plan
        return plan.rules.preset if plan.rule_set is None else _SET + plan.rule_set

    def with_value(self, state: PlanState, value: str) -> PlanState:
        """Choose rules.

        Raises:
            RulesError: The set cannot be played any more.
        """
        kept = _kept(state, value)
        rules = state.read_rules(value if kept is None else kept.line)
        return replace(state, draft=state.draft.with_changes(rules=rules, rule_set=None if kept is None else kept.name))


class _Home(ChannelSetting[PlanState]):
    def with_value(self, state: PlanState, value: int | None) -> PlanState:
        """Choose the tables' channel. There always is one: one that is removed in the menu stays."""
        return state if value is None else super().with_value(state, value)


class _Ranked(Checkbox[PlanState]):
    def with_value(self, state: PlanState, value: bool) -> PlanState:
        """Choose ranked or not; a ranked night has the requirements of ranked matches unless the host sets others."""
        before, after = (EVERYBODY, state.ranked_entry) if value else (state.ranked_entry, EVERYBODY)
        entry = after if state.plan.entry == before else state.plan.entry
        return replace(state, draft=state.draft.with_changes(is_ranked=value, entry=entry))


class _Template(ChoiceSetting[PlanState]):
    def value(self, state: PlanState) -> None:
        """Return None: the menu shows no template as chosen, for the plan changes independently."""

    def with_value(self, state: PlanState, value: int) -> PlanState:
        like = next(night.plan for night in state.templates if night.id == value)
        return replace(state, draft=state.draft.copy_plan(like, state.now))


def _kept(state: PlanState, value: str) -> RuleSet | None:
    """Return the server's set that a value of the menu of rules names."""
    return next((rule_set for rule_set in state.sets if _SET + rule_set.name == value), None)


def _rules(state: PlanState, texts: Texts) -> Mapping[str, str]:
    """Return the presets, then the server's sets as far as the menu has room."""
    sets = state.sets[: w.MOST_OFFERED - len(PRESETS)]
    return {
        **{preset: preset_name(preset, texts) for preset in PRESETS},
        **{_SET + rule_set.name: clean(rule_set.name, c.MAX_LABEL) for rule_set in sets},
    }


def _about_rules(state: PlanState, value: str, texts: Texts) -> str:
    kept = _kept(state, value)
    return preset_about(value, texts) if kept is None else clean(kept.line, c.MAX_LABEL)


def _rounds(state: PlanState, count: int, texts: Texts) -> str:
    if state.plan.format.is_open:
        return texts.t("open for {minutes} min", minutes=count * state.plan.round_minutes)
    return texts.n("{count} round to play", "{count} rounds to play", count)


def _numbers(
    name: str, path: str, title: str, offered: Sequence[int], words: Callable[[PlanState, int, Texts], str], **more: Any
) -> ChoiceSetting[PlanState]:
    def options(state: PlanState, texts: Texts) -> Mapping[int, str]:
        return {number: words(state, number, texts) for number in offered}

    return ChoiceSetting(name=name, path=path, title=title, options=options, **more)


def also_changed(before: PlanState, now: PlanState, chosen: Setting[PlanState], texts: Texts) -> str | None:
    """Return what else a choice has changed, in the words of the controls; None if nothing."""
    others = (other for other in SETTINGS if other is not chosen and other.is_offered(now))
    words = [
        phrase for other in others if other.value(before) != other.value(now) and (phrase := _said(other, now, texts))
    ]
    return texts.t("Also changed by that: {choices}.", choices=" · ".join(words)) if words else None


def _said(setting: Setting[PlanState], state: PlanState, texts: Texts) -> str | None:
    """Return the chosen value of a menu or a box in words."""
    value = setting.value(state)
    if isinstance(setting, ChoiceSetting):
        return setting.options(state, texts).get(value)
    return f"{'☑' if value else '☐'} {texts.t(setting.title)}" if isinstance(setting, Checkbox) else None


def _is_new(state: PlanState) -> bool:
    return state.draft.is_new


def _channel(is_offered: Callable[[PlanState], bool]) -> Setting[PlanState]:
    return _Home(
        name="channel",
        path="draft.plan.channel_id",
        title=mark("Channel"),
        kinds=(ChannelType.text,),
        is_known=lambda _, channel_id: bool(channel_id),
        is_offered=is_offered,
    )


FIRST_PAGE: Final[Sequence[Setting[PlanState]]] = (
    _Format(
        name="format",
        path="draft.plan.format",
        title=mark("Format"),
        options=lambda _, texts: {form: texts.t(form.title) for form in FORMATS.values()},
        about_each=lambda _, form, texts: texts.t(form.sentence),
    ),
    _Rules(name="rules", title=mark("Rules"), options=_rules, about_each=_about_rules),
    _numbers(
        "rounds",
        "draft.plan.rounds",
        mark("Rounds"),
        range(1, 9),
        _rounds,
        is_offered=lambda state: state.plan.format.has_set_rounds or state.plan.format.is_open,
    ),
    _channel(lambda state: _is_new(state) and not state.plan.channel_id),
    _Ranked(name="ranked", path="draft.plan.is_ranked", title=mark("Ranked")),
    Checkbox(name="robots", path="draft.plan.fills_with_robots", title=mark("🤖 Robots in free seats")),
    Checkbox(name="weekly", path="draft.plan.is_weekly", title=mark("Every week")),
)
SECOND_PAGE: Final[Sequence[Setting[PlanState]]] = (
    _numbers(
        "minutes",
        "draft.plan.round_minutes",
        mark("Minutes a round"),
        (10, 15, 20, 25, 30, 40, 60),
        lambda _, number, texts: texts.t("{minutes} minutes a round", minutes=number),
    ),
    _numbers(
        "size",
        "draft.plan.size",
        mark("Size of the tables"),
        (4, 6, 8),
        lambda _, number, texts: texts.t("tables of {size} players", size=number),
    ),
    _channel(lambda state: _is_new(state) and bool(state.plan.channel_id)),
    ChannelSetting(
        name="announce",
        path="draft.plan.announce_id",
        title=mark("Announce in another channel"),
        kinds=(ChannelType.text, ChannelType.news),
        is_offered=_is_new,
    ),
    *(condition_setting(condition, "draft.plan.entry") for condition in CONDITIONS),
    _Template(
        name=TEMPLATE,
        title=mark("Like a former night…"),
        options=lambda state, _: {
            template.id: w.plain_title(template.plan) for template in state.templates[: w.MOST_OFFERED]
        },
        about_each=lambda state, value, _: next(
            f"#{template.number}" for template in state.templates if template.id == value
        ),
        is_offered=lambda state: _is_new(state) and bool(state.templates),
    ),
    Checkbox(
        name="final",
        path="draft.plan.has_final",
        title=mark("Final between the top two"),
        is_offered=lambda state: state.plan.format.may_have_final,
    ),
    Checkbox(name="event", path="draft.plan.wants_event", title=mark("Discord event"), is_offered=_is_new),
    Checkbox(
        name="role",
        path="draft.plan.calls_role",
        title=mark("Call the players' role"),
        is_offered=lambda state: state.has_role,
    ),
)
"""The settings that are rarely changed. Both pages have the order of the panel."""
SETTINGS: Final = (*FIRST_PAGE, *SECOND_PAGE)


def check_place(
    interaction: discord.Interaction, channel_id: int | None, post_channel: int | None, settings: ServerSettings
) -> discord.TextChannel:
    """Return the channel for a night's tables if the bot may use it and `post_channel`, the channel of its message.

    Raises:
        RefusedError: One of them cannot be used; the sentence says why.
    """
    texts, guild = texts_of(interaction), interaction.guild
    t = texts.t
    check_allows_table(interaction, settings, mark("No table may be opened there: choose {channels}."), channel_id)
    check_not_timed_out(guild, texts)
    channel = None if guild is None or channel_id is None else guild.get_channel(channel_id)
    if not can_hold_threads(channel):
        raise RefusedError(t("Choose a text channel: the tables open in threads there."))
    announced = channel.guild.get_channel(post_channel or 0) or channel
    for text_channel, wanted in ((channel, (*IN_CHANNEL, *IN_THREAD)), (announced, IN_CHANNEL)):
        if lacks := missing_permissions(text_channel.permissions_for(text_channel.guild.me), wanted):
            names, where = permission_names(lacks, texts), text_channel.mention
            raise RefusedError(t("Missing permissions in {channel}: {names}.", channel=where, names=names))
    return channel


def setting_id(draft: NightDraft, name: str, *arguments: str) -> str:
    """Return the custom id of a setting of a draft."""
    return night_id(PlanVerb.PLAN_SET, draft.id, name, *arguments)


def plan_panel(
    state: PlanState,
    verdict: Eligibility,
    texts: Texts,
    notice: str | None = None,
    *,
    without_place: str | None = None,
    is_second: bool = False,
) -> c.Layout:
    """Return the panel of a draft.

    Args:
        state: The draft and its choices.
        verdict: Whether its tables are ranked by these rules.
        texts: The host's texts.
        notice: Why the last press changed nothing.
        without_place: The names of people who would go to the waiting list.
        is_second: Show the second page, with what is rarely changed.
    """
    t, draft, plan = texts.t, state.draft, state.draft.full_plan
    heading = t("A new game night") if draft.is_new else t("Change the night")
    parts: list[c.Part] = [
        c.text(
            notice,
            f"**🌙 {heading}**",
            f"### {w.title_of(plan)}",
            w.on_day(plan.starts_at) + (f" · <#{plan.channel_id}>" if plan.channel_id else ""),
            f"{countdown(plan.starts_at)} · {w.sign_up_words(plan, texts)}",
            f"-# {w.how_line(plan, texts)}",
            w.length_line(plan, draft.people, texts),
            w.rests_line(plan, draft.people, texts),
            None if without_place is None else t("⚠︎ Too few places: {names} would wait.", names=without_place),
            f"-# {w.night_rules_line(plan, texts, verdict)}",
            w.entry_line(plan, texts),
            _met_line(state, texts) if plan.entry.matches else None,
            _audience_line(state, texts),
        ),
    ]
    if not is_second:
        first = [button(t("✏️ Title and time…"), PlanVerb.PLAN_TEXT, draft.id, style=c.PRIMARY)]
        if draft.is_new and state.templates:
            first.append(button(t("↻ Like last time"), PlanVerb.PLAN_AGAIN, draft.id))
        parts.append(c.row(*first))
    page = SECOND_PAGE if is_second else FIRST_PAGE
    parts += controls(page, state, partial(setting_id, draft), texts, in_row=2)
    turn = button(t("More…"), PlanVerb.PLAN_MORE, draft.id)
    if is_second:
        turn = button(t("Back"), PlanVerb.PLAN_MORE, draft.id, BACK)
    publish = night_id(PlanVerb.PUBLISH, draft.id)
    if draft.moves_series:
        parts.append(
            c.text("-# " + t("*This date* leaves the following weeks as they are; *The whole series* moves them."))
        )
        series = c.button(t("The whole series"), night_id(PlanVerb.SAVE_SERIES, draft.id), style=c.SUCCESS)
        parts.append(c.row(c.button(t("This date"), publish, style=c.SUCCESS), series, turn))
    else:
        parts.append(c.row(c.button(t("Publish") if draft.is_new else t("Save"), publish, style=c.SUCCESS), turn))
    return c.layout(*parts, colour=c.GREEN)


def _met_line(state: PlanState, texts: Texts) -> str:
    """Return how many players of the server have played as many matches as the entry requires."""
    required, people = state.plan.entry.matches, len(state.played)
    if count := sum(matches >= required for matches in state.played):
        return "-# " + texts.n(
            "{count} of the {people} people who have played here meets this condition.",
            "{count} of the {people} people who have played here meet this condition.",
            count,
            people=people,
        )
    if people > 1:
        return texts.t("⚠︎ 0 of the {people} people who have played here meet this condition.", people=people)
    return texts.t("⚠︎ Nobody here meets this condition.")


def _audience_line(state: PlanState, texts: Texts) -> str | None:
    """Return who is notified of the night besides those who see its channel."""
    if state.is_hidden:
        return w.hidden_line(texts)
    if state.draft.is_new and state.plan.wants_event:
        return "-# " + texts.t("Discord shows the event, with its title, time and channel, to the whole server.")
    return None


def written(draft: NightDraft) -> dict[str, str]:
    """Return the values that the modal shows, by field."""
    plan, until = draft.plan, "" if draft.until is None else _typed(draft.until, draft.zone)
    most = "" if plan.most is None else str(plan.most)
    return {TITLE: plan.title, WHEN: _typed(plan.starts_at, draft.zone), UNTIL: until, MOST: most}


def plan_form(draft: NightDraft, texts: Texts) -> Modal:
    """Return the modal for the title, the times and the number of players."""
    t, form, now = texts.t, Modal(texts.t("Game night"), night_id(PlanVerb.PLAN_TYPED, draft.id)), written(draft)
    form.add_text_input(t("Title"), name=TITLE, written=now[TITLE], most=w.MAX_TITLE)
    hint = t("Time zone: {zone}", zone=draft.zone)
    example = t("Saturday 21:00")
    form.add_text_input(t("Day and time"), name=WHEN, written=now[WHEN], example=example, hint=hint, most=MAX_WHEN)
    hint = t("Empty: people may come late where the format lets them")
    form.add_text_input(t("Sign-up until"), name=UNTIL, written=now[UNTIL], hint=hint, most=MAX_WHEN, is_required=False)
    hint = t("Above that: waiting list. Empty: no limit")
    return form.add_text_input(
        t("Maximum number of players"), name=MOST, written=now[MOST], hint=hint, most=3, is_required=False
    )


def _typed(at: int, zone: str) -> str:
    """Return an instant as `read_when` reads it, in digits for every language."""
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")
