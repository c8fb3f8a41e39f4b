"""What a host chooses of a night: each setting with its words, its control, and where its value is in the plan.

A setting is declared here. Its value is a field of `bot.nights.plan.NightPlan`; a draft and a night keep it with that.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import ChannelType

from bot.conditions import CONDITIONS, EVERYBODY, EntryRules
from bot.discord.api import components as c
from bot.discord.api.interactions import RefusedError, reader
from bot.discord.interactions.setting import Channels, OneOf, Setting, Tick
from bot.discord.places.permissions import (
    IN_CHANNEL,
    IN_THREAD,
    can_hold_threads,
    check_not_timed_out,
    missing,
    permission_names,
)
from bot.discord.text.names import clean
from bot.discord.text.texts import Texts, mark
from bot.game.rules.presets import PRESETS
from bot.game.rules.rules import Rules
from bot.nights.formats import FORMATS
from bot.nights.night import Night
from bot.nights.plan import Format, NightPlan
from bot.nights.planning.draft import NightDraft
from bot.tables.server_settings import RuleSet, ServerSettings
from bot.ui.night import words as w
from bot.ui.words.entry_text import condition_setting
from bot.ui.words.rule_names import preset_about, preset_name

TEMPLATE: Final = "template"
_SET: Final = "set:"
"""Stands before the name of a rule set of the server, which may be called like a preset."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A draft, and what there is to choose for it: the server's rule `sets`, its former nights as `templates`.

    `has_role`: the server has a role for players. `is_hidden`: the night is told in its channels alone. `read_rules`
    reads a preset's name or the line of a set. `now` in milliseconds. Ranked matches ask for `ranked_entry`.
    `played`, where the entry asks for matches: how many those have played who have played any.
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
        return self.draft.plan


class _Format(OneOf[Planned]):
    def changed(self, state: Planned, value: Format) -> Planned:
        return replace(state, draft=replace(state.draft, plan=state.plan.played_as(value)))


class _Rules(OneOf[Planned]):
    def value(self, state: Planned) -> str:
        plan = state.plan
        return plan.rules.preset if plan.rule_set is None else _SET + plan.rule_set

    def changed(self, state: Planned, value: str) -> Planned:
        """Raises RulesError for a set that cannot be played by any more."""
        kept = _kept(state, value)
        rules = state.read_rules(value if kept is None else kept.line)
        return replace(state, draft=state.draft.planned(rules=rules, rule_set=None if kept is None else kept.name))


class _Home(Channels[Planned]):
    def changed(self, state: Planned, value: int | None) -> Planned:
        """The tables always have a channel: one that is taken out of the menu stays."""
        return state if value is None else super().changed(state, value)


class _Ranked(Tick[Planned]):
    def changed(self, state: Planned, value: bool) -> Planned:
        """A ranked night asks for what ranked matches ask for, unless its host has chosen something else."""
        before, after = (EVERYBODY, state.ranked_entry) if value else (state.ranked_entry, EVERYBODY)
        entry = after if state.plan.entry == before else state.plan.entry
        return replace(state, draft=state.draft.planned(is_ranked=value, entry=entry))


class _Template(OneOf[Planned]):
    def value(self, state: Planned) -> None:
        """The menu shows none as chosen: the plan goes its own way."""

    def changed(self, state: Planned, value: int) -> Planned:
        like = next(night.plan for night in state.templates if night.id == value)
        return replace(state, draft=state.draft.like(like, state.now))


def _kept(state: Planned, value: str) -> RuleSet | None:
    """The server's set that a value of the menu of rules names."""
    return next((one for one in state.sets if _SET + one.name == value), None)


def _rules(state: Planned, texts: Texts) -> Mapping[str, str]:
    """Presets, then the server's sets as far as the menu has room."""
    sets = state.sets[: w.MOST_OFFERED - len(PRESETS)]
    return {
        **{preset: preset_name(preset, texts) for preset in PRESETS},
        **{_SET + one.name: clean(one.name, c.MAX_LABEL) for one in sets},
    }


def _about_rules(state: Planned, value: str, texts: Texts) -> str:
    kept = _kept(state, value)
    return preset_about(value, texts) if kept is None else clean(kept.line, c.MAX_LABEL)


def _rounds(state: Planned, count: int, texts: Texts) -> str:
    if state.plan.format.is_open:
        return texts.t("open for {minutes} min", minutes=count * state.plan.round_minutes)
    return texts.n("{count} round to play", "{count} rounds to play", count)


def _numbers(
    name: str, path: str, title: str, offered: Sequence[int], words: Callable[[Planned, int, Texts], str], **more: Any
) -> OneOf[Planned]:
    def options(state: Planned, texts: Texts) -> Mapping[int, str]:
        return {number: words(state, number, texts) for number in offered}

    return OneOf(name=name, path=path, title=title, options=options, **more)


