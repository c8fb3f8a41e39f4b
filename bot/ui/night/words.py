"""Nights in words: formats, plans, people, tables, and why a change is refused."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from bot.ladder.eligibility import Eligibility
from bot.nights.course import round_count
from bot.nights.entrants import Entrant
from bot.nights.night import Night
from bot.nights.plan import Format, NightPlan
from bot.nights.refusals import NightCode, NightRefusal
from bot.nights.rounds import NightRound, NightTable
from bot.ui.kit.names import called, clean, defuse
from bot.ui.kit.texts import Texts, mark
from bot.ui.words.refusals import RefusedError
from bot.ui.words.rules_line import rank_words, rules_line

T = TypeVar("T")

MAX_TITLE: Final = 60
MINUTE_MS: Final = 60_000
_ROBOT: Final = "🤖"
FORMAT_NAMES: Final = {
    Format.LOUNGE: mark("Open tables"),
    Format.ROTATION: mark("Rotation"),
    Format.SWISS: mark("Pairs, Swiss"),
    Format.KNOCKOUT: mark("Pairs, knock-out"),
    Format.ROUND_ROBIN: mark("Pairs, all play all"),
}
FORMAT_ABOUT: Final = {
    Format.LOUNGE: mark("come and go: a queue fills the tables"),
    Format.ROTATION: mark("a new partner each round, everybody for themselves"),
    Format.SWISS: mark("pairs of equal score meet, none twice"),
    Format.KNOCKOUT: mark("the loser is out, up to a final"),
    Format.ROUND_ROBIN: mark("each pair meets each other pair"),
}
_HAS_SET_ROUNDS: Final = (Format.ROTATION, Format.SWISS)

_REFUSED: Final = {
    NightCode.SIGN_UP_OVER: mark("The sign-up is over."),
    NightCode.NIGHT_OVER: mark("This night is over. `/kems night` shows the next one."),
    NightCode.NOT_BEGUN: mark("This night has not begun yet."),
    NightCode.HAS_BEGUN: mark("The night has begun: that can no longer be changed."),
    NightCode.NO_PARTNER: mark("You have no partner yet."),
    NightCode.ROUND_RUNNING: mark("Tables are still playing."),
    NightCode.NO_TIMER: mark("There is no time running that could be longer."),
    NightCode.ALREADY_IN: mark("You are signed up already."),
    NightCode.NOT_IN: mark("You are not signed up: press Join first."),
    NightCode.HAS_PARTNER: mark("One of you has a partner already."),
    NightCode.NO_PAIRS: mark("In this night partners change each round."),
    NightCode.NOT_ASKED: mark("They no longer ask you to be their partner."),
    NightCode.ITSELF: mark("Choose somebody other than yourself."),
    NightCode.TOO_FEW: mark("Too few people are there for a table."),
    NightCode.UNKNOWN_TABLE: mark("There is no such table in this night any more."),
    NightCode.UNKNOWN_ENTRANT: mark("That person is not in this night any more."),
    NightCode.TABLE_OVER: mark("That table has its result already."),
    NightCode.TABLE_PLAYED: mark("That table has played already."),
    NightCode.ROUND_FOLLOWS: mark("The next round has begun: that can no longer be changed."),
    NightCode.TIME_CALLED: mark("Time is called already: each table plays its running round to the end."),
    NightCode.NOTHING_TO_TAKE_BACK: mark("There is nothing to take back."),
    NightCode.NOT_PAUSED: mark("The night is not paused."),
    NightCode.ALREADY_PAUSED: mark("The night is paused already."),
    NightCode.WRONG_SCORES: mark("Write one score for each team of that table, such as 10 7."),
    NightCode.CHANGED_MEANWHILE: mark("The night has changed meanwhile: look at it again."),
}


def night_refusal_text(refusal: NightRefusal, texts: Texts) -> str:
    return texts.t(_REFUSED[refusal.code])


def granted(outcome: T | NightRefusal, texts: Texts) -> T:
    """What came of a change. Raises RefusedError for a refusal."""
    if isinstance(outcome, NightRefusal):
        raise RefusedError(night_refusal_text(outcome, texts))
    return outcome


def title_of(plan: NightPlan) -> str:
    """The title for message text; no markdown of its own works in it."""
    return defuse(plan.title, MAX_TITLE) or "Kem's"


def on_day(at: int) -> str:
    """An instant (milliseconds) as its day and time, which Discord shows on the reader's clock."""
    return f"<t:{at // 1000}:F>"


