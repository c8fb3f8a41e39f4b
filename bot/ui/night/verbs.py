"""The verbs of game nights; all have table 0, and their argument begins with the id of a night."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.custom_ids import NO_TABLE, make_id, read_number
from bot.discord.interactions.admission.allowances import EVENINGS, FREE, PAGES, POSTS, Verb
from bot.game.value import stamp
from bot.nights.night import Night


class PlayerVerb(Verb):
    """The presses open to everybody; a comment names what follows the night's id in the argument."""

    JOIN = "night_join", FREE
    LEAVE = "night_leave", FREE  # a status of the night, once its cost was read
    READY = "night_ready", FREE  # answers the check-in; the version of the plan
    SEEK = "night_seek", FREE  # "on" or "off"
    ASK = "night_ask", EVENINGS  # a menu of members, or an entrant
    ACCEPT = "night_accept", FREE  # an entrant
    DECLINE = "night_decline", FREE  # an entrant: declines their request, or withdraws the own one
    PART = "night_part", FREE  # the partner, an entrant
    ROBOT = "night_robot", FREE  # plays with a robot rather than rest
    WEEKLY = "night_weekly", FREE  # "on" or "off"
    MINE = "night_mine", FREE  # opens the presser's own panel
    CALENDAR = "night_calendar", PAGES
    TABLES = "night_tables", FREE  # a page
    STANDINGS = "night_standings", FREE  # a page
    REPLAYS = "night_replays", PAGES  # a page


class HostVerb(Verb):
    """The presses of hosts; a comment names what follows the night's id in the argument."""

    HOST = "night_host", FREE  # opens the host's panel
    ASK_STEP = "night_ask_step", FREE  # a step; asks before it is done
    STEP = "night_step", EVENINGS  # a step that was asked for, and the stamp of its subject
    BAN = "night_ban", FREE  # an entrant; opens the form whose id is BAN_NOW
    BAN_NOW = "night_ban_now", EVENINGS  # an entrant
    PEOPLE = "night_people", FREE  # a menu of members: one to drop, or two to swap, or to pair before the night
    ADD = "night_add", EVENINGS  # a menu of members to sign up
    SIGNED_UP = "night_signed_up", FREE  # a page
    WRITE = "night_write", FREE  # opens the form whose id is WRITTEN
    WRITTEN = "night_written", EVENINGS
    TABLE = "night_table", FREE  # a round, and the first table of the menu; its value is a table of that round
    ROUND = "night_round", FREE  # a menu of rounds; its value is a round, a point, and its first table
    RESULT = "night_result", FREE  # a round and a table; opens the form whose id is SCORES
    SCORES = "night_scores", EVENINGS  # a round, a table, and the stamp of the form's subject
    UNDO = "night_undo", EVENINGS  # a place in the log of steps
    GO_ON = "night_go_on", EVENINGS  # a series to which nobody came goes on
    PLACE = "night_place", EVENINGS  # a menu of channels for the tables of a night that stands still
    EVENT = "night_event", EVENINGS  # makes the event of the server again
    SPARE = "night_spare", FREE  # a size of tables, or "robots": fewer people rest; a stamp; of a series DATE or SERIES
    CANCEL = "night_cancel", FREE  # asks; with DATE or SERIES and a stamp it opens the form whose id is CANCEL_NOW
    CANCEL_NOW = "night_cancel_now", EVENINGS  # DATE or SERIES, and a stamp


class PlanVerb(Verb):
    """The presses on the panel of a draft; the argument begins with the draft's id."""

    PLAN = "night_plan", FREE  # opens the panel of a new draft; the id is 0, and the name of a format may follow
    PLAN_TEXT = "night_text", FREE  # opens the form whose id is PLAN_TYPED
    PLAN_TYPED = "night_typed", FREE
    PLAN_SET = "night_set", FREE  # a setting, and what its button asks for
    PLAN_MORE = "night_more", FREE  # to the second page; "back": to the first one
    PLAN_AGAIN = "night_again", FREE  # like the last night
    PUBLISH = "night_publish", POSTS
    SAVE_SERIES = "night_save_series", POSTS  # moves this night and those that follow on it
    EDIT = "night_edit", FREE  # a night; opens the panel that changes it


DATE: Final = "date"  # what is cancelled
SERIES: Final = "series"
BACK: Final = "back"
SUBJECTS: Final[Mapping[str, Callable[[Night], object]]] = {
    HostVerb.SPARE: lambda night: (night.plan.size, night.plan.fills_with_robots),
    HostVerb.PLACE: lambda night: (night.is_unplaced, night.plan.channel_id),
    HostVerb.CANCEL_NOW: lambda night: (night.status, night.plan.starts_at, night.plan.is_weekly),
}
"""The subjects of presses, whose stamps are in custom ids; that of a step is `bot.nights.steps.step_subject`."""
NightVerb = PlayerVerb | HostVerb | PlanVerb


def night_id(verb: NightVerb, night: int, *more: object) -> str:
    """Return the custom id of a press about a night or a draft; further arguments follow its id."""
    return make_id(NO_TABLE, verb, ":".join(map(str, (night, *more))))


def seen(verb: HostVerb, night: Night) -> str:
    """Return the stamp of what a press is about; it changes with its subject."""
    return stamp(SUBJECTS[verb](night))


def button(
    label: str, verb: NightVerb, night: int, *more: object, style: c.Style = c.SECONDARY, is_enabled: bool = True
) -> c.Button:
    """Return a button with the custom id that `night_id` returns."""
    return c.button(label, night_id(verb, night, *more), style=style, is_enabled=is_enabled)


_MOST_PARTS: Final = 6


def read_arg(arg: str) -> tuple[int, tuple[str, ...]] | None:
    """Return the id of the night or draft in an argument, and what follows it; None for anything else."""
    first, *rest = arg.split(":", _MOST_PARTS)
    number = read_number(first)
    return None if number is None else (number, tuple(rest))
