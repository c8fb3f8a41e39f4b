"""Components of a message or a form: walking through them, and what Discord adds when it takes them in.

Source: https://discord.com/developers/docs/components/reference
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from bot.sandbox.discord import errors
from bot.sandbox.discord.objects import Json
from bot.sandbox.discord.state import State

ROW, BUTTON, MENU, TEXT_INPUT = 1, 2, 3, 4
USER_MENU, ROLE_MENU, MENTIONABLE_MENU, CHANNEL_MENU = 5, 6, 7, 8
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER, LABEL = 9, 10, 11, 12, 13, 14, 17, 18
_WITH_MEDIA: Final = (THUMBNAIL, GALLERY, FILE)
MENUS: Final = (MENU, USER_MENU, ROLE_MENU, MENTIONABLE_MENU, CHANNEL_MENU)

_INVALID_EMOJI: Final = ("BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")

Path = tuple[str | int, ...]


def walk(components: Sequence[Json], path: Path = ("components",)) -> Iterator[tuple[Path, Json]]:
    """All components with their places, nested ones too, in the order of the screen."""
    for index, component in enumerate(components):
        here = (*path, index)
        yield here, component
        if children := component.get("components"):
            yield from walk(children, (*here, "components"))
        for key in ("accessory", "component"):
            if key in component:
                yield (*here, key), component[key]


def media_of(component: Json) -> list[Json]:
    """The pictures and files that a component shows by itself."""
    media = [component[key] for key in ("media", "file") if key in component]
    return media + [item["media"] for item in component.get("items") or ()]


def take_in(world: State, components: Sequence[Json], files: Sequence[Json]) -> None:
    """Number the components, and put the addresses of files where they are named.

    Raises:
        DiscordError: 50035, for an emoji that is gone or a file that was not sent.
    """
    faults: list[tuple[Path, str, str]] = []
    addresses = {f"attachment://{file['filename']}": file for file in files}
    for number, (path, component) in enumerate(walk(components), 1):
        component.setdefault("id", number)
        if emoji := component.get("emoji"):
            faults += _emoji_faults(world, emoji, (*path, "emoji"))
        for index, option in enumerate(component.get("options") or ()):
            if emoji := option.get("emoji"):
                faults += _emoji_faults(world, emoji, (*path, "options", index, "emoji"))
        if component["type"] not in _WITH_MEDIA:
            continue
        for one in media_of(component):
            address = one.get("url", "")
            if not address.startswith("attachment://"):
                continue
            if file := addresses.get(address):
                one |= {"url": file["url"], "proxy_url": file["url"], "attachment_id": file["id"]}
            else:
                faults.append(((*path, "media", "url"), "UNKNOWN_ATTACHMENT", f"{address} was not sent"))
    if not faults and (share := world.assumptions.refuses_emojis):
        ours = (path for path, part in walk(components) if _shows_own(world, part))
        faults += ((path, *_INVALID_EMOJI) for path in islice(ours, 1) if world.random.random() < share)
    if faults:
        raise errors.invalid_form(faults)


def _shows_own(world: State, part: Json) -> bool:
    return int(part.get("emoji", {}).get("id") or 0) in world.application_emojis


def _emoji_faults(world: State, emoji: Json, path: Path) -> Sequence[tuple[Path, str, str]]:
    """A custom emoji that does not exist refuses the whole message.

    Sources: https://github.com/HuyaneMatsu/Koishi/issues/25 (a deleted emoji in a menu's option), and
    https://github.com/discord/discord-api-docs/issues/8071 (the code is the same for buttons and menus).
    """
    number = emoji.get("id")
    if number is None or world.knows_emoji(int(number)):
        return ()
    return [((*path, "id"), *_INVALID_EMOJI)]