def also_changed(before: Planned, now: Planned, chosen: Setting[Planned], texts: Texts) -> str | None:
    """What a choice has changed besides, as the controls say it; None where nothing."""
    others = (one for one in SETTINGS if one is not chosen and one.is_offered(now))
    words = [said for one in others if one.value(before) != one.value(now) and (said := _said(one, now, texts))]
    return texts.t("Also changed by that: {choices}.", choices=" · ".join(words)) if words else None


def _said(setting: Setting[Planned], state: Planned, texts: Texts) -> str | None:
    """What is chosen, in words, of a menu or a box."""
    value = setting.value(state)
    if isinstance(setting, OneOf):
        return setting.options(state, texts).get(value)
    return f"{'☑' if value else '☐'} {texts.t(setting.title)}" if isinstance(setting, Tick) else None


def _is_new(state: Planned) -> bool:
    return state.draft.is_new


def _channel(is_offered: Callable[[Planned], bool]) -> Setting[Planned]:
    return _Home(
        name="channel",
        path="draft.plan.channel_id",
        title=mark("Channel"),
        kinds=(ChannelType.text,),
        is_known=lambda _, channel_id: bool(channel_id),
        is_offered=is_offered,
    )


FIRST_PAGE: Final[Sequence[Setting[Planned]]] = (
    _Format(
        name="format",
        path="draft.plan.format",
        title=mark("Format"),
        options=lambda _, texts: {one: texts.t(one.title) for one in FORMATS.values()},
        about_each=lambda _, one, texts: texts.t(one.sentence),
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
    _numbers(
        "minutes",
        "draft.plan.round_minutes",
        mark("Minutes a round"),
        (10, 15, 20, 25, 30, 40, 60),
        lambda _, number, texts: texts.t("{minutes} minutes a round", minutes=number),
    ),
    _channel(lambda state: _is_new(state) and not state.plan.channel_id),
    _Ranked(name="ranked", path="draft.plan.is_ranked", title=mark("Ranked")),
    Tick(name="robots", path="draft.plan.fills_with_robots", title=mark("🤖 Robots in free seats")),
    Tick(name="weekly", path="draft.plan.is_weekly", title=mark("Every week")),
)
SECOND_PAGE: Final[Sequence[Setting[Planned]]] = (
    _numbers(
        "size",
        "draft.plan.size",
        mark("Size of the tables"),
        (4, 6, 8),
        lambda _, number, texts: texts.t("tables of {size} players", size=number),
    ),
    _channel(lambda state: _is_new(state) and bool(state.plan.channel_id)),
    Channels(
        name="announce",
        path="draft.plan.announce_id",
        title=mark("Announce in another channel"),
        kinds=(ChannelType.text, ChannelType.news),
        is_offered=_is_new,
    ),
    *(condition_setting(one, "draft.plan.entry") for one in CONDITIONS),
    _Template(
        name=TEMPLATE,
        title=mark("Like a former night…"),
        options=lambda state, _: {one.id: w.plain_title(one.plan) for one in state.templates[: w.MOST_OFFERED]},
        about_each=lambda state, value, _: next(f"#{one.number}" for one in state.templates if one.id == value),
        is_offered=lambda state: _is_new(state) and bool(state.templates),
    ),
    Tick(
        name="final",
        path="draft.plan.has_final",
        title=mark("Final between the top two"),
        is_offered=lambda state: state.plan.format.may_have_final,
    ),
    Tick(name="event", path="draft.plan.wants_event", title=mark("Discord event"), is_offered=_is_new),
    Tick(
        name="role",
        path="draft.plan.calls_role",
        title=mark("Call the players' role"),
        is_offered=lambda state: state.has_role,
    ),
)
"""What is rarely changed. Both are in the order of the panel."""
SETTINGS: Final = (*FIRST_PAGE, *SECOND_PAGE)


def check_place(
    interaction: discord.Interaction, channel_id: int | None, announced_in: int | None, settings: ServerSettings
) -> discord.TextChannel:
    """The channel, in which tables may stand; the night's message stands in `announced_in`. Raises RefusedError."""
    texts, guild = reader(interaction), interaction.guild
    t = texts.t
    if not settings.allows_table_in(channel_id):
        known = [f"<#{one}>" for one in settings.table_channels if guild is None or guild.get_channel(one) is not None]
        if not known:
            raise RefusedError(t("The channels chosen for tables are gone: {/config} chooses others."))
        raise RefusedError(t("No table may be opened there: choose {channels}.", channels=" ".join(known)))
    check_not_timed_out(guild, texts)
    channel = None if guild is None or channel_id is None else guild.get_channel(channel_id)
    if not can_hold_threads(channel):
        raise RefusedError(t("Choose a text channel: the tables open in threads there."))
    announced = channel.guild.get_channel(announced_in or 0) or channel
    for one, wanted in ((channel, (*IN_CHANNEL, *IN_THREAD)), (announced, IN_CHANNEL)):
        if lacks := missing(one.permissions_for(one.guild.me), wanted):
            names, where = permission_names(lacks, texts), one.mention
            raise RefusedError(t("Missing permissions in {channel}: {names}.", channel=where, names=names))
    return channel
