"""The money of one boarding: what each call may cost is held before it, and settled after it."""

from perdura_core.conductor.crew import Yard
from perdura_core.routing import cost_of, settlement, worst_case
from perdura_core.vocabulary import CONDUCTOR, Call, Card, CostReserved, Draft, MicroUsd, NodeId, Usage

__all__ = ["Till"]


class Till:
    """Holds and settles the calls of one boarding, one call at a time."""

    def __init__(self, yard: Yard, card: Card, session: str, question: NodeId) -> None:
        self._yard = yard
        self._card = card
        self._session = session
        self._question = question
        vertex = yard.journal.graph.get(question)
        self._domains = vertex.domains if vertex is not None else ()
        self._day = yard.clock.now().date()
        self._held: CostReserved | None = None
        self.spent_micro_usd: MicroUsd = 0
        """Settled so far."""

    @property
    def held_micro_usd(self) -> MicroUsd:
        """Reserved for the call under way."""
        return 0 if self._held is None else self._held.cost_micro_usd

    def hold(self, boarding: str, call: Call) -> list[Draft]:
        """The reservation of a call, to be written before it is made. For use inside a plan, under the write lock.

        Raises OverBudgetError when a cap has no room for the worst case.
        """
        self._day = self._yard.clock.now().date()
        worst = worst_case(self._card, call.prompt_tokens, call.max_output_tokens, self._day)
        purse, model, domains = self._yard.purse, self._card.id, self._domains
        is_counted = self._card.is_language_model and purse.counts_tokens(
            session=self._session, model=model, domains=domains
        )
        tokens = call.prompt_tokens + call.max_output_tokens if is_counted else 0
        refusal = purse.refusal(
            worst,
            session=self._session,
            day=self._day,
            model=model,
            question=self._question,
            domains=domains,
            tokens=tokens,
        )
        if refusal is not None:
            raise refusal
        if not worst and not tokens:
            return []
        self._held = purse.reserve(
            worst or 0,
            boarding=boarding,
            session=self._session,
            day=self._day,
            model=model,
            question=self._question,
            domains=domains,
            tokens=tokens,
        )
        return [Draft(what=self._held, by=CONDUCTOR, boarding=boarding, session=self._session)]

    def settle(self, boarding: str, usage: Usage | None) -> list[Draft]:
        """What the call under way cost: by the provider's own counts, or as reserved when nobody knows those.

        Counted at the prices of the day of the reservation, so that a call over midnight stays within what was held.
        """
        held, self._held = self._held, None
        if held is None:
            return []
        cost = None if usage is None else cost_of(self._card, usage, self._day)
        settled = settlement(held, cost, usage)
        self.spent_micro_usd += settled.cost_micro_usd
        return [Draft(what=settled, by=CONDUCTOR, boarding=boarding, session=self._session)]
