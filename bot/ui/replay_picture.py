"""A round as a moving picture to share: what each scene shows and says, and the picture in words.

Pictures show no emojis, so a gesture is told as what it was; cards are seen, not named.
"""

from typing import Final

from bot.game import events as e
from bot.game.cards import RANKS, Card
from bot.game.film import Film, Frame
from bot.live.pictures import FilmPicture, FilmSeat, Scene
from bot.live.ports import PastMatch
from bot.ui.faces import Faces, rank_of
from bot.ui.names import clean
from bot.ui.picture_words import alt, plain
from bot.ui.replay_words import step_lines
from bot.ui.result import result_lines
from bot.ui.teller import Teller, clock
from bot.ui.texts import Texts

_LOOK_MS: Final = 1600
_END_MS: Final = 5000


def film_picture(match: PastMatch, film: Film, texts: Texts) -> FilmPicture:
    """The round in the language of `texts`."""
    frames = film.frames
    told = {"number": match.table_id, "round": film.number, "rounds": film.rounds}
    ranks = tuple(rank_of(Card(group, 0), texts.locale) for group in range(len(RANKS)))
    seats = tuple(
        FilmSeat(clean(player.name) or "?", info.team)
        for player, info in zip(match.people, frames[0].table.seats, strict=True)
    )
    title = texts.t("Table {number} · round {round} of {rounds}", **told)
    scenes = tuple(_scene(frame, _teller(match, frame, texts)) for frame in frames)
    return FilmPicture(title, match.theme, ranks, seats, scenes)


def film_words(match: PastMatch, film: Film, texts: Texts) -> str:
    """What the picture shows, for those who do not see it."""
    teller = _teller(match, film.frames[-1], texts)
    told = {"number": match.table_id, "round": film.number, "rounds": film.rounds}
    title = texts.t("Table {number} · round {round} of {rounds}", **told)
    seats = "; ".join(
        f"{clean(match.people[seat].name) or '?'}: {plain(teller.cards(hand))}"
        for seat, hand in enumerate(film.frames[-1].hands)
    )
    lines = [plain(line) for line in step_lines(film.frames[-1], teller)]
    return alt(f"{title}. {' '.join(lines)} {seats}")


def _teller(match: PastMatch, frame: Frame, texts: Texts) -> Teller:
    """Tells of a frame without the emojis of cards."""
    return Teller(frame.table, match.people, Faces(texts, match.theme))


def _scene(frame: Frame, teller: Teller) -> Scene:
    event = frame.event
    actor, card = getattr(event, "seat", None), getattr(event, "card", None)
    detail = f"{clock(frame.at)} · {plain(teller.score())}"
    if isinstance(event, e.RoundEnded):
        lines = [plain(line) for line in result_lines(teller)]
        return Scene(lines[0], " ".join(lines[1:]), frame.hands, frame.table.pool, event.caller, None, _END_MS)
    return Scene(
        _caption(frame, teller),
        detail,
        frame.hands,
        frame.table.pool,
        actor,
        card,
        900 if card is not None else _LOOK_MS,
    )


def _caption(frame: Frame, teller: Teller) -> str:
    t, event = teller.texts.t, frame.event
    if isinstance(event, e.GestureMade):
        name = clean(teller.people[event.seat].name) or "?"
        is_sign = frame.table.gestures[-1].is_sign
        return t("{name} makes the sign", name=name) if is_sign else t("{name} bluffs with a gesture", name=name)
    if isinstance(event, e.CardPutDown | e.CardTaken):
        name, card = clean(teller.people[event.seat].name) or "?", teller.faces.name(event.card)
        if isinstance(event, e.CardPutDown):
            return t("{name} puts {card} down.", name=name, card=card)
        return t("{name} takes {card}.", name=name, card=card)
    return plain(step_lines(frame, teller)[0])
