"""House rules through Discord: the editor in the lobby, the sets a server keeps, rules as text."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.integration.harness import BOTH, Harness, Seen
from tests.integration.table import Table, kems

SENTENCES = {
    "fr": (
        "ne change rien ici",
        "Plus d'effet maintenant",
        "Enregistré : « Jeudi »",
        "Il n'y a pas de règle nommée « goal »",
    ),
    "en-US": (
        "changes nothing here",
        "These have no effect any more",
        "Saved as “Jeudi”",
        "There is no rule named “goal”",
    ),
}


class Editor:
    """Somebody's panel of rules, pressed by custom id."""

    def __init__(self, harness: Harness, name: str) -> None:
        self.harness = harness
        self.member = harness[name]
        self.id = 0

    async def open(self) -> Seen:
        board = next(m for m in reversed(self.member.messages()) if not m.ephemeral)
        self.id = int(re.findall(r"k1:(\d+):settings", str(board))[0])
        await self.member.click(f"k1:{self.id}:settings", board)
        opened = self.member.last(ephemeral=True)
        if opened.control(f"k1:{self.id}:rules") is not None:  # the host's settings; all others read the rules
            await self.member.click(f"k1:{self.id}:rules", opened)
        return self.panel()

    def panel(self) -> Seen:
        return self.member.last(ephemeral=True)

    async def choose(self, what: str, value: str) -> str:
        await self.member.choose(f"k1:{self.id}:{what}", value)
        return self.panel().text

    async def turn_to(self, part: str, axis: str) -> None:
        await self.choose("rules_page:part", part)
        await self.choose("rules_page:axis", axis)

    async def fill(self, what: str, typed: str) -> str:
        """Press a button that opens a form, and send it."""
        form = await self.member.click(f"k1:{self.id}:{what}", self.panel())
        await self.member.submit(form, typed)
        return self.panel().text

    async def board(self) -> str:
        """The public message, once the change has reached it."""
        await self.harness.advance(1.5)
        return plain(self.member.last(ephemeral=False).text)


def plain(text: str) -> str:
    """Without the strokes that keep markdown out of names."""
    return text.replace("\\", "")


@BOTH
async def test_a_host_changes_saves_and_plays_by_house_rules(tmp_path: Path, locale: str) -> None:
    senseless, taken_back, saved, unknown = SENTENCES[locale]
    async with kems(tmp_path) as harness:
        await harness["Léa"].slash("kems start")
        harness["Léa"].locale = locale  # the table stays in the language of who opened it
        editor = Editor(harness, "Léa")
        await editor.open()

        await editor.turn_to("calls", "double_counters")
        assert "double_counters" not in await editor.choose("rules_set:double_counters", "no")
        await editor.choose("rules_set:double_counters", "yes")
        assert "Doubles contres : oui" in await editor.board()

        await editor.turn_to("end", "target")
        await editor.fill("rules_set:target:form", "12")
        assert "12 points" in await editor.board()
        for wrong in ("0", "douze", "999999"):
            assert "999" in await editor.fill("rules_set:target:form", wrong)

        await editor.turn_to("signs", "guess_right")
        assert senseless in await editor.fill("rules_set:guess_right:form", "2")
        await editor.turn_to("scoring", "double_counter")
        await editor.fill("rules_set:double_counter:form", "3")
        assert "Double contre : 3" in await editor.board()
        await editor.turn_to("calls", "double_counters")
        assert taken_back in await editor.choose("rules_set:double_counters", "no")
        assert "double_counter" not in await editor.board()

        assert unknown in await editor.fill("rules_text", "classic goal=3")
        assert "12 points" in await editor.board(), "what cannot be read changes nothing"
        await editor.fill("rules_text", "Expert target=15 best_of=3")
        assert saved in await editor.fill("rules_save", " Jeudi ")
        line = (
            "Expert · 32 cartes · 15 points · amicale (les tables classées se jouent sans option) · « Jeudi »"
            " · options : Au meilleur de combien de jeux : 3"
        )
        assert line in await editor.board()

        await editor.member.agree("kems table end")
        await _started_by_name(harness, line)


