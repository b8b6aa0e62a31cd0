"""Every network worker against every scenario of the fault server."""

import asyncio
import socket
from contextlib import suppress

import pytest

from perdura_core.config import Providers
from perdura_core.errors import (
    AccountError,
    ContentError,
    RequestError,
    RequestFault,
    TransientError,
    WorkerError,
)
from perdura_core.vocabulary import Card, Chunk, StopReason, Usage, UsageChunk
from perdura_core.workers import build_worker
from tests.core.workers.calls import NAMES, a_call, hear, hear_into, stop_of, text_of, thought_of, usage_of
from tests.core.workers.conftest import Bench
from tests.servers.fault import FaultServer
from tests.servers.scenario import DELTA, KINDS, Kind, Scenario

pytestmark = pytest.mark.timeout(30)

PROVIDERS = tuple(NAMES)
every_provider = pytest.mark.parametrize("provider", PROVIDERS)


@every_provider
async def test_a_reply_arrives_whole_with_its_counts(provider: str, server: FaultServer, worker: Bench) -> None:
    server.choose = Scenario(pieces=17)
    working = worker(provider)

    chunks = await hear(working, a_call())

    assert text_of(chunks) == DELTA
    assert stop_of(chunks) == "end"
    usage = usage_of(chunks)
    assert usage is not None
    assert usage.output_tokens == server.ledger[0].output_tokens
    cached = usage.cache_read_tokens or 0
    assert (usage.input_tokens or 0) + cached == server.ledger[0].input_tokens + server.ledger[0].cached_tokens
    assert cached == (0 if provider == "ollama" else server.ledger[0].cached_tokens)
    await working.close()
    await working.close()


@every_provider
async def test_the_request_carries_prompt_schema_limit_and_key_and_nothing_of_the_briefing(
    provider: str, server: FaultServer, worker: Bench
) -> None:
    await hear(worker(provider), a_call())

    request = server.ledger[0].request
    said = str(request.body)
    assert request.model == NAMES[provider]
    assert "SYSTEM-MARK" in said
    assert "USER-MARK" in said
    assert "contributions" in said
    assert "300" in said
    assert "BRIEFING-MARK" not in said
    assert f"planted-{provider}-key" in str(request.headers)
    assert f"planted-{provider}-key" not in request.path + said


@every_provider
async def test_an_empty_schema_asks_for_free_text(provider: str, server: FaultServer, worker: Bench) -> None:
    chunks = await hear(worker(provider), a_call(delta_schema={}))

    assert stop_of(chunks) == "end"
    assert "contributions" not in str(server.ledger[0].request.body)
    assert "schema" not in str(server.ledger[0].request.body).lower()


TURNED_AWAY: dict[Kind, type[WorkerError]] = {
    "rate_limit": TransientError,
    "daily_quota": TransientError,
    "overloaded": TransientError,
    "unavailable": TransientError,
    "broken": TransientError,
    "bad_key": AccountError,
    "odd_bad_key": AccountError,
    "no_credit": AccountError,
    "odd_no_credit": AccountError,
    "model_missing": RequestError,
    "too_large": RequestError,
    "odd_too_large": RequestError,
    "schema_refused": RequestError,
    "invalid": RequestError,
}


@every_provider
@pytest.mark.parametrize("kind", TURNED_AWAY)
async def test_a_refused_request_becomes_the_error_that_says_what_to_do(
    provider: str, kind: Kind, server: FaultServer, worker: Bench
) -> None:
    server.choose = Scenario(kind)

    with pytest.raises(WorkerError) as caught:
        await hear(worker(provider), a_call())

    error = caught.value
    assert type(error) is TURNED_AWAY[kind]
    assert error.model == f"{provider}:{NAMES[provider]}"
    assert len(server.ledger) == 1, "a worker never retries"
    if isinstance(error, TransientError):
        assert error.retry_after_s == (7 if kind == "rate_limit" or (kind, provider) == QUOTA_WITH_DELAY else None)
        assert error.worth_retrying is (kind != "daily_quota")
        assert error.is_unbilled is (kind != "broken")
    if isinstance(error, RequestError):
        assert error.fault == FAULTS[kind]


QUOTA_WITH_DELAY = ("daily_quota", "gemini")
FAULTS: dict[str, RequestFault] = {
    "model_missing": "model_missing",
    "too_large": "too_large",
    "odd_too_large": "too_large",
    "schema_refused": "schema_refused",
    "invalid": "invalid",
}


