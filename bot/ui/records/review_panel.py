"""The coach's review as a private message: each moment in a sentence, with a button to the replay at that moment."""

from collections.abc import Sequence

from bot.game import events as e
from bot.records.archive import PastMatch
from bot.records.review import Moment
from bot.ui.kit import components as c
from bot.ui.kit.custom_ids import make_id
from bot.ui.kit.names import called
from bot.ui.records.replay_panel import RecordsVerb
from bot.ui.words.card_faces import Faces
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import clock


def review_panel(match: PastMatch, moments: Sequence[Moment], faces: Faces) -> c.Layout:
    """The moments of one player, the largest first, each with its cost and above the button that shows it."""
    t, parts = faces.texts.t, list[c.Part]()
    for number, moment in enumerate(moments):
        cost = faces.texts.n("{value} pt", "{value} pts", moment.cost, value=moment.cost)
        told = {"round": moment.round, "time": clock(moment.at), "cost": cost}
        # The letter keeps custom ids of the same step apart.
        step = make_id(match.table_id, RecordsVerb.MOMENT, f"{moment.step}{'abc'[number]}", moment.round)
        heading = t("**Round {round} · {time}** · cost: {cost}", **told)
        parts += (c.text(heading, _sentence(match, moment, faces)), c.row(c.button(t("🎬 Watch again"), step)))
    if not moments:
        parts.append(c.text(t("I saw nothing to do better: well played.")))
    return c.layout(c.text("## 🔎 " + t("Your review of match {number}", number=match.table_id)), *parts, colour=c.BLUE)


def _sentence(match: PastMatch, moment: Moment, faces: Faces) -> str:
    shown: dict[str, object] = {"name": called(match.people[moment.seat].name), "since": moment.since}
    event = moment.event
    if isinstance(event, e.GestureMade):
        shown["gesture"] = shown_gesture(event.kind, event.text)
    else:
        shown["card"] = faces.shown(event.card)
    return faces.texts.t(moment.lapse, **shown)
