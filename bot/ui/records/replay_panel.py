"""A replay as a message: one step of a round in words, with all hands open, and buttons for the other steps.

A whole round is an animation that can be shared. The coach's review has each moment in a sentence, with buttons to
watch it and to play it again.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Final

from bot.discord.api import components as c
from bot.discord.api.custom_ids import NO_TABLE, make_id
from bot.discord.interactions.admission.allowances import FILMS, PAGES, POSTS, Verb
from bot.discord.pictures.card_faces import Faces, rank_of
from bot.discord.text.names import clean, disambiguate_players, escaped_name, label_name
from bot.discord.text.picture_words import alt, plain
from bot.discord.text.texts import Texts, mark
from bot.game import events as e
from bot.game.cards import RANKS, Card, three_alike
from bot.game.replay_steps import ReplayStep, RoundReplay, replay_round
from bot.records.archive import PastMatch
from bot.records.pictures import AnimatedSeat, AnimationFrame, RoundAnimation
from bot.records.review import Lapse, Moment
from bot.ui.records.best_moment import won_by
from bot.ui.table.pages.round_end import meaning, result_lines
from bot.ui.table.verbs import CHALLENGE, MOMENT
from bot.ui.words.signs import shown_gesture
from bot.ui.words.table_text import TableText, clock, reports

_ARG: Final = re.compile(r"([0-9]{1,5})[a-z]")
_TABLE: Final[dict[type[e.Event], str]] = {
    e.CardsDealt: mark("The cards are dealt."),
    e.HuntOpened: mark("The hunt is open."),
    e.PoolSwept: mark("🧹 The middle is swept."),
}
_SWEEPS: Final = {
    e.SweepAsked: mark("🧹 {name} asks for a sweep."),
    e.SweepAgreed: mark("{name} agrees to the sweep."),
    e.SweepRefused: mark("{name} refuses the sweep."),
}
_CALLS: Final = {
    e.Outcome.KEMS: mark("{name} calls Kem's!"),
    e.Outcome.DOUBLE: mark("{name} calls {double}!"),
    e.Outcome.DOUBLE_COUNTER: mark("{name} calls a double counter against {accused}!"),
}
_GESTURES: Final = {
    True: mark("{name} makes the sign"),
    False: mark("{name} bluffs with a gesture"),
    None: mark("{name} makes a gesture"),
}

MOST_MS: Final = 12_000
"""Length of a film: people who were not there watch no more of it."""
_LOOK_MS: Final = 1600
_CARD_MS: Final = 900
_END_MS: Final = 5000


class RecordsVerb(Verb):
    """The verbs of the buttons of a history or a replay; a comment names the argument."""

    REPLAY = "replay", PAGES  # a step and a letter that keeps ids apart; its round stands before the verb
    MOMENT = "moment", PAGES  # the same, in a message of its own
    FILM = "show_film", FILMS  # shows the presser alone the round that stands before the verb as a moving picture
    SHARE = "share", POSTS  # posts the round that stands before the verb as a moving picture
    HISTORY = "history", PAGES  # a user id (0 for everybody) and a page key: "1000:a1800000000000.17"


def replay_panel(match: PastMatch, replay: RoundReplay, step: int, faces: Faces) -> c.Layout:
    """Return step `step` of a round, counted from 0, or the nearest one."""
    t, last = faces.texts.t, len(replay.steps) - 1
    step = min(max(step, 0), last)
    frame = replay.steps[step]
    table_text = TableText(frame.table, match.people, faces)
    values = {"number": match.table_id, "round": replay.number, "rounds": replay.rounds, "step": step + 1}
    title = t("Match {number} · round {round} of {rounds} · step {step} of {steps}", **values, steps=last + 1)
    lines = step_lines(frame, table_text)
    if not lines[0].startswith("#"):
        lines[0] = f"### {lines[0]}"
    return c.layout(
        c.text(f"-# {title} · {clock(frame.at)}", table_text.heading()),
        c.text(table_text.pool()),
        c.text(*(f"{table_text.seat(seat)} {table_text.cards(hand)}" for seat, hand in enumerate(frame.hands))),
        c.text(*lines),
        *_buttons(match.table_id, replay, step, faces),
        colour=c.SLATE,
    )


def with_people_apart(match: PastMatch) -> PastMatch:
    """Return the match with its players' names disambiguated."""
    return replace(match, people=tuple(filter(None, disambiguate_players(match.people))))


