"""Discord refuses with 429 in mid-round, for one route and for all: the bot waits, loses nothing, repeats nothing."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from bot.ui.table.verbs import TableVerb
from tests.rig.accounts import cards, is_acknowledged
from tests.rig.air import Weather
from tests.rig.evidence import read_running
from tests.rig.players import Group, Player, offers, table_ids
from tests.rig.remote import Outcome
from tests.rig.rig import Rig, running
from tests.rig.test_interrupted import PACE, PEOPLE, call, hunting, kinds, public, write_below
from tests.seen import pool_in


def refusing(times: int, where: str, *, is_global: bool = False, scope: str = "user") -> Weather:
    """So many requests come to 429, and no other does."""
    return Weather(limits=False, errors=times, status=429, where=where, is_global=is_global, scope=scope)


def shows_what_is_logged(rig: Rig, group: Group) -> bool:
    table = read_running(rig.database)[group.table_id]
    state, seats = table.state(), {user: seat for seat, user in table.seats.items()}
    pool, board = tuple(card and card.code for card in state.pool), group.board()
    hands = {m.user: [card and card.code for card in state.seats[seats[m.user]].hand] for m in group.members}
    return pool_in("" if board is None else board.text) == pool and all(
        cards(member.panel(), TableVerb.PUT, "hand") == hands[member.user] for member in group.members
    )


def readers(rig: Rig, group: Group) -> list[int]:
    """Whose private messages there are of the table."""
    found = rig.remote.messages.values()
    return sorted(message.viewer_id for message in found if group.table_id in table_ids(message) and message.viewer_id)


async def all_see(rig: Rig, group: Group) -> None:
    await rig.remote.until(lambda: shows_what_is_logged(rig, group), "what the log says, on all messages")


@pytest.mark.slow
async def test_rate_limits_in_mid_round_lose_and_repeat_nothing(tmp_path: Path) -> None:
    async with running(tmp_path, PEOPLE, log_level="INFO,discord=DEBUG", **PACE) as rig:  # every warning
        group = await hunting(rig)
        for member in group.members:
            await member.open_hand()
        await all_see(rig, group)
        board, first, second = group.board(), group.members[:2], group.members[2:]
        posted = len(public(rig, board.channel_id))

        async def acted(people: list[Player], verb: str, weather: Weather) -> list[Outcome]:
            """Each presses another button, all at once; then wait until everybody sees what came of it."""
            chosen = [offers(member.panel(), group.table_id)[verb][n] for n, member in enumerate(people)]
            rig.remote.air.change(weather)
            outcomes = await asyncio.gather(*(m.press(offer) for m, offer in zip(people, chosen, strict=True)))
            await all_see(rig, group)
            return [outcome for outcome in outcomes if outcome is not None and is_acknowledged(outcome)]

        outcomes = [
            *await acted(first, TableVerb.PUT, refusing(2, "/channels/")),
            *await acted(second, TableVerb.PUT, refusing(2, "/webhooks/", scope="shared")),
            *await acted(group.members, TableVerb.TAKE, refusing(8, "", is_global=True)),
        ]
        presses = Counter(entry.press_id for entry in read_running(rig.database)[group.table_id].log)
        assert [presses[outcome.id] for outcome in outcomes] == [1] * 8
        assert (kinds(rig).count("CardPutDown"), kinds(rig).count("CardTaken")) == (4, 4)

        await write_below(rig, group)  # so that the next deal is posted anew
        await call(group)
        await group.play_until(TableVerb.NEXT)
        rig.remote.air.change(refusing(3, "POST /channels/"))  # the next round's message, too
        await group.host.press(await group.play_until(TableVerb.NEXT))
        await group.play_until(TableVerb.KEMS)
        await all_see(rig, group)

        limited = rig.remote.air.limited
        for part in ("PATCH /channels/", "POST /channels/", "PATCH /webhooks/", "(global)"):
            assert any(part in route for route in limited), (part, limited)
        assert len(limited) == 2 + 2 + 8 + 3
        noticed = [*rig.logged("panels.refused"), *rig.logged("requests.refused")]
        assert len(noticed) == len(limited)
        assert len([line for line in rig.logged("panels.refused") if "is_global=False" in line]) == 2
        assert (rig.remote.missed, rig.remote.air.invalid) == ([], {})
        assert len(public(rig, board.channel_id)) == posted + 1
        owners = sorted(member.user for member in group.members)
        await rig.remote.until(lambda: readers(rig, group) == owners, "one hand each: a former one is deleted at last")
        assert not rig.logged("Traceback")
