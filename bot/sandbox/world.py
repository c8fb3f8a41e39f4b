"""The simulated Discord: a guild, its channels and members, what they may do and what they see.

It must not know the web page, sockets or the game. Nothing here awaits, so presses from several pages queue.
"""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.sandbox import seams
from bot.sandbox.seams import Interaction, Json, Message, Refused, channel_accessible, refusing, serializers, wire

_SLASH, _COMPONENT, _AUTOCOMPLETE, _MODAL = 2, 3, 4, 5  # interaction types
_BUTTON = 2  # component type
_USER, _CHANNEL, _ROLE, _MENTIONABLE = 6, 7, 8, 9  # option types whose value is a snowflake
_BOOLEAN = 5  # option type
_BOOLEANS = {"True": True, "False": False}
_SELECT_KINDS = {5: _USER, 6: _ROLE, 7: _MENTIONABLE, 8: _CHANNEL}  # select type -> option type
_NONCE_SECONDS = 300  # so long a second message with the same nonce is the first one
_KEPT_RECORDS = 2_000  # requests and events simcord remembers before they are dropped


class FakeDiscord:
    """A guild with one channel and some members, in memory, on the wall clock. The first of ``people`` owns it.

    All of them have the role ``role_name``, which anybody may mention.

    ``changed`` is called after everything that may alter what a member sees.
    """

    def __init__(
        self,
        people: Sequence[str],
        *,
        bot_name: str,
        guild_name: str,
        channel_name: str,
        role_name: str,
        guild_locale: str,
    ) -> None:
        self.guild_name = guild_name
        self.guild_locale = guild_locale
        self.changed: Callable[[], None] = lambda: None
        self.emoji_images: dict[str, tuple[str, bytes]] = {}
        self._posted: dict[str, tuple[str, float]] = {}  # nonce -> path, when
        self.backend = backend = seams.Backend(clock=seams.RealClock())
        backend.bot_user.name = bot_name
        self.users = [backend.make_user(n.casefold(), global_name=n).id for n in people]
        self.guild_id = backend.create_guild(guild_name, owner_id=self.users[0], preferred_locale=guild_locale).id
        self.channel_id = backend.create_channel(self.guild_id, channel_name).id
        for user in self.users[1:]:
            backend.add_member(self.guild_id, user, announce=False)
        role = backend.create_role(self.guild_id, role_name, mentionable=True)
        for user in self.users:
            backend.add_member_role(self.guild_id, user, role.id)
        backend.subscribers.append(lambda _event, _payload: self.changed())

    # ------------------------------------------------------------------ what the bot does

    def rest(self, method: str, path: str, *, body: Any, **rest: Any) -> tuple[int, Any]:
        """Carries out one REST call of the bot; see `seams.rest`."""
        nonce = body.get("nonce") if isinstance(body, dict) and body.get("enforce_nonce") else None
        posted = self._posted.get(str(nonce))
        if posted is not None and self.backend.clock.elapsed - posted[1] < _NONCE_SECONDS:
            method, path, body = "GET", posted[0], None  # simcord knows no nonces: the message that has it stands
        status, answer = seams.rest(self.backend, method, path, body=body, **rest)
        if status == 200 and method == "POST" and path.endswith("/emojis"):
            self._keep_image(str(answer["id"]), body["image"])
        if status == 200 and method == "POST" and nonce is not None:
            self._posted[str(nonce)] = f"{path}/{answer['id']}", self.backend.clock.elapsed
        self._forget_old()
        self.changed()  # edits of ephemeral messages raise no gateway event
        return status, answer

    def _keep_image(self, emoji_id: str, data_uri: str) -> None:
        """Keeps the bytes of an emoji, which simcord drops, for the page."""
        head, _, encoded = data_uri.partition(",")
        kind = head.removeprefix("data:").partition(";")[0]
        self.emoji_images[emoji_id] = kind, base64.b64decode(encoded)

    def _forget_old(self) -> None:
        backend = self.backend
        if len(backend.transcript) < _KEPT_RECORDS:
            return
        backend.transcript.clear()
        backend.http_requests.clear()
        now = backend.now_iso()
        for record in [r for r in backend.interactions.values() if (r.expires_at or now) < now]:
            del backend.interactions[record.id], backend.interaction_tokens[record.token]

    # ------------------------------------------------------------------ what people do

    def slash(self, user: int, channel: int, name: str, given: Mapping[str, Any], locale: str, focus: str = "") -> int:
        """Runs ``/name``, or with ``focus`` asks for that option's completions; returns the interaction's id.

        ``given`` maps option names to text: ``True`` or ``False`` for a boolean, the snowflake of a user or channel.
        """
        first, *rest = name.split()
        root = next((c for c in self.commands(user, channel) if c["name"] == first), None)
        if root is None:
            raise Refused(f"there is no command /{first} for you in this channel")
        with refusing():
            leaf, nesting = wire.walk_to_subcommand(root, rest)
            options, resolved = self._options(name, leaf, given, user, channel, focus)
        data = {"id": root["id"], "name": root["name"], "type": 1, "resolved": resolved}
        data["options"] = wire.nest_options(root, nesting, options)
        return self._interact(_AUTOCOMPLETE if focus else _SLASH, user, channel, data, locale)

    def _options(
        self, name: str, leaf: Json, given: Mapping[str, Any], user: int, channel: int, focus: str
    ) -> tuple[list[Json], Json]:
        options: list[Json] = []
        resolved: Json = {}
        specs = {spec["name"]: spec for spec in leaf.get("options") or []}
        if unknown := sorted(given.keys() - specs.keys()):
            raise Refused(f"/{name} has no option {unknown[0]!r}")
        for key, spec in specs.items():
            kind, raw = int(spec["type"]), given.get(key)
            if key == focus:
                options.append({"name": key, "type": kind, "value": raw or "", "focused": True})
            elif raw is None or raw == "":
                if spec.get("required") and not focus:
                    raise Refused(f"/{name} needs the option {key!r}")
            elif kind in (_USER, _CHANNEL, _ROLE, _MENTIONABLE):
                self._resolve(kind, [str(raw)], resolved, user, channel)
                options.append({"name": key, "type": kind, "value": str(raw)})
            elif not focus:
                value = wire.parse_option_input(name, spec, _boolean(key, raw) if kind == _BOOLEAN else raw)
                options.append({"name": key, "type": kind, "value": value})
        return options, resolved

    def _resolve(self, kind: int, ids: Sequence[str], resolved: Json, user: int, channel: int) -> None:
        """Describes the users, roles and channels that an option or a select menu names."""
        backend, guild = self.backend, self.backend.get_guild(self.guild_id)
        for key in ids:
            number = int(key) if key.isdecimal() else 0
            if kind in (_USER, _MENTIONABLE) and number in guild.members:
                person = serializers.user_payload(backend.get_user(number))
                member = serializers.member_payload(backend, guild, guild.members[number], with_user=False)
                resolved.setdefault("users", {})[key] = dict(person)
                resolved.setdefault("members", {})[key] = dict(member)
            elif kind in (_ROLE, _MENTIONABLE) and number in guild.roles:
                role = serializers.role_payload(guild.roles[number])
                resolved.setdefault("roles", {})[key] = dict(role)
            elif kind == _CHANNEL and channel_accessible(backend, number, user):
                place = dict(serializers.channel_payload(backend, backend.get_channel(number)))
                place["permissions"] = str(backend.compute_permissions(self.guild_id, user, number))
                resolved.setdefault("channels", {})[key] = place
            else:
                raise Refused(f"{key} is nothing that can be chosen here")

    def press(
        self, user: int, channel: int, message_id: int, custom_id: str, values: Sequence[str], locale: str
    ) -> int:
        """Presses a button (``values`` empty) or chooses ``values`` in a select menu of a message."""
        message = self._visible(user, channel, message_id)
        found = next((c for c in seams.walk_components(message.components) if c.get("custom_id") == custom_id), None)
        if found is None:
            raise Refused("this button is no longer there")
        kind = int(found["type"])
        data: Json = {"custom_id": custom_id, "component_type": kind, "id": found.get("id", 0)}
        if kind != _BUTTON:
            low, high = found.get("min_values", 1), found.get("max_values", 1)
            if not low <= len(values) <= high:
                raise Refused(f"choose between {low} and {high} of these")
            data["values"] = list(values)
            if kind in _SELECT_KINDS:
                data["resolved"] = {}
                self._resolve(_SELECT_KINDS[kind], values, data["resolved"], user, channel)
            elif unknown := set(values) - {o["value"] for o in found["options"]}:
                raise Refused(f"{unknown.pop()} is not one of the choices")
        return self._interact(_COMPONENT, user, channel, data, locale, source=message)

    def submit(self, user: int, interaction_id: int, values: Mapping[str, Any], locale: str) -> int:
        """Sends in the form that the bot opened in answer to ``interaction_id``."""
        shown = self.backend.interactions.get(interaction_id)
        if shown is None or shown.user_id != user or shown.modal is None or shown.modal_consumed:
            raise Refused("this form is closed")
        nodes = seams.modal_nodes(shown, values)
        shown.modal_consumed = True
        source = self.backend.messages[shown.channel_id].get(shown.source_message_id or 0)
        data = {"custom_id": shown.modal["custom_id"], "components": nodes}
        return self._interact(_MODAL, user, shown.channel_id, data, locale, source=source)

    def _interact(
        self, kind: int, user: int, channel: int, data: Json, locale: str, source: Message | None = None
    ) -> int:
        return seams.interact(
            self.backend,
            kind,
            user=user,
            channel=channel,
            guild=self.guild_id,
            data=data,
            locale=locale,
            guild_locale=self.guild_locale,
            source=source,
        )

    def say(self, user: int, channel: int, content: str, reply_to: int | None = None) -> None:
        needed = "send_messages_in_threads" if self._channel(user, channel).is_thread else "send_messages"
        reference = None if reply_to is None else {"channel_id": str(channel), "message_id": str(reply_to)}
        if reply_to is not None:
            self._visible(user, channel, reply_to)
        with refusing():
            self.backend.require_permissions(self.guild_id, user, channel, needed)
            self.backend.create_message(channel, user, content, reference=reference)

    def react(self, user: int, channel: int, message_id: int, emoji: str, *, present: bool) -> None:
        """Adds or takes back a reaction: a Unicode emoji, or ``name:id``."""
        message = self._visible(user, channel, message_id)
        if message.is_ephemeral:
            raise Refused("ephemeral messages take no reactions")
        with refusing():
            needed = seams.reaction_permissions(message, emoji, reacted=present)
            self.backend.require_permissions(self.guild_id, user, channel, *needed)
            self.backend.set_reaction(channel, message_id, emoji, user, present)

    def _channel(self, user: int, channel: int) -> seams.Channel:
        if not channel_accessible(self.backend, channel, user, history=True):
            raise Refused("you cannot see this channel")
        return self.backend.get_channel(channel)

    def _visible(self, user: int, channel: int, message_id: int) -> Message:
        self._channel(user, channel)
        message = self.backend.messages.get(channel, {}).get(message_id)
        if message is None or not message.visible_to(user):
            raise Refused("this message is no longer there")
        return message

    # ------------------------------------------------------------------ what people see

    def channels(self, user: int) -> list[Json]:
        """Returns the guild's text channels and live threads that the member sees, oldest first."""
        backend = self.backend
        threads = (thread.id for thread in backend.active_threads(self.guild_id))
        live = [*backend.get_guild(self.guild_id).channel_ids, *threads]
        seen = (backend.channels[i] for i in live if channel_accessible(backend, i, user, history=True))
        return [
            {
                "id": str(c.id),
                "name": c.name,
                "thread": c.is_thread,
                "parent": str(c.parent_id),
            }
            for c in seen
        ]

    def messages(self, user: int, channel: int, limit: int) -> list[Json]:
        """Returns the newest ``limit`` messages that the member sees there, oldest first, as on the wire."""
        if not channel_accessible(self.backend, channel, user, history=True):
            return []
        seen = [m for m in self.backend.messages.get(channel, {}).values() if m.visible_to(user)]
        return [dict(serializers.message_payload(self.backend, m, for_user=user)) for m in seen[-limit:]]

    def commands(self, user: int, channel: int) -> list[Json]:
        """Returns the slash commands that the member may use there, as on the wire."""
        if not channel_accessible(self.backend, channel, user):
            return []
        return self.backend.visible_commands(user_id=user, channel_id=channel)

    def leaves(self, command: Json) -> list[tuple[str, Json]]:
        """Returns the commands that can be called below a command, with their full names."""
        return [(" ".join(path), leaf) for path, leaf in wire.command_leaves(command)]

    def interaction(self, interaction_id: int) -> Interaction | None:
        return self.backend.interactions.get(interaction_id)

    def attachment(self, path: str) -> bytes | None:
        """Returns the bytes of a file that the bot posted, by the path of its CDN address."""
        return self.backend.cdn.get(seams.CDN + path)

    def names(self) -> dict[str, str]:
        return {str(u.id): u.global_name or u.name for u in self.backend.users.values()}

    def roles(self) -> dict[str, str]:
        return {str(r.id): r.name for r in self.backend.get_guild(self.guild_id).roles.values()}

    def roles_of(self, user: int) -> list[str]:
        """Returns the ids of the roles by which the member can be mentioned."""
        return [str(role) for role in self.backend.get_guild(self.guild_id).members[user].role_ids]


def _boolean(option: str, text: str) -> bool:
    if text not in _BOOLEANS:
        raise Refused(f"{option} is either True or False, not {text!r}")
    return _BOOLEANS[text]
