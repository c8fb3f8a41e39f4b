"""The coach's review as a private message: each moment in a sentence, with buttons to watch it and to play it again."""

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.custom_ids import NO_TABLE, make_id
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import called
from bot.game import events as e
from bot.records.archive import PastMatch
from bot.records.review import Moment
from bot.ui.records.replay_panel import RecordsVerb
from bot.ui.table.verbs import MOMENT
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import clock

_MOST_AGAIN: Final = 8  # what a message has room for, beside every other part of ten moments


def review_panel(match: PastMatch, moments: Sequence[Moment], faces: Faces) -> c.Layout:
    """The mistakes of one player, one a kind, each with its cost and above the buttons that lead to it."""
    t, parts = faces.texts.t, list[c.Part]()
    for number, moment in enumerate(moments):
        letter = ascii_lowercase[number]  # keeps custom ids of the same step apart
        step = make_id(match.table_id, RecordsVerb.MOMENT, f"{moment.step}{letter}", moment.round)
        told = c.text(_heading(moment, faces), _sentence(match, moment, faces))
        buttons = [c.button(t("🎬 Watch again"), step)]
        if number < _MOST_AGAIN:
            key = f"{match.table_id}.{moment.round}.{moment.step}{letter}"
            buttons.append(c.button(t("🔁 Play it again"), make_id(NO_TABLE, MOMENT, key)))
        parts += (told, c.row(*buttons))
    if not moments:
        parts.append(c.text(t("I saw no mistake.")))
    return c.layout(c.text("## 🔎 " + t("Your review of match {number}", number=match.table_id)), *parts, colour=c.BLUE)


def _heading(moment: Moment, faces: Faces) -> str:
    told: dict[str, object] = {"round": moment.round, "time": clock(moment.at)}
    if not moment.cost:  # a false counter that costs the right to counter alone
        return faces.texts.t("**Round {round} · {time}**", **told)
    cost = faces.texts.n("{value} pt", "{value} pts", moment.cost, value=moment.cost)
    return faces.texts.t("**Round {round} · {time}** · cost: {cost}", **told, cost=cost)


def _sentence(match: PastMatch, moment: Moment, faces: Faces) -> str:
    t, event = faces.texts.t, moment.gesture or moment.event
    shown: dict[str, object] = {"name": called(match.people[moment.seat].name), "since": moment.since}
    shown["seconds"] = moment.held // 1000
    if isinstance(event, e.GestureMade):
        shown["gesture"] = shown_gesture(event.kind, event.text)
    elif isinstance(event, e.CardPutDown):
        shown["card"] = faces.shown(event.card)
    sentences = [t(moment.lapse, **shown)]
    if moment.also:
        rounds = ", ".join(map(str, moment.also))
        sentences.append(
            faces.texts.n("Also in round {rounds}.", "Also in rounds {rounds}.", len(moment.also), rounds=rounds)
        )
    return " ".join(sentences)
