"""The purse: what was spent and what is held, folded from the journal, against the caps of the settings."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import ROUND_FLOOR, Decimal
from typing import Literal, NamedTuple

from perdura_core.config import BudgetSettings
from perdura_core.errors import OverBudgetError
from perdura_core.vocabulary import (
    CostReserved,
    CostSettled,
    Event,
    MicroUsd,
    ModelId,
    NodeId,
    SessionChanged,
    SessionStarted,
    Usage,
)

__all__ = ["BUDGET_KINDS", "AccountKind", "Purse", "settlement"]

BUDGET_KINDS = frozenset({"session_started", "session_changed", "cost_reserved", "cost_settled"})
"""Kinds of the events that the purse folds: what to ask the store for when a mind is opened."""


AccountKind = Literal["session", "day", "question", "model", "domain"]


class _Account(NamedTuple):
    """What a cap is kept on: one session, day, question, model or domain."""

    kind: AccountKind
    key: str

    @property
    def title(self) -> str:
        return self.kind if self.kind in {"session", "day"} else f"{self.kind} {self.key}"


class _Hold(NamedTuple):
    reserved: CostReserved
    accounts: tuple[_Account, ...]


def settlement(reserved: CostReserved, cost_micro_usd: MicroUsd | None, usage: Usage | None) -> CostSettled:
    """What replaces a reservation once the call is over. A cost of None is charged at the reservation."""
    return CostSettled(
        boarding=reserved.boarding,
        model=reserved.model,
        question=reserved.question,
        domains=reserved.domains,
        reserved_micro_usd=reserved.cost_micro_usd,
        cost_micro_usd=reserved.cost_micro_usd if cost_micro_usd is None else cost_micro_usd,
        usage=usage,
    )


class Purse:
    """Money by session, day (UTC), question, model and domain; the last three over the mind's whole history.

    A fold over the journal, so that a restart and a second process see the same figures. For caps to hold between
    processes and between plans of one group, it must be moved along under the write lock wherever the graph is, and
    `refusal` or `reserve` must be asked inside the plan that writes the reservation.

    Each reservation counts in full until its settlement replaces it, on the day on which it was made. One that is
    never settled (its process was killed) stays charged in full, because the provider may have billed the call;
    whoever ends that boarding settles it with `held` and `settlement(hold, None, None)`, which changes no total.
    """

    def __init__(self, caps: BudgetSettings) -> None:
        self._caps = caps
        self._session_caps: dict[str, MicroUsd] = {}
        self._charged: dict[_Account, MicroUsd] = defaultdict(int)
        self._holds: dict[str, list[_Hold]] = {}
        self._head = 0

    def apply(self, events: Iterable[Event]) -> None:
        """Move the figures forward. Events at or before the last one applied are ignored."""
        for event in events:
            if event.seq <= self._head:
                continue
            self._head = event.seq
            match event.what:
                case SessionStarted(session=session, budget_micro_usd=cap) if cap is not None:
                    self._session_caps[session] = cap
                case SessionChanged(session=session, budget_micro_usd=None):
                    self._session_caps.pop(session, None)
                case SessionChanged(session=session, budget_micro_usd=cap) if cap is not None:
                    self._session_caps[session] = cap
                case CostReserved() as reserved:
                    accounts = _accounts(
                        event.session, event.at.date(), reserved.question, reserved.model, reserved.domains
                    )
                    self._holds.setdefault(reserved.boarding, []).append(_Hold(reserved, accounts))
                    self._charge(accounts, reserved.cost_micro_usd)
                case CostSettled() as settled:
                    self._settle(settled, event)
                case _:
                    pass

    def reset(self) -> None:
        """Forget everything, so that the journal can be folded again."""
        self._session_caps.clear()
        self._charged.clear()
        self._holds.clear()
        self._head = 0

    def refusal(
        self,
        needed_micro_usd: MicroUsd | None,
        *,
        session: str | None,
        day: date,
        model: ModelId,
        question: NodeId,
        domains: Sequence[str] = (),
    ) -> OverBudgetError | None:
        """Why a call that may cost so much must not be made: the cap with the least left. None: every cap has room.

        A need of None means that the price is unknown, and is refused as soon as any cap applies. A need of 0 is
        never refused.
        """
        if needed_micro_usd == 0:
            return None
        lefts = self._lefts(_accounts(session, day, question, model, domains))
        if not lefts:
            return None
        left, account = min(lefts)
        if needed_micro_usd is not None and needed_micro_usd <= left:
            return None
        return OverBudgetError(account.title, needed_micro_usd, left)

    def reserve(
        self,
        cost_micro_usd: MicroUsd,
        *,
        boarding: str,
        session: str | None,
        day: date,
        model: ModelId,
        question: NodeId,
        domains: Sequence[str] = (),
    ) -> CostReserved:
        """The reservation to write in this very plan. Raises OverBudgetError naming the tightest cap.

        It is held from the moment the event is applied, so one plan asks once.
        """
        refusal = self.refusal(
            cost_micro_usd, session=session, day=day, model=model, question=question, domains=domains
        )
        if refusal is not None:
            raise refusal
        return CostReserved(
            boarding=boarding,
            model=model,
            question=question,
            domains=tuple(dict.fromkeys(domains)),
            cost_micro_usd=cost_micro_usd,
        )

    def is_capped(self, *, session: str | None, model: ModelId, domains: Sequence[str] = ()) -> bool:
        """Whether any cap applies to calls of this model, so that its price must be known."""
        caps = (self._cap(account) for account in _accounts(session, date.min, "", model, domains))
        return any(cap is not None for cap in caps)

    def held(self, boarding: str) -> tuple[CostReserved, ...]:
        """Reservations of the boarding that nothing settled yet, oldest first."""
        return tuple(hold.reserved for hold in self._holds.get(boarding, ()))

    def charged(self, kind: AccountKind, key: str) -> MicroUsd:
        """Settled plus held on one account; a day's key is its ISO date."""
        return self._charged.get(_Account(kind, key), 0)

    def left(self, *, session: str | None, day: date) -> MicroUsd | None:
        """What the tighter of the session's and the day's cap still allows, never below 0; None: neither is capped."""
        accounts = [_Account("day", day.isoformat())]
        if session is not None:
            accounts.append(_Account("session", session))
        lefts = self._lefts(accounts)
        return max(0, min(lefts)[0]) if lefts else None

    def _settle(self, settled: CostSettled, event: Event) -> None:
        holds = self._holds.get(settled.boarding, [])
        for position, hold in enumerate(holds):
            if hold.reserved.cost_micro_usd == settled.reserved_micro_usd:
                del holds[position]
                if not holds:
                    del self._holds[settled.boarding]
                self._charge(hold.accounts, settled.cost_micro_usd - settled.reserved_micro_usd)
                return
        # A call of unknown price has no reservation, and still counts once somebody knows what it cost.
        accounts = _accounts(event.session, event.at.date(), settled.question, settled.model, settled.domains)
        self._charge(accounts, settled.cost_micro_usd)

    def _charge(self, accounts: Sequence[_Account], micro_usd: MicroUsd) -> None:
        for account in accounts:
            self._charged[account] += micro_usd

    def _lefts(self, accounts: Iterable[_Account]) -> list[tuple[MicroUsd, _Account]]:
        caps = ((account, self._cap(account)) for account in accounts)
        return [(cap - self._charged.get(account, 0), account) for account, cap in caps if cap is not None]

    def _cap(self, account: _Account) -> MicroUsd | None:
        match account.kind:
            case "session":
                own = self._session_caps.get(account.key)
                return own if own is not None else _micro(self._caps.session_usd)
            case "day":
                return _micro(self._caps.day_usd)
            case "question":
                return _micro(self._caps.question_usd)
            case "model":
                return _micro(self._caps.model_usd.get(account.key))
            case "domain":
                return _micro(self._caps.domain_usd.get(account.key))


def _accounts(
    session: str | None, day: date, question: NodeId, model: ModelId, domains: Sequence[str]
) -> tuple[_Account, ...]:
    whole = () if session is None else (_Account("session", session),)
    rest = (_Account("day", day.isoformat()), _Account("question", question), _Account("model", model))
    return (*whole, *rest, *(_Account("domain", domain) for domain in dict.fromkeys(domains)))


def _micro(usd: float | None) -> MicroUsd | None:
    """Dollars as whole micro-dollars, rounded down: a cap is never stretched."""
    return None if usd is None else int((Decimal(repr(usd)) * 1_000_000).to_integral_value(rounding=ROUND_FLOOR))
