"""Progress: news that is shown and never stored. A burst drops its oldest."""

from perdura_core.vocabulary.boardings import Mode, Phase
from perdura_core.vocabulary.models import ModelId
from perdura_core.vocabulary.nodes import NodeId
from perdura_core.vocabulary.value import MicroUsd, Value

__all__ = ["Progress"]


class Progress(Value):
    """Where one seat stands. `text` is what streamed since the progress before it; everything else is the present."""

    seat: int
    phase: Phase
    boarding: str | None = None
    model: ModelId | None = None
    question: NodeId | None = None
    mode: Mode | None = None
    reason: str = ""
    """Why this model (the route's reason), or why the seat is empty."""
    text: str = ""
    is_thought: bool = False
    elapsed_s: float = 0.0
    output_tokens: int | None = None
    """Estimated while streaming; the provider's figure once it is known."""
    cost_micro_usd: MicroUsd = 0
    merged: int = 0
    rejected: int = 0
