"""Nights in words: formats, plans, people, tables, and why a change is refused."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from bot.base.times import MINUTE_MS
from bot.discord.api.interactions import RefusedError
from bot.discord.text.names import clean, disambiguate, escape_markdown, escaped_name
from bot.discord.text.texts import Texts
from bot.ladder.seasons import Eligibility
from bot.nights.changes import NightCode
from bot.nights.formats import FORMATS, format_of
from bot.nights.night import Night
from bot.nights.plan import NightPlan
from bot.nights.planning.length import advised_rounds, byes_per_round, first_byes, length_ms, side_count
from bot.nights.rounds import Entrant, NightRound, NightTable
from bot.ui.words.entry_text import asked_words, entry_words
from bot.ui.words.rule_names import rank_words, rules_line
from bot.ui.words.table_text import countdown

T = TypeVar("T")

MAX_TITLE: Final = 60
MAX_REASON: Final = 200
MOST_OFFERED: Final = 25  # Discord's limit for a menu
_ROBOT: Final = "🤖"


def unwrap(outcome: T | NightCode, texts: Texts) -> T:
    """Return the outcome of a change.

    Raises:
        RefusedError: The change was refused.
    """
    if isinstance(outcome, NightCode):
        raise RefusedError(texts.t(outcome))
    return outcome


def title_of(plan: NightPlan) -> str:
    """Return a night's title for message text, with its markdown escaped."""
    return escape_markdown(plan.title, MAX_TITLE) or "Kem's"


def plain_title(plan: NightPlan) -> str:
    """Return a night's title for a menu, a picture or a calendar."""
    return clean(plan.title, MAX_TITLE) or "Kem's"


def reason_of(night: Night) -> str | None:
    """Return the host's reason for cancelling a night, for message text; None without one."""
    return escape_markdown(night.reason, MAX_REASON) or None


def on_day(at: int) -> str:
    """Return a timestamp with day and time of an instant (milliseconds), shown in the reader's time zone."""
    return f"<t:{at // 1000}:F>"


def at_time(at: int) -> str:
    """Return a timestamp with the time of an instant (milliseconds), shown in the reader's time zone."""
    return f"<t:{at // 1000}:t>"


def begins_line(plan: NightPlan, texts: Texts) -> str:
    """Return a line that a night begins, with a countdown."""
    return texts.t("🌙 The night “{title}” begins {when}.", title=title_of(plan), when=countdown(plan.starts_at))


def changed_line(plan: NightPlan, texts: Texts) -> str:
    """Return a line that a night has changed, and its new plan."""
    title, when, how = title_of(plan), on_day(plan.starts_at), how_line(plan, texts)
    return texts.t("🌙 The night “{title}” is changed: {when} · {how}", title=title, when=when, how=how)


def mentions(people: Iterable[Entrant]) -> str | None:
    """Return the mentions of these people; None if there are none. Erased people cannot be mentioned."""
    return " ".join(f"<@{entrant.user_id}>" for entrant in people if entrant.user_id is not None) or None


def sign_up_words(plan: NightPlan, texts: Texts) -> str:
    """Return until when people may sign up, and how many places there are."""
    until = at_time(plan.sign_up_until)
    if plan.sign_up_until > plan.starts_at:
        sentence = texts.t("late entry until {time}", time=until)
    else:
        sentence = texts.t("sign-up until {time}", time=f"<t:{plan.sign_up_until // 1000}:f>")
    if plan.most is not None:
        sentence += " · " + texts.n("{count} player at most", "{count} players at most", plan.most)
    return sentence


def how_line(plan: NightPlan, texts: Texts, people: int | None = None) -> str:
    """Return `Rotation · 4 rounds of 25 min · tables of 4`, and with a number of `people` ` · ≈ 1 h 52`."""
    n, minutes = texts.n, plan.round_minutes
    if plan.format.is_open:
        length = texts.t("{minutes} min", minutes=plan.rounds * minutes)
    elif plan.format.has_set_rounds:
        length = n("{count} round of {minutes} min", "{count} rounds of {minutes} min", plan.rounds, minutes=minutes)
    else:
        length = texts.t("rounds of {minutes} min", minutes=minutes)
    parts = [texts.t(plan.format.title), length, texts.t("tables of {size}", size=plan.size)]
    if plan.has_final and plan.format.may_have_final:
        parts.insert(2, texts.t("final between the top two"))
    if people is not None and not plan.format.is_open:
        parts.append(_length(plan, people, texts))
    return " · ".join(part.replace(" ", "\u00a0") for part in parts)  # no number alone on a phone's next line


def hidden_line(texts: Texts) -> str:
    """Return the warning to a host that a night is announced only in its own channels."""
    return texts.t("🔒 Hidden channel: neither event nor league (*Count hidden nights* in {/config}).")


