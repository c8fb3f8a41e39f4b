"""The rig needs a PostgreSQL server for some tests, as the store does."""

from tests.store.conftest import postgres

__all__ = ["postgres"]
