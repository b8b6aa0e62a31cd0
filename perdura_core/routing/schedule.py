"""What to work on next, and how: the question and the mode of a boarding. Deterministic."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from perdura_core.config import RunSettings
from perdura_core.epistemics.constants import DEFAULTS
from perdura_core.graph import Graph, Vertex
from perdura_core.routing.consensus import Quiet
from perdura_core.vocabulary import Mode, NodeId, Stake

__all__ = ["STAKE_WEIGHTS", "Pick", "choose_mode", "choose_question"]

STAKE_WEIGHTS: dict[Stake, float] = {"low": 0.5, "normal": 1.0, "high": 2.0}

_FIRST_LOOK_BY = 9
"""Boardings that a contended question may have had before one that had none goes first."""


class Pick(NamedTuple):
    """The question to work on, and why in words for people."""

    question: NodeId
    why: str


def choose_mode(number: int, settings: RunSettings, claims: int, quiet: Quiet | None = None) -> Mode:
    """The mode of the session's `number`-th boarding (from 1) on a question with so many live claims around it.

    Every `adversarial_every`-th boarding attacks, every `audit_every`-th compares pairs; where both fall on the same
    boarding they alternate. When nobody has contradicted anything for `collapse_after` boardings (`quiet`), the next
    one attacks, and so on each time as many have passed. A boarding with nothing to attack (no claim) or to compare
    (one claim) stays organic.
    """
    if quiet is not None and quiet.is_due and claims >= 1:
        return "adversarial"
    is_adversarial = _falls_on(number, settings.adversarial_every) and claims >= 1
    is_audit = _falls_on(number, settings.audit_every) and claims >= 2
    if is_adversarial and is_audit:
        return "adversarial" if (number // settings.audit_every) % 2 == 1 else "audit"
    if is_adversarial:
        return "adversarial"
    return "audit" if is_audit else "organic"


def choose_question(graph: Graph, leased: Collection[NodeId], settings: RunSettings, number: int) -> Pick | None:
    """The question of the session's `number`-th boarding (from 1); None when every open one is leased.

    In this order, the first that finds one decides:
    1. a pinned question, the least worked first;
    2. on every `explore_every`-th boarding, the least worked; every other time the least worked of new domains, those
       with too few claims to be judged by themselves, unless all are or all boardings explore;
    3. a question nobody has looked at yet, once the most contended one would get its tenth boarding;
    4. the highest contention times stake weight (low 0.5, normal 1, high 2);
    5. without any contention, the least worked.
    Least worked means the fewest boardings per stake weight. Questions rest after `stagnation_after` boardings in a
    row that added nothing, unless every one does; a pin ends the rest. Ties go to the older question.
    """
    candidates = [vertex for vertex in graph.open_questions() if vertex.id not in leased]
    if not candidates:
        return None
    wanted = [vertex for vertex in candidates if vertex.pinned]
    if wanted:
        return Pick(_least_worked(graph, wanted).id, "pinned by the operator")
    awake = [vertex for vertex in candidates if graph.idle_boardings(vertex.id) < settings.stagnation_after]
    if not awake:
        least = min(
            candidates, key=lambda vertex: (graph.idle_boardings(vertex.id), _worked(graph, vertex), _age(vertex))
        )
        times = _times(graph.idle_boardings(least.id))
        return Pick(least.id, f"every open question rests: {times} without news here")
    if _falls_on(number, settings.explore_every):
        fresh = _of_new_domains(graph, awake) if _is_for_new_domains(number, settings) else []
        return _explained(graph, fresh, "a new domain") if fresh else _explained(graph, awake, "exploration")
    scores = {vertex.id: graph.contention(vertex.id) * STAKE_WEIGHTS[vertex.stake] for vertex in awake}
    hottest = min(awake, key=lambda vertex: (-scores[vertex.id], _worked(graph, vertex), _age(vertex)))
    if scores[hottest.id] == 0:
        return _explained(graph, awake, "nothing is contended")
    is_worked_on = graph.boardings_of(hottest.id) >= _FIRST_LOOK_BY
    if is_worked_on and any(graph.boardings_of(vertex.id) == 0 for vertex in awake):
        return _explained(graph, awake, "a first look")
    stake = "" if hottest.stake == "normal" else f", {hottest.stake} stake"
    return Pick(hottest.id, f"most contended (contention {graph.contention(hottest.id):.2f}{stake})")


def _is_for_new_domains(number: int, settings: RunSettings) -> bool:
    return settings.explore_every > 1 and number // settings.explore_every % 2 == 1


def _of_new_domains(graph: Graph, candidates: Sequence[Vertex]) -> list[Vertex]:
    """Those of a domain with fewer claims than `small_domain`; none while no domain has more."""
    size = {domain: graph.claims_of_domain(domain) for domain in graph.domains_in_use()}
    if all(claims < DEFAULTS.small_domain for claims in size.values()):
        return []
    return [
        vertex for vertex in candidates if any(size.get(domain, 0) < DEFAULTS.small_domain for domain in vertex.domains)
    ]


def _worked(graph: Graph, vertex: Vertex) -> float:
    return graph.boardings_of(vertex.id) / STAKE_WEIGHTS[vertex.stake]


def _age(vertex: Vertex) -> int:
    return int(vertex.id[1:])


def _least_worked(graph: Graph, candidates: Sequence[Vertex]) -> Vertex:
    return min(candidates, key=lambda vertex: (_worked(graph, vertex), -STAKE_WEIGHTS[vertex.stake], _age(vertex)))


def _explained(graph: Graph, candidates: Sequence[Vertex], why: str) -> Pick:
    least = _least_worked(graph, candidates)
    return Pick(least.id, f"{why}: least worked ({_times(graph.boardings_of(least.id))})")


def _times(boardings: int) -> str:
    return "never boarded" if boardings == 0 else f"{boardings} boarding{'' if boardings == 1 else 's'}"


def _falls_on(number: int, every: int) -> bool:
    return every > 0 and number % every == 0
