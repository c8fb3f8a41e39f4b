"""Interactions: what came with one, the answers to it and forms, edits of messages, and how requests fail.

The router answers a form by its custom id.

Discord.py builds a whole message from the answer to each edit, which costs as much as the request. `edit_reached`,
`follow_up` and `edit_message` send the same requests without that. The answer to a press goes the promised way: it
costs 59 us of CPU instead of 10, a sixtieth of a press.
"""

import weakref
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final, Self, cast

import aiohttp
import discord
import structlog
from discord.http import Route, handle_message_parameters
from discord.state import ConnectionState
from discord.webhook.async_ import async_context

from bot.discord.api.components import Layout, renewed
from bot.discord.api.custom_ids import ASKED, asked_at
from bot.discord.text.texts import Texts, texts_for

UNREACHED: Final = (aiohttp.ClientError, ConnectionError, TimeoutError)
"""The connection was cut, could not be made, or took too long: nobody knows whether the request was carried out."""
FAILED: Final = (discord.HTTPException, *UNREACHED)
ANSWERED_ALREADY: Final = 40060
"""Discord's code for a second answer: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json"""
_ELSEWHERE: Final = "answered_elsewhere"
_MOST: Final = 300

_log = structlog.get_logger(__name__)

MAX_TITLE: Final = 45  # Discord's limits for a form
MAX_TYPED: Final = 4000
MAX_HINT: Final = 100
TEXT: Final = "text"
_DEEPEST: Final = 2
"""A form holds labels or rows, and these hold its fields (https://discord.com/developers/docs/components/reference)."""


class PreparedView(discord.ui.LayoutView):
    """A layout as it is. discord.py never stores a finished view, so that every press goes through the router."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(timeout=None)
        self._layout = layout

    def to_components(self) -> list[dict[str, Any]]:
        return cast("list[dict[str, Any]]", self._layout)

    def has_components_v2(self) -> bool:
        return True

    def is_finished(self) -> bool:
        return True


NOBODY: Final = discord.AllowedMentions.none()
_COMPONENTS_V2: Final = discord.MessageFlags(components_v2=True).value
_EPHEMERAL: Final = discord.MessageFlags(ephemeral=True).value


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that a message has, among the files of an edit: discord.py asks no more of it than this."""

    id: int

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.id}


Files = Sequence[discord.File | KeptFile]


async def update_pressed(interaction: discord.Interaction, layout: Layout, files: Files | None = None) -> None:
    """Answer a press: the pressed message looks like this from now on, with these files; None: with those that it has.

    Raises discord.HTTPException: Discord refuses it; discord.InteractionResponded: the press has been answered already.
    """
    attached: Any = discord.utils.MISSING if files is None else files
    view = PreparedView(layout)
    await interaction.response.edit_message(view=view, attachments=attached, allowed_mentions=NOBODY)


async def edit_reached(
    client: discord.Client, token: str, layout: Layout | None, follow_up_id: int | None = None
) -> None:
    """Edit the message that answers an interaction, by its token, or a `follow_up` of that; None deletes it.

    Raises discord.HTTPException: Discord refuses it.
    """
    assert client.application_id is not None, "messages are reached after the login"
    route = Route(
        "DELETE" if layout is None else "PATCH",
        f"/webhooks/{{webhook_id}}/{{webhook_token}}/messages/{follow_up_id or '@original'}",
        webhook_id=client.application_id,
        webhook_token=token,
    )
    await _request(client, route, None if layout is None else _body(layout))


async def follow_up(client: discord.Client, token: str, layout: Layout) -> int:
    """Post one more private message at the end of the channel, by the token of an answered interaction; its id.

    Raises discord.HTTPException: Discord refuses it.
    """
    assert client.application_id is not None, "messages are posted after the login"
    route = Route(
        "POST", "/webhooks/{webhook_id}/{webhook_token}", webhook_id=client.application_id, webhook_token=token
    )
    posted = await _request(client, route, _body(layout) | {"flags": _COMPONENTS_V2 | _EPHEMERAL})
    return int(posted["id"])


async def edit_message(
    client: discord.Client, channel_id: int, message_id: int, layout: Layout, files: Files | None = None
) -> object:
    """Edit a message of the bot in a channel; its files become these; None: they stay. Returns it as Discord sends it.

    Raises discord.HTTPException: Discord refuses it.
    """
    attached: Any = discord.utils.MISSING if files is None else files
    view = PreparedView(layout)
    with handle_message_parameters(view=view, attachments=attached, allowed_mentions=NOBODY) as params:
        return await client.http.edit_message(channel_id, message_id, params=params)


def _body(layout: Layout) -> dict[str, Any]:
    return {"components": layout, "flags": _COMPONENTS_V2, "allowed_mentions": NOBODY.to_dict()}


async def _request(client: discord.Client, route: Route, payload: dict[str, Any] | None = None) -> Any:
    http = client.http
    session: Any = http._HTTPClient__session  # type: ignore[attr-defined]  # as discord.py's own webhooks take it
    return await async_context.get().request(
        route, session, payload=payload, proxy=http.proxy, proxy_auth=http.proxy_auth
    )


