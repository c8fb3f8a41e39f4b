"""How far a learner has come, as a pure function of the match's log."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from bot.game.events import CardsDealt, Event, RoundEnded
from bot.game.views import SeatView
from bot.lessons.lesson import LESSONS, SCENES, Lesson, LessonScene

MOST_TRIES: Final = 2
"""So often a scene is played at most: a learner who wants to play is not held up."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is `learnt`, the `scene` of the running round, and how often each scene was dealt, by its number.

    `taught_round` is the number of the last round that was a scene.
    """

    learnt: frozenset[Lesson] = frozenset()
    scene: LessonScene | None = None
    tries: tuple[int, ...] = (0,) * len(SCENES)
    taught_round: int = 0

    @classmethod
    def of(cls, events: Iterable[Event], learner: int) -> "Course":
        return reduce(lambda course, event: course.after(event, learner), events, cls())

    def after(self, event: Event, learner: int) -> "Course":
        scene = self.scene or self.coming
        taught = () if scene is None else scene.lessons
        ended = {lesson for lesson in taught if LESSONS[lesson].ends(event, learner)}
        course = self if ended <= self.learnt else replace(self, learnt=self.learnt | ended)
        match event:
            case CardsDealt(round=dealt) if scene is not None:
                number = SCENES.index(scene)
                tries = (*self.tries[:number], self.tries[number] + 1, *self.tries[number + 1 :])
                learnt = course.learnt.difference(scene.lessons)  # a scene that is dealt again teaches all of it again
                return replace(course, learnt=learnt, scene=scene, tries=tries, taught_round=dealt)
            case RoundEnded():
                return replace(course, scene=None)
            case _:
                return course

    @property
    def coming(self) -> LessonScene | None:
        """The scene of the next round; None after the last one."""
        open_scenes = (
            scene
            for scene, tried in zip(SCENES, self.tries, strict=True)
            if scene.goal not in self.learnt and tried < MOST_TRIES
        )
        return next(open_scenes, None)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to teach: the robots play by themselves, and the coach has stepped back."""
        return self.scene is None and self.coming is None

    def lesson(self, view: SeatView) -> Lesson | None:
        """Returns what to teach the learner, whose view this is; None while the learner can go on alone."""
        if self.is_over:
            has_just_ended = view.table.result is not None and view.table.round == self.taught_round
            return Lesson.END if has_just_ended else None
        scene = self.scene or self.coming
        left = () if scene is None else set(scene.lessons) - self.learnt
        return next((lesson for lesson, plan in LESSONS.items() if lesson in left and plan.applies(view)), None)
