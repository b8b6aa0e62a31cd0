"""No key and no prompt in anything that a person, a log or the journal may see."""

import gc
import logging
import traceback

import pytest

from perdura_core.config import Providers
from perdura_core.errors import WorkerError
from tests.core.workers.calls import KEYS, NAMES, a_call, hear
from tests.core.workers.conftest import Bench
from tests.servers.fault import FaultServer
from tests.servers.scenario import Kind, Scenario

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
async def test_a_worker_lets_go_of_what_it_made(provider: str, server: FaultServer, worker: Bench) -> None:
    await hear(worker(provider), a_call())
    gc.collect()  # an unclosed socket would warn here, and warnings are errors

    assert server.ledger[0].is_complete


def test_providers_do_not_print_their_keys(providers: Providers) -> None:
    assert "planted" not in repr(providers) + str(providers) + providers.model_dump_json()
