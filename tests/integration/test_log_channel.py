"""A server's log channel: what managers and hosts did to others, a line each, without pings."""

from bot.store.engine.database import Database
from bot.tables.hub import ModerationDone
from tests.integration.evening import Evening, part_id
from tests.integration.harness import BRUNO, CHLOE, LEA, Harness, Seen
from tests.integration.mishaps import forbid
from tests.integration.seasons import past
from tests.integration.simcord_patches import as_bot
from tests.integration.table import lobby, void
from tests.integration.test_config import opened, panel
from tests.integration.test_mentions import messages, whom


async def chosen(harness: Harness) -> int:
    """The id of the channel that a manager has chosen for the log."""
    log = harness.guild.create_text_channel("journal")
    seen = await opened(harness)
    await harness[LEA].click("k1:0:config_more", seen)
    assert "❌" not in panel(harness).text
    await harness[LEA].choose("k1:0:config:log", log)
    assert f"✅ <#{log.id}> — journal" in panel(harness).text
    return log.id


async def lines(harness: Harness, log: int) -> list[str]:
    """What the log says by now; its messages ping nobody."""
    for _ in range(2):
        await harness.advance(5)
    posted: list[Seen] = harness[LEA].messages(log)
    assert not any(whom(message) for path, message in messages(harness) if str(log) in path)
    return [line for seen in posted for line in seen.text.splitlines()]


async def test_the_log_channel_reports_what_a_host_does_to_other_people(evening: Evening) -> None:
    harness = evening.harness
    log = await chosen(harness)
    await evening.begun()
    lea, bruno = evening.host.id, harness[BRUNO]
    asked = await evening.press("night_host", evening.message())
    await evening.host.choose(part_id(asked, "night_people"), bruno.actor, message=asked)
    await evening.press("night_step", evening.panel())
    await evening.enter(1, "10-4")
    dropped, entered = await lines(harness, log)
    assert dropped.startswith(f"🛠 <@{lea}> · Soirée d'essai")
    assert "retrait" in dropped
    assert "table 1 : 10 — 4" in entered.replace("\u00a0", " ")
    await evening.press("night_undo", evening.panel())
    assert (await lines(harness, log))[-1].startswith(f"↩ <@{lea}>")
    asked = await evening.press("night_host", evening.message())
    await evening.host.choose(part_id(asked, "night_people"), harness[CHLOE].actor, message=asked)
    await evening.host.submit(await evening.host.click("Pour 30 jours…", evening.panel()), "insultes")
    banned = (await lines(harness, log))[-1]
    assert banned.startswith(f"⛔ <@{lea}> a banni <@{harness[CHLOE].id}> jusqu'au <t:")
    assert banned.endswith(":D> · insultes")


async def test_removals_void_matches_and_bans_are_reported_while_the_channel_is_open(
    harness: Harness, database: Database
) -> None:
    await past(harness, database, days=1)
    log, lea = await chosen(harness), harness[LEA]
    await void(lea, 1, "dix @everyone")
    await lobby(harness, CHLOE, host=LEA)
    await lea.agree("kems table kick", member=harness[CHLOE])
    await lea.ask("kems-admin ban", member=harness[BRUNO].actor, reason="_x_\n@everyone")
    await lea.ask("kems-admin unban", member=harness[BRUNO].actor)
    annulled, removed, banned, lifted = await lines(harness, log)
    assert annulled.startswith(f"⚖️ <@{lea.id}> a annulé les parties : 1 · dix")
    assert removed.startswith(f"🚪 <@{lea.id}> a exclu <@{harness[CHLOE].id}> de la table")
    assert banned.startswith(f"⛔ <@{lea.id}> a banni <@{harness[BRUNO].id}> jusqu'au <t:")
    assert lifted == f"✅ <@{lea.id}> a débanni <@{harness[BRUNO].id}>"
    await forbid(harness, log, "send_messages")
    await lobby(harness, CHLOE, host=LEA)
    assert "ne joue plus à cette table" in await lea.agree("kems table kick", member=harness[CHLOE])
    assert len(await lines(harness, log)) == 4
    lost = (await opened(harness)).text.replace("\u00a0", " ")
    assert f"⚠️ <#{log}> · Je ne peux pas écrire dans <#{log}>" in lost
    assert "1 fois" in lost
    await lea.click("k1:0:config_more", await opened(harness))
    assert "journal : il me manque Envoyer des messages" in panel(harness).text.replace("\u00a0", " ")


async def test_a_burst_of_reports_is_one_message_and_a_stop_writes_the_pending_ones(harness: Harness) -> None:
    log = await chosen(harness)
    with as_bot(harness.env):
        for number in range(30):
            harness.bot.rooms.hub.publish(
                ModerationDone(harness.guild.id, lambda _, number=number: f"{number} {'x' * 300}")
            )
    told = await lines(harness, log)
    assert len(harness[LEA].messages(log)) == 1
    assert [line.split()[0] for line in told] == [*map(str, range(9)), "-#"]
    assert "21" in told[-1]
    await harness[LEA].ask("kems-admin ban", member=harness[BRUNO].actor, reason="dix")
    assert len(harness[LEA].messages(log)) == 1
    await harness.bot.close()
    assert len(harness[LEA].messages(log)) == 2, "what waits is written at once"
