"""Settings of a panel, an object each: it draws its control, reads what was chosen and changes the state.

A panel is a list of settings. `State` is whatever holds the values: this module knows no game and no server.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar

import discord

from bot.discord.api import components as c
from bot.discord.api.custom_ids import make_id
from bot.discord.api.interactions import RefusedError, chosen_values, texts_of
from bot.discord.api.modals import Modal, submitted_text
from bot.discord.text.names import escape_markdown
from bot.discord.text.text_width import truncate
from bot.discord.text.texts import Texts, mark
from bot.game.value import stamp
from bot.ladder.seasons import find_zone, near_zones

NONE: Final = "none"  # the value of an option that unsets a field
ON: Final = "on"
OFF: Final = "off"
_MAX_ZONE: Final = 40  # characters of a typed time zone that a sentence repeats
FORM: Final = "form"  # opens the form of a setting, whose id has nothing behind the name
GONE: Final = mark("That can no longer be chosen: this is what there is now.")
CHANGED: Final = mark("That has changed meanwhile: this is how it is now.")

State = TypeVar("State")
MakeCustomId = Callable[..., str]
"""Makes a custom id from a setting's name and, for a button, from the value that a press sets."""
Check = Callable[[discord.Guild, discord.Interaction, Sequence[int], str, Texts], Iterable[str]]
"""Returns lines about what the bot lacks in these channels, or for this role; the title names the setting."""


@dataclass(frozen=True, kw_only=True)
class Setting(ABC, Generic[State]):
    """One value that a panel shows and changes.

    - `name`: stands for the setting in custom ids.
    - `path`: the attribute of the state that has the value, such as `setup.schedule.zone`.
    - `title`: its English name.
    - `is_offered`: whether the panel shows it now.

    Example:
        >>> @dataclass(frozen=True)
        ... class Room:
        ...     is_quiet: bool
        >>> quiet = Checkbox(name="quiet", path="is_quiet", title="Quiet")
        >>> quiet.changed(Room(is_quiet=False), True)
        Room(is_quiet=True)
    """

    name: str
    path: str = ""
    title: str = ""
    is_offered: Callable[[State], bool] = lambda _state: True

    def value(self, state: State) -> Any:
        """Return the value in a state."""
        return attrgetter(self.path)(state)

    def with_value(self, state: State, value: Any) -> Any:
        """Return the state with another value, or a refusal if the state does not allow it."""
        return _with_value(state, self.path.split("."), value)

    @abstractmethod
    def read(self, interaction: discord.Interaction, state: State, argument: str = "") -> Any:
        """Return the value that was chosen.

        Args:
            interaction: The press or the modal submission.
            state: The present one.
            argument: What follows the setting's name in the custom id.

        Raises:
            RefusedError: The panel does not offer the value now, or this user may not choose it.
        """


@dataclass(frozen=True, kw_only=True)
class MenuSetting(Setting[State]):
    """A setting chosen in a select menu.

    - `about`: the caption above the menu, with the title.
    - `empty`: the placeholder while nothing is chosen.
    """

    about: str | Callable[[State, Texts], str] = ""
    empty: str = ""

    def parts(self, state: State, ids: MakeCustomId, texts: Texts) -> list[c.Part]:
        """Return the menu for the panel, below its caption."""
        about = self.about(state, texts) if callable(self.about) else self.about and texts.t(self.about)
        caption = [c.text(f"**{texts.t(self.title)}** — {about}")] if about else []
        chosen = self.value(state)
        seen = [stamp(chosen)] if isinstance(chosen, tuple) else []
        return [*caption, self.row(state, ids(self.name, *seen), texts)]

    def check_seen(self, state: State, argument: str, texts: Texts) -> None:
        """Check that a pressed menu of several values showed those that are chosen now.

        Raises:
            RefusedError: It showed others, which the new choice would overwrite.
        """
        chosen = self.value(state)
        if isinstance(chosen, tuple) and argument != stamp(chosen):
            raise RefusedError(texts.t(CHANGED))

    @abstractmethod
    def row(self, state: State, custom_id: str, texts: Texts) -> c.Row:
        """Return the menu as it looks in the panel."""


