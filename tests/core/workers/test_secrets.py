"""No key and no prompt in anything that a person, a log or the journal may see."""

import asyncio
import gc
import logging
import traceback

import pytest

from perdura_core.config import Providers
from perdura_core.errors import WorkerError
from perdura_core.vocabulary import Card
from perdura_core.workers import build_worker
from tests.core.workers.calls import KEYS, NAMES, a_call, hear
from tests.core.workers.conftest import Bench
from tests.servers.fault import FaultServer
from tests.servers.scenario import KINDS, Kind, Scenario

pytestmark = pytest.mark.timeout(30)

SHOWING: tuple[Kind, ...] = (
    "success", "bad_key", "rate_limit", "invalid", "broken", "overloaded_midstream", "garbage", "disconnect", "cut",
)  # fmt: skip


@pytest.mark.parametrize("provider", NAMES)
@pytest.mark.parametrize("kind", SHOWING)
async def test_keys_and_prompts_stay_inside(
    provider: str, kind: Kind, server: FaultServer, worker: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    # A server that repeats the key it refused.
    server.choose = Scenario(kind, echo=f"you sent {KEYS[provider]}")
    working = worker(provider)
    call = a_call()
    seen = [repr(working), str(working), repr(call.deadlines)]
    try:
        seen.append(repr(await hear(working, call)))
    except WorkerError as error:
        seen += [str(error), repr(error), error.message, *traceback.format_exception(error)]
        seen.append(repr(error.__dict__))
    seen += [f"{record.getMessage()} {record.args!r}" for record in caplog.records]
    seen.append(caplog.text)

    shown = "\n".join(seen)
    assert KEYS[provider] not in shown
    assert "USER-MARK" not in shown
    assert "SYSTEM-MARK" not in shown


@pytest.mark.parametrize("provider", NAMES)
def test_a_worker_lets_go_of_what_it_made(provider: str, caplog: pytest.LogCaptureFixture) -> None:
    errors: list[WorkerError] = []

    async def call_once_each() -> None:
        async with FaultServer() as server:
            url = server.url(provider)
            worker = build_worker(Card(id=f"{provider}:{NAMES[provider]}", base_url=url), Providers())
            for kind in KINDS:
                server.choose = Scenario(kind, pause_s=0.01)
                try:
                    await hear(worker, a_call(first_byte_s=0.1, between_chunks_s=0.1))
                except WorkerError as error:
                    errors.append(error)

    asyncio.run(call_once_each())
    errors.clear()
    gc.collect()  # an unclosed socket would warn here, and warnings are errors

    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_providers_do_not_print_their_keys(providers: Providers) -> None:
    assert "planted" not in repr(providers) + str(providers) + providers.model_dump_json()
