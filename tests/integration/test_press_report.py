"""`kems why` explains each press of a player who says that it did nothing, and names no card."""

import re
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from bot.base.errors import KemsError
from bot.base.settings import Settings
from bot.discord.interactions.admission.admission import PressRate
from bot.operating.operations import explain_presses
from bot.operating.press_report import instants, report
from bot.store.engine.database import Database
from bot.store.records.press_notes import SqlPressNoteStore
from tests.integration.harness import Harness
from tests.integration.table import Table
from tests.integration.test_calls import slow_line
from tests.integration.test_storage import gone

OWN_CARD = re.compile(r"\b[2-9TJQKA][SHDC]\b|[♠♥♦♣]")
NOON = datetime(2026, 11, 23, 12, 0, tzinfo=timezone(timedelta(hours=1)))


async def why(harness: Harness, database: Database, name: str) -> str:
    """What the host reads about a member's presses of this moment."""
    await harness.advance(2)
    now = harness.now()
    return await report(SqlPressNoteStore(database), harness[name].id, now - timedelta(seconds=30), 1, now)


async def late(table: Table) -> None:
    with slow_line(table.harness) as under_way:
        await table.press("Bruno", f"put:{table.hand('Bruno')[0]}")
    await table.harness.advance(3.5)
    for event in under_way:
        table.harness.env.backend.emit(*event)


async def unsaved(table: Table) -> None:
    with gone():
        await table.press("Bruno", f"put:{table.hand('Bruno')[0]}")


async def too_late(table: Table) -> None:
    await table.swap("Léa", table.spare("Léa"), card := table.pool()[0])
    await table.press("Bruno", f"put:{table.spare('Bruno')}")
    await table.forge("Bruno", f"k1:{table.id}.1:take:{card}")


async def taken_over(table: Table) -> None:
    """Its process has lost its database for longer than its lease; nobody answers."""
    with slow_line(table.harness) as under_way:
        await table.press("Bruno", f"put:{table.hand('Bruno')[0]}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table.harness.bot.rooms.store.cluster, "acts_until", 0.0)
        for event in under_way:
            table.harness.env.backend.emit(*event)
        await table.harness.advance(0.5)


async def old_panel(table: Table) -> None:
    """A panel of a match that is over."""
    panel = table.panel("Bruno")
    await table.harness["Léa"].agree("kems table end")
    await table.harness["Bruno"].forge(f"k1:{table.id}.1:kems", panel)


async def form(table: Table) -> None:
    await table.forge("Bruno", f"k1:{table.id}.1:sign_text", sign="bonne chance")


COMPLAINTS: dict[str, Callable[[Table], Awaitable[object]]] = {
    r"put at table 1: answered \(": lambda table: table.press("Bruno", f"put:{table.hand('Bruno')[0]}"),
    r"take at table 1: refused: not_in_pool, Too late": too_late,
    r"take at table 1: refused: hand_full, Put a card down first": lambda table: table.forge(
        "Bruno", f"k1:{table.id}.1:take:{table.pool()[0]}"
    ),
    r"put at table 1: turned away: it reached the bot more than three seconds": late,
    r"put at table 1: not done: the database could not save it": unsaved,
    r"kems at table 1: refused: former_round, The round has changed": lambda table: table.forge(
        "Bruno", f"k1:{table.id}.7:kems"
    ),
    r"put at table 1: not answered: the bot had lost touch with its database": taken_over,
    r"sign_text at table 1: refused: what was written cannot be a sign": form,
    r"unknown: outdated": lambda table: table.forge("Bruno", "k1:1:nothing_of_the_kind"),
    r"pause: refused: Réservé": lambda table: table.harness["Bruno"].slash("kems table pause"),
    r"sign: refused: Ici, seuls les emojis": lambda table: table.harness["Bruno"].slash("kems sign", gesture="x" * 90),
    r"kems at table 1: refused: Cette table n.existe plus": old_panel,
}


async def test_each_complaint_about_a_press_is_explained(harness: Harness, table: Table, database: Database) -> None:
    """Long after each other, so that what `why` tells is of one complaint alone."""
    for said, complained_of in COMPLAINTS.items():
        await harness.advance(120)
        if len(table.hand("Bruno")) < 4:
            await table.press("Bruno", f"take:{table.pool()[0]}")
            await harness.advance(120)
        await complained_of(table)
        told = await why(harness, database, "Bruno")
        assert re.search(said, told), told
        assert not OWN_CARD.search(told), told


@pytest.mark.kems(pace=PressRate(burst=2, per_second=0.1))
async def test_a_press_that_came_too_fast_is_explained(harness: Harness, database: Database) -> None:
    for _ in range(4):
        await harness["Bruno"].slash("kems records stats")
    assert "kems: turned away: too many presses of this person" in await why(harness, database, "Bruno")


async def test_a_press_that_never_arrived_is_explained(harness: Harness, database: Database) -> None:
    assert "No press of anybody reached the bot" in await why(harness, database, "Bruno")
    await harness["Léa"].slash("kems records stats")
    assert "they have deleted their data. Presses of others: 1." in await why(harness, database, "Bruno")


async def test_an_erasure_leaves_no_press_behind(harness: Harness, database: Database) -> None:
    bruno = harness["Bruno"]
    await bruno.slash("kems records stats")
    await bruno.slash("kems privacy delete")
    await bruno.press("k1:0:forget")
    assert "Presses: 0." in await why(harness, database, "Bruno")


@pytest.fixture
def paris(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The zone of this machine."""
    with monkeypatch.context() as environment:
        environment.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("paris")
@pytest.mark.parametrize(
    ("text", "hours"), [("11:03", 0), ("11:03:00", 0), ("13:03", -22), ("2026-11-22 11:03", -24), ("12:00", 57 / 60)]
)
def test_a_time_means_its_latest_occurrence_in_the_past(text: str, hours: float) -> None:
    assert instants(text, NOON) == [NOON + timedelta(hours=hours, minutes=-57)]


@pytest.mark.usefixtures("paris")
@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("2026-10-24 21:03", ["21:03 CEST"]),  # this morning it is winter already
        ("02:30", ["02:30 CEST", "02:30 CET"]),  # it came twice this night
        ("03:00", ["03:00 CET"]),
    ],
)
def test_a_time_keeps_its_day_when_summer_time_ends(text: str, times: list[str]) -> None:
    morning = datetime(2026, 10, 25, 9, 0, tzinfo=timezone(timedelta(hours=1)))
    assert [f"{at:%H:%M %Z}" for at in instants(text, morning)] == times


@pytest.mark.usefixtures("paris")
@pytest.mark.parametrize("text", ["nine", "25:00", "2026-11-24 11:03", "2026-11-20 11:03", "0001-01-01 00:00", ""])
def test_text_that_is_no_time_and_times_no_longer_kept_are_refused(text: str) -> None:
    with pytest.raises(KemsError):
        instants(text, NOON)


async def test_explaining_presses_creates_no_database(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path}/kems.db")
    with pytest.raises(KemsError, match=r"There is no database .* to look into: has the bot run here\?"):
        await explain_presses(settings, 7, "21:03", 3)
    assert list(tmp_path.iterdir()) == []
