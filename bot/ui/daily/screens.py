"""What a person sees before and after scenes: their day, the line to post, the server's board; a moment's result."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from babel.dates import format_skeleton

from bot.daily.attempt import Attempt, DayKey, MomentKey, write_key
from bot.daily.day import SCENES, Score, places, score_of
from bot.daily.moment import KnownSign, MomentStart
from bot.daily.practice_round import PracticeRound
from bot.daily.scene import SceneTask
from bot.discord.api import components as c
from bot.discord.api.custom_ids import NO_TABLE, make_id
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import escaped_name
from bot.discord.text.texts import Texts
from bot.game.signs import emoji_sign
from bot.ui.daily.scene_panel import TASKS, SceneVerb
from bot.ui.table.pages.match_end import play_button
from bot.ui.table.pages.round_end import headline, story_lines
from bot.ui.table.verbs import TableVerb
from bot.ui.words.signs import shown_sign, sign_button
from bot.ui.words.table_text import TableText, clock, signed_points

MOST_LINES: Final = 10
DAY: Final = "day"
WEEK: Final = "week"
_SECOND_MS: Final = 1000
_JOINER: Final = "\u2060"


@dataclass(frozen=True, slots=True)
class Day:
    """A person's day: its attempts, the days played in a row, and the scores of all on their server."""

    day: date
    attempts: Sequence[Attempt]
    streak: int
    scores: Collection[Score]

    @property
    def is_done(self) -> bool:
        """Whether the person has tried all scenes."""
        return len(self.attempts) == SCENES

    @property
    def is_posted(self) -> bool:
        """Whether the person has posted the result."""
        return any(attempt.is_posted for attempt in self.attempts)


def _title(day: date, texts: Texts) -> str:
    return texts.t("📅 Kem's of {day}", day=texts.date(format_skeleton("MMMd", day, locale=texts.locale)))


def squares(tries: Sequence[Attempt]) -> str:
    """Return a coloured square for each scene; invisible joiners keep them on one line."""
    marks = ["🟩" if attempt.result is not None else "🟥" for attempt in tries]
    return _JOINER.join([*marks, *"⬜" * (SCENES - len(tries))])


def result_line(day: Day, name: str, texts: Texts) -> str:
    """Return the result that a person posts, without spoilers.

    `📅 Kem's of 23 Nov · Léa 2/3 · 1:04 · 🟩🟩🟥 · 🔥 6 days · …`
    """
    own = score_of(day.attempts)
    place = next((place for place, score in places(day.scores) if score.user_id == own.user_id), None)
    parts = [
        _title(day.day, texts),
        f"{escaped_name(name)} {own.right}/{SCENES}",
        clock(own.time_ms),
        squares(day.attempts),
        texts.n("🔥 {count} day", "🔥 {count} days", day.streak) if day.streak else "",
        "" if place is None or len(day.scores) < 2 else _place(place, len(day.scores), texts),
    ]
    return " · ".join(filter(None, parts))


def _place(place: int, count: int, texts: Texts) -> str:
    if place == 1:
        return texts.t("first of {count} here", count=count)
    return texts.t("no. {place} of {count} here", place=place, count=count)


def own_day(day: Day, texts: Texts, notice: str | None = None) -> c.Layout:
    """Return the presser's day, with a button for the next scene, or to post the result.

    `notice`: why the last scene was missed, or why the result was not posted.
    """
    t, board = texts.t, c.button(texts.t("🏆 Board"), make_id(NO_TABLE, SceneVerb.BOARD, DAY))
    if day.is_done:
        share = c.button(t("📣 Post"), make_id(NO_TABLE, SceneVerb.SHARE, str(day.day.toordinal())), style=c.PRIMARY)
        return c.layout(
            c.text("## " + t("📅 Deal of the day")),
            c.text(result_line(day, t("you"), texts), *_lines(day, texts), notice),
            c.text("-# " + t("The next one comes at midnight in Paris. Your post tells nothing of the scenes.")),
            c.row(*([] if day.is_posted else [share]), board, _others(texts)),
            colour=c.TEAL,
        )
    number = len(day.attempts)
    kind = [*SceneTask][number]
    start = c.button(
        t("▶ Scene {number}", number=number + 1),
        make_id(NO_TABLE, SceneVerb.START, write_key(DayKey(day.day, number))),
        style=c.SUCCESS,
    )
    streak = texts.n("🔥 {count} day", "🔥 {count} days", day.streak) if day.streak else ""
    return c.layout(
        c.text(
            "## " + _title(day.day, texts),
            f"{squares(day.attempts)} {streak}",
            *_lines(day, texts),
            notice,
        ),
        c.text(f"**{number + 1}. {t(kind.words)}**", t(TASKS[kind])),
        c.text("-# " + t("One try: the clock runs from your press, and 90 seconds without one end it.")),
        c.row(start, board),
        colour=c.TEAL,
    )


def _lines(day: Day, texts: Texts) -> list[str]:
    lines = []
    for kind, attempt in zip(SceneTask, day.attempts, strict=False):
        sentence = texts.t("missed") if attempt.result is None else seconds(attempt.result, texts)
        lines.append(f"{squares([attempt])[0]} {texts.t(kind.words)} · {sentence}")
    return lines


def seconds(milliseconds: int, texts: Texts) -> str:
    """Return a duration in seconds, with one decimal."""
    return texts.t("{seconds} s", seconds=texts.decimal(milliseconds / _SECOND_MS, 1))


def shared_scene(day: Day, name: str, texts: Texts) -> c.Layout:
    """Return the post of a person's result, with a button that opens the reader's own day."""
    return c.layout(c.text(result_line(day, name, texts)), c.row(_play(texts), _others(texts)), colour=c.TEAL)


