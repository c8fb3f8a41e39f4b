"""A comfortable way to test a whole bot in a simulated Discord, on a virtual clock.

The bot runs unmodified in `simcord.Env`; nothing passes but what `Harness.advance` lets pass, and
every action returns once the bot has done what it can do at that instant. It must not know the
game. simcord's private seams are in `simcord_patches`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import discord
import orjson
import pytest
from simcord import Env, InteractionResult, MemberActor

from bot.sandbox.discord.routes.routing import ROUTES, Call, shape_of
from bot.sandbox.discord.serving import REGISTERED as _KNOWN_ROUTES  # noqa: F401 - the recorder asks which routes there are
from tests.integration import simcord_patches
from tests.integration.simcord_patches import Interaction, Message
from tests.integration.sqlite_in_loop import answers_in_loop
from tests.rig.recorder import Recorder
from tests.seen import Seen, look_at, walk

LEA, BRUNO, CHLOE, DORA = PEOPLE = ("Léa", "Bruno", "Chloé", "Dora")
EVERYBODY = (*PEOPLE, "Émile", "Fatou", "Gaël", "Hugo", "Inès", "Jules", "Karim", "Louise")
BOTH = pytest.mark.parametrize("locale", ["fr", pytest.param("en-US", marks=pytest.mark.long)])
"""Everybody in the server speaks the language. In the gate, English is heard by `test_every_command`."""
BEGINNING = datetime(2026, 10, 14, 18, 0, tzinfo=UTC)
"""When each test begins: a fixed instant, so that no test depends on the time of day at which it runs."""

_BRIEF_SECONDS = 0.02  # what settles passes timers this short (gathering a commit)
COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5  # types of interactions
_MENU = 3  # component type
_TIMEOUT_SECONDS = 120.0  # longest real time one action may take, such as a week that passes on a busy machine
_CLOSING_SECONDS = 5.0
_GOOD_COMMANDS: set[bytes] = set()  # lists of them that the recorder has examined; the bots of most tests send the same


class Member:
    """Somebody in the guild, and what they can do there. ``locale`` is a Discord locale."""

    def __init__(self, harness: "Harness", actor: MemberActor, locale: str) -> None:
        self.actor = actor
        self.locale = locale
        self._harness = harness

    @property
    def id(self) -> int:
        """The user id."""
        return self.actor.id

    # ------------------------------------------------------------------ acting

    async def slash(self, name: str, /, **options: Any) -> InteractionResult:
        """Run ``/name`` (``kems start``); channels go in as simcord's handles."""
        given = {key: value.actor if isinstance(value, Member) else value for key, value in options.items()}
        return await self.actor.slash(self._harness.channel, name, **given)

    async def suggestions(self, name: str, option: str, value: str = "") -> dict[str, str]:
        """What a command offers while ``value`` is typed into an option: shown text to value."""
        offered = await self.actor.autocomplete(self._harness.channel, name, option, value)
        return {choice["name"]: choice["value"] for choice in offered}

    async def click(self, label: str, message: Seen | None = None) -> InteractionResult:
        """Press a button by label or custom id: that of ``message``, or the newest one seen."""
        target = self._with(label, message)
        control = target.control(label)
        assert control is not None
        return await self.actor.click(self._handle(target), custom_id=control.custom_id)

    async def ask(self, name: str, /, **options: Any) -> str:
        """Run a command; what its member reads in private then."""
        await self.slash(name, **options)
        return self.told

    async def press(self, label: str, message: Seen | None = None) -> str:
        """Press a button; what its member reads in private then."""
        await self.click(label, message)
        return self.told

    async def agree(self, command: str, /, **options: Any) -> str:
        """Use a command that asks first, and agree if it does; the question and what is read then, or the refusal."""
        asked = await self.ask(command, **options)
        yes = next((control for control in self.last(ephemeral=True).controls if "_now:" in control.custom_id), None)
        if yes is None:
            return asked
        return f"{asked}\n{await self.press(yes.custom_id, self.last(ephemeral=True))}"

    async def choose(self, label: str, *values: Any, message: Seen | None = None) -> InteractionResult:
        """Choose in a select menu, by its placeholder or custom id."""
        target = self._with(label, message)
        control = target.control(label)
        assert control is not None
        return await self.actor.select(self._handle(target), values, custom_id=control.custom_id)

    async def submit(self, shown: InteractionResult, *values: Any) -> InteractionResult:
        """Fill the form that answered ``shown``, field by field, and send it; a menu takes the value chosen."""
        assert shown.modal is not None, "the bot answered without a form"
        fields = [c for c in walk(shown.modal["components"]) if c.get("custom_id")]
        filled = zip(fields, values, strict=True)
        named = {field["custom_id"]: [value] if field["type"] == _MENU else value for field, value in filled}
        return await self.actor.submit_modal(shown, named)

    async def forge(self, custom_id: str, message: Seen, **fields: object) -> str:
        """Press what a message does not carry, as only a tampered client can; gives the answer that is seen."""
        everything = simcord_patches.stored_messages(
            self._harness.env, message.channel_id, message.viewer_id or self.id
        )
        source = next(m for m in everything if m.id == message.id)
        data = {"custom_id": custom_id, "component_type": 2, **fields}
        await self._harness.send(self.id, COMPONENT, data, channel=message.channel_id, source=source)
        return self.told

    async def react(self, emoji: str, message: Seen) -> None:
        """Add a reaction."""
        await self.actor.react(self._handle(message), emoji)

    async def unreact(self, emoji: str, message: Seen) -> None:
        """Take a reaction back."""
        await self.actor.unreact(self._handle(message), emoji)

    async def say(self, content: str, reply_to: Seen | None = None) -> None:
        """Post a message in the channel, perhaps as a reply."""
        reply = None if reply_to is None else self._handle(reply_to)
        await self.actor.send(self._harness.channel, content, reply_to=reply)

    # ------------------------------------------------------------------ seeing

    def newest(self, channel_id: int | None = None, *, ephemeral: bool | None = None) -> Iterator[Seen]:
        """The messages this member sees, newest first: of one channel or of all; private or public ones if asked."""
        places = self._harness.places() if channel_id is None else [channel_id]
        env = self._harness.env
        found = [m for place in places for m in simcord_patches.stored_messages(env, place, self.id)]
        return (
            look_at(message)
            for message in sorted(found, key=lambda m: m.id, reverse=True)
            if ephemeral in (None, message.is_ephemeral)
        )

    def messages(self, channel_id: int | None = None) -> list[Seen]:
        """The same, oldest first."""
        return [*self.newest(channel_id)][::-1]

    def last(self, *, ephemeral: bool | None = None) -> Seen:
        """The newest message this member sees; only private or only public ones if asked."""
        return next(self.newest(ephemeral=ephemeral))

    @property
    def told(self) -> str:
        """The newest private message, its pictures in words; none before there is one."""
        return next(("\n".join((message.text, *message.pictures)) for message in self.newest(ephemeral=True)), "")

    def reads(self, text: str) -> bool:
        """Whether any message this member sees contains ``text``."""
        return any(text in message.text for message in self.newest())

    def _with(self, label: str, message: Seen | None) -> Seen:
        offered: set[str] = set()
        for seen in self.newest():
            if message is None or seen.id == message.id:
                if seen.control(label) is not None:
                    return seen
                offered |= {control.label or control.custom_id for control in seen.controls}
        raise AssertionError(f"{self.actor.name} sees no control {label!r}; there are {sorted(offered)}")

    def _handle(self, seen: Seen) -> Any:
        env = self._harness.env
        stored = simcord_patches.stored_messages(env, seen.channel_id, self.id)
        return simcord_patches.handle(env, next(m for m in stored if m.id == seen.id))


