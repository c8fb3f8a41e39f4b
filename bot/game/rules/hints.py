"""Which rule an unknown name stands for: by the words in it, in English or French, then by its spelling."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

MOST: Final = 5  # names in a hint
_SPELLED: Final = 0.75  # how alike two names are at least, from 0 to 1
_SURELY: Final = 0.85  # so alike that it is a slip of the pen
_NOTHING: Final = (0, 0.0)
_SHORT: Final = 3  # letters of a word that has no plural
_WORD: Final = re.compile(r"[a-z0-9]+")
_EMPTY: Final = frozenset({"max", "at", "of", "by", "in"})  # words of names that say nothing by themselves
_MEANT: Final = {
    "players": "people seats persons joueurs",
    "team_size": "partners teams equipe taille",
    "deck": "cards pack packs double jeu cartes paquet",
    "excess": "three four alike dealt redraw redeal misdeal donne",
    "redrawn": "given back shown",
    "excess_jokers": "jokers",
    "down": "put exchange cards hand limit pose echange",
    "three_alike": "brelan triple middle pool trois",
    "take_limit": "owed owe timeout freeze afk prise",
    "swap": "exchange at once middle first echange direct",
    "takes_seen": "who took hide hidden public show prise cache",
    "quiet": "silence pause calm wait delay sweep calme",
    "sweep_by": "asker flush count balayage donneur",
    "sweep_vote": "answer agree time seconds timeout vote",
    "must_exchange": "refuse refuser refusal refus",
    "refusal_grace": "refuse refuser refus time delay",
    "swept": "discard flush trash poubelle",
    "stock_out": "empty reshuffle talon pioche draw pile",
    "max_sweeps": "sweep limit flushes most maximum balayages",
    "holder": "own self caller holds",
    "double": "two voices once super",
    "chain": "second voice time delay",
    "counter_names": "accuse named cut stop target contre",
    "double_counters": "counter allowed contres",
    "counter_two": "against effect",
    "false_counter_ends": "wrong stop end round",
    "duel_delay": "two players time duel",
    "bell": "sonnette super buzzer",
    "kems": "kem kemps kent",
    "double_kems": "kem kemps super",
    "false_kems": "wrong kem kemps call opponents faux",
    "false_kems_own": "wrong kem kemps penalty lose minus loss faux",
    "false_double": "wrong kems opponents faux",
    "false_double_own": "wrong kems penalty lose minus loss faux",
    "counter": "contre cut stop",
    "counter_of_two": "double",
    "counter_accused": "caught lose minus",
    "double_counter": "counter2 contre cut",
    "false_counter": "wrong accused contre cut faux",
    "false_counter_own": "wrong penalty lose minus loss contre cut faux",
    "false_counter_all": "wrong everybody everyone others contre cut faux",
    "false_double_counter": "wrong counter2 accused contre faux",
    "false_double_counter_own": "wrong counter2 penalty lose minus loss contre faux",
    "four_kems": "all chain both",
    "shows": "show reveal cards montre",
    "show_count": "shown reveal number cards montre",
    "show_different": "rank ranks reveal",
    "show_delay": "time reveal",
    "counter_lost": "right lose again perdu",
    "sign_change": "signal keep between rounds once use signe changer usage unique",
    "signs_told": "signal reveal explain known after match round bluff revele",
    "oral_signs": "words speech oral verbal talk parlante parole say",
    "guess": "report signal deviner",
    "guess_limit": "wrong most maximum number report signal deviner",
    "guess_right": "correct signal deviner",
    "guess_wrong": "false incorrect deviner",
    "guess_wrong_own": "false incorrect penalty lose minus",
    "guess_wrong_all": "false incorrect everybody everyone others",
    "sign_required": "signal must need obligatoire",
    "counter_needs_sign": "signal made given contre cut must",
    "sign_cards": "signal cartes",
    "sign_deadline": "signal time limit delay",
    "ends_at": "end finish mode until fin",
    "target": "points score win goal max maximum limit but",
    "rounds": "hands turns deals manches length",
    "win_by": "lead margin ahead ecart difference",
    "best_of": "games matches sets parties",
    "auto_open": "open hunt timer automatic",
    "auto_next": "next deal timer automatic",
}
"""Other words for an axis besides those of its name; an axis may have none."""


def likely(name: str, axes: Sequence[str]) -> list[str]:
    """Returns up to `MOST` of the axes that `name` may stand for, the likeliest first, none where it is like none."""
    by_spelling = sorted(axes, key=lambda axis: -_alike(name, axis))
    near = [axis for axis in by_spelling if _alike(name, axis) >= _SPELLED]
    if near and _alike(name, near[0]) >= _SURELY:
        return near[:1]
    asked = _words(name)
    best = max(_shared(asked, axis) for axis in axes)
    by_meaning = [axis for axis in by_spelling if best > _NOTHING and _shared(asked, axis) == best]
    return by_meaning[:MOST] or near[:MOST]


def _alike(name: str, axis: str) -> float:
    return SequenceMatcher(None, name.lower(), axis).ratio()


def _shared(asked: frozenset[str], axis: str) -> tuple[int, float]:
    """Returns how many of the words an axis shares, those of its name doubly, and how much of its name that is."""
    own = _words(axis) - _EMPTY
    count = 2 * len(asked & own) + len(asked & (_words(_MEANT.get(axis, "")) - own))
    return count, len(asked & own) / len(own)


def _words(text: str) -> frozenset[str]:
    """Returns the words of a text without accents, in the singular."""
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return frozenset(word.removesuffix("s") if len(word) > _SHORT else word for word in _WORD.findall(plain))
