"""The public message of a night before it begins: what it is, who comes, and the buttons to sign up."""

from typing import Final

from bot.nights.entrants import Entrant
from bot.nights.night import Night, NightStatus
from bot.ui.kit import components as c
from bot.ui.kit.palette import GREEN, GREY
from bot.ui.kit.texts import Texts
from bot.ui.night.verbs import NightVerb, night_id
from bot.ui.night.words import how_line, listed, name_of, night_rules_line, on_day, sign_up_words, title_of
from bot.ui.words.table_text import countdown

MOST_NAMES: Final = 60


def sign_up_screen(night: Night, texts: Texts, *, calls: int | None = None) -> c.Layout:
    """`calls` is a role that is mentioned when the message is posted."""
    t, plan = texts.t, night.plan
    if night.status is NightStatus.CANCELLED:
        said = t("This night is cancelled.")
        return c.layout(c.text(_heading(night), f"~~{on_day(plan.starts_at)}~~ · {said}"), colour=GREY)
    return c.layout(
        c.text(
            None if calls is None else f"<@&{calls}>",
            _heading(night),
            f"**{on_day(plan.starts_at)}**",
            f"{countdown(plan.starts_at)} · {sign_up_words(plan, texts)}",
            how_line(plan, texts),
            night_rules_line(plan, texts),
            _notes(night, texts),
        ),
        c.text(*people_lines(night, texts)),
        *_buttons(night, texts),
        colour=GREEN,
    )


def people_lines(night: Night, texts: Texts) -> list[str | None]:
    """How many come and who, who looks for a partner, and who waits."""
    t, present = texts.t, night.present
    waiting = night.waiting
    seeking = [name_of(entrant) for entrant in present if entrant.seeks_partner and entrant.partner is None]
    lines: list[str | None] = [texts.n("**{count} signed up**", "**{count} signed up**", len(present))]
    lines.append(listed(_names(night, present), MOST_NAMES, texts) or t("Nobody yet: be the first."))
    if seeking:
        lines.append(t("Looking for a partner: {names}", names=listed(seeking, MOST_NAMES // 3, texts)))
    asked = {one.asks for one in present if one.asks is not None and one.partner is None}
    if asked:  # nobody is mentioned for it, so that the message says where to look
        names = listed([name_of(night.entrants[number]) for number in sorted(asked)], MOST_NAMES // 3, texts)
        lines.append(t("Asked to be a partner: {names}", names=names))
    if waiting:
        names = listed([name_of(entrant) for entrant in waiting], MOST_NAMES // 3, texts)
        lines.append(t("Waiting list ({count}): {names}", count=len(waiting), names=names))
    return lines


def _heading(night: Night) -> str:
    return f"## 🌙 {title_of(night.plan)}"


def _notes(night: Night, texts: Texts) -> str | None:
    t, plan = texts.t, night.plan
    notes = [] if night.host_id is None else [t("host: {name}", name=f"<@{night.host_id}>")]
    if plan.fills_with_robots:
        notes.append(t("robots fill free seats"))
    if plan.is_weekly:
        notes.append(t("every week"))
    return "-# " + " · ".join(notes) if notes else None


def _names(night: Night, present: tuple[Entrant, ...]) -> list[str]:
    """Each name once, pairs together."""
    if not night.plan.format.has_pairs:
        return [name_of(entrant) for entrant in present]
    names = list[str]()
    for entrant in present:
        partner = None if entrant.partner is None else night.entrants[entrant.partner]
        if partner is None:
            names.append(name_of(entrant))
        elif entrant.number < partner.number:
            names.append(f"{name_of(entrant)} & {name_of(partner)}")
    return names


def _buttons(night: Night, texts: Texts) -> list[c.Row]:
    t = texts.t
    first = [
        c.button(t("Join"), night_id(NightVerb.JOIN, night.id), style=c.SUCCESS),
        c.button(t("Leave"), night_id(NightVerb.LEAVE, night.id)),
    ]
    if night.plan.format.has_pairs:
        first.append(c.button(t("Partner…"), night_id(NightVerb.MINE, night.id), style=c.PRIMARY))
    second = [
        c.button("📅 " + t("Calendar"), night_id(NightVerb.CALENDAR, night.id)),
        c.button(t("Host…"), night_id(NightVerb.HOST, night.id)),
    ]
    return [c.row(*first), c.row(*second)]
