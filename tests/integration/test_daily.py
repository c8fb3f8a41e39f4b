"""The deal of the day in the simulated Discord: two people, a restart in mid-scene, a day later, posts and boards.

Solutions are those of a robot, pressed at its instants; the secret that draws the scenes is the same each time.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.base.errors import StoreError
from bot.base.times import DAY_MS, HOUR_MS
from bot.daily.attempt import Attempt
from bot.daily.day import SCENES, day_of, hour_at, scene_of
from bot.daily.practice_round import SILENCE_MS, PracticeRound, TimedAction, write_moves
from bot.discord.messages import ephemeral_message
from bot.discord.pictures.card_faces import Faces
from bot.discord.rate_limits.throttling import Urgency
from bot.discord.text.texts import texts_for
from bot.game import actions as a
from bot.game.cards import DECKS, DeckKind
from bot.store.daily import SqlSceneStore
from bot.store.engine.database import Database
from bot.tables.cluster import Shard
from bot.ui.daily.live_scenes import LiveScene, LiveScenes
from bot.ui.daily.stage import Stage
from bot.ui.daily_post import feature as daily_post
from tests.daily.solver import solution
from tests.discord.fakes import refused
from tests.integration.harness import BRUNO, EVERYBODY, LEA, Harness, Seen
from tests.integration.mishaps import posted
from tests.integration.table import kems

EMILE = EVERYBODY[4]
WRONG = "kems"
SECRET = bytes(range(32))
MISSED = f"0/{SCENES} · 0:00 · {'🟥' * SCENES}"
ALL = {card.code: Faces(texts_for("fr")).label(card) for card in DECKS[DeckKind.D32]}
TOKEN = "bG9vcGJhY2s.tests.the-token-of-a-bot"


@pytest.fixture(autouse=True)
def _on_the_hour(_at_leisure: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the bot posts is due at an hour of the day."""
    monkeypatch.setattr(daily_post, "HOUR_MS", HOUR_MS)


@pytest.fixture
async def harness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Harness]:
    monkeypatch.setattr("bot.store.daily.secrets", SimpleNamespace(token_hex=lambda _bytes: SECRET.hex()))
    async with kems(tmp_path, discord_token=TOKEN) as harness:
        yield harness


class Player:
    """Plays a day by the secret that draws its scenes."""

    def __init__(self, harness: Harness, name: str) -> None:
        self.harness, self.member = harness, harness[name]

    @property
    def panel(self) -> Seen:
        return self.member.last(ephemeral=True)

    async def start(self, number: int) -> tuple[str, PracticeRound]:
        """Start a scene; what its ids begin with, and the scene."""
        began = self.harness.milliseconds()
        await self.member.click(f"k1:0:daily_start:{day_of(began).toordinal()}.{number}", self.panel)
        scene = scene_of(SECRET, day_of(began), self.member.id, number)
        return f"k1:0:daily_move:{day_of(began).toordinal()}.{number}", PracticeRound(scene, began)

    async def solve(self, number: int, *, restart_after: int = -1) -> int:
        """Start a scene and solve it as a robot does; the time that it took."""
        prefix, run = await self.start(number)
        moves = solution(run.start, run.began)
        for count, move in enumerate(moves):
            await self.harness.advance((move.at - self.harness.milliseconds()) / 1000)
            if count == restart_after:
                await self.harness.restart(crash=True)
            match move.action:
                case a.PutDown(card=card) | a.Take(card=card):
                    verb = f"{'put' if isinstance(move.action, a.PutDown) else 'take'}:{card.code}"
                    await self.member.forge(f"{prefix}:{verb}", self.panel)  # a robot can be quicker than an edit
                    continue
                case a.CounterPlayer(target=target):
                    verb = f"counter_at:{target}"
                case a.CallKems():
                    verb = "kems"
                case a.AskSweep():
                    verb = "sweep"
                case a.AnswerSweep():
                    verb = "yes"
            await self.member.click(f"{prefix}:{verb}", self.panel)
        return moves[-1].at - run.began

    async def miss(self, number: int) -> None:
        prefix, _ = await self.start(number)
        await self.member.click(f"{prefix}:{WRONG}", self.panel)


@pytest.fixture
def lea(harness: Harness) -> Player:
    return Player(harness, LEA)


