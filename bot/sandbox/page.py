"""The page of the sandbox: an address for each viewer, a socket for each open tab.

It must not know discord.py or the game. A tab sends what its viewer does; after every change each tab is sent what
its viewer may see and does not have yet. Each tab has its own language: the address's (`?locale=de`), else the
browser's (`Accept-Language`), until its viewer chooses another one on the page.

Page to server: `{"do": "press" | "submit" | "slash" | "complete" | "say" | "react" | "open" | "locale", ...}`, with
`ask` (a number) if an answer is awaited. Server to page: `{"is": "place" | "messages" | "answered" | "failed", ...}`.
Identifiers are decimal text.
"""

import asyncio
import base64
import html
import json
import re
import unicodedata
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import structlog
from aiohttp import WSCloseCode, WSMsgType, web

from bot.sandbox.discord.components import take_in
from bot.sandbox.discord.objects import COMPONENTS_V2, Interaction, Json
from bot.sandbox.discord.people import People, Refused
from bot.sandbox.discord.serving import LoopbackDiscord
from bot.sandbox.views import messages_for, place_for

_log = structlog.get_logger(__name__)

_FOLLOW_SECONDS = 0.02  # changes this close together reach the pages at once
_ANSWER_SECONDS = 3.0  # Discord's limit; then the page says that the interaction failed
_STATIC = files("bot.sandbox") / "static"
_TEXTS: Mapping[str, dict[str, str]] = json.loads((_STATIC / "texts.json").read_bytes())
_TYPES = {"js": "text/javascript", "css": "text/css", "json": "application/json"}
_NO_ORDER = b"each frame is a JSON object; its `ask` is a number"  # Discord and browsers take 123 octets
_NO_STORE = {"Cache-Control": "no-store"}
_ACCEPTED = re.compile(r"([A-Za-z]{2,})[\w-]*\s*(?:;\s*q=(\d(?:\.\d*)?))?")  # a language and its weight, 1 by default