async def _started_by_name(harness: Harness, line: str) -> None:
    offered = await harness["Bruno"].suggestions("kems start", "rules", "jeu")
    assert offered == {"Jeudi — expert target=15 best_of=3": "Jeudi"}
    await harness["Bruno"].slash("kems start", rules="jeudi")
    assert line in plain(harness["Bruno"].last(ephemeral=False).text)
    await harness["Dora"].slash("kems rules")
    unranked = re.sub(r"amicale[^·]*· ", "", line)  # rules alone are neither ranked nor friendly
    assert any(unranked in plain(panel.text) for panel in harness["Dora"].newest() if panel.ephemeral)


async def test_forged_presses_change_nothing_while_others_read_and_moderators_edit(harness: Harness) -> None:
    await harness["Léa"].slash("kems start", rules="yokai")
    editor = Editor(harness, "Léa")
    await editor.open()
    table = Table(harness)
    for forged in ("rules_set:gone", "rules_set:gone:form", "rules_set"):
        assert "a été remplacé" in await table.forge("Léa", f"k1:{editor.id}:{forged}")
    for forged in ("rules_page:part", "rules_set:deck:form", "rules_load", "rules:gone"):
        assert "Règles de la table" in await table.forge("Léa", f"k1:{editor.id}:{forged}")
    for forged in ("rules_set:target", "rules_line", "rules_name"):
        assert "Rien n'a été rempli" in await table.forge("Léa", f"k1:{editor.id}:{forged}")
    for forged in ("rules_set:preset", "rules_set:saved", "rules_set:players", "rules_set:deck"):
        told = await table.forge("Léa", f"k1:{editor.id}:{forged}", values=["gone"])
        assert "Ce choix n'est plus possible" in told, forged
    assert "</kems start:" in await table.forge("Léa", "k1:99:rules")
    assert "Yōkai · 32 cartes · 10 points · classée sans robots\n" in await editor.board()

    await harness["Bruno"].slash("kems start")  # Léa owns the server, and so may do everything
    watcher = Editor(harness, "Chloé")
    read = await watcher.open()
    assert "Trois cartes de même valeur au milieu" in read.text
    assert read.controls == ()
    for forged in ("rules_set:target", "rules_reset", "rules_name", "rules_line", "rules_set:saved", "rules_text"):
        told = await table.forge("Chloé", f"k1:{watcher.id}:{forged}")
        assert "Réservé à l'hôte et aux modérateurs." in told
    moderator = Editor(harness, "Léa")
    await moderator.open()
    await moderator.choose("rules_set:preset", "yokai")
    assert "Yōkai" in await moderator.board()
    host = Editor(harness, "Bruno")
    await host.open()
    assert "gérer le serveur" in await harness["Bruno"].press("Enregistrer…")
    await table.forge("Bruno", f"k1:{host.id}:rules_name")
    assert "gérer le serveur" in harness["Bruno"].told


