"""The switches of the rig's Discord, each with an unmodified discord.py."""

import asyncio

import discord
import pytest

from bot.sandbox.discord.people import Refused
from tests.rig.air import Weather
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.limits import STRICT, RateLimits, Verdict, feared
from tests.rig.small_client import connected
from tests.rig.test_discord_refusals import buttons, defer, pressed


def test_each_assumption_can_be_switched_separately() -> None:
    alone = feared()
    assert PLAIN not in alone.values()
    assert len(set(alone.values())) == len(alone)
    assert STRICT not in alone.values()


def test_interaction_tokens_of_a_channel_have_undocumented_limits() -> None:
    limits = RateLimits(lambda: 0.0, STRICT, channel_of=lambda token: int(token) % 2)

    def spent(method: str, path: str) -> Verdict:
        return limits.spend(method, path)

    edits = [spent("PATCH", f"/webhooks/1/{2 * token}/messages/@original") for token in range(31)]
    assert [verdict.retry_after for verdict in edits] == [None] * 30 + [60.0]
    assert edits[30].headers["X-RateLimit-Scope"] == "shared"
    assert spent("PATCH", "/webhooks/1/1/messages/@original").retry_after is None, "of another channel"
    threads = [spent("POST", "/channels/1/threads") for _ in range(11)]
    assert [verdict.retry_after for verdict in threads] == [None] * 10 + [220.0]
    assert threads[9].headers["X-RateLimit-Remaining"] == "40", "nothing tells of it before"


@pytest.mark.parametrize("is_blocked", [True, False])
async def test_buttons_do_not_react_while_one_is_being_answered(is_blocked: bool) -> None:
    async def answer(interaction: discord.Interaction) -> None:
        await asyncio.sleep(0.1)
        await defer(interaction)

    async with connected(assumptions=Assumptions(blocks_buttons=is_blocked)) as stage:
        stage.client.answers |= {"a": answer, "b": answer}
        message = await stage.channel.send(view=buttons("a", "b"))
        presses = [(stage.lea, "a"), (stage.lea, "b"), (stage.bruno, "b")]
        came = await asyncio.gather(
            *(pressed(stage, user, message.id, name) for user, name in presses), return_exceptions=True
        )
        assert [isinstance(one, Refused) for one in came] == [False, is_blocked, False]
        assert await pressed(stage, stage.lea, message.id, "b") == "deferred_update"


async def test_events_may_arrive_out_of_order() -> None:
    async with connected(assumptions=Assumptions(disorder_s=0.2)) as stage:
        stage.air.change(Weather(limits=False))
        said = [stage.discord.people.say(stage.lea, stage.channel_id, "x").id for _ in range(10)]
        await stage.client.hears("message", 10)
        heard = [message.id for message in stage.client.of("message")]
        assert sorted(heard) == said != heard
