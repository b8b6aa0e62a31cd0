"""Routing policies: one small function each, the state in, a route with its reason out."""

from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist

from perdura_core.errors import InputError
from perdura_core.routing.standing import (
    RouteState,
    cheapest,
    cheapness,
    kind_of,
    price,
    reliability_of,
    standing,
    thrift,
)
from perdura_core.vocabulary import (
    Card,
    MicroUsd,
    ModelId,
    PolicyName,
    Route,
    Tier,
    TrackRecord,
    Value,
    provider_of,
)

__all__ = ["POLICIES", "Choice", "Policy", "RouteState", "fallback", "rank", "route"]

_TIERS: tuple[Tier, ...] = ("local", "standard", "frontier")
_WIDTH_90 = 2 * 1.6448536269514722
"""Width of a normal distribution's central 90 % in standard deviations."""

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
    card = cheapest(state, state.able)
    return None if card is None else Route(model=card.id, policy="cheap", reason=cheapness(state, card))


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
    turn = "every boarding" if state.periodic_k == 1 else f"every {_ordinal(state.periodic_k)} boarding"
    return _escalated(state, "periodic", f"{turn} escalates")


def random(state: RouteState) -> Route | None:
    """With probability `random_p` a frontier model; no opinion otherwise. The measure of what chance alone does."""
    if state.chance("random") >= state.random_p:
        return None
    return _escalated(state, "random", f"by lot, 1 in {1 / state.random_p:.3g}")


def contention(state: RouteState) -> Route | None:
    """A frontier model where the question's neighbourhood disagrees with itself: at the threshold, or half of it for
    a high stake. No opinion elsewhere."""
    threshold = state.contention_threshold / 2 if state.stake == "high" else state.contention_threshold
    if state.contention < threshold:
        return None
    return _escalated(state, "contention", f"contention {state.contention:.2f} reaches {threshold:.3g}")


def track_record(state: RouteState) -> Route | None:
    """The able card with the greatest drawn reliability less `usd_worth` times its cost (Thompson 1933).

    The draw is from a normal distribution with the record's mean and 90 % interval, so that a model of few outcomes
    is tried as often as it may still be the best. Cards of unknown cost are left to other policies.
    """
    priced = [(card, usd) for card in state.able if (usd := state.usd(card.id)) is not None]
    if not priced:
        return None
    best, _ = max(priced, key=lambda each: (_drawn(state, each[0]) - state.usd_worth * each[1], each[0].id))
    return Route(model=best.id, policy="track_record", reason=f"drawn by record: {standing(state, best)}")


def specialist(state: RouteState) -> Route | None:
    """A card that names the question's domain, when its record there is better than the cheapest card's.

    Better by the intervals: its low bound lies above the other's mean. No opinion without such a card.
    """
    usual = cheapest(state, state.able)
    return None if usual is None else specialist_over(state, usual)


def specialist_over(state: RouteState, usual: Card) -> Route | None:
    """The best card that names the question's domain, when it is better there than `usual` by the intervals."""
    named = [card for card in state.able if set(card.domains) & set(state.domains)]
    proven = [(record.low, card) for card in named if (record := _within(state, card)) is not None]
    if not proven:
        return None
    low, best = max(proven, key=lambda each: (each[0], each[1].id))
    if best.id == usual.id or low <= reliability_of(state, usual):
        return None
    return Route(model=best.id, policy="specialist", reason=f"a specialist: {standing(state, best)}")


def stagnation(state: RouteState) -> Route | None:
    """The most reliable able card that did not board lately, once so many boardings in a row added nothing."""
    if state.idle < min(2, state.stagnation_after):
        return None
    lately = set(state.question_models[-state.idle :])
    others = [card for card in state.able if card.id not in lately]
    if not others:
        return None
    best = min(others, key=lambda card: (-reliability_of(state, card), thrift(state, card)))
    why = f"{state.idle} boardings added nothing: another look, {standing(state, best)}"
    return Route(model=best.id, policy="stagnation", reason=why)