def invitation(day: date, before: Collection[Score], texts: Texts) -> c.Layout:
    """Return the message that invites a server to the day's scenes, with the best scores of the day before."""
    best = [
        f"{place}. <@{score.user_id}> · {score.right}/{SCENES}" for place, score in places(before) if place <= SCENES
    ]
    return c.layout(
        c.text("## " + _title(day, texts)),
        c.text(texts.t("Three short scenes, one try each."), texts.t("Yesterday:") if best else None, *best),
        c.row(_play(texts), _others(texts)),
        colour=c.TEAL,
    )


def board(span: str, scores: Collection[Score], user_id: int, texts: Texts) -> c.Layout:
    """Return the best scores of a day or a week (`span`), and the reader's own if it is not among them."""
    t, of = texts.t, SCENES if span == DAY else 7 * SCENES
    placed = places(scores)
    listed = placed[:MOST_LINES] + [line for line in placed[MOST_LINES:] if line[1].user_id == user_id]
    lines = [f"{place}. <@{score.user_id}> · {score.right}/{of} · {clock(score.time_ms)}" for place, score in listed]
    other = (WEEK, t("This week")) if span == DAY else (DAY, t("Today"))
    return c.layout(
        c.text("## 🏆 " + (t("Deal of the day: today") if span == DAY else t("Deal of the day: this week"))),
        c.text(*(lines or [t("Nobody yet: the first place is free.")])),
        c.text("-# " + t("Solved scenes count first, then your time against a robot's in the same scenes.")),
        c.row(
            c.button(other[1], make_id(NO_TABLE, SceneVerb.BOARD, other[0])),
            c.button(t("📅 My day"), make_id(NO_TABLE, SceneVerb.MINE)),
        ),
        colour=c.GOLD,
    )


def moment_result(attempt: Attempt, run: PracticeRound, faces: Faces) -> c.Layout:
    """Return how the round ended this time and in the match, with the lead of the seat's team in both."""
    t, table, start = faces.texts.t, run.view.table, run.start
    assert isinstance(start, MomentStart)
    lines = [t("90 seconds without a press: this try is over.")] if attempt.result is None else []
    if attempt.result is not None and table.result is not None:
        text = TableText(table, start.people, faces)
        lines = [f"**{headline(table.result.outcome, text)}**", *story_lines(table.result, text, start.seat)]
    player, buttons = start.people[start.seat], []
    challenger = None if player.user_id == attempt.user_id else escaped_name(player.name)
    if challenger is None:
        word = write_key(start.key)
        buttons = [
            c.button(t("🔁 Once more"), make_id(NO_TABLE, SceneVerb.AGAIN, word), style=c.SUCCESS),
            c.button(t("📣 Challenge"), make_id(NO_TABLE, SceneVerb.PUT_FORWARD, word)),
            c.button(t("🔎 My mistakes"), make_id(start.key.table_id, TableVerb.REVIEW)),
        ]
    title = "## 🔁 " + t("Round {number}, once more", number=start.key.round)
    then = _in_the_match(attempt, start, faces, challenger)
    return c.layout(c.text(title, *lines), c.text(*then), *c.rows(buttons), colour=c.TEAL)


def sign_choice(verb: SceneVerb, key: MomentKey, known: KnownSign, texts: Texts) -> c.Layout:
    """Return the question with which sign to replay a moment whose mistake was to use a sign that opponents knew."""
    t, others = texts.t, map(emoji_sign, known.others)
    values = {"sign": shown_sign(emoji_sign(known.sign)), "since": known.since}
    return c.layout(
        c.text("## 🔁 " + t("Round {number}, once more", number=key.round)),
        c.text(
            t(
                "Your opponents have known {sign} since round {since}. Choose another: your partner makes it, too.",
                **values,
            )
        ),
        c.row(*(sign_button([sign], make_id(NO_TABLE, verb, f"{write_key(key)}:{sign.text}")) for sign in others)),
        colour=c.PURPLE,
    )


def _in_the_match(attempt: Attempt, start: MomentStart, faces: Faces, challenger: str | None) -> list[str]:
    """Return how the round ended in the match, and both leads. `challenger`: the player's name; None for the reader."""
    t, then = faces.texts.t, TableText(start.ended, start.people, faces)
    reader = start.seat if challenger is None else None
    lines = [t("In the match:")]
    if start.ended.result is not None:
        lines += [headline(start.ended.result.outcome, then), *story_lines(start.ended.result, then, reader)]
    if attempt.result is None:
        return lines
    points = {"now": _points(attempt.result), "then": _points(start.reference)}
    if attempt.result == start.reference:
        return [*lines, t("This time {now}, as in the match", **points)]
    lines.append(t("This time {now}, in the match {then}", **points))
    return [*lines, _verdict(faces, challenger, is_better=attempt.result > start.reference)]


def _verdict(faces: Faces, challenger: str | None, *, is_better: bool) -> str:
    t = faces.texts.t
    if challenger is None:
        return t("✅ Better than in the match.") if is_better else t("You did better in the match.")
    return t("✅ Better than {name}.", name=challenger) if is_better else t("{name} did better.", name=challenger)


def _points(lead: int) -> str:
    return f"**{signed_points(lead, plus=True)}**"


def _others(texts: Texts) -> c.Button:
    """Return the button for a match with the people who are there."""
    return play_button(texts.t("♠ Play"), style=c.PRIMARY)


def _play(texts: Texts) -> c.Button:
    return c.button(texts.t("▶ Play mine"), make_id(NO_TABLE, SceneVerb.MINE), style=c.SUCCESS)
