"""Any server with OpenAI's chat completions: LM Studio, vLLM, llama.cpp, OpenRouter, OpenAI itself."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any
from urllib.parse import urlsplit

import httpx

from perdura_core.config import Providers
from perdura_core.errors import AccountError, RequestError, WorkerError
from perdura_core.vocabulary import Call, Card, Chunk
from perdura_core.workers.completions import Completion
from perdura_core.workers.deadlines import LOADING, connect_limit, within
from perdura_core.workers.remote import RemoteWorker
from perdura_core.workers.sse import EventDecoder
from perdura_core.workers.wire import UNREADABLE, Account, dropped, garbled, turned_away

__all__ = ["OpenAICompatibleWorker", "build"]

_HOME = "https://api.openai.com/v1"
_STATUS = {"rate_limit_exceeded": 429, "insufficient_quota": 429, "invalid_api_key": 401, "invalid_request_error": 400}


class OpenAICompatibleWorker(RemoteWorker[str]):
    """Streams a chat completion."""

    @property
    def _url(self) -> str:
        return f"{self._base_url.rstrip('/')}/chat/completions"

    async def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        """See the protocol."""
        patience = LOADING if self._card.tier == "local" else 1.0
        completion = Completion()
        async with aclosing(within(call.deadlines, self.model, self._events(call), patience)) as events:
            async for event in events:
                try:
                    chunks = completion.read(event)
                except UNREADABLE:
                    raise garbled(self._account) from None
                for chunk in chunks:
                    yield chunk
        for chunk in completion.close():
            yield chunk

    async def _events(self, call: Call) -> AsyncGenerator[dict[str, Any], None]:
        key = self._account.key
        headers = {} if key is None else {"Authorization": f"Bearer {key.get_secret_value()}"}
        options: dict[str, Any] = {"verify": self._certificates, "timeout": connect_limit(call.deadlines)}
        decoder = EventDecoder()
        fault: WorkerError | None = None
        try:
            async with (
                httpx.AsyncClient(**options) as client,
                client.stream("POST", self._url, json=self._body(call), headers=headers) as answer,
            ):
                if answer.status_code != httpx.codes.OK:
                    raise turned_away(self._account, answer.status_code, await answer.aread(), answer.headers)
                if "event-stream" not in answer.headers.get("content-type", ""):
                    raise self._no_stream(await answer.aread())
                async for piece in answer.aiter_bytes():
                    for data in decoder.feed(piece):
                        yield self._event(data)
                for data in decoder.close():
                    yield self._event(data)
        except httpx.HTTPError as error:
            fault = dropped(self._account, error)
        except (httpx.InvalidURL, UnicodeDecodeError):
            fault = garbled(self._account)
        if fault is not None:
            raise fault

    def _event(self, data: str) -> dict[str, Any]:
        if data == "[DONE]":
            return {}
        try:
            event: dict[str, Any] = json.loads(data)
            error = event.get("error")
        except UNREADABLE:
            raise garbled(self._account) from None
        if error:
            raise self._complaint(event)
        return event

    def _complaint(self, event: dict[str, Any]) -> WorkerError:
        error = event["error"]
        code = error.get("code") or error.get("type") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and code >= httpx.codes.BAD_REQUEST else _STATUS.get(str(code), 500)
        return turned_away(self._account, status, event, {}, is_under_way=True)

    def _no_stream(self, body: bytes) -> WorkerError:
        try:
            event = json.loads(body)
        except ValueError:
            event = None
        if isinstance(event, dict) and event.get("error"):
            return self._complaint(event)
        return RequestError(self.model, f"{self._url} answered, but not with a stream: check the base URL")

    def _body(self, call: Call) -> dict[str, Any]:
        # OpenAI's newer models refuse the name that every other server knows.
        is_home = urlsplit(self._url).hostname == urlsplit(_HOME).hostname
        body: dict[str, Any] = {
            "model": self.model.partition(":")[2],
            "messages": [
                {"role": "system", "content": call.prompt.system},
                {"role": "user", "content": call.prompt.user},
            ],
            "max_completion_tokens" if is_home else "max_tokens": call.max_output_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if call.delta_schema:
            named = {"name": "delta", "schema": call.delta_schema, "strict": False}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body


def build(card: Card, providers: Providers, pace: float | None = None) -> OpenAICompatibleWorker:
    """The worker of `openai:any-name`. Raises AccountError without a key, unless some other server is named."""
    base_url = card.base_url or providers.openai_url
    if base_url is None and providers.openai_key is None:
        raise AccountError(card.id, "no server: set OPENAI_BASE_URL, or OPENAI_API_KEY for OpenAI itself")
    return OpenAICompatibleWorker(card, base_url or _HOME, Account(card.id, "OPENAI_API_KEY", providers.openai_key))
