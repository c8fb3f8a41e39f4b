"""The panel in which a night is planned or changed, and its form."""

from datetime import datetime
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from bot.discord.api import components as c
from bot.discord.api.modals import Form
from bot.discord.interactions.setting import controls
from bot.discord.text.texts import Texts
from bot.ladder.seasons import Eligibility
from bot.nights.planning.draft import NightDraft
from bot.ui.night import words as w
from bot.ui.night.plan.settings import FIRST_PAGE, SECOND_PAGE, Planned
from bot.ui.night.verbs import BACK, PlanVerb, button, night_id
from bot.ui.words.table_text import countdown

MAX_WHEN: Final = 40
TITLE: Final = "title"  # the fields of the form
WHEN: Final = "when"
UNTIL: Final = "until"
MOST: Final = "most"


def setting_id(draft: NightDraft, name: str, *asked: str) -> str:
    return night_id(PlanVerb.PLAN_SET, draft.id, name, *asked)


def plan_panel(
    state: Planned,
    verdict: Eligibility,
    texts: Texts,
    notice: str | None = None,
    *,
    without_place: str | None = None,
    is_second: bool = False,
) -> c.Layout:
    """`verdict`: whether its tables are ranked by these rules. `notice` says why the press before changed nothing.

    `without_place` names those who would go to the waiting list. The second page has what is rarely changed.
    """
    t, draft, plan = texts.t, state.draft, state.draft.settled
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


def _met_line(state: Planned, texts: Texts) -> str:
    """How many of those who have played on the server have played as many matches as the entry asks for."""
    asked, people = state.plan.entry.matches, len(state.played)
    if met := sum(matches >= asked for matches in state.played):
        return "-# " + texts.n(
            "{count} of the {people} people who have played here meets this condition.",
            "{count} of the {people} people who have played here meet this condition.",
            met,
            people=people,
        )
    if people > 1:
        return texts.t("⚠︎ 0 of the {people} people who have played here meet this condition.", people=people)
    return texts.t("⚠︎ Nobody here meets this condition.")


def _audience_line(state: Planned, texts: Texts) -> str | None:
    """Who hears of the night besides those who see its channel."""
    if state.is_hidden:
        return w.hidden_line(texts)
    if state.draft.is_new and state.plan.wants_event:
        return "-# " + texts.t("Discord shows the event, with its title, time and channel, to the whole server.")
    return None


def written(draft: NightDraft) -> dict[str, str]:
    """What stands in the form, by field."""
    plan, until = draft.plan, "" if draft.until is None else _typed(draft.until, draft.zone)
    most = "" if plan.most is None else str(plan.most)
    return {TITLE: plan.title, WHEN: _typed(plan.starts_at, draft.zone), UNTIL: until, MOST: most}


def plan_form(draft: NightDraft, texts: Texts) -> Form:
    t, form, now = texts.t, Form(texts.t("Game night"), night_id(PlanVerb.PLAN_TYPED, draft.id)), written(draft)
    form.ask(t("Title"), name=TITLE, written=now[TITLE], most=w.MAX_TITLE)
    hint = t("Time zone: {zone}", zone=draft.zone)
    example = t("Saturday 21:00")
    form.ask(t("Day and time"), name=WHEN, written=now[WHEN], example=example, hint=hint, most=MAX_WHEN)
    hint = t("Empty: people may come late where the format lets them")
    form.ask(t("Sign-up until"), name=UNTIL, written=now[UNTIL], hint=hint, most=MAX_WHEN, is_required=False)
    hint = t("Above that: waiting list. Empty: no limit")
    return form.ask(t("Maximum number of players"), name=MOST, written=now[MOST], hint=hint, most=3, is_required=False)


def _typed(at: int, zone: str) -> str:
    """An instant as `read_when` reads it, in the figures of every language."""
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")
