"""Routing policies: one small function each, the state in, a route with its reason out."""

from collections.abc import Callable, Mapping, Sequence

from perdura_core.errors import InputError
from perdura_core.vocabulary import (
    Card,
    MicroUsd,
    ModelId,
    NodeId,
    PolicyName,
    Route,
    Stake,
    Tier,
    TrackRecord,
    Value,
    provider_of,
)

__all__ = ["POLICIES", "Choice", "Policy", "RouteState", "fallback", "rank", "route"]

_TIERS: tuple[Tier, ...] = ("local", "standard", "frontier")


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
    periodic_k: int = 3
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


Policy = Callable[[RouteState], Route | None]
"""A policy answers with a route, or with None when it has no opinion on this boarding."""


class Choice(Value):
    """One line of the picker: a card, what is known of it for this question, and why it cannot board, if so."""

    card: Card
    record: TrackRecord | None
    cost_micro_usd: MicroUsd | None
    """Expected at most; None: unknown."""
    reason: str
    why_not: str | None


def cheap(state: RouteState) -> Route | None:
    """The cheapest able card; ties go to the one that boarded this question least, then least recently, then by id."""
    card = _cheapest(state, state.able)
    return None if card is None else Route(model=card.id, policy="cheap", reason=_cheapness(state, card))


def pinned(state: RouteState) -> Route | None:
    """The first able model of the operator's pins; when none is able, the cheapest, with the reason why."""
    if not state.pins:
        return None
    able = {card.id for card in state.able}
    wanted = next((model for model in state.pins if model in able), None)
    if wanted is not None:
        return Route(model=wanted, policy="pinned", reason="pinned by the operator")
    first = state.pins[0]
    return _instead(state, "pinned", f"{first} is pinned but cannot board ({state.why_not.get(first, 'not aboard')})")


def round_robin(state: RouteState) -> Route | None:
    """The next able card after the one that boarded last in this session, in the order of the cards."""
    order = [card.id for card in state.cards]
    last = next((model for model in reversed(state.session_models) if model in order), None)
    start = 0 if last is None else order.index(last) + 1
    turn = [model for model in (*order[start:], *order[:start]) if model not in state.why_not]
    if not turn:
        return None
    return Route(
        model=turn[0], policy="round_robin", reason="first in turn" if last is None else f"next in turn after {last}"
    )


def periodic(state: RouteState) -> Route | None:
    """Every k-th boarding of the session goes to the best able frontier model; no opinion on the others.

    Best is the highest reliability in the question's domains (0.5 when unknown); ties as in `cheap`. Counted over the
    session and not over the question, so that the share of frontier calls is 1/k however the work is spread.
    """
    if state.turn % state.periodic_k != 0:
        return None
    frontier = [card for card in state.cards if card.tier == "frontier"]
    if not frontier:
        return _instead(state, "periodic", "no frontier model aboard")
    able = [card for card in frontier if card.id not in state.why_not]
    if not able:
        clauses = "; ".join(f"{card.id}: {state.why_not[card.id]}" for card in frontier[:2])
        return _instead(state, "periodic", f"no frontier model can board ({clauses})")
    best = min(able, key=lambda card: (-_reliability(state, card), _thrift(state, card)))
    turn = "every boarding" if state.periodic_k == 1 else f"every {_ordinal(state.periodic_k)} boarding"
    return Route(model=best.id, policy="periodic", reason=f"{turn} escalates: {_standing(state, best)}")


POLICIES: Mapping[PolicyName, Policy] = {
    "cheap": cheap,
    "pinned": pinned,
    "round_robin": round_robin,
    "periodic": periodic,
}
"""The policies that a session can run under."""


def route(state: RouteState, policy: PolicyName) -> Route | None:
    """The operator's pins, then the policy, then cheap: the first that answers wins. None when no card is able.

    Raises InputError when no policy has that name.
    """
    chosen = POLICIES.get(policy)
    if chosen is None:
        raise InputError(f"no routing policy is called {policy!r}: choose one of {', '.join(POLICIES)}")
    answers = (answer for attempt in (pinned, chosen, cheap) if (answer := attempt(state)) is not None)
    return next(answers, None)


