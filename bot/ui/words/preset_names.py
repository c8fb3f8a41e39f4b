"""The rule sets of the bot in words: their names, and half a line of what each of them is."""

from typing import Final

from bot.game.rules.line import name_key
from bot.game.rules.presets import PRESETS
from bot.ui.kit.languages import LANGUAGES
from bot.ui.kit.texts import Texts, mark, texts_for

_NAMES: Final = {
    "classic": mark("Classic"),
    "expert": mark("Expert"),
    "escale": mark("L'escale"),
    "linternaute": mark("L'Internaute"),
    "bell": mark("The bell"),
    "yokai": mark("Yōkai"),
    "american": mark("American"),
}
_ABOUT: Final = {
    "classic": mark("the original rules, first to 10 points"),
    "expert": mark("double counters, two points ahead to win"),
    "escale": mark("four rounds, any partner's four alike count"),
    "linternaute": mark("one card at a time, three alike in the middle play on"),
    "bell": mark("jokers, a bell and sign cards"),
    "yokai": mark("three alike are swept, guessed signs score"),
    "american": mark("52 cards, first to 5, a wrong call costs a point"),
}


def preset_name(preset: str, texts: Texts) -> str:
    """The name of a preset in the reader's language; another name as it is."""
    return texts.t(_NAMES[preset]) if preset in _NAMES else preset


def preset_about(preset: str, texts: Texts) -> str:
    """What a preset is, in half a line."""
    return texts.t(_ABOUT[preset])


def preset_meant(written: str) -> str:
    """The preset whose name in any language was written; any other text as it is."""
    wanted = name_key(written)
    for texts in map(texts_for, LANGUAGES):
        for preset in PRESETS:
            if name_key(preset_name(preset, texts)) == wanted:
                return preset
    return written