async def test_two_people_play_a_day_over_a_restart_and_post_it(harness: Harness, lea: Player) -> None:
    bruno = Player(harness, BRUNO)
    await lea.member.slash("kems daily")
    last = SCENES - 1
    times = [*[await lea.solve(number) for number in range(last)], await lea.solve(last, restart_after=2)]
    seconds = sum(times) // 1000
    line = f"Léa {SCENES}/{SCENES} · {seconds // 60}:{seconds % 60:02} · {'🟩' * SCENES} · 🔥 1 jour"
    assert line.removeprefix("Léa") in lea.panel.text
    share = lea.panel
    await lea.member.click("📣 Publier", share)
    await harness.restart(crash=True)
    await lea.member.slash("kems daily")
    await lea.member.forge(f"k1:0:daily_share:{day_of(harness.milliseconds()).toordinal()}", lea.panel)
    (post,) = harness.posted()
    assert "📣 Publier" not in str(lea.panel)
    assert f"📅 Kem's du 14 oct. · {line}" in post.text
    assert "Léa" not in harness[BRUNO].told

    await bruno.member.click("▶ Jouer la mienne", post)
    await bruno.miss(0)
    assert "🟥 Guettez le signe · raté\nFaux Kem's\n" in bruno.panel.text
    await bruno.solve(1)
    assert "Faux" not in bruno.panel.text
    for number in range(2, SCENES):
        await bruno.miss(number)
    assert f"1/{SCENES}" in bruno.panel.text
    assert f"🟥🟩{'🟥' * (SCENES - 2)} · 🔥 1 jour · 2e sur 2 ici" in bruno.panel.text
    await bruno.member.click("🏆 Classement", bruno.panel)
    assert f"1. <@{lea.member.id}> · {SCENES}/{SCENES}" in bruno.panel.text
    assert f"2. <@{bruno.member.id}> · 1/{SCENES}" in bruno.panel.text

    await harness.advance(DAY_MS / 1000)
    await lea.member.slash("kems daily")
    for number in range(SCENES):
        await lea.miss(number)
    assert f"{MISSED} · 🔥 2 jours" in lea.panel.text
    await lea.member.click("🏆 Classement", lea.panel)
    await lea.member.click("Cette semaine", lea.panel)
    assert f"1. <@{lea.member.id}> · {SCENES}/{7 * SCENES}" in lea.panel.text
    await lea.member.ask("kems privacy boards", shown=False)
    await bruno.member.slash("kems daily")
    await bruno.member.click("🏆 Classement", bruno.panel)
    await bruno.member.click("Cette semaine", bruno.panel)
    assert str(lea.member.id) not in bruno.panel.text


@pytest.mark.parametrize("scenes", [1, pytest.param(SCENES, marks=pytest.mark.long)])
async def test_a_scene_shows_what_the_seat_has_seen_and_nothing_else(
    harness: Harness, lea: Player, scenes: int
) -> None:
    """Every look of the panel of each scene while robots play it to its end."""
    await lea.member.slash("kems daily")
    for number in range(scenes):
        prefix, run = await lea.start(number)
        known: set[str] = set()
        looks = set()
        while f"{prefix}:kems" in str(lea.panel):
            run.advance(harness.milliseconds())
            view = run.match.view(0)
            known |= {card.code for card in (*view.hand, *view.table.pool) if card is not None}
            shown = {code for code, label in ALL.items() if code in str(lea.panel) or label in str(lea.panel)}
            assert shown <= known
            looks.add(frozenset(shown))
            at = harness.milliseconds()
            await harness.advance(max(0, (run.next_at or at + 2000) - at) / 1000)
        assert len(looks) > 5
        assert len(known) < len(ALL)
        run.advance(run.began + SILENCE_MS)
        after = lea.panel.text.rpartition(" · raté\n")[2]
        assert run.is_over != after.startswith(("**", "-#")), "what ended it stands there"
    assert scenes < SCENES or MISSED in lea.panel.text


async def test_a_scene_resumes_after_a_restart_and_ends_when_it_is_abandoned(harness: Harness, lea: Player) -> None:
    await lea.member.slash("kems daily")
    await lea.start(0)
    before = lea.panel.text
    await harness.restart(crash=True)
    await harness.advance(20)
    assert lea.panel.text != before, "gestures and cards appear without a press"
    await harness.restart(crash=True)
    await harness.advance(SILENCE_MS / 1000)
    await lea.member.slash("kems daily")
    assert "🟥⬜⬜" in lea.panel.text


