"""The form of an act: a title, and what it does to the present."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from perdura_core.clock import Ids
from perdura_core.errors import InputError, UnknownNodeError
from perdura_core.graph import Graph, Vertex
from perdura_core.store.journal import Plan
from perdura_core.vocabulary import OPERATOR, Draft, Happening, NodeId, OperatorActed

__all__ = ["Act", "acted", "interpretation", "question", "vertex"]


class Act(NamedTuple):
    """One thing the operator does. `happenings` sees the present under the write lock and raises InputError."""

    title: str
    """In words for people, with the ids it is about: `prefer i3 to i9`."""
    happenings: Callable[[Graph, Ids], Sequence[Happening]]


def acted(act: Act) -> Plan:
    """The plan of an act: what it does, introduced by an event that tells of it."""

    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        done = act.happenings(graph, ids)
        told = OperatorActed(title=act.title, events=len(done))
        return [Draft(what=what, by=OPERATOR) for what in (told, *done)]

    return plan


def vertex(graph: Graph, node: NodeId) -> Vertex:
    """The vertex. Raises UnknownNodeError."""
    found = graph.get(node)
    if found is None:
        raise UnknownNodeError(node)
    return found


def question(graph: Graph, node: NodeId) -> Vertex:
    """The vertex of a question. Raises InputError for anything else."""
    found = vertex(graph, node)
    if found.layer != "question":
        raise InputError(f"{node} is a {found.layer}: name a question, such as those `perdura questions` lists")
    return found


def interpretation(graph: Graph, node: NodeId) -> Vertex:
    """The vertex of an interpretation that still stands. Raises InputError for anything else."""
    found = vertex(graph, node)
    if found.layer != "interpretation":
        raise InputError(f"{node} is a {found.layer}: name a claim or a decision, such as those `perdura claims` lists")
    if found.superseded_by is not None:
        raise InputError(f"{node} gave way to {found.superseded_by}: name that one")
    return found
