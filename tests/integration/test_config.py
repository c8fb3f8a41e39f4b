"""`/kems-admin config`: one panel on which a server is set up, for those who may manage it."""

from pathlib import Path
from typing import Any

import discord
import pytest

from bot.ladder.seasons import Every, Schedule
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.tables.servers import SqlServerStore
from bot.tables.lobby.options import Absence
from bot.tables.server_settings import NOTICE_MS, ServerSettings
from tests.integration.harness import Harness, Seen
from tests.integration.table import kems
from tests.integration.test_customs import choose, database_of

BOTH = pytest.mark.parametrize("locale", ["fr", "en-US"])


async def opened(harness: Harness, name: str = "Léa") -> Seen:
    await harness[name].slash("kems-admin config")
    return panel(harness, name)


def panel(harness: Harness, name: str = "Léa") -> Seen:
    return next(m for m in reversed(harness[name].messages()) if m.ephemeral and m.controls)


async def settings(folder: Path, harness: Harness) -> ServerSettings:
    async with database_of(folder) as database:
        return await SqlServerStore(database).read(harness.guild.id)


async def pick(harness: Harness, field: str, *values: Any) -> None:
    await harness["Léa"].choose(f"k1:0:config:{field}", *values)


@BOTH
async def test_every_choice_is_saved_and_shown(tmp_path: Path, locale: str) -> None:
    heading, rights, never = {
        "fr": ("Kem's sur ce serveur", "Mes permissions", "gardées pour toujours"),
        "en-US": ("Kem's on this server", "What I may do", "kept for ever"),
    }[locale]
    async with kems(tmp_path, locale=locale) as harness:
        here, other = harness.channel, harness.guild.create_text_channel("podium")
        role = harness.guild.create_role("Champion")
        seen = await opened(harness)
        for words in (heading, rights, never):
            assert words in seen.text
        await pick(harness, "language", "en")
        await pick(harness, "tables", here, other)
        await pick(harness, "absence", "substitute")
        await pick(harness, "afk", "180")
        await pick(harness, "podium", other)
        await pick(harness, "role", role)
        await pick(harness, "retention", "365")
        await harness["Léa"].click("k1:0:retention_now:365")
        saved = await settings(tmp_path, harness)
        assert saved.retained_until is not None
        now = int(harness.now().timestamp() * 1000)
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
        )
        await harness.restart()  # the panel goes on
        await pick(harness, "presets", "yokai", "classic")
        await pick(harness, "seasons", "quarter")
        await harness["Léa"].click("k1:0:config:sign_required")
        async with database_of(tmp_path) as database:
            setup = await SqlSeasonStore(database).setup(harness.guild.id)
        assert (setup.gates.presets, setup.gates.sign_required) == (("classic", "yokai"), True)
        assert setup.schedule == Schedule(Every.QUARTER, "Europe/Paris")
        chosen = {c.plain_id.removeprefix("k1:0:config:"): c.chosen for c in panel(harness).controls}
        assert chosen["absence"] == ("substitute",)
        assert chosen["presets"] == ("classic", "yokai")
        assert f"<#{here.id}>" in panel(harness).text, "the checklist is about the channels that were chosen"
        await pick(harness, "tables")
        await pick(harness, "podium")
        await pick(harness, "role")
        for field in ("language", "afk", "retention"):
            await pick(harness, field, "none")
        await pick(harness, "absence", "robot")
        assert await settings(tmp_path, harness) == ServerSettings()


@BOTH
async def test_a_time_zone_is_typed_in_any_spelling(tmp_path: Path, locale: str) -> None:
    label = {"fr": "Fuseau : {}…", "en-US": "Time zone: {}…"}[locale]
    async with kems(tmp_path, locale=locale) as harness:
        await opened(harness)
        form = await harness["Léa"].click(label.format("Europe/Paris"))
        await harness["Léa"].submit(form, "montréal")
        assert panel(harness).control(label.format("America/Montreal")) is not None
        form = await harness["Léa"].click(label.format("America/Montreal"))
        await harness["Léa"].submit(form, "Bruxelle")
        assert "Bruxelle" in panel(harness).text
        assert "Europe/Brussels" in panel(harness).text
        assert panel(harness).control(label.format("America/Montreal")) is not None


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("language", ["de"]),
        ("language", []),
        ("language", [7]),
        ("language", "fr"),
        ("afk", ["-1"]),
        ("afk", ["31"]),
        ("retention", ["1"]),
        ("retention", ["none", "30"]),
        ("absence", ["sulk"]),
        ("tables", ["1"]),
        ("tables", ["x"]),
        ("podium", ["1"]),
        ("role", ["1"]),
        ("presets", ["classic", "quidditch"]),
        ("seasons", ["fortnight"]),
    ],
)
async def test_forged_choices_change_nothing(tmp_path: Path, field: str, values: object, harness: Harness) -> None:
    seen = await opened(harness)
    assert "Ce choix n'existe plus" in await harness["Léa"].forge(f"k1:0:config:{field}", seen, values=values)
    assert await settings(tmp_path, harness) == ServerSettings()


async def test_what_is_gone_is_named_and_forgotten(tmp_path: Path, harness: Harness) -> None:
    await choose(tmp_path, harness, table_channels=(1, harness.channel.id), podium_channel=2, champion_role=3)
    seen = await opened(harness)
    assert "❌ Podium — " in seen.text
    assert "❌ Rôle du champion — " in seen.text
    await harness["Léa"].click("Oublier ce qui n'existe plus")
    assert await settings(tmp_path, harness) == ServerSettings(table_channels=(harness.channel.id,))
    assert panel(harness).control("Oublier ce qui n'existe plus") is None


async def test_what_the_bot_may_do_is_a_checklist(tmp_path: Path, harness: Harness) -> None:
    forum = harness.guild.create_forum_channel("forum")
    mute = discord.PermissionOverwrite(send_messages=False, attach_files=False)
    quiet = harness.guild.create_text_channel("muet", overwrites={harness.bot.user: mute})
    await choose(tmp_path, harness, podium_channel=quiet.id)
    seen = await opened(harness)
    assert f"✅ <#{harness.channel.id}> — tables, images et fichiers, un fil par table" in seen.text
    assert f"❌ <#{quiet.id}> — podium : il me manque Envoyer des messages" in seen.text
    assert f"❌ <#{quiet.id}> — images et fichiers : il me manque Joindre des fichiers" in seen.text
    await pick(harness, "tables", forum)
    assert f"✅ <#{forum.id}> — tables, images et fichiers\n" in panel(harness).text, "its threads are there already"


async def test_a_role_that_may_not_be_given(tmp_path: Path, harness: Harness) -> None:
    """Léa owns the server; Bruno manages it, and may give no role."""
    manager = harness.guild.create_role("Gestion", permissions=discord.Permissions(manage_guild=True))
    crown = harness.guild.create_role("Champion")
    harness.env.backend.add_member_role(harness.guild.id, harness["Bruno"].id, manager.id)
    await opened(harness, "Bruno")
    await harness["Bruno"].choose("k1:0:config:role", crown)
    assert "Vous ne pouvez pas donner" in panel(harness, "Bruno").text
    assert await settings(tmp_path, harness) == ServerSettings()
    await opened(harness)
    await pick(harness, "role", harness.guild.default_role)
    assert "ne se donne à personne" in panel(harness).text
    await pick(harness, "role", crown)
    assert (await settings(tmp_path, harness)).champion_role == crown.id
    assert f"✅ <@&{crown.id}> — je peux le donner" in panel(harness).text
