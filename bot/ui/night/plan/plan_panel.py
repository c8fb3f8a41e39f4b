"""The one private panel in which a host plans a night, and the form for what is typed."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from discord import ChannelType

from bot.ladder.eligibility import Eligibility
from bot.nights.night import Night
from bot.nights.plan import Format
from bot.tables.rule_book import RuleSet
from bot.ui.kit import components as c
from bot.ui.kit.forms import Form
from bot.ui.kit.names import clean
from bot.ui.kit.palette import GREEN
from bot.ui.kit.texts import Texts
from bot.ui.night.plan.draft import MINUTES, ROUNDS, SIZES, NightDraft
from bot.ui.night.plan.draft_ids import RULES, SET, numbers_id, rules_id, title_id
from bot.ui.night.verbs import NightVerb, night_id
from bot.ui.night.words import (
    FORMAT_ABOUT,
    FORMAT_NAMES,
    MAX_TITLE,
    how_line,
    night_rules_line,
    on_day,
    sign_up_words,
    title_of,
)
from bot.ui.rules.rule_choices import preset_options
from bot.ui.words.table_text import countdown

MOST_TEMPLATES: Final = 25  # Discord's limits for a menu
MOST_RULES: Final = 25
MAX_WHEN: Final = 40


class PlanField(StrEnum):
    """What there is to choose, after the number of the night in a custom id."""

    FORMAT = "format"
    RULES = RULES
    ROUNDS = "rounds"
    MINUTES = "minutes"
    SIZE = "size"
    CHANNEL = "channel"
    TEMPLATE = "template"
    # Buttons, which say what the next press sets
    RANKED = "ranked"
    ROBOTS = "robots"
    WEEKLY = "weekly"
    EVENT = "event"
    ROLE = "role"
    TALK = "talk"


TITLE: Final = "title"  # the fields of the form
WHEN: Final = "when"
UNTIL: Final = "until"
MOST: Final = "most"


def plan_panel(
    draft: NightDraft,
    sets: Sequence[RuleSet],
    templates: Sequence[Night],
    verdict: Eligibility,
    texts: Texts,
    notice: str | None = None,
    *,
    has_role: bool = False,
) -> c.Layout:
    """`sets` are the server's rule sets, `templates` its former nights, `has_role`: it has a role for players.

    `verdict`: whether its tables are ranked by these rules. `notice` says why the press before changed nothing.
    """
    t, plan = texts.t, draft.settled
    title = t("A new game night") if draft.night_id is None else t("Change the night")
    parts: list[c.Part] = [
        c.text(
            notice,
            f"**🌙 {title}**",
            f"### {title_of(plan)}",
            on_day(plan.starts_at),
            f"{countdown(plan.starts_at)} · {sign_up_words(plan, texts)}",
            f"-# {how_line(plan, texts)}",
            f"-# {night_rules_line(plan, texts, verdict)}",
        ),
        c.row(c.button(t("✏️ Title and time…"), numbers_id(draft), style=c.PRIMARY)),
        _menu(draft, PlanField.FORMAT, t("Format"), _formats(plan.format, texts)),
        c.menu(rules_id(draft), t("Rules"), rule_options(draft, sets, texts)),
    ]
    if plan.format is not Format.KNOCKOUT and plan.format is not Format.ROUND_ROBIN:
        parts.append(_menu(draft, PlanField.ROUNDS, t("Rounds"), _rounds(draft, texts)))
    parts += (
        _menu(draft, PlanField.MINUTES, t("Minutes a round"), _minutes(draft, texts)),
        _menu(draft, PlanField.SIZE, t("Size of the tables"), _sizes(draft, texts)),
    )
    if draft.night_id is None:
        chosen = [plan.channel_id] if plan.channel_id else []
        kinds = [ChannelType.text.value]
        parts.append(c.channel_menu(_id(draft, PlanField.CHANNEL), t("Channel"), kinds, most=1, chosen=chosen))
    if templates and draft.night_id is None:
        parts.append(_menu(draft, PlanField.TEMPLATE, t("Like a former night…"), _templates(templates)))
    parts += c.rows(_switches(draft, texts, has_role=has_role), 2)
    label = t("Publish") if draft.night_id is None else t("Save")
    parts.append(c.row(c.button(label, title_id(draft), style=c.SUCCESS)))
    return c.layout(*parts, colour=GREEN)


def plan_form(draft: NightDraft, texts: Texts) -> Form:
    """Title, beginning and end of the sign-up, as typed text."""
    t, plan = texts.t, draft.plan
    form = Form(t("Game night"), night_id(NightVerb.PLAN_TYPED, draft.night_id or 0))
    form.ask(t("Title"), name=TITLE, written=plan.title, most=MAX_TITLE)
    hint = t("Time zone: {zone}", zone=draft.zone)
    example = t("Saturday 21:00")
    form.ask(t("When it begins"), name=WHEN, written=_typed(plan.starts_at, draft.zone), example=example, hint=hint,
             most=MAX_WHEN)  # fmt: skip
    until = "" if draft.until is None else _typed(draft.until, draft.zone)
    hint = t("Empty: people may come late where the format lets them")
    form.ask(t("Sign-up until"), name=UNTIL, written=until, hint=hint, most=MAX_WHEN, is_required=False)
    hint = t("More of them wait. Empty: no limit")
    most = "" if plan.most is None else str(plan.most)
    return form.ask(t("How many players at most"), name=MOST, written=most, hint=hint, most=3, is_required=False)


def rule_options(draft: NightDraft, sets: Sequence[RuleSet], texts: Texts) -> list[c.Option]:
    """Presets, then the server's sets as far as the menu has room."""
    plan = draft.plan
    options = preset_options(() if plan.rule_set else (plan.rules.preset,), texts)
    for kept in sets[: MOST_RULES - len(options)]:
        about = clean(kept.line, c.MAX_LABEL)
        options.append(
            c.option(clean(kept.name, c.MAX_LABEL), SET + kept.name, description=about,
                     is_default=kept.name == plan.rule_set)
        )  # fmt: skip
    return options


