"""What the network workers share: whose call it is, how HTTP answers become errors, and trusted certificates."""

import json
import re
import ssl
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, NamedTuple

import httpx
from pydantic import SecretStr

from perdura_core.errors import AccountError, RequestError, RequestFault, TransientError, WorkerError
from perdura_core.vocabulary import ModelId, clean

__all__ = ["UNREADABLE", "Account", "certificates", "count", "dropped", "garbled", "turned_away"]

UNREADABLE = (ValueError, TypeError, AttributeError, LookupError)
"""What reading an event that is not shaped as the protocol says raises, in our code and in the SDKs'."""

_DETAIL = 160


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_KEY = _words(r"api[ _]key[ _](not[ _]valid|invalid)")
_MONEY = _words(r"credit balance|insufficient_quota|spend_limit|billing")
_DAILY = _words(r"per[ _-]?day|daily|weekly|monthly")
_MISSING = _words(r"model_not_found|model.{0,80}(not found|does not exist|not exist)")
_LARGE = _words(
    r"too (long|large)|context[ _](length|window|size)|maximum context|too many tokens|token count.{0,40}exceed"
)
_SCHEMA = _words(r"schema|grammar|response_format|output_config|too many states")


class Account(NamedTuple):
    """Whose call it is: the model, the key, and the name of the variable that holds it."""

    model: ModelId
    variable: str
    key: SecretStr | None

    def safe(self, text: str) -> str:
        """One short line of the server's words without the key."""
        if self.key is not None and len(self.key.get_secret_value()) > 3:
            text = text.replace(self.key.get_secret_value(), "[key]")
        line = " ".join(clean(text).split())
        return line if len(line) <= _DETAIL else line[: _DETAIL - 1] + "…"


class _Complaint(NamedTuple):
    """A server's error body. `words` holds everything that tells the kinds of failure apart."""

    message: str
    words: str
    retry_after_s: float | None


@cache
def certificates() -> ssl.SSLContext:
    """The trusted certificates. Loading them takes a tenth of a second, so they are loaded once."""
    return httpx.create_ssl_context()


def count(value: object) -> int | None:
    """A token count as a server wrote it; None unless it is a whole number of tokens."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def turned_away(
    account: Account, status: int, body: object, headers: Mapping[str, str], *, is_under_way: bool = False
) -> WorkerError:
    """The error for an HTTP status, or for its equal in an event while the reply was under way.

    `body` is the answer's body, parsed or as text. What the caller can do decides, not the bare number: an
    invalid key comes as 400 from one provider, an empty account as 429 from another.
    """
    complaint = _read(body)
    model = account.model
    said = account.safe(complaint.message)
    told = f"{status}: {said}" if said else f"{status}"
    if status == 402 or (status in {400, 403, 429} and _MONEY.search(complaint.words)):
        return AccountError(model, f"the account cannot pay ({told}): add credit, then enable the model again")
    if status in {401, 403} or (status == 400 and _KEY.search(complaint.words)):
        return AccountError(model, f"the server refused the key ({told}): check {account.variable}")
    if status in {408, 409, 425, 429} or status >= 500:
        is_used_up = status == 429 and bool(_DAILY.search(complaint.words))
        kind = "the quota is used up" if is_used_up else "rate limited" if status == 429 else "the server failed"
        if status in {503, 529}:
            kind = "the server is overloaded"
        wait_s = _retry_after_s(headers)
        return TransientError(
            model,
            f"{kind} ({told}): " + ("choose another model" if is_used_up else "try again later"),
            retry_after_s=wait_s if wait_s is not None else complaint.retry_after_s,
            worth_retrying=not is_used_up,
            is_unbilled=status in {429, 503, 529} and not is_under_way,
        )
    fault = _fault(status, complaint.words)
    remedy = {
        "model_missing": f"check the name {model.partition(':')[2]!r} and the server's address",
        "too_large": "lower briefing_tokens or max_output_tokens of this model",
        "schema_refused": "the server cannot constrain its reply to the delta's schema, use another model",
        "invalid": "check the model's settings and the server's address",
    }[fault]
    return RequestError(model, f"the server refused the request ({told}): {remedy}", fault)


def dropped(account: Account, error: Exception) -> TransientError:
    """The error for a connection that could not be made, or broke."""
    cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    name = type(cause).__name__
    if name.startswith("Connect") or isinstance(cause, ConnectionRefusedError):
        return TransientError(
            account.model, f"no connection ({name}): is the server up and its address right?", is_unbilled=True
        )
    return TransientError(account.model, f"the connection broke ({name}): try again")


def garbled(account: Account) -> TransientError:
    """The error for an event that the protocol does not know.

    A model writes text inside events, never events: a broken one is the server's or a proxy's doing. So it is
    transient, and asking the model to mend its reply would be the wrong remedy.
    """
    return TransientError(account.model, "the server sent an event that cannot be read: try again")


def _fault(status: int, words: str) -> RequestFault:
    if status == 413:
        return "too_large"
    if status == 404 or _MISSING.search(words):
        return "model_missing"
    # Schemas come first: they are said to be too large, too.
    if _SCHEMA.search(words):
        return "schema_refused"
    return "too_large" if _LARGE.search(words) else "invalid"


def _read(body: object) -> _Complaint:
    if isinstance(body, bytes):
        body = body.decode("utf-8", "replace")
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except ValueError:
            return _Complaint("", str(body), None)
    if isinstance(body, list) and body:
        body = body[0]
    error: Any = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return _Complaint(error, error, None) if isinstance(error, str) else _Complaint("", "", None)
    message = error.get("message")
    details = error.get("details")
    words = [error.get(name) for name in ("message", "type", "code", "status", "param")]
    return _Complaint(
        message if isinstance(message, str) else "",
        json.dumps([*words, details], ensure_ascii=False),
        _retry_info_s(details),
    )


def _retry_info_s(details: object) -> float | None:
    """The delay of a google.rpc.RetryInfo, written as `"37s"`."""
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str) and re.fullmatch(r"\d+(\.\d+)?s", delay):
            return float(delay[:-1])
    return None


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Retry-After in seconds. A date is measured against the answer's own Date, not against this machine's clock."""
    millis, value = headers.get("retry-after-ms", ""), headers.get("retry-after", "")
    if re.fullmatch(r"\d+(\.\d+)?", millis):
        return float(millis) / 1000
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return float(value)
    try:
        wait = parsedate_to_datetime(value) - parsedate_to_datetime(headers.get("date", ""))
    except (ValueError, TypeError):
        return None
    return max(0.0, wait.total_seconds())
