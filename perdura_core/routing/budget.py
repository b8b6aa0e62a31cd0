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
Unit = Literal["usd", "tokens"]


class _Account(NamedTuple):
    """What a cap is kept on: one session, day, question, model or domain."""

    kind: AccountKind
    key: str
    unit: Unit = "usd"

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
        reserved_tokens=reserved.tokens,
        tokens=_tokens_of(usage, reserved.tokens),
    )


def _tokens_of(usage: Usage | None, reserved: int) -> int:
    """What a call took, in and out together; as reserved when nobody said. 0 where tokens are not counted."""
    if not reserved or usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return reserved
    cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
    return usage.input_tokens + usage.output_tokens + cached


class Purse:
    """Money and tokens by session, day (UTC), question, model and domain; the last three over all the mind's history.

    A fold over the journal, so that a restart and a second process see the same figures. For caps to hold between
    processes and between plans of one group, it must be moved along under the write lock wherever the graph is, and
    `refusal` or `reserve` must be asked inside the plan that writes the reservation.

    Each reservation counts in full until its settlement replaces it, on the day on which it was made. One that is
    never settled (its process was killed) stays charged in full, because the provider may have billed the call;
    whoever ends that boarding settles it with `held` and `settlement(hold, None, None)`, which changes no total.
    """

    def __init__(self, caps: BudgetSettings) -> None:
        self._caps = caps
        self._session_caps: dict[tuple[str, Unit], int] = {}
        self._charged: dict[_Account, int] = defaultdict(int)
        self._holds: dict[str, list[_Hold]] = {}
        self._head = 0

    def apply(self, events: Iterable[Event]) -> None:
        """Move the figures forward. Events at or before the last one applied are ignored."""
        for event in events:
            if event.seq <= self._head:
                continue
            self._head = event.seq
            match event.what:
                case SessionStarted(session=session, budget_micro_usd=cap, budget_tokens=tokens):
                    self._cap_session(session, cap, tokens)
                case SessionChanged(session=session, budget_micro_usd=cap, budget_tokens=tokens):
                    self._cap_session(session, cap, tokens)
                case CostReserved() as reserved:
                    accounts = _accounts(
                        event.session, event.at.date(), reserved.question, reserved.model, reserved.domains
                    )
                    self._holds.setdefault(reserved.boarding, []).append(_Hold(reserved, accounts))
                    self._charge(accounts, reserved.cost_micro_usd, reserved.tokens)
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
        tokens: int = 0,
    ) -> OverBudgetError | None:
        """Why a call that may cost so much must not be made: the cap with the least left. None: every cap has room.

        A need of None means that the price is unknown, and is refused as soon as any cap applies. A need of 0 is
        never refused. `tokens` is what it may take of caps in tokens.
        """
        accounts = _accounts(session, day, question, model, domains)
        counted = (
            self._lefts(account._replace(unit="tokens") for account in accounts) if tokens and self._caps_tokens else []
        )
        if counted and min(counted)[0] < tokens:
            left, account = min(counted)
            return OverBudgetError.of_tokens(account.title, tokens, left)
        if needed_micro_usd == 0:
            return None
        lefts = self._lefts(accounts)
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
        tokens: int = 0,
    ) -> CostReserved:
        """The reservation to write in this very plan. Raises OverBudgetError naming the tightest cap.

        It is held from the moment the event is applied, so one plan asks once.
        """
        refusal = self.refusal(
            cost_micro_usd,
            session=session,
            day=day,
            model=model,
            question=question,
            domains=domains,
            tokens=tokens,
        )
        if refusal is not None:
            raise refusal
        return CostReserved(
            boarding=boarding,
            model=model,
            question=question,
            domains=tuple(dict.fromkeys(domains)),
            cost_micro_usd=cost_micro_usd,
            tokens=tokens,
        )

    def counts_tokens(self, *, session: str | None, model: ModelId, domains: Sequence[str] = ()) -> bool:
        """Whether a cap in tokens applies to calls of this model, so that they must be reserved even when free."""
        if not self._caps_tokens:
            return False
        accounts = _accounts(session, date.min, "", model, domains)
        return any(self._cap(account._replace(unit="tokens")) is not None for account in accounts)

    @property
    def _caps_tokens(self) -> bool:
        caps = self._caps
        named = (caps.session_tokens, caps.day_tokens, caps.question_tokens)
        is_set = any(cap is not None for cap in named) or bool(caps.model_tokens or caps.domain_tokens)
        return is_set or any(unit == "tokens" for _, unit in self._session_caps)

    def overdrawn(
        self, *, session: str | None, day: date, model: ModelId, question: NodeId, domains: Sequence[str] = ()
    ) -> str | None:
        """The cap that what is spent and held has passed, because it was lowered since; None: every cap holds."""
        accounts = _accounts(session, day, question, model, domains)
        both = (*accounts, *(account._replace(unit="tokens") for account in accounts))
        return next((account.title for left, account in self._lefts(both) if left < 0), None)

    def is_capped(self, *, session: str | None, model: ModelId, domains: Sequence[str] = ()) -> bool:
        """Whether any cap applies to calls of this model, so that its price must be known."""
        caps = (self._cap(account) for account in _accounts(session, date.min, "", model, domains))
        return any(cap is not None for cap in caps)

    def held(self, boarding: str) -> tuple[CostReserved, ...]:
        """Reservations of the boarding that nothing settled yet, oldest first."""
        return tuple(hold.reserved for hold in self._holds.get(boarding, ()))

    def charged(self, kind: AccountKind, key: str, unit: Unit = "usd") -> int:
        """Settled plus held on one account, in micro-dollars or tokens; a day's key is its ISO date."""
        return self._charged.get(_Account(kind, key, unit), 0)

    def left(self, *, session: str | None, day: date) -> MicroUsd | None:
        """What the tighter of the session's and the day's cap still allows, never below 0; None: neither is capped."""
        accounts = [_Account("day", day.isoformat())]
        if session is not None:
            accounts.append(_Account("session", session))
        lefts = self._lefts(accounts)
        return max(0, min(lefts)[0]) if lefts else None

    def _cap_session(self, session: str, cap: MicroUsd | None, tokens: int | None) -> None:
        units: tuple[tuple[Unit, int | None], ...] = (("usd", cap), ("tokens", tokens))
        for unit, most in units:
            if most is None:
                self._session_caps.pop((session, unit), None)
            else:
                self._session_caps[session, unit] = most

    def _settle(self, settled: CostSettled, event: Event) -> None:
        holds = self._holds.get(settled.boarding, [])
        for position, hold in enumerate(holds):
            reserved = hold.reserved
            if (reserved.cost_micro_usd, reserved.tokens) == (settled.reserved_micro_usd, settled.reserved_tokens):
                del holds[position]
                if not holds:
                    del self._holds[settled.boarding]
                saved = settled.cost_micro_usd - settled.reserved_micro_usd, settled.tokens - settled.reserved_tokens
                self._charge(hold.accounts, *saved)
                return
        # A call of unknown price has no reservation, and still counts once somebody knows what it cost.
        accounts = _accounts(event.session, event.at.date(), settled.question, settled.model, settled.domains)
        self._charge(accounts, settled.cost_micro_usd, settled.tokens)

    def _charge(self, accounts: Sequence[_Account], micro_usd: MicroUsd, tokens: int) -> None:
        for account in accounts:
            self._charged[account] += micro_usd
            if tokens:
                self._charged[account._replace(unit="tokens")] += tokens

    def _lefts(self, accounts: Iterable[_Account]) -> list[tuple[int, _Account]]:
        caps = ((account, self._cap(account)) for account in accounts)
        return [(cap - self._charged.get(account, 0), account) for account, cap in caps if cap is not None]

    def _cap(self, account: _Account) -> int | None:
        caps = self._caps
        own = self._session_caps.get((account.key, account.unit)) if account.kind == "session" else None
        if own is not None:
            return own
        if account.unit == "tokens":
            tokens: dict[AccountKind, int | None] = {
                "session": caps.session_tokens,
                "day": caps.day_tokens,
                "question": caps.question_tokens,
                "model": caps.model_tokens.get(account.key),
                "domain": caps.domain_tokens.get(account.key),
            }
            return tokens[account.kind]
        match account.kind:
            case "session":
                return _micro(caps.session_usd)
            case "day":
                return _micro(caps.day_usd)
            case "question":
                return _micro(caps.question_usd)
            case "model":
                return _micro(caps.model_usd.get(account.key))
            case "domain":
                return _micro(caps.domain_usd.get(account.key))


def _accounts(
    session: str | None, day: date, question: NodeId, model: ModelId, domains: Sequence[str]
) -> tuple[_Account, ...]:
    whole = () if session is None else (_Account("session", session),)
    rest = (_Account("day", day.isoformat()), _Account("question", question), _Account("model", model))
    return (*whole, *rest, *(_Account("domain", domain) for domain in dict.fromkeys(domains)))


def _micro(usd: float | None) -> MicroUsd | None:
    """Dollars as whole micro-dollars, rounded down: a cap is never stretched."""
    return None if usd is None else int((Decimal(repr(usd)) * 1_000_000).to_integral_value(rounding=ROUND_FLOOR))
