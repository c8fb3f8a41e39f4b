"""The end of a round as a moving picture to share: what each scene shows and says, and the picture in words."""

from collections.abc import Callable
from typing import Final

from bot.game import events as e
from bot.game.cards import RANKS, Card
from bot.game.replay_steps import ReplayStep, RoundReplay
from bot.records.archive import PastMatch
from bot.records.pictures import AnimatedSeat, RoundAnimation, Scene
from bot.ui.kit.names import called, clean, label_name
from bot.ui.kit.picture_words import alt, plain
from bot.ui.kit.texts import Texts
from bot.ui.records.replay_panel import step_lines
from bot.ui.table.board import result_lines
from bot.ui.words.card_faces import Faces, rank_of
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import TableText, clock

MOST_MS: Final = 12_000
"""How long a film lasts: people who were not there look at no more of it."""
_LOOK_MS: Final = 1600
_CARD_MS: Final = 900
_END_MS: Final = 5000


def round_animation(
    match: PastMatch, replay: RoundReplay, texts: Texts, named: Callable[[str], str] = plain
) -> RoundAnimation:
    """The last `MOST_MS` of the round, in the language of `texts`.

    `named` puts names in the places of servers' own emojis.
    """
    frames = replay.steps
    ranks = tuple(rank_of(Card(group, 0), texts.locale) for group in range(len(RANKS)))
    seats = tuple(
        AnimatedSeat(label_name(player), info.team, player.user_id)
        for player, info in zip(match.people, frames[0].table.seats, strict=True)
    )
    scenes: list[Scene] = []
    left = MOST_MS
    for frame in reversed(frames):
        scene = _scene(frame, _table_text(match, frame, texts), named)
        left -= scene.milliseconds
        if left < 0:
            break
        scenes.insert(0, scene)
    return RoundAnimation(_title(match, replay, texts), match.theme, ranks, seats, tuple(scenes))


def round_description(match: PastMatch, replay: RoundReplay, texts: Texts) -> str:
    """What the picture shows, for those who do not see it."""
    table_text = _table_text(match, replay.steps[-1], texts)
    seats = " · ".join(
        f"{clean(match.people[seat].name) or '?'} — {plain(table_text.cards(hand))}"
        for seat, hand in enumerate(replay.steps[-1].hands)
    )
    lines = [plain(line) for line in step_lines(replay.steps[-1], table_text)]
    return alt(f"{_title(match, replay, texts)}. {' '.join(lines)} {seats}")


def round_in_short(match: PastMatch, replay: RoundReplay, texts: Texts) -> str:
    """Which round it is and how it ended, as message text."""
    headline = step_lines(replay.steps[-1], _table_text(match, replay.steps[-1], texts))[0]
    return f"{_title(match, replay, texts)} · **{plain(headline)}**"


def _title(match: PastMatch, replay: RoundReplay, texts: Texts) -> str:
    told = {"number": match.table_id, "round": replay.number, "rounds": replay.rounds}
    return texts.t("Match {number} · round {round} of {rounds}", **told)


def _table_text(match: PastMatch, frame: ReplayStep, texts: Texts) -> TableText:
    return TableText(frame.table, match.people, Faces(texts, match.theme))


def _scene(frame: ReplayStep, table_text: TableText, named: Callable[[str], str]) -> Scene:
    event, pool = frame.event, frame.table.pool
    if isinstance(event, e.RoundEnded):
        headline, *told = (plain(named(line)) for line in result_lines(table_text))
        detail = " · ".join(told or [plain(table_text.score())])
        return Scene(headline, detail, frame.hands, pool, event.caller, held=_held(frame), milliseconds=_END_MS)
    actor, card = getattr(event, "seat", None), getattr(event, "card", None)
    gesture = ""
    if isinstance(event, e.GestureMade):
        gesture = plain(named(shown_gesture(event.kind, event.text)))
    caption = plain(named(_caption(frame, table_text)))
    detail = f"{clock(frame.at)} · {plain(table_text.score())}"
    pause = _CARD_MS if card is not None else _LOOK_MS
    return Scene(caption, detail, frame.hands, pool, actor, card, gesture, milliseconds=pause)


def _held(frame: ReplayStep) -> tuple[Card, ...]:
    """The cards of those who hold four alike at the end of the round."""
    result = frame.table.result
    holders = () if result is None else result.kems_holders
    return tuple(card for seat in holders for card in frame.hands[seat] if card is not None)


def _caption(frame: ReplayStep, table_text: TableText) -> str:
    t, event = table_text.texts.t, frame.event
    if isinstance(event, e.GestureMade):
        name = called(table_text.people[event.seat].name)
        is_sign = frame.table.gestures[-1].is_sign
        return t("{name} makes the sign", name=name) if is_sign else t("{name} bluffs with a gesture", name=name)
    if isinstance(event, e.CardPutDown | e.CardTaken):
        name, card = called(table_text.people[event.seat].name), table_text.faces.name(event.card)
        if isinstance(event, e.CardPutDown):
            return t("{name} puts {card} down.", name=name, card=card)
        return t("{name} takes {card}.", name=name, card=card)
    return step_lines(frame, table_text)[0]
