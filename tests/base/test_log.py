"""Log lines: one format for all loggers, and no secret in any of them."""

import io
import json
import logging
import time
from typing import Literal

import pytest
import structlog

from bot.base.log import configure, redact

# Made up, in the portal's format: user id, time and signature in base64.
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"
INTERACTION = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTpzZWNyZXQ"

pytestmark = pytest.mark.usefixtures("logging_restored")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Authorization: Bot {TOKEN}", "Authorization: Bot ***"),
        (
            f"POST https://discord.test/api/v10/webhooks/123/{INTERACTION}/messages/@original",
            "/webhooks/123/***/messages/@",
        ),
        (f"PATCH /webhooks/123/{INTERACTION}?wait=true", "PATCH /webhooks/123/***?wait=true"),
        (f"POST /interactions/456/{INTERACTION}/callback", "POST /interactions/456/***/callback"),
        (f"{{'token': '{INTERACTION}', 'type': 3}}", "{'token': '***', 'type': 3}"),
        (json.dumps(json.dumps({"token": INTERACTION, "type": 3})), r"{\"token\": \"***\", \"type\": 3}"),
        ("postgresql+asyncpg://kems:s3cret@db/kems", "postgresql+asyncpg://kems:***@db/kems"),
        ("postgresql://kems:s3/cr@et@db/kems?sslmode=require", "postgresql://kems:***@db/kems?sslmode=require"),
        (f"interaction_token={INTERACTION} round=3", "interaction_token=*** round=3"),
        (f"Webhook(token='{INTERACTION}', id=7)", "Webhook(token='***', id=7)"),
    ],
)
def test_secrets_are_masked_and_other_text_stays(text: str, expected: str) -> None:
    assert expected in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "table 123456789012345678: Léa puts 8♥ down",
        "https://discord.test/api/v10/channels/123456789012345678/messages/123456789012345678",
        "http://127.0.0.1:8137/lea",
        '{"url": "http://127.0.0.1:8137/lea", "to": "lea@test"}',
        "postgresql+asyncpg://db/kems",
    ],
)
def test_text_without_a_secret_is_left_alone(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("form", ["console", "json"])
def test_no_secret_leaves_by_message_value_or_traceback(form: Literal["console", "json"]) -> None:
    stream = io.StringIO()
    configure("INFO", form, stream)
    structlog.get_logger("ours").warning(f"login with {TOKEN}", nested={"deep": [TOKEN]})
    logging.getLogger("theirs").warning("login with %s", TOKEN)
    try:
        raise RuntimeError(f"/webhooks/123/{INTERACTION}/messages")
    except RuntimeError:
        logging.getLogger("theirs").exception("it broke")
        structlog.get_logger("ours").exception("it broke")
    written = stream.getvalue()
    assert TOKEN not in written
    assert INTERACTION not in written
    assert written.count("***") >= 5
    assert written.count("RuntimeError") >= 2


def test_json_lines_have_logger_time_and_event() -> None:
    stream = io.StringIO()
    configure("INFO", "json", stream)
    structlog.get_logger("bot.tables").info("round over", table=7, winner="équipe 1")
    logging.getLogger("discord.gateway").info("connected as %s", "Kem's")
    ours, theirs = map(json.loads, stream.getvalue().splitlines())
    assert (ours["event"], ours["table"], ours["winner"]) == ("round over", 7, "équipe 1")
    assert (ours["logger"], ours["level"]) == ("bot.tables", "info")
    assert ours["timestamp"].endswith("Z")
    assert (theirs["event"], theirs["logger"]) == ("connected as Kem's", "discord.gateway")


@pytest.mark.parametrize(
    ("level", "logger", "said_at", "is_written"),
    [
        ("DEBUG", "bot.ui", logging.DEBUG, True),
        ("DEBUG", "discord.gateway", logging.DEBUG, False),  # a whole payload
        ("DEBUG", "discord.gateway", logging.INFO, True),
        ("ERROR", "discord.gateway", logging.WARNING, False),
        ("ERROR", "bot.ui", logging.WARNING, False),
        ("INFO", "discord.client", logging.WARNING, False),  # no voice library is there
        ("INFO", "discord.client", logging.ERROR, True),
        ("INFO", "sqlalchemy.pool.impl.AsyncAdaptedQueuePool", logging.ERROR, False),  # the store tells of an outage
        ("INFO", "alembic.runtime.migration", logging.INFO, False),  # the bot tells of a migration
        ("INFO", "alembic.runtime.migration", logging.WARNING, True),
    ],
)
def test_libraries_log_no_more_than_their_level_allows(level: str, logger: str, said_at: int, is_written: bool) -> None:
    stream = io.StringIO()
    configure(level, "console", stream)
    logging.getLogger(logger).log(said_at, "something")
    assert ("something" in stream.getvalue()) is is_written


def test_one_room_may_log_more_than_the_others() -> None:
    stream = io.StringIO()
    configure("WARNING,discord.rate_limits=DEBUG", "json", stream)
    for name in ("bot.discord.rate_limits.responses", "bot.discord.interactions.router", "bot.tables.directory"):
        structlog.get_logger(name).debug("something")
    assert [json.loads(line)["logger"] for line in stream.getvalue().splitlines()] == [
        "bot.discord.rate_limits.responses"
    ]


def test_equal_warnings_are_written_once_a_minute_with_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream, began, seconds = io.StringIO(), time.time(), [0.0]
    configure("INFO,ui=DEBUG", "json", stream)
    monkeypatch.setattr(time, "time", lambda: began + seconds[0])
    monkeypatch.setattr(time, "time_ns", lambda: int((began + seconds[0]) * 1e9))  # which newer Pythons ask
    ours, theirs, busy = map(structlog.get_logger, ("bot.tables", "bot.store", "bot.ui"))
    for table in range(100):
        seconds[0] = table
        ours.warning("not_saved", table=table)
        logging.getLogger("discord.http").warning("%s is slow", table)
        try:
            raise KeyError("x")
        except KeyError:
            theirs.exception("failed")
    ours.info("not_saved")
    for level in (theirs.error, theirs.error, busy.warning, busy.warning):
        level("damaged")
    logging.root.handlers[0].close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    told = [(line["event"], line.get("table"), line.get("left_out", 0)) for line in lines]
    assert sorted(told, key=str) == sorted(
        [
            ("not_saved", 0, 0), ("not_saved", 59, 59), ("not_saved", 99, 40), ("not_saved", None, 0),
            ("0 is slow", None, 0), ("59 is slow", None, 59), ("99 is slow", None, 40),
            ("failed", None, 0), ("failed", None, 59), ("failed", None, 40),
            *[("damaged", None, 0)] * 4,
        ],
        key=str,
    )  # fmt: skip
    assert ["exception" in line for line in lines if line["event"] == "failed"] == [True, False, False]
