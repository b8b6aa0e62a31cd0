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
        if worst is None:
            refusal = self._yard.purse.refusal(
                None,
                session=self._session,
                day=self._day,
                model=self._card.id,
                question=self._question,
                domains=self._domains,
            )
            if refusal is not None:
                raise refusal
        if not worst:
            return []
        self._held = self._yard.purse.reserve(
            worst,
            boarding=boarding,
            session=self._session,
            day=self._day,
            model=self._card.id,
            question=self._question,
            domains=self._domains,
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
