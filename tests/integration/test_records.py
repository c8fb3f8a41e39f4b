"""What was played, through Discord: histories, matches, figures, boards, seasons, void matches and privacy."""

import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path

import discord
import pytest

from bot.store.engine.database import Database
from tests.integration.harness import PEOPLE, Harness, Seen
from tests.integration.managing import end_season, void
from tests.integration.table import Table, kems, settings_for
from tests.store.conftest import opened
from tests.store.counted_matches import DAY, SURE, Match, play_all

BOTH = pytest.mark.parametrize("locale", ["fr", "en-US"])
LEA, BRUNO, CHLOE, DORA = PEOPLE
EMILE = "Émile"


@asynccontextmanager
async def with_a_past(
    folder: Path, locale: str = "fr", days: int = 12, people: Sequence[str] = PEOPLE
) -> AsyncIterator[Harness]:
    """A match a day that Léa and Chloé won 10 to 4, the last of them now; everybody speaks the locale."""
    async with kems(folder, locale=locale, people=people) as harness:
        now = int(harness.now().timestamp() * 1000)
        async with opened(settings_for(folder).database_url) as database:
            await record(harness, database, [now - day * DAY for day in range(days - 1, -1, -1)])
        yield harness


async def record(harness: Harness, database: Database, ends: list[int]) -> None:
    users = tuple(harness[name].id for name in PEOPLE)
    place = {"guild": harness.guild.id, "channel": harness.channel.id}
    await play_all(database, [Match(users, (10, 4), at=at, names=PEOPLE, **place) for at in ends], formula=SURE)


def private(harness: Harness, name: str) -> Seen:
    return harness[name].last(ephemeral=True)


async def test_a_ranked_match_from_its_lobby_to_the_boards(tmp_path: Path) -> None:
    async with kems(tmp_path, sure_matches=1) as harness:
        lea = harness[LEA]
        table = Table(harness)
        await table.open()
        await table.agree()
        for number in range(10):
            await table.press(LEA, "next") if number else None
            await table.settle()
            await table.open_hunt()
            await table.press(LEA, "kems")
            await table.settle()
        assert "🏆" in table.board()

        await lea.slash("kems history")
        assert f"**#{table.id}**" in private(harness, LEA).text
        assert "Classique · classée" in private(harness, LEA).text
        await lea.slash("kems match", table=table.id)
        told = private(harness, LEA).text
        assert "Équipe 1 · **0 — 10** · Équipe 2" in told
        assert "🏆 ② Bruno · Dora" in told
        assert told.count("Faux Kem's Léa · Équipe 2 : +1 →") == 10
        await harness[BRUNO].slash("kems stats")
        assert "**Parties** 1 jouée · 1 classée · 100 % gagnées" in private(harness, BRUNO).text
        assert "(provisoire)" not in private(harness, BRUNO).text
        await lea.slash("kems stats", member=harness[BRUNO].actor)
        assert "📊 Bruno" in private(harness, LEA).text
        await lea.slash("kems leaderboard")
        board = private(harness, LEA)
        lines = [line.split()[1] for line in board.text.splitlines() if line.startswith("**")]
        assert set(lines) == {BRUNO, DORA}, "the others have won nothing"
        assert "Vous" not in board.text
        assert "La vôtre : `/kems stats`" in board.text
        await lea.choose("k1:0:boards:1", "duos", message=board)
        assert "**1.** Bruno & Dora — **1**" in private(harness, LEA).text

        await void(lea, table.id, "dix faux Kem's")
        assert f"La partie {table.id} est annulée" in private(harness, LEA).text
        await lea.slash("kems leaderboard")
        assert "Personne encore sur ce tableau" in private(harness, LEA).text
        await harness[DORA].slash("kems ladder about")
        assert f"par <@{lea.id}> : dix faux Kem's" in private(harness, DORA).text
        await lea.slash("kems-admin ladder void", table=table.id)
        assert "déjà annulée" in private(harness, LEA).text
        await lea.slash("kems match", table=table.id)
        assert "Annulée : dix faux Kem's" in private(harness, LEA).text


PAGES = {
    "fr": (
        "Parties jouées ici",
        "Plus anciennes ▶",
        "◀ Plus récentes",
        "Parties jouées par Bruno",
        "Cette page n'existe pas",
    ),
    "en-US": ("Matches played here", "Older ▶", "◀ Newer", "Matches of Bruno", "There is no such page"),
}


