"""How signs and gestures are shown; a sign's normal form (`bot.game.signs.sign`) serves comparison alone."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import emoji

from bot.game.signs.sign import GestureKind, Sign, fold_emojis
from bot.ui.kit.components import MAX_LABEL, SECONDARY, Button, Emoji, Style, button
from bot.ui.kit.custom_ids import MAX_ARG
from bot.ui.kit.names import defuse

CUSTOM_EMOJI: Final = re.compile(r"<(a?):(?:(\w+):)?(\d{1,20})>")
_TONE: Final = re.compile("[\U0001f3fb-\U0001f3ff]")
_QUALIFIED: Final = {
    fold_emojis(form): form
    for form, data in emoji.EMOJI_DATA.items()
    if data["status"] == emoji.STATUS["fully_qualified"] and "\ufe0f" in form and not _TONE.search(form)
}
_NAME: Final = "sign"  # Discord finds a server emoji by its id, whatever name stands before it
MAX_WORDS: Final = 40  # characters of what was said, in a list of gestures
_REMEMBERED: Final = 4096  # signs and gestures that are looked up once, not on every message
_MAX_SIGN: Final = 80  # of a sign; none that can be agreed on is longer


def fits_an_id(sign: Sign) -> bool:
    """Whether a button can carry the sign."""
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
    words, picture = _button_face(" ".join([sign.text for sign in signs]), label)
    return button(words or None, custom_id, style=style, emoji=picture, is_enabled=is_enabled)


@lru_cache(_REMEMBERED)
def _button_face(shown: str, label: str) -> tuple[str, Emoji | None]:
    custom = CUSTOM_EMOJI.search(shown)
    picture = None if custom is None else Emoji(_NAME, int(custom[3]))
    plain = CUSTOM_EMOJI.sub("•", shown if custom is None else shown.replace(custom[0], "", 1))
    return f"{label} {qualified(plain)}".strip()[:MAX_LABEL], picture


@lru_cache(_REMEMBERED)
def qualified(text: str) -> str:
    """A normal form with the variation selectors put back that make a picture of each emoji."""
    return "".join(_QUALIFIED.get(token.chars, token.chars) for token in emoji.analyze(text, non_emoji=True))


@lru_cache(_REMEMBERED)
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
