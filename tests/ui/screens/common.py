"""What all scenes share: people, card faces, and how a message or a form becomes a JSON value."""

import json
from dataclasses import replace
from functools import cache
from itertools import cycle, islice
from typing import Any, Final
from zlib import crc32

import discord

from bot.discord.api.components import Layout
from bot.discord.pictures.card_faces import Faces, picture_name
from bot.discord.text.texts import texts_for
from bot.game.cards import DECKS
from bot.records.pictures import Theme
from bot.records.player import Player

Scene = tuple[str, Any]
"""A name, and the JSON value of what Discord gets."""

TABLE_ID: Final = 7
AT: Final = 1_800_000_000_000
HOST: Final = 1000
ZONE: Final = "Europe/Paris"
TEXTS: Final = (texts_for("fr"), texts_for("en"))
THEMES: Final = tuple(Theme)
NAMES: Final = (
    "Ana", "Bruno", "Chloé", "Dora", "Émile", "Fatou", "Gaël", "Hugo", "Inès", "Jules", "Karim", "Léa",
)  # fmt: skip
HOSTILE: Final = ("*_~`|<@1>", "# Titre\u202e", "https://x.yz/a [b](c)", "שלום", "@everyone", "a" * 40)


def number_of(name: str) -> int:
    """A number by which one of many screens differs from others: by its name, so that a new one changes no other."""
    return crc32(name.encode())


def sent(layout: Layout) -> Any:
    """A message as a JSON value."""
    return json.loads(json.dumps(layout))


def without(layout: Layout, kind: int) -> Any:
    """A message as a JSON value, without its components of one type."""
    (container,) = sent(layout)
    return [container | {"components": [part for part in container["components"] if part["type"] != kind]}]


def asked(form: discord.ui.Modal) -> Any:
    """A form as a JSON value."""
    return json.loads(json.dumps(form.to_dict()))


def people(count: int, kind: int) -> tuple[Player, ...]:
    """People of one kind: with a robot, with an absent one and an open seat, with names that mean harm, all there."""
    names = islice(cycle(NAMES if kind != 2 else HOSTILE), count)
    seated = [Player(name, HOST + seat) for seat, name in enumerate(names)]
    match kind:
        case 0:
            seated[-1] = Player(seated[-1].name)
        case 1:
            seated[0] = replace(seated[0], is_away=True)
            seated[-1] = replace(seated[-1], is_away=True, is_open=True)
        case 2:
            seated[-1] = Player("", None)
    return tuple(seated)


@cache
def _pictures() -> dict[str, int]:
    cards = sorted({card for deck in DECKS.values() for card in deck}, key=lambda card: card.code)
    names = {picture_name(card, theme, texts.locale) for card in cards for theme in THEMES for texts in TEXTS}
    return {name: 5000 + number for number, name in enumerate(sorted(names))}


def faces_of(number: int, step: int) -> Faces:
    pictures = _pictures() if number % 3 == 2 else {}
    return Faces(TEXTS[step % 2], THEMES[number % len(THEMES)], pictures)
