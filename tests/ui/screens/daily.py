"""Screens of the deal of the day."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from bot.daily.attempt import Attempt, DayKey, MomentKey
from bot.daily.day import POOL, SCENES, Score
from bot.daily.moment import KnownSign, prepare_moment
from bot.daily.practice_round import PracticeRound
from bot.daily.scene import TASKS
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import Texts
from bot.game.actions import CallKems
from bot.records.player import Player
from bot.records.review import review
from bot.ui.daily import screens
from bot.ui.daily.scene_panel import SceneVerb, how_it_was_missed, scene_panel
from bot.ui.table.pages.panel_state import PanelPage
from tests.records.test_review import CHLOE, planted
from tests.ui.screens.common import AT, HOST, HOSTILE, Scene, sent

DAY = date(2026, 11, 23)
SCORES = [Score(HOST + number, 3 - number % 4, 61_000 + 900 * number, 150 * number) for number in range(14)]


def daily_scenes(texts: Texts) -> Iterator[Scene]:
    """A day's screens, before its scenes, between them and after them, and each scene twice."""
    done = [replace(_try(number), is_over=True, result=(21_340, None, 42_000)[number % 3]) for number in range(SCENES)]
    for tried in range(SCENES + 1):
        day = screens.Day(DAY, done[:tried], tried, SCORES)
        yield f"{tried} tried", sent(screens.own_day(day, texts))
    posted = screens.Day(DAY, [replace(one, is_posted=True) for one in done], SCENES, SCORES)
    yield "posted", sent(screens.own_day(posted, texts))
    hostile = screens.Day(DAY, done, 1, SCORES[1:])
    yield "post", sent(screens.shared_scene(hostile, HOSTILE[0], texts))
    yield "invitation", sent(screens.invitation(DAY, SCORES, texts))
    yield "first invitation", sent(screens.invitation(DAY, [], texts))
    for span in (screens.DAY, screens.WEEK):
        yield f"board of a {span}", sent(screens.board(span, SCORES, SCORES[-1].user_id, texts))
        yield f"empty board of a {span}", sent(screens.board(span, [], HOST, texts))
    for number, kind in enumerate(TASKS):
        run = PracticeRound(POOL[kind][0], AT)
        for seconds in (0, 15):
            run.advance(AT + seconds * 1000)
            for page in (PanelPage.HAND, PanelPage.COUNTER) if seconds else (PanelPage.HAND,):
                panel = scene_panel(_try(number), run, page, Faces(texts), None, None, AT + seconds * 1000)
                yield f"{kind} after {seconds} s, {page}", sent(panel)
        run.advance(AT + 10 * 60_000)
        told = how_it_was_missed(_try(number), run, Faces(texts))
        missed = screens.Day(DAY, [replace(one, result=None) for one in done[: number + 1]], 1, SCORES)
        yield f"{kind} missed", sent(screens.own_day(missed, texts, told))


def _try(number: int) -> Attempt:
    return Attempt(HOST, DayKey(DAY, number), 1, AT, AT, POOL[TASKS[number]][0].reference)


def moment_scenes(texts: Texts) -> Iterator[Scene]:
    """A moment of the review: played again, what came of it for its player and for others, and the challenge."""
    match, faces = planted(), Faces(texts)
    moment = review(match, CHLOE)[0]
    key = MomentKey(match.table_id, moment.round, moment.step, CHLOE)
    run, another = (
        PracticeRound(
            prepare_moment(replace(match, people=(*match.people[:CHLOE], player, *match.people[CHLOE + 1 :])), key, AT),
            AT,
        )
        for player in (Player("C", HOST), Player(HOSTILE[0], HOST + 1))
    )
    one = Attempt(HOST, key, 1, AT, AT)
    yield "panel", sent(scene_panel(one, run, PanelPage.HAND, faces, None, None, AT))
    yield "silence", sent(screens.moment_result(one.as_missed(), run, faces))
    for each in (run, another):
        each.play(CallKems(CHLOE), AT + 1000)
    over = one.after(run, AT + 1000, is_over=True)
    yield "result", sent(screens.moment_result(over, run, faces))
    better, worse = replace(over, result=1), replace(over, result=-5)
    yield "better", sent(screens.moment_result(better, run, faces))
    known = KnownSign("👀", 7, ("🍀", "🎲", "☕", "🎩"))
    yield "another sign", sent(screens.sign_choice(SceneVerb.TAKE, key, known, texts))
    for name, tried in (("better than another", better), ("worse than another", worse)):
        yield name, sent(screens.moment_result(tried, another, faces))