async def test_the_servers_sets_are_loaded_from_a_menu_as_long_as_they_can_be_read(
    tmp_path: Path, harness: Harness
) -> None:
    lea = harness["Léa"]
    await lea.slash("kems start")
    editor = Editor(harness, "Léa")
    await editor.open()
    await lea.click(f"k1:{editor.id}:rules_load", editor.panel())
    assert "n'a pas encore de règles" in editor.panel().text
    for name, line in (("Jeudi", "yokai target=3"), ("Foule", "classic quiet=2")):
        await lea.slash("kems-admin rules save", name=name, text=line)
    await editor.open()
    await lea.click(f"k1:{editor.id}:rules_load", editor.panel())
    await editor.choose("rules_set:saved", "Jeudi")
    assert "Yōkai · 32 cartes · 3 points · amicale · « Jeudi » · règles maison" in await editor.board()
    await editor.choose("rules_set:saved", "Foule")
    await editor.turn_to("end", "target")
    assert "« Foule »" in await editor.board()
    await editor.fill("rules_set:target:form", "10")
    assert "« Foule »" in await editor.board(), "the same value is no change"
    await editor.fill("rules_set:target:form", "11")
    assert "« Foule »" not in await editor.board()

    # A server keeps no more sets than a menu shows.
    for number in range(23):
        await lea.slash("kems-admin rules save", name=f"set {number}", text="bell")
    assert "déjà 25" in await lea.ask("kems-admin rules save", name="un de trop", text="bell")
    await editor.open()
    assert "déjà 25" in await editor.fill("rules_save", "un de trop")
    assert "« SET 3 »" in await editor.fill("rules_save", "SET 3")
    assert (await lea.ask("kems-admin rules list")).count("`bell`") == 22

    # Without the database the presets are still offered.
    with closing(sqlite3.connect(tmp_path / "kems.db")) as connection:
        connection.execute("ALTER TABLE rule_sets RENAME TO gone")
    assert "classic" in (await harness["Léa"].suggestions("kems start", "rules")).values()
    assert await harness["Léa"].suggestions("kems-admin rules delete", "name") == {}
    assert "enregistré" in await harness["Léa"].ask("kems-admin rules save", name="Jeudi", text="bell")


async def test_the_editor_keeps_seats_and_decks_playable(harness: Harness) -> None:
    await harness["Léa"].slash("kems start")
    for name in ("Bruno", "Chloé"):
        await harness[name].click("Rejoindre")
    editor = Editor(harness, "Léa")
    await editor.open()
    await editor.turn_to("seating", "players")
    await editor.choose("rules_set:players", "8")
    assert "Classique · 52 cartes" in await editor.board(), "32 cards are too few"
    assert "Trop de monde" in await editor.choose("rules_set:players", "2")
    await editor.choose("rules_set:players", "6")
    assert (await editor.board()).count("—") == 3
    assert "Classique · 32 cartes" in await editor.board(), "nobody has chosen 52"
    assert "se jouent à 4, pas à 6" in await editor.choose("rules_set:preset", "yokai")
    await editor.turn_to("deal", "deck")
    await editor.choose("rules_set:deck", "52")
    await editor.turn_to("seating", "players")
    await editor.choose("rules_set:players", "12")
    await editor.turn_to("deal", "deck")
    assert "À 12, il faut au moins 52 cartes" in await editor.choose("rules_set:deck", "32")
    await editor.turn_to("seating", "team_size")
    await editor.choose("rules_set:team_size", "3")
    assert "Taille des équipes : 3" in await editor.board()
    await editor.choose("rules_set:preset", "linternaute")
    assert "pas à 12" in editor.panel().text
    await editor.choose("rules_set:preset", "expert")
    assert "Expert · 52 cartes" in await editor.board(), "twelve need the larger deck"


async def test_the_editor_survives_a_restart_and_ends_with_the_lobby(harness: Harness) -> None:
    await harness["Léa"].slash("kems start")
    editor = Editor(harness, "Léa")
    await editor.open()
    await editor.turn_to("end", "target")
    await harness.restart(crash=True)
    await editor.fill("rules_set:target:form", "20")
    assert "20 points" in await editor.board()
    await editor.member.click(f"k1:{editor.id}:rules_reset", editor.panel())
    assert "Classique · 32 cartes · 10 points · classée sans robots\n" in await editor.board()
    rules = editor.panel()
    await harness["Léa"].click("Réglages…", next(m for m in harness["Léa"].messages() if not m.ephemeral))
    for _ in range(3):
        await harness["Léa"].click("🤖 Ajouter")
    await harness.advance(2.6)
    await harness["Léa"].click("Commencer")
    await harness["Léa"].choose(f"k1:{editor.id}:rules_set:preset", "bell", message=rules)
    told = next(m for m in harness["Léa"].messages() if m.id == rules.id)
    assert "accepte plus de changement" in told.text
    assert told.controls == ()