@BOTH
async def test_pages_of_a_history_are_turned(tmp_path: Path, locale: str) -> None:
    heading, older, newer, of_bruno, beyond = PAGES[locale]
    async with with_a_past(tmp_path, locale) as harness:
        lea = harness[LEA]
        await lea.slash("kems history")
        first = private(harness, LEA)
        assert heading in first.text
        assert [f"**#{number}**" in first.text for number in (12, 8, 7)] == [True, True, False]
        await lea.click(older)
        assert ["**#7**" in private(harness, LEA).text, "**#8**" in private(harness, LEA).text] == [True, False]
        await lea.click(newer)
        assert private(harness, LEA).text == first.text
        await lea.slash("kems history", member=harness[BRUNO].actor, page=3)
        assert of_bruno in private(harness, LEA).text
        assert "**#2**" in private(harness, LEA).text
        assert beyond not in private(harness, LEA).text
        await lea.slash("kems history", page=50)
        assert beyond in private(harness, LEA).text
        assert "**#1**" in private(harness, LEA).text
        await lea.click(newer)
        assert "**#1**" not in private(harness, LEA).text
        assert beyond not in private(harness, LEA).text
        assert not any(message.text == first.text for message in harness[DORA].messages()), "it is Léa's alone"


async def test_matches_are_told_to_who_sat_there_or_sees_their_channels(tmp_path: Path) -> None:
    async with with_a_past(tmp_path, days=2, people=(*PEOPLE, EMILE)) as harness:
        everywhere = harness.channel
        hidden = discord.PermissionOverwrite(view_channel=False)
        shut_out = {harness[name].actor: hidden for name in (BRUNO, EMILE)}
        harness.channel = harness.guild.create_text_channel("secret", overwrites=shut_out)
        async with opened(settings_for(tmp_path).database_url) as database:
            await record(harness, database, [int(harness.now().timestamp() * 1000)] * 3)
        harness.channel = everywhere
        not_for_you = "dans un salon que vous ne voyez pas"
        for name, count in ((EMILE, 3), (BRUNO, 0), (LEA, 0)):
            await harness[name].slash("kems history")
            page = private(harness, name).text
            assert (page.count(not_for_you), page.count("🏆")) == (count, 5 - count)
            await harness[name].slash("kems match", table=5)
            assert (not_for_you in private(harness, name).text) is (name == EMILE)
        await harness[EMILE].slash("kems history", member=harness[DORA].actor)
        assert "Parties jouées par Dora" in private(harness, EMILE).text
        harness.env.http_requests.clear()
        async with opened(settings_for(tmp_path).database_url) as database:
            gone = Match(tuple(harness[name].id for name in PEOPLE), guild=harness.guild.id, channel=5)
            await play_all(database, [gone] * 4)
        await harness[LEA].slash("kems history")
        assert private(harness, LEA).text.count(not_for_you) == 0, "she sat there"
        await harness[EMILE].slash("kems history")
        assert private(harness, EMILE).text.count(not_for_you) == 5
        asked = [request.path for request in harness.env.http_requests if request.path.startswith("/channels/5")]
        assert len(asked) == 1, "a channel is asked about once, however many matches were played there"


@BOTH
async def test_what_is_not_there_is_said(tmp_path: Path, locale: str) -> None:
    said = {
        "fr": (
            "Aucune partie terminée pour l'instant",
            "n'a pas encore terminé de partie",
            "pas de partie terminée de ce numéro",
            "pas de saison de ce numéro",
            "Personne encore",
        ),
        "en-US": (
            "No match has been finished yet",
            "has not finished a match yet",
            "no finished match of that number",
            "no season of that number",
            "Nobody is on this board",
        ),
    }[locale]
    asked = (
        ("kems history", {}),
        ("kems stats", {}),
        ("kems match", {"table": 99}),
        ("kems stats", {"season": 9}),
        ("kems leaderboard", {}),
    )
    async with kems(tmp_path, locale=locale) as harness:
        for line, (command, options) in zip(said, asked, strict=True):
            await harness[LEA].slash(command, **options)
            assert line in private(harness, LEA).text
        await harness[LEA].slash("kems leaderboard", season=4)
        assert said[3] in private(harness, LEA).text
        await harness[LEA].slash("kems-admin ladder void", table=3)
        assert said[2] in private(harness, LEA).text


