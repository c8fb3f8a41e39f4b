"""Which rule an unknown name stands for: by the words in it, in any language, then by its spelling."""

import re
import unicodedata
from difflib import SequenceMatcher
from functools import cache
from typing import Final

from bot.game.rules.house_rules import AXES
from bot.ui.kit.texts import LANGUAGES, texts_for
from bot.ui.words.rule_names import label

MOST: Final = 5  # names in a hint
_SPELLED: Final = 0.75  # how alike two names are at least, from 0 to 1
_SURELY: Final = 0.85  # so alike that it is a slip of the pen
_NOTHING: Final = (0, 0.0)
_SHORT: Final = 3  # letters of a word that has no plural
_WORD: Final = re.compile(r"[a-z0-9]+")
_EMPTY: Final = frozenset({"max", "at", "of", "by", "in"})  # words of names that say nothing by themselves
_MEANT: Final = {
    "players": "people seats persons",
    "team_size": "partners teams",
    "deck": "cards pack packs double",
    "excess": "three four alike dealt redraw redeal misdeal",
    "redrawn": "given back shown",
    "excess_jokers": "jokers",
    "down": "put exchange cards hand limit",
    "three_alike": "triple middle pool",
    "take_limit": "owed owe timeout freeze afk",
    "swap": "exchange at once middle first direct",
    "takes_seen": "who took hide hidden public show",
    "quiet": "silence pause calm wait delay sweep",
    "sweep_by": "asker flush count",
    "sweep_vote": "answer agree time seconds timeout vote",
    "must_exchange": "refuse refusal",
    "refusal_grace": "refuse time delay",
    "swept": "discard flush trash",
    "stock_out": "empty reshuffle draw pile",
    "max_sweeps": "sweep limit flushes most maximum",
    "holder": "own self caller holds",
    "double": "two voices once super",
    "chain": "second voice time delay",
    "counter_names": "accuse named cut stop target",
    "double_counters": "counter allowed",
    "counter_two": "against effect",
    "false_counter_ends": "wrong stop end round",
    "duel_delay": "two players time duel",
    "bell": "super buzzer",
    "kems": "kem kemps kent",
    "double_kems": "kem kemps super",
    "false_kems": "wrong kem kemps call opponents",
    "false_kems_own": "wrong kem kemps penalty lose minus loss",
    "false_double": "wrong kems opponents",
    "false_double_own": "wrong kems penalty lose minus loss",
    "counter": "cut stop",
    "counter_of_two": "double",
    "counter_accused": "caught lose minus",
    "double_counter": "counter2 cut",
    "false_counter": "wrong accused cut",
    "false_counter_own": "wrong penalty lose minus loss cut",
    "false_counter_all": "wrong everybody everyone others cut",
    "false_double_counter": "wrong counter2 accused",
    "false_double_counter_own": "wrong counter2 penalty lose minus loss",
    "four_kems": "all chain both",
    "shows": "show reveal cards",
    "show_count": "shown reveal number cards",
    "show_different": "rank ranks reveal",
    "show_delay": "time reveal",
    "counter_lost": "right lose again",
    "sign_change": "signal keep between rounds once use",
    "signs_told": "signal reveal explain known after match round bluff",
    "oral_signs": "words speech oral verbal talk say",
    "guess": "report signal",
    "guess_limit": "wrong most maximum number report signal",
    "guess_right": "correct signal",
    "guess_wrong": "false incorrect",
    "guess_wrong_own": "false incorrect penalty lose minus",
    "guess_wrong_all": "false incorrect everybody everyone others",
    "sign_required": "signal must need",
    "counter_needs_sign": "signal made given cut must",
    "sign_cards": "signal",
    "sign_deadline": "signal time limit delay",
    "ends_at": "end finish mode until",
    "target": "points score win goal max maximum limit",
    "rounds": "hands turns deals length",
    "win_by": "lead margin ahead difference",
    "best_of": "games matches sets",
    "auto_open": "open hunt timer automatic",
    "auto_next": "next deal timer automatic",
}
"""Other English words for an axis besides those of its name and its label; an axis may have none."""


def likely_axes(name: str) -> list[str]:
    """Up to `MOST` axes that a name may stand for, the likeliest first; none where it is like none."""
    by_spelling = sorted(AXES, key=lambda axis: -_alike(name, axis))
    near = [axis for axis in by_spelling if _alike(name, axis) >= _SPELLED]
    if near and _alike(name, near[0]) >= _SURELY:
        return near[:1]
    asked = _words(name)
    best = max(_shared(asked, axis) for axis in AXES)
    by_meaning = [axis for axis in by_spelling if best > _NOTHING and _shared(asked, axis) == best]
    return by_meaning[:MOST] or near[:MOST]


def _alike(name: str, axis: str) -> float:
    return SequenceMatcher(None, name.lower(), axis).ratio()


def _shared(asked: frozenset[str], axis: str) -> tuple[int, float]:
    """How many of the words an axis shares, those of its name doubly, and how much of its name or label they are."""
    own, labels = _words(axis), _labels(axis)
    meant = _words(_MEANT.get(axis, "")).union(*labels) - own
    count = 2 * len(asked & own) + len(asked & meant)
    return count, max(len(asked & words) / len(words) for words in ((own,) if asked & own else labels))


@cache
def _labels(axis: str) -> tuple[frozenset[str], ...]:
    """The words of an axis' label in each language."""
    return tuple(_words(label(axis, texts_for(language))) for language in LANGUAGES)


def _words(text: str) -> frozenset[str]:
    """The words of a text without accents, in the singular."""
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    words = (word.removesuffix("s") if len(word) > _SHORT else word for word in _WORD.findall(plain))
    return frozenset(words) - _EMPTY
