"""The verbs of game nights; all stand on table 0, and their argument begins with the id of a night."""

from enum import StrEnum
from typing import Final

from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import NO_TABLE, make_id, read_number


class PlayerVerb(StrEnum):
    """What everybody may press; a comment names what follows the night's id in its argument."""

    JOIN = "night_join"
    LEAVE = "night_leave"
    READY = "night_ready"  # answers the check-in
    SEEK = "night_seek"  # "on" or "off"
    ASK = "night_ask"  # a menu of members
    ACCEPT = "night_accept"  # an entrant
    DECLINE = "night_decline"  # an entrant who has asked, or oneself: takes one's own question back
    PART = "night_part"
    ROBOT = "night_robot"  # plays with a robot rather than rest
    WEEKLY = "night_weekly"  # "on" or "off"
    MINE = "night_mine"  # opens the presser's own panel
    CALENDAR = "night_calendar"
    TABLES = "night_tables"  # a page
    STANDINGS = "night_standings"  # a page
    REPLAYS = "night_replays"  # a page


class LeagueVerb(StrEnum):
    LEAGUE = "night_league"  # a season's number in place of a night, and a page


class HostVerb(StrEnum):
    HOST = "night_host"  # opens the host's panel
    ASK_STEP = "night_ask_step"  # a step; asks before it is done
    STEP = "night_step"  # a step that was asked for; with TABLE, a person who is removed leaves their table, too
    BAN = "night_ban"  # an entrant; opens the form whose id is BAN_NOW
    BAN_NOW = "night_ban_now"  # an entrant
    PEOPLE = "night_people"  # a menu of members: one to drop, or two to swap, or to pair before the night
    ADD = "night_add"  # a menu of members to sign up
    SIGNED_UP = "night_signed_up"  # a page
    WRITE = "night_write"  # opens the form whose id is WRITTEN
    WRITTEN = "night_written"
    TABLE = "night_table"  # a round, and where the menu begins; its value is a table of that round
    ROUND = "night_round"  # a menu of rounds; its value is a round, a point, and where its tables begin
    RESULT = "night_result"  # a round and a table; opens the form whose id is SCORES
    SCORES = "night_scores"  # a round and a table
    UNDO = "night_undo"
    GO_ON = "night_go_on"  # the series goes on that nobody came to
    PLACE = "night_place"  # a menu of channels for the tables of a night that stands still
    EVENT = "night_event"  # makes the event of the server again
    SPARE = "night_spare"  # a size of tables, or "robots": fewer people rest
    CANCEL = "night_cancel"  # asks; with DATE or SERIES it opens the form whose id is CANCEL_NOW
    CANCEL_NOW = "night_cancel_now"  # DATE or SERIES


class PlanVerb(StrEnum):
    """What stands on the panel of a draft; its argument begins with the draft's id."""

    PLAN = "night_plan"  # opens the panel of a new draft
    FRIDAY = "night_friday"  # announces an express night every Friday
    PLAN_TEXT = "night_text"  # opens the form whose id is PLAN_TYPED
    PLAN_TYPED = "night_typed"
    PLAN_SET = "night_set"  # a setting, and what its button asks for
    PUBLISH = "night_publish"
    SAVE_SERIES = "night_save_series"  # moves this night and those that follow on it
    EDIT = "night_edit"  # a night; opens the panel that changes it


DATE: Final = "date"  # what is cancelled
SERIES: Final = "series"
TABLE: Final = "table"  # what a person is removed from besides the night
NightVerb = PlayerVerb | LeagueVerb | HostVerb | PlanVerb


def night_id(verb: NightVerb, night: int, *more: object) -> str:
    """The custom id of a press about a night or a draft, with what follows its id."""
    return make_id(NO_TABLE, verb, ":".join(map(str, (night, *more))))


def button(
    label: str, verb: NightVerb, night: int, *more: object, style: c.Style = c.SECONDARY, is_enabled: bool = True
) -> c.Button:
    """A button whose custom id is `night_id` of the same."""
    return c.button(label, night_id(verb, night, *more), style=style, is_enabled=is_enabled)


_MOST_PARTS: Final = 6


def read_arg(arg: str) -> tuple[int, tuple[str, ...]] | None:
    """The night or draft of an argument, and what follows; None for anything else."""
    first, *rest = arg.split(":", _MOST_PARTS)
    number = read_number(first)
    return None if number is None else (number, tuple(rest))