def _id(draft: NightDraft, field: PlanField, *value: object) -> str:
    return night_id(NightVerb.PLAN_SET, draft.night_id or 0, field, *value)


def _menu(draft: NightDraft, field: PlanField, placeholder: str, options: list[c.Option]) -> c.Row:
    return c.menu(_id(draft, field), placeholder, options)


def _formats(chosen: Format, texts: Texts) -> list[c.Option]:
    return [
        c.option(texts.t(name), each.value, description=texts.t(FORMAT_ABOUT[each]), is_default=each is chosen)
        for each, name in FORMAT_NAMES.items()
    ]


def _rounds(draft: NightDraft, texts: Texts) -> list[c.Option]:
    plan = draft.plan
    if plan.format is Format.LOUNGE:
        lengths = [(count, count * plan.round_minutes) for count in ROUNDS]
        return [
            c.option(texts.t("open for {minutes} min", minutes=length), str(count), is_default=count == plan.rounds)
            for count, length in lengths
        ]
    return [
        c.option(
            texts.n("{count} round to play", "{count} rounds to play", count),
            str(count),
            is_default=count == plan.rounds,
        )
        for count in ROUNDS
    ]


def _minutes(draft: NightDraft, texts: Texts) -> list[c.Option]:
    return [
        c.option(
            texts.t("{minutes} minutes a round", minutes=minutes),
            str(minutes),
            is_default=minutes == draft.plan.round_minutes,
        )
        for minutes in MINUTES
    ]


def _sizes(draft: NightDraft, texts: Texts) -> list[c.Option]:
    return [
        c.option(texts.t("tables of {size} players", size=size), str(size), is_default=size == draft.plan.size)
        for size in SIZES
    ]


def _templates(templates: Sequence[Night]) -> list[c.Option]:
    return [
        c.option(clean(night.plan.title, MAX_TITLE) or "Kem's", str(night.id), description=f"#{night.number}")
        for night in templates[:MOST_TEMPLATES]
    ]


def _switches(draft: NightDraft, texts: Texts, *, has_role: bool) -> list[c.Button]:
    """What is on or off; a press turns it over. A switch that is on carries a tick and stands out."""
    t, plan = texts.t, draft.plan
    switches = [
        (PlanField.RANKED, t("Ranked"), plan.is_ranked),
        (PlanField.ROBOTS, t("🤖 Robots fill up"), plan.fills_with_robots),
        (PlanField.WEEKLY, t("Every week"), plan.is_weekly),
    ]
    if draft.night_id is None:
        switches += [
            (PlanField.EVENT, t("Discord event"), plan.wants_event),
            (PlanField.TALK, t("Thread to talk"), plan.wants_talk_thread),
        ]
        if has_role:
            switches.append((PlanField.ROLE, t("Call the players' role"), plan.calls_role))
    return [
        c.button(
            f"{'☑' if is_on else '☐'} {label}",
            _id(draft, field, "off" if is_on else "on"),
            style=c.PRIMARY if is_on else c.SECONDARY,
        )
        for field, label, is_on in switches
    ]


def _typed(at: int, zone: str) -> str:
    """An instant as `read_when` reads it, in the figures of every language."""
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")
