"""A feature as a value: the presses that it answers, its commands, its screens. `bot.compose` lists the features."""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final, Protocol

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.ui.kit.custom_ids import Press
from bot.ui.messages.panels.answered import answered
from bot.ui.messages.screens import OpenTableScreen, PanelPageScreen, Screens

MAX_CHOICES: Final = 25  # Discord's limits for what a command offers while somebody types
MAX_CHOICE: Final = 100

Command = app_commands.Command[Any, ..., Any] | app_commands.Group


class Presses(Protocol):
    """Answers the presses and the filled-in forms of some verbs."""

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs of custom ids; no other object answers these."""

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press.

        Raises:
            KemsError, SentenceError, discord.HTTPException: `answered` has a sentence for it.
        """


@dataclass(frozen=True, slots=True)
class Feature:
    """What the router, the command tree and the messages get from one folder.

    `commands` stand under `/kems`, `manager_commands` under `/kems-admin`. One feature alone has a `table_screen`, the
    public message of a table; `panel_pages` are pages of private panels by name. `is_about_past`: its presses name
    tables whose matches are over, and stand on other messages than those of tables.
    """

    presses: Sequence[Presses] = ()
    commands: Sequence[Command] = ()
    manager_commands: Sequence[Command] = ()
    table_screen: OpenTableScreen | None = None
    panel_pages: Mapping[str, PanelPageScreen] = field(default_factory=dict)
    is_about_past: bool = False

    @property
    def verbs(self) -> frozenset[str]:
        return frozenset(verb for presses in self.presses for verb in presses.verbs)


def owners_of(features: Iterable[Feature]) -> dict[str, Presses]:
    """Who answers which verb. Raises ValueError when two features answer the same one."""
    owners: dict[str, Presses] = {}
    for presses in (presses for feature in features for presses in feature.presses):
        if twice := owners.keys() & presses.verbs:
            raise ValueError(f"two features answer the same presses: {', '.join(sorted(twice))}")
        owners |= dict.fromkeys(presses.verbs, presses)
    return owners


def screens_of(features: Sequence[Feature]) -> Screens:
    """All screens of the features. Raises ValueError unless exactly one feature has a `table_screen`."""
    (of_table,) = (feature.table_screen for feature in features if feature.table_screen is not None)
    return Screens(of_table, {name: page for feature in features for name, page in feature.panel_pages.items()})


class CommandSet(app_commands.Group):
    """Commands that stand directly under `/kems` or `/kems-admin`: only `commands` is used, never the group itself."""

    def __init__(self) -> None:
        super().__init__(name="commands", description="-")


class Subgroup(app_commands.Group):
    """A group of commands within `/kems` or `/kems-admin`, such as `/kems privacy`."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name=locale_str(name), description=locale_str(description))


def command(
    name: str,
    description: str,
    *,
    choices: Mapping[str, Sequence[Choice[Any]]] | None = None,
    options: Mapping[str, tuple[str, str]] | None = None,
) -> Callable[[Callable[..., Coroutine[Any, Any, None]]], app_commands.Command[Any, ..., None]]:
    """Make a method of a `CommandSet` or `Subgroup` a command whose errors are `answered`.

    All texts are English messages, which the catalogues translate. `options` gives the shown name and the description
    of each parameter, `choices` its values where they are few.
    """
    told = options or {}

    def decorate(method: Callable[..., Coroutine[Any, Any, None]]) -> app_commands.Command[Any, ..., None]:
        @wraps(method)
        async def answering(self: object, interaction: discord.Interaction, **values: Any) -> None:
            async with answered(interaction, name):
                await method(self, interaction, **values)

        app_commands.rename(**{option: locale_str(shown) for option, (shown, _) in told.items()})(answering)
        app_commands.describe(**{option: locale_str(about) for option, (_, about) in told.items()})(answering)
        app_commands.choices(**{option: list(offered) for option, offered in (choices or {}).items()})(answering)
        make = app_commands.command(name=locale_str(name), description=locale_str(description))
        return make(answering)

    return decorate
