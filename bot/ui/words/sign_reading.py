"""Reads what a player types as signs: emojis, phrases of them, words where they are allowed."""

import re
from collections.abc import Collection
from typing import Final

import emoji

from bot.game.actions import MakeGesture
from bot.game.signs import (
    FEWEST_SIGNS,
    MOST_SIGNS,
    GestureKind,
    PlanKind,
    Sign,
    SignPlan,
    combined_sign,
    emoji_sign,
    one_sign,
    spoken_sign,
)
from bot.game.views import SeatView
from bot.ui.kit.failures import SentenceError
from bot.ui.kit.texts import Texts
from bot.ui.words.signs import CUSTOM_EMOJI, fits_an_id

MAX_EMOJIS: Final = 5
MAX_SPOKEN: Final = 60  # characters of words that are a sign
MAX_SAID: Final = 200  # characters of a message in which such words may be
_BETWEEN: Final = re.compile(r"[,;\n\u060c\u3001\uff0c]")


class SignTextError(SentenceError):
    """A text is no sign."""


def is_emojis(written: str) -> bool:
    """Whether a text is made of emojis alone, server emojis (`<:name:id>`) among them."""
    phrase = "".join(written.split())
    plain = CUSTOM_EMOJI.sub("", phrase)
    return bool(phrase) and (not plain or emoji.purely_emoji(plain))


def read_sign(written: str, texts: Texts, usable: Collection[int] | None = None, *, spoken: bool = False) -> Sign:
    """The sign that a player typed: one emoji or a phrase of up to five, or where `spoken`, words, or `🍀 + words`.

    `usable` are the ids of the server emojis that the bot can show, None for all. Raises SignTextError for other texts.
    """
    if is_emojis(written):
        return _read_emojis("".join(written.split()), texts, usable)
    emojis, both, words = written.partition("+")
    if spoken and both and is_emojis(emojis):
        seen = _read_emojis("".join(emojis.split()), texts, usable)
        return combined_sign(seen.text, read_sign(words, texts, spoken=True).text)
    if not spoken:
        raise SignTextError(texts.t("A sign is one emoji or a few of them, and nothing else: 🍀 or 🍀☕."))
    sign = spoken_sign(written)
    if not sign.text or emoji.emoji_count(written) or CUSTOM_EMOJI.search(written):
        raise SignTextError(texts.t("A sign is either emojis or words, not both: 🍀, 🍀☕, or a few words."))
    if len(sign.text) > MAX_SPOKEN:
        raise SignTextError(texts.t("That is too long for a sign: {most} characters at most.", most=MAX_SPOKEN))
    return sign


def read_signs(
    written: str, texts: Texts, usable: Collection[int] | None = None, *, spoken: bool = False
) -> tuple[Sign, ...]:
    """The signs that a player typed, between commas or lines. Raises SignTextError, also for a sign written twice."""
    parts = [part for part in _BETWEEN.split(written) if part.strip()] or [""]
    signs = tuple(read_sign(part, texts, usable, spoken=spoken) for part in parts)
    if len(set(signs)) < len(signs):
        raise SignTextError(texts.t("You wrote the same sign twice: each of them once is enough."))
    return signs


def read_gesture(written: str, view: SeatView, texts: Texts) -> MakeGesture:
    """What a player posts: emojis, or words where words may be a gesture, which are cut. Raises SignTextError."""
    if is_emojis(written):
        read_sign(written, texts)
        return MakeGesture(view.seat, GestureKind.POST, written)
    if not view.may_speak:
        raise SignTextError(texts.t("Only emojis count as gestures here: 🍀 or 🍀☕."))
    words = " ".join(written.split())
    if len(words) > MAX_SAID:
        words = words[:MAX_SAID].rpartition(" ")[0] or words[:MAX_SAID]
    return MakeGesture(view.seat, GestureKind.SAY, words)


def read_plan(
    kind: PlanKind,
    written: str,
    view: SeatView,
    texts: Texts,
    usable: Collection[int] | None = None,
    *,
    presign: bool = False,
) -> SignPlan:
    """What a player proposes: a plan of this kind with these signs; of a double that was found, the successors alone.

    Raises SignTextError, also for too few signs or too many.
    """
    spoken = view.options.spoken
    if kind is PlanKind.TOTAL:
        if written.strip():
            raise SignTextError(texts.t("A team that plays total has no sign: leave that field empty."))
        return SignPlan(kind, (), presign)
    signs = read_signs(written, texts, usable, spoken=spoken)
    if view.is_half_found and kind is PlanKind.DOUBLE:
        return successors(view, signs, texts)
    if kind is PlanKind.SINGLE and len(signs) > 1 and all(sign.is_spoken for sign in signs):
        return one_sign(read_sign(written, texts, spoken=True), presign=presign)  # a phrase with a comma in it
    plan = SignPlan(kind, signs, presign)
    members = len(view.member_signs)
    if not plan.has_shape(members):
        raise SignTextError(_how_many(kind, members, len(signs), texts))
    return plan


def successors(view: SeatView, signs: Collection[Sign], texts: Texts) -> SignPlan:
    """The team's double sign with its found signs replaced. Raises SignTextError unless there are as many new ones."""
    assert view.plan is not None, "half of it was found"
    try:
        return view.plan.with_successors(view.spent, signs)
    except ValueError:
        sentence = texts.n(
            "{count} sign was found: write as many new ones.",
            "{count} signs were found: write as many new ones, with commas between them.",
            len(view.spent.intersection(view.plan.signs)),
        )
        raise SignTextError(sentence) from None


def _how_many(kind: PlanKind, members: int, count: int, texts: Texts) -> str:
    n = texts.n
    written = n("you wrote {count} sign", "you wrote {count} signs", count)
    told = {"members": members, "fewest": FEWEST_SIGNS, "most": MOST_SIGNS, "written": written}
    match kind:
        case PlanKind.DOUBLE:
            return texts.t("One sign for each of you makes {members}, with commas between them; {written}.", **told)
        case PlanKind.INTERMEDIATE:
            return texts.t("That takes {fewest} to {most} signs, with commas between them; {written}.", **told)
        case _:
            return texts.t("That takes one single sign; {written}.", **told)


def _read_emojis(phrase: str, texts: Texts, usable: Collection[int] | None) -> Sign:
    customs = [int(found[3]) for found in CUSTOM_EMOJI.finditer(phrase)]
    sign = emoji_sign(phrase)
    if emoji.emoji_count(CUSTOM_EMOJI.sub("", phrase)) + len(customs) > MAX_EMOJIS or not fits_an_id(sign):
        raise SignTextError(texts.t("That is too long for a sign: {most} emojis at most.", most=MAX_EMOJIS))
    if usable is not None and not set(customs) <= set(usable):
        raise SignTextError(texts.t("I cannot show that emoji: choose one of this server, or an ordinary one."))
    return sign
