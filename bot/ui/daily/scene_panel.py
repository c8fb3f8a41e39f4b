"""The panel of a scene: the hand panel of a match, whose buttons name the scene."""

from typing import Final

from bot.daily.attempt import Attempt, write_key
from bot.daily.day import SCENES
from bot.daily.moment import MomentStart
from bot.daily.practice_round import PracticeRound
from bot.daily.scene import ME, Scene, SceneTask
from bot.discord.api import components as c
from bot.discord.api.custom_ids import NO_TABLE, Press, make_id
from bot.discord.interactions.admission.allowances import COMPUTATIONS, FREE, POSTS, Verb
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import Texts, mark
from bot.game.cards import Card
from bot.game.events import Outcome
from bot.lessons.lesson import SEATS
from bot.records.player import HelpLevel, Player
from bot.robots.level import NAMES
from bot.ui.table.pages.panel_pages import panel_page
from bot.ui.table.pages.panel_state import PanelPage, PanelView
from bot.ui.table.pages.round_end import headline, story_lines
from bot.ui.table.verbs import CHALLENGE, CHALLENGE_TRY, DAILY, MOMENT, TableVerb
from bot.ui.words.plan_text import short_plan
from bot.ui.words.table_text import TableText


class SceneVerb(Verb):
    """The requests of presses; a comment names the argument, a key as `bot.daily.attempt.write_key` writes it."""

    MINE = DAILY, FREE  # opens the presser's own day
    START = "daily_start", FREE  # the key of a scene of a day
    MOVE = "daily_move", FREE  # a key, and what the same button of a hand panel asks for, after colons
    SHARE = "daily_share", POSTS  # a day
    BOARD = "daily_board", FREE  # "day" or "week"
    AGAIN = MOMENT, COMPUTATIONS  # the key of a moment, on the presser's own seat
    PUT_FORWARD = CHALLENGE, POSTS  # the same; offers the moment as a challenge
    TAKE = CHALLENGE_TRY, COMPUTATIONS  # the key of a challenge


TASKS: Final = {
    SceneTask.SIGN: mark("Your partner signs once they hold four of a kind: call Kem's then, and not for a bluff."),
    SceneTask.COUNTER: mark("Who collects, and stops? Once an opponent holds four of a kind, counter them by name."),
    SceneTask.COLLECT: mark("Put one down, take one: collect four of a kind before anybody else is done."),
}
_PLAYED: Final = frozenset(
    {
        *(TableVerb.PUT, TableVerb.TAKE, TableVerb.GESTURE, TableVerb.KEMS, TableVerb.DOUBLE, TableVerb.HAND),
        *(TableVerb.COUNTER, TableVerb.COUNTER_AT, TableVerb.COUNTER_TEAM, TableVerb.COUNTER_TWO),
        *(TableVerb.SWEEP, TableVerb.YES, TableVerb.NO),
    }
)
"""The verbs of a single player: everything that needs no modal."""


def read_move(arg: str) -> Press | None:
    """Return the press of the same button on a hand panel; None if a single player does not have that button."""
    verb, _, rest = arg.partition(":")
    return Press(NO_TABLE, verb, rest, round=1) if verb in _PLAYED else None


def scene_panel(
    attempt: Attempt,
    run: PracticeRound,
    page: PanelPage,
    faces: Faces,
    notice: str | None,
    chosen: Card | None,
    now: int,
) -> c.Layout:
    """Return the hand panel of a scene: its heading names the scene, and its buttons make the moves.

    Args:
        attempt: The person's attempt.
        run: The round that they play.
        page: The page of the panel.
        faces: How the cards look.
        notice: The answer to the last press.
        chosen: The card of the pool that the next card put down is exchanged for.
        now: The instant (milliseconds).
    """
    start, t = run.start, faces.texts.t
    if isinstance(start, MomentStart):
        people, seed = start.people, start.key.table_id + start.key.round
        sentence = "🔁 **" + t("Round {number}, once more", number=start.key.round) + "**"
    else:
        scene = _scene(run)
        people, seed = _people(attempt, run, faces.texts), scene.seed
        sentence = f"📅 {[*SceneTask].index(scene.kind) + 1}/{SCENES} · **{t(scene.kind.words)}**"
    seen = PanelView(run.view, people, NO_TABLE, faces, now, seed, page, notice, chosen, level=HelpLevel.NORMAL)
    panel = panel_page(seen)
    heading, *rest = c.parts_of(panel)
    assert heading["type"] == c.TEXT, "every message begins with a heading"
    _, _, lines = heading["content"].partition("\n")  # the score and the round say nothing here
    heading = c.text(f"{short_plan(run.view, faces.texts)} {sentence}", lines)
    prefix = f"{SceneVerb.MOVE}:{write_key(attempt.key)}"
    return c.layout(heading, *(_rerouted(part, prefix) for part in rest), colour=panel[0]["accent_color"])


def how_it_was_missed(attempt: Attempt, run: PracticeRound, faces: Faces) -> str | None:
    """Return why a scene ended unsolved; None if it was solved, or abandoned."""
    if run.result is not None or not run.is_over:
        return None
    table = run.match.view(ME).table
    if table.result is not None and table.result.laid_by == ME:
        return faces.texts.t("You lay a third of a kind in the middle: the round is over.")
    result, table_text = table.result, TableText(table, _people(attempt, run, faces.texts), faces)
    if result is None:  # the own call alone ends a scene in mid-round
        return headline(Outcome.FALSE_COUNTER, table_text)
    called = [] if result.caller is None else [headline(result.outcome, table_text)]
    # A story names its people, and the person of a scene is "you".
    return " ".join(called if ME in (result.caller, result.target) else [*called, *story_lines(result, table_text)])


def _scene(run: PracticeRound) -> Scene:
    assert isinstance(run.start, Scene), "a moment has its own words"
    return run.start


def _people(attempt: Attempt, run: PracticeRound, texts: Texts) -> tuple[Player, ...]:
    names = _scene(run).random("names").sample(NAMES, SEATS)
    names[ME] = texts.t("you")
    return tuple(Player(name, attempt.user_id if seat == ME else None) for seat, name in enumerate(names))


def _rerouted(part: c.Part, prefix: str) -> c.Part:
    if part["type"] != c.ROW:
        return part
    buttons = []
    for button in part["components"]:
        verb, _, arg = button["custom_id"].split(":", 2)[2].partition(":")
        own = make_id(NO_TABLE, ":".join(filter(None, (prefix, verb, arg))))
        buttons.append(button | {"custom_id": own, "disabled": button["disabled"] or verb not in _PLAYED})
    return c.row(*buttons)
