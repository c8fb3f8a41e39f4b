"""The address of a database as hosts and providers write it, for the drivers and for PostgreSQL's own programs."""

from typing import Final
from urllib.parse import urlencode
from uuid import uuid4

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.base.errors import StoreError

_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}

# Parameters of PostgreSQL addresses ("Parameter Key Words" of libpq), and of providers and poolers.
_OF_SQLALCHEMY: Final = {"host", "port", "user", "password", "prepared_statement_cache_size"}
_OF_ASYNCPG: Final = {
    *("sslmode", "sslcert", "sslkey", "sslrootcert", "sslnegotiation", "sslcrl", "sslpassword", "passfile"),
    *("ssl_min_protocol_version", "ssl_max_protocol_version", "target_session_attrs", "krbsrvname", "gsslib"),
    *("application_name", "options"),
}
_OF_LIBPQ_ALONE: Final = {
    *("channel_binding", "connect_timeout", "fallback_application_name", "client_encoding", "gssencmode"),
    *("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout", "require_auth"),
    *("sslcompression", "sslsni", "load_balance_hosts", "requirepeer", "gssdelegation"),
}
_OF_NONE: Final = {"pgbouncer", "connection_limit", "pool_timeout", "statement_cache_size", "ssl"}
"""Parameters for poolers and other libraries, and those that are translated."""


BEHIND_POOLER: Final = {
    "prepared_statement_cache_size": 0,
    "prepared_statement_name_func": lambda: f"__kems_{uuid4().hex}__",
}
"""Options for SQLAlchemy behind a pooler, as each transaction may get another connection."""


def parse_address(address: str) -> URL:
    """Return the URL of an address, with the drivers that this bot uses.

    Raises:
        StoreError: It is no address of a database, or has an unknown parameter.
    """
    try:
        url = make_url(address)
        driver = _DRIVERS[url.get_backend_name()]
    except (ArgumentError, LookupError, ValueError):
        # The address itself may hold a password, so it is not repeated.
        raise StoreError(
            "The database's address is not one: write sqlite:///kems.db or postgresql://user:password@host/name."
        ) from None
    if driver.startswith("postgresql"):
        unknown = sorted({*url.query} - _OF_SQLALCHEMY - _OF_ASYNCPG - _OF_LIBPQ_ALONE - _OF_NONE)
        if unknown:
            raise StoreError(f"The database's address has parameters that are not known: {', '.join(unknown)}.")
    return url.set(drivername=driver)


def for_driver(url: URL) -> tuple[URL, dict[str, object]]:
    """Return a PostgreSQL address in SQLAlchemy's form, and the arguments for asyncpg."""
    parameters = _parameters(url)
    options: dict[str, object] = {}
    # asyncpg reads these in an address alone, and takes everything else there for settings of the server.
    if its_own := {name: value for name, value in parameters.items() if name in _OF_ASYNCPG}:
        options["dsn"] = f"postgresql://?{urlencode(its_own)}"
    pooled = "0" if parameters.get("pgbouncer", "").lower() in ("true", "1") else None
    if (size := parameters.get("statement_cache_size", pooled)) is not None and size.isdecimal():
        options["statement_cache_size"] = int(size)
        if int(size) == 0:
            options |= BEHIND_POOLER
    kept = {name: value for name, value in url.query.items() if name in _OF_SQLALCHEMY}
    return url.set(query=kept), options


def for_programs(url: URL) -> tuple[str, dict[str, str]]:
    """Return a PostgreSQL address without its password, and environment variables that have the password.

    On a command line, other users of the machine could read it.
    """
    parameters = _parameters(url)
    password = parameters.pop("password", None) if url.password is None else url.password
    kept = {name: value for name, value in parameters.items() if name not in {*_OF_NONE, "password"}}
    kept.pop("prepared_statement_cache_size", None)
    plain = URL.create(
        "postgresql", url.username, None, url.host, url.port, url.database, kept
    )  # `set` keeps passwords
    return plain.render_as_string(), {} if password is None else {"PGPASSWORD": password}


def _parameters(url: URL) -> dict[str, str]:
    """Return the parameters by name; of several values the last, as libpq does. `ssl` means `sslmode`."""
    parameters = {name: value if isinstance(value, str) else value[-1] for name, value in url.query.items()}
    if "ssl" in parameters:
        mode = {"true": "require", "1": "require", "false": "disable", "0": "disable"}
        parameters.setdefault("sslmode", mode.get(parameters["ssl"].lower(), parameters["ssl"]))
    return parameters
