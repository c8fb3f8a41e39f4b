"""The event of a night among those of its server: deleted by hand, refused by Discord; what its host reads then."""

import asyncio
from datetime import datetime
from typing import Any

import discord
import pytest
from simcord.backend.errors import BackendError

from bot.base.background import RETRY_S
from bot.base.errors import StoreError
from bot.discord.api.discord_internals import request
from tests.integration.evening import Evening, in_paris
from tests.integration.harness import BRUNO, Seen
from tests.integration.mishaps import demote, hide, refuse

AGAIN = "Refaire l'événement"
REFUSED = BackendError(400, 30038, "Maximum number of uncompleted guild scheduled events reached (100)")


def events(evening: Evening) -> dict[int, Any]:
    return evening.harness.env.backend.get_guild(evening.harness.guild.id).scheduled_events


async def host_panel(evening: Evening) -> Seen:
    await evening.harness.advance(5)
    return await evening.press("night_host", evening.message())


async def delete(evening: Evening) -> None:
    (number,) = events(evening)
    evening.harness.env.backend.delete_scheduled_event(evening.harness.guild.id, number)
    await evening.harness.settle()


async def test_the_host_is_told_why_no_event_can_be_created(evening: Evening) -> None:
    harness = evening.harness
    await demote(harness, create_events=True)
    await evening.published(event="on", by_press=True)
    assert "Je ne peux pas créer d'événement" in evening.panel().text
    assert not events(evening)


async def test_the_host_is_told_the_state_of_the_event(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Discord montre l'événement, avec son titre, son heure et son salon, à tout le serveur."
    assert said not in (await evening.opened()).text, "an event is made for those alone who ask for one"
    assert said in (await evening.opened(event="on")).text, "also for those who do not see the channel of the night"

    # Discord makes none.
    with refuse(monkeypatch, "POST", "/scheduled-events", REFUSED):
        await evening.published(event="on")
        panel = await host_panel(evening)
        assert "ne figure pas parmi les événements" in panel.text
        assert "autant d'événements prévus" in panel.text
        assert "autant d'événements prévus" in (await evening.press("night_event", panel)).text
    await evening.press("night_event", evening.panel())
    assert "L'événement est en place." in evening.panel().text
    assert len(events(evening)) == 1

    # It is deleted by hand, and made again.
    assert AGAIN not in str((await host_panel(evening)).controls)
    await delete(evening)
    panel = await host_panel(evening)
    assert "Quelqu'un a supprimé l'événement de cette soirée." in panel.text
    panel = await evening.press("night_event", panel)
    assert "L'événement est en place." in panel.text
    assert AGAIN not in str(panel.controls)
    assert [event.name for event in events(evening).values()] == ["Soirée d'essai"]

    # It is deleted while no bot runs.
    await delete(evening)
    await evening.harness.restart()
    panel = await host_panel(evening)
    assert "Quelqu'un a supprimé" in panel.text
    await evening.press("night_event", panel)

    # It does not follow its night.
    with refuse(monkeypatch, "PATCH", "/scheduled-events/", BackendError(403, 50013, "Missing Permissions")):
        await evening.edit(in_paris(evening.night().plan.starts_at / 1000 + 3600))
        assert "Il me manque cette permission : Créer des événements." in (await host_panel(evening)).text
    await evening.harness.restart()
    panel = await host_panel(evening)
    assert "ne montre pas cette soirée telle qu'elle est" in panel.text, "its time is compared"
    await evening.press("night_event", panel)
    (event,) = events(evening).values()
    assert event.scheduled_start_time.startswith(evening.harness.now().strftime("%Y-"))
    assert AGAIN not in str((await host_panel(evening)).controls)

    # It outlives its night.
    with refuse(monkeypatch, "DELETE", "/scheduled-events/", BackendError(403, 50013, "Missing Permissions")):
        night = evening.night()
        await evening.cancel("Annuler la soirée…")
        await evening.harness.advance(5)
    told = await evening.host.ask("kems-admin night host", night=night.id)
    assert "supprimez-le à la main" in told
    assert AGAIN not in str(evening.panel().controls)


def let_wait(monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[int]:
    """Discord lets events wait, as after a 429 with such a Retry-After. Returns the servers of these requests."""
    asked: list[int] = []

    async def late(client: discord.Client, method: str, *sent: Any, guild_id: int, **ids: int) -> Any:
        if method == "POST":
            asked.append(guild_id)
            await asyncio.sleep(seconds)
        return await request(client, method, *sent, guild_id=guild_id, **ids)  # type: ignore[arg-type]

    monkeypatch.setattr("bot.discord.places.events.request", late)
    return asked


async def test_nights_work_while_discord_delays_an_event(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = let_wait(monkeypatch, 300)
    for minutes in (60, 120):
        await evening.published(minutes, event="on")
    await evening.harness.advance(5)
    assert len(asked) == 2, "no event waits for that of another night"
    first, second = sorted(evening.sign_ups(), key=lambda one: one.id)
    for shown in (first, second):
        await evening.press("night_join", shown, BRUNO)
    await evening.harness.advance(10)
    assert all(BRUNO in evening.again(shown).text for shown in (first, second))
    await evening.harness.advance(300)
    assert len(events(evening)) == 2


async def test_a_refused_event_is_reported_while_it_is_requested_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refuse(monkeypatch, "POST", "/scheduled-events", REFUSED):
        await evening.published(event="on")
        panel = await host_panel(evening)
    let_wait(monkeypatch, 300)
    await evening.press("night_event", panel)
    panel = await host_panel(evening)
    assert "autant d'événements prévus" in panel.text
    assert "en place" not in panel.text
    await evening.harness.advance(300)
    assert AGAIN not in str((await host_panel(evening)).controls)
    assert len(events(evening)) == 1


@pytest.mark.parametrize("change", ["moved", "cancelled", "hidden"])
async def test_a_delayed_event_shows_the_latest_changes(
    change: str, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_wait(monkeypatch, 300)
    await evening.published(event="on")
    if change == "moved":
        await evening.edit(in_paris(evening.night().plan.starts_at / 1000 + 3600))
    elif change == "hidden":
        hide(evening.harness, evening.harness.channel.id)
    else:
        await evening.cancel("Annuler la soirée…")
    await evening.harness.advance(400)
    shown = [datetime.fromisoformat(event.scheduled_start_time) for event in events(evening).values()]
    moved = [evening.night().plan.starts_at] if change == "moved" else []
    assert [at.timestamp() * 1000 for at in shown] == moved


async def test_an_event_is_saved_although_the_database_fails_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, tries = evening.harness.bot.rooms.nights._store, []
    save = store.save

    async def once(night: Any) -> None:
        if night.event_id is not None:
            tries.append(night)
        if len(tries) == 1:
            raise StoreError("full")
        await save(night)

    monkeypatch.setattr(store, "save", once)
    await evening.published(event="on")
    await evening.harness.advance(RETRY_S + 5)
    assert AGAIN not in str((await host_panel(evening)).controls), "a second one would stand beside it"
    assert evening.night().event_id in events(evening)
