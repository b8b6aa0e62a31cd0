"""The money of one boarding: what each call may cost is held before it, and settled after it."""

from perdura_core.conductor.crew import Yard
from perdura_core.routing import cost_of, worst_case
from perdura_core.vocabulary import CONDUCTOR, Call, Card, CostReserved, CostSettled, Draft, MicroUsd, NodeId, Usage

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
        self.spent_micro_usd: MicroUsd = 0
        """Settled so far."""
        self.held_micro_usd: MicroUsd = 0
        """Reserved for the call under way."""

    def hold(self, boarding: str, call: Call) -> list[Draft]:
        """The reservation of a call, to be written before it is made. For use inside a plan, under the write lock.

        Raises OverBudgetError when a cap has no room for the worst case.
        """
        today = self._yard.clock.now().date()
        worst = worst_case(self._card, call.prompt_tokens, call.max_output_tokens, today)
        refusal = self._yard.purse.refusal(
            worst,
            session=self._session,
            day=today,
            model=self._card.id,
            question=self._question,
            domains=self._domains,
        )
        if refusal is not None:
            raise refusal
        self.held_micro_usd = worst or 0
        if not worst:
            return []
        what = CostReserved(
            boarding=boarding,
            model=self._card.id,
            question=self._question,
            domains=self._domains,
            cost_micro_usd=worst,
        )
        return [Draft(what=what, by=CONDUCTOR, boarding=boarding, session=self._session)]

    def settle(self, boarding: str, usage: Usage | None) -> list[Draft]:
        """What the call under way cost: by the provider's own counts, or as reserved when nobody knows those."""
        reserved, self.held_micro_usd = self.held_micro_usd, 0
        known = None if usage is None else cost_of(self._card, usage, self._yard.clock.now().date())
        cost = reserved if known is None else known
        self.spent_micro_usd += cost
        if not reserved and not cost:
            return []
        what = CostSettled(
            boarding=boarding,
            model=self._card.id,
            question=self._question,
            domains=self._domains,
            reserved_micro_usd=reserved,
            cost_micro_usd=cost,
            usage=usage,
        )
        return [Draft(what=what, by=CONDUCTOR, boarding=boarding, session=self._session)]