@every_provider
@pytest.mark.parametrize("kind", ["overloaded_midstream", "disconnect", "garbage"])
async def test_a_fault_in_mid_stream_keeps_what_came_before(
    provider: str, kind: Kind, server: FaultServer, worker: Bench
) -> None:
    server.choose = Scenario(kind, pause_s=0.02)
    heard: list[Chunk] = []

    with pytest.raises(TransientError) as caught:
        await hear_into(heard, worker(provider), a_call())

    assert text_of(heard) == "".join(Scenario(kind).parts[:2])
    assert stop_of(heard) is None
    assert caught.value.worth_retrying
    assert not caught.value.is_unbilled, "the tokens sent so far may be billed"


@every_provider
@pytest.mark.parametrize("kind", ["cut", "silent_end"])
async def test_a_cut_stream_ends_without_a_stop(provider: str, kind: Kind, server: FaultServer, worker: Bench) -> None:
    server.choose = Scenario(kind)

    chunks = await hear(worker(provider), a_call())

    assert text_of(chunks) == "".join(Scenario(kind).parts[:2])
    assert stop_of(chunks) is None


@every_provider
async def test_an_unfinished_reply_has_no_output_count_that_is_too_low(
    provider: str, server: FaultServer, worker: Bench
) -> None:
    server.choose = Scenario("cut")

    usage = usage_of(await hear(worker(provider), a_call()))

    assert usage is None or usage.output_tokens is None


STOPS: dict[Kind, StopReason] = {
    "empty": "end",
    "thinking_only": "end",
    "thinking_first": "end",
    "max_tokens": "max_tokens",
}


@every_provider
@pytest.mark.parametrize("kind", STOPS)
async def test_thinking_is_apart_from_text_and_empty_is_no_error(
    provider: str, kind: Kind, server: FaultServer, worker: Bench
) -> None:
    server.choose = Scenario(kind)

    chunks = await hear(worker(provider), a_call(max_output_tokens=50 if kind == "max_tokens" else 300))

    assert thought_of(chunks) == ("Let me see." if kind.startswith("thinking") else "")
    assert text_of(chunks) == ("" if kind in {"empty", "thinking_only"} else DELTA)
    usage = usage_of(chunks)
    assert usage is not None
    assert usage.output_tokens == (50 if kind.startswith("thinking") else 40)
    expected = STOPS[kind]
    if (kind, provider) == ("max_tokens", "ollama"):
        expected = "context_full"  # 40 of 50 tokens written, so the window was what ended
    assert stop_of(chunks) == expected


@pytest.mark.parametrize(
    ("provider", "kind", "expected"),
    [
        ("anthropic", "refusal", "refusal"),
        ("gemini", "refusal", "safety"),
        ("gemini", "safety", "safety"),
        ("openai", "refusal", "refusal"),
        ("openai", "safety", "safety"),
    ],
)
async def test_a_refusal_is_a_stop_with_its_counts(
    provider: str, kind: Kind, expected: StopReason, server: FaultServer, worker: Bench
) -> None:
    server.choose = Scenario(kind)

    chunks = await hear(worker(provider), a_call())

    assert stop_of(chunks) == expected
    assert text_of(chunks) == ""
    assert usage_of(chunks) is not None


@every_provider
@pytest.mark.parametrize("kind", ["slow", "stall"])
async def test_silence_has_its_limits(provider: str, kind: Kind, server: FaultServer, worker: Bench) -> None:
    server.choose = Scenario(kind)
    # Ollama may load a model first and gets five times as long to its first byte.
    first_byte_s = (0.06 if provider == "ollama" else 0.3) if kind == "slow" else 5.0

    started = asyncio.get_running_loop().time()
    with pytest.raises(TransientError) as caught:
        await hear(worker(provider), a_call(first_byte_s=first_byte_s, between_chunks_s=0.3))

    assert 0.25 < asyncio.get_running_loop().time() - started < 2.0
    assert "0.3 s" in str(caught.value)
    async with asyncio.timeout(0.2):
        await server.ledger[0].gone.wait()


@every_provider
async def test_the_whole_call_has_its_limit(provider: str, server: FaultServer, worker: Bench) -> None:
    server.choose = Scenario(pieces=50, pause_s=0.05)

    with pytest.raises(TransientError, match=r"longer than 0\.4 s"):
        await hear(worker(provider), a_call(whole_call_s=0.4))

    async with asyncio.timeout(0.2):
        await server.ledger[0].gone.wait()


@every_provider
async def test_a_server_that_is_down_is_transient_and_unbilled(
    provider: str, worker: Bench, server: FaultServer
) -> None:
    working = worker(provider)
    await server.__aexit__(None, None, None)

    with pytest.raises(TransientError) as caught:
        await hear(working, a_call())

    assert caught.value.is_unbilled
    assert "Connect" in str(caught.value)


async def test_a_prompt_that_the_server_cut_is_found_out(server: FaultServer, worker: Bench) -> None:
    server.choose = Scenario("truncated_prompt")

    with pytest.raises(ContentError) as caught:
        await hear(worker("ollama"), a_call())

    assert caught.value.fault == "context_truncated"
    assert "16 tokens" in str(caught.value)
    assert "num_ctx (now 8192)" in str(caught.value)


