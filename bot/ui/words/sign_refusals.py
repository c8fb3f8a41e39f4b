"""Why a sign was refused, in one line, as far as the presser's own view tells."""

from bot.game import actions as a
from bot.game.checks.refusals import Code
from bot.game.signs.sign import Sign, Strategy
from bot.game.signs.sign_cards import SignCard, fits_card
from bot.game.signs.sign_plans import SEVERAL, PlanKind, SignPlan
from bot.game.views import SeatView
from bot.tables.match.table_actions import LiveCode
from bot.ui.kit.texts import Texts
from bot.ui.words.sign_emojis import shown_sign
from bot.ui.words.strategies import CARD_NAMES


def sign_refusal(code: Code | LiveCode, action: a.Action, view: SeatView, texts: Texts) -> str | None:
    """The sentence, None where that of `refusal_text` is enough."""
    match code, action:
        case Code.SIGN_FORBIDDEN | Code.SIGN_TAKEN, a.ProposeSign(plan=plan) | a.AcceptSign(plan=plan):
            return _spent(plan, view, texts) or (_forbidden(plan, view, texts) if code is Code.SIGN_FORBIDDEN else None)
        case Code.SIGN_FORBIDDEN, a.GuessSign():
            most = len(view.table.members(view.team))
            return texts.n("Name {count} sign, no more.", "Name up to {count} signs, each once.", most)
        case Code.ALREADY_ANSWERED, a.GuessSign():
            return texts.t("That sign was found already: everybody knows.")
        case Code.ALREADY_ANSWERED, a.MakeGesture():
            return texts.t("Too many gestures in this round: this one counts after your next exchange.")
        case Code.ALREADY_ANSWERED, a.AccuseTeam():
            return texts.t("That was found out already: everybody knows.")
        case _:
            return None


def _spent(plan: SignPlan, view: SeatView, texts: Texts) -> str | None:
    spent = next((sign for sign in plan.signs if sign in view.spent), None)
    if spent is None:
        return None
    return texts.t("{sign} was found out and never comes back: choose another.", sign=shown_sign(spent))


def _forbidden(plan: SignPlan, view: SeatView, texts: Texts) -> str | None:
    t = texts.t
    if plan.kind not in view.options.kinds:
        return _wrong_kind(plan.kind, view, texts)
    if plan.presign and not view.options.presign:
        if Strategy.PRESIGN in view.lost:
            return t("Your team was asked to stop pre-sign: propose the sign without it.")
        return t("This table has not voted for pre-sign: propose the sign without it.")
    if said := next(filter(None, (_unfit(sign, view, texts) for sign in plan.signs)), None):
        return said
    return t("Only the sign that was found can be replaced: keep the other.") if view.is_half_found else None


def _wrong_kind(kind: PlanKind, view: SeatView, texts: Texts) -> str:
    t = texts.t
    if view.is_half_found:
        return t("One sign of two was found: replace it, or go on with the other one, openly.")
    if kind is not PlanKind.SINGLE and not SEVERAL.isdisjoint(view.lost):
        return t("Your team was found out: a single sign for the rest of the match.")
    if kind is PlanKind.TOTAL and Strategy.TOTAL in view.table.strategies:
        return t("Your sign card does not go with total: choose a sign that fits it.")
    return t("This table has not voted for that: one single sign for the team.")


def _unfit(sign: Sign, view: SeatView, texts: Texts) -> str | None:
    t, card = texts.t, view.sign_card
    if not sign.is_good:
        return t("The name of the game is no sign: choose other words.")
    if card is not None and not fits_card(sign, card):
        name = t(CARD_NAMES[card])
        if card is SignCard.WORD:
            return t("{sign} does not fit your sign card, {card}: write words.", sign=shown_sign(sign), card=name)
        return t("{sign} does not fit your sign card, {card}: take its emojis.", sign=shown_sign(sign), card=name)
    if sign.needs_speech and not view.options.spoken:
        return t("This table has not voted for spoken signs: choose emojis.")
    if sign.words and not view.options.combined:
        return t("A sign is either emojis or words, not both: 🍀, 🍀☕, or a few words.")
    return None
