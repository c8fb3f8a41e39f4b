"""A draft in the custom ids of its own panel: a restart loses nothing of it, and any process can answer its presses."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.game.rules.presets import CLASSIC
from bot.nights.plan import Format, NightPlan
from bot.ui.kit.custom_ids import parse_id, read_number
from bot.ui.kit.names import clean
from bot.ui.night.plan.draft import NightDraft
from bot.ui.night.verbs import NightVerb, night_id, read_arg
from bot.ui.night.words import MAX_TITLE

RULES: Final = "rules"
SET: Final = "set:"
"""Stands before the name of a rule set of the server, which may be called like a preset."""
SWITCHES: Final = ("is_ranked", "fills_with_robots", "is_weekly", "wants_event", "calls_role", "wants_talk_thread")
_PARTS: Final = 9


@dataclass(frozen=True, slots=True)
class WrittenDraft:
    """A draft as its panel says it: `plan` with the classic rules, and the name of the rules that are meant."""

    plan: NightPlan
    until: int | None
    rules: str
    night_id: int | None


def numbers_id(draft: NightDraft) -> str:
    """The custom id of the button for title and time: all that is chosen but the title and the rules."""
    plan = draft.plan
    switches = sum(getattr(plan, name) << place for place, name in enumerate(SWITCHES))
    parts = (plan.starts_at // 1000, "" if draft.until is None else draft.until // 1000, plan.most or "", plan.format,
             plan.rounds, plan.round_minutes, plan.size, plan.channel_id, switches)  # fmt: skip
    return night_id(NightVerb.PLAN_TEXT, draft.night_id or 0, ".".join(map(str, parts)))


def rules_id(draft: NightDraft) -> str:
    """The custom id of the menu of rules: the rules that are chosen."""
    return night_id(NightVerb.PLAN_SET, draft.night_id or 0, RULES, rules_name(draft.plan))


def title_id(draft: NightDraft) -> str:
    """The custom id of the button that publishes: the title."""
    return night_id(NightVerb.PUBLISH, draft.night_id or 0, clean(draft.plan.title, MAX_TITLE))


def rules_name(plan: NightPlan) -> str:
    """What the menu of rules calls the rules of a plan."""
    return plan.rules.preset if plan.rule_set is None else SET + plan.rule_set


def read_draft(custom_ids: Iterable[str]) -> WrittenDraft | None:
    """The draft that the components of a panel hold; None where they hold none."""
    numbers = title = rules = changed = None
    for custom_id in custom_ids:
        press = parse_id(custom_id)
        read = None if press is None else read_arg(press.arg)
        if press is None or read is None:
            continue
        match press.verb, read[1]:
            case NightVerb.PLAN_TEXT, (written,):
                changed, numbers = read[0] or None, written
            case NightVerb.PLAN_SET, (field, *name) if field == RULES:
                rules = ":".join(name)
            case NightVerb.PUBLISH, name:
                title = ":".join(name)
    plan = None if numbers is None or title is None else _plan(numbers, title)
    return None if plan is None or not rules else WrittenDraft(*plan, rules, changed)


def _plan(numbers: str, title: str) -> tuple[NightPlan, int | None] | None:
    parts = numbers.split(".")
    if len(parts) != _PARTS or parts[3] not in set(Format):
        return None
    starts, until, most, rounds, minutes, size, channel, switches = (
        read_number(part) if part else None for part in (*parts[:3], *parts[4:])
    )
    if starts is None or rounds is None or minutes is None or size is None or channel is None or switches is None:
        return None
    plan = NightPlan(
        title=title,
        starts_at=starts * 1000,
        sign_up_until=starts * 1000,
        format=Format(parts[3]),
        rounds=rounds,
        round_minutes=minutes,
        size=size,
        rules=CLASSIC,
        rule_set=None,
        is_ranked=False,
        fills_with_robots=False,
        channel_id=channel,
        most=most,
    )
    on = {name: bool(switches >> place & 1) for place, name in enumerate(SWITCHES)}
    return replace(plan, **on), None if until is None else until * 1000  # type: ignore[arg-type]  # all are booleans
