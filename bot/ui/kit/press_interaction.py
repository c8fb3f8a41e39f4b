"""Presses and filled-in forms, as discord.py's interactions that cost little memory and time."""

import weakref
from typing import Any

import discord
from discord.state import ConnectionState

from bot.ui.kit.interactions import keep_components


class PressInteraction(discord.Interaction):
    """A press or a filled-in form. It is freed as soon as its handler has returned.

    An interaction of discord.py and its response hold each other, so that only the collector of garbage frees them and
    their message. The collector's pauses delay the answers at all tables. Here the response holds its interaction
    weakly.
    """

    def __init__(self, payload: dict[str, Any], state: ConnectionState[Any]) -> None:
        """Takes out of `payload` what discord.py would make objects of: the message's components stay plain data."""
        if (pressed := payload.get("message")) is not None:
            keep_components(payload, pressed.get("components", []))
            pressed["components"] = []
            pressed.pop("interaction_metadata", None)
            pressed.pop("interaction", None)
        super().__init__(data=payload, state=state)  # type: ignore[arg-type]  # whatever Discord sends
        self._answer = discord.InteractionResponse(weakref.proxy(self))

    @property
    def response(self) -> discord.InteractionResponse:
        """As in `discord.Interaction`; of use while the interaction is held."""
        return self._answer
