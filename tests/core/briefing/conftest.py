"""A mind in a file, written to by hand."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from perdura_core.briefing import assemble
from perdura_core.clock import Clock
from perdura_core.config import BriefingSettings
from perdura_core.store import Journal, Store, open_sqlite
from perdura_core.vocabulary import Briefing, Draft, Happening, Mode, NodeId


class Page:
    """What a test needs of a mind: write happenings, ask for a briefing."""

    def __init__(self, store: Store, journal: Journal) -> None:
        self.store = store
        self.journal = journal

    async def write(self, *happenings: Happening) -> None:
        drafts = []
        for what in happenings:
            made = next((value for value in dict(what).values() if hasattr(value, "created_by")), None)
            drafts.append(Draft(what=what, by=made.created_by if made else "operator"))
        await self.journal.append(drafts)

    async def brief(
        self,
        question: NodeId = "q1",
        max_tokens: int = 2_000,
        mode: Mode = "organic",
        masked: bool = False,
        node_share: float = 0.125,
    ) -> Briefing:
        return await assemble(
            self.store,
            self.journal.graph,
            question,
            settings=BriefingSettings(node_share=node_share),
            max_tokens=max_tokens,
            mode=mode,
            masked=masked,
        )


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[Page]:
    async with open_sqlite(tmp_path / "test.mind") as store, Journal.open(store, Clock()) as journal:
        yield Page(store, journal)
