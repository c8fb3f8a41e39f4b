"""What the benchmarks say: each figure stands beside a reference of the same run, with its target and a verdict."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median


class Verdict(StrEnum):
    """Whether a figure meets its target; ``SHOWN`` has none."""

    MET = "met"
    MISSED = "missed"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class Target:
    """A bound for a figure's ratio to its reference, or, with ``is_absolute``, for the figure itself.

    `if_missed` says what a miss means and why it stands; the page shows it beside the verdict.
    """

    most: float | None = None
    least: float | None = None
    is_absolute: bool = False
    if_missed: str = ""

    def __str__(self) -> str:
        sign = "" if self.is_absolute else " x"
        if self.most is not None:
            return f"{self.most:g}{sign} or less"
        return "" if self.least is None else f"{self.least:g}{sign} or more"


def at_most(bound: float, if_missed: str = "") -> Target:
    return Target(most=bound, is_absolute=True, if_missed=if_missed)


def at_least(bound: float, if_missed: str = "") -> Target:
    return Target(least=bound, is_absolute=True, if_missed=if_missed)


@dataclass(frozen=True, slots=True)
class Figure:
    """Medians over interleaved rounds. ``rounds`` and ``references`` have one value a round, in ``unit``."""

    name: str
    unit: str
    rounds: tuple[float, ...]
    reference: str = ""
    references: tuple[float, ...] = ()
    target: Target = field(default_factory=Target)

    @property
    def value(self) -> float:
        return median(self.rounds)

    @property
    def ratios(self) -> tuple[float, ...]:
        return tuple(one / other for one, other in zip(self.rounds, self.references, strict=True) if other)

    @property
    def ratio(self) -> float | None:
        return median(self.ratios) if self.references and self.ratios else None

    @property
    def verdict(self) -> Verdict:
        judged = self.value if self.target.is_absolute else self.ratio
        bounds = (self.target.least, self.target.most)
        if judged is None or bounds == (None, None):
            return Verdict.SHOWN
        low, high = (bound if bound is not None else judged for bound in bounds)
        return Verdict.MET if low <= judged <= high else Verdict.MISSED

    @property
    def told_verdict(self) -> str:
        """The verdict; of a miss with its sentence."""
        is_explained = self.verdict is Verdict.MISSED and self.target.if_missed
        return f"{self.verdict}: {self.target.if_missed}" if is_explained else self.verdict


@dataclass(slots=True)
class Part:
    """One benchmark: its figures, what else is worth a line, and `answers` to what an operator asks, by question."""

    title: str
    method: str
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)


def told(number: float) -> str:
    """A number with three digits that count."""
    if number == 0 or abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}" if abs(number) >= 1 else f"{number:.3g}"


def spread(numbers: Sequence[float]) -> str:
    return f"{told(min(numbers))} to {told(max(numbers))}" if len(numbers) > 1 else ""
