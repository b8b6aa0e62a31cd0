"""The wire formats of the providers, written by hand from their documentation."""

import json
import re
from typing import Any, Literal, Protocol

from tests.servers.scenario import Scenario

__all__ = ["DIALECTS", "Dialect", "Reason", "Refusal"]

Reason = Literal["end", "max_tokens", "refusal", "safety"]


class Refusal:
    """An HTTP error answer."""

    def __init__(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self.status = status
        self.body = json.dumps(body).encode()
        self.headers = headers or {}


class Dialect(Protocol):
    """One provider's way of saying things. All but `refusal` give raw bytes of the body.

    `index` is the place of the text among the blocks of the reply: 1 after thinking.
    """

    name: str
    content_type: str

    def claims(self, path: str) -> bool: ...
    def model(self, path: str, body: dict[str, Any]) -> str: ...
    def opening(self, plan: Scenario) -> bytes: ...
    def thought(self, text: str) -> bytes: ...
    def block(self, index: int) -> bytes: ...
    def text(self, text: str, index: int) -> bytes: ...
    def closing(self, plan: Scenario, reason: Reason | None, is_thinking: bool) -> bytes: ...
    def midstream_error(self) -> bytes: ...
    def garbage(self) -> bytes: ...
    def odd(self, event: str) -> bytes: ...
    def refusal(self, plan: Scenario) -> Refusal: ...


def _sse(data: Any, event: str | None = None) -> bytes:
    head = f"event: {event}\n" if event else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


_STATUS = {
    "rate_limit": 429, "daily_quota": 429, "overloaded": 529, "unavailable": 503, "broken": 500, "bad_key": 401,
    "odd_bad_key": 403, "no_credit": 402, "odd_no_credit": 400, "model_missing": 404, "too_large": 413,
    "odd_too_large": 400, "schema_refused": 400, "invalid": 400,
}  # fmt: skip


def _retry(plan: Scenario) -> dict[str, str]:
    return {"Retry-After": plan.retry_after} if plan.kind == "rate_limit" and plan.retry_after else {}


class Anthropic:
    """POST /v1/messages."""

    name = "anthropic"
    content_type = "text/event-stream; charset=utf-8"

    def claims(self, path: str) -> bool:
        return path == "/v1/messages"

    def model(self, path: str, body: dict[str, Any]) -> str:
        return str(body["model"])

    def opening(self, plan: Scenario) -> bytes:
        usage = {
            "input_tokens": plan.input_tokens,
            "cache_read_input_tokens": plan.cached_tokens,
            "cache_creation_input_tokens": 0,
            "output_tokens": 1,
        }
        message: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
                   "stop_reason": None, "stop_sequence": None, "usage": usage}  # fmt: skip
        return _sse({"type": "message_start", "message": message}, "message_start") + _sse({"type": "ping"}, "ping")

    def thought(self, text: str) -> bytes:
        start = {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "",
                 "signature": ""}}  # fmt: skip
        said = self._delta(0, {"type": "thinking_delta", "thinking": text})
        signed = self._delta(0, {"type": "signature_delta", "signature": "c2ln"})
        end = _sse({"type": "content_block_stop", "index": 0}, "content_block_stop")
        return _sse(start, "content_block_start") + said + signed + end

    def block(self, index: int) -> bytes:
        start = {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
        return _sse(start, "content_block_start")

    def text(self, text: str, index: int) -> bytes:
        return self._delta(index, {"type": "text_delta", "text": text})

    def closing(self, plan: Scenario, reason: Reason | None, is_thinking: bool) -> bytes:
        word = {"end": "end_turn", "max_tokens": "max_tokens", "refusal": "refusal", "safety": "refusal"}
        stop = _sse({"type": "message_stop"}, "message_stop")
        if reason is None:
            return stop
        output = plan.output_tokens + (plan.thinking_tokens if is_thinking else 0)
        delta = {"type": "message_delta", "delta": {"stop_reason": word[reason], "stop_sequence": None},
                 "usage": {"output_tokens": output}}  # fmt: skip
        return _sse(delta, "message_delta") + stop

    def midstream_error(self) -> bytes:
        return _sse({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "error")

    def garbage(self) -> bytes:
        return b'event: content_block_delta\ndata: {"type": "content_block_delta", "del\n\n'

    def odd(self, event: str) -> bytes:
        return f"event: content_block_delta\ndata: {event}\n\n".encode()

    def refusal(self, plan: Scenario) -> Refusal:
        kind, message = {
            "rate_limit": ("rate_limit_error", "Number of requests has exceeded your rate limit"),
            "daily_quota": ("rate_limit_error", "This would exceed your daily token limit"),
            "overloaded": ("overloaded_error", "Overloaded"),
            "unavailable": ("api_error", "Service unavailable"),
            "broken": ("api_error", "Internal server error"),
            "bad_key": ("authentication_error", "invalid x-api-key"),
            "odd_bad_key": ("permission_error", "Your API key does not have permission"),
            "no_credit": ("billing_error", "Payment required"),
            "odd_no_credit": ("invalid_request_error", "Your credit balance is too low to access the API"),
            "model_missing": ("not_found_error", "model: nothing-here"),
            "too_large": ("request_too_large", "Request exceeds the maximum size"),
            "odd_too_large": ("invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"),
            "schema_refused": ("invalid_request_error", "output_config.format.schema: grammar is too large"),
            "invalid": ("invalid_request_error", "max_tokens: must be at least 1"),
        }[plan.kind]
        body = {"type": "error", "error": {"type": kind, "message": f"{message} {plan.echo}".strip()}}
        return Refusal(_STATUS[plan.kind], body, _retry(plan))

    def _delta(self, index: int, delta: dict[str, Any]) -> bytes:
        return _sse({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")


class Gemini:
    """POST /v1*/models/NAME:streamGenerateContent?alt=sse."""

    name = "gemini"
    content_type = "text/event-stream"
    _path = re.compile(r"/v1\w*/models/([^:]+):streamGenerateContent")

    def claims(self, path: str) -> bool:
        return self._path.match(path) is not None

    def model(self, path: str, body: dict[str, Any]) -> str:
        found = self._path.match(path)
        assert found is not None
        return found[1]

    def opening(self, plan: Scenario) -> bytes:
        return b""

    def thought(self, text: str) -> bytes:
        return self._event({"parts": [{"text": text, "thought": True}], "role": "model"})

    def block(self, index: int) -> bytes:
        return b""

    def text(self, text: str, index: int) -> bytes:
        return self._event({"parts": [{"text": text}], "role": "model"})

    def closing(self, plan: Scenario, reason: Reason | None, is_thinking: bool) -> bytes:
        usage = {
            "promptTokenCount": plan.input_tokens + plan.cached_tokens,
            "cachedContentTokenCount": plan.cached_tokens,
            "candidatesTokenCount": plan.output_tokens,
            **({"thoughtsTokenCount": plan.thinking_tokens} if is_thinking else {}),
        }
        if reason == "safety":
            return _sse({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": usage})
        word = {"end": "STOP", "max_tokens": "MAX_TOKENS", "refusal": "PROHIBITED_CONTENT", None: None}[reason]
        return self._event({"parts": [{"text": ""}], "role": "model"}, word, usage)

    def midstream_error(self) -> bytes:
        return _sse({"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}})

    def garbage(self) -> bytes:
        return b'data: {"candidates": [{"conte\n\n'

    def odd(self, event: str) -> bytes:
        return f"data: {event}\n\n".encode()

    def refusal(self, plan: Scenario) -> Refusal:
        details: list[dict[str, Any]] = []
        quota = "GenerateRequestsPerMinutePerProjectPerModel"
        if plan.kind == "daily_quota":
            quota = "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
        if plan.kind in {"rate_limit", "daily_quota"}:
            violation = {"quotaMetric": "generativelanguage.googleapis.com/requests", "quotaId": quota}
            details.append({"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]})
            details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{plan.retry_after}s"})
        if plan.kind == "odd_bad_key":
            details.append({"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"})
        status, word, message = {
            "rate_limit": (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota"),
            "daily_quota": (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota"),
            "overloaded": (503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
            "unavailable": (503, "UNAVAILABLE", "The service is currently unavailable."),
            "broken": (500, "INTERNAL", "An internal error has occurred."),
            "bad_key": (401, "UNAUTHENTICATED", "Request had invalid authentication credentials."),
            "odd_bad_key": (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
            "no_credit": (402, "FAILED_PRECONDITION", "Payment required"),
            "odd_no_credit": (403, "PERMISSION_DENIED", "This API method requires billing to be enabled."),
            "model_missing": (404, "NOT_FOUND", "models/nothing-here is not found for API version v1beta"),
            "too_large": (413, "INVALID_ARGUMENT", "Request payload size exceeds the limit"),
            "odd_too_large": (400, "INVALID_ARGUMENT", "The input token count (2000000) exceeds the maximum"),
            "schema_refused": (400, "INVALID_ARGUMENT", "The specified schema produces a constraint that has too many"),
            "invalid": (400, "INVALID_ARGUMENT", "max_output_tokens must be positive"),
        }[plan.kind]
        message = f"{message} {plan.echo}".strip()
        return Refusal(status, {"error": {"code": status, "message": message, "status": word, "details": details}})

    def _event(self, content: dict[str, Any], reason: str | None = None, usage: dict[str, int] | None = None) -> bytes:
        candidate: dict[str, Any] = {"content": content, "index": 0}
        if reason:
            candidate["finishReason"] = reason
        return _sse({"candidates": [candidate], "modelVersion": "m"} | ({"usageMetadata": usage} if usage else {}))


class Ollama:
    """POST /api/chat, one JSON object a line."""

    name = "ollama"
    content_type = "application/x-ndjson"

    def claims(self, path: str) -> bool:
        return path == "/api/chat"

    def model(self, path: str, body: dict[str, Any]) -> str:
        return str(body["model"])

    def opening(self, plan: Scenario) -> bytes:
        return b""

    def thought(self, text: str) -> bytes:
        return self._line({"role": "assistant", "content": "", "thinking": text})

    def block(self, index: int) -> bytes:
        return b""

    def text(self, text: str, index: int) -> bytes:
        return self._line({"role": "assistant", "content": text})

    def closing(self, plan: Scenario, reason: Reason | None, is_thinking: bool) -> bytes:
        message = {"role": "assistant", "content": ""}
        if reason is None:
            return self._line(message)
        output = plan.output_tokens + (plan.thinking_tokens if is_thinking else 0)
        done = {
            "done": True,
            "done_reason": "length" if reason == "max_tokens" else "stop",
            "total_duration": 10**9,
            "prompt_eval_count": 16 if plan.kind == "truncated_prompt" else plan.input_tokens + plan.cached_tokens,
            "eval_count": output,
        }
        return self._line(message, **done)

    def midstream_error(self) -> bytes:
        return json.dumps({"error": "llama runner process has terminated"}).encode() + b"\n"

    def garbage(self) -> bytes:
        return b'{"model": "m", "mess\n'

    def odd(self, event: str) -> bytes:
        return f"{event}\n".encode()

    def refusal(self, plan: Scenario) -> Refusal:
        message = {
            "rate_limit": "too many requests",
            "daily_quota": "you've reached your weekly usage limit",
            "overloaded": "server busy, please try again. maximum pending requests exceeded",
            "unavailable": "server busy, please try again. maximum pending requests exceeded",
            "broken": "llama runner process has terminated: exit status 2",
            "bad_key": "unauthorized",
            "odd_bad_key": "forbidden",
            "no_credit": "this model requires a subscription",
            "odd_no_credit": "billing is required for this model",
            "model_missing": "model 'nothing-here' not found",
            "too_large": "request body too large",
            "odd_too_large": "the input exceeds the context length",
            "schema_refused": "invalid JSON schema in format",
            "invalid": "invalid options: num_predict",
        }[plan.kind]
        status = 503 if plan.kind == "overloaded" else _STATUS[plan.kind]
        return Refusal(status, {"error": f"{message} {plan.echo}".strip()}, _retry(plan))

    def _line(self, message: dict[str, Any], **fields: Any) -> bytes:
        line = {"model": "m", "created_at": "2026-11-30T12:00:00Z", "message": message, "done": False, **fields}
        return json.dumps(line, ensure_ascii=False).replace("\u2028", "\\u2028").encode() + b"\n"


class OpenAI:
    """POST /v1/chat/completions."""

    name = "openai"
    content_type = "text/event-stream"

    def claims(self, path: str) -> bool:
        return path == "/v1/chat/completions"

    def model(self, path: str, body: dict[str, Any]) -> str:
        return str(body["model"])

    def opening(self, plan: Scenario) -> bytes:
        return b": processing\n\n" + self._event({"role": "assistant", "content": ""})

    def thought(self, text: str) -> bytes:
        return self._event({"reasoning_content": text})

    def block(self, index: int) -> bytes:
        return b""

    def text(self, text: str, index: int) -> bytes:
        return self._event({"content": text})

    def closing(self, plan: Scenario, reason: Reason | None, is_thinking: bool) -> bytes:
        if reason is None:
            return b"data: [DONE]\n\n"
        words = {"end": "stop", "max_tokens": "length", "refusal": "stop", "safety": "content_filter"}
        said = self._event({"refusal": "I cannot help with that."}) if reason == "refusal" else b""
        usage = {
            "prompt_tokens": plan.input_tokens + plan.cached_tokens,
            "completion_tokens": plan.output_tokens + (plan.thinking_tokens if is_thinking else 0),
            "prompt_tokens_details": {"cached_tokens": plan.cached_tokens},
        }
        counts = _sse({"id": "c1", "object": "chat.completion.chunk", "choices": [], "usage": usage})
        return said + self._event({}, words[reason]) + counts + b"data: [DONE]\n\n"

    def midstream_error(self) -> bytes:
        return _sse({"error": {"code": 503, "message": "Provider overloaded"}, "choices": []})

    def garbage(self) -> bytes:
        return b'data: {"choices": [{"del\n\n'

    def odd(self, event: str) -> bytes:
        return f"data: {event}\n\n".encode()

    def refusal(self, plan: Scenario) -> Refusal:
        kind, message = {
            "rate_limit": ("rate_limit_exceeded", "Rate limit reached for requests"),
            "daily_quota": ("rate_limit_exceeded", "Rate limit exceeded: free-models-per-day"),
            "overloaded": ("server_error", "The engine is currently overloaded"),
            "unavailable": ("server_error", "Loading model"),
            "broken": ("server_error", "The server had an error"),
            "bad_key": ("invalid_api_key", "Incorrect API key provided"),
            "odd_bad_key": ("forbidden", "Your key may not use this model"),
            "no_credit": ("402", "Insufficient credits"),
            "odd_no_credit": ("insufficient_quota", "You exceeded your current quota, please check your plan"),
            "model_missing": ("model_not_found", "The model `nothing-here` does not exist"),
            "too_large": ("request_too_large", "Request too large"),
            "odd_too_large": ("context_length_exceeded", "This model's maximum context length is 8192 tokens"),
            "schema_refused": ("invalid_request_error", "Invalid schema for response_format 'delta'"),
            "invalid": ("invalid_request_error", "max_tokens is too small"),
        }[plan.kind]
        status = {"overloaded": 503, "odd_no_credit": 429}.get(plan.kind, _STATUS[plan.kind])
        message = f"{message} {plan.echo}".strip()
        return Refusal(status, {"error": {"message": message, "type": kind, "param": None, "code": kind}}, _retry(plan))

    def _event(self, delta: dict[str, Any], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return _sse({"id": "c1", "object": "chat.completion.chunk", "model": "m", "choices": [choice]})


DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (Anthropic(), Gemini(), Ollama(), OpenAI())}