class Harness:
    """A guild with one channel and some members, and a bot that can be started, stopped, replaced.

    The guild is plain, as most are, and Discord says "en-US" of it; a Community chooses its locale.
    ``make_bot`` is given this harness, so that the bot's clock port can use `now` and `elapsed`.
    """

    def __init__(
        self,
        make_bot: "Callable[[Harness], discord.Client]",
        *,
        locale: str = "fr",
        guild_locale: str = "en-US",
        is_community: bool = False,
    ) -> None:
        self._make_bot = make_bot
        self._env: Env | None = None
        self._begun = BEGINNING
        simcord_patches.send_json()
        simcord_patches.copy_json_as_json()
        simcord_patches.judge_messages_once()
        simcord_patches.track_only_timers()
        simcord_patches.translate_commands_once()
        simcord_patches.tell_the_bot_of_itself()
        simcord_patches.list_servers_at_ready()
        self.bot = make_bot(self)
        self._env = env = Env(self.bot, settle_timeout=_TIMEOUT_SECONDS)
        simcord_patches.start_clock_at(env, self._begun)
        if answers_in_loop():  # the loop does not see what the driver's thread or a server still works on
            simcord_patches.settle_by_the_loop(env, _BRIEF_SECONDS)
        simcord_patches.expire_like_discord(env)
        users = [env.create_user(name.casefold(), global_name=name) for name in EVERYBODY]
        self.guild = env.create_guild("Kem's", owner=users[0], preferred_locale=guild_locale)
        self.channel = self.guild.create_text_channel("kems")
        actors = [self.guild.add_member(user) for user in users]
        self.members = {name: Member(self, actor, locale) for name, actor in zip(EVERYBODY, actors, strict=True)}
        locales = {member.id: member for member in self.members.values()}
        simcord_patches.give_locales(env, lambda user: locales[user].locale, guild_locale, is_community=is_community)

    @property
    def env(self) -> Env:
        """simcord's environment, for what this class does not offer."""
        assert self._env is not None, "the bot is still being made"
        return self._env

    def __getitem__(self, name: str) -> Member:
        return self.members[name]

    def now(self) -> datetime:
        """The virtual instant (UTC); it starts at `BEGINNING` and moves with `advance`."""
        return self._begun if self._env is None else self._env.now()

    def milliseconds(self) -> int:
        """The same in milliseconds since the Unix epoch."""
        return int(self.now().timestamp() * 1000)

    def elapsed(self) -> float:
        """Virtual seconds since the harness was made."""
        return (self.now() - self._begun).total_seconds()

    def places(self) -> list[int]:
        """The ids of the guild's channels and threads."""
        return [each.id for channel in self.guild.channels.values() for each in (channel, *channel.threads)]

    def posted(self, channel_id: int | None = None) -> list[Seen]:
        """The bot's public messages, oldest first: of one channel, or of all."""
        return [*self.newest_posted(channel_id)][::-1]

    def newest_posted(self, channel_id: int | None = None) -> Iterator[Seen]:
        """The same, newest first."""
        assert self.bot.user is not None
        seen = self.members[PEOPLE[0]].newest(channel_id, ephemeral=False)
        return (m for m in seen if m.author_id == self.bot.user.id)

    # ------------------------------------------------------------------ running

    async def start(self) -> None:
        """Log the bot in; returns when it is ready."""
        await self.env.start()

    async def stop(self) -> None:
        """Close the bot; raises what it raised meanwhile, as an `ExceptionGroup`.

        Raises:
            AssertionError: the bot has sent what Discord would refuse.
        """
        await self.bot.close()
        await self.env.shutdown()
        self.env.raise_errors()
        recorder = Recorder()
        for method, path, body, reason in simcord_patches.sent_requests(self.env):
            commands = orjson.dumps(body) if (method, path[-9:]) == ("PUT", "/commands") else b""
            if commands not in _GOOD_COMMANDS:
                shape, ids = shape_of(path)
                call = Call(method, path, shape, ids, body, reason=reason)
                recorder.examine(None, call, is_known=(method, shape) in ROUTES)
                if commands and not recorder.violations:
                    _GOOD_COMMANDS.add(commands)
        assert not recorder.violations, recorder.violations

    async def restart(self, *, crash: bool = False) -> None:
        """Replace the bot by a new one from ``make_bot``; a crashed one is not closed first."""
        if not crash:
            await self.bot.close()
        self.bot = self._make_bot(self)
        await self.env.restart_bot(self.bot)

    async def settle(self) -> None:
        """Let the bot do what it can do at this instant."""
        await self.env.settle()

    async def advance(self, seconds: float) -> None:
        """Let that much time pass; timers fire in order, each at its instant."""
        await self.env.advance_time(seconds)

    async def send(
        self, user: int, kind: int, data: Any, *, guild: int = 0, channel: int = 0, source: Message | None = None
    ) -> Interaction:
        """Send the bot an interaction of any shape, here unless told; the record of what it answered."""
        number = simcord_patches.interact(
            self.env.backend, kind, user, channel or self.channel.id, guild or self.guild.id, data, source
        )
        await self.settle()
        return self.env.backend.interactions[number]

    def enter(self, name: str, *others: str, **permissions: bool) -> None:
        """A new channel, where everybody acts from now on; these others have other permissions there."""
        changed = discord.PermissionOverwrite(**permissions)
        overwrites = {self[other].actor: changed for other in others}
        self.channel = self.guild.create_text_channel(name, overwrites=overwrites)

    async def together(self, *acts: Callable[[], Awaitable[Any]]) -> list[Any]:
        """Deliver several actions at one instant, in this order, before the bot answers any."""
        with simcord_patches.unsettled(self.env):
            results = [await act() for act in acts]
        await self.settle()
        return results


@asynccontextmanager
async def running(make_bot: Callable[[Harness], discord.Client], **options: Any) -> AsyncIterator[Harness]:
    """A started harness; on the way out the bot must have raised nothing."""
    harness = Harness(make_bot, **options)
    await harness.start()
    try:
        yield harness
    except BaseException:
        with suppress(TimeoutError):  # what it waits for may need the virtual clock, which nobody moves any more
            await asyncio.wait_for(harness.bot.close(), _CLOSING_SECONDS)
        await harness.env.shutdown()
        raise
    await harness.stop()
