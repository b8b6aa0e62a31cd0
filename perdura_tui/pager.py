"""Reads the journal stretch by stretch, as far as a screen shows it."""

from typing import Literal

from perdura_tui.source import Source
from perdura_tui.states.journal import Journal, around, newer, older

__all__ = ["Pager"]

_BATCH = 500
"""Events that are read at once."""
_SCREENFUL = 120
"""Rows that are always there, if there are so many."""


class Pager:
    """Follows the newest events until somebody looks elsewhere."""

    def __init__(self) -> None:
        self.journal = Journal()
        self._follows = True
        self._wish: Literal["older", "newer"] | None = None

    def look_for(self, head: int, words: str) -> None:
        """Only events that hold these words, from the newest on."""
        self.journal, self._follows = around(head, words), True

    def look_around(self, seq: int) -> None:
        """What stands around an event."""
        self.journal, self._follows, self._wish = around(seq, self.journal.words), False, "newer"

    def page(self, direction: Literal["older", "newer"]) -> None:
        """Read on at one end of the stretch, with the next reading."""
        self._wish = direction

    async def read(self, live: Source) -> bool:
        """Read what is wanted. Returns whether there was anything. Raises StoreError."""
        before, wish = self.journal, self._wish
        self._wish = None
        if not before.last:
            self.journal = around(live.graph.head, before.words)
        lacks_rows = len(self.journal.rows) < _SCREENFUL and self.journal.after == 0
        if self.journal.last < live.graph.head and (self._follows or wish == "newer" or lacks_rows):
            self.journal = newer(self.journal, await live.read_events(self.journal.last, limit=_BATCH))
        if self.journal.last >= live.graph.head:
            self._follows = True
        if self.journal.after > 0 and (wish == "older" or len(self.journal.rows) < _SCREENFUL):
            page = await live.read_events(until=self.journal.after, limit=_BATCH, newest=True)
            self.journal = older(self.journal, page)
            self._follows = self.journal.last >= live.graph.head
        return self.journal is not before
