"""How a team signals, in words for the team alone: its plan, its sign card, which of its signs were found out."""

import hashlib
from collections.abc import Collection
from typing import Final

from bot.discord.text.texts import Texts
from bot.game.events import Phase
from bot.game.rules.rules import SignChange
from bot.game.signs import SEVERAL, PlanKind, Sign, SignCard, SignPlan, Strategy, family
from bot.game.views import SeatView
from bot.ui.words.signs import shown_sign, with_variation_selectors
from bot.ui.words.table_text import EMPTY_SLOT, TableText

_DIGEST_BYTES: Final = 8
_BETWEEN_ROUNDS: Final = frozenset({Phase.SIGNS, Phase.OVER, Phase.MATCH_OVER})


def plan_words(plan: SignPlan, view: SeatView, table_text: TableText, found: Collection[Sign] = ()) -> str:
    """Return the plan of the reader's team, for mid-sentence; `found` are its signs that opponents know."""
    t = table_text.texts.t
    written = [t("{sign} (found)", sign=shown_sign(sign)) if sign in found else shown_sign(sign) for sign in plan.signs]
    match plan.kind:
        case PlanKind.TOTAL:
            words = t("total (any gesture counts)")
        case PlanKind.DOUBLE:
            members = view.table.members(view.team)
            names = [t("you") if seat == view.seat else table_text.name(seat) for seat in members]
            words = " · ".join(map(" ".join, zip(names, written, strict=True)))
        case _:
            words = " ".join(written)
    return t("{plan} + pre-sign", plan=words) if plan.presign else words


def own_plan(view: SeatView, table_text: TableText) -> str:
    """Return the plan of the reader's team as a sentence: `Your sign: 🎩`."""
    t, plan = table_text.texts.t, view.plan
    if plan is None:
        return t("Your sign: {sign}", sign=EMPTY_SLOT)
    words = plan_words(plan, view, table_text, view.spent)
    match plan.kind:
        case PlanKind.SINGLE:
            return t("Your sign: {sign}", sign=words)
        case PlanKind.TOTAL:
            return t("You play {plan}", plan=words)
        case PlanKind.DOUBLE | PlanKind.INTERMEDIATE:
            return t("Your signs: {signs}", signs=words)


def short_plan(view: SeatView, texts: Texts) -> str:
    """Return only the player's own sign, or the signs of the team in the order of its members."""
    plan = view.plan
    if plan is None:
        return EMPTY_SLOT
    written = texts.t("any gesture") if plan.kind is PlanKind.TOTAL else " ".join(map(shown_sign, plan.signs))
    return f"{written} +" if plan.presign else written


def trouble(view: SeatView, table_text: TableText) -> str | None:
    """Return which of the team's signs opponents have found out, if the team should react now."""
    t = table_text.texts.t
    if view.plan is not None and view.is_half_found:
        found = [sign for sign in view.plan.signs if sign in view.spent]
        return table_text.texts.n(
            "⚠️ {signs} was found: replace it in silence, or go on with a single sign, openly.",
            "⚠️ {signs} were found: replace them in silence, or go on with a single sign, openly.",
            len(found),
            signs=" ".join(map(shown_sign, found)),
        )
    if view.table.phase is Phase.SIGNS:
        return None
    change = view.table.rules.signs.sign_change
    if view.plan is None and change is SignChange.ONCE:
        return t("⚠️ Your team needs a new sign.")
    if view.is_sign_shown and view.may_change_sign:
        return t("⚠️ This round gave your sign away.")
    if view.plan is None:
        return t("⚠️ Your signs were found out: choose one single sign.")
    if not view.may_change_sign or change is SignChange.ALWAYS or view.table.phase in _BETWEEN_ROUNDS:
        return None
    if any(report.team == view.team for report in view.table.reports):
        return t("⚠️ An opponent has guessed at your sign: you may change it.")
    return t("⚠️ A counter: your team may change its sign.")


def losses(view: SeatView, texts: Texts) -> str | None:
    """Return what the team may no longer use, since it was found out; None if nothing."""
    lost = []
    if not SEVERAL.isdisjoint(view.lost):
        lost.append(texts.t("a single sign for the rest of the match"))
    if Strategy.PRESIGN in view.lost:
        lost.append(texts.t("no pre-sign any more"))
    return "-# " + texts.t("Found out: {lost}.", lost=" · ".join(lost)) if lost else None


def card_line(card: SignCard, texts: Texts) -> str:
    """Return a team's sign card and the signs that fit it."""
    t = texts.t
    line = t("Sign card: **{card}**", card=t(card.words)) + " · "
    match card:
        case SignCard.IDEA:
            return line + t("your sign is free")
        case SignCard.WORD:
            line += t("words, or emojis of this kind:")
        case _:
            line += t("one emoji of this kind, or a few:")
    return f"{line} {''.join(map(with_variation_selectors, family(card)))}"


def plan_digest(plan: SignPlan) -> str:
    """Return a short name of a plan for a custom id; different plans have different names."""
    words = [plan.kind.value, str(plan.presign), *(f"{sign.is_spoken} {sign.text} {sign.words}" for sign in plan.signs)]
    return hashlib.blake2b("\n".join(words).encode(), digest_size=_DIGEST_BYTES).hexdigest()
