"""What a boarding costs beside the bare call of the provider's SDK: CPU, against a server on this machine."""

import asyncio
import json
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from anthropic import AsyncAnthropic
from pydantic import SecretStr

from perdura_core.conductor import SessionOrder
from perdura_core.config import Providers, Settings
from perdura_core.mind import Mind
from perdura_core.vocabulary import Card, Price

__all__ = ["bench_boarding"]

_MODEL = "claude-haiku-5-5"
_PIECES = 30
_WARM_UP = 5


async def bench_boarding(path: Path, rounds: int) -> dict[str, float | int]:
    """CPU milliseconds of `rounds` boardings on a small mind at `path`, and of as many bare SDK calls.

    Both stream the same reply (three claims in thirty pieces) from the same server in this process, so that its CPU
    counts on both sides. `overhead_ms` is the difference of the medians: briefing, parsing, merging, journal, money.
    """
    async with _server() as url:
        bare = await _bare(url, rounds)
        whole = await _boardings(path, url, rounds)
    return {
        "rounds": rounds,
        "bare_p50_ms": round(statistics.median(bare), 2),
        "boarding_p50_ms": round(statistics.median(whole), 2),
        "overhead_ms": round(statistics.median(whole) - statistics.median(bare), 2),
        "ratio": round(statistics.median(whole) / statistics.median(bare), 2),
    }


async def _bare(url: str, rounds: int) -> list[float]:
    spent_ms = []
    async with AsyncAnthropic(api_key="none", base_url=url, max_retries=0, timeout=10) as client:
        for number in range(_WARM_UP + rounds):
            started_s = time.process_time()
            async with client.messages.stream(
                model=_MODEL, max_tokens=1_000, messages=[{"role": "user", "content": "What caused it?"}]
            ) as stream:
                async for _ in stream.text_stream:
                    pass
                await stream.get_final_message()
            if number >= _WARM_UP:
                spent_ms.append((time.process_time() - started_s) * 1_000)
    return spent_ms


async def _boardings(path: Path, url: str, rounds: int) -> list[float]:
    """CPU between the ends of one boarding and the next, one seat working on."""
    prices = (Price(usd_per_mtok_in=0.1, usd_per_mtok_out=0.5),)
    settings = Settings(model=(Card(id=f"anthropic:{_MODEL}", tier="standard", prices=prices),))
    providers = Providers(anthropic_key=SecretStr("none"), anthropic_url=url)
    ends_s: list[float] = []
    async with Mind.open(path, settings, providers) as mind:
        for number in range(4):
            await mind.ask(f"What caused incident {number}?", domains=["operations"])
        seen = mind.graph.head

        async def note_ends() -> None:
            nonlocal seen
            while len(ends_s) < _WARM_UP + rounds:
                await news.wait()
                news.clear()
                told = await mind.store.events(after=seen, kinds=["boarding_ended"])
                seen = mind.graph.head
                ends_s.extend(time.process_time() for _ in told)

        news = asyncio.Event()

        def wake(head: int) -> None:
            news.set()

        mind.journal.on_commit(wake)
        order = SessionOrder(
            seats=1,
            boardings=_WARM_UP + rounds,
            models=(f"anthropic:{_MODEL}",),
            stagnation_after=10_000,
            audit_every=0,
        )
        async with asyncio.TaskGroup() as tasks:
            noting = tasks.create_task(note_ends())
            await mind.conductor.run(order)
            noting.cancel()
        mind.journal.forget(wake)
    return [(after - before) * 1_000 for before, after in zip(ends_s[_WARM_UP - 1 :], ends_s[_WARM_UP:], strict=False)]


@asynccontextmanager
async def _server() -> AsyncIterator[str]:
    """An Anthropic Messages endpoint on loopback that says three new claims in thirty pieces."""
    served = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal served
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                await reader.readexactly(int(lengths[0].partition(b":")[2]) if lengths else 0)
                served += 1
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                )
                for event in _events(served):
                    data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
                    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                    await writer.drain()
                writer.write(b"0\r\n\r\n")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def _events(number: int) -> list[dict[str, object]]:
    claims = [
        {"kind": "claim", "ref": ref, "text": f"In run {number} cause {ref} came {number + place} minutes before.",
         "confidence": 0.6}
        for place, ref in enumerate("abc", start=1)
    ]  # fmt: skip
    text = json.dumps({"contributions": claims})
    size = -(-len(text) // _PIECES)
    usage = {"input_tokens": 900, "output_tokens": 1}
    message: dict[str, object] = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": _MODEL,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
            for piece in pieces
        ),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
         "usage": {"output_tokens": 200}},
        {"type": "message_stop"},
    ]  # fmt: skip
