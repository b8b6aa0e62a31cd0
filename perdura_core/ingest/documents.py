"""Documents into facts, each with its file and line.

Parsing runs in a thread. Facts are written in batches through the journal; the document's own event comes with its
last batch, so that a read that was cut short is simply done again and adds what was missing.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from perdura_core.clock import Clock, Ids
from perdura_core.epistemics import entities_of
from perdura_core.errors import DocumentError
from perdura_core.graph import Graph, digest_of
from perdura_core.ingest.formats import SUFFIXES, read_passages
from perdura_core.ingest.formats.statements import statements_of
from perdura_core.mind import Mind
from perdura_core.store.journal import Journal
from perdura_core.vocabulary import (
    INGEST,
    DocumentRead,
    Draft,
    Fact,
    FactObserved,
    FactRecorded,
    NodeId,
    Occurrence,
    Placement,
)

__all__ = ["DocumentReport", "read_documents", "read_named"]

_BATCH = 200
_MAX_BYTES = 50_000_000
_PLACED = Placement(tier="source", reason="a document says so, word for word")
"""What a document judges is still an observation: that this document says it."""


class DocumentReport(NamedTuple):
    """What became of one file."""

    path: str
    """As facts name it: the part of a source before the `#`."""
    facts: int = 0
    """New to the mind."""
    seen_again: int = 0
    """Held already, word for word."""
    was_read_before: bool = False
    """The mind has read exactly this text from this path: nothing was added."""
    error: str | None = None
    """One sentence; None when the file could be read."""


class _Sighting(NamedTuple):
    text: str
    digest: int
    source: str
    entities: tuple[str, ...]


class _Parsed(NamedTuple):
    path: str
    sha256: str
    sightings: tuple[_Sighting, ...]


async def read_documents(
    mind: Mind,
    paths: Sequence[str | Path],
    domains: Sequence[str] = (),
    on_progress: Callable[[DocumentReport], None] | None = None,
) -> list[DocumentReport]:
    """Read files, and directories with all they hold, into the mind. One report a file, in order.

    A file that cannot be read is reported and the others go on. Raises StoreError when the mind cannot be written.
    """
    files = await asyncio.to_thread(lambda: list(_files(paths)))
    return await read_named(mind.journal, mind.clock, files, domains, on_progress)


async def read_named(
    journal: Journal,
    clock: Clock,
    files: Sequence[tuple[Path, str]],
    domains: Sequence[str] = (),
    on_progress: Callable[[DocumentReport], None] | None = None,
) -> list[DocumentReport]:
    """The same for files whose names are chosen by the caller: `(file, name)`, facts carry `name#L20`."""
    reports: list[DocumentReport] = []
    for file, name in files:
        try:
            parsed = await asyncio.to_thread(_parse, file, name)
            report = await _write(journal, clock, parsed, tuple(domains))
        except DocumentError as error:
            report = DocumentReport(name, error=str(error))
        reports.append(report)
        if on_progress is not None:
            on_progress(report)
    return reports


def _files(paths: Sequence[str | Path]) -> Iterator[tuple[Path, str]]:
    """Every file to read with the name that its facts will carry; each once."""
    seen: set[Path] = set()
    for given in map(Path, paths):
        if given.is_dir():
            base = _name_of(given)
            inside = sorted(
                p
                for p in given.rglob("*")
                if p.is_file()
                and p.suffix.lower() in SUFFIXES
                and not any(part.startswith(".") for part in p.relative_to(given).parts)
            )
            found = [(p, (Path(base) / p.relative_to(given)).as_posix()) for p in inside]
        else:
            found = [(given, _name_of(given))]
        for file, name in found:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file, name


def _name_of(path: Path) -> str:
    """A name that tells where without the way to it: relative as given, else from here, else the last two parts."""
    if not path.is_absolute():
        return path.as_posix()
    here = Path.cwd()
    if path.is_relative_to(here) and path != here:
        return path.relative_to(here).as_posix()
    return path.name if path.is_dir() else "/".join(path.parts[-2:]).lstrip("/")


def _parse(file: Path, name: str) -> _Parsed:
    try:
        if file.stat().st_size > _MAX_BYTES:
            raise DocumentError(f"{name!r} is larger than {_MAX_BYTES // 1_000_000} MB: split it")
        data = file.read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        raise DocumentError(f"{name!r} cannot be read ({why}): check the path and its rights") from error
    mark = "p" if data.startswith(b"%PDF-") else "L"
    try:
        sentences = statements_of(read_passages(data, name))
    except RecursionError as error:
        raise DocumentError(f"{name!r} is nested too deeply to be a document: save it as plain text") from error
    if not sentences:
        raise DocumentError(f"{name!r} holds no statement that could be taken as a fact: nothing was read")
    sightings = {
        digest_of(s.text): _Sighting(s.text, digest_of(s.text), f"{name}#{mark}{s.line}", entities_of(s.text))
        for s in reversed(sentences)
    }
    return _Parsed(name, hashlib.sha256(data).hexdigest(), tuple(reversed(sightings.values())))


async def _write(journal: Journal, clock: Clock, parsed: _Parsed, domains: tuple[str, ...]) -> DocumentReport:
    if await _was_read(journal, parsed):
        return DocumentReport(parsed.path, seen_again=len(parsed.sightings), was_read_before=True)
    facts = done = 0
    while done < len(parsed.sightings):
        batch = parsed.sightings[done : done + _BATCH]
        done += len(batch)
        here = await _already_seen_here(journal, parsed.path, batch)
        ending = (facts, done) if done == len(parsed.sightings) else None
        events = await journal.write(partial(_plan, parsed, batch, here, domains, clock, ending))
        facts += sum(isinstance(event.what, FactRecorded) for event in events)
    return DocumentReport(parsed.path, facts, done - facts)


def _plan(
    parsed: _Parsed,
    batch: Sequence[_Sighting],
    here: frozenset[NodeId],
    domains: tuple[str, ...],
    clock: Clock,
    ending: tuple[int, int] | None,
    graph: Graph,
    ids: Ids,
) -> list[Draft]:
    """The drafts of one batch. `ending`, in the last one: facts new before it, and statements in all."""
    drafts = _drafts(batch, here, domains, clock, graph, ids)
    if ending is not None:
        facts = ending[0] + sum(isinstance(draft.what, FactRecorded) for draft in drafts)
        read = DocumentRead(path=parsed.path, sha256=parsed.sha256, facts=facts, seen_again=ending[1] - facts)
        drafts.append(Draft(what=read, by=INGEST))
    return drafts


async def _was_read(journal: Journal, parsed: _Parsed) -> bool:
    events = await journal.store.events(kinds=["document_read"])
    return any(
        isinstance(event.what, DocumentRead) and (event.what.path, event.what.sha256) == (parsed.path, parsed.sha256)
        for event in events
    )


async def _already_seen_here(journal: Journal, path: str, batch: Sequence[_Sighting]) -> frozenset[NodeId]:
    """Facts that this file has shown before, on whatever line: an edited file is no second witness."""
    known = [fact for s in batch if (fact := journal.graph.known_fact(s.digest)) is not None]
    nodes = await journal.store.nodes(known)
    return frozenset(
        node.id
        for node in nodes.values()
        if isinstance(node, Fact) and any((o.source or "").rpartition("#")[0] == path for o in node.occurrences)
    )


def _drafts(
    batch: Sequence[_Sighting],
    here: frozenset[NodeId],
    domains: tuple[str, ...],
    clock: Clock,
    graph: Graph,
    ids: Ids,
) -> list[Draft]:
    """What to write for a batch: a new fact, a further sighting, or nothing."""
    now = clock.now()
    drafts: list[Draft] = []
    for sighting in batch:
        known = graph.known_fact(sighting.digest)
        occurrence = Occurrence(source=sighting.source, recorded_at=now, recorded_by=INGEST)
        if known is None:
            fact = Fact(
                id=ids.next("f"),
                text=sighting.text,
                domains=domains,
                entities=sighting.entities,
                occurrences=(occurrence,),
                created_by=INGEST,
                created_at=now,
            )
            drafts.append(Draft(what=FactRecorded(fact=fact, placed=_PLACED), by=INGEST))
        elif known not in here:
            drafts.append(Draft(what=FactObserved(node=known, occurrence=occurrence), by=INGEST))
    return drafts