async def test_a_scene_that_cannot_be_restored_delays_no_other_and_is_retried(
    harness: Harness, lea: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    players, start, failing = (lea, Player(harness, BRUNO)), Stage.round_start, [lea.member.id]
    for player in players:
        await player.member.slash("kems daily")
        await player.start(0)

    async def started(stage: Stage, one: Attempt, *now: Any) -> Any:
        if one.user_id in failing:
            raise StoreError("The disk is full.")
        return await start(stage, one, *now)

    monkeypatch.setattr(Stage, "round_start", started)
    before = [player.panel.text for player in players]
    await harness.restart(crash=True)
    await harness.advance(20)
    assert [player.panel.text == text for player, text in zip(players, before, strict=True)] == [True, False]
    failing.clear()
    await harness.advance(20)
    assert lea.panel.text != before[0]


async def test_an_old_copy_of_an_attempt_does_not_end_it_in_another_process(
    harness: Harness, lea: Player, database: Database
) -> None:
    await lea.member.slash("kems daily")
    await lea.start(0)
    store, day = SqlSceneStore(database, None), day_of(harness.milliseconds())
    (one,) = await store.attempts(lea.member.id, day)
    await harness.advance(60)
    assert await store.save(replace(one, pressed_at=harness.milliseconds()), since=one.pressed_at)
    await harness.advance(SILENCE_MS / 1000 - 30)
    (kept,) = await store.attempts(lea.member.id, day)
    assert not kept.is_over


async def test_a_shard_that_is_acquired_again_restores_no_old_copy(
    harness: Harness, lea: Player, database: Database
) -> None:
    """Another process has saved a press meanwhile that was made no later than the last one here."""
    await lea.member.slash("kems daily")
    prefix, run = await lea.start(0)
    card = run.match.view(0).hand[0]
    assert f"{prefix}:put:{card.code}" in str(lea.panel)
    store, day = SqlSceneStore(database, None), day_of(harness.milliseconds())
    (one,) = await store.attempts(lea.member.id, day)
    moved = write_moves([TimedAction(one.pressed_at, a.PutDown(run.start.seat, card))])
    assert await store.save(replace(one, moves=moved))
    with harness.env._bot_scope():  # what begins here goes by the bot's clock
        await harness.bot.keeper.restore(Shard(0, 1))
    await harness.advance(1)
    assert f"{prefix}:put:{card.code}" not in str(lea.panel)


@pytest.mark.parametrize("seconds", [6, 8])
async def test_a_scene_is_not_missed_when_discord_does_not_know_its_token_yet(
    harness: Harness, lea: Player, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    edit, refusals = ephemeral_message.edit_by_token, [refused(404, 10015)]

    async def unknown_once(*reached: Any) -> None:
        if refusals:
            raise refusals.pop()
        await edit(*reached)

    await lea.member.slash("kems daily")
    prefix, _ = await lea.start(0)
    monkeypatch.setattr(ephemeral_message, "edit_by_token", unknown_once)
    await harness.advance(seconds)
    assert not refusals
    await lea.member.slash("kems daily")
    assert f"{prefix}:kems" in str(lea.panel)


async def test_a_dismissed_panel_misses_its_scene(
    harness: Harness, lea: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: object) -> None:
        raise refused(404, 10008)

    await lea.member.slash("kems daily")
    await lea.start(0)
    monkeypatch.setattr(ephemeral_message, "edit_by_token", gone)
    await harness.advance(10)
    await lea.member.slash("kems daily")
    assert "🟥⬜⬜" in lea.panel.text


async def test_a_scene_opened_again_has_one_panel_that_survives_a_restart(harness: Harness, lea: Player) -> None:
    await lea.member.slash("kems daily")
    prefix, _ = await lea.start(0)
    former = lea.panel
    await harness.advance(2)
    await lea.member.slash("kems daily")
    assert f"{prefix}:kems" in str(lea.panel)
    assert former.id not in [one.id for one in lea.member.messages()]
    await harness.restart(crash=True)
    before = lea.panel.text
    await harness.advance(20)
    assert lea.panel.text != before
    assert f"{prefix}:kems" in str(lea.panel)
    await lea.member.click(f"{prefix}:kems", lea.panel)
    await lea.member.slash("kems daily")
    assert "⬜" * SCENES not in lea.panel.text, "it was played to its end there"


async def test_pressing_start_twice_keeps_the_panel(harness: Harness, lea: Player) -> None:
    await lea.member.slash("kems daily")
    prefix, run = await lea.start(0)
    await lea.member.forge(f"k1:0:daily_start:{day_of(run.began).toordinal()}.0", lea.panel)
    await harness.advance(1)
    assert f"{prefix}:kems" in str(lea.panel)


async def test_no_scene_is_shown_when_its_press_could_not_be_answered(
    harness: Harness, lea: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord refuses such an edit, as if the panel were dismissed."""
    saved = LiveScenes._save

    async def slowly(scenes: LiveScenes, live: LiveScene, *rest: Any) -> bool:
        live.writer.request_update(Urgency.RESULT)
        for _ in range(100):
            await asyncio.sleep(0)
        return await saved(scenes, live, *rest)

    await lea.member.slash("kems daily")
    prefix, run = await lea.start(0)
    monkeypatch.setattr(LiveScenes, "_save", slowly)
    await harness.advance(2)
    await lea.member.click(f"{prefix}:put:{run.match.view(0).hand[0].code}", lea.panel)
    await lea.member.slash("kems daily")
    assert f"{prefix}:kems" in str(lea.panel)


async def test_a_scene_that_ends_after_midnight_belongs_to_its_day(harness: Harness, lea: Player) -> None:
    await lea.member.slash("kems daily")
    for number in range(SCENES - 1):
        await lea.miss(number)
    midnight = hour_at(day_of(harness.milliseconds()) + timedelta(1), 0)
    await harness.advance((midnight - harness.milliseconds()) / 1000 - 2)
    prefix, _ = await lea.start(SCENES - 1)
    await harness.advance(4)
    await lea.member.click(f"{prefix}:{WRONG}", lea.panel)
    assert f"📅 Kem's du 14 oct. · vous {MISSED}" in lea.panel.text
    await lea.member.click("📣 Publier", lea.panel)
    (post,) = harness.posted()
    assert f"📅 Kem's du 14 oct. · Léa {MISSED} · 🔥 1 jour" in post.text
    await lea.member.slash("kems daily")
    assert "▶ Scène 1" in str(lea.panel)


async def test_at_midnight_the_next_day_can_be_begun_at_once(harness: Harness, lea: Player) -> None:
    await lea.member.slash("kems daily")
    midnight = hour_at(day_of(harness.milliseconds()) + timedelta(1), 0)
    await harness.advance((midnight - harness.milliseconds()) / 1000 - 2)
    before, _ = await lea.start(0)
    former = lea.panel
    await harness.advance(4)
    await lea.member.slash("kems daily")
    prefix, _ = await lea.start(0)
    assert f"{prefix}:kems" in str(lea.panel)
    await lea.member.click(f"{before}:kems", former)
    assert "📅 Kem's du 14 oct.\n🟥⬜⬜" in next(one.text for one in lea.member.messages() if one.id == former.id)
    assert f"{prefix}:kems" in str(lea.panel)
    await harness.advance(SILENCE_MS / 1000 - 10)
    assert f"{prefix}:kems" in str(lea.panel), "the former scene ends nothing here"


async def test_a_day_without_attempts_cannot_be_posted(harness: Harness, lea: Player) -> None:
    await lea.member.slash("kems daily")
    today = day_of(harness.milliseconds()).toordinal()
    for day in (today - 1, today):
        told = await lea.member.forge(f"k1:0:daily_share:{day}", lea.panel)
        assert "pas marché" not in told
        assert "problème" not in told
    assert harness.posted() == []


async def test_a_member_is_on_no_board_of_the_day_when_they_are_banned(harness: Harness, lea: Player) -> None:
    bruno = Player(harness, BRUNO)
    await bruno.member.slash("kems daily")
    await bruno.miss(0)
    await lea.member.ask("kems-admin ban", member=bruno.member.actor)
    await bruno.miss(1)
    assert "🟥🟥⬜" in bruno.panel.text, "whoever is banned plays on"
    await lea.member.slash("kems daily")
    await lea.miss(0)
    await lea.member.forge("k1:0:daily_board:day", lea.panel)
    assert str(lea.member.id) in str(lea.panel)
    assert str(bruno.member.id) not in str(lea.panel)


@pytest.mark.parametrize("status", [403, 503])
async def test_a_day_can_be_posted_again_when_discord_refused_it(
    harness: Harness, lea: Player, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """After 503 it may stand there, and a second one would be one too many."""

    send: Any = discord.Webhook.send

    async def refuse(webhook: discord.Webhook, *words: str, **how: Any) -> None:
        if not how.get("ephemeral"):
            raise refused(status)
        await send(webhook, *words, **how)

    await lea.member.slash("kems daily")
    for number in range(SCENES):
        await lea.miss(number)
    with monkeypatch.context() as patch:
        patch.setattr(discord.Webhook, "send", refuse)
        await lea.member.click("📣 Publier", lea.panel)
    assert ("Discord refuse" if status == 403 else "Discord ne répond pas") in lea.panel.text
    await lea.member.slash("kems daily")
    assert ("📣 Publier" in str(lea.panel)) is (status == 403)
    await lea.member.forge(f"k1:0:daily_share:{day_of(harness.milliseconds()).toordinal()}", lea.panel)
    assert len(harness.posted()) == (status == 403)


async def test_a_day_is_not_posted_when_its_player_may_not_write_there(harness: Harness) -> None:
    harness.enter("annonces", EMILE, send_messages=False)
    emile = Player(harness, EMILE)
    await emile.member.slash("kems daily")
    for number in range(SCENES):
        await emile.miss(number)
    mine = emile.panel
    await emile.member.click("📣 Publier", mine)
    assert emile.member.told.startswith("Vous ne pouvez pas écrire dans <#")
    assert posted(harness, harness.channel.id) == []
    harness.enter("salon")
    await emile.member.slash("kems daily")
    await emile.member.click("📣 Publier")
    assert "Émile" in posted(harness, harness.channel.id)[-1].text, "it can still be posted elsewhere"


async def test_an_attempt_is_used_by_its_first_press(harness: Harness, lea: Player) -> None:
    await lea.member.slash("kems daily")
    prefix, run = await lea.start(0)
    panel = lea.panel
    start = f"k1:0:daily_start:{day_of(run.began).toordinal()}.0"
    await lea.member.forge(start, panel)
    assert f"{prefix}:kems" in str(lea.panel), "it is shown, and does not begin again"
    await lea.member.slash("kems daily")
    assert f"{prefix}:kems" in str(lea.panel)
    await lea.member.click(f"{prefix}:kems", lea.panel)
    for forged in (
        start,
        start[:-1] + "2",
        f"{prefix}:kems",
        "k1:0:daily_start:9.9",
        "k1:0:daily_move:9999999999.0:kems",
        f"{prefix}:rematch",
        f"{prefix}x",
    ):
        await lea.member.forge(forged, lea.panel)
    await lea.member.slash("kems daily")
    assert "🟥⬜⬜" in lea.panel.text


async def test_the_silent_daily_post_is_off_by_default_and_comes_once_a_day(harness: Harness, lea: Player) -> None:
    bot = harness.bot
    bot.keeper.of_leader[-1].start()
    await harness.advance(DAY_MS / 1000)
    assert harness.posted() == []
    told = await lea.member.ask("kems-admin daily", hour=18)
    assert "sans notification" in told
    await harness.advance(2 * DAY_MS / 1000)
    posts = [post for post in harness.posted() if "▶ Jouer la mienne" in str(post)]
    assert len(posts) == 2
    await lea.member.ask("kems-admin daily")
    await harness.advance(2 * DAY_MS / 1000)
    assert len(harness.posted()) == 2


@pytest.mark.parametrize("fault", ["refuses", "lets wait"])
async def test_the_silent_daily_post_comes_although_discord_fails_once(
    fault: str, harness: Harness, lea: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.bot.keeper.of_leader[-1].start()
    await lea.member.ask("kems-admin daily", hour=18)
    send, tries = discord.abc.Messageable.send, list[object]()

    async def once(channel: Any, **sent: Any) -> Any:
        tries.append(channel)
        if len(tries) == 1 and fault == "refuses":
            raise refused(500, 0)
        if len(tries) == 1:
            await asyncio.sleep(7 * DAY_MS / 1000)
        return await send(channel, **sent)

    monkeypatch.setattr(discord.abc.Messageable, "send", once)
    await harness.advance(DAY_MS / 1000)
    assert (len(tries), len(harness.posted())) == (2, 1)
