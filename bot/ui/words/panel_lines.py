"""Those lines of a hand panel that seldom change: each is made of a few plain values, and remembered by them.

`bot.ui.words.panel_text` knows where a view has these values.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bot.game.signs.sign import Sign
from bot.game.signs.sign_plans import PlanKind, SignPlan
from bot.game.views import GestureInfo
from bot.ui.kit.names import called
from bot.ui.kit.text_width import clipped, width
from bot.ui.kit.texts import Texts
from bot.ui.words.scores import team_mark, team_name
from bot.ui.words.sign_emojis import shown_gesture
from bot.ui.words.sign_plans import plan_line
from bot.ui.words.table_text import EMPTY_SLOT, countdown

SMALL_LINE: Final = 26
"""The width of a line of small print on a phone, in ems (`bot.ui.kit.text_width`)."""
_MOST_GESTURES: Final = 4  # lines
_CUT_NAME: Final = 6.5  # ems
_CUT_NAME_OF_GESTURE: Final = 4.5
_CAPTION: Final = 17  # ems, of the words before the cards beyond reach
_SOME_TIME: Final = countdown(0)  # as wide as any
_REMEMBERED: Final = 512
"""Lines of a kind: as many as a hundred busy tables show."""


def small(line: str) -> str:
    """A line of small print."""
    return f"-# {line}"


def signed(points: int, *, plus: bool = False) -> str:
    """Points with a true minus."""
    return (f"{points:+}" if plus else str(points)).replace("-", "−")


def short_name(name: str) -> str:
    """A short name without the mark of a robot, which looks like a gesture."""
    return clipped(called(name), _CUT_NAME)


@lru_cache(_REMEMBERED)
def heading(texts: Texts, number: int, rounds: int | None, scores: tuple[int, ...]) -> str:
    """The round, of how many where that is fixed, and the score."""
    t = texts.t
    if rounds is None:
        title = t("Round {number}", number=number)
    else:
        title = t("Round {number} of {rounds}", number=number, rounds=rounds)
    won = [signed(points) for points in scores]
    if len(won) == 2:
        points = f"{team_name(0, texts)} · **{won[0]} — {won[1]}** · {team_name(1, texts)}"
    else:
        points = "\u2002".join(f"{team_mark(team)} **{points}**" for team, points in enumerate(won))
    return small(f"**{title}** · {points}")


@lru_cache(_REMEMBERED)
def gestures(
    texts: Texts,
    names: tuple[str, ...],
    reader: int,
    partners: tuple[int, ...],
    made: tuple[tuple[GestureInfo, int], ...],
) -> str:
    """A line for each seat as far as there is room: those who `made` a gesture, the newest first, then the others.

    `names` are by seat; `made` holds one gesture of a seat, and when it was made (milliseconds).
    """
    latest, seats = {item.seat: (item, at) for item, at in made}, len(names)
    still = [seat for seat in (*partners, reader, *range(seats)) if seat not in latest]
    order = [*latest, *dict.fromkeys(still)]
    lines = min(seats, _MOST_GESTURES)
    told = order[:lines] if seats <= lines else order[: lines - 1]
    missed = [seat for seat in partners if seat in latest and seat not in told]
    if missed:  # a partner's gesture is never cut off
        told = [*told[: -len(missed)], *missed][-len(told) :]
    shown = {seat: texts.t("you") if seat == reader else short_name(name) for seat, name in enumerate(names)}
    drawn = [_gesture(texts, shown[seat], latest.get(seat), seat, partners) for seat in told]
    if seats > lines:
        rest = (
            f"{shown[item.seat]} {clipped(shown_gesture(item.kind, item.text), _CUT_NAME)}"
            for item, _ in made
            if item.seat not in told
        )
        drawn.append(clipped(" · ".join(rest) or EMPTY_SLOT, SMALL_LINE))
    return "\n".join(map(small, drawn))


def _gesture(texts: Texts, name: str, made: tuple[GestureInfo, int] | None, seat: int, partners: Sequence[int]) -> str:
    t, is_partner, name = texts.t, seat in partners, name[:1].upper() + name[1:]
    if made is None:
        if is_partner:
            return t("{name}, your partner: no gesture yet", name=name)
        return t("{name}: no gesture yet", name=name)
    item, at = made
    when = countdown(at)
    line = t("**{name} {gesture}** your partner · {when}") if is_partner else t("{name} {gesture} · {when}")
    shown = shown_gesture(item.kind, item.text)
    told = line.format(name=name, gesture=shown, when=when)
    if width(told) > SMALL_LINE:
        name = clipped(name, _CUT_NAME_OF_GESTURE)
        told = line.format(name=name, gesture=shown, when=when)
    if width(told) <= SMALL_LINE:
        return told
    if is_partner and len(partners) == 1:
        name, line = "", t("**Your partner {gesture}** · {when}")
    room = SMALL_LINE - width(line.format(name=name, gesture="", when=when))
    return line.format(name=name, gesture=clipped(shown, room), when=when)


@lru_cache(_REMEMBERED)
def stock(texts: Texts, cards: int, discard: int) -> str:
    return texts.t("stock {stock} · discard {discard}", stock=cards, discard=discard)


@lru_cache(_REMEMBERED)
def next_step(texts: Texts, step: str, cards: int, discard: int) -> str:
    """What to do, above the numbers of cards."""
    return f"{small(step)}\n{small(stock(texts, cards, discard))}"


@lru_cache(_REMEMBERED)
def take_caption(texts: Texts, beyond: tuple[str, ...]) -> str:
    """What the rows of the pool are for; `beyond` are the labels of the cards that lie beyond them."""
    if not beyond:
        return small(texts.t("**Take** · a card from the middle"))
    return small(texts.t("**Take** · also in the middle: {cards}", cards=_as_many(beyond)))


@lru_cache(_REMEMBERED)
def _put_caption(texts: Texts, owes: int, is_timed: bool) -> str:
    if not owes:
        return small(clipped(texts.t("**Put down** · a card from your hand"), SMALL_LINE))
    line = texts.n("**Put down** · you owe {count} card", "**Put down** · you owe {count} cards", owes)
    return small(clipped(f"{line} · {_SOME_TIME}" if is_timed else line, SMALL_LINE))


def put_caption(texts: Texts, owes: int, until: int | None) -> str:
    """What the hand is for, or how many cards are owed, and until when."""
    line = _put_caption(texts, owes, until is not None)
    return line if until is None else line.replace(_SOME_TIME, countdown(until))


@lru_cache(_REMEMBERED)
def third_caption(texts: Texts, owes: int, ends: bool) -> str:
    """What is owed, and what the mark on a card means: three alike end the round, or sweep the pool."""
    mark = texts.t("⚠\ufe0e ends the round") if ends else texts.t("⚠\ufe0e sweeps")
    owed = texts.n("{count} card owed", "{count} cards owed", owes) if owes else None
    told = " · ".join(filter(None, (owed, mark)))
    return small(clipped(texts.t("**Put down** · {told}", told=told), SMALL_LINE))


def secret(line: str) -> str:
    """One of the two lines about the reader's secrets."""
    return small(clipped(line, SMALL_LINE))


