"""What to work on next, and how: the question and the mode of a boarding. Deterministic."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from perdura_core.config import RunSettings
from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import Mode, NodeId, Stake

__all__ = ["STAKE_WEIGHTS", "Pick", "choose_mode", "choose_question"]

STAKE_WEIGHTS: dict[Stake, float] = {"low": 0.5, "normal": 1.0, "high": 2.0}

_FIRST_LOOK_BY = 9
"""Boardings that a contended question may have had before one that had none goes first."""


class Pick(NamedTuple):
    """The question to work on, and why in words for people."""

    question: NodeId
    why: str


class _Candidate(NamedTuple):
    vertex: Vertex
    boardings: int
    idle: int
    score: float
    """Contention times the weight of the stake."""

    @property
    def worked(self) -> float:
        return self.boardings / STAKE_WEIGHTS[self.vertex.stake]

    @property
    def age(self) -> int:
        return int(self.vertex.id[1:])


def choose_mode(number: int, settings: RunSettings, claims: int) -> Mode:
    """The mode of the session's `number`-th boarding (from 1) on a question with so many live claims around it.

    Every `adversarial_every`-th boarding attacks, every `audit_every`-th compares pairs; where both fall on the same
    boarding they alternate. A boarding with nothing to attack (no claim) or to compare (one claim) stays organic.
    """
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
    2. on every `explore_every`-th boarding, the least worked;
    3. a question nobody has looked at yet, once the most contended one would get its tenth boarding;
    4. the highest contention times stake weight (low 0.5, normal 1, high 2);
    5. without any contention, the least worked.
    Least worked means the fewest boardings per stake weight. Questions rest after `stagnation_after` boardings in a
    row that added nothing, unless every one does; a pin ends the rest. Ties go to the older question.
    """
    candidates = [_candidate(graph, vertex) for vertex in graph.open_questions() if vertex.id not in leased]
    if not candidates:
        return None
    wanted = [candidate for candidate in candidates if candidate.vertex.pinned]
    if wanted:
        return Pick(_least_worked(wanted).vertex.id, "pinned by the operator")
    awake = [candidate for candidate in candidates if candidate.idle < settings.stagnation_after]
    if not awake:
        least = min(candidates, key=lambda candidate: (candidate.idle, candidate.worked, candidate.age))
        return Pick(least.vertex.id, f"every open question rests: {_times(least.idle)} without news here")
    if _falls_on(number, settings.explore_every):
        return Pick(*_explained(awake, "exploration"))
    hottest = min(awake, key=lambda candidate: (-candidate.score, candidate.worked, candidate.age))
    new = [candidate for candidate in awake if candidate.boardings == 0]
    if hottest.score > 0 and not (new and hottest.boardings >= _FIRST_LOOK_BY):
        heat = f"contention {graph.contention(hottest.vertex.id):.2f}"
        stake = "" if hottest.vertex.stake == "normal" else f", {hottest.vertex.stake} stake"
        return Pick(hottest.vertex.id, f"most contended ({heat}{stake})")
    return Pick(*_explained(awake, "nothing is contended" if hottest.score == 0 else "a first look"))


def _candidate(graph: Graph, vertex: Vertex) -> _Candidate:
    return _Candidate(
        vertex,
        graph.boardings_of(vertex.id),
        graph.idle_boardings(vertex.id),
        graph.contention(vertex.id) * STAKE_WEIGHTS[vertex.stake],
    )


def _least_worked(candidates: Sequence[_Candidate]) -> _Candidate:
    return min(
        candidates, key=lambda candidate: (candidate.worked, -STAKE_WEIGHTS[candidate.vertex.stake], candidate.age)
    )


def _explained(candidates: Sequence[_Candidate], why: str) -> Pick:
    least = _least_worked(candidates)
    return Pick(least.vertex.id, f"{why}: least worked ({_times(least.boardings)})")


def _times(boardings: int) -> str:
    return "never boarded" if boardings == 0 else f"{boardings} boarding{'' if boardings == 1 else 's'}"


def _falls_on(number: int, every: int) -> bool:
    return every > 0 and number % every == 0
