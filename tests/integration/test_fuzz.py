"""Whatever a tampered client, or Discord on an odd day, may send: it is answered, and nothing is raised or logged as a
bug. The payloads go through discord.py into the running bot."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import discord
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot.game.signs import Strategy
from bot.ui.ids import Verb
from tests.integration.harness import Harness
from tests.integration.table import Table, kems

COMPONENT, MODAL = 3, 5
EXAMPLES = 250

words = st.one_of(
    st.text(max_size=60),
    st.sampled_from(["🍀", "0", "1", "77", "-1", "7S", "7S9D", "random", "presign", "no", "", "classic", "\u202e"]),
    st.sampled_from([each.value for each in Strategy]),
)
custom_ids = st.one_of(
    st.text(max_size=110),
    st.builds("k1:{}:{}:{}".format, st.sampled_from(["0", "1", "99", "1.1", "1.7"]), st.sampled_from(Verb), words),
    st.builds("k1:{}:{}".format, st.sampled_from(["0", "1", "1.1", str(2**63)]), st.sampled_from(Verb)),
    st.none(),
    st.integers(),
)
odd = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), words),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
    max_leaves=6,
)
chosen = st.one_of(st.lists(words, max_size=3), odd)
fields = st.lists(
    st.one_of(
        st.fixed_dictionaries({"type": st.just(4), "custom_id": words, "value": words}),
        st.fixed_dictionaries({"type": st.just(3), "custom_id": words, "values": chosen}),
        st.fixed_dictionaries({"type": st.just(18), "component": odd}),
    ),
    max_size=4,
)
component_data = st.fixed_dictionaries({"component_type": st.sampled_from([2, 3])}, optional={
    "custom_id": custom_ids, "values": chosen,
})  # fmt: skip
modal_data = st.fixed_dictionaries({"components": fields}, optional={"custom_id": custom_ids})


class Recorded:
    """Stands in for the answer: what the bot would have told Discord."""

    type = None

    def __init__(self) -> None:
        self.answers = 0

    def is_done(self) -> bool:
        return self.answers > 0

    async def _answer(self, *_given: Any, **_named: Any) -> None:
        assert not self.is_done(), "answered twice"
        self.answers += 1

    send_message = edit_message = defer = send_modal = _answer


def interaction(
    bot: discord.Client, at: datetime, kind: int, user: int, place: tuple[int, int], data: Any
) -> discord.Interaction:
    """An interaction as discord.py makes it of a payload."""
    payload = {
        "id": str(discord.utils.time_snowflake(at)),
        "application_id": "1",
        "token": "a-token",
        "version": 1,
        "type": kind,
        "guild_id": str(place[0]),
        "channel_id": str(place[1]),
        "member": {
            "user": {"id": str(user), "username": "somebody", "discriminator": "0", "avatar": None},
            "roles": [],
            "permissions": "0",
            "joined_at": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
        },
        "attachment_size_limit": 0,
        "locale": "fr",
        "data": data,
    }
    made = discord.Interaction(data=payload, state=bot._connection)  # type: ignore[arg-type]
    made._cs_response = Recorded()  # type: ignore[misc]
    return made


def drawn(strategy: st.SearchStrategy[Any]) -> list[Any]:
    """The same many values in every run; the bot answers them on its own event loop."""
    values = []

    @settings(max_examples=EXAMPLES, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(value: Any) -> None:
        values.append(value)

    collect()
    return values


async def hunting(harness: Harness) -> Table:
    table = Table(harness)
    await table.open()
    await table.agree()
    await table.open_hunt()
    return table


async def test_any_press_and_any_form_is_answered(tmp_path: Path) -> None:
    sent = [(COMPONENT, data) for data in drawn(component_data)] + [(MODAL, data) for data in drawn(modal_data)]
    async with kems(tmp_path) as harness:
        await hunting(harness)
        place = (harness.guild.id, harness.channel.id)
        seated, stranger = harness["Bruno"].id, 4242
        for number, (kind, data) in enumerate(sent):
            user = stranger if number % 5 == 0 else seated
            made = interaction(harness.bot, harness.now(), kind, user, place, data)
            with capture_logs() as logs:
                await harness.bot.rooms.router.on_interaction(made)
            assert made.response.is_done(), data
            assert [line for line in logs if line["log_level"] == "error"] == [], data
        await harness.settle()
