"""Track records as a fold: over the graph for what became of contributions, over boardings for work and money."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import fsum
from typing import NamedTuple

from perdura_core.epistemics import (
    WEIGHTS,
    Tally,
    Verdict,
    ease_of,
    independent,
    later_fate,
    posterior,
    reliabilities,
    shrunk,
    squared_error,
    tally,
    togetherness,
    weighed,
)
from perdura_core.graph import Graph, Link
from perdura_core.routing.labour import Labour, Toil
from perdura_core.routing.verdicts import Acts, is_model, verdicts_on
from perdura_core.vocabulary import (
    OPERATOR,
    EdgeAdded,
    EdgeRetracted,
    Event,
    FactRecorded,
    Grade,
    InterpretationAdded,
    ModelId,
    NodeId,
    NodeRestored,
    NodeSuperseded,
    QuestionAsked,
    StatusChanged,
    TrackRecord,
)

__all__ = ["RECORD_KINDS", "Records"]

RECORD_KINDS = frozenset({
    "boarding_opened",
    "boarding_ended",
    "element_rejected",
    "cost_settled",
    "node_superseded",
    "node_restored",
    "question_resolved",
    "question_reopened",
    "answer_graded",
})  # fmt: skip
"""Kinds of past events that say what the graph does not keep: what to ask the store for when a mind is opened."""


class _Part(NamedTuple):
    """One node's part in its author's record."""

    model: ModelId
    domains: tuple[str, ...]
    is_live: bool
    verdicts: tuple[Verdict, ...]
    """One per source."""
    error: float | None


@dataclass(slots=True)
class _Sum:
    """The parts of one model in one domain, or overall."""

    nodes: int = 0
    good: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    bad: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Source -> unweighted sum of what it said against this model; `good` is what it said for it."""
    agreed: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """Source -> the part of `good` that is mere corroboration."""
    outcomes: int = 0
    surviving: int = 0
    errors: dict[NodeId, float] = field(default_factory=dict)

    def said(self, shared: Callable[[str], float]) -> dict[str, Tally]:
        """Source -> sums of what it said, corroboration less the `shared` part of that source."""
        sources = sorted(self.good.keys() | self.bad.keys())
        return {
            source: Tally(
                max(0.0, self.good.get(source, 0.0) - shared(source) * self.agreed.get(source, 0.0)),
                self.bad.get(source, 0.0),
            )
            for source in sources
        }


@dataclass(slots=True)
class _Fates:
    """Nodes of one model that another corroborated: how many were settled afterwards, and how many against it."""

    settled: int = 0
    bad: int = 0


_SLICE = 100
"""Nodes whose records are read before others get the event loop."""


