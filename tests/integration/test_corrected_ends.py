"""A podium that was posted, and the champion's role, follow the boards of their season when these change afterwards."""

import pytest

from bot.ladder.seasons import FRESH_MS
from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from tests.integration.harness import BOTH, BRUNO, CHLOE, DORA, LEA, Seen
from tests.integration.mishaps import forbid
from tests.integration.seasons import WEEK, Server
from tests.integration.table import end_season, void
from tests.store.counted_matches import SURE

CORRECTED = {"fr": " · corrigé le ", "en-US": " · corrected on "}


async def voids(here: Server, number: int) -> None:
    await void(here.harness[LEA], number, "triche")
    await here.harness.settle()


async def two_matches(here: Server) -> int:
    """Bruno and Dora win one, and then Léa and Chloé one; the number of the first, which is worth more."""
    won = await here.wins(BRUNO, DORA)
    await here.wins(LEA, CHLOE)
    return won


async def void_unseen(here: Server, database: Database, number: int) -> None:
    """The match becomes void without the bot."""
    recount = SqlRecount(database, formula=SURE)
    await recount.void(here.harness.guild.id, number, by_id=1, reason="", at=here.now())


async def podium_of_two_matches(here: Server) -> tuple[int, Seen]:
    """The same, and the podium that follows."""
    won = await two_matches(here)
    await here.month_ends()
    (podium,) = here.podiums()
    return won, podium


@pytest.mark.drawn
@BOTH
async def test_a_void_match_corrects_the_podium_and_moves_the_role(here: Server, locale: str) -> None:
    won, podium = await podium_of_two_matches(here)
    assert CORRECTED[locale] not in podium.text
    assert here.champions() == {BRUNO, DORA}
    await voids(here, won)
    (corrected,) = here.podiums()
    assert corrected.id == podium.id
    assert CORRECTED[locale] in corrected.text
    assert LEA in corrected.text
    assert BRUNO not in corrected.text, "no win is left"
    first = [picture.split(" 1. ")[1] for picture in (*podium.pictures, *corrected.pictures)]
    assert [name in first[0] or other in first[0] for name, other in ((BRUNO, DORA), (LEA, CHLOE))] == [True, False]
    assert [name in first[1] or other in first[1] for name, other in ((BRUNO, DORA), (LEA, CHLOE))] == [False, True]
    assert here.champions() == {LEA, CHLOE}
    assert f"/{here.channel.id}/{podium.id}" in await here.asks("kems leaderboard")


async def test_the_podium_of_a_season_ended_by_hand_is_a_message_of_its_own_and_is_corrected(here: Server) -> None:
    await here.chooses(podium_channel=None, champion_role=None)
    won = await two_matches(here)
    here.harness.env.http_requests.clear()
    await end_season(here.harness[LEA])
    await here.harness.settle()
    posts = [request.path for request in here.harness.env.http_requests if request.method == "POST"]
    assert posts[-1] == f"/channels/{here.harness.channel.id}/messages", "and no follow-up of a private answer"
    posted = here.harness[BRUNO].last()
    assert "🏁 Saison 1 est terminée" in posted.text
    assert posted.pictures[0].index(BRUNO) < posted.pictures[0].index(LEA)
    assert "corrigé" not in posted.text
    link = f"voici son podium : https://discord.com/channels/{here.harness.guild.id}/{posted.channel_id}/{posted.id}"
    assert link in await here.asks("kems leaderboard")
    await here.harness.advance(3600)  # the token of the command is no longer valid
    await voids(here, won)
    now = next(message for message in here.harness[BRUNO].messages() if message.id == posted.id)
    assert (LEA in now.text, BRUNO in now.text) == (True, False)
    assert "corrigé" in now.text


async def test_a_podium_is_only_corrected_when_its_places_change_also_after_a_crash(
    here: Server, database: Database
) -> None:
    won, podium = await podium_of_two_matches(here)
    here.harness.env.backend.remove_member_role(here.harness.guild.id, here.harness[BRUNO].id, here.role.id)
    await voids(here, await here.wins(LEA, CHLOE))
    await SqlRecount(database, formula=SURE).rebuild()
    await here.returns()
    assert here.podiums() == [podium]
    assert here.champions() == {DORA}, "what a moderator took is not given again"
    await here.harness.bot.close()
    await void_unseen(here, database, won)
    await here.returns()
    (now,) = here.podiums()
    assert now.id == podium.id
    assert (LEA in now.text, BRUNO in now.text) == (True, False)
    assert here.champions() == {LEA, CHLOE}
    assert not await here.is_due()


