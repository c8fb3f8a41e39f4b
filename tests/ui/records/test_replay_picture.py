"""A round as a film: what each scene shows and says, whatever people are called and sign with; nothing is cut off."""

from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.art.table_scene import scene_words
from bot.art.writing import ELLIPSIS
from bot.base.clock import WallClock
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.text.names import MAX_NAME
from bot.discord.text.texts import texts_for
from bot.game import events as e
from bot.game.replay_steps import replay_round
from bot.records.archive import PastMatch
from bot.records.pictures import RoundAnimation
from bot.records.player import Player
from bot.ui.records.replay_panel import MOST_MS, round_animation, round_description, round_in_short
from tests.ui.records.test_replay_panel import MATCHES, match_of
from tests.ui.walk import EN, FR


def film(match: PastMatch, number: int = 1, language: str = "en") -> RoundAnimation:
    return round_animation(match, replay_round(match.events, number), texts_for(language))


def signed_with(sign: str) -> PastMatch:
    """A match whose first gesture is that of the reactions on its table."""
    match = match_of("classic-kems")
    made = next(event for event in match.events if isinstance(event, e.GestureMade))
    changed = tuple(replace(event, text=sign) if event == made else event for event in match.events)
    return replace(match, events=changed)


def gestures(picture: RoundAnimation) -> list[str]:
    return [scene.gesture for scene in picture.frames if scene.gesture]


def test_a_gesture_is_in_its_scene_as_it_was_made() -> None:
    assert gestures(film(match_of("classic-kems"))) == ["👀"]
    assert gestures(film(match_of("signs-spoken")))[0] == "« weather, what? »"
    assert gestures(film(signed_with("❤"))) == ["❤️"], "as a picture, not as a letter"


def emojis_of(**names: int) -> CustomEmojis:
    known = {number: SimpleNamespace(name=name) for name, number in names.items()}
    client = SimpleNamespace(get_emoji=known.get)
    return CustomEmojis(cast(discord.Client, cast(Any, client)), WallClock())


@pytest.mark.parametrize(("sign", "shown"), [("<:12>", ":trefle:"), ("<a:12>👀", ":trefle:👀"), ("<:99>", ":sign:")])
def test_an_emoji_of_the_server_is_shown_by_its_name_and_never_as_a_blank(sign: str, shown: str) -> None:
    match = signed_with(sign)
    replay = replay_round(match.events, 1)
    assert gestures(round_animation(match, replay, FR, emojis_of(trefle=12).named)) == [shown]
    assert all(gestures(round_animation(match, replay, FR))), "also where no name is known"


def test_the_deciding_cards_are_highlighted_at_the_end_of_a_round() -> None:
    *before, last = film(match_of("classic-kems")).frames
    assert not any(scene.decisive_cards for scene in before)
    assert len(last.decisive_cards) == 4
    assert len({card.group for card in last.decisive_cards}) == 1
    assert any(set(last.decisive_cards) == set(hand) for hand in last.hands)


@pytest.mark.parametrize("name", [*MATCHES, "classic-kems"])
def test_no_scene_is_cut_off_however_long_the_names_are(name: str) -> None:
    match = match_of(name)
    match = replace(
        match, people=tuple(Player(f"{seat}" + "M" * (MAX_NAME - 2)) for seat, _ in enumerate(match.people))
    )
    for number, language in product(range(1, replay_round(match.events, 1).rounds + 1), ("fr", "en")):
        for scene in film(match, number, language).frames:
            caption, detail = scene_words(scene)
            assert not any(line.endswith(ELLIPSIS) for line in (*caption, *detail)), (scene.caption, scene.detail)


def test_sentences_keep_their_order_around_right_to_left_names() -> None:
    match = match_of("classic-kems")
    match = replace(match, people=(Player("שלום כהן", 1), *match.people[1:]))
    said = [scene.caption for scene in film(match).frames if "puts" in scene.caption]
    assert said[0].startswith("\u2068שלום כהן\u2069 puts ")


def test_a_film_is_the_last_ten_to_twelve_seconds() -> None:
    match = match_of("expert-twelve-players")
    scenes, steps = film(match).frames, replay_round(match.events, 1).steps
    assert 1 < len(scenes) < len(steps)
    assert 10_000 < sum(scene.milliseconds for scene in scenes) <= MOST_MS == 12_000
    assert scenes[-1].hands == steps[-1].hands


def test_a_film_is_posted_with_words() -> None:
    match = match_of("classic-kems")
    replay = replay_round(match.events, 1)
    assert round_in_short(match, replay, FR) == "Partie 12 · manche 1 sur 2 · **KEM'S !**"
    assert "KEM'S!" in round_description(match, replay, EN)
