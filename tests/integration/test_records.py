"""What was played, through Discord: histories, matches, figures, boards, seasons, void matches and privacy."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import discord
import pytest

from bot.game.actions import CallKems, NextRound, OpenHunt
from bot.ladder.columns import Board, SeatTally
from bot.ladder.seasons import Season
from bot.records.season_files import SeasonRecord
from bot.store.engine.database import Database
from bot.ui.ladder.feature import FileFormat, season_files
from tests.integration import simcord_patches
from tests.integration.harness import BOTH, BRUNO, CHLOE, DORA, LEA, PEOPLE, Harness
from tests.integration.seasons import past, record
from tests.integration.table import Table, end_season, hunting, void
from tests.integration.test_first_answers import asked, slow
from tests.integration.test_fuzz_commands import commands_of
from tests.store.counted_matches import Match, play_all

EMILE = "Émile"


@pytest.mark.kems(sure_matches=1)
async def test_a_ranked_match_from_its_lobby_to_the_boards(harness: Harness) -> None:
    lea = harness[LEA]
    table = await hunting(harness)
    await table.act(LEA, "kems")
    match = harness.bot.rooms.directory.table(table.id)
    assert match is not None
    with simcord_patches.as_bot(harness.env):
        for _ in range(8):
            await match.submit(NextRound(0))
            await match.submit(OpenHunt(match.table_view().dealer))
            await match.submit(CallKems(0))
    await table.settle()
    await table.next_round(LEA)
    await table.act(LEA, "kems")
    assert "🏆" in table.board()

    assert f"**#{table.id}**" in await lea.ask("kems records history")
    assert "Classique · classée" in lea.told
    told = await lea.ask("kems records match", number=table.id)
    assert [line for line in told.splitlines() if "Faux Kem's Léa" in line][8].endswith("**0 — 9**")
    assert lea.last().control("🎬 Film pas à pas") is not None
    await lea.choose(f"k1:{table.id}:watch:of", "7")
    assert f"Partie {table.id} · manche 7 sur 10" in lea.told
    assert "Parties — 1 (1 classée · 100 % gagnées)" in await harness[BRUNO].ask("kems records stats")
    assert "(provisoire)" not in harness[BRUNO].told
    assert "📊 Bruno" in await lea.ask("kems records stats", member=harness[BRUNO])
    await lea.slash("kems leaderboard")
    board = lea.last(ephemeral=True)
    assert set(re.findall(r"1\. (\w+) —", board.pictures[0])) == {BRUNO, DORA}, "the others have won nothing"
    assert "Vous" not in board.text
    assert re.findall(r"^(\w+) —", board.text.partition("Cotes provisoires")[2], re.MULTILINE) == ["Chloé", "Léa"]
    await lea.choose("k1:0:boards:1", "duos", message=board)
    assert "1. Bruno & Dora — 1" in lea.told

    await void(lea, table.id, "dix faux Kem's")
    assert f"La partie {table.id} est annulée" in lea.told
    assert "aucune partie classée terminée" in await lea.ask("kems leaderboard")
    assert f"par <@{lea.id}> : dix faux Kem's" in await harness[DORA].ask("kems ladder about")
    assert "déjà annulée" in await lea.ask("kems-admin ladder void", number=table.id)
    assert "Annulée : dix faux Kem's" in await lea.ask("kems records match", number=table.id)


async def test_a_missing_match_is_reported_and_a_manager_voids_arranged_matches_at_once(
    harness: Harness, database: Database
) -> None:
    for command, option, said in (
        ("kems records history", {}, "Aucune partie terminée pour l'instant"),
        ("kems records stats", {}, "n'a pas encore terminé de partie"),
        ("kems records match", {"number": 99}, "pas de partie terminée de ce numéro"),
        ("kems records stats", {"season": 9}, "pas de saison de ce numéro"),
        ("kems leaderboard", {}, "Classement vide"),
        ("kems leaderboard", {"season": 4}, "pas de saison de ce numéro"),
        ("kems-admin ladder void", {"number": 3}, "pas de partie terminée de ce numéro"),
    ):
        assert said in await harness[LEA].ask(command, **option)

    # A board opens where there are people: on a server of friendly matches that is not the ladder.
    lea, here = harness[LEA], {"guild": harness.guild.id, "channel": harness.channel.id}
    users = tuple(harness[name].id for name in PEOPLE)
    await play_all(database, [Match(users, (10, 4), at=harness.milliseconds(), ranked=False, **here)])
    await lea.slash("kems leaderboard")
    assert "Amicales" in lea.told
    assert "aucune partie classée terminée" in await lea.ask("kems leaderboard", board="rating")

    assert "aucune partie classée terminée" in await lea.ask("kems-admin ladder watch")
    won = [Match(users, (10, 4), at=harness.milliseconds(), names=PEOPLE, **here)] * 3
    await play_all(database, won)
    told = await lea.ask("kems-admin ladder watch")
    assert "⚔️ Bruno **100 %** 3/3 · Dora **100 %** 3/3\n🤝 Chloé **100 %** 3/3\n-# #2 #3 #4" in told
    own = "⚔️ Bruno **100 %** 3/3"
    assert own in await lea.ask("kems records stats")
    assert own not in await harness[DORA].ask("kems records stats", member=lea), "that is Léa's alone"
    watch = next(one for one in commands_of(harness) if one.qualified_name == "kems-admin ladder watch")
    with slow(0.6):
        assert (await asked(harness, watch, {})).deferred, "it is promised"
        await harness.advance(5)
    assert own in lea.told
    form = await lea.click("k1:0:ask_void:2.3.4:0", lea.last(ephemeral=True))
    await lea.submit(form, "arrangées")
    assert "2, 3, 4" in lea.told
    assert "aucune partie classée terminée" in await lea.ask("kems-admin ladder watch")


async def test_pages_of_a_history_are_turned(harness: Harness, database: Database) -> None:
    await past(harness, database)
    lea, newer, beyond = harness[LEA], "◀ Plus récentes", "Cette page n'existe pas"
    first = await lea.ask("kems records history")
    assert "Parties jouées ici" in first
    assert [f"**#{number}**" in first for number in (12, 8, 7)] == [True, True, False]
    second = await lea.press("Plus anciennes ▶")
    assert ["**#7**" in second, "**#8**" in second] == [True, False]
    assert await lea.press(newer) == first
    third = await lea.ask("kems records history", member=harness[BRUNO], page=3)
    assert "Parties jouées par Bruno" in third
    assert "**#2**" in third
    assert beyond not in third
    last = await lea.ask("kems records history", page=50)
    assert beyond in last
    assert "**#1**" in last
    assert "**#1**" not in await lea.press(newer)
    assert beyond not in lea.told
    assert not any(message.text == first for message in harness[DORA].messages()), "it is Léa's alone"

    # Forged presses are refused.
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
        assert "Ce message a été remplacé" in said, custom_id


async def test_matches_are_shown_to_their_players_and_to_members_who_see_the_channel(
    harness: Harness, database: Database
) -> None:
    await past(harness, database, days=2)
    everywhere = harness.channel
    harness.enter("secret", BRUNO, EMILE, view_channel=False)
    await record(harness, database, *[harness.milliseconds()] * 3)
    harness.channel = everywhere
    not_for_you = "dans un salon que vous ne voyez pas"
    for name, count in ((EMILE, 3), (BRUNO, 0), (LEA, 0)):
        page = await harness[name].ask("kems records history")
        assert (page.count(not_for_you), page.count("🏆")) == (count, 5 - count)
        assert (not_for_you in await harness[name].ask("kems records match", number=5)) is (name == EMILE)
    assert "Parties jouées par Dora" in await harness[EMILE].ask("kems records history", member=harness[DORA])
    harness.env.http_requests.clear()
    gone = Match(tuple(harness[name].id for name in PEOPLE), guild=harness.guild.id, channel=5)
    await play_all(database, [gone] * 4)
    assert not_for_you not in await harness[LEA].ask("kems records history"), "she sat there"
    assert (await harness[EMILE].ask("kems records history")).count(not_for_you) == 5
    asked = [request.path for request in harness.env.http_requests if request.path.startswith("/channels/5")]
    assert len(asked) == 1, "a channel is asked about once, however many matches were played there"
    answered = next(request for request in harness.env.http_requests if request.path.endswith("/callback"))
    assert answered.json["type"] == discord.InteractionResponseType.deferred_channel_message.value
    await harness[EMILE].ask("kems records history")
    asked = [request.path for request in harness.env.http_requests if request.path.startswith("/channels/5")]
    assert len(asked) == 1, "the answer is remembered for a while"


async def test_seasons_start_and_end_by_hand(harness: Harness, database: Database) -> None:
    await past(harness, database, days=1)
    lea = harness[LEA]

    async def asked(command: str, **options: object) -> str:
        await lea.slash(f"kems-admin season {command}", **options)
        return lea.last().text

    running, none, same = "Une saison est en cours", "Aucune saison n'est en cours", "s'appelle déjà Saison 3 — Été"
    assert "Désormais : saisons lancées à la main" in await asked("schedule", every="hand")
    assert running in await asked("start")
    assert "C'est déjà le cas : saisons lancées à la main" in await asked("schedule", every="hand")
    assert "Ses classements deviennent définitifs" in await asked("end")
    question = lea.last(ephemeral=True)
    assert all(message.ephemeral for message in lea.messages()), "it asks first"
    await lea.click("k1:0:season_end:1", question)
    podium = lea.last(ephemeral=False)
    assert "est terminée" in podium.text
    assert "1. Léa" in podium.pictures[0] or "1. Chloé" in podium.pictures[0]
    assert f"/{podium.id}" in lea.told
    assert none in await asked("end")
    assert none in await asked("rename", name="Été")
    assert "commence maintenant" in await asked("start", name="Printemps")
    await harness.advance(5)
    await lea.forge("k1:0:season_end:1", question)
    assert running in await asked("start"), "the button was that of the first season"
    await end_season(lea)
    await asked("start")
    assert "s'appelle désormais Saison 3 — Été" in await asked("rename", name="Été")
    assert same in await asked("rename", name=" Été ")
    assert "Ce nom est vide" in await asked("rename", name="\u200b ")
    assert same in await asked("rename", name="Été"), "it has kept its name"
    for forged in ("season_end:3", "void:1"):
        assert "admin" in await harness[BRUNO].forge(f"k1:0:{forged}", question)
    assert running in await asked("start")
    assert "pas de fuseau « Mars/Nord »" in await asked("schedule", every="month", zone="Mars/Nord")
    assert "America/Montreal" in await asked("schedule", every="quarter", zone="America/Montreal")
    assert "Europe/Paris" in await lea.suggestions("kems-admin season schedule", "zone", "paris")
    assert list((await lea.suggestions("kems leaderboard", "season", "printemps")).values()) == [2]
    assert "1. Chloé — 1" in await lea.ask("kems leaderboard", board="wins", season=1)
    commands = harness[BRUNO].actor.available_commands(harness.channel)
    assert not any(name.startswith("kems-admin") for name in commands)


@BOTH
async def test_the_running_season_and_all_of_them_can_be_chosen(
    database: Database, harness: Harness, locale: str
) -> None:
    """The running one before anybody has played in it, too; boards are of one season each."""
    first, second, together, nothing = {
        "fr": ("Saison 1", "Saison 2 — Été (en cours)", "Toutes les saisons", "Léa n'a terminé aucune partie"),
        "en-US": ("Season 1", "Season 2 — Été (running)", "All seasons", "Léa has finished no match in"),
    }[locale]
    lea = harness[LEA]
    running = {"fr": "Saison 1 (en cours)", "en-US": "Season 1 (running)"}[locale]
    assert await lea.suggestions("kems leaderboard", "season") == {running: 1}
    await record(harness, database, harness.milliseconds())
    await end_season(lea)
    await lea.slash("kems-admin season rename", name="Été")
    for command in ("kems leaderboard", "kems-admin season export"):
        assert list((await lea.suggestions(command, "season")).items()) == [(second, 2), (first, 1)]
    offered = await lea.suggestions("kems records stats", "season")
    assert list(offered.items()) == [(together, 0), (second, 2), (first, 1)]
    assert f"-# {together}" in await lea.ask("kems records stats", season=0)
    assert nothing in await lea.ask("kems records stats", season=2)


async def test_the_server_chooses_what_is_ranked(harness: Harness) -> None:
    lea = harness[LEA]
    await lea.slash("kems-admin config")
    panel = lea.last(ephemeral=True)
    presets = next(one.custom_id for one in panel.controls if "config:presets" in one.custom_id)
    await lea.choose(presets, "yokai", "expert")
    told = await lea.forge(presets, panel, component_type=3, values=["classic"])
    assert "Cela a changé entre-temps" in told, "another admin saw other rules chosen"
    await lea.click("k1:0:config:sign:on")
    assert "Expert, Y" in await lea.ask("kems ladder about")
    assert "qu'une fois le signe fait" in lea.told
    await lea.slash("kems start")
    assert "ces règles ne sont pas classées ici" in lea.last(ephemeral=False).text


async def test_a_person_exports_their_data_and_is_erased(harness: Harness, database: Database, tmp_path: Path) -> None:
    await past(harness, database, days=2)
    bruno, seated = harness[BRUNO], "Vous êtes à 1 table en ce"
    answer = (await bruno.slash("kems privacy export")).response
    assert answer is not None
    assert "Personne d'autre ne voit" in answer.content
    (file,) = answer.attachments
    exported = json.loads(await file.read())
    assert (exported["user_id"], len(exported["matches"])) == (bruno.id, 2)

    assert "ne figurez pas aux" in await bruno.ask("kems privacy boards", shown=False)
    board = await bruno.ask("kems leaderboard")
    assert (BRUNO in board, CHLOE in board) == (False, True)

    # Thirty days are told to a manager alone, and name nobody.
    await harness[LEA].slash("kems-admin report")
    told = harness[LEA].last(ephemeral=True)
    (shown,) = told.pictures
    assert "Joueurs — 4" in shown
    assert "De retour — 0" in shown
    assert not any(name in told.text + shown for name in PEOPLE)
    assert not any("report" in name for name in bruno.actor.available_commands(harness.channel))

    assert seated not in await bruno.ask("kems privacy delete")
    await bruno.slash("kems start")
    assert BRUNO in bruno.last(ephemeral=False).text
    assert seated in await bruno.ask("kems privacy delete")
    assert "Vos données sont effacées" in await bruno.press("k1:0:forget")
    await harness.advance(2)
    assert BRUNO not in bruno.last(ephemeral=False).text, "nobody is left in the lobby: it is closed"
    with closing(sqlite3.connect(tmp_path / "kems.db")) as connection:
        dump = "\n".join(connection.iterdump())
    assert [each in dump for each in (str(bruno.id), BRUNO, str(harness[LEA].id))] == [False, False, True]
    assert "Bruno" in await bruno.ask("kems records stats")


@pytest.mark.kems(sure_matches=17, sure_partners=5)
async def test_the_ladder_command_shows_what_the_host_chose(harness: Harness) -> None:
    told = await harness[LEA].ask("kems ladder about")
    assert "Provisoire avant 17 parties classées avec 5 partenaires" in told


@pytest.mark.long
@pytest.mark.parametrize("locale", ["fr", "en-US"])
async def test_the_report_is_shown_only_to_managers_and_names_nobody(
    harness: Harness, database: Database, locale: str
) -> None:
    players, back = {"fr": ("Joueurs — 4", "De retour — 0"), "en-US": ("Players — 4", "Came back — 0")}[locale]
    await past(harness, database, days=2)
    await harness[BRUNO].slash("kems privacy boards", shown=False)
    await harness[LEA].slash("kems-admin report")
    told = harness[LEA].last(ephemeral=True)
    (shown,) = told.pictures
    assert players in shown
    assert back in shown
    assert not any(name in told.text + shown for name in PEOPLE)
    assert not any("report" in name for name in harness[BRUNO].actor.available_commands(harness.channel))


@pytest.mark.parametrize(("locale", "delimiter"), [("fr", ";"), pytest.param("en-US", ",", marks=pytest.mark.long)])
async def test_a_season_is_exported_as_files(harness: Harness, database: Database, locale: str, delimiter: str) -> None:
    without, none = {
        "fr": ("sans les joueurs", "pas de saison de ce numéro"),
        "en-US": ("without players who opted out", "There is no season with that number"),
    }[locale]
    await past(harness, database, days=1)
    lea, bruno = harness[LEA], harness[BRUNO]
    await bruno.slash("kems privacy boards", shown=False)
    answer = (await lea.slash("kems-admin season export")).response
    assert answer is not None
    assert answer.ephemeral
    assert without in answer.content
    files = {file.filename: (await file.read()).decode("utf-8-sig") for file in answer.attachments}
    assert list(files) == [f"kems-season-1-{name}.csv" for name in ("boards", "people", "nights", "matches")]
    assert f"rating{delimiter}1{delimiter}" in files["kems-season-1-boards.csv"]
    assert LEA in files["kems-season-1-matches.csv"]
    assert BRUNO not in "".join(files.values())
    assert str(bruno.id) not in "".join(files.values())

    answer = (await lea.slash("kems-admin season export", season=1, format="json")).response
    assert answer is not None
    (file,) = answer.attachments
    told = json.loads(await file.read())
    assert len(told["matches"]) == 1
    assert {one["name"] for one in told["people"]} == {LEA, "Chloé", "Dora"}

    assert none in await lea.ask("kems-admin season export", season=99)
    assert await lea.suggestions("kems-admin season export", "season")
    assert not any("season export" in name for name in bruno.actor.available_commands(harness.channel))


async def test_large_files_are_packed_and_too_large_ones_are_not_sent() -> None:
    record = SeasonRecord(1, Season(4, 0, None, "x" * 5000), dict.fromkeys(Board, ()), (), ())
    assert [file.filename for file in await season_files(record, FileFormat.JSON, "en", 10_000)] == [
        "kems-season-4.json"
    ]
    assert [file.filename for file in await season_files(record, FileFormat.JSON, "en", 1000)] == ["kems-season-4.zip"]
    assert await season_files(record, FileFormat.JSON, "en", 100) == []


async def test_badges_are_shown_for_all_seasons_together_and_only_for_players_on_the_boards(
    harness: Harness, database: Database
) -> None:
    lea, users = harness[LEA], tuple(harness[name].id for name in PEOPLE)
    quick = Match(users, at=harness.milliseconds(), guild=harness.guild.id, tallies=(SeatTally(quick=1),) * 4)
    await play_all(database, [quick])
    assert "**Insignes** ⏱️ Kem's en une seconde" in await lea.ask("kems records stats")
    assert "Insignes" not in await lea.ask("kems records stats", season=1)
    await lea.slash("kems privacy boards", shown=False)
    assert "Insignes" not in await harness[BRUNO].ask("kems records stats", member=lea)