def step_of(arg: str) -> int | None:
    """Return the step in a button's argument; None for anything else."""
    found = _ARG.fullmatch(arg)
    return None if found is None else int(found[1])


def _buttons(table_id: int, replay: RoundReplay, step: int, faces: Faces) -> list[c.Row]:
    """Return the steps of the round, then the other rounds. A letter keeps custom ids of the same step apart."""
    t, last, number = faces.texts.t, len(replay.steps) - 1, replay.number
    former, later = max(number - 1, 1), min(number + 1, replay.rounds)

    def turn(
        label: str, to: int, letter: str, *, of: int = number, style: c.Style = c.SECONDARY, can: bool
    ) -> c.Button:
        return c.button(label, make_id(table_id, RecordsVerb.REPLAY, f"{to}{letter}", of), style=style, is_enabled=can)

    steps = [
        turn(t("⏮ First"), 0, "f", can=step > 0),
        turn(t("◀ Back"), max(step - 1, 0), "b", can=step > 0),
        turn(t("On ▶"), min(step + 1, last), "n", style=c.PRIMARY, can=step < last),
        turn(t("Last ⏭"), last, "l", can=step < last),
    ]
    rounds = [
        turn(t("← Round {number}", number=former), 0, "p", of=former, can=number > 1),
        turn(t("Round {number} →", number=later), 0, "q", of=later, can=number < replay.rounds),
        c.button(t("🎞 Film"), make_id(table_id, RecordsVerb.FILM, round=number)),
        c.button(t("📤 Share"), make_id(table_id, RecordsVerb.SHARE, round=number), style=c.SUCCESS),
    ]
    return [*c.rows(steps), *c.rows(rounds)]


def step_lines(frame: ReplayStep, table_text: TableText) -> list[str]:
    """Return lines on what happened in one step; `table_text` has the words of the table at that step."""
    t, event = table_text.texts.t, frame.event
    if (happened := _TABLE.get(type(event))) is not None:
        return [t(happened)]
    if isinstance(event, e.RoundEnded):
        return result_lines(table_text)
    lines = [_line(event, frame, table_text)]
    # A guess may end the match without a call.
    return lines if table_text.view.winner is None else [*lines, *result_lines(table_text)]


def _line(event: e.Event, frame: ReplayStep, table_text: TableText) -> str:
    t = table_text.texts.t
    match event:
        case e.ExcessRedrawn(seat=seat, cards=cards):
            return t("{name} showed {cards} and drew again.", name=table_text.name(seat), cards=table_text.cards(cards))
        case e.CardPutDown(seat=seat, card=card):
            return t("{name} puts {card} down.", name=table_text.name(seat), card=table_text.faces.text(card))
        case e.CardTaken(seat=seat, card=card):
            return t("{name} takes {card}.", name=table_text.name(seat), card=table_text.faces.text(card))
        case e.SweepAgreed(seat=seat, silent=True):
            return t("{name} says nothing, and so agrees to the sweep.", name=table_text.name(seat))
        case e.SweepAsked(seat=seat) | e.SweepAgreed(seat=seat) | e.SweepRefused(seat=seat):
            return t(_SWEEPS[type(event)], name=table_text.name(seat))
        case e.GestureMade(seat=seat, kind=kind, text=text):
            return f"{table_text.name(seat)} {shown_gesture(kind, text)}{meaning(frame.table.gestures[-1], table_text)}"
        case e.ChainOpened(seat=seat, outcome=outcome, team=team):
            accused = "" if team is None else table_text.team(team)
            return t(_CALLS[outcome], name=table_text.name(seat), double=table_text.double(), accused=accused)
        case e.ChainBroken(seat=seat):
            return t("{name} adds a word too late: the first call stands.", name=table_text.name(seat))
        case e.CounterHadNoEffect(seat=seat, team=team):
            values = {"name": table_text.name(seat), "accused": table_text.team(team)}
            return t("{name} counters {accused}, which holds two Kem's: that has no effect.", **values)
        case e.CounterFailed(seat=seat, team=team, target=target):
            return table_text.counter(seat, team, target, is_true=False)
        case e.CardsShown(seat=seat, viewer=viewer, cards=cards):
            values = {
                "name": table_text.name(seat),
                "viewer": table_text.name(viewer),
                "cards": table_text.cards(cards),
            }
            return t("{name} shows {viewer} in private: {cards}", **values)
        case _:
            return reports(table_text)[-1]


