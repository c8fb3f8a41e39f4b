"""How signs and gestures are shown; a sign's normal form (`bot.game.signs`) serves comparison alone."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

import emoji

from bot.game.rules.rules import Rules
from bot.game.signs import GestureKind, Sign, SignCard, Strategy, family, fold_emojis
from bot.ui.kit.components import MAX_LABEL, SECONDARY, Button, Emoji, Style, button
from bot.ui.kit.custom_ids import MAX_ARG
from bot.ui.kit.names import defuse
from bot.ui.kit.texts import Texts, mark

CUSTOM_EMOJI: Final = re.compile(r"<(a?):(?:(\w+):)?(\d{1,20})>")
_TONE: Final = re.compile("[\U0001f3fb-\U0001f3ff]")
_QUALIFIED: Final = {
    fold_emojis(form): form
    for form, data in emoji.EMOJI_DATA.items()
    if data["status"] == emoji.STATUS["fully_qualified"] and "\ufe0f" in form and not _TONE.search(form)
}
_NAME: Final = "sign"  # Discord finds a server emoji by its id, whatever name stands before it
MAX_WORDS: Final = 40  # characters of what was said, in a list of gestures
_MAX_SIGN: Final = 80  # of a sign; none that can be agreed on is longer

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


def fits_an_id(sign: Sign) -> bool:
    return 0 < len(sign.text) <= MAX_ARG and not sign.needs_speech


def shown_sign(sign: Sign) -> str:
    if sign.words:
        return " + ".join(map(shown_sign, sign.halves))
    return f"«\u00a0{defuse(sign.text, _MAX_SIGN)}\u00a0»" if sign.is_spoken else _shown_emojis(sign.text)


def shown_gesture(kind: GestureKind, text: str) -> str:
    return f"«\u00a0{defuse(text, MAX_WORDS)}\u00a0»" if kind is GestureKind.SAY else _shown_emojis(text)


def sign_button(
    signs: Sequence[Sign], custom_id: str, *, style: Style = SECONDARY, label: str = "", is_enabled: bool = True
) -> Button:
    """A button that shows signs of emojis; the first server emoji is its picture, all else its label."""
    shown = " ".join([sign.text for sign in signs])
    custom = CUSTOM_EMOJI.search(shown)
    picture = None if custom is None else Emoji(_NAME, int(custom[3]))
    plain = CUSTOM_EMOJI.sub("•", shown if custom is None else shown.replace(custom[0], "", 1))
    words = f"{label} {qualified(plain)}".strip()[:MAX_LABEL]
    return button(words or None, custom_id, style=style, emoji=picture, is_enabled=is_enabled)


def qualified(text: str) -> str:
    """A normal form with the variation selectors put back that make a picture of each emoji."""
    return "".join(_QUALIFIED.get(token.chars, token.chars) for token in emoji.analyze(text, non_emoji=True))


@lru_cache(4096)  # buys 10 of the 68 us of a panel, as much of each gesture on a table's message (tests.bench.caches)
def _shown_emojis(text: str) -> str:
    """Server emojis stay emojis, everything round them is defused."""
    parts: list[str] = []
    end = 0
    for found in CUSTOM_EMOJI.finditer(text):
        parts += (_defused(text[end : found.start()]), f"<{found[1]}:{found[2] or _NAME}:{found[3]}>")
        end = found.end()
    return "".join([*parts, _defused(text[end:])])


def _defused(text: str) -> str:
    return defuse(qualified(text), MAX_WORDS)


def strategy_name(strategy: Strategy, texts: Texts) -> str:
    return texts.t(_NAMES[strategy])


def strategy_names(strategies: Collection[Strategy], texts: Texts) -> str:
    return ", ".join(strategy_name(strategy, texts) for strategy in Strategy if strategy in strategies)


def strategy_explained(strategy: Strategy, texts: Texts) -> str:
    return texts.t(_EXPLAINED[strategy])


def outcome_text(outcome: Collection[Strategy], texts: Texts) -> str:
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
