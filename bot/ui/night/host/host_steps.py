"""The host's steps on screen: their words, their confirmation, their custom ids, their lines in the log."""

from dataclasses import replace
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.components import confirmation
from bot.discord.text.texts import Texts, mark
from bot.game.value import stamp
from bot.nights.changes import DoneStep, HostStep, StepKind
from bot.nights.night import Night, NightStatus
from bot.nights.steps import apply_step, step_subject
from bot.ui.night import words as w
from bot.ui.night.verbs import HostVerb, button
from bot.ui.words.table_text import signed_points

_NONE: Final = "-"
BAN_DAYS: Final = 30
_HARMLESS: Final = (StepKind.PAIR, StepKind.START, StepKind.PAUSE_ALL, StepKind.RESUME_ALL, StepKind.PAUSE_TABLE,
                    StepKind.RESUME_TABLE, StepKind.ADD_TIME)  # fmt: skip
_LABELS: Final = {
    StepKind.START: mark("▶ Start now…"),
    StepKind.PAUSE_ALL: mark("⏸ Pause"),
    StepKind.RESUME_ALL: mark("▶ Go on"),
    StepKind.PAUSE_TABLE: mark("⏸ Pause"),
    StepKind.RESUME_TABLE: mark("▶ Go on"),
    StepKind.ADD_TIME: mark("+{minutes} min"),
    StepKind.RESTART_TABLE: mark("Start the table again…"),
    StepKind.END_EARLY: mark("End the night…"),
}
_WORDS: Final = {
    StepKind.START: mark("the night begins now"),
    StepKind.PAUSE_ALL: mark("all tables paused"),
    StepKind.RESUME_ALL: mark("all tables go on"),
    StepKind.PAUSE_TABLE: mark("table {number} paused"),
    StepKind.RESUME_TABLE: mark("table {number} goes on"),
    StepKind.ADD_TIME: mark("+{minutes} min"),
    StepKind.DROP: mark("{name} removed"),
    StepKind.ENTER_RESULT: mark("table {number}: {result}"),
    StepKind.RESTART_TABLE: mark("table {number} started again"),
    StepKind.END_EARLY: mark("end after this round"),
}
_CORRECTED: Final = mark("round {round}, table {number}: {result}")
_BETWEEN: Final = {StepKind.PAIR: "&", StepKind.SWAP: "⇄"}


def _removal_question(night: Night, step: HostStep, texts: Texts, *, may_ban: bool) -> c.Layout:
    """Return the question whether to remove a person from the night, from their table as well, or from the server."""
    t = texts.t
    is_planned = night.status is NightStatus.PLANNED
    cost = t("Their sign-up is removed, and they cannot come back.") if is_planned else t(step.kind.words)
    costs, yes = [cost], [_yes(t("From the night"), step, night)]
    if step.entrant is not None and (table := night.table_of(step.entrant)) is not None:
        costs.append(
            t("*From the night and their table*: a robot takes their seat, and a ranked match is lost for them.")
        )
        yes.append(_yes(t("From the night and their table"), replace(step, table=table.number), night))
    if may_ban:
        costs.append(t("*For {days} days…*: no tables or game nights in this server.", days=BAN_DAYS))
        label = t("For {days} days…", days=BAN_DAYS)
        yes.append(button(label, HostVerb.BAN, night.id, step.entrant, style=c.DANGER))
    question = t("Remove {name} from the night?", name=w.name_at(night, step.entrant))
    return confirmation(f"🛠 {question}", costs, *yes, no=back(night, texts))


def _yes(label: str, step: HostStep, night: Night, style: c.Style = c.DANGER, seen: str | None = None) -> c.Button:
    """Return the button that does the step while its subject has the stamp `seen`, by default its current one."""
    word = write_step(step, night)
    return button(label, HostVerb.STEP, night.id, word, seen or stamp(step_subject(night, step)), style=style)


