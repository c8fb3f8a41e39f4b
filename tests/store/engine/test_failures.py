"""What a database's driver says, in sentences."""

import asyncpg
import pytest

from bot.store.engine.failures import UnreachedError, explain


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (asyncpg.CannotConnectNowError("the database system is starting up"), "is starting up"),
        (asyncpg.TooManyConnectionsError("sorry, too many clients already"), "has as many connections as it takes"),
        (asyncpg.AdminShutdownError("terminating connection due to administrator command"), "is being stopped"),
    ],
)
def test_the_bot_waits_for_a_database_that_accepts_no_connection_now(said: asyncpg.PostgresError, told: str) -> None:
    problem = explain(said, "postgresql://db")
    assert isinstance(problem, UnreachedError), "a start waits for it, and so does everything in operation"
    assert str(problem) == f"The database postgresql://db {told}."


@pytest.mark.parametrize(
    "said",
    [
        asyncpg.DuplicatePreparedStatementError('prepared statement "__asyncpg_stmt_1__" already exists'),
        asyncpg.InvalidSQLStatementNameError('prepared statement "__asyncpg_stmt_1__" does not exist'),
    ],
)
def test_an_error_about_prepared_statements_names_the_remedy(said: asyncpg.PostgresError) -> None:
    assert "add `?statement_cache_size=0` to its address" in str(explain(said, "postgresql://db"))
