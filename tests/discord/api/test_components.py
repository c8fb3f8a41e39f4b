"""Components: sent like discord.py's own objects, never changed, of one palette."""

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import ui
from discord.http import handle_message_parameters
from discord.webhook.async_ import interaction_message_response_params

import bot
from bot.discord.api import components
from bot.discord.api.components import PRIMARY, Emoji, button, layout, menu, option, row, text, with_picture
from bot.discord.api.requests import PreparedView


def picture() -> discord.File:
    return discord.File(BytesIO(b"png"), "kems.png", description="Four kings")


def ours() -> PreparedView:
    emoji, options = Emoji("7s", 5), [option("French cards", "french", description="7♠", is_default=True)]
    controls = [
        row(button("7♠", "k1:7.1:put:7S", style=PRIMARY, emoji=emoji), button("·", "k1:7.1:empty", is_enabled=False)),
        menu("k1:7.1:show", "Cards…", options, least=0),
    ]
    made = layout(text("## Kem's", None, "words"), *controls, colour=0x2F8F5B)
    return PreparedView(with_picture(made, "kems.png", "Four kings"))


def of_objects() -> ui.LayoutView:
    emoji = discord.PartialEmoji(name="7s", id=5)
    view, gallery = ui.LayoutView(timeout=None), discord.MediaGalleryItem(picture(), description="Four kings")
    one: ui.Button[Any] = ui.Button(
        label="7♠", custom_id="k1:7.1:put:7S", style=discord.ButtonStyle.primary, emoji=emoji
    )
    two: ui.Button[Any] = ui.Button(label="·", custom_id="k1:7.1:empty", disabled=True)
    options = [discord.SelectOption(label="French cards", value="french", description="7♠", default=True)]
    select: ui.Select[Any] = ui.Select(custom_id="k1:7.1:show", placeholder="Cards…", options=options, min_values=0)
    parts = (ui.TextDisplay("## Kem's\nwords"), ui.MediaGallery(gallery), ui.ActionRow(one, two), ui.ActionRow(select))
    view.add_item(ui.Container(*parts, accent_colour=0x2F8F5B))
    view.stop()
    return view


def sent(parameters: Any) -> tuple[Any, list[str]]:
    """The JSON and the names of the files; with a file, discord.py puts the JSON into the first part of a form."""
    with parameters as made:
        if not made.multipart:
            return json.loads(json.dumps(made.payload)), []
        return json.loads(made.multipart[0]["value"]), [part["filename"] for part in made.multipart[1:]]


@pytest.mark.parametrize("files", [0, 1])
async def test_a_screen_is_sent_like_a_view_of_discord_py(files: int) -> None:
    def asked(view: ui.LayoutView) -> list[tuple[Any, list[str]]]:
        new, change = [picture() for _ in range(files)], [picture() for _ in range(files)]
        return [
            sent(handle_message_parameters(view=view, files=new)),
            sent(handle_message_parameters(view=view, attachments=change)),
            sent(interaction_message_response_params(type=4, view=view, files=[picture() for _ in range(files)])),
            sent(interaction_message_response_params(type=7, view=view, attachments=[picture() for _ in range(files)])),
        ]

    assert asked(ours()) == asked(of_objects())


def test_a_shared_button_cannot_be_changed() -> None:
    """The panels of a process share their buttons: a changed label would stand in another match's panel, too."""
    shared = button("7♠", "k1:7.1:put:7S", emoji=Emoji("7s", 5))
    (panel,) = layout(row(shared), menu("k1:7.1:show", "", [option("One", "1")]))
    part: Any
    for part in (panel, *panel["components"], shared, shared["emoji"], panel["components"][1]["components"][0]):
        for change in (
            lambda part=part: part.update(label="8♠"),
            lambda part=part: part.__setitem__("label", "8♠"),
            lambda part=part: part.pop("type"),
            lambda part=part: part.clear(),
        ):
            with pytest.raises(TypeError, match="cannot be changed"):
                change()
        assert not any(isinstance(inner, list) for inner in part.values()), "a list could be changed"
    assert {**shared, "label": "8♠"}["label"] == "8♠"
    assert shared["label"] == "7♠"


async def test_discord_py_does_not_store_views_of_screens() -> None:
    """It would otherwise answer its buttons itself, and hold one view per message."""
    view = ours()
    assert view.is_finished()
    assert not view.is_dispatchable()


BOT = Path(bot.__file__).parent


def test_every_accent_is_of_the_palette_and_differs_from_the_others() -> None:
    found = {
        path.relative_to(BOT).as_posix()
        for path in (*BOT.glob("discord/**/*.py"), *BOT.glob("ui/**/*.py"))
        if re.search(r"\b0x[0-9A-Fa-f]{6}\b", path.read_text(encoding="utf-8"))
    }
    assert found == {"discord/api/components.py"}
    values = [value for value in vars(components).values() if isinstance(value, int) and value > 0xFFFF]
    assert len(values) >= 8
    assert len(set(values)) == len(values)


def test_a_link_is_shown_in_an_answer_as_it_is() -> None:
    way = layout(text("The match begins."), row(components.link_button("Go", components.link_to(1, 2))))
    assert [*components.parts_of(components.with_new_ids(way, 7))] == [*components.parts_of(way)]
