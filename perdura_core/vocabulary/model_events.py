"""What happens to models and to money."""

from datetime import datetime
from typing import Literal

from perdura_core.vocabulary.models import ModelId, Terms, Usage
from perdura_core.vocabulary.nodes import NodeId
from perdura_core.vocabulary.value import MicroUsd, Text, Value

__all__ = [
    "CardChanged",
    "CostReserved",
    "CostSettled",
    "ModelCooled",
    "ModelDisabled",
    "ModelEnabled",
]


class CostReserved(Value):
    """The worst case of one call was held against every cap it touches."""

    kind: Literal["cost_reserved"] = "cost_reserved"
    boarding: str
    model: ModelId
    question: NodeId
    domains: tuple[str, ...]
    cost_micro_usd: MicroUsd
    tokens: int = 0
    """In and out together, at most; 0 where nobody counts them."""


class CostSettled(Value):
    """The actual cost of one call replaced its reservation."""

    kind: Literal["cost_settled"] = "cost_settled"
    boarding: str
    model: ModelId
    question: NodeId
    domains: tuple[str, ...]
    reserved_micro_usd: MicroUsd
    cost_micro_usd: MicroUsd
    usage: Usage | None = None
    """None: the provider did not say, so the reservation was charged."""
    reserved_tokens: int = 0
    tokens: int = 0


class ModelDisabled(Value):
    """A model was taken out of service, by the operator or by an account error."""

    kind: Literal["model_disabled"] = "model_disabled"
    model: ModelId
    reason: Text


class ModelEnabled(Value):
    """A model was put back into service."""

    kind: Literal["model_enabled"] = "model_enabled"
    model: ModelId


class ModelCooled(Value):
    """A model is left alone until a time."""

    kind: Literal["model_cooled"] = "model_cooled"
    model: ModelId
    until: datetime
    reason: Text


class CardChanged(Value):
    """The operator changed what the registry says of a model. It stands above the configuration, in this mind."""

    kind: Literal["card_changed"] = "card_changed"
    model: ModelId
    before: Terms
    after: Terms