def at_time(at: int) -> str:
    return f"<t:{at // 1000}:t>"


def length_ms(plan: NightPlan) -> int:
    """How long a night lasts at most, without breaks."""
    return plan.rounds * plan.round_minutes * MINUTE_MS


def sign_up_words(plan: NightPlan, texts: Texts) -> str:
    """Until when people may sign up, and how many play."""
    until = at_time(plan.sign_up_until)
    if plan.sign_up_until > plan.starts_at:
        said = texts.t("late entry until {time}", time=until)
    else:
        said = texts.t("sign-up until {time}", time=f"<t:{plan.sign_up_until // 1000}:f>")
    if plan.most is not None:
        said += " · " + texts.n("{count} player at most", "{count} players at most", plan.most)
    return said


def how_line(plan: NightPlan, texts: Texts) -> str:
    """`Rotation · 4 rounds of 25 min · tables of 4`."""
    n, minutes = texts.n, plan.round_minutes
    if plan.format is Format.LOUNGE:
        course = texts.t("{minutes} min", minutes=plan.rounds * minutes)
    elif plan.format in _HAS_SET_ROUNDS:
        course = n("{count} round of {minutes} min", "{count} rounds of {minutes} min", plan.rounds, minutes=minutes)
    else:
        course = texts.t("rounds of {minutes} min", minutes=minutes)
    parts = (texts.t(FORMAT_NAMES[plan.format]), course, texts.t("tables of {size}", size=plan.size))
    return " · ".join(part.replace(" ", "\u00a0") for part in parts)  # no number alone on a phone's next line


def night_rules_line(plan: NightPlan, texts: Texts, verdict: Eligibility = Eligibility.RANKED) -> str:
    """`Classic · 32 cards · 10 points · ranked`; `verdict` says why a table that is to be ranked is not."""
    rank = rank_words(verdict, texts) if plan.is_ranked else texts.t("friendly")
    return rules_line(plan.rules, texts, plan.rule_set, rank)


def round_name(night: Night, shown: NightRound, texts: Texts) -> str:
    """Which round of a night it is."""
    plan, rounds = night.plan, round_count(night)
    if plan.format is Format.LOUNGE:
        return texts.t("Open tables")
    if plan.format is Format.KNOCKOUT and len(shown.tables) == 1:
        return texts.t("Final table")
    return texts.t("Night round {number} of {rounds}", number=shown.number, rounds=max(rounds or 0, shown.number))


def name_of(entrant: Entrant) -> str:
    return called(entrant.name)


def label_of(entrant: Entrant) -> str:
    """The name for a button or a menu."""
    return clean(entrant.name) or "?"


def name_at(night: Night, number: int | None) -> str:
    """The name at a seat; a robot has no number."""
    return _ROBOT if number is None else name_of(night.entrants[number])


def names_of(night: Night, numbers: Iterable[int | None], between: str = " & ") -> str:
    """The names at some seats; by default those of a team."""
    return between.join(name_at(night, number) for number in numbers)


def sides(night: Night, table: NightTable) -> list[str]:
    """The teams of a table by their people's names."""
    return [names_of(night, table.members(team)) for team in range(table.teams)]


def as_labels(night: Night, table: NightTable) -> str:
    """A table for a menu: `Ana & Bruno — Chloé & Dora`."""
    teams = (
        " & ".join(_ROBOT if one is None else label_of(night.entrants[one]) for one in table.members(team))
        for team in range(table.teams)
    )
    return " — ".join(teams)


def listed(names: Sequence[str], most: int, texts: Texts) -> str:
    """Names up to so many, then how many more there are."""
    shown = ", ".join(names[:most])
    rest = len(names) - most
    return shown if rest <= 0 else texts.t("{names} and {count} more", names=shown, count=rest)
