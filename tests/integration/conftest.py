"""A running bot, and a table in it, for tests that say by marks what is different there."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.art.drawing_queue import DrawingQueue
from bot.base import worker
from bot.records.pictures import BoardPicture, MatchPicture, Picture, PictureFile
from bot.store.engine.database import Database
from bot.store.tables import log_packing
from bot.tables import erasure
from bot.ui.daily_post import feature as daily_post
from bot.ui.ladder import podiums
from tests.integration.askers import watched_requests
from tests.integration.evening import Evening
from tests.integration.harness import Harness
from tests.integration.seasons import WEEK, Server
from tests.integration.sqlite_in_loop import answer_in_loop, share_compiled_statements
from tests.integration.table import Table, hunting, kems, settings_for
from tests.store.conftest import opened


@pytest.fixture
async def harness(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Harness]:
    """The bot with a database in `tmp_path`, four members and one channel.

    The marks `kems` of the test and of its file change that, and so does a parameter `locale`.
    """
    marks = reversed([*request.node.iter_markers("kems")])
    options = {name: value for mark in marks for name, value in mark.kwargs.items()}
    if "locale" in request.fixturenames:
        options["locale"] = request.getfixturevalue("locale")
    async with kems(tmp_path, **options) as running:
        yield running


@pytest.fixture
async def table(harness: Harness) -> Table:
    """A table of four in the harness: cards are dealt, and the hunt is open."""
    return await hunting(harness)


@pytest.fixture
async def database(harness: Harness, tmp_path: Path) -> AsyncIterator[Database]:
    """The harness's database, beside the bot."""
    async with opened(settings_for(tmp_path).database_url) as found:
        yield found


@pytest.fixture(autouse=True)
def _at_leisure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot does its regular work when something is due, and not every hour, too: days and months pass."""
    for module, name in (
        (daily_post, "HOUR_MS"), (erasure, "DAILY_MS"), (erasure, "RESUME_MS"),
        (podiums, "LONGEST_MS"), (worker, "LONGEST_MS"), (log_packing, "FIRST_MS"), (log_packing, "EVERY_MS"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, 1000 * 52 * WEEK)


@pytest.fixture(autouse=True)
def asked_outside() -> Iterator[set[str]]:
    """Files besides those of the room for Discord that make requests: there are none after a test."""
    with watched_requests() as outside:
        yield outside
    assert not outside, "only the room for Discord makes requests"


@pytest.fixture(autouse=True, scope="module")
def _cheap_statements() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        answer_in_loop(patch)
        share_compiled_statements(patch)
        yield


@pytest.fixture(autouse=True)
def _charts_undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a chart shows is read from its words; `tests/art` draws them all, and tests marked `drawn` do."""
    if request.node.get_closest_marker("drawn") is not None:
        return
    drawn = DrawingQueue.draw

    async def draw(queue: DrawingQueue, picture: Picture) -> PictureFile:
        if isinstance(picture, BoardPicture | MatchPicture):
            return PictureFile(b"a chart", "png")
        return await drawn(queue, picture)

    monkeypatch.setattr(DrawingQueue, "draw", draw)


@pytest.fixture
async def here(harness: Harness, database: Database) -> Server:
    """The harness's server, which wants podiums in a channel, and champions to have a role."""
    made = Server(harness, database)
    await made.chooses(podium_channel=made.channel.id, champion_role=made.role.id)
    return made


@pytest.fixture
def evening(harness: Harness) -> Evening:
    return Evening(harness)
