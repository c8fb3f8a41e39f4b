"""When a night begins, as people write it."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.discord.text.texts import LANGUAGES
from bot.ui.night.plan.when import WORDS, NotReadError, read_when
from tests.together import together

PARIS = ZoneInfo("Europe/Paris")


def _at(written: str) -> int:
    return int(datetime.strptime(written, "%Y-%m-%d %H:%M").replace(tzinfo=PARIS).timestamp()) * 1000


NOW = _at("2026-11-22 11:00")  # a Sunday
READ = """
2026-11-28 21:00 | samedi 21:00 | samedi à 21h | Samedi 28 novembre 21h | le 28 à 21h | sam. 21h | samedi prochain 21h
2026-11-28 21:00 | ce samedi à 21h | samedi 9h du soir | samedi soir 9h | samedi soir à 21h | 28/11 21h
2026-11-28 21:00 | Saturday 21:00 | sat 9 pm | Saturday night 9pm | saturday at 9:00 in the evening | the 28th at 9 pm
2026-11-28 21:00 | Sat 28 Nov 9pm | saturday the 28th at 9pm | 28 november 21:00 | November 28 at 9 pm | sat at 9 p.m.
2026-11-28 21:30 | sat 9:30 pm | samedi 21h30 | samedi 9 heures et demie du soir | samedi 21 h 30 | sat 9.30pm
2026-11-28 08:45 | samedi 9h moins le quart | samedi 8h45 du matin | saturday 8:45 in the morning | sat 8:45 am
2026-12-05 21:00 | 2026-12-05 21:00 | 2026-12-05T21:00 | 5/12 21h | 05/12/26 21:00 | samedi en huit 21h | Dec 5 at 9 pm
2026-12-05 21:00 | samedi 5 décembre à 21 heures | le 5 déc. à 21h | 5th of December 9pm | December 5th, 2026 21:00
2026-12-05 21:00 | Saturday, December 5 at 9 pm
2026-12-12 21:00 | samedi en quinze à 21h | samedi 12 à 21h
2026-12-04 21:00 | vendredi 4 à 21h | le vendredi 4 à 9h du soir | friday 4th 9 pm
2026-11-22 21:00 | 21h | 21:00 | 9h du soir | ce soir à 21h | ce soir 9h | tonight 9pm | tonight at 9:00 | 9 pm
2026-11-22 21:00 | aujourd'hui 21h | today at 9pm | à 21 heures | vers 21h | this evening 9pm | tonight 21:00
2026-11-22 21:30 | 21 h 30 | 21h30 | 9 heures et demie du soir | 9.30 pm
2026-11-22 12:00 | midi | dimanche 12h | dimanche midi | noon | today noon | 12 pm
2026-11-22 12:30 | midi et demi
2026-11-22 15:00 | 3h de l'après-midi | cet après-midi à 15h | this afternoon at 3:00
2026-11-23 00:00 | minuit | ce soir minuit | midnight | 0h | 12 am
2026-11-29 00:00 | samedi minuit | saturday midnight
2026-11-23 09:30 | 9 heures et demie | 9h30 du matin | demain matin 9h30 | tomorrow 9:30 am
2026-11-23 10:00 | 10h | demain 10h | tomorrow 10 am | tomorrow morning at 10:00 | monday 10am
2026-11-23 21:00 | demain soir à 9h | demain 21h | tomorrow night 9pm | tomorrow evening at 9:00 | dans un jour à 21h
2026-11-24 18:00 | après-demain 18h | après demain 18h | day after tomorrow 6pm | in 2 days at 6 pm | tuesday 6 pm
2026-11-29 10:00 | dimanche 10h | sunday 10 am | dimanche prochain 10h | in a week at 10am | dans une semaine à 10h
2026-11-22 13:00 | dans 2 heures | dans 2h | in 2 hours
2026-11-22 12:00 | dans une heure | in an hour | in 60 minutes
2026-11-22 12:30 | dans 1h30 | dans une heure et demie | in an hour and a half | dans 90 minutes | in 90 min
2026-11-24 21:00 | mardi 21h | mar. 21h | tue 9pm | tuesday 21:00 | tue. 9 pm
2027-01-01 20:00 | 1er janvier 20h | january 1st 8 pm | January 1, 2027 8 pm
2027-05-05 20:00 | le 5 mai 2027 à 20:00 | 5 May 20:00 | May 5th at 8 pm
2028-02-29 20:00 | 29 février 20h | February 29 8pm
2026-12-31 20:00 | le 31 à 20h | the 31st at 8 pm | 31 December 8 pm
2026-11-28 21:00 | Samstag 21 Uhr | Sa. um 21:00 | Samstagabend um 9
2026-11-28 21:00 | am Samstag, den 28. November, um 21 Uhr | 28.11. 21 Uhr
2026-11-28 20:30 | Samstag 20.30 Uhr | samstag 20 uhr 30 | samstag halb 9 abends | sábado a las 8 y media de la noche
2026-11-28 20:45 | samstag abend um viertel vor 9 | sábado a las 9 menos cuarto de la noche | el sábado 20:45 h
2026-11-28 21:00 | sábado 21:00 | el sábado a las 21 | sáb. a las 9 de la noche | el 28 de noviembre a las 21 h
2026-11-28 21:00 | el sábado que viene a las 9 p. m. | sábado 28 de noviembre de 2026 a las 21:00 horas
2026-11-22 21:00 | heute Abend um 9 | heute 21 Uhr | um 21 Uhr | hoy a las 21 | esta noche a las 9 | a las 21:00
2026-11-23 09:00 | morgen um 9 Uhr | morgen früh um 9 | Montag 9 Uhr morgens | mañana a las 9
2026-11-23 09:00 | mañana por la mañana a las 9
2026-11-23 21:00 | morgen Abend um 9 | mañana por la noche a las 9 | mañana a las 9 de la noche | Mo 21 Uhr | lunes 21h
2026-11-24 18:00 | übermorgen 18 Uhr | in 2 Tagen um 18 Uhr | Dienstag um 18 Uhr
2026-11-24 18:00 | pasado mañana a las 18 | en 2 días a las 18
2026-11-29 10:00 | in einer Woche um 10 Uhr | Sonntag 10 Uhr | dentro de una semana a las 10 | domingo 10h
2026-11-22 13:00 | in 2 Stunden | en 2 horas | dentro de 2 horas
2026-11-22 12:30 | in 90 Minuten | en una hora y media | dentro de 90 minutos
2026-11-22 12:00 | mittags | heute mittag | mediodía | in einer Stunde | en una hora
2026-11-29 00:00 | samstag mitternacht | sábado medianoche
2026-12-31 20:00 | 31. Dezember 20 Uhr | am 31. um 20 Uhr | 31 de diciembre a las 8 de la tarde
"""
REFUSED = """
nachste | nächste Woche 21 Uhr
jeden | jeden Samstag 21 Uhr
todos | todos los sábados a las 21
samdi | samdi 21h
tous les samedis | tous les samedis à 21h
every | every Saturday 21:00
bientot | bientôt
vendredi | vendredi 28 à 21h
samedi | samedi 6 décembre 21h
next | next saturday 9pm
31/02 21h | 31/02 21h
25h | 25h
21:75 | 21:75
13h | 13h du matin
22h | 21h ou 22h
<@ | <@1>
blurb 21 | 5 blurb 21
"""


@together(
    ("meant", "written"), [(meant, one) for line in READ.split("\n")[1:-1]
                           for meant, *texts in [line.split(" | ")] for one in texts],
)  # fmt: skip
def test_a_time_is_read_on_the_clocks_of_its_zone(meant: str, written: str) -> None:
    found = read_when(written, "Europe/Paris", NOW)
    assert datetime.fromtimestamp(found / 1000, PARIS).strftime("%Y-%m-%d %H:%M") == meant


@together(("words", "written"), [tuple(line.split(" | ")) for line in REFUSED.split("\n")[1:-1]])
def test_a_word_that_was_not_understood_is_named_and_not_guessed(words: str, written: str) -> None:
    with pytest.raises(NotReadError) as problem:
        read_when(written, "Europe/Paris", NOW)
    assert words in problem.value.words


@pytest.mark.parametrize("written", ["<t:1700000000>", "<t:1700000000:F>", "  le <t:1700000000:R>."])
def test_a_time_as_discord_writes_it_is_an_instant_anywhere(written: str) -> None:
    assert read_when(written, "Europe/Paris", NOW) == read_when(written, "Asia/Tokyo", NOW) == 1_700_000_000_000


@pytest.mark.parametrize("written", ["<t:99999999999>", "<t:1700000000:F> 21h", "<t:17:F", "<t:-1>"])
def test_no_other_discord_timestamp_is_read_as_a_time(written: str) -> None:
    with pytest.raises(NotReadError) as problem:
        read_when(written, "Europe/Paris", NOW)
    assert problem.value.words


def test_every_language_has_words_for_times() -> None:
    assert WORDS.keys() == LANGUAGES.keys()


@pytest.mark.parametrize(
    "written", ["", "mardi", "samedi soir", "demain", "le 28", "5 décembre", "morgen früh", "mañana por la mañana"]
)
def test_a_text_without_an_hour_is_refused(written: str) -> None:
    with pytest.raises(NotReadError) as problem:
        read_when(written, "Europe/Paris", NOW)
    assert problem.value.words == ""


@pytest.mark.parametrize(
    ("written", "meant"),
    [("18h", "2026-12-19 18:00"), ("1h", "2026-12-20 01:00"), ("vendredi 18h", "2026-11-27 18:00")],
)
def test_a_time_alone_may_belong_to_another_day(written: str, meant: str) -> None:
    assert read_when(written, "Europe/Paris", NOW, alone_after=_at("2026-12-19 03:00")) == _at(meant)


def test_another_zone_is_another_instant() -> None:
    paris, new_york = (read_when("samedi 21h", zone, NOW) for zone in ("Europe/Paris", "America/New_York"))
    assert new_york == paris + 6 * 3600 * 1000


@pytest.mark.parametrize(
    "written",
    ["<t:99999999999999999999>", "in 99999999999 minutes", "dans 999999999999 heures", "in 9999999999 days 21h",
     "31/12/9999 24h", "9999-12-31 24:00"],
)  # fmt: skip
def test_a_time_that_no_calendar_has_gets_a_sentence(written: str) -> None:
    with pytest.raises(NotReadError):
        read_when(written, "Europe/Paris", 1_790_000_000_000)