SEASONS = {
    "fr": ("Désormais : saisons à la main", "est terminée", "Aucune saison n'est en cours", "commence maintenant",
           "s'appelle désormais Saison 3 — Été", "Une saison est en cours", "pas de fuseau « Mars/Nord »"),
    "en-US": ("From now on: seasons by hand", "is over", "No season is running", "begins now",
              "is called Season 3 — Été now", "A season is running", "no time zone “Mars/Nord”"),
}  # fmt: skip


@BOTH
async def test_seasons_by_hand(tmp_path: Path, locale: str) -> None:
    by_hand, over, none, begins, called, running, no_zone = SEASONS[locale]
    costs, already, same, empty, managers = {
        "fr": (
            "Ses classements deviennent définitifs",
            "C'est déjà le cas : saisons à la main",
            "s'appelle déjà Saison 3 — Été",
            "Ce nom est vide",
            "admin",
        ),
        "en-US": (
            "Its boards become final",
            "set already: seasons by hand",
            "is Season 3 — Été already",
            "That name is empty",
            "admins",
        ),
    }[locale]
    async with with_a_past(tmp_path, locale, days=1) as harness:
        lea = harness[LEA]

        async def asked(command: str, **options: object) -> str:
            await lea.slash(f"kems-admin season {command}", **options)
            return lea.messages()[-1].text

        assert by_hand in await asked("schedule", every="hand")
        assert running in await asked("start")
        assert already in await asked("schedule", every="hand")
        await lea.slash("kems-admin season end")
        question = private(harness, LEA)
        assert costs in question.text
        assert all(message.ephemeral for message in lea.messages()), "it asks first"
        await lea.click("k1:0:season_end:1", question)
        podium = lea.last(ephemeral=False)
        assert over in podium.text
        assert "🥇" in podium.text
        assert f"/{podium.id}" in private(harness, LEA).text
        assert none in await asked("end")
        assert none in await asked("rename", name="Été")
        assert begins in await asked("start", name="Printemps")
        await harness.advance(5)
        await lea.forge("k1:0:season_end:1", question)
        assert running in await asked("start"), "the button was that of the first season"
        await end_season(lea)
        await asked("start")
        assert called in await asked("rename", name="Été")
        assert same in await asked("rename", name=" Été ")
        assert empty in await asked("rename", name="\u200b ")
        assert same in await asked("rename", name="Été"), "it has kept its name"
        assert managers in await harness[BRUNO].forge("k1:0:season_end:3", question)
        assert managers in await harness[BRUNO].forge("k1:0:void:1", question)
        assert running in await asked("start")
        assert no_zone in await asked("schedule", every="month", zone="Mars/Nord")
        assert "America/Montreal" in await asked("schedule", every="quarter", zone="America/Montreal")
        assert "Europe/Paris" in await lea.suggestions("kems-admin season schedule", "zone", "paris")
        listed = await lea.suggestions("kems leaderboard", "season", "printemps")
        assert list(listed.values()) == [2]
        await lea.slash("kems leaderboard", board="wins", season=1)
        assert "**1.** Chloé — **1**" in private(harness, LEA).text
        assert not any(
            name.startswith("kems-admin") for name in harness[BRUNO].actor.available_commands(harness.channel)
        )


@BOTH
async def test_the_running_season_and_all_of_them_can_be_chosen(tmp_path: Path, locale: str) -> None:
    """The running one before anybody has played in it, too; boards are of one season each."""
    first, second, together, nothing = {
        "fr": (
            "Saison 1",
            "Saison 2 — Été (en cours)",
            "Toutes les saisons",
            "Léa n'a terminé aucune partie",
        ),
        "en-US": ("Season 1", "Season 2 — Été (running)", "All seasons", "Léa has finished no match in"),
    }[locale]
    async with kems(tmp_path, locale=locale) as harness:
        lea = harness[LEA]
        running = {"fr": "Saison 1 (en cours)", "en-US": "Season 1 (running)"}[locale]
        assert await lea.suggestions("kems leaderboard", "season") == {running: 1}
        async with opened(settings_for(tmp_path).database_url) as database:
            await record(harness, database, [int(harness.now().timestamp() * 1000)])
        await end_season(lea)
        await lea.slash("kems-admin season rename", name="Été")
        for command in ("kems leaderboard", "kems-admin season export"):
            assert list((await lea.suggestions(command, "season")).items()) == [(second, 2), (first, 1)]
        offered = await lea.suggestions("kems stats", "season")
        assert list(offered.items()) == [(together, 0), (second, 2), (first, 1)]
        await lea.slash("kems stats", season=0)
        assert f"-# {together}" in private(harness, LEA).text
        await lea.slash("kems stats", season=2)
        assert nothing in private(harness, LEA).text


