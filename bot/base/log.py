"""Configures logging: structlog and the standard library in one format on stderr, with secrets masked in every line.

A repeated warning is written once a minute, so that no failure fills a disk. This module knows no other part of the
project. A module that logs has `_log = structlog.get_logger(__name__)`.
"""

import logging
import re
import sys
from dataclasses import dataclass
from typing import Any, Final, Literal, TextIO

_loaded: dict[str, Any] = sys.modules
_loaded.setdefault("rich", None)  # structlog loads it where it can, for tracebacks that this project does not write
import structlog  # noqa: E402
from structlog.typing import EventDict, Processor, WrappedLogger  # noqa: E402

if _loaded["rich"] is None:
    del _loaded["rich"]

_MASK: Final = "***"

# (what is masked, what replaces it). Discord's token formats and paths: its API reference, "Authentication"
# and "Receiving and Responding to Interactions".
_SECRETS: Final = (
    (re.compile(r"[\w-]{23,}\.[\w-]{6,7}\.[\w-]{27,}", re.ASCII), _MASK),
    (re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/\s?#\"'\\]+"), rf"\g<1>{_MASK}"),
    (re.compile(r"(\\?[\"']token\\?[\"']\s*:\s*\\?[\"'])[^\"'\\]+"), rf"\g<1>{_MASK}"),
    (re.compile(r"(\b\w*token=[\"']?)[^\s&\"',;)\]}]+", re.IGNORECASE), rf"\g<1>{_MASK}"),
    (re.compile(r"(://[^\s:/@]*:)[^\s\"'<>]+(@)"), rf"\g<1>{_MASK}\g<2>"),  # a password may hold a slash or an @
)

# The lowest levels of these libraries, whatever LOG_LEVEL is.
_QUIETER: Final = {
    "aiosqlite": logging.INFO,  # at DEBUG it logs every row that is written: hands, signs, ballots and names
    "alembic": logging.WARNING,  # `bot.store.migrate` logs a migration in its own words
    "sqlalchemy.pool": logging.CRITICAL,  # a traceback for each connection that an outage takes; the stores say it
    "discord.client": logging.ERROR,  # below it says that the bot cannot speak in voice channels, where it never does
    "discord": logging.INFO,  # at DEBUG it logs whole payloads, interaction tokens and private panels among them
}

_REST_S: Final = 60.0


@dataclass(slots=True)
class _Suppressed:
    """A warning that was written. Equal ones are left out until `until`; `last` is the latest of them."""

    until: float
    left_out: int = 0
    last: logging.LogRecord | None = None


class RepeatSuppressor(logging.StreamHandler[TextIO]):
    """Writes a warning, leaves equal ones out for a minute, then writes the last of them with their number.

    Warnings are equal if event and logger are the same, whatever their table. An error without an exception is always
    written, and so is everything of a logger at DEBUG.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._suppressed: dict[tuple[str, ...], _Suppressed] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it as a repetition."""
        self._write_held(record.created)
        if (same := _same(record)) is not None:
            if (suppressed := self._suppressed.get(same)) is not None:
                suppressed.left_out, suppressed.last = suppressed.left_out + 1, record
                return
            self._suppressed[same] = _Suppressed(record.created + _REST_S)
        super().emit(record)

    def close(self) -> None:
        """Write what is still left out, then close the stream."""
        self._write_held(float("inf"))
        super().close()

    def _write_held(self, now: float) -> None:
        for same, suppressed in [*self._suppressed.items()]:
            if suppressed.until > now:
                continue
            del self._suppressed[same]
            if suppressed.last is not None:
                self._suppressed[same] = _Suppressed(now + _REST_S)
                suppressed.last.exc_info, suppressed.last.left_out = None, suppressed.left_out
                super().emit(suppressed.last)


def _same(record: logging.LogRecord) -> tuple[str, ...] | None:
    """Return what equal warnings have in common; None for a line that is always written."""
    message: object = record.msg
    if isinstance(message, dict):  # structlog's
        event, error = message["event"], message.get("exc_info")
    else:
        event, error = message, record.exc_info and record.exc_info[1]
    if record.levelno < logging.WARNING or (record.levelno >= logging.ERROR and not error):
        return None
    if logging.getLogger(record.name).isEnabledFor(logging.DEBUG):
        return None
    return record.name, str(event), repr(sys.exception() if error is True else error)


def _tell_left_out(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    """Replace the traceback of the last equal warning by their number: the first one has the traceback."""
    if left_out := getattr(line["_record"], "left_out", 0):
        line["left_out"] = left_out
        line.pop("exc_info", None)
    return line


def redact(text: str) -> str:
    """Return a text with its secrets masked."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def configure(levels: str, form: Literal["console", "json"], stream: TextIO | None = None) -> None:
    """Send every logger of the process to one stream.

    Args:
        levels: The lowest level, and optionally that of single rooms: "INFO,tables=DEBUG".
        form: For people or for programs.
        stream: By default stderr.
    """
    stream = stream or sys.stderr
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = RepeatSuppressor(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                _tell_left_out,
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(form, colors=stream.isatty()),
                _redact_line,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    level, *of_rooms = levels.split(",")
    root.setLevel(level)
    for name, least in _QUIETER.items():
        logging.getLogger(name).setLevel(max(least, root.level))
    for room, _, own in (each.partition("=") for each in of_rooms):
        logging.getLogger(f"bot.{room}").setLevel(own)
    logging.captureWarnings(True)


def _renderers(form: Literal["console", "json"], *, colors: bool) -> list[Processor]:
    if form == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    plain = structlog.dev.plain_traceback  # the rich one prints local variables
    return [structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain)]


def _redact_line(_logger: WrappedLogger, _method: str, line: EventDict | str) -> str:
    """Mask secrets in the finished line, in which values, nested values and tracebacks are all text."""
    return redact(str(line))
