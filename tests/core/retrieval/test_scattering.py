"""Scatter joins contention by its weight; what one model restates adds nothing to it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from perdura_core.clock import Clock
from perdura_core.retrieval import Scattering
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import Draft, Happening
from tests.core.graph.making import asked, judged, linked

DISPUTED = (
    asked("q1", "Why did the crane stop?"),
    judged("i1", text="The brake of the crane was worn.", confidence=0.9),
    judged("i2", text="Nobody had paid for electricity.", confidence=0.1),
    linked("e1", "answers", "i1", "q1"),
    linked("e2", "answers", "i2", "q1"),
)


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    async with open_sqlite(tmp_path / "test.mind") as store, Journal.open(store, Clock()) as journal:
        yield journal


async def write(journal: Journal, *happenings: Happening) -> None:
    await journal.append([Draft(what=what, by="operator") for what in happenings])


async def test_scatter_counts_by_its_weight_and_only_once_loaded(journal: Journal) -> None:
    await write(journal, *DISPUTED)
    scattering = Scattering(journal)
    assert scattering.contention("q1", 0.5) == 0
    await scattering.load()
    assert scattering.contention("q1", 0.0) == journal.graph.contention("q1") == 0
    half, whole = scattering.contention("q1", 0.5), scattering.contention("q1", 1.0)
    assert 0 < half == pytest.approx(whole / 2)
    restated = [
        judged(f"i{n}", text=f"The brake of the crane was worn{'.' * (n % 3)}", confidence=0.9) for n in range(3, 203)
    ]
    await write(journal, *restated, *(linked(f"e{n}", "answers", f"i{n}", "q1") for n in range(3, 203)))
    assert scattering.contention("q1", 1.0) == pytest.approx(whole)


async def test_who_asks_while_claims_are_being_read_waits_for_them(journal: Journal) -> None:
    await write(journal, *DISPUTED)
    scattering = Scattering(journal)

    async def measured() -> float:
        await scattering.load()
        return scattering.contention("q1", 1.0)

    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        first, second = (tasks.create_task(measured()) for _ in range(2))
    assert first.result() == second.result() > 0


async def test_a_reading_that_was_cut_short_starts_again(journal: Journal) -> None:
    await write(journal, *DISPUTED)
    scattering = Scattering(journal)
    cut = asyncio.create_task(scattering.load())
    await asyncio.sleep(0)
    cut.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cut
    assert scattering.contention("q1", 1.0) == 0
    await scattering.load()
    assert scattering.contention("q1", 1.0) > 0