@lru_cache(_REMEMBERED)
def own_signs(
    texts: Texts, plan: SignPlan | None, member: int, spent: frozenset[Sign], members: tuple[str, ...]
) -> tuple[str, str]:
    """What the team plays; then what the gestures below are worth, or how to make a sign that cannot be among them.

    `member` is the number of the reader in the team. `members` are its names where each has a sign of their own.
    """
    signs = () if plan is None else plan.signs_of(member, spent)
    own = secret(f"**{plan_line(plan, members, spent, texts)}**")
    return own, secret(_about_gestures(texts, plan, signs))


def _about_gestures(texts: Texts, plan: SignPlan | None, signs: tuple[Sign, ...]) -> str:
    t = texts.t
    if plan is not None and plan.kind is PlanKind.TOTAL:
        return t("Any of these gestures counts.")
    if not signs:
        return t("You have no sign now.")
    if any(sign.words for sign in signs):
        return t("One half is among these, say the other: `/kems sign`")
    if all(sign.needs_speech for sign in signs):
        return t("Say your sign: `/kems sign`")
    return t("It hides among these gestures:") if len(signs) == 1 else t("They hide among these gestures:")


def _as_many(labels: Sequence[str]) -> str:
    """As many labels as the line has room for, and how many more there are."""
    room = SMALL_LINE - _CAPTION
    for count in range(len(labels), 0, -1):
        more = f" +{len(labels) - count}" if count < len(labels) else ""
        line = " ".join(labels[:count]) + more
        if width(line) <= room:
            return line
    return f"+{len(labels)}"
