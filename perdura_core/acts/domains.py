"""How fast a domain is: settled before its first interpretation, by the pace of its facts or by the operator."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from perdura_core.acts.act import Act
from perdura_core.clock import Ids
from perdura_core.epistemics.coldstart import profiled_velocity
from perdura_core.epistemics.snapshot import VELOCITIES
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.vocabulary import CONDUCTOR, DomainProfiled, Draft, Event, Happening, Layer, Velocity

__all__ = ["DomainStanding", "domain_standings", "profile", "profiles", "unsettled"]

_LAYERS: tuple[Layer, Layer] = ("fact", "interpretation")

Plan = Callable[[Graph, Ids], Sequence[Draft]]


class DomainStanding(NamedTuple):
    """How fast a domain is, and what it holds."""

    name: str
    velocity: Velocity
    settled_by: Literal["operator", "pace"] | None
    """None: nobody did yet, and what comes is medium."""
    pace_days: float | None
    """Median days between news of one entity; None: its facts do not tell."""
    facts: int
    interpretations: int
    """While there is none, the velocity may be set."""


def domain_standings(graph: Graph, told: Sequence[Event], paces: Mapping[str, float]) -> list[DomainStanding]:
    """Every domain, by name. told: the events that settled velocities, in order."""
    settled = _settled(told)
    facts, judged = (
        Counter(domain for vertex in graph.vertices(layer) for domain in vertex.domains) for layer in _LAYERS
    )
    return [
        DomainStanding(
            name=name,
            velocity=graph.velocity_of([name]),
            settled_by=None if name not in settled else "operator" if settled[name].pace_days is None else "pace",
            pace_days=paces.get(name),
            facts=facts[name],
            interpretations=judged[name],
        )
        for name in sorted({*unsettled(graph), *graph.domains_in_use(), *settled})
    ]


def _settled(told: Sequence[Event]) -> dict[str, DomainProfiled]:
    return {event.what.domain: event.what for event in told if isinstance(event.what, DomainProfiled)}


def profile(domain: str, velocity: Velocity) -> Act:
    """Say how fast a domain is. Refused once there is an interpretation of it: what stands ages by its own velocity."""
    name = domain.strip().lower()
    if not name:
        raise InputError("the domain has no name: say which one, such as those `perdura domains` lists")

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        before = graph.profiled().get(name)
        if name in graph.domains_in_use():
            raise InputError(
                f"the domain {name!r} has interpretations, which age as {graph.velocity_of([name])}: its velocity can"
                " be set before the first one only"
            )
        if before == velocity:
            raise InputError(f"the domain {name!r} is {velocity} already: there is nothing to change")
        return [DomainProfiled(domain=name, velocity=velocity, before=before)]

    return Act(f"set the domain {name} to {velocity}", happenings)


def unsettled(graph: Graph) -> set[str]:
    """Domains that have facts or questions and no interpretation yet."""
    named = (domain for layer in ("fact", "question") for vertex in graph.vertices(layer) for domain in vertex.domains)
    return set(named).difference(graph.domains_in_use())


def profiles(paces: Mapping[str, float], told: Sequence[Event]) -> Plan:
    """Settle the velocity of domains that have no interpretation yet by the pace of their facts, in days.

    told: the events that settled velocities. What the operator settled stays. Writes nothing where nothing changes.
    """
    by_operator = {domain for domain, what in _settled(told).items() if what.pace_days is None}

    def plan(graph: Graph, ids: Ids) -> list[Draft]:
        open_ones = unsettled(graph)
        found: list[Draft] = []
        for domain in sorted(open_ones.intersection(paces).difference(by_operator)):
            [code] = profiled_velocity(np.array([paces[domain]])).tolist()
            velocity: Velocity = VELOCITIES[code]
            before = graph.profiled().get(domain)
            if velocity != before:
                what = DomainProfiled(
                    domain=domain, velocity=velocity, before=before, pace_days=round(paces[domain], 2)
                )
                found.append(Draft(what=what, by=CONDUCTOR))
        return found

    return plan
