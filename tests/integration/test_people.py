"""People who do not come, leave, are sent away or step in, through Discord."""

from pathlib import Path
from typing import Any

import pytest
from aiohttp import ServerDisconnectedError

from bot.ui.live.reminders import EDIT_INTERVAL
from tests.integration import simcord_patches
from tests.integration.harness import PEOPLE, Harness
from tests.integration.managing import answer_of
from tests.integration.table import Table, hunting, kems

WATCHED = (*PEOPLE, "Emil", "Farah")


async def owing(harness: Harness, name: str) -> Table:
    """A hunt in which somebody has put down a card, and then does nothing; chance takes none for them."""
    table = await hunting(harness, rules="classic take_limit=0")
    await table.press(name, f"put:{table.hand(name)[0]}")
    return table


async def busy(table: Table, *names: str, seconds: int) -> None:
    """These people look at their hands now and then."""
    for _ in range(seconds // 15):
        await table.harness.advance(15)
        for name in names:
            await table.press(name, "hand")


def calls(harness: Harness) -> list[str]:
    """The messages that mention somebody."""
    return [m.text for m in harness["Léa"].messages() if "<@" in m.text and not m.ephemeral]


async def test_who_does_not_come_is_called_and_a_robot_plays_until_they_are_back(tmp_path: Path) -> None:
    async with kems(tmp_path, afk_seconds=90) as harness:
        table = await owing(harness, "Chloé")
        await busy(table, "Léa", "Bruno", "Dora", seconds=90)
        (call,) = calls(harness)
        assert call.startswith(f"<@{harness['Chloé'].id}> — la table vous attend")
        assert "un robot jouera à votre place <t:" in call
        await busy(table, "Léa", "Bruno", "Dora", seconds=45)
        await table.settle()
        (call,) = calls(harness)
        assert call.startswith(f"<@{harness['Chloé'].id}> — un robot joue à votre place : appuyez")
        assert "<t:" not in call
        assert "Chloé (🤖)" in table.board()
        assert "doit 1 carte" not in table.board(), "the robot has taken one"
        await harness.restart(crash=True)
        await busy(table, "Léa", "Bruno", "Dora", seconds=120)
        assert "Chloé (🤖)" in table.board()
        await table.press("Chloé", "hand")
        await table.settle()
        assert "(🤖)" not in table.board()
        assert len(table.hand("Chloé")) == 4
        assert len(calls(harness)) == 1


async def test_a_reaction_is_presence_as_well(tmp_path: Path) -> None:
    async with kems(tmp_path, afk_seconds=90) as harness:
        table = await owing(harness, "Chloé")
        await busy(table, "Léa", "Bruno", "Dora", seconds=135)
        assert "Chloé (🤖)" in table.board()
        await harness["Chloé"].react("☕", table.message())
        await table.settle()
        assert "(🤖)" not in table.board()
        assert "Chloé ☕" in table.board()


@pytest.mark.parametrize("what", ["help", "sign_panel", "counter", "resume"])
async def test_any_press_at_the_table_is_presence(tmp_path: Path, what: str) -> None:
    async with kems(tmp_path, afk_seconds=90) as harness:
        table = await owing(harness, "Chloé")
        await busy(table, "Léa", "Bruno", "Dora", seconds=135)
        assert "Chloé (🤖)" in table.board()
        await table.forge("Chloé", f"k1:{table.id}:{what}")
        await table.settle()
        assert "(🤖)" not in table.board()


async def test_whose_seat_is_open_takes_it_back_by_stepping_in(tmp_path: Path) -> None:
    async with kems(tmp_path, people=WATCHED) as harness:
        table = await hunting(harness, rules="classic target=5")
        dora = harness["Dora"]
        for comes_back in (lambda: dora.click("🪑 Remplacer"), lambda: dora.slash("kems substitute")):
            await harness["Léa"].slash("kems substitute", member=harness["Dora"].actor)
            await table.settle()
            assert "Dora 🪑" in table.board()
            await comes_back()
            await table.settle()
            assert "🪑" not in table.board()
            assert len(table.hand("Dora")) == 4


@pytest.mark.parametrize(
    ("choice", "said", "shown", "then"),
    [
        ("wait", "boutons.", "Chloé (doit 1 carte)", "boutons."),
        ("substitute", "votre place sera à prendre <t:", "Chloé 🪑 (doit 1 carte)", "votre place est à prendre"),
        ("end", "la table fermera <t:", "fermée", None),
    ],
)
async def test_the_host_chooses_what_happens_then(
    tmp_path: Path, choice: str, said: str, shown: str, then: str | None
) -> None:
    async with kems(tmp_path, afk_seconds=90, people=WATCHED) as harness:
        table = await owing(harness, "Chloé")
        assert "Réservé à l'hôte" in await answer_of(harness["Bruno"], "kems absent", then=choice)
        await harness["Léa"].slash("kems absent", then=choice)
        await busy(table, "Léa", "Bruno", "Dora", seconds=105)
        assert said in calls(harness)[0]
        await harness.advance(20)
        assert shown in table.board()
        assert [then in call for call in calls(harness)] == ([] if then is None else [True])


async def test_who_comes_in_time_is_called_no_more(tmp_path: Path) -> None:
    async with kems(tmp_path, afk_seconds=90) as harness:
        table = await owing(harness, "Chloé")
        await busy(table, "Léa", "Bruno", "Dora", seconds=90)
        assert len(calls(harness)) == 1
        await harness.advance(5)
        await table.press("Chloé", "help")
        await table.settle()
        assert calls(harness) == []


@pytest.mark.parametrize("is_taken", [False, True])
async def test_a_call_outlives_a_connection_that_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_taken: bool
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

    async with kems(tmp_path, afk_seconds=90) as harness:
        table = await owing(harness, "Chloé")
        monkeypatch.setattr(simcord_patches.router, "dispatch", cutting)
        await busy(table, "Léa", "Bruno", "Dora", seconds=90)
        assert len(cut) == 1
        await harness.advance(21)
        await table.settle()
        (call,) = calls(harness)
        assert call.startswith(f"<@{harness['Chloé'].id}> — la table vous attend")


async def test_where_nobody_is_left_the_match_rests_until_somebody_goes_on(tmp_path: Path) -> None:
    async with kems(tmp_path, afk_seconds=90) as harness:
        table = await hunting(harness)
        await harness.advance(95)
        (call,) = calls(harness)
        assert "Si personne ne vient, la partie se mettra en pause <t:" in call
        assert "robot" not in call
        await harness.advance(30)
        assert "plus personne" in table.board()
        (call,) = calls(harness)
        assert call.endswith("— la partie est en pause : elle continue dès que quelqu'un la reprend.")
        await harness["Dora"].click("▶ Reprendre", table.message())
        await table.settle()
        assert "chasse est ouverte" in table.board()
        await harness.advance(EDIT_INTERVAL)
        assert calls(harness) == []


async def test_who_leaves_is_followed_by_a_robot_and_then_by_somebody_who_watched(tmp_path: Path) -> None:
    async with kems(tmp_path, people=WATCHED) as harness:
        table = await hunting(harness)
        hand = table.hand("Chloé")
        await harness["Chloé"].agree("kems leave")
        assert "Vous avez quitté la table" in harness["Chloé"].last(ephemeral=True).text
        await harness.advance(3)
        former = next(
            m for m in reversed(harness["Chloé"].messages()) if m.ephemeral and "plus à cette table" in m.text
        )
        assert former.controls == ()
        assert not any(m.ephemeral and m.control(f"k1:{table.id}:put:{hand[0]}") for m in harness["Chloé"].messages())
        assert "Chloé" not in table.board()
        assert "🪑" in table.board()
        await table.press("Chloé", "kems")
        assert "Vous n'êtes pas à cette table" in harness["Chloé"].last(ephemeral=True).text
        await harness["Emil"].click("🪑 Remplacer")
        await table.settle()
        assert "Emil" in table.board()
        assert "🪑" not in table.board()
        assert "Votre signe : 👀" in table.panel("Emil").text, "the partner's sign is his now"
        assert len(table.hand("Emil")) == 4
        assert "quelqu'un y joue" in await answer_of(harness["Farah"], "kems substitute")
        await table.press("Emil", f"put:{table.hand('Emil')[0]}")
        await table.settle()
        assert "Emil (doit 1 carte)" in table.board()


async def test_who_is_sent_away_does_not_come_back(tmp_path: Path) -> None:
    async with kems(tmp_path, people=WATCHED) as harness:
        table = await hunting(harness, rules="classic target=5")
        await harness["Bruno"].agree("kems kick", member=harness["Dora"].actor)
        assert "Réservé à l'hôte" in harness["Bruno"].last(ephemeral=True).text
        await harness["Léa"].agree("kems kick", member=harness["Emil"].actor)
        assert "Emil n'est pas à cette table" in harness["Léa"].last(ephemeral=True).text
        await harness["Léa"].agree("kems kick", member=harness["Dora"].actor)
        assert "Dora ne joue plus à cette table" in harness["Léa"].last(ephemeral=True).text
        await table.settle()
        await harness["Dora"].click("🪑 Remplacer")
        assert "exclu de cette table" in harness["Dora"].last(ephemeral=True).text
        await harness["Léa"].agree("kems leave")
        await table.settle()
        await harness["Léa"].click("🪑 Remplacer")  # the first open seat is her own
        await table.settle()
        assert "Léa" in table.board()


async def test_nobody_steps_in_for_the_team_whose_sign_they_know(tmp_path: Path) -> None:
    async with kems(tmp_path, people=WATCHED) as harness:
        table = await hunting(harness)
        await harness["Chloé"].agree("kems leave")
        await table.settle()
        await harness["Emil"].click("🪑 Remplacer")
        await harness["Bruno"].agree("kems leave")
        await table.settle()
        await harness["Chloé"].click("🪑 Remplacer")
        assert "vous connaissez son signe" in harness["Chloé"].last(ephemeral=True).text


async def test_a_seat_is_opened_for_somebody_who_is_missed(tmp_path: Path) -> None:
    async with kems(tmp_path, people=WATCHED) as harness:
        table = await hunting(harness, rules="classic target=5")  # a friendly match
        await harness["Léa"].slash("kems substitute", member=harness["Dora"].actor)
        assert "Dora laisse sa place" in harness["Léa"].last(ephemeral=True).text
        await table.settle()
        assert "Dora 🪑" in table.board()
        await table.press("Dora", "hand")
        await table.settle()
        assert "🪑" not in table.board(), "any press gives the seat back"
        await harness["Léa"].slash("kems substitute", member=harness["Dora"].actor)
        await table.settle()
        await harness["Farah"].click("🪑 Remplacer")
        await table.settle()
        assert "Farah" in table.board()
        assert "Dora" not in table.board()


async def test_the_hosts_role_passes_on(harness: Harness) -> None:
    table = await hunting(harness)
    await harness["Léa"].agree("kems leave")
    assert "en pause" in await answer_of(harness["Bruno"], "kems pause")
    for name in ("Bruno", "Chloé", "Dora"):
        await harness[name].agree("kems leave")
    await table.settle()
    assert "fermée" in table.board(), "nobody is left"


async def test_leaving_and_choosing_before_the_match(tmp_path: Path) -> None:
    async with kems(tmp_path, afk_seconds=90) as harness:
        await harness["Léa"].slash("kems start")
        await harness["Bruno"].click("Rejoindre")
        assert "pas encore commencé" in await answer_of(harness["Bruno"], "kems substitute")
        await harness["Léa"].slash("kems absent", then="wait")
        await harness["Bruno"].agree("kems leave")
        assert "Vous avez quitté" in harness["Bruno"].last(ephemeral=True).text
        await harness.advance(1.5)
        assert "Bruno" not in harness["Léa"].last(ephemeral=False).text
        await harness["Bruno"].agree("kems leave")
        assert "rejoignez-la" in harness["Bruno"].last(ephemeral=True).text
