"""Discord opens no threads: hosts read what it said and what to do, and nothing is judged meanwhile."""

import pytest
from simcord.backend.errors import BackendError

from tests.integration.evening import EIGHT, MINUTE, Evening, part_id
from tests.integration.harness import PEOPLE, Harness
from tests.integration.mishaps import posted, refuse
from tests.integration.table import lobby

MANY = BackendError(400, 160006, "Maximum number of active threads reached (1000)")
REFUSALS = {
    "1000 threads": (MANY, "autant de fils ouverts que Discord en permet"),
    "another kind": (
        BackendError(400, 50024, "Cannot execute action on this channel type"),
        "un salon d'un autre genre",
    ),
    "not allowed": (BackendError(403, 50013, "Missing Permissions"), "Créer des fils publics"),
}
FIRST, *OTHERS = REFUSALS


@pytest.mark.parametrize("name", [FIRST, *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS)])
async def test_a_night_pauses_without_threads_and_its_host_is_told_why(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    refusal, remedy = REFUSALS[name]
    with refuse(monkeypatch, "POST", "/threads", refusal):
        await evening.published()
        await evening.join(*EIGHT[:4])
        await evening.harness.advance(61 * MINUTE)
        assert "La soirée est en pause" in evening.message().text
        (call,) = (seen for seen in evening.host.messages() if "Discord n'ouvre pas de fil" in seen.text)
        assert f"<@{evening.host.id}>" in call.text
        panel = await evening.press("night_host", call)
        assert remedy in panel.text
        await evening.host.choose(part_id(panel, "night_table"), "1", message=panel)
        assert "À la table 1, la partie n'a pas commencé." in evening.panel().text
        await evening.harness.advance(10 * MINUTE)
        assert all(table.result is None for table in evening.night().all_tables)
    await evening.harness.advance(60)
    assert evening.night().paused_at is None, "it goes on by itself"
    assert all(table.table_id is not None for table in evening.night().all_tables)
    assert not [seen for seen in evening.host.messages() if "Discord n'ouvre pas de fil" in seen.text]


async def test_the_host_moves_the_tables_to_another_channel(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = evening.harness
    other = harness.guild.create_text_channel("tournoi")
    with refuse(monkeypatch, "POST", f"/{harness.channel.id}/threads", MANY):
        await evening.published()
        await evening.join(*EIGHT[:4])
        await harness.advance(61 * MINUTE)
        panel = await evening.press("night_host", evening.message())
        await evening.host.choose(part_id(panel, "night_place"), other, message=panel)
        assert f"Les tables s'ouvrent dans <#{other.id}>." in evening.panel().text
        await harness.advance(60)
        assert all(table.table_id is not None for table in evening.night().all_tables)
        assert len(other.threads) == 1
        assert evening.message().channel_id == harness.channel.id, "the board stays where people look for it"


@pytest.mark.kems(table_threads=True)
async def test_a_table_says_why_it_stays_in_its_channel(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    for refusal, remedy in REFUSALS.values():
        harness.enter("salon")
        table = await lobby(harness, thread=True)
        await table.seat(*(harness[name] for name in PEOPLE[1:]))
        await table.settle()
        with refuse(monkeypatch, "POST", "/threads", refusal):
            await table.after(harness["Léa"].click("Commencer"))
        board, line = posted(harness, harness.channel.id)
        assert line.text.startswith("La table reste dans ce salon.")
        assert remedy in line.text
        assert board.control(f"k1:{table.id}:sign_panel"), "it is played here"
        await table.after(harness["Léa"].agree("kems table end"))
