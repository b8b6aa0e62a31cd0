"""Models on an Ollama server, through its SDK. Import this module only to build a worker."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import httpx
from ollama import AsyncClient, ChatResponse, ResponseError

from perdura_core.config import Providers
from perdura_core.errors import ContentError, WorkerError
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
from perdura_core.workers.deadlines import LOADING, connect_limit, within
from perdura_core.workers.remote import RemoteWorker
from perdura_core.workers.wire import UNREADABLE, Account, dropped, garbled, turned_away

__all__ = ["OllamaWorker", "build"]

_KEEP_ALIVE = "15m"
"""How long the server keeps the model loaded after a call: longer than a seat pauses between two boardings."""

_TRUNCATED = 0.3
"""A prompt of which the server read less than this share of the estimate was cut: the estimate is an upper bound, up
to three times too high for some languages."""

_STOPS: dict[str, StopReason] = {"stop": "end", "length": "max_tokens"}


class OllamaWorker(RemoteWorker[str | None]):
    """Streams a chat."""

    async def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        """See the protocol. Raises ContentError `context_truncated` at the end of a reply to half a prompt."""
        async with aclosing(within(call.deadlines, self.model, self._events(call), LOADING)) as events:
            async for event in events:
                if event.message.thinking:
                    yield ThoughtChunk(text=event.message.thinking)
                if event.message.content:
                    yield TextChunk(text=event.message.content)
                if not event.done:
                    continue
                # A server that had the prompt in its cache may say that it read nothing of it.
                read_tokens = event.prompt_eval_count or None
                yield UsageChunk(usage=Usage(input_tokens=read_tokens, output_tokens=event.eval_count))
                self._refuse_truncation(call, read_tokens)
                reason = self._reason(call, event)
                if reason is not None:
                    yield Stop(reason=reason)

    async def _events(self, call: Call) -> AsyncGenerator[ChatResponse, None]:
        headers = httpx.Headers()

        async def remember(answer: httpx.Response) -> None:
            # The SDK's error does not carry them.
            headers.update(answer.headers)

        key = self._account.key
        options: dict[str, Any] = {
            "verify": self._certificates,
            "timeout": connect_limit(call.deadlines),
            "event_hooks": {"response": [remember]},
        }
        if key is not None:
            options["headers"] = {"Authorization": f"Bearer {key.get_secret_value()}"}
        fault: WorkerError | None = None
        try:
            async with AsyncClient(self._base_url, follow_redirects=False, **options) as client:
                answers = await client.chat(
                    model=self.model.partition(":")[2],
                    messages=[
                        {"role": "system", "content": call.prompt.system},
                        {"role": "user", "content": call.prompt.user},
                    ],
                    stream=True,
                    format=call.delta_schema or None,
                    keep_alive=_KEEP_ALIVE,
                    # Unsaid, the context depends on the server's memory, and what overflows is cut without a word.
                    options={"num_ctx": self._card.num_ctx, "num_predict": call.max_output_tokens},
                )
                async with aclosing(answers):
                    async for answer in answers:
                        yield answer
        except ResponseError as error:
            # An error event in mid-stream has no status.
            status = error.status_code if error.status_code > 0 else 500
            fault = turned_away(
                self._account, status, {"error": error.error}, headers, is_under_way=error.status_code <= 0
            )
        except (httpx.HTTPError, ConnectionError) as error:
            fault = dropped(self._account, error)
        except UNREADABLE:
            fault = garbled(self._account)
        if fault is not None:
            raise fault

    def _refuse_truncation(self, call: Call, read_tokens: int | None) -> None:
        """Raise ContentError when the server read only a part of the prompt; None: it did not say."""
        if read_tokens is None:
            return
        if read_tokens >= self._card.num_ctx or read_tokens < call.prompt_tokens * _TRUNCATED:
            raise ContentError(
                self.model,
                f"the server read {read_tokens} tokens of a prompt of up to {call.prompt_tokens}: "
                f"raise num_ctx (now {self._card.num_ctx}) or lower briefing_tokens of this model",
                "context_truncated",
            )

    def _reason(self, call: Call, event: ChatResponse) -> StopReason | None:
        reason = _STOPS.get(event.done_reason or "")
        if reason == "max_tokens" and event.eval_count is not None and event.eval_count < call.max_output_tokens:
            return "context_full"
        return reason


def build(card: Card, providers: Providers, pace: float | None = None) -> OllamaWorker:
    """The worker of `ollama:NAME`. Needs no key; without an address it talks to this machine."""
    account = Account(card.id, "OLLAMA_API_KEY", providers.ollama_key)
    return OllamaWorker(card, card.base_url or providers.ollama_host, account)
