"""What the router is told when it chooses: the registry, the purse, the graph and the records brought together."""

from collections.abc import Sequence
from datetime import datetime

from perdura_core.config import RunSettings
from perdura_core.errors import UnknownNodeError
from perdura_core.graph import Graph
from perdura_core.routing.budget import Purse
from perdura_core.routing.lead import believed, lead_of
from perdura_core.routing.policies import RouteState
from perdura_core.routing.prices import worst_case
from perdura_core.routing.registry import Registry
from perdura_core.vocabulary import Card, MicroUsd, ModelId, NodeId, TrackRecord

__all__ = ["INSTRUCTION_TOKENS", "route_state"]

INSTRUCTION_TOKENS = 2_000
"""What a prompt holds besides the briefing, at most: an estimate before the prompt exists."""


def route_state(
    graph: Graph,
    registry: Registry,
    purse: Purse,
    question: NodeId,
    *,
    now: datetime,
    session: str | None,
    briefing_tokens: int,
    records: Sequence[TrackRecord] = (),
    models: Sequence[ModelId] = (),
    session_models: Sequence[ModelId] = (),
    turn: int = 1,
    settings: RunSettings | None = None,
    pins: Sequence[ModelId] = (),
    only_aboard: bool = True,
    contention: float | None = None,
) -> RouteState:
    """The state for one boarding of a question.

    `models` restricts and orders the cards (the session's choice); empty means all. With `only_aboard`, cards that
    cannot be reached at all are left out; the picker shows them with the reason. A card whose expected cost no cap
    has room for is not able. `contention` None: what the edges say. `briefing_tokens` is the settings' cap, `settings`
    are those of the session. Raises UnknownNodeError, and InputError for a model without a card.
    """
    run = settings or RunSettings()
    vertex = graph.get(question)
    if vertex is None:
        raise UnknownNodeError(question)
    cards = [registry.card(model) for model in models] if models else list(registry.cards)
    if only_aboard:
        cards = [card for card in cards if registry.is_aboard(card.id)]
    costs: dict[ModelId, MicroUsd | None] = {}
    why_not: dict[ModelId, str] = {}
    for card in cards:
        costs[card.id] = _expected(card, briefing_tokens, now)
        is_capped = not card.prices and purse.is_capped(session=session, model=card.id, domains=vertex.domains)
        refused = registry.why_not(card.id, now, under_budget=is_capped)
        if refused is None:
            refusal = purse.refusal(
                costs[card.id],
                session=session,
                day=now.date(),
                model=card.id,
                question=question,
                domains=vertex.domains,
                tokens=_most_tokens(card, briefing_tokens) if card.is_language_model else 0,
            )
            refused = None if refusal is None else f"the {refusal.cap} budget has no room for it"
        if refused is not None:
            why_not[card.id] = refused
    return RouteState(
        question=question,
        domains=vertex.domains,
        stake=vertex.stake,
        cards=tuple(cards),
        why_not=why_not,
        costs=costs,
        records=tuple(records),
        question_models=tuple(graph.last_models(question)),
        session_models=tuple(session_models),
        turn=turn,
        contention=graph.contention(question) if contention is None else contention,
        idle=graph.idle_boardings(question),
        seed=f"{run.seed}:{session or ''}",
        periodic_k=run.periodic_k,
        contention_threshold=run.contention_threshold,
        random_p=run.random_p,
        usd_worth=run.usd_worth,
        stagnation_after=run.stagnation_after,
        lead=lead_of(graph, question, believed(records, vertex.domains)),
        cascade_stop=run.cascade_stop,
        pins=tuple(pins),
    )


def _expected(card: Card, briefing_tokens: int, now: datetime) -> MicroUsd | None:
    prompt = min(briefing_tokens, card.briefing_tokens) + INSTRUCTION_TOKENS
    return worst_case(card, prompt, card.max_output_tokens, now.date())


def _most_tokens(card: Card, briefing_tokens: int) -> int:
    return min(briefing_tokens, card.briefing_tokens) + INSTRUCTION_TOKENS + card.max_output_tokens
