"""The role for players: a host opens it, members take it with *Call me*, and calls of *Play* mention it."""

from dataclasses import replace

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.store.engine.database import Database
from bot.store.tables.servers import SqlServerStore
from tests.integration import simcord_patches
from tests.integration.harness import LEA, Harness
from tests.integration.test_config import opened, panel, pick, settings
from tests.integration.test_play import board, calls, leave

CALL_ME, OPEN = "🔔 M'appeler", "k1:0:config:open_role:on"
DAY_S = 86_400


class Club:
    """A server whose host chooses the role for players."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.role = harness.guild.create_role("Joueurs", mentionable=True)

    async def choose(self, role: object = None) -> None:
        await opened(self.harness)
        await pick(self.harness, "players", role or self.role)

    async def open(self) -> str:
        """Press the switch on the second page; what the panel says then."""
        await self.harness[LEA].click("k1:0:config_more", panel(self.harness))
        await self.harness[LEA].forge(OPEN, panel(self.harness))
        return panel(self.harness).text

    def has_role(self, name: str) -> bool:
        members = self.harness.env.backend.get_guild(self.harness.guild.id).members
        return self.role.id in members[self.harness[name].id].role_ids

    def rung(self) -> list[int]:
        """The roles that posts have mentioned so that it rings, in their order."""
        posts = simcord_patches.sent_requests(self.harness.env)
        allowed = [body.get("allowed_mentions") or {} for method, _, body, _ in posts if method == "POST" and body]
        return [int(role) for one in allowed for role in one.get("roles", [])]


@pytest.fixture
async def club(harness: Harness) -> Club:
    made = Club(harness)
    await made.choose()
    assert "✅ *M'appeler*" in (await made.open()).replace("\u00a0", " ")
    return made


async def test_no_button_is_offered_when_the_players_role_is_off_and_the_settings_say_why(harness: Harness) -> None:
    await opened(harness)
    await harness[LEA].click("k1:0:config_more", panel(harness))
    assert "Aucun rôle de joueurs n'est choisi" in panel(harness).text
    made = Club(harness)
    await made.choose()
    await harness[LEA].click("k1:0:config_more", panel(harness))
    assert "ne prennent pas" in panel(harness).text
    await harness["Bruno"].slash("kems play")
    assert CALL_ME not in str(harness.posted()[-1])
    assert "Il manque 3 personnes" in board(harness)
    assert made.rung() == []
    await harness["Bruno"].slash("kems help")
    assert CALL_ME not in str(harness["Bruno"].last(ephemeral=True))
    assert "ne prend" in await harness["Bruno"].forge("k1:0:call_me", harness.posted()[-1])
    assert not made.has_role("Bruno")


async def test_a_quick_start_mentions_the_role_once_and_a_press_gives_or_takes_it(club: Club) -> None:
    harness = club.harness
    await harness["Bruno"].slash("kems play")
    call = harness.posted()[-1]
    assert f"🔔 <@&{club.role.id}> : il manque 3 personnes" in call.text.replace("\u00a0", " ")
    assert club.rung() == [club.role.id]
    await harness["Chloé"].click(CALL_ME, call)
    assert "Votre profil le montre" in harness["Chloé"].told
    assert club.has_role("Chloé")
    await harness["Chloé"].click("J'arrive", call)
    await harness["Dora"].click("J'arrive", call)
    assert "il manque une personne" in board(harness)
    assert club.rung() == [club.role.id], "edits ring nobody"
    await harness["Chloé"].slash("kems help")
    await harness["Chloé"].click(CALL_ME, harness["Chloé"].last(ephemeral=True))
    assert "on ne vous appelle plus" in harness["Chloé"].told
    assert not club.has_role("Chloé")


async def test_the_players_role_is_mentioned_at_most_as_often_a_day_as_the_server_says(
    club: Club, database: Database
) -> None:
    harness = club.harness
    for _ in range(5):
        await harness["Bruno"].slash("kems play")
        assert CALL_ME in str(harness.posted()[-1]), "it is offered all the same"
        await harness["Bruno"].click("Sans attendre")
        await leave(harness)
        await harness.advance(11 * 60)
    assert len(club.rung()) == 3
    await harness.advance(DAY_S)
    for _ in range(2):  # ten minutes lie between two calls
        await harness["Bruno"].slash("kems play")
        await harness["Bruno"].click("Sans attendre")
        await leave(harness)
    assert len(club.rung()) == 4
    await SqlServerStore(database).change(harness.guild.id, lambda now: replace(now, role_mentions_per_day=0))
    await harness.advance(DAY_S)
    await harness["Bruno"].slash("kems play")
    assert len(club.rung()) == 4
    assert calls(harness)[0].players_role == club.role.id


async def test_a_role_with_permissions_or_another_use_is_refused(harness: Harness, database: Database) -> None:
    made = Club(harness)
    strong = harness.guild.create_role("Gestion", permissions=discord.Permissions(manage_messages=True))
    await made.choose(strong)
    assert "a plus de permissions que tout le monde" in await made.open()
    assert not (await settings(database, harness)).is_role_open
    await made.choose()
    await opened(harness)
    await pick(harness, "hosts", made.role)
    assert "sert déjà à autre chose" in await made.open()
    await opened(harness)
    await pick(harness, "hosts")
    await made.open()
    assert (await settings(database, harness)).is_role_open
    await made.choose(strong)
    assert not (await settings(database, harness)).is_role_open, "another role is opened anew"


async def test_a_role_is_no_longer_given_once_it_has_permissions(club: Club) -> None:
    harness = club.harness
    await harness["Bruno"].slash("kems play")
    call = harness.posted()[-1]
    private = harness.guild.create_text_channel("privé")
    seen = discord.Permissions(view_channel=True).value
    harness.env.backend.set_overwrite(private.id, Overwrite(harness.guild.id, OverwriteType.ROLE, deny=seen))
    harness.env.backend.set_overwrite(private.id, Overwrite(club.role.id, OverwriteType.ROLE, allow=seen))
    await harness.settle()
    assert "a plus de permissions" in await harness["Chloé"].press(CALL_ME, call)
    assert not club.has_role("Chloé")