def round_animation(
    match: PastMatch, replay: RoundReplay, texts: Texts, named: Callable[[str], str] = plain
) -> RoundAnimation:
    """Return the last `MOST_MS` of the round as an animation, in the language of `texts`.

    `named` replaces servers' own emojis by names.
    """
    frames = replay.steps
    ranks = tuple(rank_of(Card(group, 0), texts.locale) for group in range(len(RANKS)))
    seats = tuple(
        AnimatedSeat(label_name(player), info.team, player.user_id)
        for player, info in zip(match.people, frames[0].table.seats, strict=True)
    )
    scenes: list[AnimationFrame] = []
    left = MOST_MS
    for frame in reversed(frames):
        scene = _scene(frame, _table_text(match, frame, texts), named)
        left -= scene.milliseconds
        if left < 0:
            break
        scenes.insert(0, scene)
    return RoundAnimation(_title(match, replay, texts), match.theme, ranks, seats, tuple(scenes))


def round_description(match: PastMatch, replay: RoundReplay, texts: Texts) -> str:
    """Return the picture's alternative text, for people who do not see it."""
    table_text = _table_text(match, replay.steps[-1], texts)
    seats = " · ".join(
        f"{clean(match.people[seat].name) or '?'} — {plain(table_text.cards(hand))}"
        for seat, hand in enumerate(replay.steps[-1].hands)
        if hand
    )
    lines = [plain(line) for line in step_lines(replay.steps[-1], table_text)]
    return alt(f"{_title(match, replay, texts)}. {' '.join(lines)} {seats}")


def round_in_short(match: PastMatch, replay: RoundReplay, texts: Texts) -> str:
    """Return the round's number and how it ended, as message text."""
    table_text = _table_text(match, replay.steps[-1], texts)
    headline, margin = step_lines(replay.steps[-1], table_text)[0], plain(won_by(table_text))
    return f"{_title(match, replay, texts)} · **{plain(headline)}**{f' · {margin}' if margin else ''}"


def _title(match: PastMatch, replay: RoundReplay, texts: Texts) -> str:
    values = {"number": match.table_id, "round": replay.number, "rounds": replay.rounds}
    return texts.t("Match {number} · round {round} of {rounds}", **values)


def _table_text(match: PastMatch, frame: ReplayStep, texts: Texts) -> TableText:
    return TableText(frame.table, match.people, Faces(texts, match.theme))


def _scene(frame: ReplayStep, table_text: TableText, named: Callable[[str], str]) -> AnimationFrame:
    event, pool = frame.event, frame.table.pool
    if isinstance(event, e.RoundEnded):
        headline, *lines = (plain(named(line)) for line in result_lines(table_text))
        detail = " · ".join(lines or [plain(table_text.score())])
        return AnimationFrame(
            headline, detail, frame.hands, pool, event.caller, decisive_cards=_held(frame), milliseconds=_END_MS
        )
    actor, card = getattr(event, "seat", None), getattr(event, "card", None)
    gesture = ""
    if isinstance(event, e.GestureMade):
        gesture = plain(named(shown_gesture(event.kind, event.text)))
    caption = plain(named(_caption(frame, table_text)))
    detail = f"{clock(frame.at)} · {plain(table_text.score())}"
    pause = _CARD_MS if card is not None else _LOOK_MS
    return AnimationFrame(caption, detail, frame.hands, pool, actor, card, gesture, milliseconds=pause)


def _held(frame: ReplayStep) -> tuple[Card, ...]:
    """Return the cards of players who hold four alike at the end of the round."""
    result = frame.table.result
    holders = () if result is None else result.kems_holders
    return tuple(card for seat in holders for card in frame.hands[seat] if card is not None)