async def test_ollama_is_told_its_context_and_to_stay(server: FaultServer, worker: Bench) -> None:
    await hear(worker("ollama"), a_call())

    body = server.ledger[0].request.body
    assert body["options"] == {"num_ctx": 8192, "num_predict": 300}
    assert body["keep_alive"] == "15m"
    assert body["format"]["required"] == ["contributions"]


async def test_gemini_gets_no_keyword_that_it_may_refuse(server: FaultServer, worker: Bench) -> None:
    await hear(worker("gemini"), a_call())

    assert "additionalProperties" not in str(server.ledger[0].request.body)


@every_provider
async def test_a_page_instead_of_a_stream_is_no_reply(provider: str, server: FaultServer, worker: Bench) -> None:
    server.choose = Scenario("not_a_stream")

    if provider == "anthropic":
        # An event stream may hold lines of any kind: a page is one without events, hence cut.
        assert await hear(worker(provider), a_call()) == []
        return
    with pytest.raises(WorkerError):
        await hear(worker(provider), a_call())


ODD = (
    "null", "[]", "7", '"text"', "{}", "[1, 2]", '{"type": 5}', '{"error": 5}', '{"error": "odd"}', '{"error": {}}',
    '{"error": {"code": "x", "message": ["y"]}}', '{"type": "error"}', '{"type": "error", "error": []}',
    '{"type": "content_block_delta"}', '{"type": "content_block_delta", "delta": "t"}',
    '{"type": "content_block_delta", "delta": {"type": "text_delta", "text": 5}}',
    '{"type": "message_delta"}', '{"type": "message_delta", "delta": 5, "usage": 7}',
    '{"choices": 5}', '{"choices": [5]}', '{"choices": [{"delta": {"content": 5}}]}', '{"usage": "many"}',
    '{"usage": {"prompt_tokens": "1", "completion_tokens": -4, "prompt_tokens_details": 7}}',
    '{"candidates": 5}', '{"candidates": [{"content": "text"}]}', '{"candidates": [{"finishReason": "NEW_REASON"}]}',
    '{"usageMetadata": {"promptTokenCount": "many"}}', '{"promptFeedback": {"blockReason": "NEW"}}',
    '{"message": 5}', '{"message": {"role": "assistant", "content": 7}, "done": "maybe"}', '{"done": true}',
)  # fmt: skip


@every_provider
@pytest.mark.filterwarnings("ignore:.* is not a valid :UserWarning:google.genai")
async def test_an_event_of_another_shape_is_passed_over_or_transient(
    provider: str, server: FaultServer, worker: Bench
) -> None:
    working = worker(provider)
    for odd in ODD:
        server.choose = Scenario("odd", odd=odd)
        heard: list[Chunk] = []
        with suppress(TransientError):
            await hear_into(heard, working, a_call())
        assert text_of(heard).startswith("".join(Scenario().parts[:2]))
        for usage in [chunk.usage for chunk in heard if isinstance(chunk, UsageChunk)]:
            assert all(tokens is None or tokens >= 0 for tokens in usage.model_dump().values())


@every_provider
async def test_a_server_that_does_not_pick_up_is_given_up_on(provider: str, providers: Providers) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:  # fill its queue, so that the kernel answers nobody else
            each.setblocking(False)
            each.connect_ex(deaf.getsockname())
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        working = build_worker(Card(id=f"{provider}:{NAMES[provider]}", base_url=url), providers)
        started = asyncio.get_running_loop().time()

        with pytest.raises(TransientError) as caught:
            await hear(working, a_call(connect_s=0.3))

        for each in waiting:
            each.close()
    assert 0.25 < asyncio.get_running_loop().time() - started < 2.0
    assert caught.value.is_unbilled
    assert "ConnectTimeout" in str(caught.value)


def test_every_scenario_is_used_here() -> None:
    used = {*TURNED_AWAY, *STOPS, "success", "overloaded_midstream", "disconnect", "garbage", "odd", "cut",
            "silent_end", "refusal", "safety", "slow", "stall", "truncated_prompt", "not_a_stream"}  # fmt: skip
    assert used == set(KINDS)


@every_provider
async def test_counts_that_are_missing_stay_unknown(provider: str, server: FaultServer, worker: Bench) -> None:
    server.choose = Scenario("success", cached_tokens=0)

    usage = usage_of(await hear(worker(provider), a_call()))

    assert usage == Usage(
        input_tokens=120,
        output_tokens=40,
        cache_read_tokens=None if provider == "ollama" else 0,
        cache_write_tokens=0 if provider == "anthropic" else None,
    )
