"""Examines every request of a bot against Discord's published limits, and keeps what was wrong with it."""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from bot.sandbox.discord.components import Fault, Path
from bot.sandbox.discord.objects import COMPONENTS_V2, Json, Message
from bot.sandbox.discord.routes.routing import Call
from bot.sandbox.discord.world import World
from tests.rig import published as p
from tests.rig.component_checks import UNKNOWN_FIELD, component_faults, sized

_MOST_KEPT: Final = 1_000
_MESSAGE, _DEFERRED, _UPDATE, _CHOICES, _FORM = 4, 5, 7, 8, 9
_NAME: Final = re.compile(r"^[-_'\w]{1,32}$")
_EMOJI_NAME: Final = re.compile(r"^\w{2,32}$", re.ASCII)
_SUBCOMMANDS: Final = (1, 2)


class Recorder:
    """Counts requests by route. ``violations`` are sentences: the route, the place in the body, what is wrong there."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self.violations: list[str] = []

    def examine(self, world: World | None, call: Call, *, is_known: bool = True) -> list[Fault]:
        """What Discord would refuse a request for. All that is wrong is kept; fields unknown to Discord it ignores."""
        name = f"{call.method} {call.shape}"
        self.requests[name] += 1
        if not is_known:
            self._keep(f"{name}: there is no such route")
            return []
        message = None if world is None else edited(world, call)
        faults = _body_faults(call, was_v2=message is not None and bool(message.flags & COMPONENTS_V2))
        for path, code, text in faults:
            self._keep(f"{name}: {'.'.join(map(str, path))}: {code}: {text}")
        return [fault for fault in faults if fault[1] != UNKNOWN_FIELD]

    def _keep(self, violation: str) -> None:
        if len(self.violations) < _MOST_KEPT:
            self.violations.append(violation)


def edited(world: World, call: Call) -> Message | None:
    """The message that a request would change, if there is one."""
    if (call.method, call.shape) == ("PATCH", "channels/*/messages/*"):
        channel = world.channels.get(call.number(0))
        return None if channel is None else channel.messages.get(call.number(1))
    if call.shape == "interactions/*/*/callback":
        interaction = world.interactions.get(call.number(0))
        return None if interaction is None else interaction.source
    if (call.method, call.shape) == ("PATCH", "webhooks/*/*/messages/*"):
        interaction = world.by_token.get(call.ids[1])
        return None if interaction is None else interaction.original
    return None


def _body_faults(call: Call, *, was_v2: bool) -> list[Fault]:
    faults = list(sized(len(call.reason or ""), p.REASON, ("reason",)))
    check = _CHECKS.get((call.method, call.shape))
    if check is not None:
        faults += check(call, was_v2)
    return faults


# ---------------------------------------------------------------------- messages


def _message(body: Json, call: Call, fields: frozenset[str], path: Path, *, was_v2: bool) -> Iterator[Fault]:
    for strange in body.keys() - fields:
        yield (*path, strange), UNKNOWN_FIELD, f"There is no field {strange!r} here."
    flags = int(body.get("flags") or 0)
    if flags & ~p.SETTABLE_FLAGS:
        yield (*path, "flags"), "MESSAGE_FLAGS_INVALID", f"These flags cannot be set: {flags & ~p.SETTABLE_FLAGS:#x}"
    is_v2 = was_v2 or bool(flags & COMPONENTS_V2)
    if is_v2 and body.get("content"):
        message = "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
        yield (*path, "content"), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message
    yield from sized(len(body.get("content") or ""), p.CONTENT, (*path, "content"))
    yield from sized(len(str(body.get("nonce") or "")), p.NONCE, (*path, "nonce"))
    if body.get("components"):
        yield from component_faults(body["components"], (*path, "components"), is_v2=is_v2)
    yield from _mentions(body.get("allowed_mentions") or {}, (*path, "allowed_mentions"))
    yield from _files(body, call, path)


def _mentions(allowed: Json, path: Path) -> Iterator[Fault]:
    parsed = set(allowed.get("parse") or ())
    if strange := parsed - {"users", "roles", "everyone"}:
        yield (*path, "parse"), "BASE_TYPE_CHOICES", f"Nothing parses {strange}."
    for kind in ("users", "roles"):
        yield from sized(len(allowed.get(kind) or ()), p.MENTIONED, (*path, kind))
        if kind in parsed and allowed.get(kind):
            message = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            yield path, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message


def _files(body: Json, call: Call, path: Path) -> Iterator[Fault]:
    told = body.get("attachments") or []
    yield from sized(max(len(told), len(call.uploads)), p.FILES_IN_MESSAGE, (*path, "attachments"))
    for upload in call.uploads:
        yield from sized(len(upload.data), p.FILE_BYTES, (*path, "attachments"))
    for index, file in enumerate(told):
        yield from sized(len(file.get("description") or ""), p.FILE_DESCRIPTION, (*path, "attachments", index))


def _post(call: Call, was_v2: bool) -> Iterator[Fault]:
    return _message(call.body or {}, call, p.MESSAGE_FIELDS, (), was_v2=was_v2)


def _edit(call: Call, was_v2: bool) -> Iterator[Fault]:
    return _message(call.body or {}, call, p.EDIT_FIELDS, (), was_v2=was_v2)


def _answer(call: Call, was_v2: bool) -> Iterator[Fault]:
    kind, data = (call.body or {}).get("type"), (call.body or {}).get("data") or {}
    if kind in (_MESSAGE, _DEFERRED, _UPDATE):
        yield from _message(data, call, p.MESSAGE_FIELDS, ("data",), was_v2=was_v2 and kind == _UPDATE)
    elif kind == _FORM:
        yield from _form(data)
    elif kind == _CHOICES:
        choices = data.get("choices") or []
        yield from sized(len(choices), p.CHOICES, ("data", "choices"))
        for index, choice in enumerate(choices):
            yield from _choice(choice, ("data", "choices", index))
    elif kind not in (1, 6):
        yield ("type",), "BASE_TYPE_CHOICES", f"There is no callback of type {kind!r}."


def _form(data: Json) -> Iterator[Fault]:
    for strange in data.keys() - p.FORM_FIELDS_OF_BODY:
        yield ("data", strange), UNKNOWN_FIELD, f"A form has no field {strange!r}."
    yield from sized(len(data.get("title") or ""), p.FORM_TITLE, ("data", "title"))
    yield from sized(len(data.get("custom_id") or ""), p.CUSTOM_ID, ("data", "custom_id"))
    yield from component_faults(data.get("components"), ("data", "components"), is_v2=False, is_form=True)


# ---------------------------------------------------------------------- commands


def _commands(call: Call, _was_v2: bool) -> Iterator[Fault]:
    commands: list[Json] = call.body or []
    yield from sized(len(commands), p.COMMANDS_IN_SCOPE, ())
    names = [(command.get("name"), command.get("type", 1)) for command in commands]
    for index, command in enumerate(commands):
        if names.index(names[index]) != index:
            yield (index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Command name already exists."
        if command.get("type", 1) == 1:
            yield from _command(command, (index,))
            yield from sized(_characters(command), p.COMMAND_CHARACTERS, (index,))


def _command(command: Json, path: Path) -> Iterator[Fault]:
    """A command, a group, a subcommand or an option: all have a name, a description, perhaps options."""
    for key in ("name", "description"):
        texts = [command.get(key) or "", *(command.get(f"{key}_localizations") or {}).values()]
        span = p.COMMAND_NAME if key == "name" else p.COMMAND_DESCRIPTION
        for text in texts:
            yield from sized(len(text), span, (*path, key))
            if key == "name" and (not _NAME.fullmatch(text) or text != text.lower()):
                message = "Command name is invalid"
                yield (*path, key), "APPLICATION_COMMAND_INVALID_NAME", message
    options = command.get("options") or []
    yield from sized(len(options), p.COMMAND_OPTIONS, (*path, "options"))
    names, has_optional = set(), False
    for index, option in enumerate(options):
        here = (*path, "options", index)
        if option.get("name") in names:
            yield (*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "An option's name is used twice."
        names.add(option.get("name"))
        if option.get("type") not in _SUBCOMMANDS:
            if option.get("required") and has_optional:
                message = "Required options must be placed before non-required options"
                yield here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message
            has_optional = has_optional or not option.get("required")
        yield from sized(len(option.get("choices") or ()), p.CHOICES, (*here, "choices"))
        for number, choice in enumerate(option.get("choices") or ()):
            yield from _choice(choice, (*here, "choices", number))
        yield from _command(option, here)


def _choice(choice: Json, path: Path) -> Iterator[Fault]:
    for name in (choice.get("name") or "", *(choice.get("name_localizations") or {}).values()):
        yield from sized(len(name), p.CHOICE_TEXT, (*path, "name"))
    if isinstance(choice.get("value"), str):
        yield from sized(len(choice["value"]), p.CHOICE_TEXT, (*path, "value"))


def _characters(command: Json) -> int:
    """All names, descriptions and values, each in its longest language."""

    def longest(key: str) -> int:
        texts = (command.get(key) or "", *(command.get(f"{key}_localizations") or {}).values())
        return max(map(len, texts))

    inside: list[Json] = command.get("options") or []
    choices: list[Json] = command.get("choices") or []
    value: Any = command.get("value")
    own = longest("name") + longest("description") + (len(value) if isinstance(value, str) else 0)
    return own + sum(map(_characters, [*inside, *choices]))


# ---------------------------------------------------------------------- the rest


def _thread(call: Call, _was_v2: bool) -> Iterator[Fault]:
    body = call.body or {}
    if "name" in body or call.method == "POST":
        yield from sized(len(body.get("name") or ""), p.THREAD_NAME, ("name",))
    minutes = body.get("auto_archive_duration")
    if minutes is not None and minutes not in p.ARCHIVE_MINUTES:
        yield ("auto_archive_duration",), "BASE_TYPE_CHOICES", f"Must be one of {p.ARCHIVE_MINUTES}."


def _event(call: Call, _was_v2: bool) -> Iterator[Fault]:
    body = call.body
    if call.method == "POST" or "name" in body:
        yield from sized(len(body.get("name") or ""), p.EVENT_NAME, ("name",))
    yield from sized(len(body.get("description") or ""), p.EVENT_DESCRIPTION, ("description",))
    place = (body.get("entity_metadata") or {}).get("location") or ""
    if call.method == "POST" or place:
        yield from sized(len(place), p.EVENT_LOCATION, ("entity_metadata", "location"))
    if call.method == "POST" and not body.get("scheduled_end_time"):
        yield ("scheduled_end_time",), "BASE_TYPE_REQUIRED", "This field is required"


def _emoji(call: Call, _was_v2: bool) -> Iterator[Fault]:
    body = call.body or {}
    if not _EMOJI_NAME.fullmatch(body.get("name") or ""):
        yield ("name",), "STRING_TYPE_REGEX", f"Between {p.EMOJI_NAME.low} and {p.EMOJI_NAME.high} letters and digits."
    if call.method == "POST":
        _, _, encoded = (body.get("image") or "").partition("base64,")
        try:
            size = len(base64.b64decode(encoded, validate=True))
        except binascii.Error:
            size = 0
        yield from sized(size, p.EMOJI_BYTES, ("image",))


_CHECKS: Final[dict[tuple[str, str], Callable[[Call, bool], Iterator[Fault]]]] = {
    ("POST", "guilds/*/scheduled-events"): _event,
    ("PATCH", "guilds/*/scheduled-events/*"): _event,
    ("POST", "channels/*/messages"): _post,
    ("PATCH", "channels/*/messages/*"): _edit,
    ("POST", "webhooks/*/*"): _post,
    ("PATCH", "webhooks/*/*/messages/*"): _edit,
    ("POST", "interactions/*/*/callback"): _answer,
    ("PUT", "applications/*/commands"): _commands,
    ("PUT", "applications/*/guilds/*/commands"): _commands,
    ("POST", "channels/*/messages/*/threads"): _thread,
    ("POST", "channels/*/threads"): _thread,
    ("PATCH", "channels/*"): _thread,
    ("POST", "applications/*/emojis"): _emoji,
    ("PATCH", "applications/*/emojis/*"): _emoji,
}
