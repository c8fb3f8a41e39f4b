"""Whatever a tampered client, or Discord on an odd day, may send: it is answered, and nothing is raised or logged as a
bug. The payloads go through discord.py into the running bot."""

import asyncio
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import discord
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot.ui.table.verbs import TableVerb
from tests.integration.fuzzing import TIMES, drawn, odd, table_as_it_is, words
from tests.integration.harness import Harness
from tests.integration.table import hunting
from tests.verbs import VERBS

COMPONENT, MODAL = 3, 5
EXAMPLES = 20

custom_ids = st.one_of(
    st.text(max_size=110),
    st.builds("k1:{}:{}:{}".format, st.sampled_from(["0", "1", "99", "1.1", "1.7"]), st.sampled_from(VERBS), words),
    st.builds("k1:{}:{}".format, st.sampled_from(["0", "1", "1.1", str(2**63)]), st.sampled_from(VERBS)),
    st.builds("k1:1:{}:{}".format, st.sampled_from(sorted(TableVerb)), st.sampled_from(["🍀", "0", "1", "2"])),
    st.builds("k1:1.1:{}".format, st.sampled_from(sorted(TableVerb))),
    st.none(),
    st.integers(),
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

    async def _answer(self, *_given: Any, **_named: Any) -> SimpleNamespace:
        assert not self.is_done(), "answered twice"
        self.answers += 1
        return SimpleNamespace(message_id=self.answers)

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


@TIMES
async def test_any_press_and_any_form_is_answered_and_none_of_a_stranger_acts(harness: Harness, times: int) -> None:
    gesture = (COMPONENT, {"component_type": 2, "custom_id": "k1:1.1:gesture:🍀"})
    sent = [gesture, gesture]  # the first one by a stranger
    sent += [(COMPONENT, data) for data in drawn(component_data, EXAMPLES * times)]
    sent += [(MODAL, data) for data in drawn(modal_data, EXAMPLES * times)]
    table = await hunting(harness)
    place = (harness.guild.id, harness.channel.id)
    seated, stranger = harness["Bruno"].id, 4242
    for number, (kind, data) in enumerate(sent):
        user = stranger if number % 5 == 0 else seated
        before = table_as_it_is(harness, table)
        made = interaction(harness.bot, harness.now(), kind, user, place, data)
        with capture_logs() as logs:
            await asyncio.create_task(harness.bot.router.on_interaction(made))  # as discord.py does
        assert made.response.is_done(), data
        assert [line for line in logs if line["log_level"] == "error"] == [], data
        takes_free_seat = str(data.get("custom_id")).startswith("k1:1:substitute:")  # as anybody may
        if user == stranger and not takes_free_seat:
            assert table_as_it_is(harness, table) == before, data
        assert number != 1 or table_as_it_is(harness, table) != before, "the same by a player counts"
