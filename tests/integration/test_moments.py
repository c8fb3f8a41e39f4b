"""A moment of the review is played again: by who sat there, alone, live, as the seat saw it, over restarts."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from bot.base.worker_process import Priority, run_prepared
from bot.daily.attempt import MomentKey, write_key
from bot.daily.moment import prepare_moment
from bot.daily.practice_round import SILENCE_MS, PracticeRound
from bot.discord.api import responses
from bot.discord.pictures.card_faces import Faces
from bot.discord.text.texts import texts_for
from bot.game.cards import DECKS, DeckKind
from bot.store.daily import SqlSceneStore
from bot.store.engine.database import Database
from bot.store.records.history import SqlArchive
from bot.ui.daily import stage
from tests.discord.fakes import refused
from tests.integration.harness import Harness, Member
from tests.integration.mishaps import deny
from tests.integration.table import Table
from tests.integration.test_story import begun, end_round
from tests.seen import Seen
from tests.store.conftest import execute, scalars

ALL = {card.code: Faces(texts_for("fr")).label(card) for card in DECKS[DeckKind.D32]}
AGAIN = "🔁 Rejouer ce moment"
FORWARD, TRY = "📣 Défier", "▶ Faire mieux que Léa"
TOKEN = "bG9vcGJhY2s.tests.the-token-of-a-bot"

pytestmark = pytest.mark.kems(discord_token=TOKEN)


class Moment:
    """Léa's false Kem's, which has ended a match."""

    def __init__(self, table: Table) -> None:
        self.table, self.harness, self.lea = table, table.harness, table.harness["Léa"]
        self.channel_id = table.harness.channel.id

    @property
    def panel(self) -> Seen:
        return self.lea.last(ephemeral=True)

    @property
    def result(self) -> Seen:
        """The message that shows how the match ended."""
        return self.harness.posted(self.channel_id)[-1]

    async def start(self) -> int:
        """Open the review and play its moment again; when that began."""
        await self.lea.slash("kems records review")
        began = self.harness.milliseconds()
        await self.lea.click(AGAIN, self.panel)
        return began

    @property
    def id(self) -> str:
        """The custom id of the button in the review."""
        return next(c.custom_id for c in self.panel.controls if c.label == AGAIN)


async def made_moment(harness: Harness) -> Moment:
    table = await begun(harness, target=1)
    await harness.advance(12)
    await end_round(table)
    await harness.advance(3)
    return Moment(table)


@pytest.fixture
async def moment(harness: Harness) -> Moment:
    return await made_moment(harness)


async def test_only_the_seats_own_player_gets_the_hand_of_ten_seconds_before(moment: Moment) -> None:
    await moment.start()
    assert "🔁 **Manche 1, une fois encore**" in moment.panel.text
    await moment.lea.click("🔔 Kem's !", moment.panel)
    assert "Faux Kem's" in moment.panel.text
    assert "Vous annoncez, mais personne n'a de carré dans votre équipe." in moment.panel.text.replace("\u00a0", " ")
    assert "Cette fois **−1**, comme dans la partie" in moment.panel.text.replace("\u00a0", " ")
    await moment.lea.click("🔁 Encore une fois", moment.panel)
    assert "🔁 **Manche 1, une fois encore**" in moment.panel.text

    await moment.lea.slash("kems records review")
    key = moment.id.split(":")[3].rstrip("abcdefgh")
    emile = moment.harness["Émile"]
    await emile.slash("kems start")
    told = await emile.forge(moment.id, emile.last())
    assert "seuls ses joueurs en rejouent un moment" in (told or emile.told)
    # A challenge that nobody posted is none.
    await emile.forge(f"k1:0:challenge_try:{key}.0", emile.last())
    assert "Ce défi est terminé" in emile.told
    await emile.forge(f"k1:0:challenge:{key}.0", emile.last())
    assert "seuls ses joueurs" in emile.told
    await emile.forge(f"k1:0:daily_move:{key}.0:kems", emile.last())
    assert "Cet essai est terminé" in emile.told


async def test_the_panel_of_a_moment_shows_what_the_seat_sees_and_goes_on_after_a_crash(
    moment: Moment, database: Database
) -> None:
    began = await moment.start()
    match = await SqlArchive(database).read(1)
    assert match is not None
    step = int("".join(filter(str.isdigit, str(moment.panel.controls[0].custom_id).split(":")[3].split(".")[2])))
    run = PracticeRound(prepare_moment(match, MomentKey(1, 1, step, 0), began), began)
    known: set[str] = set()
    looks = 0
    while ":daily_move:" in str(moment.panel):
        run.advance(moment.harness.milliseconds())
        known |= {card.code for card in (*run.view.hand, *run.view.table.pool) if card is not None}
        shown = {code for code, label in ALL.items() if code in str(moment.panel) or label in str(moment.panel)}
        assert shown <= known
        looks += 1
        at = moment.harness.milliseconds()
        await moment.harness.advance(max(0, (run.next_at or at + 2000) - at) / 1000)
    assert looks > 3

    await moment.start()
    before = moment.panel.text
    await moment.harness.restart(crash=True)
    await moment.harness.advance(30)
    assert moment.panel.text != before, "robots go on without a press"
    await moment.harness.restart(crash=True)
    await moment.harness.advance(SILENCE_MS / 1000 + 5)
    await moment.lea.slash("kems records review")
    await moment.lea.click(AGAIN, moment.panel)
    assert "🔁 **Manche 1, une fois encore**" in moment.panel.text


async def test_other_members_try_a_challenge_once_and_then_see_what_happened(moment: Moment) -> None:
    before = moment.result
    await moment.start()
    await moment.lea.click("🔔 Kem's !", moment.panel)
    result = moment.panel
    await moment.lea.click(FORWARD, result)
    assert f"/{before.id}" in moment.lea.told, "it links to the result"
    await moment.harness.advance(1)
    post = moment.result
    assert post.id == before.id, "no message is posted for it"
    assert "🎯 Léa · encore aucun essai" in post.text
    await moment.lea.click(FORWARD, result)
    assert "Ce défi est déjà publié" in moment.lea.told

    emile = moment.harness["Émile"]
    await emile.click(TRY, post)
    assert "🔁 **Manche 1, une fois encore**" in emile.told
    assert "Faux Kem's" not in emile.told
    await moment.harness.restart(crash=True)
    await moment.harness.advance(1)
    await emile.click("🔔 Kem's !", emile.last(ephemeral=True))
    told = emile.told.replace("\u00a0", " ")
    assert "Dans la partie :\nFaux Kem's" in told
    assert "Cette fois **−1**, comme dans la partie" in told
    assert emile.last(ephemeral=True).controls == ()
    await emile.click(TRY, post)
    assert "Dans la partie :" in emile.told, "one try, and what came of it"
    assert emile.last(ephemeral=True).controls == ()
    await moment.harness.advance(2)
    assert "🎯 Léa · 1 essai\n" in moment.result.text, "who did no better is not named"


async def erase(member: Member) -> None:
    await member.slash("kems privacy delete")
    await member.click("k1:0:forget", member.last(ephemeral=True))


async def test_players_who_did_better_are_named_until_they_are_erased(moment: Moment, database: Database) -> None:
    await moment.lea.slash("kems records review")
    await moment.lea.click(FORWARD, moment.panel)
    await moment.harness.advance(1)
    (challenge,) = await SqlSceneStore(database, None).challenges(1)
    emile, post = moment.harness["Émile"], moment.result
    await emile.click(TRY, post)
    await moment.harness.advance(SILENCE_MS / 1000 + 5)
    await execute(database, "UPDATE scene_attempts SET result = reference + 2 WHERE is_posted = 0")
    bruno = moment.harness["Bruno"]
    await bruno.click(TRY, moment.result)
    await bruno.click("🔔 Kem's !", bruno.last(ephemeral=True))
    await moment.harness.advance(2)
    line = f"🎯 Léa · 2 essais · ✅ <@{emile.id}>\n"
    assert line in moment.result.text

    # Another run of the bot goes on with the line, and brings no thread or picture back that nobody asked for.
    await moment.harness.restart()
    dora = moment.harness["Dora"]
    await dora.click(TRY, moment.result)
    await dora.click("🔔 Kem's !", dora.last(ephemeral=True))
    await moment.harness.advance(5)
    assert "🎯 Léa · 3 essais" in moment.result.text
    assert moment.result.id == post.id
    assert len(moment.result.pictures) == 1

    await erase(emile)
    await moment.harness.advance(5)
    assert "🎯 Léa · 2 essais\n" in moment.result.text
    assert str(emile.id) not in str(moment.result)
    await erase(moment.lea)
    await moment.harness.advance(5)
    assert "🎯" not in moment.result.text
    await dora.forge(f"k1:0:challenge_try:{write_key(challenge.key)}", moment.result)
    assert "Ce défi est terminé" in dora.told


async def test_a_banned_member_is_not_named_for_having_done_better(moment: Moment, database: Database) -> None:
    await moment.lea.slash("kems records review")
    await moment.lea.click(FORWARD, moment.panel)
    await moment.harness.advance(1)
    for name in ("Émile", "Bruno"):
        member = moment.harness[name]
        await member.click(TRY, moment.result)
        await member.click("🔔 Kem's !", member.last(ephemeral=True))
        await execute(database, "UPDATE scene_attempts SET result = reference + 2 WHERE is_posted = 0")
        await moment.lea.slash("kems-admin ban", member=moment.harness["Émile"])
    await moment.harness.advance(2)
    assert "🎯 Léa · 2 essais\n" in moment.result.text


async def test_a_member_who_cannot_read_the_result_cannot_try(moment: Moment, database: Database) -> None:
    await moment.lea.slash("kems records review")
    await moment.lea.click(FORWARD, moment.panel)
    (challenge,) = await SqlSceneStore(database, None).challenges(1)
    hidden, emile = moment.harness.channel, moment.harness["Émile"]
    moment.harness.enter("ailleurs")
    await emile.slash("kems help")
    deny(moment.harness, emile.id, "view_channel", channel_id=hidden.id)
    await emile.forge(f"k1:0:challenge_try:{write_key(challenge.key)}", emile.last())
    assert "que vous ne voyez pas" in emile.told
    assert await scalars(database, "SELECT count(*) FROM scene_attempts") == [1]


@pytest.fixture
def behind_others(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Lets what is computed beside the bot wait for so many seconds."""

    def wait(seconds: float) -> None:
        async def waiting(priority: Priority, prepare: Callable[[], "partial[object]"]) -> object:
            await asyncio.sleep(seconds)
            return await run_prepared(priority, prepare)

        monkeypatch.setattr(stage, "run_prepared", waiting)

    return wait