def slug_of(name: str) -> str:
    """Return the last part of a viewer's address: the name in plain lower-case letters."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-")


@dataclass(slots=True, eq=False)
class Tab:
    """One open page.

    - `user`: its viewer; `people` acts for them.
    - `shown`: what the page has of each message, by id.
    - `awaited`: interactions that wait for an answer, with the `ask` of the page, and until when.
    """

    socket: web.WebSocketResponse
    user: int
    people: People
    locale: str
    channel: int
    outbox: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    place: str = ""
    shown: dict[str, str] = field(default_factory=dict)  # message id -> what the page has of it
    awaited: list[tuple[Interaction, int, float]] = field(default_factory=list)  # with ask, until

    def send(self, kind: str, **message: object) -> None:
        """Queue a message to the page."""
        self.outbox.put_nowait(json.dumps({"is": kind, **message}))


class Page:
    """Serves the pages of the viewers in `names`, by slug, and keeps every open tab up to date.

    The server has no language until `choose_language` is called or the first tab opens, whose language it takes.
    """

    def __init__(self, discord: LoopbackDiscord, names: Mapping[str, str], *, locales: Sequence[str]) -> None:
        self._world = discord.world
        self._guild = discord.guilds[0]
        self._channel = discord.channels[0]
        self._names = names
        self._users = {slug: user.id for slug, user in zip(names, discord.users, strict=True)}
        self._locales = tuple(locales)
        self._welcome: tuple[str, Mapping[str, Any]] = ("", {})  # the id of the message, its components by locale
        self._tabs: set[Tab] = set()
        self._following: asyncio.TimerHandle | None = None

    def routes(self) -> list[web.AbstractRouteDef]:
        """Return the routes of the pages, their files and their sockets."""
        return [
            web.get("/", self._index),
            web.get("/static/{name}", self._asset),
            web.get("/emojis/{id}", self._emoji),
            web.get("/cdn/{path:.*}", self._attachment),
            web.get("/beside/{left}/{right}", self._beside),
            web.get("/{slug}", self._viewer),
            web.get("/{slug}/socket", self._socket),
        ]

    def choose_language(self, locale: str) -> None:
        """Set the language of the server's public messages, and give its people a role with a name in it."""
        self._world.choose_language(self._guild, locale)
        role = self._world.add_role(self._guild, _words(locale)["players"], is_mentionable=True)
        for user in self._users.values():
            self._world.change_roles(self._guild, user, role.id, present=True)

    def post_welcome(self, welcome: Mapping[str, Sequence[Mapping[str, object]]]) -> None:
        """Post the bot's first message; each viewer sees it in their own locale, with the same buttons."""
        layouts = json.loads(json.dumps(welcome))
        for layout in layouts.values():
            take_in(self._world, layout, ())
        first = layouts[self._locales[0]]
        posted = self._world.post(self._channel, self._world.bot.id, components=first, flags=COMPONENTS_V2)
        self._welcome = str(posted.id), layouts
        self.follow()

    def _locale_of(self, request: web.Request) -> str:
        """Return the locale that the address asks for, else the browser's, else the server's, else the first one."""
        accepted = _ACCEPTED.findall(request.headers.get("Accept-Language", ""))
        accepted.sort(key=lambda language: -float(language[1] or 1))
        wanted = (request.query.get("locale", ""), *(code for code, _ in accepted), self._guild.locale)
        offered = {locale.partition("-")[0]: locale for locale in self._locales}
        fitting = (offered.get(code.partition("-")[0].lower()) for code in wanted)
        return next(filter(None, fitting), self._locales[0])

    async def _index(self, request: web.Request) -> web.Response:
        """Return the page that lists the viewers."""
        locale = self._locale_of(request)
        asked = f"?locale={locale}" if "locale" in request.query else ""
        links = "".join(f'<p><a href="/{slug}{asked}">{html.escape(name)}</a>' for slug, name in self._names.items())
        return _page("index", locale, links=links, index=_words(locale)["index"])

    async def _viewer(self, request: web.Request) -> web.Response:
        self._check(request.match_info["slug"])
        return _page("viewer", self._locale_of(request))

    async def _beside(self, request: web.Request) -> web.Response:
        """Return a page with two viewers side by side."""
        slugs = request.match_info["left"], request.match_info["right"]
        for slug in slugs:
            self._check(slug)
        locale = self._locale_of(request)
        frames = "".join(
            f'<iframe src="/{slug}?locale={locale}" title="{html.escape(self._names[slug])}"></iframe>'
            for slug in slugs
        )
        return _page("beside", locale, frames=frames)

    def _check(self, slug: str) -> None:
        if slug not in self._users:
            raise web.HTTPNotFound(text="nobody of that name looks at this sandbox; see /")

    async def _asset(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        asset = _STATIC / name
        found = re.fullmatch(r"\w+\.(js|css|json)", name)
        if found is None or not asset.is_file():
            raise web.HTTPNotFound
        return web.Response(body=asset.read_bytes(), content_type=_TYPES[found[1]], charset="utf-8", headers=_NO_STORE)

    async def _emoji(self, request: web.Request) -> web.Response:
        number = request.match_info["id"]
        emoji = self._world.application_emojis.get(int(number)) if number.isdecimal() else None
        if emoji is None:
            raise web.HTTPNotFound
        head, _, encoded = emoji.image.partition(",")
        kind = head.removeprefix("data:").partition(";")[0]
        return web.Response(body=base64.b64decode(encoded), content_type=kind)

    async def _attachment(self, request: web.Request) -> web.Response:
        data = self._world.files.get("/" + request.match_info["path"])
        if data is None:
            raise web.HTTPNotFound
        return web.Response(body=data, content_type=_image_type(data))

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        user = self._users.get(request.match_info["slug"])
        if user is None:
            raise web.HTTPNotFound
        socket = web.WebSocketResponse(heartbeat=30)
        await socket.prepare(request)
        locale = self._locale_of(request)
        if "COMMUNITY" not in self._guild.features:
            self.choose_language(locale)
        tab = Tab(socket, user, People(self._world, locale), locale, self._channel.id)
        self._tabs.add(tab)
        writer = asyncio.create_task(_write(tab))
        self._refresh(tab)
        try:
            async for frame in socket:
                order = _order(frame.data) if frame.type is WSMsgType.TEXT else None
                if order is None:
                    await socket.close(code=WSCloseCode.UNSUPPORTED_DATA, message=_NO_ORDER)
                else:
                    self._obey(tab, order)
        finally:
            self._tabs.discard(tab)
            writer.cancel()
        return socket

    def _obey(self, tab: Tab, order: Json) -> None:
        ask = order.get("ask", 0)
        try:
            interaction = self._carry_out(tab, order)
        except Refused as refusal:
            tab.send("failed", ask=ask, why=str(refusal), word=refusal.word, told=refusal.told)
            return
        except (KeyError, TypeError, ValueError):
            _log.exception("sandbox.not_understood", order=order)
            tab.send("failed", ask=ask, why="this page and the sandbox do not fit: reload")
            return
        if interaction is None:
            tab.send("answered", ask=ask)
        else:
            loop = asyncio.get_running_loop()
            tab.awaited.append((interaction, ask, loop.time() + _ANSWER_SECONDS))
            loop.call_later(_ANSWER_SECONDS, self._refresh, tab)
        self._refresh(tab)
        self.follow()

    def _carry_out(self, tab: Tab, order: Json) -> Interaction | None:
        """Return the interaction that the bot has to answer, if the order makes one.

        Raises:
            Refused: The viewer may not do that.
            ValueError: There is no such order.
        """
        people, user, channel = tab.people, tab.user, tab.channel
        match order["do"]:
            case "press":
                values = [str(value) for value in order.get("values", ())]
                return people.press(user, channel, int(order["message"]), order["custom_id"], values)
            case "submit":
                return people.submit(user, int(order["interaction"]), order["values"])
            case "slash":
                return people.slash(user, channel, order["name"], order["options"])
            case "complete":
                return people.slash(user, channel, order["name"], order["options"], focus=str(order["focus"]))
            case "say":
                people.say(user, channel, order["content"], int(order.get("reply_to") or 0))
            case "react":
                people.react(user, channel, int(order["message"]), order["emoji"], present=bool(order["present"]))
            case "open":
                if order["channel"] not in {str(place.id) for place in people.channels(user, self._guild)}:
                    raise Refused("you cannot see this channel")
                tab.channel, tab.shown = int(order["channel"]), {}
            case "locale":
                if order["locale"] not in self._locales:
                    raise Refused(f"choose one of {', '.join(self._locales)}")
                tab.locale, tab.people = order["locale"], People(self._world, order["locale"])
            case unknown:
                raise ValueError(f"no order {unknown!r}")
        return None

    def around_rest(
        self, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """Return a handler that refreshes the tabs after each request of the bot."""

        async def call(request: web.Request) -> web.StreamResponse:
            try:
                return await handler(request)
            finally:
                self.follow()

        return call

    def follow(self) -> None:
        """Schedule a refresh of every tab, since the world has changed."""
        if self._following is None:
            self._following = asyncio.get_running_loop().call_later(_FOLLOW_SECONDS, self._refresh_all)

    def _refresh_all(self) -> None:
        self._following = None
        for tab in self._tabs:
            self._refresh(tab)

    def _refresh(self, tab: Tab) -> None:
        """Send a tab what it lacks: the place, messages that changed, answers to its presses."""
        if tab.socket.closed:
            return
        place = place_for(self._world, tab.people, self._guild, tab.user, tab.channel, tab.locale)
        place["other"] = self._other(tab.user)
        place["locales"] = self._locales
        if (text := json.dumps(place)) != tab.place:
            tab.place = text
            tab.send("place", place=place)
        messages = messages_for(self._world, tab.people, self._guild, tab.user, tab.channel)
        welcome, layouts = self._welcome
        for message in messages:
            if message["id"] == welcome:
                message["components"] = layouts[tab.locale]
        now = {message["id"]: json.dumps(message) for message in messages}
        changed = [json.loads(text) for key, text in now.items() if tab.shown.get(key) != text]
        if changed or list(now) != list(tab.shown):
            tab.send("messages", order=list(now), changed=changed)
            tab.shown = now
        self._answer(tab)

    def _other(self, user: int) -> Json | None:
        """Return the viewer whose page opens beside that of `user`: the next one."""
        slugs = list(self._users)
        other = slugs[(list(self._users.values()).index(user) + 1) % len(slugs)]
        return {"slug": other, "name": self._names[other]} if len(slugs) > 1 else None

    def _answer(self, tab: Tab) -> None:
        """Tell a tab which of its interactions the bot has answered, or has not answered in time."""
        now = asyncio.get_running_loop().time()
        awaited, tab.awaited = tab.awaited, []
        for interaction, ask, until in awaited:
            if interaction.answer_type is not None:
                form = interaction.form and {**interaction.form, "interaction": str(interaction.id)}
                tab.send("answered", ask=ask, form=form, choices=interaction.choices)
            elif now >= until:
                tab.send("failed", ask=ask, why="")
            else:
                tab.awaited.append((interaction, ask, until))

    async def close(self) -> None:
        """Close all tabs."""
        if self._following is not None:
            self._following.cancel()
        for tab in list(self._tabs):
            await tab.socket.close()


def _order(text: str) -> Json | None:
    """Return what a frame asks for; None if it is no object, or its `ask` is no number."""
    try:
        order = json.loads(text)
    except ValueError:
        return None
    return order if isinstance(order, dict) and type(order.get("ask", 0)) is int else None


async def _write(tab: Tab) -> None:
    try:
        while True:
            await tab.socket.send_str(await tab.outbox.get())
    except ConnectionError:
        pass  # the tab was closed; its reader ends by itself


def _words(locale: str) -> dict[str, str]:
    return _TEXTS.get(locale[:2]) or _TEXTS["en"]


def _page(name: str, locale: str, **fields: str) -> web.Response:
    text = (_STATIC / f"{name}.html").read_text("utf-8")
    for field_name, value in {"lang": locale[:2], **fields}.items():
        text = text.replace(f"{{{field_name}}}", value)
    return web.Response(text=text, content_type="text/html", headers=_NO_STORE)


def _image_type(data: bytes) -> str:
    if data.startswith(b"\x89PNG"):
        return "image/png"
    return "image/webp" if data[8:12] == b"WEBP" else "application/octet-stream"
