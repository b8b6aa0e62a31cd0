"""What upkeep knows, for people: the whole memory on one page, and why one interpretation is worth what it is."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.clock import Clock
from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.forgetting import FORGOTTEN, REASONS
from perdura_core.epistemics.independence import correlations
from perdura_core.graph import Graph
from perdura_core.store import Store
from perdura_core.upkeep.promotions import PROMOTION_KINDS, waiting_promotions
from perdura_core.upkeep.standing import Layers, known, standing_of
from perdura_core.vocabulary import (
    FACTORS,
    Correlation,
    DomainWisdom,
    EchoChamber,
    Factor,
    FactorSpread,
    Flow,
    Keeping,
    MemoryReport,
    NodeId,
    PromotionProposed,
    PromotionWaiting,
    RunReport,
    Standing,
    Undervalued,
)

__all__ = ["LAYERS", "Memory"]

LAYERS = ("confidence", "M3", "M4", "M6", "triangulation", "stigmergy", "forgetting")
"""What the report is made of."""

_BINS = 10
_DAYS = 30
_RUNS = 12
_MOST = 20
"""Echo chambers and undervalued interpretations that are named."""
_MOST_DOMAINS = 50
_CANDIDATES_FROM = REASONS.index("sufficient_confidence") + 1


class _Figures(NamedTuple):
    """What arrays alone say."""

    factors: tuple[FactorSpread, ...]
    correlations: tuple[Correlation, ...]
    keeping: tuple[Keeping, ...]
    gradient: tuple[int, ...]
    wisdom: tuple[DomainWisdom, ...]
    echoes: tuple[tuple[NodeId, float, bool], ...]
    undervalued: tuple[tuple[NodeId, float, float], ...]


class Memory:
    """Reads what the last upkeep kept. Arrays are read once a run and shared by everybody who asks."""

    def __init__(self, store: Store, graph: Graph, clock: Clock, constants: Epistemics = DEFAULTS) -> None:
        self._store = store
        self._graph = graph
        self._clock = clock
        self._constants = constants
        self._layers: Layers = {}
        self._read_at: tuple[int, int] | None = None
        """Run and number of its steps."""
        self._turn = asyncio.Lock()

    async def layers(self) -> Layers:
        """The layers over interpretations that are kept now, by name; see LAYERS."""
        async with self._turn:
            runs = await self._store.runs(1)
            newest = (runs[0].run, len(runs[0].steps)) if runs else None
            if newest != self._read_at:
                self._layers = await self._store.layers("interpretations", LAYERS)
                self._read_at = newest
            return self._layers

    async def standing(self, node: NodeId) -> Standing | None:
        """Why an interpretation is worth what it is; None for other nodes, and before an upkeep has seen it."""
        return await standing_of(self._store, self._graph, await self.layers(), node, self._constants)

    async def promotions(self) -> list[PromotionProposed]:
        """What upkeep proposes to raise and nobody has settled, oldest first."""
        return waiting_promotions(await self._store.events(kinds=PROMOTION_KINDS))

    async def report(self) -> MemoryReport:
        """The state of the memory."""
        layers = await self.layers()
        flow = await self._store.status_flow(self._clock.now() - timedelta(days=_DAYS))
        runs = tuple(await self._store.runs(_RUNS))
        known_figures = await asyncio.to_thread(_figures, layers, self._constants)
        was_active = flow.active + flow.archived
        report = MemoryReport(
            as_of=_as_of(layers, runs),
            active=flow.active,
            shadow=flow.shadow,
            let_go=flow.deleted,
            flow=Flow(
                days=_DAYS,
                archived=flow.archived,
                revived=flow.revived,
                let_go=flow.let_go,
                archive_rate=flow.archived / was_active if was_active else None,
                revival_rate=flow.revived / flow.archived if flow.archived else None,
            ),
            promotions=tuple(_waiting(one) for one in await self.promotions()),
            runs=runs,
            marked=len(await self._store.marked()),
        )
        if known_figures is None:
            return report
        return report.model_copy(update=await self._named(known_figures))

    async def _named(self, found: _Figures) -> dict[str, Any]:
        """The figures with texts for the interpretations that they name; those that are gone by now are left out."""
        texts = await self._store.texts([node for node, *_ in (*found.echoes, *found.undervalued)])
        echoes = [
            EchoChamber(node=node, text=texts[node], score=score, damped=damped)
            for node, score, damped in found.echoes
            if self._is_live(node)
        ]
        undervalued = [
            Undervalued(node=node, text=texts[node], structural=structural, usage=usage)
            for node, structural, usage in found.undervalued
            if self._is_live(node)
        ]
        return {**found._asdict(), "echoes": tuple(echoes), "undervalued": tuple(undervalued)}

    def _is_live(self, node: NodeId) -> bool:
        vertex = self._graph.get(node)
        return vertex is not None and vertex.is_live


def _waiting(one: PromotionProposed) -> PromotionWaiting:
    return PromotionWaiting(
        proposal=one.proposal,
        level=one.level,
        members=one.members,
        text=one.text,
        confidence=one.confidence,
        why=one.why,
    )


def _as_of(layers: Layers, runs: Sequence[RunReport]) -> datetime | None:
    return layers["confidence"].as_of if runs and "confidence" in layers else None


def _figures(layers: Layers, constants: Epistemics) -> _Figures | None:
    if "confidence" not in layers:
        return None
    confidence = layers["confidence"].columns
    active = confidence["active"]
    factors = {name: confidence[name][active].astype(np.float64) for name in FACTORS}
    other = {name: layers[name].columns for name in LAYERS if name in layers}
    return _Figures(
        factors=tuple(_spread(name, values) for name, values in factors.items()),
        correlations=_correlations(factors, constants),
        keeping=_keeping(other["forgetting"]["decision"]) if "forgetting" in other else (),
        gradient=_bins(other["stigmergy"]["gradient"][_aligned(active, other["stigmergy"])])
        if "stigmergy" in other
        else (),
        wisdom=_wisdom(other["M6"]) if "M6" in other else (),
        echoes=_echoes(other["triangulation"], active) if "triangulation" in other else (),
        undervalued=_undervalued(other["triangulation"], confidence) if "triangulation" in other else (),
    )


def _aligned(active: NDArray[np.bool_], columns: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """The mask for a layer of a run that is under way, or was cut short: it may know fewer or more rows."""
    found = np.zeros(len(columns["number"]), dtype=bool)
    shared = min(len(found), len(active))
    found[:shared] = active[:shared]
    return found


def _bins(values: NDArray[Any]) -> tuple[int, ...]:
    there = values[~np.isnan(values)]
    place = np.clip((there * _BINS + 1e-6).astype(np.int64), 0, _BINS - 1)
    return tuple(np.bincount(place, minlength=_BINS).tolist())


def _spread(name: Factor, values: NDArray[np.float64]) -> FactorSpread:
    missing = np.isnan(values)
    mean = None if missing.all() else float(values[~missing].mean())
    return FactorSpread(factor=name, bins=_bins(values), missing=int(missing.sum()), mean=mean)


def _correlations(factors: Mapping[Factor, NDArray[np.float64]], constants: Epistemics) -> tuple[Correlation, ...]:
    found = correlations(FACTORS, [factors[name] for name in FACTORS])
    pairs = []
    for one, other in combinations(range(len(FACTORS)), 2):
        r = known(float(found.r[one, other]))
        pairs.append(
            Correlation(
                first=FACTORS[one],
                second=FACTORS[other],
                r=r,
                interpretations=int(found.rows[one, other]),
                verdict=_verdict(FACTORS[one], FACTORS[other], r, constants),
            )
        )
    return tuple(pairs)


def _verdict(one: Factor, other: Factor, r: float | None, constants: Epistemics) -> Any:
    if r is None:
        return "unknown"
    if abs(r) > constants.correlation_alarm:
        return "alarm"
    if abs(r) < constants.correlation_target:
        return "independent"
    return "expected" if {one, other} == {"consistency", "structural"} else "linked"


def _keeping(decision: NDArray[np.int8]) -> tuple[Keeping, ...]:
    count = np.bincount(decision[decision >= 0], minlength=len(REASONS)).tolist()
    return tuple(
        Keeping(reason=reason, interpretations=count[code], protects=_CANDIDATES_FROM <= code < FORGOTTEN)
        for code, reason in enumerate(REASONS)
    )


def _wisdom(columns: Mapping[str, NDArray[Any]]) -> tuple[DomainWisdom, ...]:
    order = np.argsort(-columns["interpretations"], kind="stable")[:_MOST_DOMAINS]
    return tuple(
        DomainWisdom(
            domain=str(columns["domain"][row]) or None,
            wisdom=known(columns["wisdom"][row]),
            interpretations=int(columns["interpretations"][row]),
            matured=known(columns["consolidated"][row]),
            survival=known(columns["survival"][row]),
            contention=known(columns["contention"][row]) or 0.0,
            diversity=known(columns["diversity"][row]),
        )
        for row in order.tolist()
        if columns["interpretations"][row]
    )


def _echoes(columns: Mapping[str, NDArray[Any]], active: NDArray[np.bool_]) -> tuple[tuple[NodeId, float, bool], ...]:
    rows = np.flatnonzero(columns["is_damped"] & _aligned(active, columns))
    rows = rows[np.argsort(-columns["echo"][rows], kind="stable")][:_MOST]
    return tuple((f"i{columns['number'][row]}", float(columns["echo"][row]), True) for row in rows.tolist())


def _undervalued(
    columns: Mapping[str, NDArray[Any]], confidence: Mapping[str, NDArray[Any]]
) -> tuple[tuple[NodeId, float, float], ...]:
    shared = min(len(columns["number"]), len(confidence["number"]))
    rows = np.flatnonzero(columns["is_undervalued"][:shared] & confidence["active"][:shared])
    structural, usage = confidence["structural"], confidence["usage"]
    rows = rows[np.argsort(-structural[rows], kind="stable")][:_MOST]
    return tuple((f"i{columns['number'][row]}", float(structural[row]), float(usage[row])) for row in rows.tolist())
