"""The desk under load: how long a tick takes, how long a key, and what it costs when nothing happens."""

import asyncio
import resource
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual import events
from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.widgets import OptionList

from perdura_core.clock import Ids
from perdura_core.conductor import order_from
from perdura_core.delta import Aboard, RawElement, plan_elements
from perdura_core.experiments.merge_bench import board, claim
from perdura_core.experiments.synthetic import fill_synthetic
from perdura_core.graph import Graph
from perdura_core.mind import Mind
from perdura_core.vocabulary import BoardingEnded, Draft, Progress, SessionEnded
from perdura_tui.actions import keymap
from perdura_tui.desk import DeskApp
from perdura_tui.feed import Feed
from perdura_tui.live import LiveSource
from perdura_tui.panes.questions import QuestionsPane
from perdura_tui.themes import load_themes, shipped_folder

__all__ = ["bench_desk"]

_SIZE = (120, 40)
"""All five panes are visible."""
_EVENTS_PER_S = 500
_PIECES_PER_S = 20
"""Of a stream, on each seat."""
_KEY_EVERY_S = 0.2
_IDLE_S = 4.0
_REST_S = 6.0
"""Until what the load left on the screen has gone."""
_EDGES_PER_NODE = 4
_LARGE = 10_000
"""Nodes; the goal for opening a larger mind is another."""
_PIECE = "the deploy at 09:58 preceded the first error, "


async def bench_desk(path: Path, nodes: int, seconds: int) -> dict[str, float | int | str]:
    """Figures of a desk on a mind of so many nodes at `path`, beside their goals, under load for so many seconds.

    The load is 8 seats that stream and merge elements of 500 events a second into that mind, as a session does.
    `open`: from nothing in memory to rows on the screen. `tick`: taking in, folding and painting, which also waits for
    what the load does meanwhile; `tick cpu`: what it takes of a processor itself. `key`: one row down the questions
    while the load is on. `bare`, in this process: sqlite3 alone reading the rows of nodes and edges and
    then the first paint of a list of Textual's; the same key and idle there, without any load; and what an event of
    the same load takes of memory without a desk.
    """
    bare_open_s, bare_key_ms, bare_idle = await _measure_bare()
    if not await asyncio.to_thread(path.exists):
        async with Mind.open(path) as mind:
            await fill_synthetic(mind.journal, nodes, nodes * _EDGES_PER_NODE)
    rows_s = await asyncio.to_thread(_read_rows, path)
    began_s = time.perf_counter()
    async with Mind.open(path) as mind:
        source = LiveSource(mind, order_from(mind.settings))
        feed = _TimedFeed(source)
        await feed.open()
        app = _TimedDesk(feed)
        async with _shown(app):
            await _until(lambda: app.is_filled)
            open_s = time.perf_counter() - began_s
            load = _Load(mind)
            await _until(lambda: bool(feed.board.records))
            app.ticks_s.clear()
            app.cpu_s.clear()
            async with asyncio.TaskGroup() as tasks:
                keys = tasks.create_task(_press_keys(app))
                await load.work(seconds)
                keys.cancel()
            ticks_s, cpu_s = app.ticks_s.copy(), app.cpu_s.copy()
            await asyncio.sleep(_REST_S)
            idle = await _processor_share()
        await source.closed()
        bare = _Load(mind)
        await bare.work(seconds / 3)
    return {
        "nodes": nodes,
        "open s": f"{open_s:.2f} (goal {1 if nodes <= _LARGE else 3})",
        "tick p95 ms": f"{_p95(ticks_s) * 1000:.1f} (goal 30)",
        "tick cpu p95 ms": round(_p95(cpu_s) * 1000, 1),
        "key p95 ms": f"{_p95(app.keys_s) * 1000:.1f} (goal 50)",
        "idle %": f"{idle * 100:.1f} (goal 2)",
        "events/s": round(load.events / load.took_s),
        "KB/event": round(load.bytes_per_event / 1024, 2),
        "bare open s": round(rows_s + bare_open_s, 2),
        "bare key ms": round(bare_key_ms, 1),
        "bare idle %": round(bare_idle * 100, 1),
        "bare KB/event": round(bare.bytes_per_event / 1024, 2),
    }


class _Metered:
    """Awaits something, and adds up the processor time of its own steps: others work between them."""

    def __init__(self, awaited: Coroutine[Any, Any, None]) -> None:
        self.used_s = 0.0
        self._awaited = awaited

    def __await__(self) -> Generator[Any, Any, None]:
        steps = self._awaited.__await__()
        while True:
            began_s = time.thread_time()
            try:
                wanted = next(steps)
            except StopIteration:
                return
            finally:
                self.used_s += time.thread_time() - began_s
            yield wanted


class _TimedFeed(Feed):
    """Knows when its last tick began, and what it took of the processor."""

    began_s = 0.0
    used_s = 0.0

    async def tick(self) -> None:
        self.began_s = time.perf_counter()
        metered = _Metered(super().tick())
        await metered
        self.used_s = metered.used_s


class _Screen(HeadlessDriver):
    """A terminal that takes every byte and shows none, so that what is sent has to be made as for a real one."""

    @property
    def is_headless(self) -> bool:
        return False


