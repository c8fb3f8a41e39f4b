"""Screens of the deal of the day."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from bot.daily.day import SCENES, Score, Try
from bot.daily.pool import POOL
from bot.daily.scene import KINDS, SceneRun
from bot.ui.daily import screens
from bot.ui.daily.scene_panel import how_it_was_missed, scene_panel
from bot.ui.kit.texts import Texts
from bot.ui.table.hand_panel import PanelPage
from bot.ui.words.card_faces import Faces
from tests.ui.screens.common import AT, HOST, HOSTILE, Scene, sent

DAY = date(2026, 11, 23)
SCORES = [Score(HOST + number, 3 - number % 4, 61_000 + 900 * number, 150 * number) for number in range(14)]


def daily_scenes(texts: Texts) -> Iterator[Scene]:
    """A day's screens, before its scenes, between them and after them, and each scene twice."""
    done = [replace(_try(number), is_over=True, time_ms=(21_340, None, 42_000)[number]) for number in range(SCENES)]
    for tried in range(SCENES + 1):
        day = screens.Day(DAY, done[:tried], tried, SCORES)
        yield f"{tried} tried", sent(screens.own_day(day, texts))
    posted = screens.Day(DAY, [replace(one, is_posted=True) for one in done], SCENES, SCORES)
    yield "posted", sent(screens.own_day(posted, texts))
    hostile = screens.Day(DAY, done, 1, SCORES[1:])
    yield "post", sent(screens.shared(hostile, HOSTILE[0], texts))
    yield "invitation", sent(screens.invitation(DAY, SCORES, texts))
    yield "first invitation", sent(screens.invitation(DAY, [], texts))
    for span in (screens.DAY, screens.WEEK):
        yield f"board of a {span}", sent(screens.board(span, SCORES, SCORES[-1].user_id, texts))
        yield f"empty board of a {span}", sent(screens.board(span, [], HOST, texts))
    for number, kind in enumerate(KINDS):
        run = SceneRun(POOL[kind][0], AT)
        for seconds in (0, 15):
            run.advance(AT + seconds * 1000)
            for page in (PanelPage.HAND, PanelPage.COUNTER) if seconds else (PanelPage.HAND,):
                panel = scene_panel(_try(number), run, page, Faces(texts), None, None, AT + seconds * 1000)
                yield f"{kind} after {seconds} s, {page}", sent(panel)
        run.advance(AT + 10 * 60_000)
        told = how_it_was_missed(_try(number), run, Faces(texts))
        missed = screens.Day(DAY, [replace(one, time_ms=None) for one in done[: number + 1]], 1, SCORES)
        yield f"{kind} missed", sent(screens.own_day(missed, texts, told))


def _try(number: int) -> Try:
    return Try(HOST, DAY, number, 1, AT, AT, POOL[KINDS[number]][0].reference_ms)
