"""Patches `simcord.Env` for the harness: how it settles, its clock, locales and expired tokens.

simcord is pinned, for these are its insides.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from itertools import count
from types import SimpleNamespace
from typing import Any

import orjson
from discord.app_commands import CommandTree, Group, Translator
from simcord import Env, _runtime, _settlement, components, gateway, intents, results
from simcord import interactions as wire
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Interaction, Message
from simcord.components import walk_components
from simcord.http import _helpers, router
from simcord.results import ResponseMessage

from tests.seen import walk

__all__ = ["Backend", "Interaction", "Message", "router", "serializers", "walk_components"]  # simcord's own names

_TURNS_BETWEEN_LOOKS_AT_THE_TIME = 100
LOST_TOKEN = BackendError(401, 50027, "Invalid Webhook Token")  # what Discord says, not 404


def settle_by_the_loop(env: Env, brief: float) -> None:
    """Call the bot settled once the event loop has nothing to run and no thread works; the clock passes brief timers.

    Those of more than ``brief`` seconds (gathering a commit takes less) fire in `Env.advance_time` alone. simcord looks
    at what each task waits for instead, at each turn of the loop, arms all timers on the wall clock, and calls nothing
    settled for 50 ms.
    """
    armed: list[Any] = []

    def arm(record: Any, *_arguments: Any) -> None:
        if record.when - env.backend.clock.elapsed <= brief:
            armed.append(record)

    async def settle(*, dispatch: str | None = None, _deadline: float | None = None, **_options: Any) -> None:
        loop: Any = asyncio.get_running_loop()
        deadline = loop.time() + env.settle_timeout if _deadline is None else _deadline
        work, clock = env._work, env.backend.clock
        quiet_turns = turns = 0
        while quiet_turns < 2:  # a timer that is due by now may set off the next one
            turns += 1
            if turns % _TURNS_BETWEEN_LOOKS_AT_THE_TIME == 0 and loop.time() > deadline:
                raise TimeoutError(f"the bot did not settle after {dispatch}")
            if any(record.when is not None and record.when <= clock.elapsed for record in work.callbacks):
                _settlement._active_callbacks(env._settlement_state())  # forgets those that were called off
                _settlement._run_due_virtual_callbacks(env._settlement_state(), deadline)
            await asyncio.sleep(0)
            advancing = env._advance_task
            if advancing is not None and advancing is not asyncio.current_task():
                await asyncio.wait((advancing,), timeout=deadline - loop.time())
            elif loop._ready:
                quiet_turns = 0
            elif env._work.executors:
                await asyncio.wait(env._work.executors, timeout=deadline - loop.time(), return_when="FIRST_COMPLETED")
            elif waiting := _next_instant(armed, env):
                env._move_clock(waiting)
            else:
                quiet_turns += 1

    env._schedule_timer = arm  # type: ignore[assignment,method-assign]  # the one way in
    env._settle_internal = settle  # type: ignore[method-assign]  # the one way in


def _next_instant(armed: list[Any], env: Env) -> float | None:
    """When the first of these timers fires, of those that nobody called off; none while time passes anyway."""
    known = {id(record) for record in _settlement._active_callbacks(env._settlement_state())}
    armed[:] = [record for record in armed if id(record) in known]
    return None if env._advancing else min((record.when for record in armed), default=None)


@contextmanager
def unsettled(env: Env) -> Iterator[None]:
    """Let actions meanwhile only deliver, not wait for the bot: presses at the same instant."""
    settle = env._settle_internal

    async def deliver_only(**_arguments: Any) -> None:
        """Do not wait."""

    env._settle_internal = deliver_only  # type: ignore[method-assign]  # the one way in
    try:
        yield
    finally:
        env._settle_internal = settle  # type: ignore[method-assign]  # as it was


def send_json() -> None:
    """Let simcord get a request's body as Discord does, parsed from JSON. Holds for the whole process."""
    dispatch = router.dispatch
    if dispatch.__name__ == "parsed":
        return

    def parsed(*arguments: Any, json: Any = None, **more: Any) -> Any:
        return dispatch(*arguments, json=orjson.loads(orjson.dumps(json)), **more)

    router.dispatch = parsed


def translate_commands_once() -> None:
    """Let bots with the same commands translate them once. Holds for the whole process."""
    translate = Group.get_translated_payload
    if translate.__name__ == "remembered":
        return
    done: dict[bytes, Any] = {}

    async def remembered(self: Group, tree: CommandTree[Any], translator: Translator) -> dict[str, Any]:
        key = orjson.dumps(self.to_dict(tree))
        if key not in done:
            done[key] = await translate(self, tree, translator)
        return done[key]

    Group.get_translated_payload = remembered  # type: ignore[method-assign]


def copy_json_as_json() -> None:
    """Let simcord copy payloads as Discord does, by writing and reading JSON. Holds for the whole process.

    `copy.deepcopy` takes ten times as long.
    """
    for module in (components, results, serializers):
        vars(module)["deepcopy"] = _copied
    for module in (gateway, router):
        vars(module)["copy"] = SimpleNamespace(deepcopy=_copied)

    vars(_helpers)["resolve_attachment_references"] = _with_files


def _copied(payload: Any) -> Any:
    return orjson.loads(orjson.dumps(payload))


