"""Whatever Discord refuses of what the bot does: whoever asked reads why, else the settings and the log say it.

Nothing is said to be done that is not, and nothing stands that Discord has refused.
"""

import re
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest
from simcord.backend.errors import BackendError
from structlog.testing import capture_logs

from tests.integration.evening import EIGHT, MINUTE, Evening, part_id
from tests.integration.harness import BRUNO, CHLOE, LEA, PEOPLE, Harness
from tests.integration.mishaps import posted, refuse
from tests.integration.table import hunting, kems, lobby
from tests.integration.test_config import opened as config
from tests.integration.test_config import pick
from tests.integration.test_log_channel import chosen
from tests.integration.test_match_ends import ended

UNKNOWN = BackendError(403, 999_999, "*Nobody* [knows](https://x.test) <@1> @everyone")
BLOCKED = BackendError(400, 200000, "Message was blocked by automatic moderation")
REFUSALS = {
    error.code: error
    for error in (
        BackendError(403, 50001, "Missing Access"),
        BackendError(403, 50013, "Missing Permissions"),
        BackendError(400, 50035, "Invalid Form Body"),
        BackendError(403, 20009, "Explicit content cannot be sent to the desired recipient(s)"),
        BackendError(429, 20016, "This action cannot be performed due to slowmode rate limit"),
        BackendError(429, 20028, "The channel you are writing has hit the write rate limit"),
        BackendError(400, 30005, "Maximum number of guild roles reached (250)"),
        BackendError(400, 30038, "Maximum number of uncompleted guild scheduled events reached (100)"),
        BackendError(400, 160006, "Maximum number of active threads reached (1000)"),
        BLOCKED,
        BackendError(400, 200001, "Title was blocked by automatic moderation"),
        UNKNOWN,
    )
}
OUR_WORDS = {
    50001: r"écrire|permission|fils publics|rôle|La partie|salon|plus le droit de montrer",
    50013: r"écrire|permission|fils publics|rôle|La partie|salon|plus le droit de montrer",
    50035: r"erreur de ma part",
    20009: r"contenu explicite",
    20016: r"mode lent",
    20028: r"trop à la fois",
    30038: r"autant d'événements",
    160006: r"autant de fils",
    200000: r"AutoMod",
    200001: r"AutoMod",
}
"""A part of the sentence about a code, where what was asked for has one."""
_DONE = re.compile(r"✅ La soirée|est annoncée|Votre partie commence|La table est maintenant|Invités? :|est lancée")

Refused = Callable[[str, str], AbstractContextManager[None]]
Scene = Callable[[Harness, Refused], Awaitable[str]]


def is_true(told: str, error: BackendError) -> bool:
    """Whether a line says why, in our words or in Discord's own, which are escaped and mention nobody."""
    assert "@everyone" not in told, told
    assert "<@1>" not in told, told
    assert not _DONE.search(told), told
    said = f"({error.code})" in told and "Discord refuse" in told
    return said or re.search(OUR_WORDS.get(error.code, "never"), told, re.IGNORECASE) is not None


# ------------------------------------------------------------------ somebody asked


async def start(harness: Harness, refused: Refused) -> str:
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        told = await harness[LEA].ask("kems start")
    assert harness.posted() == []
    return told


async def play(harness: Harness, refused: Refused) -> str:
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        told = await harness[LEA].ask("kems play")
    assert "Votre partie commence" not in told
    return told


async def practise(harness: Harness, refused: Refused) -> str:
    """Where its thread is refused it is played in the channel."""
    with refused("POST", f"/channels/{harness.channel.id}/threads"):
        await harness[LEA].slash("kems practice")
    assert len(harness.bot.rooms.directory.tables()) == 1
    return " ".join(seen.text for seen in harness[LEA].newest(ephemeral=True))


async def panel(harness: Harness, refused: Refused) -> str:
    """A match whose message changes: its players read it in their panels."""
    table = await hunting(harness)
    with refused("PATCH", f"/channels/{table.message().channel_id}/messages"):
        await harness[LEA].click("🂠 Ma main")
        await table.press(BRUNO, "kems")
        await harness.advance(30)
        return harness[LEA].last(ephemeral=True).text


async def move(harness: Harness, refused: Refused) -> str:
    await lobby(harness, host=LEA)
    harness.enter("ailleurs")
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        told = await harness[LEA].ask("kems table move", thread=False)
    assert posted(harness, harness.channel.id) == []
    return told


async def invite(harness: Harness, refused: Refused) -> str:
    await lobby(harness, host=LEA)
    await harness[LEA].click("Inviter…")
    menu = part_id(harness[LEA].last(ephemeral=True), "invite_people")
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        await harness[LEA].choose(menu, harness[BRUNO].actor)
    return harness[LEA].told


async def begin(harness: Harness, refused: Refused) -> str:
    """A match that is to be played in a thread."""
    table = await lobby(harness, *PEOPLE[1:], host=LEA, thread=True)
    with refused("POST", "/threads"):
        await table.after(harness[LEA].click("Commencer"))
    return " ".join(seen.text for seen in posted(harness, harness.channel.id))


async def shuffle(harness: Harness, refused: Refused) -> str:
    table = await ended(harness)
    with refused("POST", f"/channels/{table.message().channel_id}/messages"):
        await harness[LEA].click("🎲 Mélanger", table.message())
    return harness[LEA].told


