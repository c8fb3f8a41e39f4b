"""Components of a message or a modal: how they are found, and what Discord adds when it receives them.

Source: https://discord.com/developers/docs/components/reference
"""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.sandbox.discord import errors
from bot.sandbox.discord.objects import Json
from bot.sandbox.discord.state import State

BUTTON, MENU, USER_MENU, ROLE_MENU, CHANNEL_MENU = 2, 3, 5, 6, 8
MENUS: Final = (MENU, USER_MENU, ROLE_MENU, CHANNEL_MENU)

INVALID_EMOJI: Final = ("BUTTON_COMPONENTINVALID_EMOJI", "Invalid emoji")

Path = tuple[str | int, ...]
Fault = tuple[Path, str, str]
"""A place in a body, Discord's code, a sentence."""


def walk(components: Sequence[Json], path: Path = ("components",)) -> Iterator[tuple[Path, Json]]:
    """Yield all components, also nested ones, with their paths, in the order of the screen."""
    for index, component in enumerate(components):
        here = (*path, index)
        yield here, component
        if children := component.get("components"):
            yield from walk(children, (*here, "components"))
        if "component" in component:
            yield (*here, "component"), component["component"]


def media_of(component: Json) -> list[Json]:
    """Return the pictures that a gallery shows."""
    return [item["media"] for item in component.get("items") or ()]


def take_in(world: State, components: Sequence[Json], files: Sequence[Json]) -> None:
    """Number the components, and fill in the addresses of the files that they name.

    Raises:
        DiscordError: 50035, for an emoji that is gone or a file that was not sent.
    """
    faults: list[Fault] = []
    addresses = {f"attachment://{file['filename']}": file for file in files}
    for number, (path, component) in enumerate(walk(components), 1):
        component.setdefault("id", number)
        if emoji := component.get("emoji"):
            faults += _emoji_faults(world, emoji, (*path, "emoji"))
        for index, option in enumerate(component.get("options") or ()):
            if emoji := option.get("emoji"):
                faults += _emoji_faults(world, emoji, (*path, "options", index, "emoji"))
        for one in media_of(component):
            address = one.get("url", "")
            if not address.startswith("attachment://"):
                continue
            if file := addresses.get(address):
                one |= {"url": file["url"], "proxy_url": file["url"], "attachment_id": file["id"]}
            else:
                faults.append(((*path, "media", "url"), "UNKNOWN_ATTACHMENT", f"{address} was not sent"))
    if faults:
        raise errors.invalid_form(faults)


def _emoji_faults(world: State, emoji: Json, path: Path) -> Sequence[Fault]:
    """Return what is wrong with an emoji. A custom emoji that does not exist refuses the whole message.

    Sources: https://github.com/HuyaneMatsu/Koishi/issues/25 (a deleted emoji in a menu's option), and
    https://github.com/discord/discord-api-docs/issues/8071 (the code is the same for buttons and menus).
    """
    number = emoji.get("id")
    if number is None or world.knows_emoji(int(number)):
        return ()
    return [((*path, "id"), *INVALID_EMOJI)]
