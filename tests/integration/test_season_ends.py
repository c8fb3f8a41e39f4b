"""The end of a season through Discord: its podium is posted once, where the server wants it; the best get a role.

Deaths at every moment, and what is too old for news, have the gate's tests in `tests/ui/ladder/test_podiums.py`.
"""

import asyncio
import re
from typing import Any

import discord
import pytest
from simcord.backend.errors import BackendError

from bot.discord.api.patience import PATIENCE_S
from bot.store.ladder.season_store import SqlSeasonStore
from tests.integration.harness import BOTH, BRUNO, CHLOE, DORA, LEA
from tests.integration.mishaps import forbid, posted, refuse
from tests.integration.seasons import WEEK, Server
from tests.integration.table import end_season


@BOTH
async def test_at_the_end_of_the_month_the_podium_is_posted_once(here: Server, locale: str) -> None:
    over = {"fr": "Saison {} est terminée", "en-US": "Season {} is over"}[locale]
    await here.month_of(LEA, CHLOE)
    (podium,) = here.podiums()
    assert over.format(1) in podium.text
    (shown,) = podium.pictures
    assert LEA in shown
    assert len(re.findall(r"\b1\. ", shown)) == 2, "level people share the first place"
    assert here.champions() == {LEA, CHLOE}
    assert f"/{here.channel.id}/{podium.id}" in await here.asks("kems leaderboard")
    await here.harness.advance(WEEK)
    await here.month_ends()
    assert len(here.podiums()) == 1, "nobody played in the second month"
    assert here.champions() == {LEA, CHLOE}
    await here.month_of(BRUNO, DORA, matches=3)
    assert [over.format(number) in seen.text for number, seen in zip((1, 2), here.podiums(), strict=True)] == [True] * 2
    assert here.champions() == {BRUNO, DORA}
    assert not any(seen.ephemeral for seen in here.podiums())


async def test_an_end_by_hand_posts_a_podium_and_the_next_season_mentions_it(here: Server) -> None:
    over = "Saison 1 est terminée, voici son podium"
    await here.wins(LEA, CHLOE)
    await end_season(here.harness[LEA])
    told = here.harness[LEA].told
    (podium,) = here.podiums()
    assert over in told
    assert f"/{here.channel.id}/{podium.id}" in told
    assert here.champions() == {LEA, CHLOE}
    await here.month_ends()
    assert len(here.podiums()) == 1

    await here.wins(LEA, CHLOE)
    await here.harness[LEA].slash("kems-admin season schedule", every="hand")
    await end_season(here.harness[LEA])
    await here.harness[LEA].slash("kems-admin season start", name="Hiver")
    _, podium = here.podiums()
    told = here.harness[BRUNO].last().text
    assert told.startswith("🏁 Saison 3 — Hiver commence maintenant")
    assert f"Saison 2 est terminée, voici son podium : https://discord.com/channels/{here.harness.guild.id}/" in told
    assert told.endswith(f"/{here.channel.id}/{podium.id}")


