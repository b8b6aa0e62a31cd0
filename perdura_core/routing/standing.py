"""What a policy is told, and how it weighs and words cards."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from perdura_core.vocabulary import Card, MicroUsd, ModelId, NodeId, Stake, TrackRecord, Value

__all__ = ["RouteState", "cheapest", "cheapness", "kind_of", "price", "reliability_of", "standing", "thrift"]


class RouteState(Value):
    """All that a policy may know when it chooses a model for one boarding."""

    question: NodeId
    domains: tuple[str, ...] = ()
    stake: Stake = "normal"
    cards: tuple[Card, ...]
    """Every card that may be considered, in the registry's order (or the order of the session's models)."""
    why_not: Mapping[ModelId, str] = {}
    """Why a card cannot board now (disabled, cooling, over a cap), one clause; the others are able."""
    costs: Mapping[ModelId, MicroUsd | None] = {}
    """What this boarding is expected to cost at most with each card; None or absent: unknown."""
    records: tuple[TrackRecord, ...] = ()
    """Overall records and those of the question's domains."""
    question_models: tuple[ModelId, ...] = ()
    """Models that boarded this question, oldest first."""
    session_models: tuple[ModelId, ...] = ()
    """Models that boarded in this session, oldest first."""
    turn: int = 1
    """Which boarding of the session this is, from 1."""
    contention: float = 0.0
    """Of the question's neighbourhood, in 0..1."""
    idle: int = 0
    """Boardings of this question in a row that added nothing."""
    seed: str = ""
    """What makes this session's chance moves its own; the same state always makes the same ones."""
    periodic_k: int = 3
    contention_threshold: float = 0.15
    random_p: float = 1 / 3
    usd_worth: float = 10.0
    """So much reliability a boarding's dollar must buy."""
    stagnation_after: int = 4
    lead: float | None = None
    """How far the best answer is believed by the records, in 0..1; None: nothing stands."""
    cascade_stop: float = 0.9
    pins: tuple[ModelId, ...] = ()
    """What the operator wants, most wanted first; empty: no wish."""

    @property
    def able(self) -> tuple[Card, ...]:
        """The cards that can board now."""
        return tuple(card for card in self.cards if card.id not in self.why_not)

    def record(self, model: ModelId) -> TrackRecord | None:
        """The model's record in the question's domain with the most outcomes, else its overall one, else None."""
        own = [record for record in self.records if record.model == model]
        within = [record for record in own if record.domain in self.domains]
        if within:
            return max(within, key=lambda record: (record.outcomes, record.domain or ""))
        return next((record for record in own if record.domain is None), None)

    def usd(self, model: ModelId) -> float | None:
        """What a boarding of this model costs: the mean of its past ones, or at most so much; None: unknown."""
        overall = next((one for one in self.records if one.model == model and one.domain is None), None)
        if overall is not None and overall.boardings >= 3 and overall.cost_micro_usd is not None:
            return overall.cost_micro_usd / overall.boardings / 1e6
        cost = self.costs.get(model)
        return None if cost is None else cost / 1e6

    def chance(self, *of: str) -> float:
        """A number in 0..1, drawn by the seed, the question, the turn and what it is for."""
        drawn = sha256("\x1f".join((self.seed, self.question, str(self.turn), *of)).encode()).digest()
        return int.from_bytes(drawn[:8], "big") / 2**64


def cheapest(state: RouteState, cards: Sequence[Card]) -> Card | None:
    return min(cards, key=lambda card: thrift(state, card), default=None)


def thrift(state: RouteState, card: Card) -> tuple[float, int, int, int, str]:
    """Sort key of `cheap`: cost (unknown last), boardings of this question, how recent on it and in the session, id."""
    cost = state.costs.get(card.id)
    return (
        float("inf") if cost is None else cost,
        state.question_models.count(card.id),
        _last_index(state.question_models, card.id),
        _last_index(state.session_models, card.id),
        card.id,
    )


def _last_index(models: Sequence[ModelId], model: ModelId) -> int:
    return len(models) - 1 - models[::-1].index(model) if model in models else -1


def reliability_of(state: RouteState, card: Card) -> float:
    record = state.record(card.id)
    return 0.5 if record is None else record.reliability


def cheapness(state: RouteState, card: Card) -> str:
    cost = state.costs.get(card.id)
    equals = [other for other in state.able if state.costs.get(other.id) == cost]
    if len(equals) == 1:
        return f"cheapest able ({price(state, card)})"
    times = state.question_models.count(card.id)
    worked = "new to this question" if times == 0 else f"{times} of its {len(state.question_models)} boardings"
    return f"cheapest able ({price(state, card)}; {worked})"


def price(state: RouteState, card: Card) -> str:
    cost = state.costs.get(card.id)
    if cost is None:
        return "cost unknown"
    return "free" if cost == 0 else f"at most ${cost / 1e6:.4f}"


def standing(state: RouteState, card: Card) -> str:
    record = state.record(card.id)
    if record is None or record.outcomes == 0:
        return "no outcomes yet"
    where = "overall" if record.domain is None else f"in {record.domain}"
    noun = "outcome" if record.outcomes == 1 else "outcomes"
    interval = f"{record.low:.2f} to {record.high:.2f}"
    return f"reliability {record.reliability:.2f} ({interval}) {where} from {record.outcomes} {noun}"


def kind_of(card: Card) -> str:
    if not card.is_language_model:
        return "a reader"
    return f"a {card.tier} model"