class Records:
    """The track records of a mind, kept up to date by its events.

    Feed it the past events of RECORD_KINDS once the graph stands at its head, then what the graph is fed, after the
    graph. A node's part is read off the graph, and only nodes that an event touched are read again, so that asking
    costs by the number of models and not by the size of the mind.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.reset()

    def reset(self) -> None:
        """Forget everything, so that the journal can be folded and the graph be read again."""
        self._labour = Labour(self._graph)
        self._acts = Acts()
        self._head = 0
        self._parts: dict[NodeId, _Part] = {}
        self._sums: dict[tuple[ModelId, str | None], _Sum] = defaultdict(_Sum)
        self._believed: dict[str, float] | None = None
        self._heard: dict[tuple[ModelId, str | None], dict[str, Tally]] = {}
        self._whole: dict[str | None, Tally] | None = None
        """What was said of all models together, by domain."""
        self._fates: dict[tuple[ModelId, str], _Fates] = defaultdict(_Fates)
        self._judging: dict[str, Link] = {}
        self._stale: dict[NodeId, None] = {vertex.id: None for vertex in self._graph.vertices()}

    def apply(self, events: Iterable[Event]) -> None:
        """Move the records forward. Events at or before the last one applied are ignored."""
        for event in events:
            if event.seq > self._head:
                self._head = event.seq
                self._labour.note(event)
                touched = (*self._acts.note(event), *self._touched(event))
                # What a restatement hears is told of the claim that speaks for it.
                self._stale.update(dict.fromkeys((*touched, *map(self._graph.speaker, touched))))

    def refresh(self, at_most: int | None = None) -> bool:
        """Read nodes again that events touched, so many at most; returns whether none is left.

        `track` does what is left, which after opening a large mind is a lot: see `catch_up`.
        """
        for node in tuple(islice(self._stale, at_most)):
            del self._stale[node]
            before = self._parts.pop(node, None)
            if before is not None:
                self._add(node, before, -1)
            after = self._part(node)
            if after is not None:
                self._parts[node] = after
                self._add(node, after, 1)
        return not self._stale

    def grade(self, node: NodeId) -> Grade | None:
        """The operator's grade of a node; None without one."""
        return self._acts.grade(node)

    async def catch_up(self) -> None:
        """Read what is left, a slice at a time, so that others get the event loop in between."""
        while not self.refresh(_SLICE):  # noqa: ASYNC110 - there is nothing to wait for but the others
            await asyncio.sleep(0)

    def track(self, domain: str | None = None, unpriced: Collection[ModelId] = ()) -> list[TrackRecord]:
        """Every model's record overall, or in one domain; the most reliable first, then by id.

        Models that never boarded or contributed there are left out. The cost of `unpriced` models, whose price is
        unknown, is None.
        """
        self.refresh()
        return self._tracked(domain, self._weights(), unpriced)

    def for_question(self, domains: Iterable[str]) -> list[TrackRecord]:
        """What a route needs: the overall records, and those of each of the question's domains."""
        self.refresh()
        weights = self._weights()
        return [record for domain in (None, *dict.fromkeys(domains)) for record in self._tracked(domain, weights, ())]

    def _weights(self) -> dict[str, float]:
        if self._believed is None:
            overall = {model: self._said(model, None) for model, of in self._sums if of is None}
            self._believed = reliabilities(overall, certain=[OPERATOR])
        return self._believed

    def outcomes(self, model: ModelId, domain: str | None = None) -> list[tuple[NodeId, Verdict]]:
        """What others said of the model's interpretations, one verdict a source and node, older nodes first."""
        self.refresh()
        own = [
            (node, verdict)
            for node, part in self._parts.items()
            if part.model == model and (domain is None or domain in part.domains)
            for verdict in part.verdicts
        ]
        return sorted(own, key=lambda each: (int(each[0][1:]), each[1]))

    def _said(self, model: ModelId, domain: str | None) -> dict[str, Tally]:
        """Corroboration is discounted by how often it went with what was then settled to be wrong."""
        known = self._heard.get((model, domain))
        if known is not None:
            return known

        def shared(source: str) -> float:
            fates = self._fates.get((model, source), _Fates())
            return togetherness(fates.settled, fates.bad)

        said = self._heard[model, domain] = self._sums.get((model, domain), _Sum()).said(shared)
        return said

    def _tracked(
        self, domain: str | None, weights: Mapping[str, float], unpriced: Collection[ModelId]
    ) -> list[TrackRecord]:
        toils = self._labour.of(domain)
        present = {model for (model, of), sums in self._sums.items() if of == domain and sums.nodes}
        records = [
            self._record(model, domain, weights, toils.get(model, Toil()), model in unpriced)
            for model in present | toils.keys()
        ]
        return sorted(records, key=lambda record: (-record.reliability, record.model))

    def _record(
        self, model: ModelId, domain: str | None, weights: Mapping[str, float], toil: Toil, is_unpriced: bool
    ) -> TrackRecord:
        sums = self._sums.get((model, domain), _Sum())
        own = weighed(self._said(model, domain), weights)
        if domain is not None:
            own = shrunk(own, weighed(self._said(model, None), weights), self._ease(model, domain, weights))
        result = posterior(own)
        return TrackRecord(
            model=model,
            domain=domain,
            reliability=result.mean,
            low=result.low,
            high=result.high,
            outcomes=sums.outcomes,
            boardings=toil.ended,
            merged=toil.merged,
            rejected=toil.rejected,
            surviving=sums.surviving,
            net=2 * sums.surviving - sums.nodes - toil.rejected,
            refusals=dict(toil.refusals.most_common()),
            cost_micro_usd=None if is_unpriced else toil.cost_micro_usd,
            brier=fsum(sums.errors.values()) / len(sums.errors) if sums.errors else None,
            seconds=toil.mean_seconds,
            last_at=toil.last_at,
        )

    def _ease(self, model: ModelId, domain: str, weights: Mapping[str, float]) -> float:
        """How much better models other than this one do in the domain than everywhere."""
        if self._whole is None:
            self._whole = {}
            for of, where in self._sums:
                told = weighed(self._said(of, where), weights)
                self._whole[where] = self._whole.get(where, Tally()).plus(told)
        own_here, own = (weighed(self._said(model, where), weights) for where in (domain, None))
        here, everywhere = (self._whole.get(where, Tally()) for where in (domain, None))
        return ease_of(here.plus(own_here, -1.0), everywhere.plus(own, -1.0))

    def _touched(self, event: Event) -> Iterator[NodeId]:
        """Nodes whose part may have changed: those that the event names, and those that a changed node judges."""
        match event.what:
            case QuestionAsked(question=node) | FactRecorded(fact=node) | InterpretationAdded(interpretation=node):
                yield node.id
            case EdgeAdded(edge=edge):
                yield from (edge.src, edge.dst)
            case EdgeRetracted(edge=edge_id) if edge_id in self._judging:
                link = self._judging.pop(edge_id)
                yield from (link.src, link.dst)
            case NodeSuperseded(node=changed) | NodeRestored(node=changed) | StatusChanged(node=changed):
                yield changed
                yield from (link.dst if link.src == changed else link.src for link in self._graph.links(changed))
            case _:
                pass

    def _part(self, node: NodeId) -> _Part | None:
        vertex = self._graph.get(node)
        if vertex is None or not is_model(vertex.created_by):
            return None
        domains = tuple(dict.fromkeys(vertex.domains))
        if vertex.layer != "interpretation":
            return _Part(vertex.created_by, domains, vertex.is_live, (), None)
        for link in self._graph.links(node):
            if link.created_by != vertex.created_by:
                self._judging[link.id] = link
        verdicts = tuple(independent(verdicts_on(self._graph, vertex, self._acts)))
        asserted = vertex.asserted_confidence
        error = squared_error(asserted, tally(verdicts)) if verdicts and asserted is not None else None
        return _Part(vertex.created_by, domains, vertex.is_live, verdicts, error)

    def _add(self, node: NodeId, part: _Part, sign: int) -> None:
        if part.verdicts:
            self._believed = None
            self._whole = None
            self._heard.clear()
        for verdict in part.verdicts:
            fate = later_fate(part.verdicts, verdict.source) if verdict.kind == "corroborated" else None
            if fate is not None:
                fates = self._fates[part.model, verdict.source]
                fates.settled += sign
                fates.bad += sign * (not fate)
        for domain in (None, *part.domains):
            sums = self._sums[part.model, domain]
            sums.nodes += sign
            sums.surviving += sign * part.is_live
            sums.outcomes += sign * len(part.verdicts)
            for verdict in part.verdicts:
                weight = WEIGHTS[verdict.kind]
                side = sums.good if weight > 0 else sums.bad
                side[verdict.source] += sign * abs(weight)
                if verdict.kind == "corroborated":
                    sums.agreed[verdict.source] += sign * weight
            if sign < 0:
                sums.errors.pop(node, None)
            elif part.error is not None:
                sums.errors[node] = part.error
