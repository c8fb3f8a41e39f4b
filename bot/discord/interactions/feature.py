"""A feature as a value: its presses, commands, subscriptions and jobs. `bot.compose` lists the features.

Every error of a press or a command is answered with one private sentence, and counted.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, Protocol, TypeVar

import discord
import structlog
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.base import metrics
from bot.base.errors import StoreError
from bot.base.worker import Job
from bot.base.worker_process import CpuTimeExceededError
from bot.discord.api.components import button, layout, row, text
from bot.discord.api.custom_ids import Press
from bot.discord.api.interactions import is_private, texts_of
from bot.discord.api.patience import SlowStoreError, answer_deadline
from bot.discord.api.refusals import SLOW_MOVE, SLOW_STORE, STORE_ERROR, sentence_of
from bot.discord.api.requests import FAILED, UNREACHED, error_fields
from bot.discord.api.responses import is_outdated, note_answered_elsewhere, reply, reply_panel
from bot.discord.interactions.admission.allowances import Allowance, Verb
from bot.discord.interactions.admission.press_notes import (
    ANSWERED,
    OUTDATED,
    PressOutcome,
    current_press,
    log_press,
    record_refusal,
)
from bot.discord.interactions.admission.spending import refund, spend
from bot.discord.places.refusals import refusal_words
from bot.discord.text.command_names import path_of
from bot.discord.text.text_width import truncate
from bot.discord.text.texts import Texts
from bot.tables.cluster import ShardResource
from bot.tables.hub import Subscription

MAX_CHOICES: Final = 25  # Discord's limits for what a command offers while somebody types
MAX_CHOICE: Final = 100

_log = structlog.get_logger(__name__)

T = TypeVar("T", int, str)
Command = app_commands.Command[Any, ..., Any] | app_commands.Group
_KEY: Final = "key"
ALLOWANCE: Final = "allowance"
"""The key of the allowance in the extras of a command."""


class Presses(Protocol):
    """Answers the presses and the modal submissions of some verbs."""

    @property
    def verbs(self) -> frozenset[Verb]:
        """The verbs that this object answers; no other object answers them."""

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press.

        Raises:
            KemsError: `answer_errors` has a sentence for it.
            RefusedError: `answer_errors` has a sentence for it.
            discord.HTTPException: `answer_errors` has a sentence for it.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """All that one folder of `bot/ui` gives to the bot; nothing else of a feature is known outside.

    - `presses`: answer its buttons, menus and modals.
    - `commands`: its slash commands.
    - `is_about_past`: its presses name tables whose matches are over, and do not stand on messages of tables.
    - `hears`: the events of the hub that it subscribes to (`bot.tables.hub.on`).
    - `of_shards`: what it restores and releases with the servers of a shard.
    - `jobs`: work of each process for its own servers; `of_leader`: work of one process for all.
    - `stops`: called when the bot stops.
    - `problems`: lines about what a server lacks for it, for `/kems-admin config`.

    Example:
        >>> from bot.tables.hub import SeasonChanged, on
        >>> feature = Feature(hears=(on(SeasonChanged, print),))
        >>> feature.verbs, feature.problems(1, None)
        (frozenset(), ())
    """

    presses: Sequence[Presses] = ()
    commands: Sequence[Command] = ()
    is_about_past: bool = False
    hears: Sequence[Subscription] = ()
    of_shards: Sequence[ShardResource] = ()
    jobs: Sequence[Job] = ()
    of_leader: Sequence[Job] = ()
    stops: Sequence[Callable[[], object]] = ()
    problems: Callable[[int, Texts], Sequence[str]] = lambda _guild_id, _texts: ()

    @property
    def verbs(self) -> frozenset[Verb]:
        """The verbs that the feature answers."""
        return frozenset(verb for presses in self.presses for verb in presses.verbs)


def by_key(features: Iterable[Feature]) -> dict[str, Command]:
    """Return the commands of all features by their keys in `bot.discord.text.command_names`."""
    return {command.extras[_KEY]: command for feature in features for command in feature.commands}


def owners_of(features: Iterable[Feature]) -> dict[str, Presses]:
    """Return the object that answers each verb.

    Raises:
        ValueError: Two features answer the same verb.
    """
    owners: dict[str, Presses] = {}
    for presses in (presses for feature in features for presses in feature.presses):
        if twice := owners.keys() & presses.verbs:
            raise ValueError(f"two features answer the same presses: {', '.join(sorted(twice))}")
        owners |= dict.fromkeys(presses.verbs, presses)
    return owners


def matching_choices(
    named: Iterable[tuple[str, T]], typed: str, fold: Callable[[str], str] = str.casefold
) -> list[Choice[T]]:
    """Return autocomplete choices whose names contain the typed text, at most as many as Discord takes.

    Long names are truncated.

    Args:
        named: Names and values of all choices.
        typed: What the user has typed so far.
        fold: Maps both texts to a form in which they are compared.
    """
    choices = ((truncate(name, MAX_CHOICE), value) for name, value in named)
    return [Choice(name=name, value=value) for name, value in choices if fold(typed) in fold(name)][:MAX_CHOICES]


async def _reply_slow(interaction: discord.Interaction, line: str, panel_id: str | None, texts: Texts) -> None:
    """Answer with a sentence, if possible in place of the pressed panel, with a button that shows the panel anew."""
    if panel_id is None or not is_private(interaction.message) or interaction.response.is_done():
        await reply(interaction, line)
        return
    try:
        await reply_panel(interaction, layout(text(line), row(button(texts.t("🔄 Look again"), panel_id))))
    except FAILED as error:
        note_answered_elsewhere(interaction, error)
        _log.warning("answer.failed", **error_fields(error))


@asynccontextmanager
async def answer_errors(interaction: discord.Interaction, what: str = "unknown") -> AsyncIterator[PressOutcome]:
    """Answer every error of the press or command in the `with` block, and record its outcome.

    The log has all errors but refusals. Yields the outcome to be recorded, which the block may complete.

    Args:
        interaction: The press or the command.
        what: Its verb or the command's name, as far as it is known.
    """
    handling = PressOutcome(what)
    former = current_press.set(handling)
    began = asyncio.get_running_loop().time()
    texts = texts_of(interaction)
    try:
        with answer_deadline(interaction.response.is_done):
            yield handling
    except SlowStoreError as error:
        handling.outcome = "store_slow"
        _log.warning("press.not_in_time", press=interaction.id, problem=str(error))
        await _reply_slow(interaction, texts.t(SLOW_MOVE if error.is_move else SLOW_STORE), handling.panel_id, texts)
    except StoreError as error:
        handling.outcome = "not_saved"
        _log.warning("press.not_saved", press=interaction.id, problem=str(error))
        await reply(interaction, texts.t(STORE_ERROR))
    except CpuTimeExceededError as error:
        handling.outcome = "too_long"
        _log.warning("press.too_long", press=interaction.id, problem=str(error))
        await reply(interaction, texts.t("This takes too long to compute, so I stopped."))
    except discord.HTTPException as error:
        handling.outcome = "discord_refused"
        note_answered_elsewhere(interaction, error)
        _log.warning("answer.refused", press=interaction.id, **error_fields(error))
        await reply(interaction, refusal_words(interaction, error))
    except Exception as error:  # noqa: BLE001 - every press gets an answer, the log keeps the error
        if (sentence := sentence_of(error, interaction)) is not None:
            record_refusal(handling.reason or str(error))
            await reply(interaction, sentence)
            return
        handling.outcome = "failed"
        if isinstance(error, UNREACHED):
            handling.outcome = "unreached"
            _log.warning("answer.not_sent", press=interaction.id, **error_fields(error))
        else:
            _log.exception("press.failed", press=interaction.id)
        await reply(interaction, texts.t("Something went wrong here; it has been noted. Please try again."))
    finally:
        current_press.reset(former)
        took_s = asyncio.get_running_loop().time() - began
        if handling.outcome == ANSWERED and is_outdated(interaction):
            handling.outcome = OUTDATED
        if handling.outcome != ANSWERED:
            refund(interaction, took_s)
        metrics.ANSWER_SECONDS.observe(took_s)
        log_press(interaction, handling, took_s)


class CommandSet(app_commands.Group):
    """A group of commands that share collaborators, the fields of a subclass.

    Only its `commands` are registered, in the groups that `bot.discord.text.command_names` says. Each subclass is a
    dataclass with `eq=False, repr=False`, since discord.py hashes its groups.
    """

    def __post_init__(self) -> None:
        super().__init__()


def command(
    key: str,
    description: str,
    *,
    allowance: Allowance | None,
    choices: Mapping[str, Sequence[Choice[Any]]] | None = None,
    options: Mapping[str, tuple[str, str]] | None = None,
) -> Callable[[Callable[..., Coroutine[Any, Any, None]]], app_commands.Command[Any, ..., None]]:
    """Return a decorator that turns a method of a `CommandSet` into a slash command and answers its errors.

    All texts are English messages, which the catalogues translate.

    Args:
        key: The key of its name in `bot.discord.text.command_names`.
        description: What Discord lists.
        allowance: What it spends before it does anything; None is free.
        choices: The values of parameters that have few.
        options: The displayed name and the description of each parameter.
    """
    named_options = options or {}

    def decorate(method: Callable[..., Coroutine[Any, Any, None]]) -> app_commands.Command[Any, ..., None]:
        @wraps(method)
        async def answering(self: object, interaction: discord.Interaction, **values: Any) -> None:
            async with answer_errors(interaction, key):
                await spend(interaction, allowance)
                await method(self, interaction, **values)

        app_commands.rename(**{option: locale_str(title) for option, (title, _) in named_options.items()})(answering)
        app_commands.describe(**{option: locale_str(about) for option, (_, about) in named_options.items()})(answering)
        app_commands.choices(
            **{option: list(matching_choices) for option, matching_choices in (choices or {}).items()}
        )(answering)
        name = locale_str(path_of(key).rpartition(" ")[2])
        make = app_commands.command(
            name=name, description=locale_str(description), extras={_KEY: key, ALLOWANCE: allowance}
        )
        return make(answering)

    return decorate
