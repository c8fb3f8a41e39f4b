"""What a server has chosen: the panel on which it is set up, the tables that are opened in it, the matches it keeps."""

from dataclasses import replace
from typing import Any

import discord
import pytest
from sqlalchemy import text

from bot.ladder.seasons import Schedule, SeasonLength
from bot.store.engine.database import Database
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.tables.servers import SqlServerStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.erasure import FIRST_MS
from bot.tables.lobby.lobby import Absence
from bot.tables.servers.settings import NOTICE_MS, ServerSettings
from tests.integration.harness import BOTH, PEOPLE, Harness, Seen
from tests.integration.seasons import record
from tests.store.counted_matches import DAY


async def opened(harness: Harness, name: str = "Léa") -> Seen:
    await harness[name].slash("kems-admin config")
    return panel(harness, name)


def panel(harness: Harness, name: str = "Léa") -> Seen:
    return next(m for m in harness[name].newest() if m.ephemeral and m.controls)


async def settings(database: Database, harness: Harness) -> ServerSettings:
    return await SqlServerStore(database).read(harness.guild.id)


async def pick(harness: Harness, field: str, *values: Any) -> None:
    await harness["Léa"].choose(id_of(panel(harness), field), *values)


def id_of(seen: Seen, field: str) -> str:
    """The custom id of a setting's control; that of several values says what they are now, too."""
    ids = (control.custom_id for control in seen.controls)
    return next(one for one in ids if f"{one}:".startswith(f"k1:0:config:{field}:"))


async def test_every_choice_is_saved_and_shown(database: Database, harness: Harness) -> None:
    here, other = harness.channel, harness.guild.create_text_channel("podium")
    role = harness.guild.create_role("Champion")
    seen = await opened(harness)
    for words in ("Kem's sur ce serveur", "Mes permissions", "gardées pour toujours"):
        assert words in seen.text
    await pick(harness, "language", "en")
    await pick(harness, "tables", here, other)
    await pick(harness, "absence", "substitute")
    await pick(harness, "afk", "180")
    await pick(harness, "podium", other)
    await pick(harness, "role", role)
    await pick(harness, "hosts", role)
    await pick(harness, "retention", "365")
    await harness["Léa"].click("k1:0:retention_now:365")
    saved = await settings(database, harness)
    assert saved.retained_until is not None
    now = harness.milliseconds()
    assert abs(saved.retained_until - now - NOTICE_MS) <= 1, "to the millisecond, however that is rounded"
    assert saved == ServerSettings(
        language="en",
        table_channels=(here.id, other.id),
        podium_channel=other.id,
        champion_role=role.id,
        absence=Absence.SUBSTITUTE,
        afk_seconds=180,
        retention_days=365,
        retained_until=saved.retained_until,
        hosts_role=role.id,
    )
    await harness.restart()  # the panel goes on
    await pick(harness, "presets", "yokai", "classic")
    await pick(harness, "seasons", "quarter")
    await harness["Léa"].click("k1:0:config:sign:on")
    setup = await SqlSeasonStore(database).setup(harness.guild.id)
    assert (setup.ranked_rules.presets, setup.ranked_rules.sign_required) == (("classic", "yokai"), True)
    assert setup.schedule == Schedule(SeasonLength.QUARTER, "Europe/Paris")
    chosen = {c.plain_id.split(":")[3]: c.chosen for c in panel(harness).controls if ":config:" in c.plain_id}
    assert chosen["absence"] == ("substitute",)
    assert chosen["presets"] == ("classic", "yokai")
    assert f"<#{here.id}>" in panel(harness).text, "the checklist is about the channels that were chosen"
    await pick(harness, "tables")
    await pick(harness, "podium")
    await pick(harness, "role")
    await pick(harness, "hosts")
    for field in ("language", "afk", "retention"):
        await pick(harness, field, "none")
    await pick(harness, "absence", "robot")
    assert await settings(database, harness) == ServerSettings()


