"""People who do not come, leave, are sent away or step in, through Discord."""

from typing import Any

import pytest
from aiohttp import ServerDisconnectedError

from bot.ui.table.messages.reminders import EDIT_INTERVAL
from tests.integration import simcord_patches
from tests.integration.harness import Harness
from tests.integration.table import Table, hunting

pytestmark = pytest.mark.kems(afk_seconds=90)

LOOK_S = 45


async def owing(harness: Harness, name: str) -> Table:
    """A hunt in which somebody has put down a card, and then does nothing; chance takes none for them."""
    table = await hunting(harness, rules="classic take_limit=0")
    await table.press(name, f"put:{table.hand(name)[0]}")
    return table


async def busy(table: Table, *names: str, seconds: int) -> None:
    """These people look at their hands, each time before they are missed."""
    for begun in range(0, seconds, LOOK_S):
        await table.harness.advance(min(LOOK_S, seconds - begun))
        for name in names:
            await table.press(name, "hand")


def calls(harness: Harness) -> list[str]:
    """The messages that mention somebody."""
    return [m.text for m in harness["Léa"].messages() if "<@" in m.text and not m.ephemeral]


async def test_an_absent_player_is_called_and_a_robot_plays_until_they_are_back(harness: Harness) -> None:
    table = await owing(harness, "Chloé")
    await busy(table, "Léa", "Bruno", "Dora", seconds=90)
    (call,) = calls(harness)
    assert call.startswith(f"<@{harness['Chloé'].id}> — la table vous attend")
    assert "un robot jouera à votre place <t:" in call
    await table.after(busy(table, "Léa", "Bruno", "Dora", seconds=45))
    (call,) = calls(harness)
    assert call.startswith(f"<@{harness['Chloé'].id}> — un robot joue à votre place : appuyez")
    assert "<t:" not in call
    assert "Chloé (🤖)" in table.board()
    assert "doit 1 carte" not in table.board(), "the robot has taken one"
    await harness.restart(crash=True)
    await busy(table, "Léa", "Bruno", "Dora", seconds=120)
    assert "Chloé (🤖)" in table.board()
    assert "(🤖)" not in await table.act("Chloé", "hand")
    assert len(table.hand("Chloé")) == 4
    assert len(calls(harness)) == 1


async def test_a_reaction_and_any_press_count_as_presence(harness: Harness) -> None:
    table = await owing(harness, "Chloé")
    await busy(table, "Léa", "Bruno", "Dora", seconds=135)
    assert "Chloé (🤖)" in table.board()
    assert "(🤖)" not in await table.after(harness["Chloé"].react("☕", table.message()))
    assert "Chloé ☕" in table.board()
    await harness.advance(20)  # the robot has asked for a sweep
    await table.press("Chloé", "hand")
    await table.press("Chloé", f"put:{table.hand('Chloé')[0]}")
    await busy(table, "Léa", "Bruno", "Dora", seconds=135)
    assert "Chloé (🤖)" in table.board()
    assert "(🤖)" not in await table.after(table.forge("Chloé", f"k1:{table.id}:counter"))


@pytest.mark.long
@pytest.mark.parametrize("what", ["counter", "help", "sign_panel", "resume"])
async def test_any_press_at_the_table_counts_as_presence(harness: Harness, what: str) -> None:
    table = await owing(harness, "Chloé")
    await busy(table, "Léa", "Bruno", "Dora", seconds=135)
    assert "Chloé (🤖)" in table.board()
    assert "(🤖)" not in await table.after(table.forge("Chloé", f"k1:{table.id}:{what}"))


async def test_a_called_player_returns_in_time_or_the_hosts_choice_applies(
    harness: Harness,
) -> None:
    table = await owing(harness, "Chloé")
    others = ("Léa", "Bruno", "Dora")
    for _ in range(2):
        await busy(table, *others, seconds=90)
        (call,) = calls(harness)
        assert "la table vous attend" in call
        await harness.advance(5)
        await table.act("Chloé", "help")
        await harness.advance(EDIT_INTERVAL)
        assert calls(harness) == []
        await busy(table, *others, seconds=1)

    for choice, said, shown, then in (
        ("wait", "boutons.", "Chloé (doit 1 carte)", "boutons."),
        ("substitute", "votre place sera à prendre <t:", "Chloé 🪑 (doit 1 carte)", "votre place est à prendre"),
        ("end", "la table fermera <t:", "fermée", None),
    ):
        assert "Réservé à l'hôte" in await harness["Bruno"].ask("kems table absent", then=choice)
        await harness["Léa"].slash("kems table absent", then=choice)
        await busy(table, *others, seconds=105)
        assert said in calls(harness)[0]
        assert shown in await table.later(20)
        assert [then is not None and then in call for call in calls(harness)] == ([] if then is None else [True])
        if then is not None:
            await table.act("Chloé", "help")
            await harness.advance(EDIT_INTERVAL)
            await busy(table, *others, seconds=1)


@pytest.mark.parametrize("is_taken", [pytest.param(False, marks=pytest.mark.long), True])
async def test_calling_a_player_survives_a_lost_connection(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, is_taken: bool
) -> None:
    """Whether Discord has taken it or not: people are called once."""
    dispatch = simcord_patches.router.dispatch
    cut: dict[str, Any] = {}  # what came of the first attempt, by its nonce: simcord knows none

    def cutting(served: simcord_patches.Backend, method: str, path: str, **sent: Any) -> Any:
        if method != "POST" or "<@" not in str(sent) or "/messages" not in path:
            return dispatch(served, method, path, **sent)
        nonce = sent["json"]["nonce"]
        if nonce not in cut:
            cut[nonce] = dispatch(served, method, path, **sent) if is_taken else None
            raise ServerDisconnectedError
        return cut[nonce] or dispatch(served, method, path, **sent)

    table = await owing(harness, "Chloé")
    monkeypatch.setattr(simcord_patches.router, "dispatch", cutting)
    await busy(table, "Léa", "Bruno", "Dora", seconds=90)
    assert len(cut) == 1
    await harness.advance(21)
    await table.settle()
    (call,) = calls(harness)
    assert call.startswith(f"<@{harness['Chloé'].id}> — la table vous attend")