class _TimedDesk(DeskApp):
    """Measures its ticks, and how long a key takes until its effect was sent to the screen."""

    def __init__(self, feed: _TimedFeed) -> None:
        super().__init__(feed, load_themes([shipped_folder()]), "perdura", keymap({}))
        self.driver_class = _Screen
        self.paints = 0
        self.ticks_s: list[float] = []
        self.cpu_s: list[float] = []
        self.keys_s: list[float] = []
        self._timed = feed
        self._painted: asyncio.Future[float] | None = None
        self._selected: str | None = None

    @property
    def is_filled(self) -> bool:
        """Whether rows were painted."""
        return bool(self.paints) and any(pane.text for pane in self.screen.query(QuestionsPane))

    @property
    def selected(self) -> str | None:
        """The question under the cursor."""
        return next((pane.selected for pane in self.screen.query(QuestionsPane)), None)

    def show_news(self) -> None:
        began_s = time.thread_time()
        super().show_news()
        self.cpu_s.append(self._timed.used_s + time.thread_time() - began_s)
        self.ticks_s.append(time.perf_counter() - self._timed.began_s)

    def post_display_hook(self) -> None:
        self.paints += 1
        waiting = self._painted
        if waiting is not None and not waiting.done() and self.selected != self._selected:
            waiting.set_result(time.perf_counter())

    async def press(self, key: str) -> None:
        """A key, and how long it took."""
        self._selected, self._painted = self.selected, asyncio.get_running_loop().create_future()
        began_s = time.perf_counter()
        self.post_message(events.Key(key, key))
        async with asyncio.timeout(10.0):
            self.keys_s.append(await self._painted - began_s)


class _Bare(App[None]):
    """What Textual takes for itself: a list and a cursor."""

    def __init__(self) -> None:
        super().__init__()
        self.driver_class = _Screen
        self.painted = asyncio.Event()

    def compose(self) -> ComposeResult:
        """As many rows as the desk has."""
        yield OptionList(*(f"row {number}" for number in range(_SIZE[1])))

    def post_display_hook(self) -> None:
        self.painted.set()


async def _measure_bare() -> tuple[float, float, float]:
    began_s = time.perf_counter()
    app = _Bare()
    async with _shown(app):
        await app.painted.wait()
        open_s = time.perf_counter() - began_s
        await asyncio.sleep(0.5)
        keys_s = []
        for _ in range(20):
            app.painted.clear()
            began_s = time.perf_counter()
            app.post_message(events.Key("down", None))
            await app.painted.wait()
            keys_s.append(time.perf_counter() - began_s)
            await asyncio.sleep(0.05)
        return open_s, _p95(keys_s) * 1000, await _processor_share()


def _read_rows(path: Path) -> float:
    began_s = time.perf_counter()
    connection = sqlite3.connect(path)
    try:
        for table in ("questions", "facts", "interpretations", "interpretation_facts", "edges"):
            connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - names of ours
    finally:
        connection.close()
    return time.perf_counter() - began_s


@asynccontextmanager
async def _shown(app: App[None]) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(app.run_async(size=_SIZE))
        try:
            await _until(lambda: app.is_running)
            yield
        finally:
            app.exit()
            await running


class _Load:
    """Eight seats that merge and stream."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._seats: list[Aboard] = []
        self._sent = 0
        self.events = 0
        self.took_s = 0.0
        self.bytes_per_event = 0.0

    async def work(self, seconds: float) -> None:
        """Let events come at the wished rate, or as fast as the disk allows."""
        self._seats = await board(self._mind.journal)
        first = half = self._mind.graph.head
        half_bytes = _resident_bytes()
        began_s = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            streams = [tasks.create_task(self._stream(seat, number)) for number, seat in enumerate(self._seats, 1)]
            while (passed_s := time.perf_counter() - began_s) < seconds:
                if passed_s < seconds / 2:
                    half, half_bytes = self._mind.graph.head, _resident_bytes()
                if self._mind.graph.head - first < passed_s * _EVENTS_PER_S:
                    await self._merge()
                else:
                    await asyncio.sleep(0.005)
            for stream in streams:
                stream.cancel()
        self.took_s = time.perf_counter() - began_s
        self.events = self._mind.graph.head - first
        self.bytes_per_event = (_resident_bytes() - half_bytes) / max(self._mind.graph.head - half, 1)
        await self._leave()

    async def _merge(self) -> None:
        now = self._mind.clock.now()
        async with asyncio.TaskGroup() as tasks:
            for seat in self._seats:
                self._sent += 1
                element = RawElement(self._sent, claim(seat, self._sent))
                tasks.create_task(self._mind.journal.write(plan_elements([element], seat, now)))

    async def _stream(self, seat: Aboard, number: int) -> None:
        began_s = time.perf_counter()
        pieces = 0
        while True:
            pieces += 1
            news = Progress(
                seat=number,
                phase="streaming",
                boarding=seat.boarding,
                model=seat.model,
                question=seat.question,
                text=_PIECE,
                elapsed_s=time.perf_counter() - began_s,
                output_tokens=pieces * 11,
            )
            self._mind.bus.publish(news)
            await asyncio.sleep(1 / _PIECES_PER_S)

    async def _leave(self) -> None:
        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            session = self._seats[0].session
            ends = [
                Draft(
                    what=BoardingEnded(boarding=seat.boarding, ending="merged", merged=1, rejected=0, seconds=1.0),
                    by=seat.model,
                    boarding=seat.boarding,
                    session=session,
                )
                for seat in self._seats
            ]
            end = SessionEnded(session=session, ending="finished", boardings=len(ends), cost_micro_usd=0)
            return [*ends, Draft(what=end, by="bench", session=session)]

        await self._mind.journal.write(plan)


async def _press_keys(app: _TimedDesk) -> None:
    while True:
        for key in ("j", "k"):
            await app.press(key)
            await asyncio.sleep(_KEY_EVERY_S)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(120.0):
        while not holds():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.002)


async def _processor_share() -> float:
    """Processor time of this process in parts of a core, over a few seconds."""
    began_s, used_s = time.perf_counter(), time.process_time()
    await asyncio.sleep(_IDLE_S)
    return (time.process_time() - used_s) / (time.perf_counter() - began_s)


def _resident_bytes() -> int:
    """Memory of this process; its peak where the system does not tell the present."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]
