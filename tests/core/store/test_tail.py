import asyncio
from pathlib import Path

import pytest

from perdura_core.clock import Ids
from perdura_core.graph import Graph
from perdura_core.mind import Mind
from perdura_core.store import tail
from perdura_core.store.tail import Tail
from perdura_core.vocabulary import Draft


async def test_the_tail_holds_what_the_store_holds(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        first = mind.graph.head
        end = Tail(mind.journal)
        assert list(end.after(first, 10) or ()) == []
        for number in range(5):
            await mind.ask(f"Is it {number}?")
        stored = await mind.store.events(first)
        assert list(end.after(first, 100) or ()) == stored
        assert list(end.after(first + 2, 3) or ()) == stored[2:5]
        assert list(end.after(mind.graph.head, 10) or ()) == []
        end.end()
        await mind.ask("And now?")
        assert end.after(first, 10) is None


async def test_what_is_too_old_is_left_to_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail, "_KEPT", 2)
    async with Mind.open(tmp_path / "a.mind") as mind:
        first = mind.graph.head
        end = Tail(mind.journal)
        for number in range(12):
            await mind.ask(f"Is it {number}?")
        assert end.after(first, 10) is None
        last = mind.graph.head
        assert [event.seq for event in end.after(last - 1, 10) or ()] == [last]


async def test_what_was_applied_and_is_not_yet_written_is_not_told(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        end = Tail(mind.journal)
        first = mind.graph.head
        seen: list[tuple[int, int]] = []

        def look(graph: Graph, ids: Ids) -> list[Draft]:
            seen.append((graph.head, len(end.after(first, 10) or ())))
            return []

        await asyncio.gather(mind.ask("Is it?"), mind.journal.write(look))
        assert seen == [(mind.graph.head, 0)]
        assert len(end.after(first, 10) or ()) == mind.graph.head - first


async def test_events_of_another_process_are_told_once_they_are_taken_in(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with Mind.open(path) as mind, Mind.open(path) as other:
        first = mind.graph.head
        end = Tail(mind.journal)
        await other.ask("From elsewhere?")
        assert list(end.after(first, 10) or ()) == []
        await mind.journal.sync()
        assert list(end.after(first, 10) or ()) == await mind.store.events(first)


async def test_a_redacted_text_does_not_stay_in_the_tail(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        end = Tail(mind.journal)
        first = mind.graph.head
        asked = await mind.ask("A secret?")
        await mind.redact(asked.id)
        assert "secret" not in str(end.after(first, 10))