def step_question(
    night: Night, step: HostStep, texts: Texts, *, may_ban: bool = False, seen: str | None = None
) -> c.Layout:
    """Return the confirmation of a step.

    Args:
        night: The night.
        step: The step.
        texts: The host's texts.
        may_ban: Offer to remove a person from the whole server for a while.
        seen: The stamp of the step's subject.

    Raises:
        NightRefusedError: The people cannot change places.
    """
    if step.kind is StepKind.DROP:
        return _removal_question(night, step, texts, may_ban=may_ban)
    style = c.PRIMARY if step.kind in _HARMLESS else c.DANGER
    costs = [texts.t(step.kind.words)]
    if step.kind is StepKind.ENTER_RESULT and is_past(night, step.round):
        costs = [past_words(night, texts)]
    if step.kind is StepKind.SWAP:
        costs.append(_lost_line(night, step, texts))
    if step.kind is StepKind.SWAP and night.plan.format.has_pairs:
        costs.append(texts.t("Each stands in for the other in this round: the points belong to those who play."))
    yes = _yes(texts.t("Confirm"), step, night, style, seen)
    question = texts.t("{step}?", step=sentence_start(step_words(step, night, texts)))
    return confirmation(f"🛠 {question}", costs, yes, no=back(night, texts))


def _lost_line(night: Night, step: HostStep, texts: Texts) -> str:
    """Return which tables start again because two people change places: one, two, or none."""
    first, *more = (table.number for table in apply_step(night, step, by=0, now=0).steps[-1].tables)
    if more:
        return texts.t(
            "Tables {first} and {last} start again, and what was scored there is lost.", first=first, last=more[0]
        )
    return texts.t("Table {number} starts again, and what was scored there is lost.", number=first)


def is_past(night: Night, number: int | None) -> bool:
    """Return whether the round with this number is not the last one; False for None."""
    return number is not None and number < len(night.rounds)


def past_words(night: Night, texts: Texts) -> str:
    """Return a sentence on the effects of correcting an earlier round."""
    if night.plan.format.eliminates:
        return texts.t("The standings follow. The draw stays: those who went on play on.")
    return texts.t("The standings follow. The rounds that are drawn stay as they are.")


def back(night: Night, texts: Texts) -> c.Button:
    """Return the button that leads back to the host's panel."""
    return button(texts.t("Back"), HostVerb.HOST, night.id)


def step_button(step: HostStep, night: Night, texts: Texts, style: c.Style = c.SECONDARY) -> c.Button:
    """Return the button that asks for confirmation of a step."""
    label = texts.t(_LABELS[step.kind], minutes=step.minutes)
    return button(label, HostVerb.ASK_STEP, night.id, write_step(step, night), style=style)


def sentence_start(words: str) -> str:
    """Return words with a capital letter, as the start of a sentence."""
    return words[:1].upper() + words[1:]


def write_step(step: HostStep, night: Night) -> str:
    """Return a step as a part of a custom id. A step without a round gets the number of the last one."""
    numbers = (step.minutes, step.entrant, step.other, step.table)
    words = (
        step.kind.value,
        step.round or len(night.rounds),
        *(_NONE if number is None else number for number in numbers),
    )
    return ".".join(map(str, (*words, "_".join(map(str, step.scores)) or _NONE)))


def read_step(word: str) -> HostStep | None:
    """Return the step of a custom id; None for a forged one."""
    kind, *numbers = word.split(".")
    try:
        asked_in, minutes, entrant, other, table = (None if number == _NONE else int(number) for number in numbers[:-1])
        scores = () if numbers[-1] == _NONE else tuple(map(int, numbers[-1].split("_")))
        return HostStep(StepKind(kind), minutes or 0, entrant, other, asked_in, table, scores)
    except ValueError:
        return None


def step_words(step: HostStep, night: Night, texts: Texts) -> str:
    """Return what a step does, for the middle of a line: `+5 min`, `Ana ⇄ Bruno`."""
    name, result = w.name_at(night, step.entrant), " — ".join(map(signed_points, step.scores))
    if step.kind in _BETWEEN:
        return f"{name} {_BETWEEN[step.kind]} {w.name_at(night, step.other)}"
    is_corrected = step.kind is StepKind.ENTER_RESULT and is_past(night, step.round)
    words = _CORRECTED if is_corrected else _WORDS[step.kind]
    return texts.t(words, minutes=step.minutes, name=name, number=step.table, result=result, round=step.round)


def log_line(done: DoneStep, night: Night, texts: Texts) -> str:
    """Return `21:34 Léa: +5 min`; struck through once it was undone."""
    name = w.at_time(done.at) + ("" if done.by is None else f" <@{done.by}>")
    line = texts.t("{name}: {value}", name=name, value=step_words(done.step, night, texts))
    return line if done.undone_at is None else f"~~{line}~~"
