"""Stores to test: every kind of store joins by its name here."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from perdura_core.clock import Clock
from perdura_core.config import StoreSettings
from perdura_core.store import Store, open_sqlite

OpenStore = Callable[[], AbstractAsyncContextManager[Store]]
"""Opens the same mind each time it is called, so that a test can close it, open it again, or open it twice."""


@pytest.fixture(params=["sqlite"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> OpenStore:
    """A fresh mind in a store of each kind."""

    @asynccontextmanager
    async def sqlite() -> AsyncIterator[Store]:
        async with open_sqlite(tmp_path / "a.mind", StoreSettings(patience_s=20), clock=Clock()) as store:
            yield store

    return {"sqlite": sqlite}[request.param]


@pytest.fixture
async def store(open_store: OpenStore) -> AsyncIterator[Store]:
    """A fresh mind, open."""
    async with open_store() as opened:
        yield opened