def fallback(state: RouteState, failed: Sequence[ModelId]) -> Route | None:
    """The next model of the chain after `failed` (oldest first); None when none is left or nothing failed.

    The chain goes by tier: the same one first, then the nearest, the cheaper side before the dearer; within a tier
    other providers before the one that just failed, then as in `cheap`.
    """
    if not failed:
        return None
    last = failed[-1]
    tier = next((card.tier for card in state.cards if card.id == last), "standard")
    rank_of = _TIERS.index(tier)

    def place(card: Card) -> tuple[int, bool, bool, tuple[float, int, int, int, str]]:
        step = _TIERS.index(card.tier) - rank_of
        return abs(step), step > 0, provider_of(card.id) == provider_of(last), _thrift(state, card)

    left = [card for card in state.able if card.id not in failed]
    if not left:
        return None
    chosen = min(left, key=place)
    tried = "" if len(failed) == 1 else f" ({len(failed)} models tried)"
    return Route(model=chosen.id, policy="fallback", reason=f"{last} failed{tried}: next is {_kind(chosen)}")


def rank(state: RouteState) -> list[Choice]:
    """Every card for the picker, best first: able before not, then by reliability for this question, tier and cost."""

    def place(card: Card) -> tuple[bool, float, int, tuple[float, int, int, int, str]]:
        is_out = card.id in state.why_not
        return is_out, -_reliability(state, card), -_TIERS.index(card.tier), _thrift(state, card)

    return [
        Choice(
            card=card,
            record=state.record(card.id),
            cost_micro_usd=state.costs.get(card.id),
            reason=f"{_kind(card)}, {_standing(state, card)}, {_price(state, card)}",
            why_not=state.why_not.get(card.id),
        )
        for card in sorted(state.cards, key=place)
    ]


def _instead(state: RouteState, policy: PolicyName, why: str) -> Route | None:
    card = _cheapest(state, state.able)
    return None if card is None else Route(model=card.id, policy=policy, reason=f"{why}: {_cheapness(state, card)}")


def _cheapest(state: RouteState, cards: Sequence[Card]) -> Card | None:
    return min(cards, key=lambda card: _thrift(state, card), default=None)


def _thrift(state: RouteState, card: Card) -> tuple[float, int, int, int, str]:
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
    return next((index for index in range(len(models) - 1, -1, -1) if models[index] == model), -1)


def _reliability(state: RouteState, card: Card) -> float:
    record = state.record(card.id)
    return 0.5 if record is None else record.reliability


def _cheapness(state: RouteState, card: Card) -> str:
    cost = state.costs.get(card.id)
    equals = [other for other in state.able if state.costs.get(other.id) == cost]
    if len(equals) == 1:
        return f"cheapest able ({_price(state, card)})"
    times = state.question_models.count(card.id)
    worked = "new to this question" if times == 0 else f"{times} of its {len(state.question_models)} boardings"
    return f"cheapest able ({_price(state, card)}; {worked})"


def _price(state: RouteState, card: Card) -> str:
    cost = state.costs.get(card.id)
    if cost is None:
        return "cost unknown"
    return "free" if cost == 0 else f"at most ${cost / 1e6:.4f}"


def _standing(state: RouteState, card: Card) -> str:
    record = state.record(card.id)
    if record is None or record.outcomes == 0:
        return "no outcomes yet"
    where = "overall" if record.domain is None else f"in {record.domain}"
    noun = "outcome" if record.outcomes == 1 else "outcomes"
    interval = f"{record.low:.2f} to {record.high:.2f}"
    return f"reliability {record.reliability:.2f} ({interval}) {where} from {record.outcomes} {noun}"


def _kind(card: Card) -> str:
    if not card.is_language_model:
        return "a reader"
    return f"a {card.tier} model"


def _ordinal(number: int) -> str:
    if number % 100 in {11, 12, 13}:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
