"""What a person sees of a day: their own tries, the line to post, and the server's board."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from babel.dates import format_skeleton

from bot.daily.day import SCENES, Score, Try, places, score_of
from bot.daily.scene import KINDS
from bot.ui.daily.scene_panel import TASKS
from bot.ui.daily.verbs import DailyVerb
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import NO_TABLE, make_id
from bot.ui.kit.names import called
from bot.ui.kit.texts import Texts
from bot.ui.table.pages.match_end import play_button
from bot.ui.words.table_text import clock

MOST_LINES: Final = 10
DAY: Final = "day"
WEEK: Final = "week"
_SECOND_MS: Final = 1000
_JOINER: Final = "\u2060"


@dataclass(frozen=True, slots=True)
class Day:
    """What a person did on a day, how many days in a row they have played, and the scores of all on their server."""

    day: date
    tries: Sequence[Try]
    streak: int
    scores: Collection[Score]

    @property
    def is_done(self) -> bool:
        return len(self.tries) == SCENES

    @property
    def is_posted(self) -> bool:
        return any(one.is_posted for one in self.tries)


def _title(day: date, texts: Texts) -> str:
    return texts.t("📅 Kem's of {day}", day=texts.date(format_skeleton("MMMd", day, locale=texts.locale)))


def squares(tries: Sequence[Try]) -> str:
    """A square for each scene; the joiners keep them in one line."""
    shown = ["🟩" if one.time_ms is not None else "🟥" for one in tries]
    return _JOINER.join([*shown, *"⬜" * (SCENES - len(tries))])


def result_line(day: Day, name: str, texts: Texts) -> str:
    """What a person posts: it tells of no scene. `📅 Kem's of 23 Nov · Léa 2/3 · 1:04 · 🟩🟩🟥 · 🔥 6 days · …`."""
    own = score_of(day.tries)
    place = next((place for place, score in places(day.scores) if score.user_id == own.user_id), None)
    parts = [
        _title(day.day, texts),
        f"{called(name)} {own.right}/{SCENES}",
        clock(own.time_ms),
        squares(day.tries),
        texts.n("🔥 {count} day", "🔥 {count} days", day.streak) if day.streak else "",
        "" if place is None or len(day.scores) < 2 else _place(place, len(day.scores), texts),
    ]
    return " · ".join(filter(None, parts))


def _place(place: int, count: int, texts: Texts) -> str:
    if place == 1:
        return texts.t("first of {count} here", count=count)
    return texts.t("no. {place} of {count} here", place=place, count=count)


def own_day(day: Day, texts: Texts, told: str | None = None) -> c.Layout:
    """The presser's own day; the next scene is started here. `told` is how the last one was missed, or not posted."""
    t, board = texts.t, c.button(texts.t("🏆 Board"), make_id(NO_TABLE, DailyVerb.BOARD, DAY))
    if day.is_done:
        share = c.button(t("📣 Post"), make_id(NO_TABLE, DailyVerb.SHARE, str(day.day.toordinal())), style=c.PRIMARY)
        return c.layout(
            c.text("## " + t("📅 Deal of the day")),
            c.text(result_line(day, t("you"), texts), *_lines(day, texts), told),
            c.text("-# " + t("The next one comes at midnight in Paris. Your post tells nothing of the scenes.")),
            c.row(*([] if day.is_posted else [share]), board, _others(texts)),
            colour=c.TEAL,
        )
    number = len(day.tries)
    kind = KINDS[number]
    start = c.button(
        t("▶ Scene {number}", number=number + 1),
        make_id(NO_TABLE, DailyVerb.START, f"{day.day.toordinal()}.{number}"),
        style=c.SUCCESS,
    )
    streak = texts.n("🔥 {count} day", "🔥 {count} days", day.streak) if day.streak else ""
    return c.layout(
        c.text(
            "## " + _title(day.day, texts),
            f"{squares(day.tries)} {streak}",
            *_lines(day, texts),
            told,
        ),
        c.text(f"**{number + 1}. {t(kind.words)}**", t(TASKS[kind])),
        c.text("-# " + t("One try: the clock runs from your press, and 90 seconds without one end it.")),
        c.row(start, board),
        colour=c.TEAL,
    )


def _lines(day: Day, texts: Texts) -> list[str]:
    lines = []
    for one in day.tries:
        told = texts.t("missed") if one.time_ms is None else seconds(one.time_ms, texts)
        lines.append(f"{squares([one])[0]} {texts.t(KINDS[one.number].words)} · {told}")
    return lines


def seconds(milliseconds: int, texts: Texts) -> str:
    return texts.t("{seconds} s", seconds=texts.decimal(milliseconds / _SECOND_MS, 1))


def shared(day: Day, name: str, texts: Texts) -> c.Layout:
    """The post of a person's result, with the way to one's own."""
    return c.layout(c.text(result_line(day, name, texts)), c.row(_play(texts), _others(texts)), colour=c.TEAL)


def invitation(day: date, before: Collection[Score], texts: Texts) -> c.Layout:
    """The server's message of a day, with the best of the day before."""
    best = [f"{place}. <@{one.user_id}> · {one.right}/{SCENES}" for place, one in places(before) if place <= SCENES]
    return c.layout(
        c.text("## " + _title(day, texts)),
        c.text(texts.t("Three short scenes, one try each."), texts.t("Yesterday:") if best else None, *best),
        c.row(_play(texts), _others(texts)),
        colour=c.TEAL,
    )


def board(span: str, scores: Collection[Score], user_id: int, texts: Texts) -> c.Layout:
    """The best of a day or a week, and the reader where they stand below."""
    t, of = texts.t, SCENES if span == DAY else 7 * SCENES
    placed = places(scores)
    shown = placed[:MOST_LINES] + [line for line in placed[MOST_LINES:] if line[1].user_id == user_id]
    lines = [f"{place}. <@{one.user_id}> · {one.right}/{of} · {clock(one.time_ms)}" for place, one in shown]
    other = (WEEK, t("This week")) if span == DAY else (DAY, t("Today"))
    return c.layout(
        c.text("## 🏆 " + (t("Deal of the day: today") if span == DAY else t("Deal of the day: this week"))),
        c.text(*(lines or [t("Nobody yet: the first place is free.")])),
        c.text("-# " + t("Scenes you got right first, then your time against a robot's in the same scenes.")),
        c.row(
            c.button(other[1], make_id(NO_TABLE, DailyVerb.BOARD, other[0])),
            c.button(t("📅 My day"), make_id(NO_TABLE, DailyVerb.MINE)),
        ),
        colour=c.GOLD,
    )


def _others(texts: Texts) -> c.Button:
    """A match with the people who are there."""
    return play_button(texts.t("♠ Play"), style=c.PRIMARY)


def _play(texts: Texts) -> c.Button:
    return c.button(texts.t("▶ Play mine"), make_id(NO_TABLE, DailyVerb.MINE), style=c.SUCCESS)
