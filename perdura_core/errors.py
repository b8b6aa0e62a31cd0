"""Everything that Perdura raises, split by what the caller can do about it.

PerduraError
├── InputError              mend the input and try again
│   ├── UnknownNodeError    an id that this mind does not hold
│   ├── ConfigError         a key or value of a configuration file
│   └── DocumentError       a file that cannot be read as a document
├── StoreError              the database cannot do what was asked
│   ├── StoreLockedError    another process holds it: wait, or open it read-only
│   ├── StoreReadOnlyError  open it where it can be written, or ask only to read
│   ├── StoreForeignError   the file is no mind: name another
│   ├── StoreNewerError     written by a newer Perdura: upgrade
│   ├── StoreCorruptError   restore a copy
│   └── StoreFullError      no room, or the file is gone: make room and resume
├── WorkerError             a model at work failed; carries the model's id
│   ├── TransientError      wait, retry, or fall back to the next model
│   ├── AccountError        disable the model and tell the operator
│   ├── RequestError        never send the same request again
│   └── ContentError        the reply was refused, blocked, empty, cut or unreadable
├── UpkeepError             the daily upkeep could not be worked out: run it again
│   └── UpkeepBusyError     another process is at it: let it finish
└── OverBudgetError         a cap has no room for the worst case of this call

Messages are one sentence that quotes the offending value and names the remedy.
"""

from typing import Literal

__all__ = [
    "AccountError",
    "ConfigError",
    "ContentError",
    "ContentFault",
    "DocumentError",
    "InputError",
    "OverBudgetError",
    "PerduraError",
    "RequestError",
    "RequestFault",
    "StoreCorruptError",
    "StoreError",
    "StoreForeignError",
    "StoreFullError",
    "StoreLockedError",
    "StoreNewerError",
    "StoreReadOnlyError",
    "TransientError",
    "UnknownNodeError",
    "UpkeepBusyError",
    "UpkeepError",
    "WorkerError",
]

RequestFault = Literal["model_missing", "too_large", "schema_refused", "invalid"]
ContentFault = Literal["refusal", "safety", "empty", "cut", "malformed", "context_truncated"]


class PerduraError(Exception):
    """The root: catch it where a face (desk or command line) turns an error into one sentence."""


class InputError(PerduraError):
    """What the caller passed cannot be used as it is."""


class UnknownNodeError(InputError):
    """An id that this mind does not hold."""

    def __init__(self, node: str) -> None:
        self.node = node
        super().__init__(f"no node {node!r} in this mind: `perdura show` lists what it holds")


class ConfigError(InputError):
    """A configuration file holds a key or a value that Perdura cannot use."""


class DocumentError(InputError):
    """A file cannot be read as a document."""


class StoreError(PerduraError):
    """The database cannot do what was asked."""


class StoreLockedError(StoreError):
    """Another process held the mind longer than the store was willing to wait."""


class StoreReadOnlyError(StoreError):
    """The mind was opened read-only, or the file system does not allow writing."""


class StoreForeignError(StoreError):
    """The file is not a mind."""


class StoreNewerError(StoreError):
    """The mind was written by a newer version of Perdura."""


class StoreCorruptError(StoreError):
    """The file is a mind that SQLite can no longer read."""


class StoreFullError(StoreError):
    """The disk is full, or the file has gone from under the store."""


class WorkerError(PerduraError):
    """A model at work failed. `model` is its id, `message` is safe to show (no keys, no prompt)."""

    def __init__(self, model: str, message: str) -> None:
        self.model = model
        self.message = message
        super().__init__(f"{model}: {message}")


class TransientError(WorkerError):
    """Rate limit, overload, timeout, disconnect, server down: the same call may work later.

    `retry_after_s` is what the server asked for in seconds, uncapped; None when it said nothing. `worth_retrying`
    is False when waiting does not help within a session (a daily quota), so that only a fall back does. `is_unbilled`
    is True when the server turned the call away before it did any work (429, 503, connection refused).
    """

    def __init__(
        self,
        model: str,
        message: str,
        *,
        retry_after_s: float | None = None,
        worth_retrying: bool = True,
        is_unbilled: bool = False,
    ) -> None:
        self.retry_after_s = retry_after_s
        self.worth_retrying = worth_retrying
        self.is_unbilled = is_unbilled
        super().__init__(model, message)


class AccountError(WorkerError):
    """The key is wrong (401, 403) or the account is out of credit (402)."""


class RequestError(WorkerError):
    """The server will never take this request as it is (400, 404, 413). `fault` says which kind."""

    def __init__(self, model: str, message: str, fault: RequestFault = "invalid") -> None:
        self.fault: RequestFault = fault
        super().__init__(model, message)


class ContentError(WorkerError):
    """The reply came and cannot be used. `fault` says why; complete elements before it stay merged."""

    def __init__(self, model: str, message: str, fault: ContentFault) -> None:
        self.fault: ContentFault = fault
        super().__init__(model, message)


class UpkeepError(PerduraError):
    """The daily upkeep could not be worked out."""


class UpkeepBusyError(UpkeepError):
    """Another process is at the upkeep of this mind."""


class OverBudgetError(PerduraError):
    """A cap has no room for the worst case of a call. `cap` names it, amounts are micro-dollars.

    `needed_micro_usd` is None when the model's price is unknown, so that no cap could be kept.
    """

    def __init__(self, cap: str, needed_micro_usd: int | None, left_micro_usd: int, sentence: str = "") -> None:
        self.cap = cap
        self.needed_micro_usd = needed_micro_usd
        self.left_micro_usd = left_micro_usd
        if sentence:
            super().__init__(sentence)
            return
        if needed_micro_usd is None:
            super().__init__(
                f"the {cap} budget has ${left_micro_usd / 1e6:.4f} left and this model's price is unknown: "
                "give it prices in a [[model]] table or choose another model"
            )
            return
        super().__init__(
            f"the {cap} budget has ${left_micro_usd / 1e6:.4f} left and this call may cost "
            f"${needed_micro_usd / 1e6:.4f}: raise the cap or choose a cheaper model"
        )

    @staticmethod
    def of_tokens(cap: str, needed: int, left: int) -> "OverBudgetError":
        """A cap in tokens has no room."""
        return OverBudgetError(
            f"{cap} token",
            0,
            0,
            f"the {cap} budget has {max(left, 0):,} tokens left and this call may take {needed:,}: "
            "raise the cap or choose a model with a smaller briefing and reply",
        )