async def publish(harness: Harness, refused: Refused) -> str:
    evening = Evening(harness)
    shown = await evening.opened()
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        await evening.press("night_publish", shown)
        await harness.advance(10)
    assert evening.sign_ups() == []
    return evening.panel().text


async def replan(harness: Harness, refused: Refused) -> str:
    evening = Evening(harness)
    await evening.published()
    with refused("PATCH", f"/channels/{harness.channel.id}/messages"):
        await evening.edit("dimanche 21h")
        await harness.advance(10)
        return evening.panel().text


async def letter(harness: Harness, refused: Refused) -> str:
    evening = Evening(harness)
    await evening.published()
    await evening.join(BRUNO)
    shown = await evening.press("night_host", evening.message())
    form = await evening.host.click(part_id(shown, "night_write:"), shown)
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        await evening.host.submit(form, "On commence plus tard")
        await harness.advance(15)
    return evening.panel().text


async def event(harness: Harness, refused: Refused) -> str:
    evening = Evening(harness)
    with refused("POST", "/scheduled-events"):
        await evening.published(event="on")
        await harness.advance(5)
    return (await evening.press("night_host", evening.message())).text


ASKED: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (start, play, practise, panel, move, invite, begin, shuffle, publish, replan, letter, event)
}

# ------------------------------------------------------------------ nobody asked


async def threads(harness: Harness, refused: Refused) -> str:
    """A night that begins has no thread for its tables."""
    evening = Evening(harness)
    with refused("POST", "/threads"):
        await evening.published()
        await evening.join(*EIGHT[:4])
        await harness.advance(63 * MINUTE)
        return (await config(harness)).text


async def questions(harness: Harness, refused: Refused) -> str:
    """A night asks who comes."""
    evening = Evening(harness)
    await evening.published()
    await evening.join(*EIGHT[:4])
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        await harness.advance(56 * MINUTE)
        return (await config(harness)).text


async def events(harness: Harness, refused: Refused) -> str:
    with refused("POST", "/scheduled-events"):
        await Evening(harness).published(event="on")
        await harness.advance(5)
    return (await config(harness)).text


async def boards(harness: Harness, refused: Refused) -> str:
    """The message of a table that changes."""
    table = await hunting(harness)
    with refused("PATCH", f"/channels/{table.message().channel_id}/messages"):
        await table.press(BRUNO, "kems")
        await harness.advance(30)
        return (await config(harness)).text


async def log(harness: Harness, refused: Refused) -> str:
    channel_id = await chosen(harness)
    with refused("POST", f"/channels/{channel_id}/messages"):
        await harness[LEA].ask("kems-admin ban", member=harness[CHLOE].actor)
        await harness.advance(10)
        return (await config(harness)).text


async def winner(harness: Harness, refused: Refused) -> str:
    """The winners of a night are to have a role."""
    role, evening = harness.guild.create_role("Vainqueur"), Evening(harness)
    await harness[LEA].click("k1:0:config_more", await config(harness))
    await pick(harness, "winner", role)
    await evening.published(rounds="1")
    await evening.join(*PEOPLE)
    await harness.advance(60 * MINUTE + 20)
    with refused("PUT", f"/roles/{role.id}"):
        await evening.enter(1, "10-0")
        await harness.advance(3 * MINUTE)
        return (await config(harness)).text


UNASKED: dict[str, Scene] = {scene.__name__: scene for scene in (threads, questions, events, boards, log, winner)}

GATE = {("start", code) for code in (20016, 999_999)} | {
    (name, 200000) for name in ("start", "play", "publish", "move", "shuffle", "questions", "boards")
}
CASES = [
    pytest.param(name, code, id=f"{name}-{code}", marks=[] if (name, code) in GATE else [pytest.mark.long])
    for name in ASKED | UNASKED
    for code in REFUSALS
]


@pytest.mark.kems(table_threads=True)
@pytest.mark.parametrize(("name", "code"), CASES)
async def test_a_refusal_of_discord_is_told_to_the_player(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, name: str, code: int
) -> None:
    error = REFUSALS[code]
    with capture_logs() as logs:
        told = await (ASKED | UNASKED)[name](harness, partial(refuse, monkeypatch, answer=error))
    told = told.replace("\u00a0", " ").replace("\u202f", " ")
    assert is_true(told, error), told
    noted = [line for line in logs if line.get("code") == code]
    assert noted or name in UNASKED, logs
    assert any(line["log_level"] in ("warning", "info") for line in noted), logs


async def test_a_refusal_is_told_no_more_once_discord_accepts_the_table(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refuse(monkeypatch, "POST", f"/channels/{harness.channel.id}/messages", BLOCKED):
        assert "AutoMod" in await harness[LEA].ask("kems start")
        assert "AutoMod" in (await config(harness)).text
    await harness.advance(30)
    (table,) = harness.posted()
    assert "AutoMod" not in str(table)
    assert "AutoMod" not in (await config(harness)).text


async def test_a_page_of_the_shield_before_discord_is_no_refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It carries no JSON: nobody reads HTML."""
    async with kems(tmp_path) as harness:
        page = BackendError(403, 0, "<!DOCTYPE html><title>Access denied | error code 1015</title>")
        with refuse(monkeypatch, "POST", f"/channels/{harness.channel.id}/messages", page):
            told = await harness[LEA].ask("kems start")
        assert "Discord ne répond pas" in told
        assert "1015" not in told
        await harness.advance(60)
        assert len(harness.posted()) == 1