async def test_a_slow_moment_uses_its_attempt_when_the_hand_appears(
    moment: Moment, behind_others: Callable[[float], None], database: Database
) -> None:
    await moment.start()
    await moment.lea.click("🔔 Kem's !", moment.panel)
    await moment.lea.click(FORWARD, moment.panel)
    await moment.harness.advance(1)
    post = moment.result
    behind_others(30)
    emile = moment.harness["Émile"]
    await emile.click(TRY, post)
    tries = await scalars(database, "SELECT user_id FROM scene_attempts")
    assert tries == [moment.lea.id], "none is used while nothing is shown"
    await moment.harness.advance(31)
    assert "🔁 **Manche 1, une fois encore**" in emile.told
    (one,) = [one for one, _ in await SqlSceneStore(database, None).unfinished()]
    assert one.started_at > moment.harness.milliseconds() - 2_000, "its ten seconds begin with the hand"
    behind_others(0)
    await emile.click("🔔 Kem's !", emile.last(ephemeral=True))
    assert "Dans la partie :" in emile.told.replace("\u00a0", " ")
    behind_others(5)
    await emile.click(TRY, post)
    await moment.harness.advance(6)
    assert "Dans la partie :" in emile.told.replace("\u00a0", " "), "what came of it is read late, too"


async def test_a_press_that_restores_a_moment_is_answered_in_time(
    moment: Moment, behind_others: Callable[[float], None]
) -> None:
    await moment.start()
    panel = moment.panel
    await moment.harness.restart(crash=True)
    behind_others(5)
    await moment.lea.click("🔔 Kem's !", panel)
    await moment.harness.advance(6)
    assert "Faux Kem's" in moment.panel.text


async def test_an_attempt_whose_hand_discord_refuses_is_not_used(
    moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await moment.start()
    await moment.lea.click("🔔 Kem's !", moment.panel)
    await moment.lea.click(FORWARD, moment.panel)
    await moment.harness.advance(1)
    post = moment.result

    async def gone(*_: object) -> None:
        raise refused(404, 10008)

    emile = moment.harness["Émile"]
    with monkeypatch.context() as patch:
        patch.setattr(responses, "edit_by_token", gone)
        await emile.click(TRY, post)
    await moment.harness.advance(SILENCE_MS / 1000 + 5)
    await emile.click(TRY, post)
    assert "🔁 **Manche 1, une fois encore**" in emile.told