async def test_a_match_pauses_when_nobody_is_left_and_others_take_the_seats_of_leavers(
    harness: Harness, table: Table
) -> None:
    await harness.advance(95)
    (call,) = calls(harness)
    assert "Si personne ne vient, la partie se mettra en pause <t:" in call
    assert "robot" not in call
    assert "plus personne" in await table.later(30)
    (call,) = calls(harness)
    assert call.endswith("— la partie est en pause : elle continue dès que quelqu'un la reprend.")
    assert "chasse est ouverte" in await table.after(harness["Dora"].click("▶ Reprendre", table.message()))
    await harness.advance(EDIT_INTERVAL)
    assert calls(harness) == []

    # A robot follows who leaves, and then somebody who watched.
    hand = table.hand("Chloé")
    assert "Vous avez quitté la table" in await harness["Chloé"].agree("kems leave")
    await harness.advance(3)
    former = next(m for m in reversed(harness["Chloé"].messages()) if m.ephemeral and "plus à cette table" in m.text)
    assert former.controls == ()
    assert not any(m.ephemeral and m.control(f"k1:{table.id}:put:{hand[0]}") for m in harness["Chloé"].messages())
    assert "Chloé" not in table.board()
    assert "🪑" in table.board()
    for name in ("Léa", "Bruno"):
        assert "Chloé s'en va : 🤖" in table.panel(name).text
    assert "Vous n'êtes pas à cette table" in await table.press("Chloé", "kems")
    assert "Émile" in await table.after(harness["Émile"].click("🪑 Remplacer"))
    assert "🪑" not in table.board()
    assert table.panel("Émile").text.startswith("-# 👀\u2002"), "the partner's sign is his now"
    assert "Émile remplace " in table.panel("Léa").text
    assert len(table.hand("Émile")) == 4
    assert "quelqu'un y joue" in await harness["Fatou"].ask("kems table substitute")
    assert "Émile (doit 1 carte)" in await table.act("Émile", f"put:{table.hand('Émile')[0]}")

    await table.after(harness["Bruno"].agree("kems leave"))
    assert "vous connaissez son signe" in await harness["Chloé"].press("🪑 Remplacer")
    await harness["Léa"].agree("kems leave")
    assert "en pause" in await harness["Émile"].ask("kems table pause"), "the host's role has passed on"
    for name in ("Émile", "Dora"):
        await harness[name].agree("kems leave")
    assert "fermée" in await table.settle(), "nobody is left"


async def test_open_seats_of_a_friendly_match_are_taken_but_not_by_a_removed_player(harness: Harness) -> None:
    table = await hunting(harness, rules="classic target=6")
    lea, bruno, dora = (harness[name] for name in ("Léa", "Bruno", "Dora"))
    for comes_back in (lambda: dora.click("🪑 Remplacer"), lambda: dora.slash("kems table substitute")):
        assert "Dora laisse sa place" in await lea.ask("kems table substitute", member=dora)
        assert "Dora 🪑" in await table.settle()
        assert "🪑" not in await table.after(comes_back())
        assert len(table.hand("Dora")) == 4
    await table.after(lea.slash("kems table substitute", member=bruno))
    assert "🪑" not in await table.act("Bruno", "hand"), "any press gives the seat back"
    await table.after(lea.slash("kems table substitute", member=bruno))
    assert "Fatou" in await table.after(harness["Fatou"].click("🪑 Remplacer"))
    assert "Bruno" not in table.board()

    assert "Réservé à l'hôte" in await harness["Fatou"].agree("kems table kick", member=dora)
    assert "Émile n'est pas à cette table" in await lea.agree("kems table kick", member=harness["Émile"])
    assert "Dora ne joue plus à cette table" in await lea.agree("kems table kick", member=dora)
    await table.settle()
    assert "exclu de cette table" in await dora.press("🪑 Remplacer")
    await table.after(lea.agree("kems leave"))
    await lea.click("🪑 Remplacer")  # the first open seat is her own
    assert "Léa" in await table.settle()


async def test_a_player_may_leave_and_choose_before_the_match(harness: Harness) -> None:
    await harness["Léa"].slash("kems start")
    await harness["Bruno"].click("Rejoindre")
    assert "pas encore commencé" in await harness["Bruno"].ask("kems table substitute")
    await harness["Léa"].slash("kems table absent", then="wait")
    assert "Vous avez quitté" in await harness["Bruno"].agree("kems leave")
    await harness.advance(1.5)
    assert "Bruno" not in harness["Léa"].last(ephemeral=False).text
    assert "rejoignez-la" in await harness["Bruno"].agree("kems leave")


async def test_two_people_with_the_same_name_are_numbered(harness: Harness) -> None:
    for name in ("Bruno", "Dora"):
        harness.env.backend.edit_member(harness.guild.id, harness[name].id, {"nick": "Alex"})
    await harness.settle()
    table = await hunting(harness)
    assert "Alex (2)" in table.board()
    await table.press("Léa", "counter")
    at = [control.label for control in table.panel("Léa").controls if "counter_at" in control.custom_id]
    assert len(at) == len(set(at)) == 2
