"""In which layer a contribution was put, by whom, and why."""

from typing import Literal

from perdura_core.vocabulary.nodes import NodeId
from perdura_core.vocabulary.value import Text, Unit, Value

__all__ = ["JudgedLayer", "Placement", "PlacementTier"]

JudgedLayer = Literal["fact", "interpretation"]
PlacementTier = Literal["source", "text", "model", "operator"]
"""Where it comes from and what it was called; its wording; a model that was asked; the operator's word."""


class Placement(Value):
    """The decision that a contribution is an observation or a judgement."""

    tier: PlacementTier
    reason: Text
    """In words for people, without quoting the contribution."""
    called: JudgedLayer | None = None
    """What its author called it, where that was something else."""
    confidence: Unit | None = None
    """What its author asserted, where it became a fact: facts have none."""
    is_sure: bool = True
    """False: neither source nor wording decided. A model may be asked."""
    moved_from: NodeId | None = None
    """The node of the other layer that gave way to this one."""