@BOTH
async def test_a_time_zone_is_typed_in_any_spelling(harness: Harness, locale: str) -> None:
    label = {"fr": "Fuseau : {}…", "en-US": "Time zone: {}…"}[locale]
    await opened(harness)
    await harness["Léa"].submit(await harness["Léa"].click(label.format("Europe/Paris")), "montréal")
    assert panel(harness).control(label.format("America/Montreal")) is not None
    await harness["Léa"].submit(await harness["Léa"].click(label.format("America/Montreal")), "Bruxelle")
    assert "Bruxelle" in panel(harness).text
    assert "Europe/Brussels" in panel(harness).text
    assert panel(harness).control(label.format("America/Montreal")) is not None


FORGED: list[tuple[str, Any]] = [
    *(("language", values) for values in (["xx"], [], [7], "fr")),
    *(("afk", values) for values in (["-1"], ["31"])),
    *(("retention", values) for values in (["1"], ["none", "30"])),
    *(("tables", values) for values in (["1"], ["x"])),
    *(("absence", ["sulk"]), ("podium", ["1"]), ("role", ["1"])),
    *(("presets", ["classic", "quidditch"]), ("seasons", ["fortnight"])),
]


async def test_forged_choices_change_nothing(database: Database, harness: Harness) -> None:
    seen = await opened(harness)
    for field, values in FORGED:
        answer = await harness["Léa"].forge(id_of(seen, field), seen, values=values)
        assert "Ce choix n'est plus possible" in answer, (field, values)
        assert await settings(database, harness) == ServerSettings(), (field, values)


async def test_two_admins_who_choose_channels_keep_the_choices_of_both(database: Database, harness: Harness) -> None:
    here, other = harness.channel, harness.guild.create_text_channel("podium")
    seen = await opened(harness)
    asked = id_of(seen, "tables")
    await pick(harness, "tables", here)
    await harness["Léa"].forge(asked, panel(harness), component_type=8, values=[str(other.id)])
    assert "Cela a changé entre-temps" in panel(harness).text
    assert (await settings(database, harness)).table_channels == (here.id,)


async def test_the_panel_lists_the_bots_permissions_and_drops_deleted_channels(
    database: Database, harness: Harness
) -> None:
    await choose(database, harness, table_channels=(1, harness.channel.id), podium_channel=2, champion_role=3)
    seen = await opened(harness)
    assert "❌ Podium — " in seen.text
    assert "❌ Rôle du champion — " in seen.text
    await harness["Léa"].click("Oublier ce qui n'existe plus")
    assert await settings(database, harness) == ServerSettings(table_channels=(harness.channel.id,))
    assert panel(harness).control("Oublier ce qui n'existe plus") is None

    forum = harness.guild.create_forum_channel("forum")
    mute = discord.PermissionOverwrite(send_messages=False, attach_files=False)
    quiet = harness.guild.create_text_channel("muet", overwrites={harness.bot.user: mute})
    await choose(database, harness, podium_channel=quiet.id)
    seen = await opened(harness)
    assert f"✅ <#{harness.channel.id}> — tables, images et fichiers, un fil par table" in seen.text
    assert f"❌ <#{quiet.id}> — podium : il me manque Envoyer des messages" in seen.text
    assert f"❌ <#{quiet.id}> — images et fichiers : il me manque Joindre des fichiers" in seen.text
    await pick(harness, "tables", forum)
    assert f"✅ <#{forum.id}> — tables, images et fichiers\n" in panel(harness).text, "its threads are there already"


async def test_a_role_that_may_not_be_given_is_refused(database: Database, harness: Harness) -> None:
    """Léa owns the server; Bruno manages it, and may give no role."""
    manager = harness.guild.create_role("Gestion", permissions=discord.Permissions(manage_guild=True))
    crown = harness.guild.create_role("Champion")
    harness.env.backend.add_member_role(harness.guild.id, harness["Bruno"].id, manager.id)
    await opened(harness, "Bruno")
    await harness["Bruno"].choose("k1:0:config:role", crown)
    assert "Vous ne pouvez pas donner" in panel(harness, "Bruno").text
    assert await settings(database, harness) == ServerSettings()
    await opened(harness)
    await pick(harness, "hosts", harness.guild.default_role)
    assert "choisissez un autre rôle" in panel(harness).text
    await pick(harness, "role", harness.guild.default_role)
    assert "ne se donne à personne" in panel(harness).text
    await pick(harness, "role", crown)
    assert (await settings(database, harness)).champion_role == crown.id
    assert f"✅ <@&{crown.id}> — je peux le donner" in panel(harness).text