async def test_a_slow_end_by_hand_posts_its_podium_in_the_channel_of_the_command(
    here: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.chooses(podium_channel=None)
    await here.wins(LEA, CHLOE)
    end = SqlSeasonStore.end

    async def slowly(*given: Any) -> Any:
        await asyncio.sleep(1.5 * PATIENCE_S)
        return await end(*given)

    monkeypatch.setattr(SqlSeasonStore, "end", slowly)
    await end_season(here.harness[LEA])
    await here.harness.advance(5)
    (podium,) = [seen for seen in posted(here.harness, here.harness.channel.id) if "Saison 1" in seen.text]
    assert str(podium.id) in here.harness[LEA].told


@pytest.mark.long
async def test_a_result_that_is_still_being_saved_when_the_season_ends_is_on_the_podium(here: Server) -> None:
    await here.wins(LEA, CHLOE)
    await here.month_ends(short_by=30)
    assert here.podiums() == []
    for ago in (40_000, 37_000, 34_000):
        await here.wins(BRUNO, DORA, ago=ago)
    await here.wins(LEA, CHLOE)
    await here.harness.advance(30)
    (podium,) = here.podiums()
    assert podium.pictures[0].index(BRUNO) < podium.pictures[0].index(LEA)
    assert here.champions() == {BRUNO, DORA}


@pytest.mark.long
async def test_a_podium_is_posted_after_a_crash_before_the_announcement(here: Server) -> None:
    await here.wins(LEA, CHLOE)
    await here.harness.bot.close()
    await here.month_ends()
    assert here.podiums() == []
    await here.returns()
    assert len(here.podiums()) == 1
    assert here.champions() == {LEA, CHLOE}
    await here.returns()
    assert len(here.podiums()) == 1


async def test_a_podium_posted_but_not_saved_before_a_crash_is_found_again(here: Server) -> None:
    """However long it was gone: Discord remembers nonces for some minutes alone."""
    await here.month_of(LEA, CHLOE)
    (podium,) = here.podiums()
    noted = await here.podium()
    assert (noted.channel_id, noted.message_id, await here.is_due()) == (here.channel.id, podium.id, False)
    await here.harness.bot.close()
    await here.forgets()
    await here.harness.advance(WEEK / 7)
    await here.returns()
    assert [seen.id for seen in here.podiums()] == [podium.id]
    assert (await here.podium(), await here.is_due()) == (noted, False)


@pytest.mark.long
async def test_after_a_long_absence_old_podiums_are_not_posted_any_more(here: Server) -> None:
    await here.month_of(LEA, CHLOE)
    await here.harness.bot.close()
    await here.month_of(LEA, CHLOE)
    await here.month_of(BRUNO, DORA, matches=3)
    await here.returns()
    assert ["Saison 1" in seen.text or "Saison 3" in seen.text for seen in here.podiums()] == [True, True]
    assert here.champions() == {BRUNO, DORA}
    listed = await here.harness[LEA].suggestions("kems leaderboard", "season")
    assert list(listed.values()) == [4, 3, 2, 1], "they are all kept, and another is running"


async def test_without_a_channel_nothing_is_posted_and_boards_say_that_the_season_is_over(here: Server) -> None:
    news, over = "Saison 1 est terminée : </kems leaderboard:", "terminée (<t:"
    await here.chooses(podium_channel=None, champion_role=None)
    await here.wins(LEA, CHLOE)
    before = len(here.harness[BRUNO].messages())
    await here.month_ends()
    assert len(here.harness[BRUNO].messages()) == before
    assert here.champions() == set()
    assert news in await here.asks("kems leaderboard")
    (name,) = (await here.harness[BRUNO].suggestions("kems leaderboard", "season", "1")).keys()
    assert name == "Saison 1"
    board = await here.asks("kems leaderboard", season=1)
    assert "1. Chloé" in board
    assert over in board
    assert news not in board
    await here.harness.advance(WEEK)
    assert news not in await here.asks("kems leaderboard"), "that is old"

    # What is chosen late, but in time, is done at once.
    await here.month_of(LEA, CHLOE)
    await here.harness.advance(WEEK / 2)
    await here.asks("kems-admin config")
    await here.harness[LEA].choose("k1:0:config:role", here.role)
    assert (here.podiums(), here.champions()) == ([], {LEA, CHLOE})
    await here.harness[LEA].choose("k1:0:config:podium", here.channel)
    assert len(here.podiums()) == 1
    former, here.role = here.role, here.harness.guild.create_role("Reine")
    await here.harness[LEA].choose("k1:0:config:role", here.role)
    assert here.champions() == {LEA, CHLOE}
    here.role = former
    assert here.champions() == set(), "it takes the place of the one before"


async def test_a_podium_that_cannot_be_posted_is_reported_and_posted_later(here: Server) -> None:
    podium = "🏁 Saison 1 · ⚠️ **Je ne peux pas montrer le podium dans <#{}>. Il m'y manque : Envoyer des messages.**"
    role = "⚠️ Le rôle de champion n'a pas pu changer de mains (Saison 1). Il me faut « Gérer les rôles »"
    backend, guild_id = here.harness.env.backend, here.harness.guild.id
    mine = next(role for role in backend.get_guild(guild_id).roles.values() if role.managed)
    await here.wins(LEA, CHLOE)
    await forbid(here.harness, here.channel.id, "send_messages")
    all_rights = mine.permissions
    backend.edit_role(guild_id, mine.id, {"permissions": all_rights & ~discord.Permissions(manage_roles=True).value})
    await here.month_ends()
    assert (here.podiums(), here.champions()) == ([], set())
    told = await here.problem_line()
    assert podium.format(here.channel.id) in told
    assert role in told
    backend.edit_role(guild_id, mine.id, {"permissions": all_rights})
    await forbid(here.harness, here.channel.id)
    await here.harness.advance(1)
    assert (len(here.podiums()), here.champions()) == (1, {LEA, CHLOE}), "tried at once"
    assert "⚠️" not in await here.problem_line()


async def test_a_change_in_the_settings_is_tried_at_once(here: Server) -> None:
    await here.wins(LEA, CHLOE)
    await here.chooses(podium_channel=1, champion_role=2)
    await here.month_ends()
    panel = await here.asks("kems-admin config")
    assert "🏁 Saison 1 · ⚠️ **Le salon du podium a été supprimé.**" in panel
    assert "⚠️ Le rôle de champion n'a pas pu changer de mains (Saison 1). Le rôle n'existe plus" in panel
    await here.harness[LEA].choose("k1:0:config:podium", here.channel)
    assert (len(here.podiums()), here.champions()) == (1, set())
    await here.harness[LEA].choose("k1:0:config:role", here.role)
    assert (len(here.podiums()), here.champions()) == (1, {LEA, CHLOE})
    assert "⚠️" not in await here.asks("kems-admin config")


@pytest.mark.long
async def test_a_podium_is_not_posted_a_week_later_but_the_role_is_given(here: Server) -> None:
    await here.wins(LEA, CHLOE)
    await here.chooses(podium_channel=1, champion_role=2)
    await here.month_ends()
    told = await here.problem_line()
    assert "Choisissez-en un autre avec </kems-admin config:" in told
    assert "Le rôle n'existe plus" in told
    await here.harness.advance(WEEK + 3600)
    await here.chooses(podium_channel=here.channel.id, champion_role=here.role.id)
    await here.harness.advance(WEEK)
    assert (here.podiums(), here.champions()) == ([], {LEA, CHLOE})
    assert "⚠️" not in await here.problem_line()


@pytest.mark.long
async def test_a_player_off_the_boards_or_erased_is_no_champion(here: Server) -> None:
    await here.wins(LEA, CHLOE)
    await here.harness[LEA].slash("kems privacy boards", shown=False)
    await here.month_ends()
    assert here.champions() == {CHLOE}
    await here.harness[CHLOE].slash("kems privacy delete")
    await here.harness[CHLOE].click("k1:0:forget")
    await here.harness.settle()
    assert here.champions() == set(), "the others have won nothing"


@pytest.mark.kems(sure_matches=2)
async def test_without_enough_matches_and_a_win_a_season_has_no_champion(here: Server) -> None:
    """The podium says so, nobody gets the role or gold, and the champion before keeps the role."""
    nobody = "Pas de champion cette saison : personne n'y a assez de parties et une victoire."
    await here.month_of(LEA, CHLOE, matches=2)
    assert here.champions() == {LEA, CHLOE}
    await here.wins(BRUNO, DORA)
    await here.month_ends()
    _, podium = here.podiums()
    assert nobody in podium.text
    assert "🥇" not in podium.text
    assert podium.pictures == ()
    assert here.champions() == {LEA, CHLOE}
    assert nobody not in here.podiums()[0].text


async def test_a_role_that_cannot_be_given_delays_no_podium_and_is_given_later(
    here: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refuse(monkeypatch, "PUT", "/roles/", BackendError(403, 60003, "Two factor is required for this operation")):
        await here.month_of(LEA, CHLOE)
        assert "double authentification" in await here.problem_line()
    backend, guild_id = here.harness.env.backend, here.harness.guild.id
    backend.edit_role(guild_id, here.role.id, {"position": 50})
    await here.harness.advance(1)
    assert (len(here.podiums()), here.champions()) == (1, set()), "the podium waits for no role"
    told = await here.problem_line()
    assert "Il me faut « Gérer les rôles », et mon rôle doit être au-dessus de celui-ci" in told
    backend.edit_role(guild_id, here.role.id, {"position": 1})
    await here.harness.settle()
    assert here.champions() == {LEA, CHLOE}, "a role that was moved is tried again at once"

    await here.wins(LEA, CHLOE)
    here.harness.guild.remove_member(here.harness[CHLOE].actor)
    await here.month_ends()
    assert len(here.podiums()) == 2
    assert "⚠️" not in await here.problem_line(), "people who have left the server are in nobody's way"


async def test_a_deleted_podium_is_posted_again_or_the_settings_say_why_not(here: Server) -> None:
    await here.month_of(LEA, CHLOE)
    (first,) = here.podiums()
    await here.deletes(first)
    (again,) = here.podiums()
    assert (again.text, again.pictures) == (first.text, first.pictures)
    assert again.id != first.id
    assert (await here.podium()).message_id == again.id
    await forbid(here.harness, here.channel.id, "send_messages")
    await here.deletes(again)
    assert here.podiums() == []
    told = await here.problem_line()
    assert "Il m'y manque : Envoyer des messages.**" in told
    assert "Le podium apparaît de lui-même une fois cela réglé." in told
    await forbid(here.harness, here.channel.id)
    await here.harness.advance(5)
    (last,) = here.podiums()
    assert last.pictures == first.pictures
    assert (await here.podium()).message_id == last.id
    assert "⚠️" not in await here.problem_line()

    # One that is deleted while the bot is away comes back when it is corrected.
    await here.harness.bot.close()
    here.harness.env.backend.delete_message(here.channel.id, last.id)
    await here.harness.restart(crash=True)  # it is closed already
    await here.harness[LEA].slash("kems privacy boards", shown=False)
    await here.harness.advance(5)
    (again,) = here.podiums()
    assert again.id != last.id
    assert LEA not in again.text
