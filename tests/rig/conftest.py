"""The rig needs a PostgreSQL server for some tests, as the store does."""

from tests.store.conftest import postgres, postgres_programs

__all__ = ["postgres", "postgres_programs"]