@dataclass(frozen=True, kw_only=True)
class ChoiceSetting(MenuSetting[State]):
    """A menu of values.

    - `options`: the values with their labels; a value of None stands for a field that is not set.
    - `about_each`: the second line of a value's label.
    - `is_many`: any number of values may be chosen; they are kept in the order of the menu.
    """

    options: Callable[[State, Texts], Mapping[Any, str]]
    about_each: Callable[[State, Any, Texts], str] = lambda _state, _value, _texts: ""
    is_many: bool = False

    def row(self, state: State, custom_id: str, texts: Texts) -> c.Row:
        now = self.value(state)
        options = [
            c.option(
                words,
                _written(value),
                description=self.about_each(state, value, texts),
                is_default=value in now if self.is_many else value == now,
            )
            for value, words in self.options(state, texts).items()
        ]
        least, most = (0, len(options)) if self.is_many else (1, 1)
        return c.menu(custom_id, texts.t(self.empty or self.title), options, least=least, most=most)

    def read(self, interaction: discord.Interaction, state: State, argument: str = "") -> Any:
        picked, texts = chosen_values(interaction), texts_of(interaction)
        offered = {_written(value): value for value in self.options(state, texts)}
        self.check_seen(state, argument, texts)
        if not set(picked) <= offered.keys() or not (self.is_many or len(picked) == 1):
            raise RefusedError(texts.t(GONE))
        return tuple(offered[value] for value in offered if value in picked) if self.is_many else offered[picked[0]]


@dataclass(frozen=True, kw_only=True)
class SnowflakeSetting(MenuSetting[State]):
    """A menu of a server's channels or roles. The value is an id or None; with `most` above 1 a tuple of ids.

    - `is_known`: whether a chosen channel or role is known, so that the menu can show it.
    - `check`: returns lines about what the bot lacks for those that are chosen.
    """

    most: int = 1
    is_known: Callable[[State, int], bool] = lambda _state, _id: True
    check: Check | None = None

    def ids_of(self, state: State) -> tuple[int, ...]:
        """Return the ids that are chosen."""
        value = self.value(state)
        if self.most > 1:
            return tuple(value)
        return () if value is None else (value,)

    def shown_ids(self, state: State) -> list[int]:
        """Return the chosen ids that the menu can show."""
        return [item_id for item_id in self.ids_of(state) if self.is_known(state, item_id)]

    @abstractmethod
    def offered(self, interaction: discord.Interaction) -> Iterable[Any]:
        """Return the channels or roles of the server that may be chosen."""

    def read(self, interaction: discord.Interaction, state: State, argument: str = "") -> Any:
        texts, picked = texts_of(interaction), chosen_values(interaction)
        offered = {str(value.id): value for value in self.offered(interaction)}
        self.check_seen(state, argument, texts)
        if not set(picked) <= offered.keys() or len(picked) > self.most:
            raise RefusedError(texts.t(GONE))
        ids = tuple(offered[value].id for value in picked)
        return ids if self.most > 1 else next(iter(ids), None)


@dataclass(frozen=True, kw_only=True)
class ChannelSetting(SnowflakeSetting[State]):
    """A menu of channels of these `kinds`."""

    kinds: Sequence[discord.ChannelType]

    def row(self, state: State, custom_id: str, texts: Texts) -> c.Row:
        kinds, chosen = [kind.value for kind in self.kinds], self.shown_ids(state)
        return c.channel_menu(custom_id, texts.t(self.empty or self.title), kinds, most=self.most, chosen=chosen)

    def offered(self, interaction: discord.Interaction) -> Iterable[Any]:
        return [
            channel
            for channel in (interaction.guild.channels if interaction.guild else ())
            if channel.type in self.kinds
        ]


@dataclass(frozen=True, kw_only=True)
class RoleSetting(SnowflakeSetting[State]):
    """A menu of roles. `refusal` says why a member may not choose a role, or returns None."""

    refusal: Callable[[discord.Member, discord.Role, Texts], str | None]

    def row(self, state: State, custom_id: str, texts: Texts) -> c.Row:
        return c.role_menu(custom_id, texts.t(self.empty or self.title), chosen=self.shown_ids(state))

    def offered(self, interaction: discord.Interaction) -> Iterable[Any]:
        return interaction.guild.roles if interaction.guild else ()

    def read(self, interaction: discord.Interaction, state: State, argument: str = "") -> int | None:
        role_id: int | None = super().read(interaction, state, argument)
        member, texts = interaction.user, texts_of(interaction)
        role = None if role_id is None or interaction.guild is None else interaction.guild.get_role(role_id)
        if role is None:
            return None
        if not isinstance(member, discord.Member):
            raise RefusedError(texts.t(GONE))
        if (refusal := self.refusal(member, role, texts)) is not None:
            raise RefusedError(refusal)
        return role_id


@dataclass(frozen=True, kw_only=True)
class ButtonSetting(Setting[State]):
    """A setting that a button changes."""

    @abstractmethod
    def button(self, state: State, ids: MakeCustomId, texts: Texts) -> c.Button:
        """Return the button as it looks in the panel."""


@dataclass(frozen=True, kw_only=True)
class Toggle(ButtonSetting[State]):
    """A button that shows whether something is on, and switches it."""

    def read(self, interaction: discord.Interaction, state: State, argument: str = "") -> bool:
        if argument not in (ON, OFF):
            raise RefusedError(texts_of(interaction).t(GONE))
        return argument == ON


