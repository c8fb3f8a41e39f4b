"""Why something was refused, in one helpful line; also which rule an unknown name may stand for.

A name is compared by the words in it, in any language, then by its spelling.
"""

import re
import unicodedata
from difflib import SequenceMatcher
from functools import cache
from typing import Final, TypeVar

import discord

from bot.discord.api.components import link_to
from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.api.refusals import MAX_TYPED, sentence_of
from bot.discord.text.names import display_name, escape_markdown
from bot.discord.text.texts import LANGUAGES, Texts, mark, texts_for
from bot.game import actions as a
from bot.game.checks.refusals import Code
from bot.game.rules.house_rules import RuleProblem, RulesError
from bot.game.rules.rules import AXES
from bot.game.signs import SEVERAL, PlanKind, Sign, SignCard, SignPlan, Strategy, fits_card
from bot.game.views import SeatView
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table_actions import TableRefusalCode
from bot.ui.words.rule_names import label, preset_name, rule_words, value_words
from bot.ui.words.signs import shown_sign
from bot.ui.words.table_text import countdown

MOST: Final = 5  # names in a hint
_SPELLED: Final = 0.75  # how alike two names are at least, from 0 to 1
_SURELY: Final = 0.85  # so alike that it is a slip of the pen
_NOTHING: Final = (0, 0.0)
_SHORT: Final = 3  # letters of a word that has no plural
_WORD: Final = re.compile(r"[a-z0-9]+")
_EMPTY: Final = frozenset({"max", "at", "of", "by", "in"})  # words of names that say nothing by themselves


def likely_axes(name: str) -> list[str]:
    """Return up to `MOST` axes that a mistyped name may mean, likeliest first; none if it resembles none."""
    by_spelling = sorted(AXES, key=lambda axis: -_alike(name, axis))
    near = [axis for axis in by_spelling if _alike(name, axis) >= _SPELLED]
    if near and _alike(name, near[0]) >= _SURELY:
        return near[:1]
    wanted = _words(name)
    best = max(_shared(wanted, axis) for axis in AXES)
    by_meaning = [axis for axis in by_spelling if best > _NOTHING and _shared(wanted, axis) == best]
    return by_meaning[:MOST] or near[:MOST]


def _alike(name: str, axis: str) -> float:
    return SequenceMatcher(None, name.lower(), axis).ratio()


def _shared(wanted: frozenset[str], axis: str) -> tuple[int, float]:
    """Return how many words an axis shares with a name, and which share of the axis' name or label they are.

    Words of the axis' name count twice.
    """
    own, labels = _words(axis), _labels(axis)
    meant = _words(AXES[axis].hints).union(*labels) - own
    count = 2 * len(wanted & own) + len(wanted & meant)
    return count, max(len(wanted & words) / len(words) for words in ((own,) if wanted & own else labels))


@cache
def _labels(axis: str) -> tuple[frozenset[str], ...]:
    """Return the words of an axis' label in each language."""
    return tuple(_words(label(axis, texts_for(language))) for language in LANGUAGES)


def _words(text: str) -> frozenset[str]:
    """Return the words of a text without accents, in the singular."""
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    words = (word.removesuffix("s") if len(word) > _SHORT else word for word in _WORD.findall(plain))
    return frozenset(words) - _EMPTY


T = TypeVar("T")

STUCK: Final = mark("⚠️ **The bot cannot save anything just now.** The match waits; nothing is lost.")
"""The line of a table that waits for the store."""


def lobby_refusal(code: LobbyCode, texts: Texts) -> RefusedError:
    """Return the error that refuses a press for this reason."""
    return RefusedError(lobby_refusal_text(LobbyRefusal(code), texts))


def unwrap(outcome: T | LobbyRefusal, texts: Texts) -> T:
    """Return the outcome of a change.

    Raises:
        RefusedError: The change was refused.
    """
    if isinstance(outcome, LobbyRefusal):
        raise RefusedError(lobby_refusal_text(outcome, texts))
    return outcome


def refusal_text(
    code: Code | TableRefusalCode,
    texts: Texts,
    *,
    card: str | None = None,
    by: str | None = None,
    next_pause_at: int | None = None,
    until: int | None = None,
) -> str:
    """Return the sentence for a refused move.

    Args:
        code: Why it was refused.
        texts: The presser's texts.
        card: The name of the pressed card.
        by: The name of the player who was faster, if known.
        next_pause_at: The instant from which the match may be paused (milliseconds).
        until: The instant at which the bot makes the move (milliseconds).
    """
    if until is not None:
        return texts.t(code.words, when=countdown(until))
    if code is TableRefusalCode.PAUSED_LATELY and next_pause_at is not None:
        return texts.t(
            "The match was paused a short while ago: you can pause it again {when}. Moderators who do not play can at"
            " any time.",
            when=countdown(next_pause_at),
        )
    if code is Code.NOT_IN_POOL and card is not None:
        if by is not None:
            return texts.t("Too late: {name} has just taken {card}.", name=by, card=card)
        return texts.t("Too late: {card} is no longer in the middle.", card=card)
    return texts.t(code.words)


