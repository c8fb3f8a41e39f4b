"""A newcomer at the sandbox's page: reads the coach's line in the hand panel, and presses what it names.

One who has learnt the game plays on without that line, and knows by then what the coach would say.
"""

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Final

from playwright.async_api import Error, Locator, Page

from bot.discord.text.texts import Texts
from bot.game import actions as a
from bot.lessons.lesson import Lesson
from bot.robots import Robot
from bot.robots.level import COACH
from bot.sandbox.discord.state import wall_clock
from bot.tables.match.table import Table
from bot.ui.words import coach_text

_PRESS_MS: Final = 1500
_BLANKS: Final = re.compile("[\\s\u200b\u2000-\u200a]+")
_UNSEEN: Final = str.maketrans("", "", "\ufe0e\ufe0f\u2068\u2069")


def plain(text: str) -> str:
    """A text as it is read: one kind of space, no invisible signs."""
    return _BLANKS.sub(" ", text.translate(_UNSEEN)).strip()


def _pattern(sentence: str, texts: Texts) -> re.Pattern[str]:
    told = re.escape(plain(texts.t(sentence)).replace("*", ""))  # the page shows them as italics
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.sub(r"(\\{(\w+)\\})(.*)\1", r"\1\3(?P=\2)", told)))


class Newcomer:
    """One player's panel on a page, in one language. `met` are the lessons that were read, in their order."""

    def __init__(self, page: Page, texts: Texts) -> None:
        played = page.locator("#messages .ephemeral").filter(has=page.locator("button[data-press]"))
        self.panel = played.last  # below it may stand an answer in words
        self.met: list[Lesson] = []
        advised = [_pattern(sentence, texts).pattern for sentence in ("Put down {card}", "Take {card}")]
        advised.append(f"(?P<sweep>{_pattern('Ask for a sweep', texts).pattern})")
        self._advice = [re.compile(f"💡 {pattern} ?[:.]") for pattern in advised]
        self._sentences: Mapping[Lesson, tuple[re.Pattern[str], ...]] = {
            lesson: tuple(_pattern(sentence, texts) for sentence in _sentences(lesson)) for lesson in Lesson
        }

    async def read(self) -> tuple[Lesson | None, dict[str, str]]:
        """The lesson on the panel, and what it names; without a lesson what the coach advises."""
        text = plain(await self.panel.inner_text())
        for lesson, patterns in self._sentences.items():
            for pattern in patterns:
                if found := pattern.search(text):
                    if lesson not in self.met:
                        self.met.append(lesson)
                    return lesson, found.groupdict()
        found = next(filter(None, (pattern.search(text) for pattern in self._advice)), None)
        return None, {} if found is None else found.groupdict()

    async def tap(self) -> None:
        """Press once what the coach asks for; nothing where that is to wait. A press that comes too late is lost."""
        lesson, named = await self.read()
        button = self._button(lesson, named)
        with suppress(Error):
            if button is not None and await button.count():
                await button.first.click(timeout=_PRESS_MS)

    def of(self, verb: str, text: str | re.Pattern[str] | None = None) -> Locator:
        """The enabled buttons of a verb, or those of them that read so."""
        buttons = self.panel.locator(f'button[data-press*=":{verb}"]:not([disabled])')
        return buttons if text is None else buttons.filter(has_text=text)

    @property
    def _safe(self) -> Locator:
        """The cards that end no round when they are put down."""
        return self.of("put:").filter(has_not_text="⚠")

    def _button(self, lesson: Lesson | None, named: Mapping[str, str]) -> Locator | None:
        match lesson:
            case Lesson.AGREE:
                return self.of("accept:")
            case Lesson.DEAL:
                return self.of("open")
            case Lesson.SWEEP:
                return self.of("sweep")
            case Lesson.SIGN if "sign" in named:
                return self.of("gesture:", named["sign"])
            case Lesson.SIGN:
                return None
            case Lesson.KEMS:
                return self.of("kems")
            case Lesson.BLUFF:
                return self.of("gesture:").filter(has_not_text=named["sign"])
            case Lesson.COUNTER:
                return self.of("counter_at:", named["name"].rstrip("…"))
            case Lesson.THREE_ALIKE:
                return self._safe
            case _ if "sweep" in named:
                return self.of("sweep")
            case _ if "card" in named:
                return self.of("put:", _card(named)).or_(self.of("take:", _card(named)))
            case Lesson.PUT:
                return self.of("put:")
            case Lesson.TAKE:
                return self.of("take:")
        # The result, a later deal, a vote, and a refusal in the place of the hint.
        return self.of("next").or_(self.of("open")).or_(self.of("yes")).or_(self._safe).or_(self.of("take:")).last


def _card(named: Mapping[str, str]) -> re.Pattern[str]:
    """A card on a button, which has room between rank and suit."""
    return re.compile(r"[\s\u2000-\u200b\ufe0e]*".join(map(re.escape, named["card"])))


def _sentences(lesson: Lesson) -> list[str]:
    others = {Lesson.DEAL: [coach_text._OPENED_BY_ANOTHER], Lesson.SIGN: [coach_text._SIGN_MADE]}
    without_card = coach_text._WITHOUT_CARD.get(lesson)
    more = [] if without_card is None else [without_card]
    return [lesson, *more, *others.get(lesson, [])]


async def taps(newcomer: Newcomer, *, every: float, most: int, until: Lesson | None = None, shown: str = "") -> None:
    """Tap until a lesson was read, or a text stands on the panel. Raises AssertionError after so many taps."""
    text = ""
    for _ in range(most):
        await asyncio.sleep(every)
        text = plain(await newcomer.panel.inner_text())
        await newcomer.read()
        if until in newcomer.met or (shown and shown in text):
            return
        await newcomer.tap()
    raise AssertionError(f"neither {until} nor {shown!r} came: {text}")


async def plays_on(newcomer: Newcomer, table: Table, *, every: float) -> None:
    """Press what the coach would do, until the match is over."""
    (seat,) = table.lobby.people.values()
    coach = Robot(Random(1), COACH)
    while table.table_view().winner is None:
        await asyncio.sleep(every)
        action, _ = coach.advise(table.player_view(seat), wall_clock())
        for button in _presses(newcomer, action):
            with suppress(Error):
                await button.last.click(timeout=_PRESS_MS)


def _presses(newcomer: Newcomer, action: a.Action | None) -> list[Locator]:
    """The buttons that an action takes, in their order."""
    match action:
        case a.PutDown(card=card):
            return [newcomer.of(f"put:{card.code}")]
        case a.Take(card=card):
            return [newcomer.of(f"take:{card.code}")]
        case a.AnswerSweep(agrees=agrees):
            return [newcomer.of("yes" if agrees else "no")]
        case a.MakeGesture(text=text):
            return [newcomer.of("gesture:", text)]
        case a.CounterPlayer(target=target):
            return [newcomer.of(f"counter_at:{target}")]
        case a.ProposeSign():
            return [newcomer.of("propose:")]
        case a.AcceptSign():
            return [newcomer.of("accept:")]
        case a.ShowCards():
            return [newcomer.of("showing"), newcomer.of("show:")]
        case None:
            return []
        case _:
            return [newcomer.of(_VERBS[type(action)])]


_VERBS: Final = {
    a.AskSweep: "sweep",
    a.CallKems: "kems",
    a.CallDouble: "double",
    a.OpenHunt: "open",
    a.NextRound: "next",
}
