"""The panel in which a night is planned or changed, and its form."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

import discord

from bot.ladder.seasons import Eligibility
from bot.nights.night import Night
from bot.tables.server_settings import RuleSet
from bot.ui.kit import components as c
from bot.ui.kit.interactions import Form
from bot.ui.kit.names import clean
from bot.ui.kit.texts import Texts
from bot.ui.night import words as w
from bot.ui.night.plan.draft import NUMBERS, SET, SWITCHES, NightDraft, PlanField, numbers_id, rules_id, title_id
from bot.ui.night.verbs import PlanVerb, night_id
from bot.ui.rules.editor import preset_options
from bot.ui.words.table_text import countdown

MAX_WHEN: Final = 40
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
    without_place: str | None = None,
) -> c.Layout:
    """`sets` are the server's rule sets, `templates` its former nights, `has_role`: it has a role for players.

    `verdict`: whether its tables are ranked by these rules. `notice` says why the press before changed nothing.
    `without_place` names those who would go to the waiting list.
    """
    t, plan, is_new = texts.t, draft.settled, draft.night_id is None
    heading = t("A new game night") if is_new else t("Change the night")

    def rounds_words(count: int) -> str:
        if plan.format.is_open:
            return t("open for {minutes} min", minutes=count * plan.round_minutes)
        return texts.n("{count} round to play", "{count} rounds to play", count)

    formats = (
        c.option(t(name), each.name, description=t(about), is_default=each is plan.format)
        for each, (name, about) in w.FORMAT_WORDS.items()
    )
    parts: list[c.Part] = [
        c.text(
            notice,
            f"**🌙 {heading}**",
            f"### {w.title_of(plan)}",
            w.on_day(plan.starts_at),
            f"{countdown(plan.starts_at)} · {w.sign_up_words(plan, texts)}",
            f"-# {w.how_line(plan, texts)}",
            w.length_line(plan, draft.people, texts),
            w.rests_line(plan, draft.people, texts),
            None if without_place is None else t("⚠︎ Too few places: {names} would wait.", names=without_place),
            f"-# {w.night_rules_line(plan, texts, verdict)}",
            "-# " + t("Discord shows the event, with its title, time and channel, to the whole server.")
            if is_new and plan.wants_event
            else None,
        ),
        c.row(c.button(t("✏️ Title and time…"), numbers_id(draft), style=c.PRIMARY)),
        c.menu(_id(draft, PlanField.FORMAT), t("Format"), formats),
        c.menu(rules_id(draft), t("Rules"), _rules(draft, sets, texts)),
    ]
    if plan.format.has_set_rounds or plan.format.is_open:
        parts.append(_numbers(draft, PlanField.ROUNDS, t("Rounds"), rounds_words))
    parts += (
        _numbers(draft, PlanField.MINUTES, t("Minutes a round"), lambda n: t("{minutes} minutes a round", minutes=n)),
        _numbers(draft, PlanField.SIZE, t("Size of the tables"), lambda n: t("tables of {size} players", size=n)),
    )
    if is_new:
        chosen = [plan.channel_id] if plan.channel_id else []
        kinds = [discord.ChannelType.text.value]
        parts.append(c.channel_menu(_id(draft, PlanField.CHANNEL), t("Channel"), kinds, most=1, chosen=chosen))
        announce_id = _id(draft, PlanField.ANNOUNCE, plan.announce_id or 0)
        kinds, chosen = [*kinds, discord.ChannelType.news.value], [plan.announce_id] if plan.announce_id else []
        parts.append(c.channel_menu(announce_id, t("Announce in another channel"), kinds, most=1, chosen=chosen))
    if templates and is_new:
        former = [
            c.option(w.plain_title(night.plan), str(night.id), description=f"#{night.number}")
            for night in templates[: w.MOST_OFFERED]
        ]
        parts.append(c.menu(_id(draft, PlanField.TEMPLATE), t("Like a former night…"), former))
    parts += c.rows(_switches(draft, texts, has_role=has_role), 2)
    if draft.moves_series:
        parts.append(
            c.text("-# " + t("*This date* leaves the following weeks as they are; *The whole series* moves them."))
        )
        series = c.button(t("The whole series"), night_id(PlanVerb.SAVE_SERIES, draft.night_id or 0), style=c.SUCCESS)
        parts.append(c.row(c.button(t("This date"), title_id(draft), style=c.SUCCESS), series))
    else:
        parts.append(c.row(c.button(t("Publish") if is_new else t("Save"), title_id(draft), style=c.SUCCESS)))
    return c.layout(*parts, colour=c.GREEN)


def plan_form(draft: NightDraft, texts: Texts) -> Form:
    t, plan = texts.t, draft.plan
    form = Form(t("Game night"), night_id(PlanVerb.PLAN_TYPED, draft.night_id or 0))
    form.ask(t("Title"), name=TITLE, written=plan.title, most=w.MAX_TITLE)
    hint = t("Time zone: {zone}", zone=draft.zone)
    example = t("Saturday 21:00")
    form.ask(t("Day and time"), name=WHEN, written=_typed(plan.starts_at, draft.zone), example=example, hint=hint,
             most=MAX_WHEN)  # fmt: skip
    until = "" if draft.until is None else _typed(draft.until, draft.zone)
    hint = t("Empty: people may come late where the format lets them")
    form.ask(t("Sign-up until"), name=UNTIL, written=until, hint=hint, most=MAX_WHEN, is_required=False)
    hint = t("Beyond it: waiting list. Empty: no limit")
    most = "" if plan.most is None else str(plan.most)
    return form.ask(t("Maximum number of players"), name=MOST, written=most, hint=hint, most=3, is_required=False)


def _id(draft: NightDraft, field: PlanField, *value: object) -> str:
    return night_id(PlanVerb.PLAN_SET, draft.night_id or 0, field, *value)


def _rules(draft: NightDraft, sets: Sequence[RuleSet], texts: Texts) -> list[c.Option]:
    """Presets, then the server's sets as far as the menu has room."""
    plan = draft.plan
    options = preset_options(() if plan.rule_set else (plan.rules.preset,), texts)
    for kept in sets[: w.MOST_OFFERED - len(options)]:
        name, about = clean(kept.name, c.MAX_LABEL), clean(kept.line, c.MAX_LABEL)
        options.append(c.option(name, SET + kept.name, description=about, is_default=kept.name == plan.rule_set))
    return options