def lobby_refusal_text(refusal: LobbyRefusal, texts: Texts) -> str:
    """Return the sentence for a refused change of a lobby, with links to the tables that stand in its way."""
    if refusal.awaited:
        names = ", ".join(display_name(player) for player in refusal.awaited)
        return texts.t("The secret vote awaits {names}; the host can go on without it.", names=names)
    if refusal.until is not None:
        return texts.t(
            "The host starts the match. If the host does nothing, you can {when}.", when=countdown(refusal.until)
        )
    return " ".join([texts.t(refusal.code), *dict.fromkeys(map(_link, refusal.places))])


def former_table_text(place: TableChannel, texts: Texts) -> str:
    """Return the answer to a second request for a table while the first one is still being answered."""
    return texts.t("Your table is already open: {link}", link=_link(place))


def playing_text(place: TableChannel, texts: Texts) -> str:
    """Return the answer to a person who asks for a table while they are playing at another one."""
    return texts.t("You are playing here: {link}. Leave with {/leave} to play at another table.", link=_link(place))


def _link(place: TableChannel) -> str:
    return link_to(place.guild_id, place.channel_id, place.message_id)


@sentence_of.register
def _(error: RulesError, interaction: discord.Interaction) -> str:
    return rules_error_text(error, texts_of(interaction))


def rules_error_text(error: RulesError, texts: Texts) -> str:
    """Return why these rules or this table cannot be played; what the presser typed is escaped."""
    values = {
        name: escape_markdown(detail, MAX_TYPED) if isinstance(detail, str) else detail
        for name, detail in error.details.items()
    }
    name, known = str(error.details.get("name")), str(error.details.get("known", "")).split(", ")
    if name in AXES:
        values["name"] = label(name, texts)
    match error.problem:
        case RuleProblem.NO_EFFECT:
            values["needed"] = rule_words(str(error.details["other"]), str(error.details["value"]), texts)
        case RuleProblem.UNKNOWN_PRESET:
            values["known"] = ", ".join(preset_name(preset, texts) for preset in known)
        case RuleProblem.BAD_VALUE:
            values["known"] = ", ".join(value_words(name, value, texts) for value in known)
        case RuleProblem.UNKNOWN_AXIS:
            typed = escape_markdown(name, MAX_TYPED)
            meant = ", ".join(texts.t("“{name}”", name=label(axis, texts)) for axis in likely_axes(name))
            if not meant:
                return texts.t("There is no rule named “{name}”: the table's *Settings…* list all of them.", name=typed)
            return texts.t(
                "There is no rule named “{name}”. Perhaps {rules}: choose it in the table's *Settings…*.",
                name=typed,
                rules=meant,
            )
    return texts.t(error.problem.value, **values)


def sign_refusal(code: Code | TableRefusalCode, action: a.Action, view: SeatView, texts: Texts) -> str | None:
    """Return a sentence for a refused sign; None if `refusal_text` has the right one."""
    match code, action:
        case Code.SIGN_FORBIDDEN | Code.SIGN_TAKEN, a.ProposeSign(plan=plan) | a.AcceptSign(plan=plan):
            for sign in plan.signs:
                if sign in view.spent:
                    return texts.t("{sign} never comes back in this match: choose another.", sign=shown_sign(sign))
            return _forbidden(plan, view, texts) if code is Code.SIGN_FORBIDDEN else None
        case Code.SIGN_FORBIDDEN, a.GuessSign():
            most = len(view.table.members(view.team))
            return texts.n("Name {count} sign, no more.", "Name up to {count} signs, each once.", most)
        case Code.ALREADY_ANSWERED, a.GuessSign():
            return texts.t("That sign has already been found: everybody knows it.")
        case Code.ALREADY_ANSWERED, a.MakeGesture():
            return texts.t("Too many gestures: exchange a card first.")
        case Code.ALREADY_ANSWERED, a.AccuseTeam():
            return texts.t("That has already been found out: everybody knows.")
        case _:
            return None


def _forbidden(plan: SignPlan, view: SeatView, texts: Texts) -> str | None:
    t = texts.t
    if plan.kind not in view.options.kinds:
        return _wrong_kind(plan.kind, view, texts)
    if plan.presign and not view.options.presign:
        if Strategy.PRESIGN in view.lost:
            return t("Your team was asked to stop pre-sign: propose the sign without it.")
        return t("This table has not voted for pre-sign: propose the sign without it.")
    if sentence := next(filter(None, (_unfit(sign, view, texts) for sign in plan.signs)), None):
        return sentence
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
        name = t(card.words)
        if card is SignCard.WORD:
            return t("{sign} does not fit your sign card, {card}: write words.", sign=shown_sign(sign), card=name)
        return t("{sign} does not fit your sign card, {card}: take its emojis.", sign=shown_sign(sign), card=name)
    if sign.needs_speech and not view.options.spoken:
        return t("This table has not voted for spoken signs: choose emojis.")
    if sign.words and not view.options.combined:
        return t("A sign is either emojis or words, not both: 🍀, 🍀☕, or a few words.")
    return None