@BOTH
async def test_what_is_ranked_is_the_servers_choice(tmp_path: Path, locale: str) -> None:
    async with kems(tmp_path, locale=locale) as harness:
        lea = harness[LEA]
        await lea.slash("kems-admin config")
        await lea.choose("k1:0:config:presets", "yokai", "expert")
        await lea.click("k1:0:config:sign_required")
        await lea.slash("kems ladder about")
        assert "Expert, Y" in private(harness, LEA).text
        sign = "qu'une fois le signe fait" if locale == "fr" else "only once its sign was made"
        assert sign in private(harness, LEA).text
        await lea.slash("kems start")
        words = "ces règles ne sont pas classées ici" if locale == "fr" else "these rules are not ranked here"
        assert words in lea.last(ephemeral=False).text


@BOTH
async def test_a_person_sees_all_and_is_forgotten(tmp_path: Path, locale: str) -> None:
    async with with_a_past(tmp_path, locale) as harness:
        bruno = harness[BRUNO]
        told, hidden, seated, gone = {
            "fr": (
                "Personne d'autre ne voit",
                "ne figurez pas aux",
                "Vous êtes à 1 table en ce",
                "Vos données sont effacées",
            ),
            "en-US": ("Only you can see", "do not show you", "You sit at 1 table now", "Your data is deleted"),
        }[locale]
        answer = (await bruno.slash("kems privacy export")).response
        assert answer is not None
        assert told in answer.content
        (file,) = answer.attachments
        exported = json.loads(await file.read())
        assert (exported["user_id"], len(exported["matches"])) == (bruno.id, 12)

        await bruno.slash("kems privacy boards", shown=False)
        assert hidden in private(harness, BRUNO).text
        await bruno.slash("kems leaderboard")
        assert BRUNO not in private(harness, BRUNO).text
        assert CHLOE in private(harness, BRUNO).text

        await bruno.slash("kems privacy delete")
        assert seated not in private(harness, BRUNO).text
        await bruno.slash("kems start")
        lobby = bruno.last(ephemeral=False)
        assert BRUNO in lobby.text
        await bruno.slash("kems privacy delete")
        assert seated in private(harness, BRUNO).text
        await bruno.click("k1:0:forget")
        assert gone in private(harness, BRUNO).text
        await harness.advance(2)
        assert BRUNO not in bruno.last(ephemeral=False).text, "nobody is left in the lobby: it is closed"
        with closing(sqlite3.connect(tmp_path / "kems.db")) as connection:
            dump = "\n".join(connection.iterdump())
        assert str(bruno.id) not in dump
        assert BRUNO not in dump
        assert str(harness[LEA].id) in dump
        await bruno.slash("kems stats")
        assert "Bruno" in private(harness, BRUNO).text


async def test_forged_presses_on_records_are_refused(tmp_path: Path) -> None:
    async with with_a_past(tmp_path) as harness:
        table = Table(harness)
        await harness[LEA].slash("kems start")
        big = 2**63
        for custom_id in (
            "history", "history:", f"history:{big}:n1", "history:1:n0", "history:1:a5", "history:x:n1",
            "history:1:n1:n1",
            "board:rating:1:a5", "board:glory:1:n1", "board:duos:1:a1.2", f"board:wins:{big}:n1", "board:wins:77:n1",
            "boards:1", "boards:x", "forget:1000",
        ):  # fmt: skip
            said = await table.forge(LEA, f"k1:0:{custom_id}", values=["glory"])
            assert "Ce bouton ne sert plus" in said, custom_id


async def test_the_ladder_tells_what_the_host_chose(tmp_path: Path) -> None:
    async with kems(tmp_path, sure_matches=17, sure_partners=5) as harness:
        await harness[LEA].slash("kems ladder about")
        assert "Provisoire avant 17 parties classées avec 5 partenaires" in private(harness, LEA).text