def entry_line(plan: NightPlan, texts: Texts, role: str | None = None) -> str | None:
    """Return `Entry: @Regulars · 10 matches played`; None if everybody may come.

    `role` replaces the mention in texts that cannot show mentions.
    """
    requirements = asked_words(plan.entry, texts, role)
    return entry_words(requirements, texts) if requirements else None


def rests_line(plan: NightPlan, people: int, texts: Texts) -> str | None:
    """Return a line on byes: `7 players: 3 sit out each round`, `14 players: 1 pair begins in round 2`; or None."""
    who, byes = texts.n("{count} player", "{count} players", people), first_byes(plan, people)
    if byes:
        line = texts.n("{count} pair begins in round 2", "{count} pairs begin in round 2", byes)
        return "-# " + texts.t("{name}: {value}", name=who, value=line)
    count = byes_per_round(plan, people)
    rest = texts.n("{count} sits out each round", "{count} sit out each round", count)
    return "-# " + texts.t("{name}: {value}", name=who, value=rest) if count else None


def length_line(plan: NightPlan, people: int, texts: Texts) -> str | None:
    """Return `9 pairs: 4 rounds advised · ≈ 1 h 52`; None for a night whose host decides when it ends."""
    n, form = texts.n, FORMATS[plan.format.name]
    if form.is_open:
        return None
    count = side_count(plan, people)
    who = n("{count} pair", "{count} pairs", count) if form.has_pairs else n("{count} player", "{count} players", count)
    if form.has_set_rounds:
        rounds = n("{count} round advised", "{count} rounds advised", advised_rounds(plan, people))
    else:
        rounds = n("{count} round to play", "{count} rounds to play", form.rounds_of(plan, count))
    return "-# " + texts.t("{name}: {value}", name=who, value=rounds) + f" · {_length(plan, people, texts)}"


def _length(plan: NightPlan, people: int, texts: Texts) -> str:
    hours, minutes = divmod(length_ms(plan, people) // MINUTE_MS, 60)
    if not hours:
        return texts.t("≈ {minutes} min", minutes=minutes)
    return texts.t("≈ {hours} h {minutes}", hours=hours, minutes=f"{minutes:02}")


def night_rules_line(plan: NightPlan, texts: Texts, verdict: Eligibility = Eligibility.RANKED) -> str:
    """Return `Classic · 32 cards · 10 points · ranked`; `verdict` says why a table that should be ranked is not."""
    rank = rank_words(verdict, texts) if plan.is_ranked else texts.t("friendly")
    return rules_line(plan.rules, texts, plan.rule_set, rank)


def round_name(night: Night, night_round: NightRound, texts: Texts) -> str:
    """Return the name of a round: its number, `Final table`, or the format of an open night."""
    form, rounds = night.plan.format, format_of(night).round_count(night)
    if form.is_open:
        return texts.t(form.title)
    if form.eliminates and len(night_round.tables) == 1:
        return texts.t("Final table")
    return texts.t(
        "Night round {number} of {rounds}", number=night_round.number, rounds=max(rounds, night_round.number)
    )


def name_of(night: Night, entrant: Entrant) -> str:
    """Return an entrant's name for message text."""
    return escaped_name(_names(tuple(each.name for each in night.entrants))[entrant.number])


def label_of(night: Night, entrant: Entrant) -> str:
    """Return an entrant's name for a button or a menu."""
    return _names(tuple(each.name for each in night.entrants))[entrant.number] or "?"


@lru_cache(64)  # a night's messages name each person many times
def _names(written: tuple[str, ...]) -> tuple[str, ...]:
    return disambiguate(written)


def name_at(night: Night, number: int | None) -> str:
    """Return the name of the entrant with this number; None stands for a robot."""
    return _ROBOT if number is None else name_of(night, night.entrants[number])


def names_of(night: Night, numbers: Iterable[int | None], between: str = " & ") -> str:
    """Return the names of entrants by their numbers, by default as a team; None stands for a robot."""
    return between.join(name_at(night, number) for number in numbers)


def sides(night: Night, table: NightTable) -> list[str]:
    """Return each team of a table, as the names of its people."""
    return [names_of(night, table.members(team)) for team in range(table.teams)]


def labels_of(night: Night, numbers: Iterable[int | None]) -> str:
    """Return the names of entrants for a button, a menu or a picture; None stands for a robot."""
    return " & ".join(_ROBOT if number is None else label_of(night, night.entrants[number]) for number in numbers)


def as_labels(night: Night, table: NightTable) -> str:
    """Return a table's people for a menu: `Ana & Bruno — Chloé & Dora`."""
    return " — ".join(labels_of(night, table.members(team)) for team in range(table.teams))


def truncated_list(names: Sequence[str], most: int, texts: Texts) -> str:
    """Return up to `most` names, followed by the number of the others."""
    first_names = ", ".join(names[:most])
    rest = len(names) - most
    return first_names if rest <= 0 else texts.t("{names} and {count} more", names=first_names, count=rest)
