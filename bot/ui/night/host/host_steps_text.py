"""The host's steps: as they stand in custom ids, in the log, and in the question before each."""

from typing import Final

from bot.nights.host_steps import DoneStep, HostStep, StepKind
from bot.nights.night import Night
from bot.ui.kit.texts import Texts, mark
from bot.ui.night.words import name_at
from bot.ui.words.scores import signed

_NONE: Final = "-"
_LABELS: Final = {
    StepKind.PAUSE_ALL: mark("⏸ Pause"),
    StepKind.RESUME_ALL: mark("▶ Go on"),
    StepKind.END_EARLY: mark("End early…"),
}


def write_step(step: HostStep, night: Night) -> str:
    """A step as a part of a custom id, with the round in which it was asked for."""
    numbers = (step.minutes, step.entrant, step.other, step.table)
    words = (step.kind.value, len(night.rounds), *(_NONE if one is None else one for one in numbers))
    return ".".join(map(str, (*words, "_".join(map(str, step.scores)) or _NONE)))


def read_step(word: str, night: Night) -> HostStep | None:
    """The step that a custom id asks for; None for a forged one, and for one of another round."""
    match word.split("."):
        case [kind, asked_in, minutes, entrant, other, table, scores] if kind in set(StepKind):
            try:
                if int(asked_in) != len(night.rounds):
                    return None
                return HostStep(
                    StepKind(kind),
                    minutes=int(minutes),
                    entrant=_number(entrant),
                    other=_number(other),
                    round=len(night.rounds) or None,
                    table=_number(table),
                    scores=() if scores == _NONE else tuple(map(int, scores.split("_"))),
                )
            except ValueError:
                return None
    return None


def step_label(kind: StepKind, texts: Texts) -> str:
    return texts.t(_LABELS[kind])


def step_words(step: HostStep, night: Night, texts: Texts) -> str:
    """What a step does, in the middle of a line: `+5 min`, `Ana ⇄ Bruno`."""
    t = texts.t
    match step.kind:
        case StepKind.PAUSE_ALL:
            return t("all tables paused")
        case StepKind.RESUME_ALL:
            return t("all tables go on")
        case StepKind.ADD_TIME:
            return t("+{minutes} min", minutes=step.minutes)
        case StepKind.DROP:
            return t("{name} dropped", name=name_at(night, step.entrant))
        case StepKind.SWAP:
            return f"{name_at(night, step.entrant)} ⇄ {name_at(night, step.other)}"
        case StepKind.ENTER_RESULT:
            result = " — ".join(map(signed, step.scores))
            return t("table {number}: {result}", number=step.table, result=result)
        case StepKind.RESTART_TABLE:
            return t("table {number} dealt from the beginning", number=step.table)
        case StepKind.END_EARLY:
            return t("end after this round")


def step_costs(step: HostStep, night: Night, texts: Texts) -> list[str]:
    """What a step costs, for the question before it."""
    t = texts.t
    match step.kind:
        case StepKind.PAUSE_ALL:
            return [t("Every table and the round's time stand still until you go on.")]
        case StepKind.RESUME_ALL:
            return [t("Every table and the round's time go on where they stopped.")]
        case StepKind.ADD_TIME:
            return [t("Time is called so much later; in a break the next round begins later.")]
        case StepKind.DROP:
            return [t("They play no further round; what they have scored stays.")]
        case StepKind.SWAP:
            costs = [
                t("They change places. Both tables are dealt from the beginning, and what was scored there is lost.")
            ]
            if night.plan.format.has_pairs:
                costs.append(t("Each stands in for the other: the results stay with the pairs that signed up."))
            return costs
        case StepKind.ENTER_RESULT:
            return [t("The table is closed with this result, and it counts for the standings.")]
        case StepKind.RESTART_TABLE:
            return [t("What was played at this table is lost.")]
        case StepKind.END_EARLY:
            return [t("Time is called at every table, and no round follows.")]


def log_line(done: DoneStep, night: Night, texts: Texts) -> str:
    """`21:34 Léa: +5 min`; struck through once it was taken back."""
    who = "" if done.by is None else f" <@{done.by}>"
    words = step_words(done.step, night, texts)
    line = f"<t:{done.at // 1000}:t>{who}: {words}"
    return line if done.taken_back_at is None else f"~~{line}~~"


def _number(word: str) -> int | None:
    return None if word == _NONE else int(word)
