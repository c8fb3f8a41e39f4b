"""A whole Friday that nobody hosts: announced with one press, played, told, and announced again on Monday."""

from datetime import datetime
from zoneinfo import ZoneInfo

from bot.nights.changes import Duty
from bot.nights.night import NightStatus
from tests.integration.evening import EIGHT, MINUTE, Evening
from tests.integration.harness import BRUNO, EVERYBODY, LEA, Harness, Seen

CHLOE = EVERYBODY[2]
IDLE_S = 100
"""So often somebody does something who is there."""
PARIS = ZoneInfo("Europe/Paris")


async def announced(evening: Evening) -> Seen:
    await evening.host.slash("kems night")
    await evening.host.click("⚡ Vendredi 21 h", evening.panel())
    await evening.harness.advance(3)
    return evening.message()


async def play(evening: Evening, *names: str) -> None:
    """Until the night is over these people make a gesture now and then at their tables; all others do nothing."""
    harness, home = evening.harness, evening.harness.channel
    for _ in range(60 * MINUTE // IDLE_S):
        await harness.advance(IDLE_S)
        if evening.night().status is NightStatus.OVER:
            break
        for name in names:
            own = evening.night().entrant_of(harness[name].id)
            table = None if own is None else evening.night().table_of(own.number)
            if table is not None and table.table_id is not None:
                harness.channel = next(one for one in home.threads if one.id == table.thread_id)
                await harness[name].slash("kems sign", gesture="🎲")
    harness.channel = home
    await harness.advance(20)


def posts(harness: Harness, words: str) -> list[Seen]:
    return [
        seen for seen in harness[LEA].messages() if words in seen.text.replace("\u00a0", " ") and not seen.ephemeral
    ]


async def test_a_friday_runs_by_itself_from_one_press_to_the_next_week(evening: Evening) -> None:
    harness = evening.harness
    message = await announced(evening)
    assert "est annoncée" in evening.panel().text
    assert "Vendredi Kem's" in message.text
    assert "3 rondes de 10 min · tables de 8" in message.text.replace("\u00a0", " ")
    plan = evening.night().plan
    begins = datetime.fromtimestamp(plan.starts_at / 1000, PARIS)
    assert (begins.weekday(), begins.hour, begins.minute) == (4, 21, 0)
    people = EIGHT[1:]
    await evening.join(*people)
    await harness.advance((plan.starts_at - harness.milliseconds()) / 1000 - 10 * MINUTE)
    (check_in,) = posts(harness, "commence <t:")
    for name in (BRUNO, CHLOE):
        await evening.press("night_ready", check_in, name)
    await harness.advance(10 * MINUTE + 10)
    night = evening.night()
    assert night.round is not None
    assert [len(table.seats) for table in night.round.tables] == [8], "one table, a robot at the free seat"
    await play(evening, BRUNO, CHLOE)
    night = evening.night()
    assert night.status is NightStatus.OVER
    assert len(night.rounds) == 3
    assert (night.ended_at or 0) - plan.starts_at <= 50 * MINUTE * 1000
    assert len(posts(harness, "remporte")) == 1
    assert Duty.HONOUR in night.done, "what stood out is found at once"
    assert not posts(harness, "La soirée en bref")

    await harness.advance(60 * 60 * 60)
    monday = datetime.fromtimestamp(harness.milliseconds() / 1000, PARIS)
    assert (monday.weekday(), monday.hour >= 9) == (0, True)
    await harness.advance(3 * 60 * MINUTE)
    (row,) = posts(harness, "Vendredi Kem's : **2** joueurs")
    assert "La prochaine soirée" in row.text
    coming = [one for one in evening.sign_ups() if one.id != message.id]
    assert len(coming) == 1
    assert "Encore personne" in coming[0].text


async def test_a_server_has_one_friday_however_often_it_is_pressed(evening: Evening) -> None:
    await announced(evening)
    panel = evening.panel()
    await evening.host.forge("k1:0:night_friday:0", panel)
    await evening.harness.advance(3)
    assert len(evening.sign_ups()) == 1
    assert "est annoncée" in evening.panel().text
    await evening.harness.advance(60)
    await evening.host.slash("kems-admin night edit")
    form = await evening.host.click(
        next(one.custom_id for one in evening.panel().controls if "night_text" in one.custom_id), evening.panel()
    )
    await evening.host.submit(form, "Autre titre", "vendredi 20h", "", "")
    await evening.press("night_save_series", evening.panel())
    await evening.host.forge("k1:0:night_friday:0", evening.panel())
    assert "Il y a déjà une soirée express chaque semaine" in evening.panel().text
    assert len(evening.sign_ups()) == 1
