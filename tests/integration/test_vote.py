"""The secret vote through Discord: asked for, cast, changed, survived, known; and nobody sees another one's ballot."""

import json
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest
import structlog

from bot.game.signs import Strategy
from tests.integration import simcord_patches
from tests.integration.harness import BOTH, PEOPLE, Harness
from tests.integration.table import Table, kems, lobby

SAID = {
    "fr": {
        "two": "Signes avancés : vote secret. En attente : Bruno · Chloé · les places libres",
        "wait": "Le vote secret attend Dora ; l'hôte peut s'en passer.",
        "mine": "Vous avez dit oui à : double signe, pré-signe.",
        "nothing": "Vous avez dit non à tout.",
        "known": "Signes avancés : pré-signe",
        "over": "Le vote est clos",
        "watcher": "Vous n'êtes pas à cette table",
        "withdrawn": "Réservé à l'hôte",
        "begun": "La partie a commencé.",
    },
    "en-US": {
        "two": "Advanced signs: secret vote. Awaited: Bruno · Chloé · the free seats",
        "wait": "The secret vote awaits Dora; the host can go on without it.",
        "mine": "You said yes to: double sign, pre-sign.",
        "nothing": "You said no to all.",
        "known": "Advanced signs: pre-sign",
        "over": "The vote is over",
        "watcher": "You are not at this table",
        "withdrawn": "Only the host",
        "begun": "The match has begun.",
    },
}


async def arranged(harness: Harness, *others: str) -> Table:
    """A lobby whose host has the settings open."""
    table = await lobby(harness, *others)
    await table.press("Léa", "settings")
    return table


async def ballot(table: Table, name: str, *yes: Strategy) -> None:
    """Open one's ballot, say yes to these."""
    await table.press(name, "vote")
    await table.after(table.member(name).choose(f"k1:{table.id}:ballot:yes", *(strategy.value for strategy in yes)))


def stored(database: Path, query: str) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [value for (value,) in connection.execute(query)]


@pytest.mark.parametrize("crash", [pytest.param(False, marks=pytest.mark.long), True])
@BOTH
async def test_four_members_vote_on_strategies(tmp_path: Path, harness: Harness, locale: str, crash: bool) -> None:
    said = SAID[locale]
    table = await arranged(harness, "Bruno", "Chloé")
    assert table.message().control(f"k1:{table.id}:vote") is None
    await table.act("Léa", "set:vote:on")
    await ballot(table, "Léa", Strategy.PRESIGN, Strategy.DOUBLE)
    assert said["mine"] in table.panel("Léa").text
    assert said["two"] in table.board()
    await table.press("Bruno", "vote")
    await table.press("Bruno", "ballot:no")
    assert said["nothing"] in table.panel("Bruno").text

    await harness.restart(crash=crash)  # in the middle of the vote; the ballots that are open stay alive
    await harness["Bruno"].choose(f"k1:{table.id}:ballot:yes", "presign", message=table.panel("Bruno"))
    await ballot(table, "Chloé", Strategy.PRESIGN, Strategy.TOTAL)
    await table.press("Dora", "join")
    await table.press("Léa", "start")
    assert harness["Léa"].told == said["wait"]
    for what in ("vote", "ballot:no"):
        await table.forge("Émile", f"k1:{table.id}:{what}")
        assert said["watcher"] in harness["Émile"].told
    await table.forge("Dora", f"k1:{table.id}:set:vote:off")
    assert said["withdrawn"] in harness["Dora"].told
    assert len(stored(tmp_path / "kems.db", "SELECT ballot FROM seats WHERE ballot IS NOT NULL")) == 3

    await ballot(table, "Dora", Strategy.PRESIGN, Strategy.SPOKEN)
    assert said["known"] in table.board()
    assert stored(tmp_path / "kems.db", "SELECT ballot FROM seats WHERE ballot IS NOT NULL") == []
    await harness["Léa"].click(f"k1:{table.id}:ballot:no", table.panel("Léa"))
    assert any(said["over"] in message.text for message in harness["Léa"].messages() if message.ephemeral)
    await table.act("Léa", "start")
    (begun,) = stored(tmp_path / "kems.db", "SELECT body FROM events WHERE kind = 'MatchStarted'")
    assert json.loads(begun)["strategies"] == ["presign"]
    await table.forge("Bruno", f"k1:{table.id}:vote")
    assert said["begun"] in harness["Bruno"].told


