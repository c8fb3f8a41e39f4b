"""Whatever Discord refuses of what the bot does: whoever asked reads why, else the settings and the log say it.

Nothing is said to be done that is not, and nothing stands that Discord has refused.
"""

import re
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from simcord.backend.errors import BackendError
from structlog.testing import capture_logs

from bot.daily.day import SCENES, day_of
from bot.store.engine.database import Database
from tests.integration.evening import EIGHT, MINUTE, Evening, part_id
from tests.integration.harness import BRUNO, CHLOE, DORA, LEA, PEOPLE, Harness
from tests.integration.mishaps import posted, refuse
from tests.integration.seasons import Server
from tests.integration.simcord_patches import as_bot
from tests.integration.table import hunting, kems, lobby
from tests.integration.test_config import opened as config
from tests.integration.test_config import pick
from tests.integration.test_log_channel import chosen
from tests.integration.test_match_ends import ended
from tests.integration.test_moments import FORWARD, made_moment
from tests.integration.test_people import busy, owing
from tests.integration.test_players_role import CALL_ME, Club
from tests.integration.test_replays import share

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
_NOT_ALLOWED = r"ne peux pas (écrire|ouvrir de fils)|manque cette permission|le droit de montrer"
OUR_WORDS = {
    50001: _NOT_ALLOWED + r"|Le rôle n'existe plus",
    50013: _NOT_ALLOWED + r"|Gérer les rôles",
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
_DONE = re.compile(
    r"✅ La soirée|est sur le résultat|est annoncée|Votre partie commence|La table est maintenant|Invités? :|est lancée"
)


@dataclass(frozen=True, slots=True)
class Refused:
    """What Discord refuses in a scene: requests of a method whose path holds a part."""

    error: BackendError
    monkeypatch: pytest.MonkeyPatch
    database: Database

    def __call__(self, method: str, part: str) -> AbstractContextManager[None]:
        return refuse(self.monkeypatch, method, part, self.error)


Scene = Callable[[Harness, Refused], Awaitable[str]]


def is_true(told: str, error: BackendError) -> bool:
    """Whether a line says why, in our words or in Discord's own, which are escaped and mention nobody."""
    assert "@everyone" not in told, told
    assert "<@1>" not in told, told
    assert not _DONE.search(told), told
    said = f"({error.code})" in told and "Discord refuse" in told
    return said or re.search(OUR_WORDS.get(error.code, "never"), told, re.IGNORECASE) is not None


async def warnings(harness: Harness) -> str:
    """What the settings say is wrong."""
    return "\n".join(line for line in (await config(harness)).text.splitlines() if "⚠️" in line)


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


async def event_again(harness: Harness, refused: Refused) -> str:
    """An event that stands no more is asked for once again."""
    evening = Evening(harness)
    with refused("POST", "/scheduled-events"):
        await evening.published(event="on")
        await harness.advance(5)
        shown = await evening.press("night_host", evening.message())
        await evening.host.click(part_id(shown, "night_event"), shown)
        return evening.panel().text


async def event_moved(harness: Harness, refused: Refused) -> str:
    evening = Evening(harness)
    await evening.published(event="on")
    await harness.advance(5)
    with refused("PATCH", "/scheduled-events"):
        await evening.edit("dimanche 21h")
        await harness.advance(5)
    return (await evening.press("night_host", evening.message())).text


async def event_stays(harness: Harness, refused: Refused) -> str:
    """That of a night that is cancelled."""
    evening = Evening(harness)
    await evening.published(event="on")
    await harness.advance(5)
    with refused("DELETE", "/scheduled-events"):
        number = evening.night().id
        await evening.cancel("Annuler la soirée…")
        await harness.advance(5)
        return await evening.host.ask("kems-admin night host", night=number)


async def move_to_thread(harness: Harness, refused: Refused) -> str:
    """Where its thread is refused it is played in the channel, where all read why."""
    await lobby(harness, host=LEA)
    harness.enter("ailleurs")
    with refused("POST", "/threads"):
        await harness[LEA].slash("kems table move", thread=True)
        await harness.advance(5)
    return " ".join(seen.text for seen in posted(harness, harness.channel.id))


async def call_me(harness: Harness, refused: Refused) -> str:
    club = Club(harness)
    await club.choose()
    await club.open()
    await harness[BRUNO].slash("kems play")
    with refused("PUT", f"/roles/{club.role.id}"):
        told = await harness[BRUNO].press(CALL_ME)
    assert not club.has_role(BRUNO)
    return told


async def share_day(harness: Harness, refused: Refused) -> str:
    await harness[LEA].slash("kems daily")
    day = day_of(harness.milliseconds()).toordinal()
    for number in range(SCENES):
        for move in (f"daily_start:{day}.{number}", f"daily_move:{day}.{number}:kems"):
            await harness[LEA].forge(f"k1:0:{move}", harness[LEA].last(ephemeral=True))
    with refused("POST", "/webhooks/"):
        told = await harness[LEA].press("📣 Publier")
    assert harness.posted() == []
    assert "📣 Publier" in str(harness[LEA].last(ephemeral=True)), "it may be tried again"
    return told


async def share_round(harness: Harness, refused: Refused) -> str:
    await ended(harness)
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        return await share(harness, LEA)


ASKED: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        start, play, practise, panel, move, move_to_thread, invite, call_me, begin, shuffle, share_round,
        share_day, publish, replan, letter, event, event_again, event_moved,
        event_stays,
    )
}  # fmt: skip

# ------------------------------------------------------------------ nobody asked


async def threads(harness: Harness, refused: Refused) -> str:
    """A night that begins has no thread for its tables."""
    evening = Evening(harness)
    with refused("POST", "/threads"):
        await evening.published()
        await evening.join(*EIGHT[:4])
        await harness.advance(63 * MINUTE)
        return await warnings(harness)


