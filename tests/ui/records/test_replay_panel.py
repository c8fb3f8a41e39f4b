"""Replays as messages: every step in words in both languages, within Discord's limits, and ids that say it all."""

import re
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

from bot.discord.pictures.card_faces import Faces
from bot.discord.text.picture_words import MAX_ALT
from bot.discord.text.texts import texts_for
from bot.game import events as e
from bot.game.notation.replay import replay_match
from bot.game.replay_steps import replay_round
from bot.records.archive import PastMatch
from bot.records.pictures import Theme
from bot.records.player import Player
from bot.ui.records.replay_panel import RecordsVerb, replay_panel, round_animation, round_description, step_of
from tests.together import together
from tests.ui.walk import EN, buttons, check_limits, words

GOLDEN = Path(__file__).parents[2] / "golden"
MATCHES = [  # between them every kind of step
    *("classic-match", "classic-six-players", "classic-false-counter", "classic-shown-by-chance"),
    "classic-silent-vote",
    *("expert-four-kems", "expert-twelve-players", "linternaute-two-voices", "escale-rounds", "house-guesses"),
    *("signs-spoken", "signs-total", "signs-double-both-named", "classic-sweep-refused"),
]


def match_of(name: str) -> PastMatch:
    replay, log = replay_match((GOLDEN / f"{name}.kgn").read_text())
    people = tuple(Player(word, seat + 1) for seat, word in enumerate(replay.head.names))
    if not isinstance(log[-1], e.MatchEnded):
        log = [*log, e.MatchEnded(log[-1].at, None)]
    return PastMatch(12, Theme.FRENCH, people, tuple(log))


def told(name: str, kind: type[e.Event]) -> list[str]:
    """The panels at the steps of that kind in the first round."""
    match = match_of(name)
    replay = replay_round(match.events, 1)
    steps = (step for step, frame in enumerate(replay.steps) if isinstance(frame.event, kind))
    return [words(replay_panel(match, replay, step, Faces(EN))) for step in steps]


@together("name", MATCHES)
def test_every_step_of_every_match_can_be_shown(name: str) -> None:
    match = match_of(name)
    for number in range(1, replay_round(match.events, 1).rounds + 1):
        replay = replay_round(match.events, number)
        for (step, frame), language in product(enumerate(replay.steps), ("fr", "en")):
            panel = replay_panel(match, replay, step, Faces(texts_for(language)))
            check_limits(panel)
            assert "None" not in words(panel)
            assert "{" not in words(panel), frame.event


def test_the_golden_matches_have_every_kind_of_step_between_them() -> None:
    seen: set[type[object]] = set()
    for name in MATCHES:
        match = match_of(name)
        for number in range(1, replay_round(match.events, 1).rounds + 1):
            seen |= {type(frame.event) for frame in replay_round(match.events, number).steps}
    silent = {e.MatchStarted, e.SignProposed, e.SignAccepted, e.SignSettled, e.SignKept}
    silent |= {e.PoolTurnedUp, e.StockRebuilt, e.MatchPaused, e.MatchResumed, e.CallMargin, e.GameWon, e.MatchEnded}
    silent |= {e.TimeCalled}
    assert set(get_args(e.Event)) - seen == silent


def test_the_buttons_lead_to_the_steps_before_and_after() -> None:
    match = match_of("classic-six-players")
    replay = replay_round(match.events, 2)
    last = len(replay.steps) - 1

    def targets(step: int) -> list[tuple[int | None, int | None, bool]]:
        *shown, film, share = buttons(replay_panel(match, replay, step, Faces(EN)))
        assert (film.press.table_id, film.press.verb, film.press.round) == (12, RecordsVerb.FILM, replay.number)
        assert (share.press.table_id, share.press.verb, share.press.round) == (12, RecordsVerb.SHARE, replay.number)
        assert all((button.press.table_id, button.press.verb) == (12, RecordsVerb.REPLAY) for button in shown)
        return [(button.press.round, step_of(button.press.arg), button.is_enabled) for button in shown]

    rounds = [(1, 0, True), (3, 0, True)]
    assert targets(3) == [(2, 0, True), (2, 2, True), (2, 4, True), (2, last, True), *rounds]
    assert targets(0) == [(2, 0, False), (2, 0, False), (2, 1, True), (2, last, True), *rounds]
    assert targets(last) == [(2, 0, True), (2, last - 1, True), (2, last, False), (2, last, False), *rounds]
    assert targets(9999) == targets(last)
    replay = replay_round(match.events, 3)
    assert targets(0)[4:] == [(2, 0, True), (3, 0, False)]


def test_a_replay_shows_all_hands_and_marks_gestures() -> None:
    match = match_of("signs-spoken")
    replay = replay_round(match.events, 1)
    first = words(replay_panel(match, replay, 0, Faces(EN)))
    for seat, player in enumerate(match.people):
        hand = " ".join(Faces(EN).label(card) for card in replay.steps[0].hands[seat] if card)
        assert f"{player.name} {hand}" in first
    gestures = told("signs-spoken", e.GestureMade)
    assert ["(bluff)" in text for text in gestures] == [True, False]
    assert ["(**the sign**)" in text for text in gestures] == [False, True]


def test_an_argument_that_the_bot_never_makes_names_no_step() -> None:
    assert step_of("12n") == 12
    assert [step_of(arg) for arg in ("", "n", "12", "-1n", "123456n", "1nn", "1N")] == [None] * 7


@together("name", MATCHES)
def test_every_round_makes_a_picture_whose_words_are_plain(name: str) -> None:
    match = match_of(name)
    for number, language in product(range(1, replay_round(match.events, 1).rounds + 1), ("fr", "en")):
        replay = replay_round(match.events, number)
        ends = range(len(replay.steps), 0, -4)  # a film shows the last scenes
        films = [round_animation(match, replace(replay, steps=replay.steps[:end]), texts_for(language)) for end in ends]
        said = [text for film in films for scene in film.frames for text in (film.title, scene.caption, scene.detail)]
        said.append(round_description(match, replay, texts_for(language)))
        assert all(text and not re.search(r"[*_`{}#]|None", text) for text in said), said
        assert len(said[-1]) <= MAX_ALT


def test_a_picture_explains_gestures_and_names_the_moving_card() -> None:
    match = match_of("signs-spoken")
    replay = replay_round(match.events, 1)
    captions = [scene.caption for scene in round_animation(match, replay, EN).frames]
    assert captions[0] == "A takes the seven of diamonds."
    made = [line for line in captions if "sign" in line or "gesture" in line]
    assert made[:2] == ["A bluffs with a gesture", "A makes the sign"]
    assert round_description(match, replay, EN).startswith("Match 12 · round 1 of 1. ")


def test_the_last_scene_keeps_its_sentences_apart() -> None:
    match = match_of("signs-spoken")
    last = round_animation(match, replay_round(match.events, 1), EN).frames[-1]
    assert " calls it. " in last.detail
    assert re.search(r" · Team.1 · \S+ — \S+ · Team.2 · ", last.detail)
