"""The actions of members: commands, presses, modals, reactions, messages.

What Discord's own client would not let them do raises `Refused`.
Source of what an interaction brings: https://discord.com/developers/docs/interactions/receiving-and-responding
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bot.sandbox.discord import payloads
from bot.sandbox.discord import permissions as may
from bot.sandbox.discord.components import BUTTON, MENU, MENUS, walk
from bot.sandbox.discord.objects import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    DEFAULT,
    MODAL_SUBMIT,
    REPLY,
    Channel,
    Guild,
    Interaction,
    Json,
    Message,
)
from bot.sandbox.discord.permissions import permissions_in, sees
from bot.sandbox.discord.routes.answers import forget_old
from bot.sandbox.discord.routes.bodies import mention_fields
from bot.sandbox.discord.world import ALWAYS, World

_STRING, _INTEGER, _BOOLEAN, _USER, _CHANNEL, _ROLE, _NUMBER = 3, 4, 5, 6, 7, 8, 10
_SUBCOMMANDS: Final = (1, 2)
_MENU_KINDS: Final = {5: _USER, 6: _ROLE, 8: _CHANNEL}
_FORGET_EVERY: Final = 500  # interactions
_BOOLEANS: Final = {"True": True, "False": False}


class Refused(Exception):
    """A member asked for something that Discord's client would not let them do; the text says what.

    `word` is the key of this sentence in the page's texts, where `told` fills it in, in the member's language.
    """

    def __init__(self, sentence: str, word: str = "", **told: object) -> None:
        super().__init__(sentence)
        self.word = word
        self.told = {name: str(value) for name, value in told.items()}


class People:
    """Acts for the members of the world. `locale`: the language of their clients."""

    def __init__(self, world: World, locale: str = "fr") -> None:
        self._world = world
        self._locale = locale

    # ------------------------------------------------------------------ interactions

    def slash(self, user: int, channel_id: int, name: str, given: Mapping[str, Any], *, focus: str = "") -> Interaction:
        """Run the command `/name`; with `focus`, request the autocomplete choices of that option instead.

        `given`: the options as text, as they are typed.

        Raises:
            Refused: There is no such command here, or its options do not fit.
        """
        guild, channel = self._place(user, channel_id)
        first, *rest = name.split()
        root = next((command for command in self.commands(user, channel_id) if command["name"] == first), None)
        if root is None:
            raise Refused(f"there is no command /{first} for you in this channel")
        leaf, path = root, []
        for word in rest:
            leaf = next((o for o in leaf["options"] if o["name"] == word and o["type"] in _SUBCOMMANDS), {})
            if not leaf:
                raise Refused(f"there is no command /{name}")
            path.append(leaf)
        resolved: Json = {}
        options = list(self._options(name, leaf, given, resolved, guild, focus))
        for step in reversed(path):
            options = [{"name": step["name"], "type": step["type"], "options": options}]
        data = {"id": root["id"], "name": root["name"], "type": 1, "options": options, "resolved": resolved}
        kind = AUTOCOMPLETE if focus else COMMAND
        return self._interact(kind, user, channel, data, command_name=name)

    def press(self, user: int, channel_id: int, message_id: int, custom_id: str, values: Sequence[str]) -> Interaction:
        """Press a button (`values` empty) or choose in a menu of a message.

        Raises:
            Refused: The message has no such control, or the control does not take these values.
        """
        message, channel = self._visible(user, channel_id, message_id)
        found = next((c for _, c in walk(message.components) if c.get("custom_id") == custom_id), None)
        if found is None or found.get("disabled"):
            raise Refused("this button is no longer there", "gone")
        return self.forge(user, message, channel, self._chosen(found, values, channel))

    def forge(self, user: int, message: Message, channel: Channel, data: Json) -> Interaction:
        """Send a press without any check, even of a control that the message does not have."""
        return self._interact(COMPONENT, user, channel, data, source=message)

    def submit(self, user: int, interaction_id: int, values: Mapping[str, Any]) -> Interaction:
        """Submit the modal that answered an interaction; `values` by custom id.

        Raises:
            Refused: There is no such modal any more, or a text is too short or too long.
        """
        asked = self._world.interactions.get(interaction_id)
        if asked is None or asked.user_id != user or asked.form is None or asked.is_form_sent:
            raise Refused("this form is closed", "gone")
        asked.is_form_sent = True
        nodes = [_filled(component, values) for component in asked.form["components"]]
        data = {"custom_id": asked.form["custom_id"], "components": nodes, "resolved": {}}
        channel = self._world.channel(asked.channel_id)
        return self._interact(MODAL_SUBMIT, user, channel, data, source=asked.source)

    def _interact(
        self,
        kind: int,
        user: int,
        channel: Channel,
        data: Json,
        *,
        source: Message | None = None,
        command_name: str = "",
    ) -> Interaction:
        world = self._world
        interaction = Interaction(
            world.new_id(), secrets.token_urlsafe(48), kind, user, channel.guild_id, channel.id, world.now(), source
        )
        interaction.command_name = command_name
        if len(world.interactions) % _FORGET_EVERY == 0:
            forget_old(world)
        world.interactions[interaction.id] = interaction
        world.by_token[interaction.token] = interaction
        payload = payloads.interaction_json(world, interaction, data, self._locale)
        world.emit("INTERACTION_CREATE", payload, world.guilds[channel.guild_id], ALWAYS)
        return interaction

    def _chosen(self, found: Json, values: Sequence[str], channel: Channel) -> Json:
        kind = int(found["type"])
        data: Json = {"custom_id": found["custom_id"], "component_type": kind, "id": found.get("id", 0)}
        if kind == BUTTON:
            return data
        low, high = found.get("min_values", 1), found.get("max_values", 1)
        if not low <= len(values) <= high:
            raise Refused(f"choose between {low} and {high} of these", "count", low=low, high=high)
        data["values"] = list(values)
        if kind == MENU:
            if unknown := set(values) - {option["value"] for option in found["options"]}:
                raise Refused(f"{unknown.pop()} is not one of the choices", "unchosen")
        else:
            resolved: Json = {}
            data["resolved"] = resolved
            for value in values:
                self._resolve(_MENU_KINDS[kind], value, resolved, self._world.guilds[channel.guild_id])
        return data

    # ------------------------------------------------------------------ commands

    def commands(self, user: int, channel_id: int) -> list[Json]:
        """Return the slash commands that a member may use in a channel; the guild's own come first."""
        guild, channel = self._place(user, channel_id)
        bits = permissions_in(guild, channel, user)

        def may_use(command: Json) -> bool:
            needed, contexts = command.get("default_member_permissions"), command.get("contexts")
            is_allowed = (
                needed is None or bits & may.ADMINISTRATOR or (needed != "0" and bits & int(needed) == int(needed))
            )
            return bool(command["type"] == 1 and is_allowed and (contexts is None or 0 in contexts))

        everything = [*self._world.commands.get(guild.id, ()), *self._world.commands.get(0, ())]
        return [command for command in everything if may_use(command)] if bits & may.USE_APPLICATION_COMMANDS else []

    def _options(
        self, name: str, leaf: Json, given: Mapping[str, Any], resolved: Json, guild: Guild, focus: str
    ) -> Iterator[Json]:
        specs = {spec["name"]: spec for spec in leaf.get("options") or () if spec["type"] not in _SUBCOMMANDS}
        if unknown := sorted(given.keys() - specs.keys()):
            raise Refused(f"/{name} has no option {unknown[0]!r}", "no_option", option=unknown[0])
        for key, spec in specs.items():
            kind, raw, shown = int(spec["type"]), given.get(key), self._shown(spec)
            if key == focus:
                yield {"name": key, "type": kind, "value": raw or "", "focused": True}
            elif raw is None or raw == "":
                if spec.get("required") and not focus:
                    raise Refused(f"/{name} needs the option {shown!r}", "needed", option=shown)
            else:
                yield {"name": key, "type": kind, "value": self._typed(shown, spec, str(raw), resolved, guild)}

    def _shown(self, spec: Json) -> str:
        """Return the name of an option as the member's client shows it."""
        return str((spec.get("name_localizations") or {}).get(self._locale) or spec["name"])

    def _typed(self, shown: str, spec: Json, raw: str, resolved: Json, guild: Guild) -> Any:
        kind = int(spec["type"])
        if kind == _BOOLEAN:
            if raw not in _BOOLEANS:
                raise Refused(f"{shown} is either True or False, not {raw!r}", "no_choice", option=shown, value=raw)
            return _BOOLEANS[raw]
        if kind in (_USER, _CHANNEL, _ROLE):
            self._resolve(kind, raw, resolved, guild)
            return raw
        try:
            value: Any = int(raw) if kind == _INTEGER else float(raw) if kind == _NUMBER else raw
        except ValueError:
            raise Refused(f"{shown} is a number, not {raw!r}", "no_number", option=shown, value=raw) from None
        choices = [choice["value"] for choice in spec.get("choices") or ()]
        if choices and value not in choices:
            raise Refused(
                f"{raw!r} is not one of the choices of {shown}: {choices}", "no_choice", option=shown, value=raw
            )
        measure = len(value) if kind == _STRING else value
        names = ("min_length", "max_length") if kind == _STRING else ("min_value", "max_value")
        low, high = (spec.get(one) for one in names)
        if (low is not None and measure < low) or (high is not None and measure > high):
            word = "length" if kind == _STRING else "range"
            told = {"option": shown, "low": "…" if low is None else low, "high": "…" if high is None else high}
            raise Refused(f"{shown} takes from {low} to {high}, not {raw!r}", word, **told)
        return value

    def _resolve(self, kind: int, key: str, resolved: Json, guild: Guild) -> None:
        number = int(key) if key.isdecimal() else 0
        if kind == _USER and number in guild.members:
            member = guild.members[number]
            resolved.setdefault("users", {})[key] = payloads.user_json(member.user)
            bits = str(permissions_in(guild, None, number))
            resolved.setdefault("members", {})[key] = payloads.member_json(member, with_user=False) | {
                "permissions": bits
            }
        elif kind == _ROLE and number in guild.roles:
            resolved.setdefault("roles", {})[key] = payloads.role_json(guild.roles[number])
        elif kind == _CHANNEL and number in guild.channels:
            channel = guild.channels[number]
            bits = str(permissions_in(guild, channel, self._world.bot.id))
            resolved.setdefault("channels", {})[key] = payloads.channel_json(channel) | {"permissions": bits}
        else:
            raise Refused(f"{key} is nothing that can be chosen here", "unchosen")

    # ------------------------------------------------------------------ messages

    def say(self, user: int, channel_id: int, text: str, reply_to: int = 0, *, with_ping: bool = True) -> Message:
        """Post a message, perhaps as a reply.

        A reply mentions the author unless its ping is off; a reply to an interaction's answer mentions nobody.

        Raises:
            Refused: The member may not write there, or the text is empty.
        """
        guild, channel = self._place(user, channel_id)
        needed = may.SEND_MESSAGES_IN_THREADS if channel.is_thread else may.SEND_MESSAGES
        if not permissions_in(guild, channel, user) & needed:
            raise Refused("you may not write here")
        if not text:
            raise Refused("Discord takes no empty message")
        fields: Json = {**mention_fields(guild, text)}
        kind = DEFAULT
        if reply_to:
            target, _ = self._visible(user, channel_id, reply_to)
            kind = REPLY
            if with_ping and target.token is None and target.author_id not in fields["mentions"]:
                fields["mentions"] += (target.author_id,)
        return self._world.post(channel, user, content=text, type=kind, replied_to=reply_to or None, **fields)

    def react(self, user: int, channel_id: int, message_id: int, emoji: str, *, present: bool = True) -> None:
        """Add or remove a reaction; `emoji` is a character or `name:id`.

        Raises:
            Refused: The member may not react to the message.
        """
        message, channel = self._visible(user, channel_id, message_id)
        guild = self._world.guilds[channel.guild_id]
        is_new = present and emoji not in message.reactions
        if message.is_ephemeral or (is_new and not permissions_in(guild, channel, user) & may.ADD_REACTIONS):
            raise Refused("you may not react to this message")
        self._world.react(message, user, emoji, present=present)

    def channels(self, user: int, guild: Guild) -> list[Channel]:
        """Return the channels of a guild that a member can see, without archived threads; threads come last."""
        open_ones = [channel for channel in guild.channels.values() if not channel.is_archived]
        return sorted((c for c in open_ones if sees(guild, c, user)), key=lambda channel: channel.is_thread)

    def _place(self, user: int, channel_id: int) -> tuple[Guild, Channel]:
        channel = self._world.channels.get(channel_id)
        guild = None if channel is None else self._world.guilds.get(channel.guild_id)
        if channel is None or guild is None or not sees(guild, channel, user):
            raise Refused("you cannot see this channel")
        return guild, channel

    def _visible(self, user: int, channel_id: int, message_id: int) -> tuple[Message, Channel]:
        _, channel = self._place(user, channel_id)
        message = channel.messages.get(message_id)
        if message is None or not message.is_visible_to(user):
            raise Refused("this message is no longer there", "gone")
        return message, channel


def _filled(component: Json, values: Mapping[str, Any]) -> Json:
    """Return a modal's component as it is sent in; a menu's value may be a list or one text.

    Raises:
        Refused: A text is too short or too long.
    """
    kind = int(component["type"])
    node: Json = {"type": kind, "id": component.get("id", 0)}
    if "components" in component:
        return node | {"components": [_filled(child, values) for child in component["components"]]}
    if "component" in component:
        return node | {"component": _filled(component["component"], values)}
    key = component.get("custom_id")
    if key is None:
        return node
    value = values.get(key, component.get("value") or "")
    if kind in MENUS:
        return node | {"custom_id": key, "values": [value] if isinstance(value, str) else list(value)}
    longest = component.get("max_length")
    if len(value) < (component.get("min_length") or 0) or (longest is not None and len(value) > longest):
        low, high = component.get("min_length") or 0, "…" if longest is None else longest
        raise Refused(f"{key} takes a text of another length than {len(value)}", "form_length", low=low, high=high)
    return node | {"custom_id": key, "value": value}
