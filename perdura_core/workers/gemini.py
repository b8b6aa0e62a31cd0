"""Gemini, through Google's SDK. Import this module only to build a worker: the SDK takes a second to load."""

import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import Any

import httpx2
from google import genai
from google.genai import errors, types

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
from perdura_core.workers.deadlines import within
from perdura_core.workers.remote import RemoteWorker
from perdura_core.workers.wire import UNREADABLE, Account, dropped, garbled, turned_away

__all__ = ["GeminiWorker", "build"]

# The SDK warns of every word that is newer than itself; what we do not know ends a reply as a cut does.
warnings.filterwarnings("ignore", message=".* is not a valid ", category=UserWarning, module=r"google\.genai")

_STOPS: dict[str, StopReason] = {
    "STOP": "end",
    "MAX_TOKENS": "max_tokens",
    **dict.fromkeys(
        ("SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "RECITATION", "MODEL_ARMOR", "ESCALATION"), "safety"
    ),
}


class GeminiWorker(RemoteWorker[str | None]):
    """Streams generated content."""

    async def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        """See the protocol."""
        async with aclosing(within(call.deadlines, self.model, self._events(call))) as events:
            async for event in events:
                try:
                    chunks = _chunks(event)
                except UNREADABLE:
                    raise garbled(self._account) from None
                for chunk in chunks:
                    yield chunk

    async def _events(self, call: Call) -> AsyncGenerator[types.GenerateContentResponse, None]:
        connect_s = call.deadlines.connect_s

        async def limit(request: httpx2.Request) -> None:
            # The SDK lays its own timeout, or none, over that of the client.
            request.extensions["timeout"] = {"connect": connect_s}

        http = httpx2.AsyncClient(verify=self._certificates, event_hooks={"request": [limit]})
        answers: AsyncIterator[types.GenerateContentResponse] | None = None
        fault: WorkerError | None = None
        is_under_way = False
        try:
            with self._client(http) as client:
                answers = await client.aio.models.generate_content_stream(
                    model=self.model.partition(":")[2], contents=call.prompt.user, config=self._config(call)
                )
                async for answer in answers:
                    is_under_way = True
                    yield answer
        except errors.APIError as error:
            await _run_dry(http, error.response)
            headers = getattr(error.response, "headers", None) or {}
            fault = turned_away(self._account, error.code, error.details, headers, is_under_way=is_under_way)
        except httpx2.HTTPError as error:
            fault = dropped(self._account, error)
        except UNREADABLE:
            fault = garbled(self._account)
        finally:
            await _run_dry(http, answers)
        if fault is not None:
            raise fault

    @contextmanager
    def _client(self, http: httpx2.AsyncClient) -> Iterator[genai.Client]:
        key = self._account.key
        # The second client is given only because the SDK would load its certificates anew, and so are they.
        with httpx2.Client(verify=self._certificates) as unused:
            options = types.HttpOptions(
                base_url=self._base_url,
                httpx_async_client=http,
                httpx_client=unused,
                async_client_args={"ssl": self._certificates},
            )
            # A local server needs no key, and the SDK makes no client without one.
            secret = key.get_secret_value() if key is not None else "none"
            yield genai.Client(api_key=secret, vertexai=False, http_options=options)

    def _config(self, call: Call) -> types.GenerateContentConfig:
        name = self.model.partition(":")[2]
        config = types.GenerateContentConfig(
            system_instruction=call.prompt.system,
            max_output_tokens=call.max_output_tokens,
            # The SDK would follow a stream that was cut by calls of its own.
            automatic_continuation=False,
            # Without them a long thought is a long silence; models of other names may not think.
            thinking_config=types.ThinkingConfig(include_thoughts=True) if name.startswith("gemini-") else None,
        )
        if call.delta_schema:
            config.response_mime_type = "application/json"
            config.response_json_schema = _without_extras(call.delta_schema)
        return config


def build(card: Card, providers: Providers, pace: float | None = None) -> GeminiWorker:
    """The worker of `gemini:NAME`. Raises AccountError without a key, unless some other server is named."""
    base_url = card.base_url or providers.google_url
    if providers.google_key is None and base_url is None:
        raise AccountError(card.id, "no key: set GOOGLE_API_KEY or GEMINI_API_KEY")
    return GeminiWorker(card, base_url, Account(card.id, "GOOGLE_API_KEY", providers.google_key))


async def _run_dry(http: httpx2.AsyncClient, stream: Any) -> None:
    """Hang up, and let the SDK's half-read generators find that out from the inside.

    They do not close each other, and one of them is part of a cycle: left to the garbage collector, all would be
    closed at once and fail over each other.
    """
    await http.aclose()
    if isinstance(stream, AsyncIterator):
        with suppress(Exception):
            while True:
                await anext(stream)


def _without_extras(schema: Any) -> Any:
    """The schema without `additionalProperties`, which this server may refuse."""
    if isinstance(schema, dict):
        return {name: _without_extras(part) for name, part in schema.items() if name != "additionalProperties"}
    return [_without_extras(part) for part in schema] if isinstance(schema, list) else schema


def _chunks(event: types.GenerateContentResponse) -> list[Chunk]:
    chunks: list[Chunk] = []
    candidate = event.candidates[0] if event.candidates else None
    if candidate is not None and candidate.content is not None:
        chunks.extend(
            ThoughtChunk(text=part.text) if part.thought else TextChunk(text=part.text)
            for part in candidate.content.parts or ()
            if part.text
        )
    if event.usage_metadata is not None:
        chunks.append(UsageChunk(usage=_usage(event.usage_metadata)))
    if candidate is not None and candidate.finish_reason is not None:
        reason = _STOPS.get(candidate.finish_reason.value)
        if reason is not None:
            chunks.append(Stop(reason=reason))
    elif event.prompt_feedback is not None and event.prompt_feedback.block_reason is not None:
        chunks.append(Stop(reason="safety"))
    return chunks


def _usage(counts: types.GenerateContentResponseUsageMetadata) -> Usage:
    prompt, cached = counts.prompt_token_count, counts.cached_content_token_count
    written = [tokens for tokens in (counts.candidates_token_count, counts.thoughts_token_count) if tokens is not None]
    return Usage(
        input_tokens=None if prompt is None else max(0, prompt - (cached or 0)),
        output_tokens=sum(written) if written else None,
        cache_read_tokens=cached,
    )
