"""Sets logging up: structlog and the standard library in one format on stderr, with secrets masked in every line.

It knows no other part of the project. A module that logs has `_log = structlog.get_logger(__name__)`.
"""

import logging
import re
import sys
from typing import Final, Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

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
    "alembic": logging.WARNING,  # `bot.store.engine.migrate` logs a migration in its own words
    "sqlalchemy.pool": logging.CRITICAL,  # a traceback for each connection that an outage takes; the stores say it
    "discord": logging.INFO,  # at DEBUG it logs whole payloads, interaction tokens and private panels among them
}


def redact(text: str) -> str:
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def configure(
    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"], form: Literal["console", "json"], stream: TextIO | None = None
) -> None:
    """Sends every logger of the process to `stream` (default stderr) alone."""
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
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(form, colors=stream.isatty()),
                _redact_line,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name, least in _QUIETER.items():
        logging.getLogger(name).setLevel(max(least, root.level))
    logging.captureWarnings(True)


def _renderers(form: Literal["console", "json"], *, colors: bool) -> list[Processor]:
    if form == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    plain = structlog.dev.plain_traceback  # the rich one prints local variables
    return [structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain)]


def _redact_line(_logger: WrappedLogger, _method: str, line: EventDict | str) -> str:
    """Redacts the finished line, in which values, nested values and tracebacks are all text."""
    return redact(str(line))
