"""How a team signals, in words: `👀`, `presign 👀`, `👀 🍀 🎲`, `total`, `A 👀 C 🍀`; spoken: `say:what_weather`."""

from collections.abc import Sequence
from typing import Final

from bot.game.notation.document import KgnError
from bot.game.signs import (
    FEWEST_SIGNS,
    MOST_SIGNS,
    PlanKind,
    Sign,
    SignPlan,
    combined_sign,
    emoji_sign,
    one_sign,
    spoken_sign,
)

_SAY: Final = "say:"
_PRESIGN: Final = "presign"
_TOTAL: Final = "total"
_LANGUAGE: Final = f"one sign, {FEWEST_SIGNS} to {MOST_SIGNS}, one for each player of the team, or {_TOTAL}"


def read_sign(word: str) -> Sign:
    """Returns the sign that a word names; `👀+say:what_weather` is a combined one."""
    emojis, both, words = word.partition(f"+{_SAY}")
    if both:
        return combined_sign(emojis, words.replace("_", " "))
    return spoken_sign(word.removeprefix(_SAY).replace("_", " ")) if word.startswith(_SAY) else emoji_sign(word)


def sign_word(sign: Sign) -> str:
    if sign.words:
        return f"{sign.text}+{_SAY}{sign.words.replace(' ', '_')}"
    return _SAY + sign.text.replace(" ", "_") if sign.is_spoken else sign.text


def read_plan(line: int, words: Sequence[str], members: Sequence[str]) -> SignPlan:
    """Returns a team's agreement; `members` names its seats in order. Raises KgnError where the words are none."""
    presign = _PRESIGN in words[:1]
    rest = list(words[1:] if presign else words)
    if rest == [_TOTAL]:
        return SignPlan(PlanKind.TOTAL, (), presign)
    if rest and set(rest[::2]) == set(members) and len(rest) == 2 * len(members):
        by_name = dict(zip(rest[::2], rest[1::2], strict=True))
        return SignPlan(PlanKind.DOUBLE, tuple(read_sign(by_name[name]) for name in members), presign)
    if len(rest) == 1:
        return one_sign(read_sign(rest[0]), presign=presign)
    if FEWEST_SIGNS <= len(rest) <= MOST_SIGNS:
        return SignPlan(PlanKind.INTERMEDIATE, tuple(map(read_sign, rest)), presign)
    raise KgnError(line, _LANGUAGE, repr(" ".join(words)))


def plan_words(plan: SignPlan, members: Sequence[str]) -> str:
    """Returns the agreement as `read_plan` reads it."""
    words = [_PRESIGN] if plan.presign else []
    match plan.kind:
        case PlanKind.TOTAL:
            words.append(_TOTAL)
        case PlanKind.DOUBLE:
            words += (f"{name} {sign_word(sign)}" for name, sign in zip(members, plan.signs, strict=True))
        case PlanKind.SINGLE | PlanKind.INTERMEDIATE:  # pragma: no branch  # mypy proves the match complete
            words += map(sign_word, plan.signs)
    return " ".join(words)


def head_words(team: int, plan: SignPlan, members: Sequence[str]) -> str:
    """Returns the agreement as a part of the head's `[Signs]`: a double sign names its players, any other the team."""
    if plan.kind is not PlanKind.DOUBLE:
        return f"#{team + 1} {plan_words(plan, members)}"
    presign = f" {_PRESIGN}" if plan.presign else ""
    return " / ".join(f"{name}{presign} {sign_word(sign)}" for name, sign in zip(members, plan.signs, strict=True))


def read_signs(line: int, text: str, teams: Sequence[Sequence[str]]) -> tuple[SignPlan, ...]:
    """Returns the head's `[Signs "#1 👀 / A 🎲 / C 🍀"]` by team; `teams` are the names of each team's seats.

    Raises KgnError: a team without a sign, or words that are none.
    """
    words: dict[int, list[str]] = {}
    for part in text.split("/"):
        who, *rest = part.split() or [""]
        team = next((team for team, names in enumerate(teams) if who in (f"#{team + 1}", *names)), None)
        if team is None or (who.startswith("#") and team in words):
            raise _missing(line, text, len(teams))
        if who.startswith("#"):
            words[team] = rest
        else:
            is_presign = rest[:1] == [_PRESIGN]
            said = words.setdefault(team, [])
            if is_presign and said[:1] != [_PRESIGN]:
                said.insert(0, _PRESIGN)
            said += (who, *(rest[1:] if is_presign else rest))
    if len(words) < len(teams):
        raise _missing(line, text, len(teams))
    return tuple(read_plan(line, words[team], names) for team, names in enumerate(teams))


def _missing(line: int, text: str, teams: int) -> KgnError:
    return KgnError(line, "a sign for each of " + " ".join(f"#{team + 1}" for team in range(teams)), repr(text))
