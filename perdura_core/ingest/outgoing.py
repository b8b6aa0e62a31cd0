"""A mind written out in the author's JSON format."""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from perdura_core import __version__
from perdura_core.ingest.files import ExportReport, replacing
from perdura_core.ingest.foreign import UNSAID_CONFIDENCE, Remarks, Times
from perdura_core.mind import Mind
from perdura_core.vocabulary import (
    BoardingRecord,
    Edge,
    Fact,
    Interpretation,
    MindImported,
    Mode,
    Node,
    NodeId,
    Question,
)

__all__ = ["export_mind"]


async def export_mind(mind: Mind, path: Path) -> ExportReport:
    """Write nodes, edges and log in the author's JSON format.

    What was imported gets its old ids, names and way of writing times back. Facts become evidence; a fact that an
    interpretation refers to supports it. The top-level field `perdura` holds the map of ids and what has no place.
    """
    # Edges first, so that what they join is in every later snapshot.
    edges = await mind.store.edges()
    nodes: list[Node] = [*await mind.store.questions(), *await mind.store.facts(), *await mind.store.interpretations()]
    records = await mind.store.boardings()
    imports = [
        event.what for event in await mind.store.events(kinds=["mind_imported"]) if isinstance(event.what, MindImported)
    ]
    departure = _Departure(nodes, edges, records, imports)
    head, exported_at = mind.graph.head, mind.clock.now()

    def write() -> int:
        written = list(departure.edges(edges, nodes))
        with replacing(path) as file:
            file.write('{"nodes": [')
            _write_rows(file, map(departure.node, nodes))
            file.write('],\n"edges": [')
            _write_rows(file, written)
            file.write('],\n"log": [')
            _write_rows(file, departure.log(records))
            about = {
                "version": __version__,
                "mind": mind.name,
                "head": head,
                "exported_at": exported_at.isoformat(),
                "ids": {there: here for here, there in departure.ids.items()},
                "not_kept": departure.remarks.sentences(),
            }
            file.write(f'],\n"perdura": {json.dumps(about)}}}\n')
        return len(written)

    count = await asyncio.to_thread(write)
    return ExportReport(path=str(path), nodes=len(nodes), edges=count, not_kept=departure.remarks.sentences())


def _write_rows(file: IO[str], rows: Iterable[Mapping[str, Any]]) -> None:
    separator = "\n"
    for row in rows:
        file.write(f"{separator}  {json.dumps(row)}")
        separator = ",\n"
    file.write("\n")


