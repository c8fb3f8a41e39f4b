"""How a team signals: one sign, or one of the strategies that a vote may allow (sheet 000, "Raffinements")."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from enum import StrEnum
from typing import Final

from bot.game.signs.sign import GestureKind, Sign, Strategy, emoji_sign, gesture_makes
from bot.game.value import value

FEWEST_SIGNS: Final = 3
MOST_SIGNS: Final = 6
"""An intermediate multi-sign has "3,4,5 ou 6 signes"."""


class PlanKind(StrEnum):
    """How many signs a team plays with (multisigne)."""

    SINGLE = "single"
    DOUBLE = "double"
    INTERMEDIATE = "intermediate"
    TOTAL = "total"


_DOUBLE: Final = PlanKind.DOUBLE  # read with each view
SEVERAL: Final = frozenset({Strategy.DOUBLE, Strategy.INTERMEDIATE, Strategy.TOTAL})
"""The strategies that a team may not play again once found out ("signe unique pour le reste de la partie")."""


@value
class SignPlan:
    """A team's agreement: `signs` are one, one for each member in seating order, three to six, or none ("total").

    With `presign` the sign may be made at three alike already (pré-signe).
    """

    kind: PlanKind
    signs: tuple[Sign, ...] = ()
    presign: bool = False

    @property
    def strategies(self) -> frozenset[Strategy]:
        """Returns the strategies that a vote must have allowed."""
        needed = set() if self.kind is PlanKind.SINGLE else {Strategy(self.kind.value)}
        if self.presign:
            needed.add(Strategy.PRESIGN)
        if any(sign.needs_speech for sign in self.signs):
            needed.add(Strategy.SPOKEN)
        return frozenset(needed)

    def has_shape(self, members: int) -> bool:
        """Returns whether the number of signs fits the kind, for a team of so many members."""
        count = len(self.signs)
        match self.kind:
            case PlanKind.SINGLE:
                return count == 1
            case PlanKind.DOUBLE:
                return count == members > 1
            case PlanKind.INTERMEDIATE:
                return FEWEST_SIGNS <= count <= MOST_SIGNS
            case PlanKind.TOTAL:  # pragma: no branch  # mypy proves the match complete
                return count == 0

    def with_successors(self, found: Collection[Sign], successors: Iterable[Sign]) -> "SignPlan":
        """Returns the plan with the signs that were `found` replaced, in their order.

        Raises:
            ValueError: there are not as many successors.
        """
        fresh = list(successors)
        old = [sign for sign in self.signs if sign in found]
        by_old = dict(zip(old, fresh, strict=True))
        return replace(self, signs=tuple(by_old.get(sign, sign) for sign in self.signs))

    def signs_of(self, member: int, found: Collection[Sign] = ()) -> tuple[Sign, ...]:
        """Returns the signs that `member` (in seating order) makes; of a double sign, none once it is `found`."""
        if self.kind is _DOUBLE:
            return () if self.signs[member] in found else (self.signs[member],)
        return self.signs

    def signs_by_member(self, members: int, found: Collection[Sign] = ()) -> tuple[tuple[Sign, ...], ...]:
        """Returns `signs_of` each of so many members."""
        if self.kind is _DOUBLE:
            return tuple([self.signs_of(member, found) for member in range(members)])
        return (self.signs,) * members

    def sign_made(self, member: int, kind: GestureKind, text: str, found: Collection[Sign] = ()) -> Sign | None:
        """Returns the sign that a gesture of `member` makes or is a half of, None for a bluff.

        "Total" takes any gesture but words.
        """
        if self.kind is PlanKind.TOTAL:
            return None if kind is GestureKind.SAY else emoji_sign(text)
        signs = self.signs_of(member, found)
        return next((sign for sign in signs if gesture_makes(kind, text, sign)), None)


@value
class PlanOptions:
    """What a team may propose now: plans of these kinds, with pre-sign or not, with spoken or combined signs or not."""

    kinds: tuple[PlanKind, ...]
    presign: bool
    spoken: bool
    combined: bool = False


def one_sign(sign: Sign, *, presign: bool = False) -> SignPlan:
    """Returns the usual agreement: a single sign for the whole team."""
    return SignPlan(PlanKind.SINGLE, (sign,), presign)