def _caption(frame: ReplayStep, table_text: TableText) -> str:
    t, event = table_text.texts.t, frame.event
    if isinstance(event, e.GestureMade):
        name = escaped_name(table_text.people[event.seat].name)
        return t(_GESTURES[frame.table.gestures[-1].is_sign], name=name)
    if isinstance(event, e.CardPutDown | e.CardTaken):
        name, card = escaped_name(table_text.people[event.seat].name), table_text.faces.name(event.card)
        if isinstance(event, e.CardPutDown):
            return t("{name} puts {card} down.", name=name, card=card)
        return t("{name} takes {card}.", name=name, card=card)
    return step_lines(frame, table_text)[0]


_FRAME: Final = 2  # parts of the review beside its moments: the container and the heading
_OF_MOMENT: Final = 3  # parts of a moment without its further buttons


def review_panel(match: PastMatch, moments: Sequence[Moment], faces: Faces) -> c.Layout:
    """Return a player's mistakes, one of each kind, with their costs and buttons that lead to them."""
    t, parts = faces.texts.t, list[c.Part]()
    playable = (c.MAX_PARTS - _FRAME - _OF_MOMENT * len(moments)) // 2
    for number, moment in enumerate(moments):
        letter = ascii_lowercase[number]  # keeps custom ids of the same step apart
        step = make_id(match.table_id, RecordsVerb.MOMENT, f"{moment.step}{letter}", moment.round)
        heading = c.text(_heading(moment, faces), _sentence(match, moment, faces))
        buttons = [c.button(t("🎬 Step by step"), step)]
        if number < playable:
            key = f"{match.table_id}.{moment.round}.{moment.step}{letter}"
            buttons.append(c.button(t("🔁 Play it again"), make_id(NO_TABLE, MOMENT, key)))
            buttons.append(c.button(t("📣 Challenge"), make_id(NO_TABLE, CHALLENGE, key)))
        parts += (heading, c.row(*buttons))
    if not moments:
        parts.append(c.text(t("I saw no mistake.")))
    return c.layout(c.text("## 🔎 " + t("Your review of match {number}", number=match.table_id)), *parts, colour=c.BLUE)


def _hand_at(match: PastMatch, moment: Moment, seat: int) -> tuple[Card, ...]:
    hand = replay_round(match.events, moment.round).steps[moment.step].hands[seat]
    return tuple(card for card in hand if card is not None)


def _heading(moment: Moment, faces: Faces) -> str:
    values: dict[str, object] = {"round": moment.round, "time": clock(moment.at)}
    if not moment.cost:  # a false counter that costs the right to counter alone
        return faces.texts.t("**Round {round} · {time}**", **values)
    cost = faces.texts.n("{value} pt", "{value} pts", moment.cost, value=moment.cost)
    if moment.also:
        rounds = len(moment.also) + 1
        cost = faces.texts.n("{cost} in {count} round", "{cost} in {count} rounds", rounds, cost=cost)
    return faces.texts.t("**Round {round} · {time}** · cost: {cost}", **values, cost=cost)


def _sentence(match: PastMatch, moment: Moment, faces: Faces) -> str:
    t, event = faces.texts.t, moment.gesture or moment.event
    if moment.lapse is Lapse.FALSE_COUNTER and isinstance(event, e.CounterFailed | e.RoundEnded):
        hand = () if event.target is None else _hand_at(match, moment, event.target)
        if event.target is not None and (alike := three_alike(hand)):
            values = {"name": escaped_name(match.people[event.target].name), "cards": faces.group(alike[0].group)}
            return t("Your counter was wrong: {name} had three {cards}, not four.", **values)
    details: dict[str, object] = {"name": escaped_name(match.people[moment.seat].name), "since": moment.since}
    details["seconds"] = moment.held_ms // 1000
    if isinstance(event, e.GestureMade):
        details["gesture"] = shown_gesture(event.kind, event.text)
    elif isinstance(event, e.CardPutDown):
        details["card"] = faces.text(event.card)
    return t(moment.lapse, **details)
