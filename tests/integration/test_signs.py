"""The full game of signs through Discord: cards that bind them, strategies voted for, and how they are found out."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.game.signs import Strategy
from tests.integration.gathering import gather_at_once
from tests.integration.harness import PEOPLE, Harness
from tests.integration.table import Table, begun, kems

WORD_AND_HAND = 22  # a seed with which the first team draws the word card, the second the hand


@pytest.mark.kems(seed=WORD_AND_HAND)
async def test_a_sign_fits_the_teams_card_and_the_word_card_allows_spoken_signs(harness: Harness) -> None:
    table = await begun(harness, rules="bell")
    await table.look_at_signs("Léa")
    await table.look_at_signs("Bruno")
    assert "Carte signe : **la parole**" in table.panel("Léa").text
    assert "Carte signe : **la main**" in table.panel("Bruno").text
    await table.propose("Bruno", "👀")
    assert "👀 ne va pas avec votre carte signe, la main : prenez ses emojis." in table.panel("Bruno").text
    await table.propose("Bruno", "quel temps")
    assert "rien d'autre" in table.panel("Bruno").text
    await table.propose("Bruno", "👋👏")
    await table.propose("Léa", "Quel temps")
    for partner, proposed in (("Chloé", "Léa propose « quel temps »"), ("Dora", "Bruno propose 👋👏")):
        await table.look_at_signs(partner)
        assert proposed in table.panel(partner).text
        await table.accept(partner)
    await table.settle()
    assert "quel temps" not in table.board().casefold()

    await table.open_hunt()
    assert table.panel("Léa").text.startswith("-# « quel temps »")
    assert "Ici, seuls les emojis comptent comme gestes" in await harness["Bruno"].ask(
        "kems sign", gesture="Mais quel temps !"
    )
    await table.gather("Léa", jokers=2)
    await harness["Léa"].slash("kems sign", gesture="Mais quel TEMPS, Bruno !")
    await table.after(harness["Chloé"].say(f"<@{harness.bot.user.id}> du beau temps"))
    assert "Léa « Mais quel TEMPS, Bruno ! » · Bruno — · Chloé « du beau temps »" in table.board()
    await table.act("Chloé", "kems")
    told = table.board().replace("**", "")
    assert "Chloé « du beau temps » 0:" in told


async def test_a_double_sign_is_replaced_in_silence_and_ends_when_both_are_named(harness: Harness) -> None:
    table = await begun(harness, vote=[Strategy.DOUBLE])
    assert "Signes avancés : double signe" in table.board()
    await table.propose("Léa", "double", "👀, 🍀")
    await table.look_at_signs("Chloé")
    assert "Léa propose Léa 👀 · vous 🍀. À vous de répondre." in table.panel("Chloé").text
    stale = table.offered("Chloé", "accept")[0]
    await table.propose("Léa", "double", "👀, ☕")
    assert "Il n'y a plus rien" in await table.forge("Chloé", f"k1:{table.id}:accept:{stale}")
    await table.after(table.propose("Léa", "double", "👀, 🍀"))
    await table.accept("Chloé")
    await table.propose("Bruno", "single", "🎲")
    await table.after(table.accept("Dora"))
    await table.open_hunt()

    await table.guess("Bruno", 1, "🍀")
    assert "C'est bien leur signe" in table.panel("Bruno").text
    assert "📣 Bruno : « Équipe 1, votre signe est 🍀 » — juste" in table.board().replace("**", "")
    assert "signe unique" not in table.board()
    assert "📣 Bruno : 🍀 ? Juste." in table.panel("Léa").text.replace("\u00a0", " ")
    await harness.advance(6.5)
    assert "⚠️ Votre signe : touchez 🤫 Signe…" in table.panel("Léa").text.replace("\u00a0", " ")
    await table.look_at_signs("Chloé")
    assert "⚠️ 🍀 a été trouvé : remplacez-le en silence" in table.panel("Chloé").text
    successor = table.offered("Chloé", "propose")[0]
    await table.press("Chloé", f"propose:{successor}")
    await table.accept("Léa")
    assert table.panel("Léa").text.replace("\ufe0f", "").startswith(f"-# 👀 {successor}\u2002")
    assert not harness["Bruno"].reads("remplacez-le")

    await table.guess("Dora", 1, "🍀")
    assert "Ce signe est déjà trouvé" in table.panel("Dora").text, "whether they play it still is not told"
    await table.guess("Dora", 1, f"👀, {successor}")
    assert "Équipe 1 : signe unique jusqu'à la fin de la partie." in table.board()
    await table.look_at_signs("Léa")
    assert "⚠️ Vous êtes démasqués : choisissez un signe unique." in table.panel("Léa").text
    await table.propose("Léa", "🍀")
    assert "🍀 ne revient plus de la partie" in table.panel("Léa").text
    await table.propose("Léa", "🎩")
    await table.accept("Chloé")
    assert table.panel("Chloé").text.startswith("-# 🎩\u2002")


async def test_a_team_may_openly_keep_the_sign_that_was_not_found(harness: Harness) -> None:
    table = await begun(harness, vote=[Strategy.DOUBLE])
    await table.propose("Léa", "double", "👀, 🍀")
    await table.accept("Chloé")
    await table.propose("Bruno", "single", "🎲")
    await table.after(table.accept("Dora"))
    await table.open_hunt()
    await table.guess("Bruno", 1, "🍀")
    await table.look_at_signs("Léa")
    await table.after(harness["Léa"].click("Continuer à un seul signe", table.panel("Léa")))
    assert table.panel("Léa").text.startswith("-# 👀\u2002")
    assert "Équipe 1 : signe unique jusqu'à la fin de la partie." in table.board()


async def test_a_team_is_accused_of_total_and_told_to_stop_its_pre_sign(harness: Harness) -> None:
    table = await begun(harness, vote=[Strategy.TOTAL, Strategy.PRESIGN])
    await table.propose("Léa", "total", "👀", "no")
    assert "laissez ce champ vide" in table.panel("Léa").text
    await table.propose("Léa", "total", "", "no")
    await table.accept("Chloé")
    await table.propose("Bruno", "single", "🎲", "yes")
    await table.look_at_signs("Dora")
    assert "Bruno propose 🎲 + pré-signe" in table.panel("Dora").text
    await table.after(table.accept("Dora"))
    await table.open_hunt()
    assert table.panel("Léa").text.startswith("-# tout geste\u2002")

    await table.guess("Bruno", 1, "👀")
    assert "Ce n'est pas leur signe" in table.panel("Bruno").text
    await _say(table, "Léa", "Équipe 2 : total !")
    assert "Non : ils ne jouent pas le total." in table.panel("Léa").text
    await _say(table, "Chloé", "Équipe 2 : plus de pré-signe")
    assert "C'est juste : ils doivent arrêter le pré-signe." in table.panel("Chloé").text
    await _say(table, "Dora", "Équipe 1 : total !")
    assert "C'est juste : ils jouaient le total" in table.panel("Dora").text
    said = [line for line in table.board().replace("**", "").splitlines() if line.startswith("📣")]
    assert said == [
        "📣 Léa : « Équipe 2, vous jouez le total » — faux",
        "📣 Chloé : « Équipe 2, arrêtez le pré-signe » — juste",
        "📣 Dora : « Équipe 1, vous jouez le total » — juste",
    ]
    await table.look_at_signs("Bruno")
    assert "**Votre signe : 🎲**\n-# Démasqués : plus de pré-signe." in table.panel("Bruno").text
    assert not table.can_press("Bruno", "total:0")

    await table.press("Bruno", "hand")
    await gather_at_once(table, "Bruno")
    await harness["Bruno"].react("🎲", table.message())
    await table.act("Dora", "kems")
    told = table.board().replace("**", "")
    assert "Bruno 🎲" in told
    assert "(le signe)" not in told, "where strategies were voted for, the match's end alone explains"
    assert "signe unique jusqu'à la fin" in told


async def _say(table: Table, name: str, label: str) -> None:
    await table.look_at_signs(name)
    await table.after(table.member(name).click(label, table.panel(name)))


@pytest.mark.parametrize("reads_chat", [False, True])
async def test_ordinary_messages_count_only_when_the_bot_may_read_them(tmp_path: Path, reads_chat: bool) -> None:
    async with kems(tmp_path, message_content=reads_chat, table_threads=True) as harness:
        table = await _speaking(harness)
        (harness.channel,), lea = harness.channel.threads, harness["Léa"]
        assert "il fait beau" not in await table.after(lea.say("Avant la chasse, il fait beau"))
        await table.open_hunt()
        await lea.say("Tiens, il fait beau")
        await lea.say("Il fait beau, non ?", table.message())
        await table.after(lea.say("une phrase " + "interminable " * 40))
        gestures = next(line for line in table.board().splitlines() if line.startswith("Gestes"))
        assert "« Il fait beau, non ? »" in gestures
        assert ("« Tiens, il fait beau »" in gestures) is reads_chat
        assert ("une phrase interminable" in gestures) is reads_chat
        assert len(re.findall("«", gestures)) == (3 if reads_chat else 1)
        with closing(sqlite3.connect(tmp_path / "kems.db")) as connection:
            made = "SELECT count(*), count(press_id) FROM events WHERE kind = 'GestureMade'"
            assert connection.execute(made).fetchone() == (3 if reads_chat else 1, 0), "no number leads to its author"


async def _speaking(harness: Harness) -> Table:
    table = await begun(harness, vote=[Strategy.SPOKEN])
    await table.agree(("il fait beau", "🍀"))
    assert all(not harness[name].reads("il fait beau") for name in PEOPLE if name in ("Bruno", "Dora"))
    return table


async def test_a_sign_may_be_a_newer_emoji_and_settling_the_last_sign_shows_the_hand_at_once(harness: Harness) -> None:
    table = await begun(harness)
    await table.agree(("🫩", "🍀"))
    assert len(table.hand("Dora")) == 4, "Dora accepted last: the cards are dealt"
    await table.open_hunt()
    assert "🫩" in table.panel("Chloé").text
    assert "🫩" in await harness["Léa"].ask("kems sign", gesture="🫩")
    await table.settle()
    assert "🫩" in table.board()

    # The next round waits for the answer to a new sign.
    await table.act("Dora", "kems")
    await table.propose("Léa", "🎈")
    await table.press("Bruno", "next")
    assert "Un signe attend sa réponse" in table.panel("Bruno").text
    assert "Manche 2" not in table.board()
    await harness.advance(6)
    assert "Manche 2" in table.board()
    assert "Sans réponse : 🫩 reste votre signe." in table.panel("Léa").text
    assert "Sans réponse" not in table.panel("Bruno").text
