"""What goes wrong while the desk is open: said in one sentence with the remedy, while the rest goes on."""

import asyncio
import resource
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr
from textual.pilot import Pilot

from perdura_core.conductor import SessionOrder
from perdura_core.config import Providers
from perdura_core.mind import Mind
from perdura_core.vocabulary import (
    CONDUCTOR,
    OPERATOR,
    BoardingEnded,
    Call,
    Card,
    Chunk,
    Event,
    ModelCooled,
    ModelDisabled,
)
from perdura_core.workers import Worker, build_worker
from perdura_tui.desk import DeskApp
from perdura_tui.feed import Feed
from perdura_tui.live import LiveSource
from perdura_tui.panes.sheet import Sheet
from perdura_tui.phrases import is_alarm
from perdura_tui.screens.leave import LeaveDialog
from tests.servers.fault import FaultServer
from tests.servers.scenario import Scenario
from tests.tui.running import opened
from tests.tui.test_live_source import PATIENCE_S, _fill


class Desk:
    """The desk on a real mind, under a pilot."""

    def __init__(self, app: DeskApp, feed: Feed, source: LiveSource, mind: Mind, pilot: Pilot[None]) -> None:
        self.app, self.feed, self.source, self.mind, self.pilot = app, feed, source, mind, pilot

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await self.pilot.pause(0.02)

    @property
    def alarm(self) -> str:
        notice = self.feed.notice
        return notice.text if notice is not None and notice.is_error else ""


@asynccontextmanager
async def desk(
    path: Path, order: SessionOrder, *, pace: float | None = 60.0, providers: Providers | None = None
) -> AsyncIterator[Desk]:
    async with Mind.open(path, None, providers, pace=pace) as mind:
        await _fill(mind)
        source = LiveSource(mind, order)
        feed, app = await opened(source)
        async with app.run_test(size=(120, 40)) as pilot:
            try:
                yield Desk(app, feed, source, mind, pilot)
            finally:
                source.cancel()
                await source.closed()


ORDER = SessionOrder(operator="operator", seats=2)


async def test_a_mind_that_was_moved_ends_the_session_and_not_the_desk(tmp_path: Path) -> None:
    async with desk(tmp_path / "a.mind", ORDER) as driven:
        await driven.pilot.press("space")
        await driven.until(lambda: driven.source.aboard == 2)
        (tmp_path / "a.mind").rename(tmp_path / "b.mind")
        await driven.until(lambda: "was moved or deleted while it was open: put it back" in driven.alarm)
        await driven.until(lambda: driven.source.activity == "idle")
        assert driven.app.is_running
        assert "put it back" in driven.app.screen.query_one("EventLine").text  # type: ignore[attr-defined]
        await driven.pilot.press("j", "question_mark")
        await driven.until(lambda: len(driven.app.screen_stack) == 2)
        (tmp_path / "b.mind").rename(tmp_path / "a.mind")


