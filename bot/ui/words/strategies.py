"""The sign strategies and the sign cards in words: what each of them is, and what comes of being found out."""

from collections.abc import Collection
from typing import Final

from bot.game.rules.parts import Rules
from bot.game.signs.sign import Strategy
from bot.game.signs.sign_cards import SignCard, family
from bot.ui.kit.texts import Texts, mark
from bot.ui.words.sign_emojis import qualified

_NAMES: Final = {
    Strategy.DOUBLE: mark("double sign"),
    Strategy.INTERMEDIATE: mark("3 to 6 signs"),
    Strategy.TOTAL: mark("total multi-sign"),
    Strategy.PRESIGN: mark("pre-sign"),
    Strategy.SPOKEN: mark("spoken signs"),
}
_EXPLAINED: Final = {
    Strategy.DOUBLE: mark("**Double sign**: each partner has a sign of their own."),
    Strategy.INTERMEDIATE: mark("**3 to 6 signs**: the team alternates, until one of them is found."),
    Strategy.TOTAL: mark("**Total multi-sign**: no sign at all, any gesture counts, until an opponent says so."),
    Strategy.PRESIGN: mark("**Pre-sign**: the sign at three alike already, until an opponent asks you to stop."),
    Strategy.SPOKEN: mark("**Spoken signs**: a word agreed on, said in the chat; never about the cards."),
}
_FOUND_OUT: Final = {
    Strategy.DOUBLE: mark("One found: replaced in silence, or a single sign openly. All named: one single new sign."),
    Strategy.INTERMEDIATE: mark("One found, whichever it is: a single sign for the rest of the match."),
    Strategy.TOTAL: mark("No guess is ever right; once it is declared: a single sign for the rest of the match."),
    Strategy.PRESIGN: mark("If an opponent is right, the team stops for good and keeps its sign."),
    Strategy.SPOKEN: mark("Say it with `/kems sign`, or in a reply with its ping on. It can be found like any sign."),
}
CARD_NAMES: Final = {
    SignCard.HAND: mark("the hand"),
    SignCard.WORD: mark("the word"),
    SignCard.POSTURE: mark("the posture"),
    SignCard.MOUTH: mark("the mouth"),
    SignCard.EYES: mark("the eyes"),
    SignCard.IDEA: mark("the idea"),
}
_EXAMPLES: Final = 8  # emojis of a card's family that the rules show


def strategy_name(strategy: Strategy, texts: Texts) -> str:
    return texts.t(_NAMES[strategy])


def strategy_names(strategies: Collection[Strategy], texts: Texts) -> str:
    """Several of them, always in the same order."""
    return ", ".join(strategy_name(strategy, texts) for strategy in Strategy if strategy in strategies)


def strategy_explained(strategy: Strategy, texts: Texts) -> str:
    return texts.t(_EXPLAINED[strategy])


def outcome_text(outcome: Collection[Strategy], texts: Texts) -> str:
    """What a vote has allowed, on one line."""
    t = texts.t
    names = strategy_names(outcome, texts)
    return t("Advanced signs: {allowed}", allowed=names) if names else t("Advanced signs: none, by vote")


def sign_groups(
    rules: Rules, strategies: Collection[Strategy], texts: Texts, *, is_voted: bool
) -> list[tuple[str, list[str]]]:
    """What goes beyond one sign for each team: groups of sentences, each with its title."""
    t = texts.t
    groups = []
    if rules.signs.sign_cards:
        groups.append((t("The six sign cards"), [_card(card, texts) for card in SignCard]))
    if strategies:
        title = t("Advanced signs, by vote") if is_voted else t("Advanced signs, if all vote for them")
        known = [strategy for strategy in Strategy if strategy in strategies]
        groups.append((title, [f"{strategy_explained(each, texts)} {t(_FOUND_OUT[each])}" for each in known]))
    return groups


def _card(card: SignCard, texts: Texts) -> str:
    t, name = texts.t, texts.t(CARD_NAMES[card])
    emojis = "".join(map(qualified, family(card)[:_EXAMPLES]))
    match card:
        case SignCard.IDEA:
            return t("**{card}**: any sign.", card=name)
        case SignCard.WORD:
            return t("**{card}**: words said, or {emojis}…", card=name, emojis=emojis)
        case _:
            return t("**{card}**: {emojis}…", card=name, emojis=emojis)