def cascade(state: RouteState) -> Route | None:
    """From the cheapest card upwards, one that did not board this question yet, until its best answer is believed.

    No opinion on a question that nobody boarded, once an answer is believed enough, or when everybody boarded.
    """
    if not state.question_models or (state.lead is not None and state.lead >= state.cascade_stop):
        return None
    following = cheapest(state, [card for card in state.able if card.id not in state.question_models])
    if following is None:
        return None
    stands = "no answer stands" if state.lead is None else f"the best answer is believed {state.lead:.2f}"
    why = f"{stands}, {state.cascade_stop:.3g} is asked for: next is {kind_of(following)}, {price(state, following)}"
    return Route(model=following.id, policy="cascade", reason=why)


POLICIES: Mapping[PolicyName, Policy] = {
    "cheap": cheap,
    "pinned": pinned,
    "round_robin": round_robin,
    "periodic": periodic,
    "random": random,
    "contention": contention,
    "track_record": track_record,
    "specialist": specialist,
    "stagnation": stagnation,
    "cascade": cascade,
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
        return abs(step), step > 0, provider_of(card.id) == provider_of(last), thrift(state, card)

    left = [card for card in state.able if card.id not in failed]
    if not left:
        return None
    chosen = min(left, key=place)
    tried = "" if len(failed) == 1 else f" ({len(failed)} models tried)"
    return Route(model=chosen.id, policy="fallback", reason=f"{last} failed{tried}: next is {kind_of(chosen)}")


def rank(state: RouteState) -> list[Choice]:
    """Every card for the picker, best first: able before not, then by reliability for this question, tier and cost."""

    def place(card: Card) -> tuple[bool, float, int, tuple[float, int, int, int, str]]:
        is_out = card.id in state.why_not
        return is_out, -reliability_of(state, card), -_TIERS.index(card.tier), thrift(state, card)

    return [
        Choice(
            card=card,
            record=state.record(card.id),
            cost_micro_usd=state.costs.get(card.id),
            reason=f"{kind_of(card)}, {standing(state, card)}, {price(state, card)}",
            why_not=state.why_not.get(card.id),
        )
        for card in sorted(state.cards, key=place)
    ]


def _escalated(state: RouteState, policy: PolicyName, why: str) -> Route | None:
    """The best able frontier card, or the cheapest with the reason why there is none."""
    frontier = [card for card in state.cards if card.tier == "frontier"]
    if not frontier:
        return _instead(state, policy, "no frontier model aboard")
    able = [card for card in frontier if card.id not in state.why_not]
    if not able:
        clauses = "; ".join(f"{card.id}: {state.why_not[card.id]}" for card in frontier[:2])
        return _instead(state, policy, f"no frontier model can board ({clauses})")
    best = min(able, key=lambda card: (-reliability_of(state, card), thrift(state, card)))
    return Route(model=best.id, policy=policy, reason=f"{why}: {standing(state, best)}")


def _within(state: RouteState, card: Card) -> TrackRecord | None:
    """The card's record in one of the question's domains, if it has outcomes there."""
    record = state.record(card.id)
    return record if record is not None and record.domain is not None and record.outcomes else None


def _drawn(state: RouteState, card: Card) -> float:
    record = state.record(card.id)
    mean, low, high = (0.5, 0.05, 0.95) if record is None else (record.reliability, record.low, record.high)
    quantile = NormalDist().inv_cdf(min(max(state.chance("draw", card.id), 1e-9), 1 - 1e-9))
    return mean + quantile * (high - low) / _WIDTH_90


def _instead(state: RouteState, policy: PolicyName, why: str) -> Route | None:
    card = cheapest(state, state.able)
    return None if card is None else Route(model=card.id, policy=policy, reason=f"{why}: {cheapness(state, card)}")


def _ordinal(number: int) -> str:
    if number % 100 in {11, 12, 13}:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