async def choose(database: Database, harness: Harness, **changes: Any) -> ServerSettings:
    return await SqlServerStore(database).change(harness.guild.id, lambda before: replace(before, **changes))


@BOTH
@pytest.mark.kems(table_threads=True)
async def test_tables_are_opened_only_in_the_chosen_channels(database: Database, harness: Harness, locale: str) -> None:
    not_here, join, gone = {
        "fr": ("On n'ouvre pas de table ici : c'est par là, <#{}>.", "Rejoindre", "n'existent plus"),
        "en-US": ("No table may be opened here: go to <#{}>.", "Join", "are gone"),
    }[locale]
    played, elsewhere = harness.channel, harness.guild.create_text_channel("autre")
    await choose(database, harness, table_channels=(played.id, 1))
    harness.channel = elsewhere
    await harness["Léa"].slash("kems start")
    refused = harness["Léa"].last()
    assert refused.text == not_here.format(played.id)
    assert refused.ephemeral
    harness.channel = played
    await harness["Léa"].slash("kems start")
    assert harness["Bruno"].last().channel_id == played.id
    for name in ("Bruno", "Chloé", "Dora"):
        await harness[name].click(join)
    await harness["Léa"].click({"fr": "Commencer", "en-US": "Start"}[locale])
    await harness.advance(2.6)
    (harness.channel,) = played.threads
    await harness["Émile"].slash("kems start")
    assert harness["Chloé"].last().control(join) is not None, "a thread belongs to its channel"
    await choose(database, harness, table_channels=(1,))
    harness.channel = played
    await harness["Léa"].slash("kems start")
    assert gone in harness["Léa"].last().text


@pytest.mark.kems(lobby_minutes=1)
async def test_no_other_command_opens_a_table_outside_the_chosen_channels(database: Database, harness: Harness) -> None:
    """By the quick start, by bringing a table here, or by opening one anew that nobody started."""
    await harness["Léa"].slash("kems start")
    message = harness["Léa"].last(ephemeral=False)
    elsewhere = harness.guild.create_text_channel("ailleurs")
    await choose(database, harness, table_channels=(elsewhere.id,))
    refused = f"On n'ouvre pas de table ici : c'est par là, <#{elsewhere.id}>."
    assert await harness["Bruno"].forge("k1:0:play", message) == refused
    assert await harness["Léa"].ask("kems table move", number=1) == refused
    await harness.advance(61)
    assert await harness["Bruno"].forge("k1:1:reopen", message) == refused
    await choose(database, harness, table_channels=())
    await harness["Bruno"].forge("k1:1:reopen", message)
    assert [each.place.channel_id for each in harness.bot.rooms.directory.open_lobbies()] == [harness.channel.id]


async def test_the_servers_language_and_waiting_time_apply_unless_the_host_changes_them(
    database: Database, harness: Harness
) -> None:
    await choose(database, harness, language="en", absence=Absence.WAIT, afk_seconds=120)
    await harness["Léa"].slash("kems start")
    lobby = harness["Bruno"].last()
    assert (lobby.ephemeral, lobby.control("Join") is not None) == (False, True)
    await harness["Bruno"].slash("kems hand")
    assert "Vous n'êtes" in harness["Bruno"].last().text, "in private everybody is answered in their own"
    await harness.advance(6)
    await harness["Léa"].slash("kems start", absence="end")
    saved = [await SqlTableStore(database).load(number) for number in (1, 2)]
    chosen = [(Absence.WAIT, 120), (Absence.END, 120)]
    assert [lobby and (lobby.absence, lobby.afk_seconds) for lobby in saved] == chosen


