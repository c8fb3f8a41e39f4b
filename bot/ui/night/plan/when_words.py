"""What people say of a time, by language: patterns of lower-case words without accents, by which `when.py` reads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class TimeWords:
    """An empty pattern stands for nothing. Days and months have their names from Babel."""

    ahead: str
    """Before a length of time, as in "in 2 hours"; then `one`, and the units."""
    one: str
    hours: str
    minutes: str
    days: str
    weeks: str
    half: str
    """After an hour that is one and a half."""
    noon: str
    midnight: str
    clock: str
    """Between hour and minute."""
    after_hour: Mapping[str, int]
    """What follows an hour, and how many minutes it is."""
    today: str
    tomorrow: str
    day_after: str
    late: str
    """From noon on, where an hour up to 11 may be meant."""
    early: str
    fillers: str
    """Words that add nothing."""
    at: str = ""
    """Before a number that is an hour without more words."""
    before_hour: Mapping[str, int] = field(default_factory=dict)
    ordinal: str = ""
    of: str = ""
    """Between a day and its month, or a month and its year."""
    after_day: Mapping[str, int] = field(default_factory=dict)
    """After the name of a day, how many weeks later it is; 0 says that it is not today."""
    joint: str = ""
    """Where one word is two: "samstagabend"."""


WORDS: Final[Mapping[str, TimeWords]] = {
    "fr": TimeWords(
        ahead="dans",
        one="une?",
        hours="h|heures?",
        minutes="min|minutes?",
        days="jours?",
        weeks="semaines?",
        half="et demie",
        noon="midi",
        midnight="minuit",
        clock="h(?:eures?)?",
        after_hour={"et demie?": 30, "et quart": 15, "moins (?:le )?quart": -15},
        today="aujourd'hui|cet? (?=matin|apres-midi|soir)",
        tomorrow="demain",
        day_after="apres[- ]demain",
        late="(?:du |de l')?(?:soir|apres-midi)",
        early="(?:du )?matin",
        fillers="a|le|de|du|vers|ce",
        ordinal="er",
        after_day={"prochain": 0, "en huit": 1, "en quinze": 2},
    ),
    "en": TimeWords(
        ahead="in",
        one="an?",
        hours="hours?",
        minutes="min|minutes?",
        days="days?",
        weeks="weeks?",
        half="and a half",
        noon="noon",
        midnight="midnight",
        clock="hrs?",
        after_hour={},
        today="today|(?=tonight)|this (?=morn|after|even)",
        tomorrow="tomorrow",
        day_after="(?:the )?day after tomorrow",
        late="tonight|(?:in the |at )?(?:evening|afternoon|night)",
        early="(?:in the )?morning",
        fillers="at|the|on|of|this|o'clock",
        ordinal="st|nd|rd|th",
        of="of",
    ),
    "de": TimeWords(
        ahead="in",
        one="eine[rmn]?",
        hours="std|stunden?",
        minutes="min|minuten?",
        days="tag(?:en)?",
        weeks="wochen?",
        half="und eine halbe",
        noon="mittags?",
        midnight="mitternacht",
        clock="uhr",
        after_hour={},
        today="heute",
        tomorrow="(?<!heute )(?<!am )(?<!tag )(?<!och )morgen",
        day_after="ubermorgen",
        late="(?:am )?(?:abends?|nachmittags?)",
        early="(?:am )?(?:morgens?|vormittags?|fruh)",
        fillers="um|am|den|der|gegen|uhr|diesen",
        at="um|gegen",
        before_hour={"halb": -30, "viertel nach": 15, "viertel vor": -15},
        joint="(?<=tag|och)(?=abend|nachmittag|vormittag|morgen)",
    ),
    "es": TimeWords(
        ahead="en|dentro de",
        one="una?",
        hours="h|horas?",
        minutes="min|minutos?",
        days="dias?",
        weeks="semanas?",
        half="y media",
        noon="mediodia",
        midnight="medianoche",
        clock="h(?:oras?)?",
        after_hour={"y media": 30, "y cuarto": 15, "menos cuarto": -15},
        today="hoy|esta (?=manana|tarde|noche)",
        tomorrow="(?<!la )(?<!esta )manana",
        day_after="pasado manana",
        late="(?:(?:de|por|en) la )?(?:tarde|noche)",
        early="(?:(?:de|por|en) la )?manana",
        fillers="a|al|el|las?|de|del|este|sobre|hacia|h|horas",
        at="las?",
        of="del?",
        after_day={"que viene": 0},
    ),
}


def any_of(name: str) -> str:
    """The patterns of a field in every language, as alternatives."""
    return "|".join(filter(None, (getattr(words, name) for words in WORDS.values())))


def counted(name: str) -> dict[str, int]:
    """The patterns of a field in every language, and what each one counts."""
    return {pattern: count for words in WORDS.values() for pattern, count in getattr(words, name).items()}
