"""A server that speaks four providers' wire formats over HTTP, and fails as it is told to."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from tests.servers.dialects import DIALECTS, Dialect, Reason
from tests.servers.scenario import Scenario

__all__ = ["Entry", "FaultServer", "Request"]

_REASONS: dict[str, Reason] = {"max_tokens": "max_tokens", "refusal": "refusal", "safety": "safety"}
_PAGE = b"<html><body>It works!</body></html>"


@dataclass(frozen=True)
class Request:
    """One request as it came in."""

    provider: str
    model: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Entry:
    """One line of the ledger: what a request came to, and what it would have been billed for."""

    request: Request
    scenario: Scenario
    status: int = 200
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    """With thinking, in proportion to what was sent."""
    is_complete: bool = False
    """The whole script was played to a client that was still there."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client closed its end."""


class _GoneError(Exception):
    """The client hung up."""


class FaultServer:
    """Answers every request with the scenario that `choose` picks; `ledger` keeps them in their order.

    `installed` are Ollama's models with their context length.
    """

    def __init__(self, choose: Callable[[Request], Scenario] | Scenario | None = None) -> None:
        self.choose = choose or Scenario()
        self.ledger: list[Entry] = []
        self.called = asyncio.Event()
        """Set by the first request to a model."""
        self.installed: dict[str, int] = {"qwen3:8b": 40960}
        self._server: asyncio.Server | None = None
        self._port = 0
        self._talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._talks.values():
            writer.transport.abort()
        await asyncio.gather(*self._talks)
        await self._server.wait_closed()

    def url(self, provider: str) -> str:
        """The base URL to give to this provider's client."""
        return f"http://127.0.0.1:{self._port}" + ("/v1" if provider == "openai" else "")

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks[task] = writer
        try:
            await self._talk(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, _GoneError):
            pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            del self._talks[task]

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        path = target.partition("?")[0]
        body = json.loads(raw) if raw else {}
        dialect = next((each for each in DIALECTS.values() if each.claims(path)), None)
        if dialect is None:
            self._inventory(method, path, body, writer)
            await writer.drain()
            return
        request = Request(dialect.name, dialect.model(path, body), path, headers, body)
        plan = self.choose if isinstance(self.choose, Scenario) else self.choose(request)
        entry = Entry(request, plan)
        self.ledger.append(entry)
        self.called.set()
        async with asyncio.TaskGroup() as tasks:
            watch = tasks.create_task(_watch(reader, entry.gone))
            try:
                await _Play(dialect, plan, entry, writer).run()
            except* (ConnectionError, _GoneError):
                pass
            watch.cancel()

    def _inventory(self, method: str, path: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        match method, path:
            case "GET", "/api/tags":
                found: Any = {"models": [{"model": name, "name": name, "size": 1} for name in self.installed]}
            case "POST", "/api/show" if body.get("model") in self.installed:
                context = self.installed[body["model"]]
                found = {"details": {"family": "qwen3"}, "capabilities": ["completion"],
                         "model_info": {"general.architecture": "qwen3", "qwen3.context_length": context}}  # fmt: skip
            case "GET", "/v1/models":
                found = {"object": "list", "data": [{"id": "any-name", "object": "model"}]}
            case _:
                _answer(writer, 404, "application/json", b'{"error": "not found"}', {})
                return
        _answer(writer, 200, "application/json", json.dumps(found).encode(), {})


class _Play:
    """One scenario played to one client."""

    def __init__(self, dialect: Dialect, plan: Scenario, entry: Entry, writer: asyncio.StreamWriter) -> None:
        self._dialect = dialect
        self._plan = plan
        self._entry = entry
        self._writer = writer

    async def run(self) -> None:
        plan = self._plan
        match plan.kind:
            case "not_a_stream":
                _answer(self._writer, 200, "text/html", _PAGE, {})
            case "slow":
                await self._silence(plan.wait_s)
                await self._stream()
            case (
                "success" | "overloaded_midstream" | "cut" | "silent_end" | "disconnect" | "garbage" | "odd" | "stall"
                | "empty" | "thinking_only" | "thinking_first" | "refusal" | "safety" | "max_tokens"
                | "truncated_prompt"
            ):  # fmt: skip
                await self._stream()
            case _:
                refusal = self._dialect.refusal(plan)
                self._entry.status = refusal.status
                _answer(self._writer, refusal.status, "application/json", refusal.body, refusal.headers)
                await self._writer.drain()
                self._entry.is_complete = True

    async def _stream(self) -> None:
        plan, dialect = self._plan, self._dialect
        _head(self._writer, 200, {"Content-Type": dialect.content_type, "Transfer-Encoding": "chunked"})
        self._entry.input_tokens, self._entry.cached_tokens = plan.input_tokens, plan.cached_tokens
        await self._send(dialect.opening(plan))
        is_thinking = plan.kind in {"thinking_only", "thinking_first"}
        if is_thinking:
            await self._send(dialect.thought(plan.thought))
            self._entry.output_tokens += plan.thinking_tokens
        parts = [] if plan.kind in {"empty", "thinking_only", "refusal", "safety"} else plan.parts
        is_faulty = plan.kind in {"overloaded_midstream", "cut", "silent_end", "disconnect", "garbage", "stall"}
        if parts:
            await self._send(dialect.block(int(is_thinking)))
        for sent, part in enumerate(parts[: plan.after] if is_faulty else parts, start=1):
            await self._send(dialect.text(part, int(is_thinking)))
            self._bill(sent / len(parts), is_thinking)
            await self._silence(plan.pause_s)
        await self._end(is_thinking)

    async def _end(self, is_thinking: bool) -> None:
        plan, dialect = self._plan, self._dialect
        match plan.kind:
            case "overloaded_midstream":
                await self._send(dialect.midstream_error())
            case "garbage":
                await self._send(dialect.garbage())
            case "odd":
                await self._send(dialect.odd(plan.odd))
                await self._send(dialect.closing(plan, "end", is_thinking))
            case "disconnect":
                self._writer.transport.abort()
                return
            case "stall":
                await self._silence(plan.wait_s)
            case "silent_end":
                await self._send(dialect.closing(plan, None, is_thinking))
            case "cut":
                pass
            case kind:
                self._bill(1.0, is_thinking)
                await self._send(dialect.closing(plan, _REASONS.get(kind, "end"), is_thinking))
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()
        self._entry.is_complete = True

    def _bill(self, share: float, is_thinking: bool) -> None:
        thinking = self._plan.thinking_tokens if is_thinking else 0
        self._entry.output_tokens = round(self._plan.output_tokens * share) + thinking

    async def _send(self, data: bytes) -> None:
        if data:
            self._writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            await self._writer.drain()

    async def _silence(self, seconds: float) -> None:
        """Keep still for so long; a client that hangs up meanwhile ends the play."""
        if seconds <= 0:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._entry.gone.wait()
        except TimeoutError:
            return
        raise _GoneError


async def _watch(reader: asyncio.StreamReader, gone: asyncio.Event) -> None:
    with suppress(ConnectionError):
        while await reader.read(1024):
            pass
    gone.set()


def _head(writer: asyncio.StreamWriter, status: int, headers: dict[str, str]) -> None:
    lines = [f"HTTP/1.1 {status} -", "Connection: close", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))


def _answer(writer: asyncio.StreamWriter, status: int, kind: str, body: bytes, headers: dict[str, str]) -> None:
    _head(writer, status, {"Content-Type": kind, "Content-Length": str(len(body)), **headers})
    writer.write(body)
