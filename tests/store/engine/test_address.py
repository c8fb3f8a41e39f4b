"""Addresses of managed PostgreSQL databases, with the parameters that their providers write."""

from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from bot.base.errors import StoreError
from bot.base.settings import load
from bot.store.backup import back_up
from bot.store.engine.address import BEHIND_POOLER, for_driver, for_programs, parse_address
from bot.store.engine.database import Database
from tests.store.conftest import opened, scalars

NEON = "postgresql://kems:p%2Fw@h.test/kems?sslmode=require&channel_binding=require"
SUPABASE = "postgres://kems.x:pw@h.test:6543/postgres?pgbouncer=true&connection_limit=1&statement_cache_size=0"
AIVEN = "postgres://kems:pw@h.test:1/db?sslmode=verify-ca&sslrootcert=/etc/ca.pem&application_name=kems"


@pytest.mark.parametrize(
    ("address", "driver"),
    [
        ("sqlite:////var/lib/kems.db", "sqlite+aiosqlite"),
        ("sqlite+aiosqlite:///kems.db", "sqlite+aiosqlite"),
        ("postgres://u:p%40ss@db:5432/kems", "postgresql+asyncpg"),
        ("postgresql:///kems?host=/run/postgresql", "postgresql+asyncpg"),
    ],
)
def test_every_way_to_write_an_address_gets_the_driver(
    address: str, driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    assert parse_address(load(env_file=None).database_url).drivername == driver


@pytest.mark.parametrize(
    ("address", "options"),
    [
        (NEON, {"dsn": "postgresql://?sslmode=require"}),
        (SUPABASE, {"statement_cache_size": 0, **BEHIND_POOLER}),
        (AIVEN, {"dsn": "postgresql://?sslmode=verify-ca&sslrootcert=%2Fetc%2Fca.pem&application_name=kems"}),
        ("postgresql://k@h/db?ssl=true", {"dsn": "postgresql://?sslmode=require"}),
        ("postgresql://k@h/db", {}),
    ],
)
async def test_the_usual_parameters_reach_the_driver(address: str, options: dict[str, object]) -> None:
    url, found = for_driver(parse_address(address))
    assert (dict(url.query), found) == ({}, options)
    await Database(address).close()


@pytest.mark.parametrize(
    ("written", "is_pooled"),
    [("pgbouncer=true", True), ("pgbouncer=1", True), ("pgbouncer=false", False),
     ("pgbouncer=true&statement_cache_size=50", False)],
)  # fmt: skip
def test_no_statement_stays_prepared_when_an_address_names_a_pooler(written: str, is_pooled: bool) -> None:
    """Each transaction may get another connection of PgBouncer, on which nothing is prepared."""
    _, options = for_driver(parse_address(f"postgresql://kems@h.test:6543/kems?{written}"))
    assert (options == {"statement_cache_size": 0, **BEHIND_POOLER}) is is_pooled


def test_pg_programs_get_every_parameter_but_the_password_and_unknown_ones() -> None:
    assert for_programs(parse_address(NEON)) == (
        "postgresql://kems@h.test/kems?channel_binding=require&sslmode=require",
        {"PGPASSWORD": "p/w"},
    )
    assert for_programs(parse_address(SUPABASE)) == ("postgresql://kems.x@h.test:6543/postgres", {"PGPASSWORD": "pw"})
    assert for_programs(parse_address("postgresql://k@h/db?password=pw&ssl=true")) == (
        "postgresql://k@h/db?sslmode=require",
        {"PGPASSWORD": "pw"},
    )


def test_an_unknown_parameter_is_named_without_its_value() -> None:
    with pytest.raises(StoreError, match="has parameters that are not known: sslmod") as caught:
        Database("postgresql://kems:hunter2@h.test/kems?sslmod=hunter3")
    assert "hunter" not in str(caught.value)


@pytest.mark.postgres
@pytest.mark.usefixtures("postgres_programs")
async def test_the_parameters_work_with_a_real_server(postgres: str, tmp_path: Path) -> None:
    asked = {"sslmode": "prefer", "application_name": "kems-test", "connect_timeout": "5", "channel_binding": "prefer"}
    address = make_url(postgres).update_query_dict(asked).render_as_string(hide_password=False)
    async with opened(address) as database:
        assert await scalars(database, "SHOW application_name") == ["kems-test"]
        await back_up(database, tmp_path / "copy.dump")
    required = make_url(postgres).update_query_dict({"sslmode": "require"}).render_as_string(hide_password=False)
    async with opened(required) as database:
        try:
            async with database.transaction() as session:
                assert await session.scalar(text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
        except StoreError as error:
            assert "cannot be reached" in str(error) or "SSL" in str(error)  # noqa: PT017 - a server without SSL