class RefusedError(Exception):
    """What was asked for cannot be done; the message is a sentence in the reader's language."""


def facts(error: Exception) -> dict[str, Any]:
    """What the log keeps of a failure: Discord's words; those of others may quote an address with a token in it."""
    if isinstance(error, discord.HTTPException):
        return {"status": error.status, "code": error.code, "problem": error.text[:_MOST]}
    return {"problem": type(error).__name__}


@contextmanager
def noting(log: Callable[..., object], event: str, **about: object) -> Iterator[None]:
    """Go on after what Discord refuses meanwhile, which the log keeps."""
    try:
        yield
    except FAILED as error:
        log(event, **about, **facts(error))


def reader(interaction: discord.Interaction) -> Texts:
    return texts_for(interaction.locale)


def guild_of(interaction: discord.Interaction) -> int:
    assert interaction.guild_id is not None, "the bot is for servers alone"
    return interaction.guild_id


def field_of(interaction: discord.Interaction, name: str) -> Any:
    """A field of what was sent with the press; empty text where there is none."""
    sent: object = interaction.data
    return sent.get(name, "") if isinstance(sent, Mapping) else ""


def chosen(interaction: discord.Interaction) -> tuple[str, ...]:
    """The values of a menu; none for a button, and for what only a tampered client sends."""
    values = field_of(interaction, "values")
    return tuple(values) if isinstance(values, list) and all(isinstance(value, str) for value in values) else ()


def chosen_members(interaction: discord.Interaction) -> list[discord.Member]:
    """The members chosen in a menu of people, who came with the press."""
    guild, resolved = interaction.guild, field_of(interaction, "resolved")
    if guild is None or not isinstance(resolved, dict):
        return []
    users: dict[str, Any] = resolved.get("users", {})
    members: dict[str, Any] = resolved.get("members", {})
    state = interaction._state  # as discord.py's own menus make members of what came with a press
    described: list[Any] = [
        {**members[one], "user": users[one]} for one in chosen(interaction) if one in users and one in members
    ]
    return [discord.Member(data=data, guild=guild, state=state) for data in described]


def first_chosen(interaction: discord.Interaction) -> str:
    """The only value of a menu; "" where there is none."""
    return next(iter(chosen(interaction)), "")


def custom_ids_of(components: object) -> list[str]:
    """The custom ids of components as Discord sends them; what cannot be read has none."""
    found: list[str] = []
    waiting = [*components] if isinstance(components, list) else []
    while waiting:
        if isinstance(part := waiting.pop(), dict):
            custom_id, parts = part.get("custom_id"), part.get("components")
            found += [custom_id] if isinstance(custom_id, str) else []
            waiting += parts if isinstance(parts, list) else []
            waiting.append(part.get("accessory"))
    return found


def made_at(interaction: discord.Interaction) -> int:
    """When it was made, by Discord's own clock (milliseconds)."""
    return time_of(interaction.id)


def time_of(snowflake: int) -> int:
    """When a message or an interaction was made, by Discord's own clock (milliseconds)."""
    return (snowflake >> 22) + discord.utils.DISCORD_EPOCH


def is_private(message: discord.Message | None) -> bool:
    return message is not None and message.flags.ephemeral


async def say(interaction: discord.Interaction, line: str) -> None:
    """Tells the presser alone, if the press is not answered yet; an answer that was promised is given now."""
    promised = interaction.response.type
    try:
        if promised is discord.InteractionResponseType.deferred_channel_message:
            await interaction.edit_original_response(content=line)
        elif promised is discord.InteractionResponseType.deferred_message_update:
            await interaction.followup.send(line, ephemeral=True)
        elif not interaction.response.is_done():
            await interaction.response.send_message(line, ephemeral=True)
    except FAILED as error:  # it is older than three seconds, or answered elsewhere; or Discord is out of reach
        note_answered_elsewhere(interaction, error)
        _log.warning("answer.failed", **facts(error))


def note_answered_elsewhere(interaction: discord.Interaction, error: Exception) -> None:
    """Note that Discord refuses an answer because it has one already, if that is the error."""
    if isinstance(error, discord.HTTPException) and error.code == ANSWERED_ALREADY:
        interaction.extras[_ELSEWHERE] = True


def is_answered_elsewhere(interaction: discord.Interaction) -> bool:
    return _ELSEWHERE in interaction.extras


async def posted_id(
    interaction: discord.Interaction, posted: discord.InteractionCallbackResponse[discord.Client]
) -> int:
    """The id of the message that answers an interaction, of which Discord may tell nothing.

    Raises discord.HTTPException: it is gone.
    """
    return posted.message_id or (await interaction.original_response()).id


async def take_back(interaction: discord.Interaction) -> None:
    with noting(_log.info, "answer.stays"):
        await interaction.delete_original_response()


