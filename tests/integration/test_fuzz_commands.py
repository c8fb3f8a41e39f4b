"""Every command with whatever values somebody, a tampered client or an outdated Discord may give: it is answered."""

from collections.abc import Iterable
from typing import Any

import discord
import pytest
from discord.app_commands import Command, Group, Parameter
from hypothesis import strategies as st

from tests.integration import simcord_patches
from tests.integration.fuzzing import STRANGER, TIMES, drawn_of_each, no_error_logged, odd, table_as_it_is, words
from tests.integration.harness import AUTOCOMPLETE, COMMAND, LEA, Harness
from tests.integration.table import Table

SUBCOMMAND, SUBCOMMAND_GROUP = 1, 2
WELL_FORMED, MALFORMED = 2, 1  # of each command; the first one that is drawn has the simplest values
CHANGED = "Cette commande a changé"

Kind = discord.AppCommandOptionType
long_words = st.builds(str.__mul__, words, st.sampled_from([1, 40, 400]))


def fitting(parameter: Parameter, harness: Harness, kind: int) -> st.SearchStrategy[Any]:
    """Values that Discord's own checks would let pass."""
    if kind == AUTOCOMPLETE and parameter.autocomplete:
        return words  # as it is typed, a number too
    if parameter.choices:
        return st.sampled_from([choice.value for choice in parameter.choices])
    match parameter.type:
        case Kind.integer:
            bounds = parameter.min_value, parameter.max_value
            least, most = (
                limit if bound is None else int(bound) for bound, limit in zip(bounds, (-(2**53), 2**53), strict=True)
            )
            return st.integers(least, most) | st.integers(max(least, 1), 3)
        case Kind.boolean:
            return st.booleans()
        case Kind.user:
            return st.sampled_from([str(member.id) for member in harness.members.values()])
        case Kind.channel:
            return st.just(str(harness.channel.id))
        case Kind.role:
            return st.just(str(harness.guild.id))
        case _:
            least, most = int(parameter.min_value or 0), int(parameter.max_value or 6000)  # Discord's longest
            return long_words.map(lambda text: text[:most].ljust(least, "x"))


def plain_value(parameter: Parameter, harness: Harness) -> Any:
    """A value that every command takes."""
    if parameter.choices:
        return parameter.choices[0].value
    by_kind = {Kind.integer: 1, Kind.boolean: True, Kind.user: str(harness["Bruno"].id), Kind.string: "classic"}
    return by_kind.get(parameter.type, str(harness.guild.id))


def well_formed(command: Command[Any, ..., Any], harness: Harness, kind: int) -> st.SearchStrategy[list[Any]]:
    """Its options as Discord sends them, with any value; those that need not be given perhaps left out."""
    return chosen(
        fields if parameter.required or (kind == AUTOCOMPLETE and parameter.autocomplete) else fields | st.none()
        for parameter in command.parameters
        for fields in [
            st.fixed_dictionaries({
                "name": st.just(parameter.display_name),
                "type": st.just(parameter.type.value),
                "value": fitting(parameter, harness, kind),
                "focused": st.just(parameter.autocomplete),
            })
        ]
    )  # fmt: skip


def malformed(command: Command[Any, ..., Any]) -> st.SearchStrategy[list[Any]]:
    """Its options with any type and value, or none."""
    kinds = st.sampled_from([kind.value for kind in Kind])
    return chosen(
        st.none()
        | st.fixed_dictionaries(
            {"name": st.just(parameter.display_name)}, optional={"type": kinds, "value": odd, "focused": odd}
        )
        for parameter in command.parameters
    )


def chosen(each: Iterable[st.SearchStrategy[Any]]) -> st.SearchStrategy[list[Any]]:
    """One of each, those alone that there are."""
    return st.tuples(*each).map(lambda drawn: [option for option in drawn if option is not None])


def nested(command: Command[Any, ..., Any], given: list[Any]) -> dict[str, Any]:
    """The command as Discord sends it: its groups round it."""
    inner: dict[str, Any] = {"name": command.name, "type": SUBCOMMAND, "options": given}
    group = command.parent
    while group is not None and group.parent is not None:
        inner = {"name": group.name, "type": SUBCOMMAND_GROUP, "options": [inner]}
        group = group.parent
    assert group is not None, "there are no commands outside groups"
    return {"id": "1", "name": group.name, "type": 1, "options": [inner]}