@dataclass(frozen=True, kw_only=True)
class Switch(Toggle[State]):
    """A toggle whose label is `on` or `off`, the words for its value."""

    on: str
    off: str

    def button(self, state: State, ids: MakeCustomId, texts: Texts) -> c.Button:
        is_on = self.value(state)
        return c.button(texts.t(self.on if is_on else self.off), ids(self.name, OFF if is_on else ON))


@dataclass(frozen=True, kw_only=True)
class Checkbox(Toggle[State]):
    """A toggle with its title and a box; while it is on, the box is ticked and the button stands out."""

    def button(self, state: State, ids: MakeCustomId, texts: Texts) -> c.Button:
        title = texts.t(self.title)
        if self.value(state):
            return c.button(f"☑ {title}", ids(self.name, OFF), style=c.PRIMARY)
        return c.button(f"☐ {title}", ids(self.name, ON))


@dataclass(frozen=True, kw_only=True)
class TextSetting(ButtonSetting[State]):
    """A button that opens a modal with one text input.

    - `label`: returns the button's label for a value.
    - `question`: returns the label of the input.
    - `parse`: returns the value of a typed text, or raises RefusedError.
    - `most`: the longest text, in characters.
    """

    label: Callable[[Any, Texts], str]
    question: Callable[[Texts], str]
    parse: Callable[[str, Texts], Any]
    most: int
    style: c.Style = c.SECONDARY

    def button(self, state: State, ids: MakeCustomId, texts: Texts) -> c.Button:
        label = truncate(self.label(self.value(state), texts), c.MAX_LABEL)
        return c.button(label, ids(self.name, FORM), style=self.style)

    def form(self, state: State, ids: MakeCustomId, texts: Texts) -> Modal:
        """Return the modal that the button opens."""
        form = Modal(texts.t(self.title), ids(self.name))
        return form.add_text_input(self.question(texts), written=str(self.value(state)), most=self.most)

    def read(self, interaction: discord.Interaction, state: State, argument: str = "") -> Any:
        return self.parse(submitted_text(interaction), texts_of(interaction))


def controls(
    settings: Iterable[Setting[State]],
    state: State,
    ids: MakeCustomId,
    texts: Texts,
    *more: c.Button,
    in_row: int = c.IN_ROW,
) -> list[c.Part]:
    """Return the controls of the settings that are offered now, in their order.

    Consecutive buttons share rows of `in_row`; the buttons `more` follow the last of them.
    """
    parts: list[c.Part] = []
    settings_on_panel = (setting for setting in settings if setting.is_offered(state))
    for kind, group in groupby(
        settings_on_panel, key=lambda each: ButtonSetting if isinstance(each, ButtonSetting) else MenuSetting
    ):
        if kind is ButtonSetting:
            own = [setting.button(state, ids, texts) for setting in group if isinstance(setting, ButtonSetting)]
            parts += c.rows([*own, *more], in_row)
        else:
            parts += (
                part
                for setting in group
                if isinstance(setting, MenuSetting)
                for part in setting.parts(state, ids, texts)
            )
    return parts


def custom_ids_for(table_id: int, verb: str) -> MakeCustomId:
    """Return a function that makes custom ids; their argument is a setting's name and the value that a press sets."""
    return lambda name, *argument: make_id(table_id, verb, ":".join((name, *argument)))


def find_setting(settings: Iterable[Setting[State]], arg: str) -> tuple[Setting[State] | None, str]:
    """Return the setting that a custom id's argument names (None if there is none), and the value to set."""
    name, _, argument = arg.partition(":")
    return next((setting for setting in settings if setting.name == name), None), argument


def read_zone(written: str, texts: Texts) -> str:
    """Return the IANA name of the time zone that a person typed.

    Raises:
        RefusedError: There is no such time zone.
    """
    zone = find_zone(written)
    if zone is None:
        raise RefusedError(unknown_zone_text(written, near_zones(written), texts))
    return zone


def unknown_zone_text(written: str, near: Sequence[str], texts: Texts) -> str:
    """Return the sentence that there is no such time zone; `near` are names that resemble it."""
    t, zone = texts.t, escape_markdown(written, _MAX_ZONE)
    if not near:
        return t("There is no time zone “{zone}”: write one such as Europe/Paris.", zone=zone)
    return t("There is no time zone “{zone}”: did you mean {near}?", zone=zone, near=", ".join(near))


def _written(value: object) -> str:
    return NONE if value is None else str(value)


def _with_value(state: Any, path: Sequence[str], value: object) -> Any:
    name, *rest = path
    return replace(state, **{name: _with_value(getattr(state, name), rest, value) if rest else value})
