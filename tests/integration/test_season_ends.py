"""The end of a season through Discord: its podium is posted once, where the server wants it; the best get a role."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.ladder.formula import FORMULA, Formula
from bot.ladder.season_duties import GRACE_MS, DutyReport, Progress, SeasonDuty, Task
from bot.ladder.seasons import Schedule, Season, period
from bot.store.ladder.season_duties import SqlSeasonDutyStore
from bot.store.tables.servers import SqlServerStore
from bot.tables import season_ends
from tests.integration.harness import PEOPLE, Harness, Seen
from tests.integration.managing import end_season
from tests.integration.table import kems, settings_for
from tests.store.conftest import opened
from tests.store.counted_matches import SURE, Match, play_all

BOTH = pytest.mark.parametrize("locale", ["fr", "en-US"])
LEA, BRUNO, CHLOE, DORA = PEOPLE
WEEK = 7 * 24 * 3600


class Server:
    """A server with a channel for podiums and a role for champions, which `chosen` says it wants to use."""

    def __init__(self, harness: Harness, folder: Path) -> None:
        self.harness = harness
        self.channel = harness.guild.create_text_channel("podium")
        self.role = harness.guild.create_role("Champion")
        self._folder = folder

    def now(self) -> int:
        return int(self.harness.now().timestamp() * 1000)

    async def chooses(self, **changes: Any) -> None:
        async with opened(settings_for(self._folder).database_url) as database:
            await SqlServerStore(database).change(self.harness.guild.id, lambda before: replace(before, **changes))

    async def wins(self, *names: str, ago: int = 0, formula: Formula = SURE) -> int:
        """A ranked match that these two won together, now or some milliseconds ago; its number."""
        others = [name for name in PEOPLE if name not in names]
        seats = (names[0], others[0], names[1], others[1])
        users = tuple(self.harness[name].id for name in seats)
        async with opened(settings_for(self._folder).database_url) as database:
            guild = self.harness.guild.id
            (number,) = await play_all(
                database, [Match(users, (10, 4), at=self.now() - ago, guild=guild, names=seats)], formula=formula
            )
        return number

    async def settles(self) -> None:
        """What a bot does that dies before it can tell anybody."""
        async with opened(settings_for(self._folder).database_url) as database:
            await SqlSeasonDutyStore(database).add_duties(self.now())

    async def podium_of(self, number: int) -> DutyReport:
        async with opened(settings_for(self._folder).database_url) as database:
            return await SqlSeasonDutyStore(database).podium(self.harness.guild.id, number)

    async def notes(self, report: DutyReport) -> None:
        """Make it so that this is all that was noted of the first season's podium."""
        task = Task(self.harness.guild.id, Season(1, 0, 1), SeasonDuty.PODIUM, "", 0)
        async with opened(settings_for(self._folder).database_url) as database:
            await SqlSeasonDutyStore(database).note(task, report, self.now())

    async def month_ends(self, short_by: float = 0) -> None:
        """A moment after the calendar of Paris turns and everything is in, or so many seconds before that moment."""
        stretch = period(Schedule(), self.now())
        assert stretch is not None
        await self.harness.advance((stretch[1] + GRACE_MS - self.now()) / 1000 + 1 - short_by)

    def podiums(self) -> list[Seen]:
        return self.harness[BRUNO].messages(self.channel.id)

    def champions(self) -> set[str]:
        members = self.harness.env.backend.get_guild(self.harness.guild.id).members
        return {name for name in PEOPLE if self.role.id in members[self.harness[name].id].role_ids}

    async def deletes(self, message: Seen) -> None:
        """Somebody deletes a message; a moment passes."""
        channel = self.harness.bot.get_partial_messageable(message.channel_id)
        await channel.get_partial_message(message.id).delete()
        await self.harness.advance(5)

    async def allows(self, channel: Any, **permissions: bool | None) -> None:
        """Change what the bot may do in a channel."""
        guild = self.harness.bot.get_guild(self.harness.guild.id)
        assert guild is not None
        found = guild.get_channel(channel.id)
        assert isinstance(found, discord.TextChannel)
        await found.set_permissions(guild.me, **permissions)  # type: ignore[arg-type]
        await self.harness.settle()

    async def asks(self, command: str, **options: object) -> Seen:
        """What whoever manages the server is told last, in private, by a command."""
        await self.harness[LEA].slash(command, **options)
        return self.harness[LEA].last(ephemeral=True)