class _Departure:
    """Nodes and edges in the words of the format."""

    def __init__(
        self,
        nodes: Sequence[Node],
        edges: Sequence[Edge],
        records: Sequence[BoardingRecord],
        imports: Sequence[MindImported],
    ) -> None:
        self.remarks = Remarks()
        self._imports = imports
        self._modes: dict[str, Mode] = {record.boarding.id: record.boarding.mode for record in records}
        self._old_modes: dict[str, Mode] = {}
        self._authors: dict[str, Mapping[str, str]] = {}
        self._times: Times = "iso" if imports and all(one.times == "iso" for one in imports) else "epoch"
        self.ids: dict[str, str] = {}
        taken: set[str] = set()
        for one in imports:
            self._old_modes |= one.modes
            for there, here in (*one.nodes.items(), *one.edges.items()):
                self._authors[here] = one.authors
                if here not in self.ids and there not in taken:
                    self.ids[here] = there
                    taken.add(there)
        for item in (*nodes, *edges):
            if item.id not in self.ids:
                self.ids[item.id] = self._free(item.id, taken)
                taken.add(self.ids[item.id])
        self._taken = taken

    @staticmethod
    def _free(identifier: str, taken: set[str]) -> str:
        while identifier in taken:
            identifier = f"n_{identifier}"
        return identifier

    def node(self, node: Node) -> dict[str, Any]:
        """A node as the format writes it."""
        type_, confidence, status = self._judged(node)
        return {
            "id": self.ids[node.id],
            "type": type_,
            "text": node.text,
            "domain_tags": list(node.domains),
            "created_by": self._author(node.id, node.created_by),
            "confidence": confidence,
            "created_at": self._time(node.created_at),
            "status": status,
            "superseded_by": None if node.superseded_by is None else self.ids[node.superseded_by],
            "boarding_mode": self._mode(node.id, node.boarding),
        }

    def _judged(self, node: Node) -> tuple[str, float, str]:
        match node:
            case Question():
                if node.stake != "normal" or node.pinned:
                    self.remarks.add("stakes and pins of questions have no place there", node.id)
                if node.resolved_by is not None:
                    self.remarks.add("what resolved a question has no place there", node.id)
                return "question", UNSAID_CONFIDENCE, node.status
            case Fact():
                if any(sighting.source or sighting.observed_at for sighting in node.occurrences):
                    self.remarks.add("sources of facts have no place there", node.id)
                if len(node.occurrences) > 1:
                    self.remarks.add("further sightings of facts have no place there", node.id)
                return "evidence", UNSAID_CONFIDENCE, "open"
            case Interpretation():
                if node.level != 1:
                    self.remarks.add("levels of interpretations have no place there", node.id)
                if node.asserted_confidence not in (None, node.confidence):
                    self.remarks.add("only the present confidence has a place there, not the asserted one", node.id)
                return node.kind, node.confidence, "open" if node.status == "active" else node.status

    def edges(self, edges: Sequence[Edge], nodes: Sequence[Node]) -> Iterator[dict[str, Any]]:
        """The edges, and one more for each fact that an interpretation refers to without an edge."""
        supported = {(edge.src, edge.dst) for edge in edges if edge.type == "supports"}
        for edge in edges:
            yield self._edge(self.ids[edge.id], edge.type, edge.src, edge.dst, edge.id, edge)
        for node in nodes:
            for fact in node.facts if isinstance(node, Interpretation) else ():
                if (fact, node.id) not in supported and fact in self.ids:
                    identifier = self._free(f"e_{fact}_{node.id}", self._taken)
                    self._taken.add(identifier)
                    self.remarks.add("facts that an interpretation refers to are edges of support there", node.id)
                    yield self._edge(identifier, "supports", fact, node.id, node.id, node)

    def _edge(
        self, identifier: str, type_: str, src: NodeId, dst: NodeId, here: str, by: Edge | Node
    ) -> dict[str, Any]:
        return {
            "id": identifier,
            "type": type_,
            "src": self.ids[src],
            "dst": self.ids[dst],
            "created_by": self._author(here, by.created_by),
            "created_at": self._time(by.created_at),
            "boarding_mode": self._mode(here, by.boarding),
        }

    def log(self, records: Sequence[BoardingRecord]) -> Iterator[dict[str, Any]]:
        """The logs that were imported, and one entry for each boarding that has ended."""
        for one in self._imports:
            yield from one.log
        for record in reversed(records):
            if record.ending is None:
                continue
            entry: dict[str, Any] = {
                "ts": record.boarding.opened_at.timestamp() + (record.seconds or 0.0),
                "worker": record.boarding.model,
                "accepted": record.merged,
                "rejected": record.rejected,
            }
            if record.cost_micro_usd or record.usage is not None:
                self.remarks.add("tokens and costs of boardings have no place there", record.boarding.id)
            yield entry if record.reason is None else entry | {"error": record.reason[:200]}

    def _author(self, here: str, name: str) -> str:
        return self._authors.get(here, {}).get(name, name)

    def _mode(self, here: str, boarding: str | None) -> Mode:
        if here in self._old_modes:
            return self._old_modes[here]
        return "organic" if boarding is None else self._modes.get(boarding, "organic")

    def _time(self, moment: datetime) -> float | str:
        return moment.isoformat() if self._times == "iso" else moment.timestamp()
