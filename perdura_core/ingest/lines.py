"""A mind's journal as JSON lines: every event, one a line. What comes back from it is the same mind."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from perdura_core.errors import InputError
from perdura_core.ingest.files import ExportReport, replacing
from perdura_core.mind import Mind
from perdura_core.store import open_sqlite
from perdura_core.vocabulary import Event

__all__ = ["export_journal", "import_journal"]

_PAGE = 1_000


async def export_journal(mind: Mind, path: Path) -> ExportReport:
    """Write every event. The file takes its place when all are written, and not before."""
    head = await mind.store.head()
    after = 0
    with replacing(path) as file:
        while page := await mind.store.events(after, until=head, limit=_PAGE):
            file.writelines(f"{event.model_dump_json(by_alias=True)}\n" for event in page)
            after = page[-1].seq
    nodes = sum(mind.graph.count(layer) for layer in ("question", "fact", "interpretation"))
    return ExportReport(path=str(path), nodes=nodes, edges=len(await mind.store.edges()), events=head)


async def import_journal(target: Path, source: Path) -> int:
    """Make the mind of a journal, at a place where there is none yet. Returns how many events it has.

    The mind takes its place when all events are in it, and not before. Raises InputError for a file that is no
    journal or has a gap, and for a place that is taken; StoreError when the mind cannot be written.
    """
    if await asyncio.to_thread(target.exists):
        raise InputError(f"there is a mind at {str(target)!r} already: a journal makes a mind of its own, name another")
    unfinished = target.with_name(f".{target.name}.import")
    _remove(unfinished)
    count = 0
    try:
        async with open_sqlite(unfinished) as store:
            for page in _pages(source):
                await store.begin(count)
                try:
                    await store.commit(page)
                except (KeyError, ValueError) as error:
                    raise InputError(f"{str(source)!r} does not make a mind ({error}): export it again") from error
                count = page[-1].seq
        if count == 0:
            raise InputError(f"{str(source)!r} holds no event: export the journal again")
        await asyncio.to_thread(unfinished.replace, target)
    finally:
        _remove(unfinished)
    return count


def _remove(mind: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        mind.with_name(mind.name + suffix).unlink(missing_ok=True)


def _pages(source: Path) -> Iterator[list[Event]]:
    """The events of the file in pages, checked to count from 1 without a gap."""
    page: list[Event] = []
    try:
        with source.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                event = _event(line, f"{str(source)!r}, line {number}")
                if event.seq != number:
                    raise InputError(f"{str(source)!r}, line {number} is event {event.seq}: a journal has no gap")
                page.append(event)
                if len(page) == _PAGE:
                    yield page
                    page = []
    except UnicodeDecodeError as error:
        raise InputError(f"{str(source)!r} is not UTF-8 text (byte {error.start}): export it again") from error
    except OSError as error:
        raise InputError(f"{str(source)!r} cannot be read ({error.strerror}): check the path and its rights") from error
    if page:
        yield page


def _event(line: str, place: str) -> Event:
    try:
        return Event.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        raise InputError(f"{place} is no event ({where}: {first['msg']}): export the journal again") from None