async def questions(harness: Harness, refused: Refused) -> str:
    """A night asks who comes."""
    evening = Evening(harness)
    await evening.published()
    await evening.join(*EIGHT[:4])
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        await harness.advance(56 * MINUTE)
        return await warnings(harness)


async def events(harness: Harness, refused: Refused) -> str:
    with refused("POST", "/scheduled-events"):
        await Evening(harness).published(event="on")
        await harness.advance(5)
    return await warnings(harness)


async def boards(harness: Harness, refused: Refused) -> str:
    """The message of a table that changes."""
    table = await hunting(harness)
    with refused("PATCH", f"/channels/{table.message().channel_id}/messages"):
        await table.press(BRUNO, "kems")
        await harness.advance(30)
        return await warnings(harness)


async def log(harness: Harness, refused: Refused) -> str:
    channel_id = await chosen(harness)
    with refused("POST", f"/channels/{channel_id}/messages"):
        await harness[LEA].ask("kems-admin ban", member=harness[CHLOE].actor)
        await harness.advance(10)
        return await warnings(harness)


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
        return await warnings(harness)


async def mentions(harness: Harness, refused: Refused) -> str:
    """A night that begins cannot call its people to their tables."""
    evening = Evening(harness)
    await evening.published()
    await evening.join(*EIGHT[:4])
    await harness.advance(59 * MINUTE)
    with refused("POST", "/messages"):
        await harness.advance(5 * MINUTE)
        return await warnings(harness)


async def reminder(harness: Harness, refused: Refused) -> str:
    """Who is missed at a table is called."""
    table = await owing(harness, CHLOE)
    with refused("POST", f"/channels/{table.message().channel_id}/messages"):
        await busy(table, LEA, BRUNO, DORA, seconds=95)
        return await warnings(harness)


async def challenge(harness: Harness, refused: Refused) -> str:
    """A moment that its player puts forward comes to the result."""
    moment = await made_moment(harness)
    await moment.start()
    await moment.lea.click("🔔 Kem's !", moment.panel)
    with refused("PATCH", f"/channels/{harness.channel.id}/messages"):
        await moment.lea.click(FORWARD, moment.panel)
        await harness.advance(5)
    return f"{moment.lea.told} {await warnings(harness)}"


async def podium(harness: Harness, refused: Refused) -> str:
    here = await server(harness, refused)
    with refused("POST", f"/channels/{here.channel.id}/messages"):
        await here.month_of(LEA, CHLOE)
        return await warnings(harness)


async def champion(harness: Harness, refused: Refused) -> str:
    here = await server(harness, refused)
    with refused("PUT", f"/roles/{here.role.id}"):
        await here.month_of(LEA, CHLOE)
        return await warnings(harness)


async def daily_post(harness: Harness, refused: Refused) -> str:
    today = {"daily_channel": harness.channel.id, "daily_hour": 0, "daily_posted_day": 0}
    with refused("POST", f"/channels/{harness.channel.id}/messages"):
        with as_bot(harness.env):
            servers = harness.bot.rooms.store.servers
            await servers.change(harness.guild.id, lambda before: replace(before, **today))
        await harness.advance(10)
        return await warnings(harness)


async def server(harness: Harness, refused: Refused) -> Server:
    """With a channel for podiums, and a role for champions."""
    made = Server(harness, refused.database)
    await made.chooses(podium_channel=made.channel.id, champion_role=made.role.id)
    return made


UNASKED: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        threads, mentions, questions, events, boards, challenge, reminder, log, winner, podium, champion, daily_post,
    )
}  # fmt: skip

GATE = {("start", code) for code in (20016, 999_999)} | {
    (name, 200000) for name in ("start", "play", "publish", "move", "shuffle", "questions", "boards")
}
CASES = [
    pytest.param(name, code, id=f"{name}-{code}", marks=[] if (name, code) in GATE else [pytest.mark.long])
    for name in ASKED | UNASKED
    for code in REFUSALS
]


@pytest.mark.kems(table_threads=True, afk_seconds=90)
@pytest.mark.parametrize(("name", "code"), CASES)
async def test_a_refusal_of_discord_is_told_to_the_player(
    harness: Harness, database: Database, monkeypatch: pytest.MonkeyPatch, name: str, code: int
) -> None:
    error = REFUSALS[code]
    with capture_logs() as logs:
        told = await (ASKED | UNASKED)[name](harness, Refused(error, monkeypatch, database))
    told = told.replace("\u00a0", " ").replace("\u202f", " ")
    assert is_true(told, error), told
    noted = [line for line in logs if line.get("code") == code]
    assert noted or name in UNASKED, logs
    assert any(line["log_level"] in ("warning", "info") for line in noted), logs


async def test_a_refusal_is_no_longer_shown_once_discord_accepts_the_table(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refuse(monkeypatch, "POST", f"/channels/{harness.channel.id}/messages", BLOCKED):
        assert "AutoMod" in await harness[LEA].ask("kems start")
        assert "AutoMod" in (await config(harness)).text
    await harness.advance(30)
    (table,) = harness.posted()
    assert "AutoMod" not in str(table)
    assert "AutoMod" not in (await config(harness)).text


async def test_a_page_from_cloudflare_is_no_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It carries no JSON: nobody reads HTML."""
    async with kems(tmp_path) as harness:
        page = BackendError(403, 0, "<!DOCTYPE html><title>Access denied | error code 1015</title>")
        with refuse(monkeypatch, "POST", f"/channels/{harness.channel.id}/messages", page):
            told = await harness[LEA].ask("kems start")
        assert "Discord ne répond pas" in told
        assert "1015" not in told
        await harness.advance(60)
        assert len(harness.posted()) == 1