async def test_managers_save_list_and_delete_rules_by_commands(harness: Harness) -> None:
    lea = harness["Léa"]
    assert "pas encore" in await lea.ask("kems-admin rules list")
    assert "pas de table dans ce salon" in await lea.ask("kems-admin rules save", name="Jeudi")
    await lea.slash("kems-admin rules save", name="Jeudi", text="classic target=12")
    await lea.slash("kems start", rules="yokai target=3")
    assert "`yokai target=3`" in await lea.ask("kems-admin rules save", name="*Éclair*")
    assert "ne peut pas servir de nom" in await lea.ask("kems-admin rules save", name="yokai")
    assert "ne change rien ici" in await lea.ask("kems-admin rules save", name="Faux", text="classic chain=4")
    listed = await lea.ask("kems-admin rules list")
    assert "**Jeudi** — `classic target=12`" in listed
    assert "**\\*Éclair\\*** — `yokai target=3`" in listed
    assert set((await lea.suggestions("kems-admin rules delete", "name")).values()) == {"Jeudi", "*Éclair*"}
    assert "`classic target=15`, à la place de `classic target=12`" in await lea.ask(
        "kems-admin rules save", name="jeudi", text="classic target=15"
    )
    await lea.slash("kems-admin rules delete", name="JEUDI")
    question = lea.last(ephemeral=True)
    assert "Supprimer « jeudi » ?" in question.text
    assert "`classic target=15`" in question.text
    assert len(await lea.suggestions("kems-admin rules delete", "name")) == 2, "it asks first"
    assert "admin" in await harness["Bruno"].forge("k1:0:rules_delete:jeudi", question)
    await lea.slash("kems-admin rules save", name="jeudi", text="bell")
    await lea.click("Supprimer ces règles", question)
    question = next(seen for seen in lea.messages() if seen.id == question.id)
    assert "Cela a changé entre-temps" in question.text
    assert "`bell`" in question.text
    await lea.click("Supprimer ces règles", question)
    assert "supprimé" in next(seen.text for seen in lea.messages() if seen.id == question.id)
    assert len(await lea.suggestions("kems-admin rules delete", "name")) == 1
    told = await lea.ask("kems-admin rules delete", name="@everyone")
    assert "pas de règles nommées" in told
    assert "@everyone" not in told
    assert "pas de règles nommées « jeudi »" in await lea.ask("kems start", rules="Jeudi")
    assert not any(name.startswith("kems-admin") for name in harness["Bruno"].actor.available_commands(harness.channel))


async def test_rules_are_started_as_text_and_changed_by_the_other_options(harness: Harness) -> None:
    lea = harness["Léa"]
    presets = await lea.suggestions("kems start", "rules")
    assert list(presets.values())[:3] == ["classic", "expert", "escale"]
    await lea.slash("kems start", rules="expert quiet=3 target=20")
    assert (
        "Expert · 32 cartes · 20 points · amicale · règles maison : Calme avant un balayage : 3 s"
        in lea.last(ephemeral=False).text
    )
    await harness.advance(6)
    await lea.slash("kems start", rules="bell", target=7)
    assert "7 points" in lea.last(ephemeral=False).text, "who names points plays for points"
    for line, options, free in (
        ("american players=6", {}, 6),
        ("american players=6", {"players": 4}, 4),
        ("american", {}, 4),
        ("american players=4,6", {}, 4),
    ):
        await harness.advance(6)
        await lea.slash("kems start", rules=line, **options)
        assert lea.last(ephemeral=False).text.count("—") == free - 1, (line, options)
    await lea.slash("kems-admin rules save", name="Jeudi", text="classic quiet=2")
    await harness["Bruno"].slash("kems start", rules="Jeudi", players=8)  # Léa has enough tables open
    told = lea.last(ephemeral=False).text
    assert "« Jeudi »" not in told, "another deck is another game"
    assert "Classique · 52 cartes" in told
    assert "« Jeudi »" in await lea.ask("kems rules", preset="jeudi")
    assert "choisissez parmi 1, 3, 5" in await lea.ask("kems rules", preset="classic best_of=2")
