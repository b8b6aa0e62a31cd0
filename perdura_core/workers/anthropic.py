"""Claude, through Anthropic's SDK. Import this module only to build a worker: the SDK takes seconds to load."""

import json
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import httpx2
from anthropic import APIConnectionError, APIStatusError, AsyncAnthropic, AsyncStream, omit, transform_schema

from perdura_core.config import Providers
from perdura_core.errors import AccountError, WorkerError
from perdura_core.vocabulary import (
    Call,
    Card,
    Chunk,
    Stop,
    StopReason,
    TextChunk,
    ThoughtChunk,
    Usage,
    UsageChunk,
)
from perdura_core.workers.deadlines import connect_limit, within
from perdura_core.workers.remote import RemoteWorker
from perdura_core.workers.wire import UNREADABLE, Account, count, dropped, garbled, turned_away

__all__ = ["AnthropicWorker", "build"]

# The SDK's debug records carry the whole prompt.
logging.getLogger("anthropic").setLevel(logging.INFO)

_TOKEN = "ANTHROPIC_AUTH_TOKEN"
_HOME = "https://api.anthropic.com"
_STOPS: dict[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "max_tokens": "max_tokens",
    "refusal": "refusal",
    "model_context_window_exceeded": "context_full",
}
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""Errors that come as an event in mid-stream, after status 200."""


class AnthropicWorker(RemoteWorker[str]):
    """Streams messages."""

    async def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        """See the protocol."""
        counts: dict[str, Any] = {}
        async with aclosing(within(call.deadlines, self.model, self._events(call))) as events:
            async for event in events:
                try:
                    chunks = _chunks(event, counts)
                except UNREADABLE:
                    raise garbled(self._account) from None
                for chunk in chunks:
                    yield chunk

    async def _events(self, call: Call) -> AsyncGenerator[dict[str, Any], None]:
        """The raw events, pings too: a server that pings is at work."""
        limits = connect_limit(call.deadlines)
        client = AsyncAnthropic(
            api_key=None if self._is_token else self._secret,
            auth_token=self._secret if self._is_token else None,
            base_url=self._base_url,
            max_retries=0,
            http_client=httpx2.AsyncClient(verify=self._certificates, timeout=limits),
        )
        fault: WorkerError | None = None
        try:
            async with (
                client,
                client.messages.with_streaming_response.create(
                    model=self.model.partition(":")[2],
                    max_tokens=call.max_output_tokens,
                    system=call.prompt.system,
                    messages=[{"role": "user", "content": call.prompt.user}],
                    output_config={"format": {"type": "json_schema", "schema": transform_schema(call.delta_schema)}}
                    if call.delta_schema
                    else omit,
                    stream=True,
                    timeout=httpx2.Timeout(limits),
                ) as answer,
            ):
                async for event in AsyncStream.raw_events(answer.http_response):
                    if event.data:
                        yield self._checked(json.loads(event.data))
        except APIStatusError as error:
            fault = turned_away(self._account, error.status_code, error.body, error.response.headers)
        except (APIConnectionError, httpx2.HTTPError) as error:
            fault = dropped(self._account, error)
        except UNREADABLE:
            fault = garbled(self._account)
        if fault is not None:
            raise fault

    def _checked(self, event: dict[str, Any]) -> dict[str, Any]:
        if event["type"] == "error":
            status = _STATUS.get(event["error"]["type"], 500)
            raise turned_away(self._account, status, event, {}, is_under_way=True)
        return event

    @property
    def _is_token(self) -> bool:
        return self._account.variable == _TOKEN

    @property
    def _secret(self) -> str:
        # A local server needs no key, and the SDK makes no call without one.
        return self._account.key.get_secret_value() if self._account.key is not None else "none"


def build(card: Card, providers: Providers, pace: float | None = None) -> AnthropicWorker:
    """The worker of `anthropic:NAME`. Raises AccountError without a key, unless some other server is named."""
    base_url = card.base_url or providers.anthropic_url
    variable, key = "ANTHROPIC_API_KEY", providers.anthropic_key
    if key is None and providers.anthropic_token is not None:
        variable, key = _TOKEN, providers.anthropic_token
    if key is None and base_url is None:
        raise AccountError(card.id, "no key: set ANTHROPIC_API_KEY")
    return AnthropicWorker(card, base_url or _HOME, Account(card.id, variable, key))


def _chunks(event: dict[str, Any], counts: dict[str, Any]) -> list[Chunk]:
    """The event's chunks. `counts` gathers the usage fields, which come in two parts."""
    match event:
        case {"type": "content_block_start", "content_block": {"type": "text", "text": str(text)}} if text:
            return [TextChunk(text=text)]
        case {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}}:
            return [TextChunk(text=text)]
        case {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": text}}:
            return [ThoughtChunk(text=text)]
        case {"type": "message_start", "message": {"usage": dict(usage)}}:
            counts.update(usage)
            return [UsageChunk(usage=_usage(counts, is_final=False))]
        case {"type": "message_delta"}:
            counts.update({name: value for name, value in (event.get("usage") or {}).items() if value is not None})
            chunks: list[Chunk] = [UsageChunk(usage=_usage(counts, is_final=True))]
            reason = event["delta"].get("stop_reason")
            return [*chunks, Stop(reason=_STOPS[reason])] if reason in _STOPS else chunks
    return []


def _usage(counts: dict[str, Any], *, is_final: bool) -> Usage:
    return Usage(
        input_tokens=count(counts.get("input_tokens")),
        # The count at the start is a placeholder of a token or so.
        output_tokens=count(counts.get("output_tokens")) if is_final else None,
        cache_read_tokens=count(counts.get("cache_read_input_tokens")),
        cache_write_tokens=count(counts.get("cache_creation_input_tokens")),
    )
