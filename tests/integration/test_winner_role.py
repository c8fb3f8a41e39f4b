"""The role for the winners of a night: given at its end, it follows a correction and the next night."""

import pytest

from bot.records.seasons import Champion
from bot.store.engine.database import Database
from bot.store.ladder.season_store import SqlChampionStore
from tests.integration.evening import MINUTE, Evening
from tests.integration.harness import LEA, PEOPLE, Harness, Seen
from tests.integration.mishaps import breaking, demote
from tests.integration.test_config import opened, panel, pick
from tests.integration.test_log_channel import chosen, lines


class Prize(Evening):
    """Nights of a server, each in a channel of its own, whose winners may get a role."""

    def __init__(self, harness: Harness) -> None:
        super().__init__(harness)
        self.role = harness.guild.create_role("Vainqueur")

    def message(self) -> Seen:
        here = self.host.messages(self.harness.channel.id)
        return next(seen for seen in here if {"night_join", "night_standings"} & verbs(seen))

    async def is_chosen(self) -> None:
        await self.harness[LEA].click("k1:0:config_more", await opened(self.harness))
        await pick(self.harness, "winner", self.role)
        assert f"✅ <@&{self.role.id}> — je peux le donner" in panel(self.harness).text

    def holders(self) -> set[str]:
        members = self.harness.env.backend.get_guild(self.harness.guild.id).members
        return {name for name in PEOPLE if self.role.id in members[self.harness[name].id].role_ids}

    async def ends(self, channel: str, loses: str = "") -> tuple[set[str], set[str]]:
        """A night of one round at one table: who won there, and who lost, with whoever should."""
        self.harness.enter(channel)
        await self.published(rounds="1")
        await self.join(*PEOPLE)
        await self.harness.advance(60 * MINUTE + 20)
        night = self.night()
        won, lost = ({night.entrants[one].name for one in night.all_tables[0].people(team)} for team in (0, 1))
        if loses in won:
            won, lost = lost, won
            await self.enter(1, "0-10")
        else:
            await self.enter(1, "10-0")
        await self.harness.advance(MINUTE)
        return won, lost


def verbs(seen: Seen) -> set[str]:
    return {control.custom_id.split(":")[2] for control in seen.controls if control.custom_id.count(":") > 1}


@pytest.fixture
def prize(harness: Harness) -> Prize:
    return Prize(harness)


async def test_the_role_follows_the_winners(prize: Prize, database: Database) -> None:
    harness = prize.harness
    await prize.is_chosen()
    won, lost = await prize.ends("mardi")
    assert prize.holders() == won
    await prize.enter(1, "0-10")
    await harness.advance(MINUTE)
    assert prize.holders() == lost, "a result was corrected"
    await harness.advance(24 * 60 * MINUTE)
    best = min(lost)
    await SqlChampionStore(database).add(Champion(harness.guild.id, harness[best].id, prize.role.id))
    won, _ = await prize.ends("mercredi", loses=best)
    assert prize.holders() == won | {best}, "the champion of the season has the same role"
    await harness.advance(24 * 60 * MINUTE)
    gone = min(won)
    await harness[gone].slash("kems privacy delete")
    await harness[gone].click("k1:0:forget")
    assert prize.holders() == (won | {best}) - {gone}


async def test_a_role_of_an_erased_person_is_taken_back_later_when_discord_refuses_now(
    prize: Prize, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = prize.harness
    await prize.is_chosen()
    won, _ = await prize.ends("mardi")
    gone = min(won)
    await harness.advance(24 * 60 * MINUTE)
    with breaking(monkeypatch, "DELETE", f"/roles/{prize.role.id}"):
        await harness[gone].slash("kems privacy delete")
        await harness[gone].click("k1:0:forget")
        assert "sont effacées" in harness[gone].told
    assert prize.holders() == won
    await harness.restart(crash=True)
    await harness.advance(1)
    assert prize.holders() == won - {gone}


async def test_a_role_that_may_not_be_given_is_reported_and_the_night_goes_on(prize: Prize) -> None:
    harness = prize.harness
    await prize.is_chosen()
    log = await chosen(harness)
    await demote(harness, manage_roles=True)
    await prize.ends("lundi")
    assert prize.holders() == set()
    said = (await lines(harness, log))[-1].replace("\u00a0", " ")
    assert said.startswith(f"⚠️ <@&{prize.role.id}> n'est pas allé au vainqueur de « Soirée d'essai »")
    assert "Il me faut « Gérer les rôles »" in said
    await harness[LEA].click("k1:0:config_more", await opened(harness))
    assert "❌ Rôle du vainqueur — Il me faut « Gérer les rôles »" in panel(harness).text.replace("\u00a0", " ")
    await harness.advance(24 * 60 * MINUTE)
    assert any("La soirée en bref" in seen.text for seen in prize.host.messages())