async def test_the_host_may_withdraw_the_vote(tmp_path: Path, harness: Harness) -> None:
    table = await arranged(harness, "Bruno", "Chloé", "Dora")
    await table.act("Léa", "set:vote:on")
    await ballot(table, "Bruno", *Strategy)
    assert "attend Léa, Chloé, Dora" in await table.press("Léa", "start")
    assert "Signes avancés" not in await table.act("Léa", "set:vote:off")
    await table.act("Léa", "start")
    (begun,) = stored(tmp_path / "kems.db", "SELECT body FROM events WHERE kind = 'MatchStarted'")
    assert json.loads(begun)["strategies"] == []


async def test_a_new_player_voids_the_vote_and_robots_vote_yes(harness: Harness) -> None:
    table = await arranged(harness, "Bruno")
    for _ in range(2):
        await table.press("Léa", "add_robot")
    await table.act("Léa", "set:vote:on")
    await ballot(table, "Léa", *Strategy)
    await ballot(table, "Bruno", Strategy.SPOKEN)
    assert "Signes avancés : signes parlés" in table.board()
    assert "En attente : Léa · Bruno · les places libres" in await table.act("Léa", "remove_robot")
    assert "En attente : Léa · Bruno" in await table.act("Léa", "add_robot")


async def test_only_spoken_signs_are_voted_on_when_signs_cannot_be_guessed(harness: Harness) -> None:
    await harness["Léa"].slash("kems start", rules="escale")
    await harness["Léa"].click("Réglages…")
    await harness["Léa"].click("🗳️ Signes avancés : au vote")
    await harness.settle()
    told = await harness["Léa"].press("🗳️ Voter")
    assert "Signes parlés" in told
    assert "Double signe" not in told


# ---------------------------------------------------------------------- secrecy

Step = Callable[[], Awaitable[object]]


def folder_in(folder: Path, name: str) -> Path:
    """A new one."""
    made = folder / name
    made.mkdir()
    return made


async def watched(folder: Path, *first: Strategy) -> dict[str, list[str]]:
    """All that each member ever saw while Bruno voted so and then so: messages with all their parts, step by step."""
    views: dict[str, list[str]] = {name: [] for name in (*PEOPLE, "Émile")}
    with structlog.testing.capture_logs() as logs:
        async with kems(folder) as harness:
            table = await arranged(harness, "Bruno", "Chloé", "Dora")
            values = [strategy.value for strategy in first]
            steps: list[Step] = [
                lambda: table.press("Léa", "set:vote:on"),
                lambda: ballot(table, "Léa", Strategy.PRESIGN),
                lambda: ballot(table, "Bruno", *first),
                lambda: table.forge("Bruno", f"k1:{table.id}:ballot:yes", component_type=3, values=values),
                lambda: table.press("Bruno", "leave"),
                lambda: table.press("Bruno", "join"),
                lambda: ballot(table, "Bruno", *first),
                lambda: harness.restart(crash=True),
                lambda: ballot(table, "Chloé", Strategy.PRESIGN, Strategy.SPOKEN),
                lambda: ballot(table, "Dora", *Strategy),
                lambda: table.press("Bruno", "vote"),
                lambda: table.press("Léa", "start"),
                table.settle,
            ]
            for step in steps:
                await table.after(step())
                for name, seen in views.items():
                    seen.append(everything(harness, name))
            assert json.loads(stored(folder / "kems.db", "SELECT body FROM events")[0])["strategies"] == ["presign"]
    return {**views, "the log": [anonymous(json.dumps(logs, default=str))]}


def everything(harness: Harness, name: str) -> str:
    """The messages as they are sent, ticks in menus included, without what differs from run to run."""
    seen = [
        [message.content, message.components, message.flags, message.embeds]
        for place in harness.places()
        for message in simcord_patches.stored_messages(harness.env, place, harness[name].id)
    ]
    return anonymous(json.dumps(seen, default=str, ensure_ascii=False))


def anonymous(text: str) -> str:
    return re.sub(r"\d{6,}|/[\w/.-]+\.db|\d+\.\d+", "#", text)


async def test_nobody_sees_any_difference_between_two_ballots(tmp_path: Path) -> None:
    """Bruno says yes to other things, with the same outcome: only Bruno may see that anything differs."""
    one = await watched(folder_in(tmp_path, "one"), Strategy.PRESIGN, Strategy.DOUBLE, Strategy.TOTAL)
    other = await watched(folder_in(tmp_path, "other"), Strategy.PRESIGN)
    assert one.pop("Bruno") != other.pop("Bruno")
    assert len(one) == 5
    for viewer, seen in one.items():
        assert seen == other[viewer], viewer