async def test_a_corrected_season_without_a_win_has_no_champion_and_the_role_is_taken_back(here: Server) -> None:
    for names in ((LEA, CHLOE), (BRUNO, DORA)):
        number = await here.wins(*names)
        await here.month_ends()
    await here.harness.advance(FRESH_MS / 1000)
    assert here.champions() == {BRUNO, DORA}
    await voids(here, number)
    first, second = here.podiums()
    assert "corrigé" not in first.text
    assert "Pas de champion cette saison : aucune partie classée n'a été gagnée." in second.text
    assert here.champions() == {LEA, CHLOE}
    await voids(here, number - 1)
    assert here.champions() == set()
    assert "Pas de champion cette saison : aucune partie classée n'a été gagnée." in here.podiums()[0].text


async def test_a_hidden_or_erased_player_is_not_named_on_a_podium(here: Server) -> None:
    await two_matches(here)
    await here.month_ends()
    await here.harness[BRUNO].slash("kems privacy boards", shown=False)
    await here.harness.settle()
    (podium,) = here.podiums()
    assert BRUNO not in podium.text + "".join(podium.pictures)
    assert here.champions() == {DORA}
    await here.harness[DORA].slash("kems privacy delete")
    await here.harness[DORA].click("k1:0:forget")
    await here.harness.settle()
    (podium,) = here.podiums()
    assert DORA not in podium.text + "".join(podium.pictures)
    assert here.champions() == {LEA, CHLOE}
    await here.harness[BRUNO].slash("kems privacy boards", shown=True)
    await here.harness.settle()
    (shown,) = here.podiums()[0].pictures
    assert shown.index(BRUNO) < shown.index(LEA)
    assert here.champions() == {BRUNO}


async def test_nobody_becomes_champion_while_the_server_wants_none(here: Server) -> None:
    won, _ = await podium_of_two_matches(here)
    await here.harness[LEA].slash("kems-admin config")
    await here.harness[LEA].choose("k1:0:config:role")
    await voids(here, won)
    assert here.champions() == {BRUNO, DORA}
    assert "⚠️" not in await here.problem_line()
    await here.harness[LEA].slash("kems-admin config")
    await here.harness[LEA].choose("k1:0:config:role", here.role)
    await here.harness.settle()
    assert here.champions() == {LEA, CHLOE}


@pytest.mark.long
async def test_a_podium_that_was_posted_again_is_corrected(here: Server) -> None:
    won, podium = await podium_of_two_matches(here)
    await here.deletes(podium)
    await voids(here, won)
    (again,) = here.podiums()
    assert again.id != podium.id
    assert here.champions() == {LEA, CHLOE}
    assert f"/{here.channel.id}/{again.id}" in await here.asks("kems leaderboard")
    assert "⚠️" not in await here.problem_line()


async def test_a_correction_that_fails_is_reported_and_made_later(here: Server) -> None:
    trouble = f"🏁 Saison 1 · ⚠️ **Je ne peux pas montrer le podium dans <#{here.channel.id}>. Il m'y manque"
    won, _ = await podium_of_two_matches(here)
    await here.harness.advance(2 * WEEK)  # a correction has no date
    await forbid(here.harness, here.channel.id, "view_channel")
    await voids(here, won)
    await here.harness.advance(10)  # an old message is edited slowly
    assert "corrigé" not in here.podiums()[0].text
    assert here.champions() == {LEA, CHLOE}, "the role waits for no podium"
    assert trouble in await here.problem_line()
    await forbid(here.harness, here.channel.id)
    await here.harness.advance(WEEK)
    assert "corrigé" in here.podiums()[0].text


@pytest.mark.long
async def test_a_correction_is_repeated_when_the_bot_dies_before_saving_it(here: Server) -> None:
    won, podium = await podium_of_two_matches(here)
    await voids(here, won)
    await here.harness.bot.close()
    (corrected,) = here.podiums()
    await here.forgets(channel_id=here.channel.id, message_id=podium.id, podium_digest="before")
    await here.returns()
    (now,) = here.podiums()
    assert now.id == podium.id
    assert now.text == corrected.text
    assert (LEA in now.text, BRUNO in now.text) == (True, False)
    assert here.champions() == {LEA, CHLOE}
    assert not await here.is_due()


@pytest.mark.long
async def test_a_match_voided_before_the_podium_is_saved_does_not_count_on_it(here: Server, database: Database) -> None:
    """A bot had just posted it, as it was then, and died."""
    won, podium = await podium_of_two_matches(here)
    await here.harness.bot.close()
    await here.forgets()
    await void_unseen(here, database, won)
    await here.harness.advance(120)
    await here.returns()
    (now,) = here.podiums()
    assert now.id == podium.id
    assert (LEA in now.text, BRUNO in now.text) == (True, False)
