"""Lessons are taught in virtual time, as all tables are tested."""

from tests.tables.conftest import pytest_asyncio_loop_factories

__all__ = ["pytest_asyncio_loop_factories"]