def commands_of(harness: Harness) -> list[Command[Any, ..., Any]]:
    """Whatever the bot has registered."""
    return [each for each in harness.bot.tree.walk_commands() if not isinstance(each, Group)]


def resolved(harness: Harness) -> dict[str, Any]:
    """What Discord tells about the users, the channel and the role that options name."""
    backend, place = harness.env.backend, harness.channel.id
    guild = backend.get_guild(harness.guild.id)
    channel = simcord_patches.serializers.channel_payload(backend, backend.get_channel(place))
    people = [backend.get_user(member.id) for member in harness.members.values()]
    return {
        "users": {str(user.id): dict(simcord_patches.serializers.user_payload(user)) for user in people},
        "channels": {str(place): {**channel, "permissions": "0"}},
        "roles": {
            str(number): dict(simcord_patches.serializers.role_payload(role)) for number, role in guild.roles.items()
        },
    }


def orders(harness: Harness, kind: int, times: int) -> list[tuple[dict[str, Any], bool]]:
    """Every command a few times, as it is sent, and whether Discord would let it pass."""
    commands = [
        command
        for command in commands_of(harness)
        if kind != AUTOCOMPLETE or any(parameter.autocomplete for parameter in command.parameters)
    ]
    given = drawn_of_each([well_formed(command, harness, kind) for command in commands], WELL_FORMED * times)
    passing = [(command, each, True) for command, values in zip(commands, given, strict=True) for each in values]
    commands = [command for command in commands if command.parameters]
    given = drawn_of_each([malformed(command) for command in commands], MALFORMED * times)
    others = [(command, each, False) for command, values in zip(commands, given, strict=True) for each in values]
    named = resolved(harness)
    return [
        (nested(command, each) | ({"resolved": named} if is_fitting else {}), is_fitting)
        for command, each, is_fitting in (*passing, *others)
    ]


async def throw(
    harness: Harness, name: str, kind: int, sent: list[tuple[dict[str, Any], bool]], caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody sends these: what Discord would let pass is carried out or refused with a reason."""
    for data, is_fitting in sent:
        with no_error_logged(caplog, data):
            answer = await harness.send(harness[name].id, kind, data)
        if not answer.responded and kind != AUTOCOMPLETE:
            await harness.advance(2.5)  # a move waits for the one before it, at most until it is answered all the same
        if kind == AUTOCOMPLETE:
            assert answer.autocomplete_choices is not None or not is_fitting, data
        else:
            assert answer.responded, data
            assert not is_fitting or CHANGED not in said(harness, answer), data


def said(harness: Harness, answer: simcord_patches.Interaction) -> str:
    """The text of an answer, nothing if it is more than text."""
    message = harness.env.backend.messages[harness.channel.id].get(answer.message_id)
    return "" if message is None else message.content


@TIMES
async def test_any_command_is_answered_and_no_stranger_changes_a_table(
    harness: Harness, table: Table, times: int, caplog: pytest.LogCaptureFixture
) -> None:
    before, commands = table_as_it_is(harness, table), orders(harness, COMMAND, times)
    await throw(harness, STRANGER, COMMAND, commands, caplog)
    await throw(harness, STRANGER, AUTOCOMPLETE, orders(harness, AUTOCOMPLETE, times), caplog)
    assert table_as_it_is(harness, table) == before
    await throw(harness, LEA, COMMAND, commands, caplog)


async def test_a_command_with_options_that_no_client_sends_is_answered(
    harness: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    command, number = next(
        (command, parameter)
        for command in commands_of(harness)
        for parameter in command.parameters
        if parameter.type is Kind.integer and parameter.max_value is not None
    )
    most, option = int(number.max_value or 0), {"name": number.display_name, "type": Kind.integer.value}
    beyond = f"» va de {number.min_value or 0} à {most} : retapez la commande."
    cases: dict[str, tuple[Any, str]] = {
        "no name": ([{"type": 4, "value": 1}], CHANGED),
        "no value": ([option], CHANGED),
        "a value that is a long word": ([{**option, "value": "x" * (most + 1)}], CHANGED),
        "a value beyond its bound": ([{**option, "value": most + 1}], beyond),
        "the same, of the type of words": ([{**option, "type": Kind.string.value, "value": str(most + 1)}], CHANGED),
    }
    for what, (given, told) in cases.items():
        with no_error_logged(caplog, what):
            answer = await harness.send(harness[LEA].id, COMMAND, nested(command, given))
        assert told in said(harness, answer).replace("\u00a0", " ").replace("\u202f", " "), what