@asynccontextmanager
async def server(
    folder: Path, locale: str = "fr", chosen: Sequence[str] = ("channel", "role")
) -> AsyncIterator[Server]:
    """The bot on such a server. It looks at its calendar when something is due there, and not four times a day, too:
    a machine whose clock is set is no matter of these tests, which let months pass."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(season_ends, "LONGEST_MS", 1000 * 52 * WEEK)
        async with _server(folder, locale, chosen) as here:
            yield here


@asynccontextmanager
async def _server(folder: Path, locale: str, chosen: Sequence[str]) -> AsyncIterator[Server]:
    async with kems(folder, locale=locale) as harness:
        made = Server(harness, folder)
        await made.chooses(
            podium_channel=made.channel.id if "channel" in chosen else None,
            champion_role=made.role.id if "role" in chosen else None,
        )
        yield made


@BOTH
async def test_at_the_end_of_the_month_the_podium_is_posted_once(tmp_path: Path, locale: str) -> None:
    over = {"fr": "Saison {} est terminée", "en-US": "Season {} is over"}[locale]
    async with server(tmp_path, locale) as here:
        await here.wins(LEA, CHLOE)
        await here.month_ends()
        (podium,) = here.podiums()
        assert over.format(1) in podium.text
        assert "🥇" in podium.text
        assert [LEA in shown for shown in podium.pictures] == [True]
        assert podium.text.count("🥇") == 2, "level people share the first place"
        assert here.champions() == {LEA, CHLOE}
        assert f"/{here.channel.id}/{podium.id}" in (await here.asks("kems leaderboard")).text
        await here.harness.advance(WEEK)
        await here.month_ends()
        assert len(here.podiums()) == 1, "nobody played in the second month"
        assert here.champions() == {LEA, CHLOE}
        for _ in range(3):
            await here.wins(BRUNO, DORA)
        await here.month_ends()
        assert [over.format(number) in seen.text for number, seen in zip((1, 2), here.podiums(), strict=True)] == [
            True
        ] * 2
        assert here.champions() == {BRUNO, DORA}
        assert not any(seen.ephemeral for seen in here.podiums())


@BOTH
async def test_an_end_by_hand_goes_the_same_way(tmp_path: Path, locale: str) -> None:
    over = {"fr": "Saison 1 est terminée, voici son podium", "en-US": "Season 1 is over: its podium is at"}[locale]
    async with server(tmp_path, locale) as here:
        await here.wins(LEA, CHLOE)
        await end_season(here.harness[LEA])
        told = here.harness[LEA].last(ephemeral=True)
        (podium,) = here.podiums()
        assert over in told.text
        assert f"/{here.channel.id}/{podium.id}" in told.text
        assert here.champions() == {LEA, CHLOE}
        await here.month_ends()
        assert len(here.podiums()) == 1


async def test_a_result_that_is_still_being_saved_when_the_season_ends_is_on_the_podium(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.month_ends(short_by=30)
        assert here.podiums() == []
        for ago in (40_000, 37_000, 34_000):
            await here.wins(BRUNO, DORA, ago=ago)
        await here.wins(LEA, CHLOE)
        await here.harness.advance(30)
        (podium,) = here.podiums()
        assert podium.text.index(BRUNO) < podium.text.index(LEA)
        assert here.champions() == {BRUNO, DORA}


async def test_a_bot_that_died_before_it_could_tell_does_so_when_it_is_back(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.harness.bot.close()
        await here.month_ends()
        await here.settles()
        assert here.podiums() == []
        await here.harness.restart()
        await here.harness.advance(1)
        assert len(here.podiums()) == 1
        assert here.champions() == {LEA, CHLOE}
        await here.harness.restart()
        await here.harness.advance(1)
        assert len(here.podiums()) == 1


async def test_a_podium_that_nobody_noted_before_the_bot_died_is_found_again(tmp_path: Path) -> None:
    """However long it was gone: Discord remembers nonces for some minutes alone."""
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.month_ends()
        (podium,) = here.podiums()
        noted = await here.podium_of(1)
        assert (noted.progress, noted.message_id) == (Progress.DONE, podium.id)
        await here.harness.bot.close()
        await here.notes(DutyReport(Progress.DUE))
        await here.harness.advance(WEEK / 7)
        await here.harness.restart()
        await here.harness.advance(1)
        assert [seen.id for seen in here.podiums()] == [podium.id]
        assert await here.podium_of(1) == noted


async def test_after_a_long_absence_old_podiums_are_not_posted_any_more(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.month_ends()
        await here.harness.bot.close()
        await here.wins(LEA, CHLOE)
        await here.month_ends()
        for _ in range(3):
            await here.wins(BRUNO, DORA)
        await here.month_ends()
        await here.harness.restart()
        await here.harness.advance(1)
        assert ["Saison 1" in seen.text or "Saison 3" in seen.text for seen in here.podiums()] == [True, True]
        assert here.champions() == {BRUNO, DORA}
        listed = await here.harness[LEA].suggestions("kems leaderboard", "season")
        assert list(listed.values()) == [4, 3, 2, 1], "they are all kept, and another is running"


@BOTH
async def test_without_a_channel_nothing_is_posted_and_boards_say_that_the_season_is_over(
    tmp_path: Path, locale: str
) -> None:
    news, over = {
        "fr": ("Saison 1 est terminée : `/kems classement saison:1`", "terminée (<t:"),
        "en-US": ("Season 1 is over: `/kems leaderboard season:1`", "over (<t:"),
    }[locale]
    async with server(tmp_path, locale, chosen=()) as here:
        await here.wins(LEA, CHLOE)
        before = len(here.harness[BRUNO].messages())
        await here.month_ends()
        assert len(here.harness[BRUNO].messages()) == before
        assert here.champions() == set()
        assert news in (await here.asks("kems leaderboard")).text
        (name,) = (await here.harness[BRUNO].suggestions("kems leaderboard", "season", "1")).keys()
        assert name == news.split(" est")[0].split(" is")[0]
        board = (await here.asks("kems leaderboard", season=1)).text
        assert "**1.** Chloé" in board
        assert over in board
        assert news not in board
        await here.harness.advance(WEEK)
        assert news not in (await here.asks("kems leaderboard")).text, "that is old"


@BOTH
async def test_what_is_in_the_way_is_told_and_overcome(tmp_path: Path, locale: str) -> None:
    podium, role = {
        "fr": (
            "⚠️ Le podium n'a pas pu être publié (Saison 1). Dans son salon, il me faut : Voir le salon, Envoyer des"
            " messages. Je réessaierai.",
            "⚠️ Le rôle de champion n'a pas pu changer de mains (Saison 1). Il me faut « Gérer les rôles »",
        ),
        "en-US": (
            "⚠️ The podium of Season 1 could not be posted. In its channel I need: View Channel, Send Messages."
            " I will try again.",
            "⚠️ The champion's role could not be handed over after Season 1. I need Manage Roles",
        ),
    }[locale]
    async with server(tmp_path, locale) as here:
        backend, guild_id = here.harness.env.backend, here.harness.guild.id
        mine = next(role for role in backend.get_guild(guild_id).roles.values() if role.managed)
        await here.wins(LEA, CHLOE)
        await here.allows(here.channel, send_messages=False)
        all_rights = mine.permissions
        backend.edit_role(
            guild_id, mine.id, {"permissions": all_rights & ~discord.Permissions(manage_roles=True).value}
        )
        await here.month_ends()
        assert (here.podiums(), here.champions()) == ([], set())
        told = (await here.asks("kems-admin season rename", name="Été")).text
        assert podium in told
        assert role in told
        backend.edit_role(guild_id, mine.id, {"permissions": all_rights})
        await here.allows(here.channel, send_messages=None)
        await here.harness.advance(WEEK / 2)
        assert (len(here.podiums()), here.champions()) == (1, {LEA, CHLOE})
        assert "⚠️" not in (await here.asks("kems-admin season rename", name="Automne")).text


async def test_what_the_panel_changes_is_tried_at_once(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.chooses(podium_channel=1, champion_role=2)
        await here.month_ends()
        panel = (await here.asks("kems-admin config")).text
        assert "⚠️ Le podium n'a pas pu être publié (Saison 1). Son salon n'existe plus" in panel
        assert "⚠️ Le rôle de champion n'a pas pu changer de mains (Saison 1). Le rôle n'existe plus" in panel
        await here.harness[LEA].choose("k1:0:config:podium", here.channel)
        assert (len(here.podiums()), here.champions()) == (1, set())
        await here.harness[LEA].choose("k1:0:config:role", here.role)
        assert (len(here.podiums()), here.champions()) == (1, {LEA, CHLOE})
        assert "⚠️" not in (await here.asks("kems-admin config")).text


async def test_a_season_that_is_begun_by_hand_tells_how_the_last_one_ended(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.harness[LEA].slash("kems-admin season schedule", every="hand")
        await end_season(here.harness[LEA])
        await here.harness[LEA].slash("kems-admin season start", name="Hiver")
        (podium,) = here.podiums()
        told = here.harness[BRUNO].last().text
        assert told.startswith("🏁 Saison 2 — Hiver commence maintenant")
        assert (
            f"Saison 1 est terminée, voici son podium : https://discord.com/channels/{here.harness.guild.id}/" in told
        )
        assert told.endswith(f"/{here.channel.id}/{podium.id}")


async def test_what_stays_in_the_way_is_given_up(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.chooses(podium_channel=1, champion_role=2)
        await here.month_ends()
        told = (await here.asks("kems-admin season rename", name="Été")).text
        assert "Son salon n'existe plus : choisissez-en un autre avec `/kems-admin réglages`. Je réessaierai." in told
        assert "Le rôle n'existe plus" in told
        await here.harness.advance(WEEK + 3600)
        await here.chooses(podium_channel=here.channel.id, champion_role=here.role.id)
        await here.harness.advance(WEEK)
        assert (here.podiums(), here.champions()) == ([], set())
        assert (await here.asks("kems-admin season rename", name="Automne")).text.count("J'abandonne.") == 2


async def test_who_is_not_on_the_boards_is_no_champion_and_who_is_forgotten_is_one_no_more(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.harness[LEA].slash("kems privacy boards", shown=False)
        await here.month_ends()
        assert here.champions() == {CHLOE}
        await here.harness[CHLOE].slash("kems privacy delete")
        await here.harness[CHLOE].click("k1:0:forget")
        await here.harness.settle()
        assert here.champions() == set(), "the others have won nothing"


@BOTH
async def test_without_a_settled_rating_and_a_win_a_season_has_no_champion(tmp_path: Path, locale: str) -> None:
    """The podium says so, nobody gets the role or gold, and the champion before keeps the role."""
    nobody = {
        "fr": "Pas de champion cette saison : personne n'a à la fois une cote établie et une victoire.",
        "en-US": "No champion this season: nobody has a settled rating and a win.",
    }[locale]
    async with server(tmp_path, locale) as here:
        await here.wins(LEA, CHLOE)
        await here.month_ends()
        assert here.champions() == {LEA, CHLOE}
        await here.wins(BRUNO, DORA, formula=FORMULA)
        await here.month_ends()
        _, podium = here.podiums()
        assert nobody in podium.text
        assert "🥇" not in podium.text
        assert podium.pictures == ()
        assert here.champions() == {LEA, CHLOE}
        assert nobody not in here.podiums()[0].text


async def test_another_role_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.month_ends()
        former, here.role = here.role, here.harness.guild.create_role("Reine")
        await here.chooses(champion_role=here.role.id)
        assert here.champions() == set(), "only the end of a season gives roles"
        await here.wins(LEA, CHLOE)
        await here.month_ends()
        assert here.champions() == {LEA, CHLOE}
        here.role = former
        assert here.champions() == set()


async def test_a_role_above_the_bots_own_is_not_given(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        here.harness.env.backend.edit_role(here.harness.guild.id, here.role.id, {"position": 50})
        await here.month_ends()
        assert (len(here.podiums()), here.champions()) == (1, set()), "the podium waits for no role"
        told = (await here.asks("kems-admin season rename", name="Été")).text
        assert "Il me faut « Gérer les rôles », et mon rôle doit être au-dessus de celui-ci" in told
        here.harness.env.backend.edit_role(here.harness.guild.id, here.role.id, {"position": 1})
        await here.harness.settle()
        assert here.champions() == {LEA, CHLOE}, "a role that was moved is tried again at once"


async def test_what_lacked_a_permission_is_tried_at_once_when_the_bot_has_it(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.allows(here.channel, send_messages=False)
        await here.month_ends()
        assert here.podiums() == []
        await here.allows(here.channel, send_messages=None)
        await here.harness.advance(1)
        assert len(here.podiums()) == 1


async def test_a_podium_that_is_deleted_comes_back_or_says_why(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.month_ends()
        (first,) = here.podiums()
        await here.deletes(first)
        (again,) = here.podiums()
        assert (again.text, again.pictures) == (first.text, first.pictures)
        assert again.id != first.id
        assert (await here.podium_of(1)).message_id == again.id
        await here.allows(here.channel, send_messages=False)
        await here.deletes(again)
        assert here.podiums() == []
        told = (await here.asks("kems-admin season rename", name="Été")).text
        assert "Dans son salon, il me faut : Voir le salon, Envoyer des messages. Je réessaierai." in told
        await here.allows(here.channel, send_messages=None)
        await here.harness.advance(5)
        (last,) = here.podiums()
        assert last.pictures == first.pictures
        assert (await here.podium_of(1)).message_id == last.id
        assert "⚠️" not in (await here.asks("kems-admin season rename", name="Automne")).text


async def test_a_podium_that_was_deleted_while_the_bot_was_away_comes_back_when_it_is_corrected(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        await here.month_ends()
        (first,) = here.podiums()
        await here.harness.bot.close()
        here.harness.env.backend.delete_message(here.channel.id, first.id)
        await here.harness.restart(crash=True)  # it is closed already
        await here.harness[LEA].slash("kems privacy boards", shown=False)
        await here.harness.advance(5)
        (again,) = here.podiums()
        assert again.id != first.id
        assert LEA not in again.text


async def test_people_who_have_left_the_server_are_in_nobodys_way(tmp_path: Path) -> None:
    async with server(tmp_path) as here:
        await here.wins(LEA, CHLOE)
        here.harness.guild.remove_member(here.harness[CHLOE].actor)
        await here.month_ends()
        assert len(here.podiums()) == 1
        assert "⚠️" not in (await here.asks("kems-admin season rename", name="Été")).text
