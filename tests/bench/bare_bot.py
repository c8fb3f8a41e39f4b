"""The reference: a bot of documented discord.py calls that sends the same messages and does nothing else.

It is told what to send: for each press of a person an answer, then edits of a table's message and of other people's
panels. It builds each as a `LayoutView`. It has no rules, no database, and puts nothing together.
"""

from collections import deque
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import discord
import orjson
import uvloop
from discord import ui

from bot.discord.api.discord_internals import discord_at

TOKEN: Final = "bG9vcGJhY2s.bare.token"
SCRIPT: Final = "script:"
"""A press with this custom id and a file's name brings the answers for what follows."""

Json = dict[str, Any]


class BareBot(discord.Client):
    """Answers presses by a script: by user, a list of `[answer's components, [edit, ...]]`.

    An edit is `["board", channel id, message id, components]` or `["panel", user id, components]`. Who presses while
    no answer is left is answered without a change.
    """

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True, guild_messages=True, guild_reactions=True))
        self._answers: dict[int, deque[list[Any]]] = {}
        self._latest: dict[int, discord.Interaction[BareBot]] = {}

    async def on_interaction(self, interaction: "discord.Interaction[BareBot]") -> None:
        """Answer, then edit what the press changes for others."""
        custom_id = str((interaction.data or {}).get("custom_id", ""))
        if custom_id.startswith(SCRIPT):
            await interaction.response.defer()
            self._read(Path(custom_id.removeprefix(SCRIPT)))
            return
        self._latest[interaction.user.id] = interaction
        answers = self._answers.get(interaction.user.id)
        if not answers:
            await interaction.response.defer()
            return
        answer, edits = answers.popleft()
        if answer is None:
            await interaction.response.defer()
        else:
            await interaction.response.edit_message(view=layout(answer))
        for edit in edits:
            await self._edit(*edit)

    async def _edit(self, kind: str, *where: Any) -> None:
        if kind == "panel":
            user, components = where
            if (latest := self._latest.get(user)) is not None:
                await latest.edit_original_response(view=layout(components))
            return
        channel_id, message_id, components = where
        channel = self.get_channel(channel_id)
        assert isinstance(channel, discord.abc.Messageable)
        await channel.get_partial_message(message_id).edit(view=layout(components))  # type: ignore[attr-defined]

    def _read(self, script: Path) -> None:
        self._answers = {int(user): deque(steps) for user, steps in orjson.loads(script.read_bytes()).items()}


def layout(components: list[Json]) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    for component in components:
        view.add_item(_item(component))
    return view


def _item(data: Json) -> ui.Item[Any]:
    match data["type"]:
        case 1:
            row = ui.ActionRow[Any]()
            for child in data["components"]:
                row.add_item(_item(child))
            return row
        case 2:
            emoji = data.get("emoji")
            return ui.Button(
                style=discord.ButtonStyle(data["style"]),
                label=data.get("label"),
                disabled=data.get("disabled", False),
                custom_id=data.get("custom_id"),
                url=data.get("url"),
                emoji=None if emoji is None else discord.PartialEmoji.from_dict(emoji),
            )
        case 3:
            options = [
                discord.SelectOption(
                    label=option["label"],
                    value=option["value"],
                    description=option.get("description"),
                    default=option.get("default", False),
                )
                for option in data["options"]
            ]
            return ui.Select(
                custom_id=data["custom_id"],
                placeholder=data.get("placeholder"),
                min_values=data.get("min_values", 1),
                max_values=data.get("max_values", 1),
                disabled=data.get("disabled", False),
                options=options,
            )
        case 10:
            return ui.TextDisplay(data["content"])
        case 14:
            return ui.Separator(visible=data.get("divider", True))
        case 17:
            return ui.Container(*(_item(child) for child in data["components"]), accent_colour=data.get("accent_color"))
    raise ValueError(f"a component of type {data['type']} is not part of a table")


def main(_: Connection, address: str) -> None:
    async def run() -> None:
        async with BareBot() as bot:
            await bot.start(TOKEN)

    with discord_at(address):
        uvloop.run(run())