def _with_files(parts: list[dict[str, Any]], attachments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A copy in which addresses stand for the files, if any is shown."""
    written = orjson.dumps(parts)
    if b"attachment://" in written:
        return components.resolve_attachment_references(parts, attachments)
    copied: list[dict[str, Any]] = orjson.loads(written)
    return copied


def judge_messages_once() -> None:
    """Let only the recorder hold messages to Discord's limits. Holds for the whole process."""
    vars(components)["validate_components"] = _numbered


def _numbered(tree: Any, *, flags: int = 0) -> Any:
    copied = _copied(tree)
    parts = [*walk(copied)]
    taken = {part.get("id") for part in parts}
    free = (number for number in count(1) if number not in taken)
    for part in parts:
        part["id"] = part.get("id") or next(free)
    return copied


def track_only_timers() -> None:
    """Let the wakeups of tasks go to the event loop alone: settling needs none. Holds for the whole process."""
    track = _runtime._track_callback
    if track.__name__ == "track_timer":
        return
    vars(_runtime)["_CallbackRecord"].__eq__ = object.__eq__  # a list of them is searched for one at each turn

    def track_timer(
        work: Any, original: Any, callback: Any, arguments: Any, *, when: float | None, context: Any, **more: Any
    ) -> Any:
        if when is None and isinstance(getattr(callback, "__self__", None), asyncio.Task):
            return original(callback, *arguments, context=context)
        return track(work, original, callback, arguments, when=when, context=context, **more)

    vars(_runtime)["_track_callback"] = track_timer


def start_clock_at(env: Env, instant: datetime) -> None:
    """Start the virtual clock at ``instant`` (UTC) instead of 1 January 2026."""
    env.backend.clock._epoch = instant


def list_servers_at_ready() -> None:
    """READY names the servers of its session, as Discord's does; simcord's has an empty list. Holds for the process."""
    feed = gateway.FakeGateway.feed
    if feed.__name__ == "listing":
        return

    def listing(one: gateway.FakeGateway, event: str, payload: Mapping[str, Any]) -> None:
        if event == "READY" and payload["guilds"] == []:  # a test that removes the bot gives ()
            guilds = [{"id": str(guild_id), "unavailable": True} for guild_id in one._backend.guilds]
            payload = {**payload, "guilds": guilds}
        feed(one, event, payload)

    gateway.FakeGateway.feed = listing  # type: ignore[method-assign]


def tell_the_bot_of_itself() -> None:
    """Let a bot hear of changes of itself as a member without the members intent. Holds for the whole process.

    Source: https://discord.com/developers/docs/events/gateway#list-of-intents (the note on GUILD_MEMBER_UPDATE)
    """
    known = intents.required_intent
    if known.__name__ == "of_others":
        return

    def of_others(event: str, payload: Mapping[str, Any]) -> str | None:
        is_itself = event == "GUILD_MEMBER_UPDATE" and payload["user"].get("bot")
        return None if is_itself else known(event, payload)

    intents.required_intent = of_others


def as_bot(env: Env) -> AbstractContextManager[None]:
    """What happens meanwhile happens to the bot, as through its gateway: `Env.settle` follows what comes of it."""
    return env._bot_scope()


def give_locales(env: Env, locale_of: Callable[[int], str], guild_locale: str, *, is_community: bool) -> None:
    """Let interactions carry their user's locale instead of en-US, and guilds be Communities."""
    emit = env.backend.emit

    def localised(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            user = int((payload.get("member") or payload)["user"]["id"])
            payload = {**payload, "locale": locale_of(user), "guild_locale": guild_locale}
        elif is_community and event in ("GUILD_CREATE", "GUILD_UPDATE"):
            payload = {**payload, "features": ["COMMUNITY"]}
        emit(event, payload)

    env.backend.emit = localised  # type: ignore[method-assign]  # the one way in


def expire_like_discord(env: Env) -> None:
    """Answer 401/50027 for a token past its time, where simcord says 404/10015."""
    backend = env.backend
    look_up = backend.interaction_by_token

    def by_token(token: str) -> Interaction:
        try:
            return look_up(token)
        except BackendError as error:
            if token in backend.interaction_tokens:
                raise LOST_TOKEN from error
            raise

    backend.interaction_by_token = by_token  # type: ignore[method-assign]  # the one way in


def stored_messages(env: Env, channel: int, user: int) -> list[Message]:
    """What simcord keeps of the messages ``user`` sees in a channel, oldest first."""
    return [m for m in env.backend.messages.get(channel, {}).values() if m.visible_to(user)]


def handle(env: Env, message: Message) -> ResponseMessage:
    """What simcord's actors take to act on a message, an ephemeral one too."""
    return ResponseMessage(env, message)


def sent_requests(env: Env) -> list[tuple[str, str, Any, str | None]]:
    """Every request the bot has sent: method, path, body, reason for the audit log."""
    return [(one.method, one.path, one.json, one.reason) for one in env.backend.http_requests]


def interact(
    backend: Backend, kind: int, user: int, channel: int, guild: int, data: Any, source: Message | None
) -> int:
    """Sends the bot an interaction and returns its id."""
    record, payload = wire.base_payload(backend, type=kind, channel_id=channel, guild_id=guild, user_id=user, data=data)
    if source is not None:
        record.source_message_id = source.id
        payload["message"] = dict(serializers.message_payload(backend, source))
    backend.emit("INTERACTION_CREATE", payload)
    return record.id