def _numbers(draft: NightDraft, field: PlanField, placeholder: str, words: Callable[[int], str]) -> c.Row:
    name, offered = NUMBERS[field]
    chosen = getattr(draft.plan, name)
    options = [c.option(words(number), str(number), is_default=number == chosen) for number in offered]
    return c.menu(_id(draft, field), placeholder, options)


def _switches(draft: NightDraft, texts: Texts, *, has_role: bool) -> list[c.Button]:
    """What is on or off; a press turns it over. A switch that is on carries a tick and stands out."""
    t = texts.t
    labels = {
        PlanField.RANKED: t("Ranked"),
        PlanField.ROBOTS: t("🤖 Robots in free seats"),
        PlanField.WEEKLY: t("Every week"),
    }
    if draft.plan.format.may_have_final:
        labels[PlanField.FINAL] = t("Final of the first two")
    if draft.night_id is None:
        labels |= {PlanField.EVENT: t("Discord event"), PlanField.TALK: t("Discussion thread")}
        if has_role:
            labels[PlanField.ROLE] = t("Call the players' role")
    return [
        c.button(f"☑ {label}", _id(draft, field, "off"), style=c.PRIMARY)
        if getattr(draft.plan, SWITCHES[field])
        else c.button(f"☐ {label}", _id(draft, field, "on"))
        for field, label in labels.items()
    ]


def _typed(at: int, zone: str) -> str:
    """An instant as `read_when` reads it, in the figures of every language."""
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")