@BOTH
async def test_of_old_matches_only_the_result_is_kept(database: Database, harness: Harness, locale: str) -> None:
    gone = {"fr": "Les coups de la partie 1 sont effacés", "en-US": "The moves of match 1 are deleted"}[locale]
    now = harness.milliseconds()
    await record(harness, database, now - 40 * DAY, now - 20 * DAY)
    async with database.transaction() as session:
        await session.execute(text(f"UPDATE tables SET channel_id = {harness.channel.id}"))  # noqa: S608 - our own
    await choose(database, harness, retention_days=30, retained_until=now)
    lea = harness["Léa"]
    board = await lea.ask("kems leaderboard")
    await harness.advance(FIRST_MS / 1000 + 60)

    told = await lea.ask("kems records match", number=1)
    assert gone in told
    for name in PEOPLE:
        assert name in told
    for command in ("kems records export", "kems records replay"):
        assert gone in await lea.ask(command, number=1)
    assert "🏆 Léa, Chloé · **10 — 4** · Bruno, Dora" in await lea.ask("kems records history")
    assert await lea.ask("kems leaderboard") == board
    async with database.transaction() as session:
        kept = await session.execute(text("SELECT id, purged_at IS NULL FROM tables ORDER BY id"))
        assert [(number, bool(is_whole)) for number, is_whole in kept] == [(1, False), (2, True)]


async def test_a_manager_is_told_what_a_shorter_retention_deletes_before_confirming_it(
    database: Database, harness: Harness
) -> None:
    now = harness.milliseconds()
    await record(harness, database, now - 120 * DAY, now - 40 * DAY, now - 20 * DAY)
    await opened(harness)
    await pick(harness, "retention", "30")
    question = panel(harness)
    assert "Effacer les anciennes parties ?" in question.text
    assert "2 parties sont déjà aussi anciennes" in question.text
    assert "Les résultats et les classements restent" in question.text
    assert f"<t:{(now + NOTICE_MS) // 1000}:D>" in question.text
    assert await settings(database, harness) == ServerSettings(), "nothing has changed yet"
    await harness["Léa"].click("k1:0:config_back")
    assert panel(harness).control("k1:0:config:retention") is not None
    assert await settings(database, harness) == ServerSettings()

    await pick(harness, "retention", "30")
    await harness["Léa"].click("k1:0:retention_now:30")
    assert (await settings(database, harness)).retention_days == 30
    assert panel(harness).control("k1:0:config:retention") is not None
    await pick(harness, "retention", "365")
    assert (await settings(database, harness)).retention_days == 365, "what deletes less is not asked about"
    assert panel(harness).control("k1:0:config:retention") is not None


async def test_a_choice_that_another_manager_overtook_is_answered_as_not_made(
    database: Database, harness: Harness
) -> None:
    managers = harness.guild.create_role("Gestion", permissions=discord.Permissions(manage_guild=True))
    chloe = harness["Chloé"]
    harness.env.backend.add_member_role(harness.guild.id, chloe.id, managers.id)
    await harness.settle()
    panels = {name: await opened(harness, name) for name in ("Léa", "Chloé")}
    for field, values, title in (
        ("absence", ("end", "wait"), "Absences"),
        ("seasons", ("quarter", "month"), "Saisons"),
    ):
        own = {name: id_of(seen, field) for name, seen in panels.items()}
        await harness.together(
            lambda own=own, values=values: harness["Léa"].choose(own["Léa"], values[0], message=panels["Léa"]),
            lambda own=own, values=values: chloe.choose(own["Chloé"], values[1], message=panels["Chloé"]),
        )
        told = panel(harness, "Chloé").text.replace("\u00a0", " ")
        assert f"{title} : pas fait. Cela a changé entre-temps" in told
        assert "pas fait" not in panel(harness).text
    assert (await settings(database, harness)).absence is Absence.END