async def test_a_disk_without_room_ends_the_session_and_not_the_desk(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with desk(path, ORDER) as driven:
        await driven.pilot.press("space")
        await driven.until(lambda: driven.source.aboard == 2)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        # No file of this process may grow any more: what a full disk looks like to SQLite.
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        try:
            await driven.until(lambda: "make room" in driven.alarm)
            await driven.until(lambda: driven.source.activity == "idle")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert driven.app.is_running
        await driven.pilot.press("space")
        await driven.until(lambda: driven.source.aboard > 0)


async def test_a_server_that_is_lost_is_said_and_the_others_go_on(tmp_path: Path) -> None:
    order = SessionOrder(
        operator="operator", seats=2, models=("ollama:qwen3:8b", "reader:support"), route="round_robin"
    )
    async with FaultServer(Scenario(kind="slow")) as server:
        providers = Providers(ollama_host=server.url("ollama"))
        async with desk(tmp_path / "a.mind", order, providers=providers) as driven:
            await driven.pilot.press("space")
            async with asyncio.timeout(PATIENCE_S):
                await server.called.wait()
            await server.__aexit__(None, None, None)
            await driven.until(lambda: "ollama:qwen3:8b" in driven.alarm)
            before = driven.feed.head
            await driven.until(lambda: driven.feed.head > before and driven.source.activity == "running")


async def test_an_account_that_is_empty_is_said(tmp_path: Path) -> None:
    order = SessionOrder(
        operator="operator", seats=1, models=("anthropic:claude-haiku-5-5", "reader:support"), route="round_robin"
    )
    async with FaultServer(Scenario(kind="no_credit")) as server:
        providers = Providers(anthropic_key=SecretStr("sk-secret"), anthropic_url=server.url("anthropic"))
        async with desk(tmp_path / "a.mind", order, providers=providers) as driven:
            await driven.pilot.press("space")
            await driven.until(lambda: "claude-haiku-5-5 disabled" in driven.alarm)
            assert "sk-secret" not in driven.alarm
            await driven.until(lambda: any(event.by == "reader:support" for event in driven.feed.lately.events))


def _event(what: BoardingEnded | ModelCooled | ModelDisabled, by: str = CONDUCTOR) -> Event:
    return Event(seq=1, at=datetime(2026, 11, 30, tzinfo=UTC), by=by, what=what)


def test_the_operator_is_told_of_what_she_did_not_do_herself() -> None:
    disabled = ModelDisabled(model="a:b", reason="no credit")
    assert is_alarm(_event(disabled))
    assert not is_alarm(_event(disabled, OPERATOR))
    assert is_alarm(_event(ModelCooled(model="a:b", until=datetime(2027, 1, 1, tzinfo=UTC), reason="busy")))
    why = "unexpected KeyError in the worker"
    broken = BoardingEnded(boarding="b1", ending="failed", reason=why, merged=0, rejected=0, seconds=1.0)
    assert is_alarm(_event(broken))
    assert not is_alarm(_event(broken.model_copy(update={"reason": "the reply was cut"})))


async def test_leaving_with_workers_aboard_stays_finishes_or_cancels(tmp_path: Path) -> None:
    async with desk(tmp_path / "a.mind", ORDER) as driven:
        await driven.pilot.press("space")
        await driven.until(lambda: driven.source.aboard == 2)
        await driven.pilot.press("q")
        await driven.until(lambda: isinstance(driven.app.screen, LeaveDialog))
        await driven.pilot.press("escape")
        await driven.until(lambda: not isinstance(driven.app.screen, LeaveDialog))
        assert driven.source.activity == "running"
        await driven.pilot.press("q")
        await driven.until(lambda: isinstance(driven.app.screen, LeaveDialog))
        await driven.pilot.press("f")
        await driven.until(lambda: driven.source.activity == "finishing" or not driven.app.is_running)
        await driven.pilot.press("q")
        await driven.until(lambda: isinstance(driven.app.screen, LeaveDialog) or not driven.app.is_running)
        await driven.pilot.press("c")
        await driven.until(lambda: not driven.app.is_running)
        endings = {record.ending for record in await driven.mind.store.boardings()}
        assert endings <= {"merged", "cancelled"}


class _Broken:
    """A worker with a mistake in it."""

    model = "reader:doubt"

    async def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        for chunk in ():
            yield chunk
        raise RuntimeError("the floor gave way")

    async def close(self) -> None:
        """Nothing to let go of."""


async def test_a_worker_that_breaks_is_said_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(card: Card, keys: Providers, pace: float | None) -> Worker:
        return _Broken() if card.id == "reader:doubt" else build_worker(card, keys, pace)

    monkeypatch.setattr("perdura_core.mind.build_worker", build)
    order = SessionOrder(seats=2, models=("reader:doubt", "reader:support"))
    async with desk(tmp_path / "own.mind", order) as at:
        at.source.start()
        await at.until(lambda: "unexpected" in at.alarm)
        assert "unexpected RuntimeError in the worker" in at.alarm
        assert "✗" in at.app.screen.query_one("#events", Sheet).text
        await at.until(lambda: any(card.model == "reader:support" for card in at.feed.workers.cards.values()))
        assert at.source.activity == "running"
        assert at.source.fault is None
