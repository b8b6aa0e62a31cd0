"""The fault server speaks as the real ones do: the providers' own SDKs read it with all their checks."""

import httpx2
import pytest
from anthropic import AsyncAnthropic
from google import genai
from ollama import AsyncClient

from tests.servers.fault import FaultServer
from tests.servers.scenario import DELTA, Scenario

pytestmark = pytest.mark.timeout(30)


async def test_the_message_that_the_anthropic_sdk_puts_together() -> None:
    async with (
        FaultServer(Scenario("thinking_first")) as server,
        AsyncAnthropic(api_key="key", base_url=server.url("anthropic"), max_retries=0) as client,
        client.messages.stream(
            model="claude-haiku-5-5", max_tokens=50, messages=[{"role": "user", "content": "Hi"}]
        ) as stream,
    ):
        message = await stream.get_final_message()

    assert [block.type for block in message.content] == ["thinking", "text"]
    assert message.content[1].type == "text"
    assert message.content[1].text == DELTA
    assert message.stop_reason == "end_turn"
    assert (message.usage.input_tokens, message.usage.output_tokens) == (120, 50)


async def test_the_stream_that_the_google_sdk_reads() -> None:
    # With a client of its own, as the worker has it: the SDK's other transport warns when aiohttp is installed.
    async with FaultServer(Scenario("thinking_first")) as server, httpx2.AsyncClient() as http:
        client = genai.Client(
            api_key="key", http_options={"base_url": server.url("gemini"), "httpx_async_client": http}
        )
        stream = await client.aio.models.generate_content_stream(model="gemini-3.8-flash", contents="Hi")
        answers = [answer async for answer in stream]
        await client.aio.aclose()
        client.close()

    assert "".join(answer.text or "" for answer in answers) == DELTA
    assert answers[-1].usage_metadata is not None
    assert answers[-1].usage_metadata.prompt_token_count == 140
    assert answers[-1].usage_metadata.thoughts_token_count == 10


async def test_the_stream_that_the_ollama_sdk_reads() -> None:
    async with FaultServer() as server, AsyncClient(server.url("ollama")) as client:
        stream = await client.chat("qwen3:8b", [{"role": "user", "content": "Hi"}], stream=True)
        answers = [answer async for answer in stream]
        listed = await client.list()
        shown = await client.show("qwen3:8b")

    assert "".join(answer.message.content or "" for answer in answers) == DELTA
    assert answers[-1].done
    assert answers[-1].prompt_eval_count == 140
    assert [model.model for model in listed.models] == ["qwen3:8b"]
    assert shown.modelinfo is not None
    assert shown.modelinfo["qwen3.context_length"] == 40960


async def test_the_ledger_bills_what_was_sent() -> None:
    async with FaultServer(Scenario("cut", after=2, pieces=4)) as server, AsyncClient(server.url("ollama")) as client:
        async for _ in await client.chat("m", [{"role": "user", "content": "Hi"}], stream=True):
            pass
        entry = server.ledger[0]

    assert (entry.input_tokens, entry.cached_tokens, entry.output_tokens) == (120, 20, 20)
    assert entry.is_complete
