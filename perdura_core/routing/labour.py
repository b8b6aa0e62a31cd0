"""What models did: boardings folded into counts, money and time per model and domain."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    BoardingEnded,
    BoardingOpened,
    CostSettled,
    ElementMerged,
    ElementRejected,
    Event,
    MicroUsd,
    ModelId,
)

__all__ = ["Labour", "Toil"]


@dataclass(slots=True)
class Toil:
    """One boarding's figures so far, or the sums of many."""

    merged: int = 0
    rejected: int = 0
    cost_micro_usd: MicroUsd = 0
    seconds: float = 0.0
    ended: int = 0
    """Boardings whose duration is in `seconds`."""
    last_at: datetime | None = None
    """When the latest of them opened."""
    refusals: Counter[str] = field(default_factory=Counter)
    """Refused elements by reason."""

    def take(self, other: "Toil") -> None:
        """Add another's figures to these."""
        self.merged += other.merged
        self.rejected += other.rejected
        self.cost_micro_usd += other.cost_micro_usd
        self.seconds += other.seconds
        self.ended += other.ended
        self.refusals.update(other.refusals)
        times = [at for at in (self.last_at, other.last_at) if at is not None]
        self.last_at = max(times, default=None)

    @property
    def mean_seconds(self) -> float | None:
        """Mean duration of the ended boardings; None before the first."""
        return self.seconds / self.ended if self.ended else None


class Labour:
    """Boardings by model and domain of their question: ended ones as sums, open ones one by one."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._sums: dict[str | None, dict[ModelId, Toil]] = defaultdict(lambda: defaultdict(Toil))
        """By domain, None being all of them."""
        self._open: dict[str, tuple[ModelId, tuple[str, ...], Toil]] = {}

    def note(self, event: Event) -> None:
        """Take note of what a boarding did. The figures of its ending replace those counted before."""
        match event.what:
            case BoardingOpened(boarding=boarding):
                toil = Toil(last_at=boarding.opened_at)
                self._open[boarding.id] = (boarding.model, self._domains_of(boarding.question), toil)
            case ElementMerged(boarding=aboard) if aboard in self._open:
                self._open[aboard][2].merged += 1
            case ElementRejected(boarding=aboard, reason=reason) if aboard in self._open:
                self._open[aboard][2].rejected += 1
                self._open[aboard][2].refusals[reason] += 1
            case CostSettled(boarding=aboard) as settled if aboard in self._open:
                self._open[aboard][2].cost_micro_usd += settled.cost_micro_usd
            case BoardingEnded(boarding=aboard) as ended if aboard in self._open:
                toil = self._open[aboard][2]
                toil.merged, toil.rejected, toil.cost_micro_usd = ended.merged, ended.rejected, ended.cost_micro_usd
                self._end(aboard, ended.seconds)
            case _:
                pass

    def of(self, domain: str | None) -> dict[ModelId, Toil]:
        """The figures of every model that boarded, overall (None) or on questions of the domain."""
        found: dict[ModelId, Toil] = defaultdict(Toil)
        for model, toil in self._sums.get(domain, {}).items():
            found[model].take(toil)
        for model, domains, toil in self._open.values():
            if domain is None or domain in domains:
                found[model].take(toil)
        return found

    def _end(self, boarding: str, seconds: float) -> None:
        model, domains, toil = self._open.pop(boarding)
        toil.seconds, toil.ended = seconds, 1
        for domain in (None, *domains):
            self._sums[domain][model].take(toil)

    def _domains_of(self, question: str) -> tuple[str, ...]:
        vertex = self._graph.get(question)
        return () if vertex is None else tuple(dict.fromkeys(vertex.domains))