async def say_outdated(interaction: discord.Interaction) -> None:
    """Answer a press that the present messages do not offer."""
    await say(interaction, reader(interaction).t("This button is no longer in use: press one on the newest message."))


async def show(interaction: discord.Interaction, layout: Layout) -> None:
    """Answer with a private panel: in place where it was pressed or was promised, else as a new message."""
    layout = renewed(layout, interaction.id)
    if interaction.response.is_done():
        await edit_reached(interaction.client, interaction.token, layout)
    elif is_private(interaction.message):
        await update_pressed(interaction, layout)
    else:
        await interaction.response.send_message(view=PreparedView(layout), ephemeral=True)


async def promise(interaction: discord.Interaction, *, is_new: bool = False) -> None:
    """Promise what `show` answers later, before what may take longer than a second; once is enough.

    With `is_new` it is a new message, also where a private panel was pressed.
    """
    if interaction.response.is_done():
        return
    if is_private(interaction.message) and not is_new:
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)


class PressInteraction(discord.Interaction):
    """A press or a filled-in form. It is freed as soon as its handler has returned.

    An interaction of discord.py and its response hold each other, so that only the collector of garbage frees them and
    their message. The collector's pauses delay the answers at all tables. Here the response holds its interaction
    weakly.
    """

    def __init__(self, payload: dict[str, Any], state: ConnectionState[Any]) -> None:
        """Takes out of `payload` what discord.py would make objects of."""
        if (pressed := payload.get("message")) is not None:
            pressed["components"] = []
            pressed.pop("interaction_metadata", None)
            pressed.pop("interaction", None)
        super().__init__(data=payload, state=state)  # type: ignore[arg-type]  # whatever Discord sends
        self._answer = discord.InteractionResponse(weakref.proxy(self))

    @property
    def response(self) -> discord.InteractionResponse:
        return self._answer


def attached(files: Mapping[str, bytes], stem: str, limit: int) -> list[discord.File]:
    """The files by name; above `limit` bytes one archive named for `stem`, and nothing where that is too large.

    It takes a while: run it in a thread.
    """
    if sum(map(len, files.values())) > limit:
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        files = {f"{stem}.zip": packed.getvalue()}
    return [discord.File(BytesIO(data), name) for name, data in files.items() if len(data) <= limit]


class Form(discord.ui.Modal):
    """Up to five questions. `filled` or `typed` read the submitted form."""

    def __init__(self, title: str, custom_id: str) -> None:
        super().__init__(title=title, custom_id=custom_id, timeout=None)
        self.stop()  # answered by the router, so discord.py must not keep it

    def asked(self, asked: int) -> Self:
        """The form is the yes of a question that the press of that id asked."""
        self.custom_id = asked_at(self.custom_id + ASKED, asked)
        return self

    def ask(
        self,
        question: str,
        *,
        name: str = TEXT,
        hint: str = "",
        written: str | None = None,
        example: str | None = None,
        most: int = 100,
        is_long: bool = False,
        is_required: bool = True,
    ) -> Self:
        """A text. `written` stands there already, `example` only until something is typed; `hint` is cut to fit."""
        field = discord.ui.TextInput[discord.ui.Modal](
            custom_id=name,
            style=discord.TextStyle.paragraph if is_long else discord.TextStyle.short,
            default=written,
            placeholder=example,
            max_length=most,
            required=is_required,
        )
        self.add_item(discord.ui.Label(text=question, description=hint[:MAX_HINT] or None, component=field))
        return self

    def choose(self, question: str, name: str, answers: Sequence[tuple[str, str]], chosen: str) -> None:
        """A menu of `answers`, each a value and its label; the one that is `chosen` already may be changed."""
        options = [discord.SelectOption(label=label, value=value, default=value == chosen) for value, label in answers]
        menu = discord.ui.Select[discord.ui.Modal](custom_id=name, options=options)
        self.add_item(discord.ui.Label(text=question, component=menu))


def filled(interaction: discord.Interaction) -> dict[str, str]:
    """What was filled into a form, by field; a menu's choice like a text. Empty for any other interaction."""
    return dict(_values(interaction.data, _DEEPEST))


def typed(interaction: discord.Interaction) -> str:
    """The text of a form's only text field. Raises RefusedError for a form in which it is missing."""
    text = filled(interaction).get(TEXT, "")
    if not text.strip():
        raise RefusedError(reader(interaction).t("Nothing was filled in: open the form again."))
    return text


def _values(data: object, deepest: int) -> Iterator[tuple[str, str]]:
    """The fields of a form, or of a part of it, that are nested at most so deep."""
    match data:
        case {"type": int(), "custom_id": str(field), "value": str(value)}:
            yield field, value[:MAX_TYPED]
        case {"type": int(), "custom_id": str(field), "values": [str(value), *_]}:
            yield field, value[:MAX_TYPED]
        case {"components": list(parts)} if deepest > 0:
            for part in parts:
                yield from _values(part, deepest - 1)
        case {"component": part} if deepest > 0:
            yield from _values(part, deepest - 1)
