"""Patches `simcord.Env` for the harness: how it settles, its clock, locales and expired tokens.

simcord is pinned, for these are its insides.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any

import orjson
from discord.app_commands import CommandTree, Group, Translator
from simcord import Env
from simcord import env as simcord_env
from simcord import interactions as wire
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Interaction, Message
from simcord.components import walk_components
from simcord.http import router
from simcord.results import ResponseMessage

__all__ = ["Backend", "Interaction", "Message", "router", "serializers", "walk_components"]  # simcord's own names

LOST_TOKEN = BackendError(401, 50027, "Invalid Webhook Token")  # what Discord says, not 404


def settle_quickly(env: Env, idle: float) -> None:
    """Let ``env`` call the bot settled after ``idle`` seconds of silence, not 50 ms, and be as patient with a start."""
    settle = env._settle_internal

    async def quick(**arguments: Any) -> None:
        await settle(**{**arguments, "idle": idle, "timeout": env.settle_timeout})

    env._settle_internal = quick  # type: ignore[method-assign]  # the one way in


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


def park_own_waits() -> None:
    """Let settling leave alone what waits inside the process, in the bot's code or asyncio's.

    Such a wait ends by other work that settling does follow, or by a timer. simcord knows only
    some of these waits and otherwise fails after its timeout, say on a press that is answered
    when a window closes. A wait inside an installed library (a database driver) is still waited
    for. Holds for the whole process.
    """
    known = vars(simcord_env)["_is_parked"]
    if known.__name__ == "is_parked":
        return

    def is_parked(state: Any, task: asyncio.Task[Any], deadline: float) -> bool:
        waits = getattr(task, "_fut_waiter", None)
        own = waits is not None and not waits.done() and "site-packages" not in _waits_in(task)
        return own or known(state, task, deadline)

    vars(simcord_env)["_is_parked"] = is_parked


def _waits_in(task: asyncio.Task[Any]) -> str:
    """The source file whose code awaits a future directly; an opaque awaitable is a library's."""
    awaiting: Any = task.get_coro()
    file = ""
    while hasattr(awaiting, "cr_code"):
        file, awaiting = awaiting.cr_code.co_filename, awaiting.cr_await
    return file if type(awaiting).__name__ == "FutureIter" else "site-packages"


def keep_timers_virtual(env: Env, brief: float) -> None:
    """Let only `Env.advance_time` fire the bot's timers, except those of at most ``brief`` seconds.

    simcord otherwise also arms every timer on the wall clock, and a settling action then waits
    for each timer that is due before its timeout.
    """
    schedule = env._schedule_timer

    def schedule_brief(record: Any, *arguments: Any) -> None:
        if record.when - env.backend.clock.elapsed <= brief:
            schedule(record, *arguments)

    env._schedule_timer = schedule_brief  # type: ignore[assignment,method-assign]  # the one way in


def start_clock_at(env: Env, instant: datetime) -> None:
    """Start the virtual clock at ``instant`` (UTC) instead of 1 January 2026."""
    env.backend.clock._epoch = instant


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
